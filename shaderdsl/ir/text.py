"""A kernel as text: for reading, for before and after of a pass, for telling two kernels apart.

    kernel scale
      workgroup_size 64, 1, 1
      domain each(param.n)
      buffer @x: array<f32> [n] In, group 0 binding 0
      buffer @y: array<f32> [n] Out, group 0 binding 1, written
      uniform @params: Params {a: f32, n: u32}, params a, axes n, group 0 binding 2
    body
      %0: f32 = @x[%i]
      @y[%i] = %0 * param.a

`%` marks slots, `@` memory, `$` functions; names that occur twice get a number, slots without a name are numbers. Nested operations stand in parentheses.
`f32(x)` converts, `vec2<f32>{x, y}` constructs. Nothing here recurses on the program's depth.
"""

from __future__ import annotations

from dataclasses import dataclass

from shaderdsl.ir.expr import Variable
from shaderdsl.ir.expr_text import ExprText
from shaderdsl.ir.kernel import Buffer, Kernel, Uniform
from shaderdsl.ir.stmt import Function
from shaderdsl.ir.stmt_text import block_lines
from shaderdsl.ir.text_names import TextNames


def kernel_text(kernel: Kernel) -> str:
    """The whole kernel, deterministic; two kernels with one text do the same."""
    writer = KernelText(ExprText(TextNames()))
    writer.reserve(kernel)
    head = writer.head(kernel)
    functions = [line for f in kernel.functions for line in writer.function(f)]
    body = ["body", *block_lines(kernel.body, writer.exprs)]
    structs = writer.structs()  # last, when all types have been named
    return "".join(f"{line}\n" for line in (*head, *structs, *functions, *body))


@dataclass(frozen=True, slots=True)
class KernelText:
    """The parts of a kernel around its statements."""

    exprs: ExprText

    @property
    def names(self) -> TextNames:
        return self.exprs.names

    def reserve(self, kernel: Kernel) -> None:
        """Memory and functions keep their own names."""
        for buffer in kernel.buffers:
            self.names.variable(buffer.variable)
        if kernel.uniform is not None:
            self.names.variable(kernel.uniform.variable)
        for variable in kernel.shared:
            self.names.variable(variable)
        for function in kernel.functions:
            self.names.function(function)

    def head(self, kernel: Kernel) -> list[str]:
        size = ", ".join(map(str, kernel.workgroup_size))
        extents = ", ".join(self.exprs.text(e) for e in kernel.domain.extents)
        entry = f" entry {kernel.entry_point}" if kernel.entry_point != kernel.name else ""
        lines = [f"kernel {kernel.name}{entry}"]
        lines += [f"  {directive}" for directive in kernel.directives]
        lines += [f"  workgroup_size {size}", f"  domain {kernel.domain.kind.value}({extents})"]
        lines += [self.buffer(b) for b in kernel.buffers]
        if kernel.uniform is not None:
            lines.append(self.uniform(kernel.uniform))
        return lines + [self.shared(v) for v in kernel.shared]

    def buffer(self, buffer: Buffer) -> str:
        axes = ", ".join(map(str, buffer.axes))
        written = ", written" if buffer.written else ""
        name, kind = self.names.variable(buffer.variable), self.names.type(buffer.variable.type)
        place = f"group {buffer.group} binding {buffer.binding}"
        return f"  buffer {name}: {kind} [{axes}] {buffer.role.value}, {place}{written}"

    def uniform(self, uniform: Uniform) -> str:
        members = ", ".join(f"{m.name}: {self.names.type(m.type)}" for m in uniform.struct.members)
        params = f", params {' '.join(uniform.params)}" if uniform.params else ""
        axes = f", axes {' '.join(uniform.axes)}" if uniform.axes else ""
        zero = ", zero" if uniform.zero else ""
        place = f"group {uniform.group} binding {uniform.binding}"
        name = self.names.variable(uniform.variable)
        return f"  uniform {name}: {uniform.struct.name} {{{members}}}{params}{axes}{zero}, {place}"

    def shared(self, variable: Variable) -> str:
        start = f" = {self.exprs.text(variable.initial)}" if variable.initial is not None else ""
        return f"  {variable.space.value} {self.names.variable(variable)}: {self.names.type(variable.type)}{start}"

    def function(self, function: Function) -> list[str]:
        name, names = self.names.function(function), self.names.inner()
        parameters = ", ".join(f"{names.slot(p)}: {names.type(p.type)}" for p in function.parameters)
        result = f" -> {names.type(function.result)}" if function.result is not None else ""
        pure = "" if function.pure else " impure"
        return [f"function {name}({parameters}){result}{pure}", *block_lines(function.body, ExprText(names))]

    def structs(self) -> list[str]:
        """The structures that types have named, in order of first mention; those of WGSL itself need no definition."""
        lines: list[str] = []
        position = 0
        while position < len(self.names.structs):
            struct = self.names.structs[position]
            members = ", ".join(f"{m.name}: {self.names.type(m.type)}" for m in struct.members)
            lines.append(f"  struct {self.names.type(struct)} {{{members}}}")
            position += 1
        return lines
