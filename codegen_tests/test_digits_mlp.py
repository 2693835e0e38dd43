"""The example of a network that trains: what it learns, the same everywhere, by gradients that are right."""

from __future__ import annotations

import re
import subprocess
import sys
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import shaderdsl as sd
from shaderdsl.examples import digits_mlp
from shaderdsl.operation import with_backward
from shaderdsl.quickstart import digits

EXAMPLE = Path(__file__).parent.parent / "examples" / "digits_mlp.py"
DEVICES = ("wgpu", "dawn", "interpreter")
AGREE = 1e-4
WHOLE, PART = digits_mlp.STEPS, 300

pytestmark = pytest.mark.xdist_group("digits_mlp")


class Training:
    """A training on one device, as far as it was asked for."""

    def __init__(self, device: str, steps: int, seed: int = 0) -> None:
        x, label = digits_mlp.load_digits()
        self.parameters: dict[str, Any] = {n: sd.array(p, device=device) for n, p in digits_mlp.start(seed).items()}
        count = digits_mlp.TRAINING
        trained = digits_mlp.train(self.parameters, x[:count], label[:count], WHOLE, seed)
        self.losses: NDArray[np.float64] = np.array(list(islice(trained, steps)))

    def unseen(self) -> float:
        """The share of the digits not trained with that are read right."""
        x, label = digits_mlp.load_digits()
        count = digits_mlp.TRAINING
        logits, _ = digits_mlp.forward(self.parameters, x[count:], label[count:])
        return float((logits.numpy().argmax(axis=1) == label[count:]).mean())


@pytest.fixture(scope="module")
def trained() -> dict[str, Training]:
    """The whole training on wgpu; on the other devices as much as is compared."""
    return {d: Training(d, WHOLE if d == "wgpu" else PART) for d in DEVICES}


def largest_difference(losses: list[NDArray[np.float64]]) -> float:
    """Between any two devices, at any step that all have."""
    common = np.array([own[: min(map(len, losses))] for own in losses])
    return float(np.ptp(common, axis=0).max())


def test_it_reads_98_of_100_digits_that_it_has_not_seen(trained: dict[str, Training]) -> None:
    assert trained["wgpu"].unseen() >= 0.98


def test_the_loss_halves_within_100_steps(trained: dict[str, Training]) -> None:
    for own in trained.values():
        assert own.losses[90:100].mean() < own.losses[0] / 2


def test_every_device_has_the_same_losses(trained: dict[str, Training]) -> None:
    assert min(len(own.losses) for own in trained.values()) == PART
    assert largest_difference([own.losses for own in trained.values()]) < AGREE


