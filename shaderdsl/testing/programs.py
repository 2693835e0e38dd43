"""Whole kernels, generated: well typed, free of races, in range, with floats that are exact in any order of additions.

    @given(kernels())
    def test_my_pass(program: Program) -> None:
        traced = program.program.trace()
        assert disagreement(program, program.interpreted(traced), program.interpreted(my_pass(traced))) is None

A program is a Python file in the language, executed; the same seed gives the same file: `generate(Random(7))`.
"""

from __future__ import annotations

import linecache
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from shaderdsl.arguments import bind
from shaderdsl.execute import Request, grid, interpreted, uniform_values
from shaderdsl.ir.accuracy import Operation
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.types import Struct
from shaderdsl.numeric.host import member_array, struct_dtype
from shaderdsl.program import KernelProgram
from shaderdsl.testing import programs_layout as layout
from shaderdsl.testing.programs_body import Written, write

HEAD = ("from typing import Annotated", "import shaderdsl as sd", "from shaderdsl import f32, i32, u32", "", "")


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A generated kernel with arguments to call it: `program.program(**inputs, axes=axes, groups=groups)`, or `program("wgpu")`.

    inputs: In and InOut arrays and parameters by name. inexact: the operation of the output of that name, where there is one.
    """

    source: str
    program: KernelProgram
    inputs: Mapping[str, NDArray[Any] | int | float | bool]
    axes: Mapping[str, int]
    groups: tuple[int, int, int] | None
    inexact: Operation | None

    def __call__(self, device: str) -> dict[str, NDArray[Any]]:
        """What the kernel writes, on a device or the interpreter."""
        given: dict[str, Any] = {n: v.copy() if isinstance(v, np.ndarray) else v for n, v in self.inputs.items()}
        result: Any = self.program(device=device, axes=self.axes, groups=self.groups, **given)
        return {"y": result} if isinstance(result, np.ndarray) else result

    def interpreted(self, kernel: Kernel, order: Sequence[int] | None = None) -> dict[str, NDArray[Any]]:
        """What this form of the kernel writes on the interpreter. order: the workgroups by number, in the order to run them."""
        bound = bind(kernel, self.program.signature, self.inputs, self.axes)
        params = uniform_values(bound)
        groups = grid(kernel, params, Request(None, self.groups, self.axes, None))
        return interpreted(kernel, bound, params, groups, None, order)

    def workgroups(self) -> int:
        """How many workgroups its grid has."""
        kernel = self.program.trace()
        bound = bind(kernel, self.program.signature, self.inputs, self.axes)
        return math.prod(grid(kernel, uniform_values(bound), Request(None, self.groups, self.axes, None)))

    def __repr__(self) -> str:
        return f"Program of\n{self.source}"


def kernels() -> st.SearchStrategy[Program]:
    """Programs under hypothesis' control, which shrinks them."""
    return st.randoms(use_true_random=False).map(generate)


def generate(random: Random) -> Program:
    """One program; its whole content follows from `random`."""
    written = write(random)
    source = "\n".join([*HEAD, *written.lines]) + "\n"
    program = execute(source)
    operation = None if written.inexact is None else written.inexact.operation
    return Program(source, program, arguments(written), written.axes, written.groups, operation)


def execute(source: str) -> KernelProgram:
    """Run the source and give its kernel. The text is filed where tracebacks and the language look for it."""
    name = f"<generated {crc32(source.encode()):08x}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    names: dict[str, Any] = {"__name__": "generated"}
    exec(compile(source, name, "exec", dont_inherit=True), names)
    return names["generated"]


def arguments(written: Written) -> dict[str, NDArray[Any] | int | float | bool]:
    """Arrays for the buffers that are given, and the parameters."""
    seed = np.random.default_rng(written.seed)
    given: dict[str, NDArray[Any] | int | float | bool] = {}
    for p in written.parameters:
        if p.role != "Out":
            given[p.name] = (
                records(p.element, p.shape, seed)
                if isinstance(p.element, Struct)
                else layout.values(p.element, p.shape, seed)
            )
    return given | written.scalars


def records(struct: Struct, shape: tuple[int, ...], seed: np.random.Generator) -> NDArray[Any]:
    """Structures with small numbers in every member."""
    array = np.zeros(shape, struct_dtype(struct))
    for member in struct.members:
        member_array(array, member.name, member.type)[...] = layout.values(member.type, shape, seed)
    return array
