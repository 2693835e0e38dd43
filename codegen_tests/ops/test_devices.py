"""The library on a device: every op, forward and backward, is its formula there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import shaderdsl as sd
from codegen_tests.ops.library import DEFINITIONS, DERIVED, case
from shaderdsl import ops
from shaderdsl.testing.devices import SINGLE, device_checks
from shaderdsl.testing.points import EXTENTS, Point, points
from shaderdsl.testing.samples import draw


def found_points(name: str) -> list[Point]:
    spec, hints = case(name)
    if name in DERIVED:
        return list(points(spec, hints, 0))[1:3]
    return [Point(draw(spec, hints, np.random.default_rng(n), e), {}, {}) for n, e in enumerate(EXTENTS)][1:3]


@pytest.mark.parametrize("device", ["interpreter", "wgpu", "dawn"])
@pytest.mark.parametrize("name", DEFINITIONS)
def test_an_op_is_its_formula(name: str, device: str) -> None:
    spec, hints = case(name)
    limit = hints.single if hints.single > 1e-3 else SINGLE
    checks = device_checks(getattr(ops, name), spec, found_points(name), device, limit)
    assert [str(c) for c in checks if not c.ok] == []


def test_another_op_is_found() -> None:
    spec, _ = case("silu")
    wrong = sd.op("silu", DEFINITIONS["gelu"].formula)
    checks = device_checks(wrong, spec, found_points("silu"), "interpreter")
    assert [c.ok for c in checks] == [False, False, True]


def test_a_gradient_that_is_off_is_found() -> None:
    spec, _ = case("tanh")
    moved = [
        replace(p, truths={n: replace(t, values=t.values * 1.001) for n, t in p.truths.items()})
        for p in found_points("tanh")
    ]
    checks = device_checks(ops.tanh, spec, moved, "interpreter")
    assert [c.ok for c in checks] == [True, False, True]
