"""A picture of where gradients are off: written, marked at the worst element, and refused with a reason."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shaderdsl as sd
from codegen_tests.ops.backwards import FORMULAS, softmax
from shaderdsl.testing.faults import Fault, worst_of
from shaderdsl.testing.plot import grid
from shaderdsl.testing.report import Report


def off_at_one_place(x: Any, d_y: Any) -> Any:
    found = softmax(x, d_y)
    found[-1, -1] += 1
    return found


def test_a_picture_of_a_wrong_gradient(tmp_path: Path) -> None:
    path = tmp_path / "where.png"
    report = sd.gradcheck(sd.op("f", FORMULAS["softmax"]), backward=off_at_one_place)
    report.plot(path)
    content = path.read_bytes()
    assert content.startswith(b"\x89PNG")
    assert len(content) > 5000
    (fault,) = report.faults
    assert fault.place == tuple(n - 1 for n in fault.errors.shape)
    assert f"worst: {fault.where}, for shapes {fault.shapes}" in str(report)


@pytest.mark.parametrize("formula", ["y = sum(i) x[i]", "y[i] = x[i] ** 2", FORMULAS["matmul"], FORMULAS["scores"]])
def test_right_gradients_have_pictures_too(formula: str, tmp_path: Path) -> None:
    report = sd.gradcheck(sd.op("f", formula))
    assert report.ok
    report.plot(str(tmp_path / "right.svg"))
    assert (tmp_path / "right.svg").read_text("utf-8").startswith("<?xml")
    assert "worst" not in str(report)


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    load = importlib.import_module

    def missing(name: str, package: str | None = None) -> Any:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return load(name, package)

    report = sd.gradcheck(sd.op("f", "y[i] = x[i] ** 2"))
    monkeypatch.setattr(importlib, "import_module", missing)
    with pytest.raises(sd.LaunchError, match="a plot needs matplotlib") as caught:
        report.plot(tmp_path / "no.png")
    assert 'pip install "shaderdsl[plot]"' in str(caught.value)


def test_nothing_is_no_picture(tmp_path: Path) -> None:
    with pytest.raises(sd.LaunchError, match="f has no gradients to plot"):
        Report("f", "", "", ()).plot(tmp_path / "no.png")


def test_rows_of_a_picture() -> None:
    assert grid(np.zeros(5)).shape == (1, 5)
    assert grid(np.zeros(130)).shape == (3, 64)
    assert np.isnan(grid(np.zeros(130))[2, 2:]).all()
    assert grid(np.zeros((2, 3, 4))).shape == (6, 4)
    assert grid(np.zeros(())).shape == (1, 1)


def test_the_worst_of_each_gradient_is_kept() -> None:
    def fault(name: str, share: float) -> Fault:
        return Fault(name, (0,), 1.0, 2.0, np.zeros(1), "x (1,)", share)

    found = worst_of([fault("d_x", 1.0), fault("d_z", 3.0), fault("d_x", 2.0)])
    assert [(f.gradient, f.share) for f in found] == [("d_x", 2.0), ("d_z", 3.0)]
