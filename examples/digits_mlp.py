"""A network learns to read handwritten digits: its formula is written here, its gradients are derived.

pip install scikit-learn matplotlib
python examples/digits_mlp.py               # trains, says how many unseen digits it reads, and draws the loss
python examples/digits_mlp.py --check       # holds every gradient to finite differences in float64
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import shaderdsl as sd
from shaderdsl import ops

network = sd.op(
    "network",
    """
    given x[t, p], gate[h, p], up[h, p], gain[h], out[c, h], eps
    g      = linear(x, gate)
    u      = linear(x, up)
    s      = swiglu(g, u)
    n      = rms_norm(s, gain, eps)
    logits = linear(n, out)
""",
    library={"linear": ops.linear, "swiglu": ops.swiglu, "rms_norm": ops.rms_norm},
)
loss = ops.cross_entropy

TRAINING, PIXELS, HIDDEN, CLASSES = 1500, 64, 32, 10
STEPS, BATCH, RATE, EPS = 600, 32, 6e-3, 1e-5
ADAMW = {"beta1": 0.9, "beta2": 0.99, "eps": 1e-8}
DECAY = {"gate": 0.1, "up": 0.1, "out": 0.1, "gain": 0.0}
"""Of weights, not of gains. Rate and decay were chosen by five folds of the 1,500 digits that it trains on."""

Array = NDArray[Any]
Tensors = dict[str, Any]
"""Arrays by name: numpy ones, or resident ones that stay on a device."""
Run = Callable[[sd.Op], Callable[..., Any]]
"""What runs an op."""


def on_device(op: sd.Op) -> Callable[..., Any]:
    return op


def in_float64(op: sd.Op) -> Callable[..., Any]:
    return op.reference


def forward(parameters: Mapping[str, Any], x: Array, label: Array, run: Run = on_device) -> tuple[Any, Any]:
    """Logits (t, 10) of the pixels x (t, 64), and their loss against the labels (t)."""
    logits = run(network)(x=x, **parameters, eps=EPS)
    return logits, run(loss)(x=logits, label=label)


def gradients(parameters: Mapping[str, Any], x: Array, label: Array, run: Run = on_device) -> tuple[Any, Tensors]:
    """The loss, and its gradient by the name of each parameter."""
    logits, value = forward(parameters, x, label, run)
    d_logits = run(loss.vjp)(x=logits, label=label, d_loss=1.0)["x"]
    found = run(network.vjp)(x=x, **parameters, eps=EPS, d_logits=d_logits)
    return value, {name: found[name] for name in parameters}


def train(parameters: Tensors, x: Array, label: Array, steps: int, seed: int) -> Iterator[float]:
    """The loss of each step; `parameters`, resident on a device, are replaced by better ones."""
    batches = shuffled(len(x), seed)
    first = {n: zeros_like(p) for n, p in parameters.items()}
    second = {n: zeros_like(p) for n, p in parameters.items()}
    for step in range(1, steps + 1):
        rows = next(batches)
        value, gradient = gradients(parameters, x[rows], label[rows])
        now = {
            "rate": RATE * (1 - (step - 1) / steps),
            "debias1": 1 - ADAMW["beta1"] ** step,
            "debias2": 1 - ADAMW["beta2"] ** step,
        }
        for n, p in parameters.items():
            made = ops.adamw(p=p, g=gradient[n], m=first[n], v=second[n], decay=DECAY[n], **now, **ADAMW)
            parameters[n], first[n], second[n] = made["p_next"], made["m_next"], made["v_next"]
        yield float(value.numpy())


def shuffled(count: int, seed: int) -> Iterator[Array]:
    """Row numbers of one batch after another, every row once before any comes again."""
    random = np.random.default_rng([seed, 1])
    while True:
        order = random.permutation(count)
        yield from (order[i : i + BATCH] for i in range(0, count - BATCH + 1, BATCH))


def start(seed: int) -> dict[str, Array]:
    """Random weights, and gains of 1."""
    random = np.random.default_rng([seed, 0])
    shapes = {"gate": (HIDDEN, PIXELS), "up": (HIDDEN, PIXELS), "out": (CLASSES, HIDDEN)}
    weights = {n: random.standard_normal(s) / np.sqrt(s[1]) for n, s in shapes.items()}
    return {n: p.astype(np.float32) for n, p in {**weights, "gain": np.ones(HIDDEN)}.items()}


def zeros_like(parameter: sd.DeviceArray) -> sd.DeviceArray:
    return sd.array(np.zeros(parameter.shape, np.float32), device=parameter.device)


def load_digits() -> tuple[Array, Array]:
    """scikit-learn's 1,797 digits, shuffled: pixels (1797, 64) from 0 to 1, and labels (1797)."""
    try:
        data: Any = importlib.import_module("sklearn.datasets").load_digits()
    except ImportError:
        sys.exit("the digits are scikit-learn's: pip install scikit-learn")
    order = np.random.default_rng(0).permutation(len(data.target))
    return (data.data[order] / 16).astype(np.float32), data.target[order].astype(np.int32)


def progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True))


