"""Generated programs mean the same before the passes, after them, on lavapipe through wgpu and on SwiftShader through Dawn."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from codegen_tests.laws.checking import broken_law, told
from shaderdsl.testing.programs import Program, generate, kernels

SHARDS = 10
EACH = 52
"""Programs in a shard."""


@pytest.mark.parametrize("shard", range(SHARDS))
def test_one_meaning_everywhere(shard: int) -> None:
    for seed in range(shard * EACH, (shard + 1) * EACH):
        program = generate(Random(seed))
        said = broken_law(program)
        assert said is None, told(program, said or "", seed)


def test_the_same_seed_gives_the_same_program() -> None:
    assert generate(Random(7)).source == generate(Random(7)).source
    assert generate(Random(7)).source != generate(Random(8)).source


@pytest.mark.fuzz
@settings(
    max_examples=settings().max_examples if settings().max_examples > 100 else 20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)
@given(kernels())
def test_one_meaning_of_drawn_programs(program: Program) -> None:
    said = broken_law(program)
    assert said is None, told(program, said or "")
