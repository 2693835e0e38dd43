"""A derivation gives the same text in every process, in little time: whatever the order of sets and whatever sympy draws."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from sympy.core import random

from shaderdsl.spec.factoring import MOST, factored
from shaderdsl.spec.real import sympy

PROGRAM = """
from codegen_tests.spec.test_zoo_gradients import plain
from shaderdsl.spec.derive import vjp
from shaderdsl.spec.print import format_spec
for name in ("block_of_calls", "info_nce", "softmax_over_two", "gru"):
    first = vjp(plain(name))
    print(format_spec(first), format_spec(vjp(first)) if name != "gru" else "")
"""


def text_under(seed: int) -> str:
    """What a new process derives."""
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, check=True, capture_output=True, text=True
    ).stdout


def test_texts_do_not_depend_on_the_order_of_sets() -> None:
    first = text_under(0)
    assert "out(" in first
    assert text_under(1) == first


def test_factoring_leaves_the_numbers_that_sympy_draws() -> None:
    x, y, z = sympy.symbols("x y z")
    before = random.rng.getstate()
    assert factored(x * y + x * z) == x * (y + z)
    assert random.rng.getstate() == before


def test_many_symbols_take_little_time() -> None:
    """An expansion in 18 symbols that sympy factors in minutes, by chance."""
    names = sympy.symbols(f"a:{MOST + 8}")
    term = sympy.expand((names[0] + names[1] * names[2]) * sum(names[3:10]) * sum(names[10:]) ** 2)
    began = time.process_time()
    assert sympy.expand(factored(term) - term) == 0
    assert time.process_time() - began < 5