def learn(device: str | None, steps: int, seed: int, out: Path) -> int:
    """Train on 1,500 digits, read the other 297, print the figures, draw the loss. Gives the exit status."""
    x, label = load_digits()
    ready(out)
    parameters: Tensors = {n: sd.array(p, device=device) for n, p in start(seed).items()}
    began, losses = time.perf_counter(), list[float]()
    with progress() as bar:
        task = bar.add_task("training", total=steps)
        for value in train(parameters, x[:TRAINING], label[:TRAINING], steps, seed):
            losses.append(value)
            bar.update(task, advance=1, description=f"loss {value:.4f}")
    seconds = time.perf_counter() - began
    logits, _ = forward(parameters, x[TRAINING:], label[TRAINING:])
    right = int((logits.numpy().argmax(axis=1) == label[TRAINING:]).sum())
    unseen = len(x) - TRAINING
    print(f"accuracy   {100 * right / unseen:.2f}% ({right} of {unseen} digits that it has not seen)")
    print(f"loss       {' -> '.join(f'{losses[s]:.4f} (step {s})' for s in milestones(steps))}")
    print(f"device     {parameters['gain'].device}, {seconds:.1f} s for {steps} steps, seed {seed}")
    print(f"plot       {draw(losses, out / 'loss.png')}")
    return 0


def milestones(steps: int) -> list[int]:
    """The steps whose losses are printed, from 0."""
    return sorted({0, min(100, steps - 1), steps - 1})


def ready(folder: Path) -> None:
    """Make the folder, or end before the work begins."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        sys.exit(f"cannot write to {folder}: {error.strerror}")
    if not os.access(folder, os.W_OK):
        sys.exit(f"cannot write to {folder}: Permission denied")


def draw(losses: list[float], path: Path) -> str:
    """The loss of each step and its mean over 20, as a PNG; says where it lies."""
    try:
        figure = importlib.import_module("matplotlib.figure").Figure(figsize=(8, 4.5), layout="constrained")
    except ImportError:
        return 'none: it needs matplotlib: pip install "shaderdsl[plot]"'
    axes = figure.subplots()
    axes.semilogy(losses, color="lightsteelblue", linewidth=1, label="each batch")
    width = min(20, len(losses))
    means = np.convolve(losses, np.ones(width) / width, "valid")
    axes.semilogy(np.arange(width - 1, len(losses)), means, color="navy", label=f"mean of {width} batches")
    axes.set(xlabel="step", ylabel="cross entropy", title="A network learns to read digits")
    axes.grid(alpha=0.3)
    axes.legend()
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:
        sys.exit(f"cannot write to {path}: {error.strerror}")
    return str(path)


def largest_errors(seed: int, step: float = 1e-5) -> Iterator[tuple[str, float]]:
    """For every entry of every parameter: how far its gradient is from a central difference, against the largest of that parameter."""
    random = np.random.default_rng(seed)
    x, label = random.random((5, PIXELS)), random.integers(0, CLASSES, 5)
    parameters = {n: p + 0.1 * random.standard_normal(p.shape) for n, p in start(seed).items()}
    _, derived = gradients(parameters, x, label, in_float64)
    for name, value in parameters.items():
        scale = np.abs(derived[name]).max()
        for entry in np.ndindex(value.shape):
            kept, both = value[entry], list[float]()
            for moved in (kept + step, kept - step):
                value[entry] = moved
                both.append(float(forward(parameters, x, label, in_float64)[1]))
            value[entry] = kept
            yield name, abs((both[0] - both[1]) / (2 * step) - derived[name][entry]) / scale


def check(seed: int) -> int:
    """Print the largest error of each parameter's gradient. Gives the exit status: 1 if one is above 1e-6."""
    worst = dict.fromkeys(DECAY, 0.0)
    entries = sum(p.size for p in start(seed).values())
    with progress() as bar:
        task = bar.add_task("finite differences", total=entries)
        for name, error in largest_errors(seed):
            worst[name] = max(worst[name], error)
            bar.update(task, advance=1, description=name)
    for name, error in worst.items():
        print(f"{name:10} {'right' if error < 1e-6 else 'WRONG'}, {error:.1e} from finite differences at most")
    return 0 if max(worst.values()) < 1e-6 else 1


def whole(least: int) -> Callable[[str], int]:
    """An option's whole number, from `least` on."""

    def number(text: str) -> int:
        if not text.isdecimal() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} on")
        return int(text)

    return number


def main() -> int:
    options = argparse.ArgumentParser(description="Train a network on handwritten digits, by derived gradients.")
    options.add_argument("--device", choices=("wgpu", "dawn", "interpreter"), help="the best present if left out")
    options.add_argument("--steps", type=whole(1), default=STEPS, help=f"batches of {BATCH} digits ({STEPS})")
    options.add_argument("--seed", type=whole(0), default=0, help="of the first weights and of the order (0)")
    options.add_argument("--out", type=Path, default=Path("quickstart-output"), help="the folder for loss.png")
    options.add_argument("--check", action="store_true", help="hold the gradients to finite differences instead")
    given = options.parse_args()
    try:
        return check(given.seed) if given.check else learn(given.device, given.steps, given.seed, given.out)
    except sd.ShaderError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