def test_a_slightly_other_network_has_other_losses(
    trained: dict[str, Training], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(digits_mlp, "EPS", 1e-3)
    assert largest_difference([trained["dawn"].losses, Training("dawn", 20).losses]) > AGREE


def test_a_seed_says_everything(trained: dict[str, Training], executor_name: str) -> None:
    np.testing.assert_array_equal(Training(executor_name, 5).losses, trained[executor_name].losses[:5])
    assert Training(executor_name, 1, seed=1).losses[0] != trained[executor_name].losses[0]


# The first step


def first_batch() -> tuple[NDArray[Any], NDArray[Any]]:
    x, label = digits_mlp.load_digits()
    rows = next(digits_mlp.shuffled(digits_mlp.TRAINING, 0))
    return x[rows], label[rows]


def test_after_step_1_every_gradient_is_finite_and_not_zero(executor_name: str) -> None:
    """The weights of a pixel that is blank in the whole batch have no gradient; all others have one."""
    x, label = first_batch()
    for parameters in (Training(executor_name, 0).parameters, Training(executor_name, 1).parameters):
        _, found = digits_mlp.gradients(parameters, x, label)
        for name, gradient in found.items():
            host = gradient.numpy()
            lit = x.any(axis=0) if name in ("gate", "up") else True
            assert np.isfinite(host).all()
            np.testing.assert_array_equal(host != 0, np.broadcast_to(lit, host.shape), name)


def test_a_step_is_that_of_adamw_and_gains_do_not_decay(executor_name: str) -> None:
    before, after = digits_mlp.start(0), Training(executor_name, 1).parameters
    wide = {n: p.astype(np.float64) for n, p in before.items()}
    _, gradient = digits_mlp.gradients(wide, *first_batch(), digits_mlp.in_float64)
    for name, p in wide.items():
        rate = digits_mlp.RATE
        kept = 1 if name == "gain" else 1 - rate * digits_mlp.DECAY[name]
        g = gradient[name]
        large = np.abs(g) > 1e-3  # where float32 cannot turn the direction
        assert large.any()
        expected = p * kept - rate * g / (np.abs(g) + 1e-8)
        np.testing.assert_allclose(after[name].numpy()[large], expected[large], atol=1e-6)


# The gradients


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network of few weights."""
    monkeypatch.setattr(digits_mlp, "PIXELS", 8)
    monkeypatch.setattr(digits_mlp, "HIDDEN", 4)


def worst(seed: int) -> dict[str, float]:
    """The largest error of the gradient of each parameter."""
    found: dict[str, float] = {}
    for name, error in digits_mlp.largest_errors(seed):
        found[name] = max(found.get(name, 0.0), error)
    return found


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("seed", range(3))
def test_gradients_are_those_of_finite_differences(seed: int) -> None:
    found = worst(seed)
    assert set(found) == set(digits_mlp.start(0))
    assert max(found.values()) < 1e-6


BACKWARD = """
given x[t, p], gate[h, p], up[h, p], gain[h], out[c, h], eps, d_logits[t, c]
g[t, h] = sum(p) x[t, p] * gate[h, p]
u[t, h] = sum(p) x[t, p] * up[h, p]
s[t, h] = silu(g[t, h]) * u[t, h]
q[t] = mean(h) s[t, h] ** 2
r[t] = rsqrt(q[t] + eps)
n[t, h] = s[t, h] * r[t] * gain[h]
d_n[t, h] = sum(c) out[c, h] * d_logits[t, c]
w[t] = sum(h) n[t, h] * d_n[t, h]
d_s[t, h] = r[t] * (gain[h] * d_n[t, h] - s[t, h] * r[t] * w[t] / size(h))
d_u[t, h] = d_s[t, h] * silu(g[t, h])
d_g[t, h] = d_s[t, h] * u[t, h] * sigmoid(g[t, h]) * (1 + g[t, h] * sigmoid(-g[t, h]))
d_x[t, p] = sum(h) d_g[t, h] * gate[h, p] + d_u[t, h] * up[h, p]
d_gate[h, p] = sum(t) d_g[t, h] * x[t, p]
d_up[h, p] = sum(t) d_u[t, h] * x[t, p]
d_gain[h] = sum(t) s[t, h] * r[t] * d_n[t, h]
d_out[c, h] = sum(t) d_logits[t, c] * n[t, h]
out(d_x, d_gate, d_up, d_gain, d_out)
"""
"""The network's backward as one writes it by hand: right as it stands, and text to make wrong ones of."""

WRONG = {
    "the norm's second term dropped": (" - s[t, h] * r[t] * w[t] / size(h)", "", {"gate", "up"}),
    "a term of silu' dropped": ("(1 + g[t, h] * sigmoid(-g[t, h]))", "1", {"gate"}),
    "sigmoid taken for silu": ("d_s[t, h] * silu(", "d_s[t, h] * sigmoid(", {"up"}),
    "twice the gain's": ("sum(t) s[t, h]", "sum(t) 2 * s[t, h]", {"gain"}),
    "the batch's first digit left out": ("sum(t) d_logits", "sum(t) (1 - f32(t == 0)) * d_logits", {"out"}),
}


def given_backward(monkeypatch: pytest.MonkeyPatch, formula: str) -> None:
    """The network with this backward instead of the derived one."""
    given = with_backward(sd.op("network", digits_mlp.network.formula), formula)
    monkeypatch.setattr(digits_mlp, "network", given)


@pytest.mark.usefixtures("small")
def test_the_backward_by_hand_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    given_backward(monkeypatch, BACKWARD)
    assert max(worst(0).values()) < 1e-6
    assert digits_mlp.check(0) == 0


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_backward_is_caught(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right, other, parameters = WRONG[name]
    assert BACKWARD.count(right) == 1
    given_backward(monkeypatch, BACKWARD.replace(right, other))
    assert {n for n, error in worst(0).items() if error > 1e-3} == parameters
    assert digits_mlp.check(0) == 1


# The script


def script(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(EXAMPLE), *options], cwd=folder, capture_output=True, text=True, check=False
    )


def test_it_checks_every_weight_of_the_whole_network(tmp_path: Path) -> None:
    done = script(tmp_path, "--check")
    assert done.returncode == 0, done.stderr
    assert re.findall(r"^(\w+) +right, ", done.stdout, re.M) == ["gate", "up", "out", "gain"]
    assert "4448/4448" in done.stderr


def test_it_shows_progress_and_draws_the_loss(tmp_path: Path) -> None:
    done = script(tmp_path, "--steps", "3", "--out", "deep/folder", "--device", "dawn", "--seed", "4")
    assert done.returncode == 0, done.stderr
    assert re.match(r"accuracy   \d+\.\d\d% \(\d+ of 297 digits that it has not seen\)\n", done.stdout)
    assert re.search(r"^device     dawn, [\d.]+ s for 3 steps, seed 4$", done.stdout, re.M)
    assert "3/3" in done.stderr
    picture = (tmp_path / "deep" / "folder" / "loss.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 10_000


MISUSES = [
    ["--steps", "0"],
    ["--steps", "-3"],
    ["--steps", "many"],
    ["--seed", "-1"],
    ["--device", "cuda"],
    ["--wrong"],
]


@pytest.mark.parametrize("options", MISUSES, ids=" ".join)
def test_misuse_is_one_line_and_2(
    options: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["digits_mlp.py", *options])
    with pytest.raises(SystemExit) as caught:
        digits_mlp.main()
    said = capsys.readouterr()
    assert (caught.value.code, said.out) == (2, "")
    assert [line for line in said.err.splitlines() if "error: " in line] == said.err.splitlines()[-1:]


def test_a_folder_that_cannot_be_is_said_before_the_work(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = script(tmp_path, "--out", "file/below")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == [f"cannot write to {Path('file/below')}: Not a directory"]


def test_a_device_that_is_not_there_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def absent(*_: object, **__: object) -> None:
        raise sd.DeviceError("no adapter of Dawn")

    monkeypatch.setattr(sd, "array", absent)
    monkeypatch.setattr(sys, "argv", ["digits_mlp.py", "--device", "dawn", "--out", str(tmp_path)])
    assert digits_mlp.main() == 1
    assert "no adapter of Dawn" in capsys.readouterr().err


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for package in ("sklearn.datasets", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SystemExit, match="pip install scikit-learn"):
        digits_mlp.load_digits()
    assert 'pip install "shaderdsl[plot]"' in digits_mlp.draw([1.0, 0.5], tmp_path / "loss.png")
    assert not list(tmp_path.iterdir())


def test_the_digits_are_those_of_the_quickstart() -> None:
    x, label = digits_mlp.load_digits()
    own, count = digits.load_digits(), digits_mlp.TRAINING
    unit = x / np.linalg.norm(x, axis=1, keepdims=True)
    np.testing.assert_array_equal(label[count:], own.labels)
    np.testing.assert_array_equal(label[:count], own.values.argmax(axis=1))
    np.testing.assert_allclose(unit, np.concatenate([own.keys, own.queries]), atol=1e-6)
