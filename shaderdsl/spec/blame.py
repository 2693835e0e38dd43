"""Where in a formula a derivation fails: at the stage that it was working on.

with at_stage(stage): ...          # SpecError: formula of f:2:1: error: floor has no derivative
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from shaderdsl.errors import SpecError
from shaderdsl.spec.notation import Stage
from shaderdsl.spec.syntax import Mark


@contextmanager
def at_stage(stage: Stage) -> Generator[None]:
    """A refusal without a place stands at this stage; a derived stage has no text to stand in."""
    try:
        yield
    except SpecError as error:
        if error.loc is None and stage.span is not None:
            error.loc = Mark(stage.span)
        raise
