"""Hand-written shaders for the tests of this room."""

from __future__ import annotations

from collections.abc import Sequence

from shaderdsl.errors import Location
from shaderdsl.ir.types import F32, U32, Member, RuntimeArray, Struct
from shaderdsl.source import Span
from shaderdsl.wgsl.shader import Binding, BindingKind, Shader

FLOATS = RuntimeArray(F32)

AXPY = """struct Params {
    n: u32,
    a: f32,
}

@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@group(0) @binding(2) var<uniform> params: Params;

@compute @workgroup_size(64)
fn axpy(@builtin(global_invocation_id) id: vec3<u32>) {
    if (id.x < params.n) {
        y[id.x] = params.a * x[id.x] + y[id.x];
    }
}
"""

LENGTH = """@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;

@compute @workgroup_size(1)
fn length() {
    y[0] = arrayLength(&x);
}
"""

PARAMS = Struct("Params", (Member("n", U32), Member("a", F32)))


class Line:
    """A Python place made up for the tests."""

    def __init__(self, line: int) -> None:
        self.line = line

    def span(self) -> Span:
        return Span("kernel.py", self.line, 1, self.line, 2)


def lines_of(text: str) -> tuple[Location | None, ...]:
    """WGSL line n comes from Python line 100 + n."""
    return tuple(Line(101 + i) for i in range(text.count("\n")))


def storage(name: str, binding: int, kind: BindingKind = BindingKind.READ, *, group: int = 0) -> Binding:
    return Binding(name, group, binding, kind, FLOATS, 4)


def shader(
    text: str,
    entry_point: str,
    bindings: Sequence[Binding] = (),
    *,
    size: tuple[int, int, int] = (1, 1, 1),
    shared: int = 0,
    requires: frozenset[str] = frozenset(),
) -> Shader:
    return Shader(text, entry_point, size, tuple(bindings), shared, requires, lines_of(text))


def axpy() -> Shader:
    """y = a * x + y, with its uniform."""
    bindings = (
        storage("x", 0),
        storage("y", 1, BindingKind.READ_WRITE),
        Binding("params", 0, 2, BindingKind.UNIFORM, PARAMS, 8),
    )
    return shader(AXPY, "axpy", bindings, size=(64, 1, 1))


def length() -> Shader:
    """y[0] = the length of x."""
    bindings = (storage("x", 0), Binding("y", 0, 1, BindingKind.READ_WRITE, RuntimeArray(U32), 4))
    return shader(LENGTH, "length", bindings)
