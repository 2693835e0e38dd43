"""Where the user is: the first frame outside the compiler's own rooms."""

from __future__ import annotations

import os
import sys
from types import FrameType

import numpy as np

from shaderdsl.source import Loc

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOMS = ("lang", "ir", "numeric", "passes", "wgsl", "interp", "runtime", "spec", "schedule", "graph")
FILES = (
    "arguments.py",
    "corridor.py",
    "errors.py",
    "execute.py",
    "operation.py",
    "program.py",
    "resident.py",
    "run_op.py",
    "run_steps.py",
    "source.py",
    "tensor_arguments.py",
)
LIBRARIES = (os.path.join(os.path.dirname(os.__file__), ""), os.path.join(os.path.dirname(np.__file__), ""))
"""Python's own and numpy: what calls back from there was called by the user further out."""
PREFIXES = tuple(os.path.join(PACKAGE, room, "") for room in ROOMS) + tuple(os.path.join(PACKAGE, f) for f in FILES)

internal: dict[str, bool] = {}
"""Whether a file belongs to the compiler, by name; kernels shipped in shaderdsl.ops are callers like any user's."""


def is_internal(filename: str) -> bool:
    known = internal.get(filename)
    if known is None:
        path = os.path.abspath(filename)
        foreign = path.startswith(LIBRARIES) and ("-packages" not in path or path.startswith(LIBRARIES[1]))
        known = internal[filename] = foreign or path.startswith(PREFIXES)
    return known


def user_frame() -> FrameType:
    """The frame of the innermost caller outside the compiler."""
    frame = sys._getframe(1)
    while is_internal(frame.f_code.co_filename) and frame.f_back is not None:
        frame = frame.f_back
    return frame


def here() -> Loc:
    """The user's instruction that is being executed."""
    frame = user_frame()
    return Loc(frame.f_code, frame.f_lasti)
