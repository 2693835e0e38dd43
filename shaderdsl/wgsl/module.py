"""A whole module: directives, structures, bindings, workgroup memory, tables, functions, entry points.

emit(kernel)            # one Shader
emit_module([k1, k2])   # one text with several entry points, a Shader for each
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from shaderdsl.errors import Location
from shaderdsl.ir.expr import AddressSpace, Input, ReadInput, Variable
from shaderdsl.ir.kernel import Buffer, Kernel, Uniform
from shaderdsl.ir.layout import size_of, workgroup_bytes
from shaderdsl.ir.stmt import Block, Declare, Function
from shaderdsl.ir.types import F16, Array, RuntimeArray, Struct, Type, mentions
from shaderdsl.ir.walk import expressions, statements, subexpressions
from shaderdsl.source import Loc
from shaderdsl.wgsl.expr import ExprWriter
from shaderdsl.wgsl.names import INPUTS, Names
from shaderdsl.wgsl.shader import Binding, BindingKind, Shader
from shaderdsl.wgsl.spelling import type_text
from shaderdsl.wgsl.stmt import Lines, StmtWriter


class Dialect(Enum):
    """Whose WGSL: naga refuses the directives of features that it has without them; Tint requires them."""

    NAGA = "naga"
    TINT = "tint"


NOT_FOR_NAGA = ("enable subgroups;",)


def emit(kernel: Kernel, dialect: Dialect = Dialect.NAGA) -> Shader:
    """One kernel as a shader. Purely syntactic: what the text says is what the Kernel holds."""
    return emit_module([kernel], dialect)[0]


def emit_module(kernels: Sequence[Kernel], dialect: Dialect = Dialect.NAGA) -> list[Shader]:
    """Kernels in one module, in order: one text, one Shader for each entry point."""
    writer = ModuleWriter(Names(), Lines(), dialect)
    writer.entry_points(kernels)
    for kernel in kernels:
        writer.reserve(kernel)
    writer.head(kernels)
    for number, kernel in enumerate(kernels):
        if number:
            writer.lines.add("")
        writer.declarations(kernel)
        writer.entry(kernel)
    text = "".join(f"{line}\n" for line, _ in writer.lines.lines)
    places: tuple[Location | None, ...] = tuple(loc for _, loc in writer.lines.lines)
    return [writer.shader(kernel, text, places) for kernel in kernels]


@dataclass(frozen=True, slots=True)
class ModuleWriter:
    names: Names
    lines: Lines
    dialect: Dialect

    @property
    def stmts(self) -> StmtWriter:
        return StmtWriter(self.names, self.lines, ExprWriter(self.names))

    def entry_points(self, kernels: Sequence[Kernel]) -> None:
        """The names that the host asks for come before all others."""
        self.names.reserve(INPUTS)
        for kernel in kernels:
            self.names.define(kernel, kernel.entry_point)

    def reserve(self, kernel: Kernel) -> None:
        """Name everything at module scope first, so that no local can hide it: memory keeps the user's names before locals do."""
        for b in kernel.buffers:
            self.bound(b.variable, (b.group, b.binding, b.written, b.variable.type))
        if kernel.uniform is not None:
            u = kernel.uniform
            self.bound(u.variable, (u.group, u.binding, u.struct))
        for variable in kernel.shared:
            self.names.define(variable, variable.name)
        for function in kernel.functions:
            self.names.define(function, function.name)
        for struct in structs_of(kernel):
            if struct not in self.names.given:
                self.names.define(struct, struct.name)

    def bound(self, variable: Variable, place: tuple[object, ...]) -> None:
        """Name what is bound: kernels that bind the same in one place, under one name, share its declaration."""
        key = ("bound", variable.name, *place)
        self.names.given[variable] = self.names.given.get(key) or self.names.define(key, variable.name)

    def head(self, kernels: Sequence[Kernel]) -> None:
        directives = list(dict.fromkeys(d for k in kernels for d in directives_of(k)))
        if self.dialect is Dialect.NAGA:
            directives = [d for d in directives if d not in NOT_FOR_NAGA]
        for directive in directives:
            self.lines.add(directive)
        if directives:
            self.lines.add("")

    def declarations(self, kernel: Kernel) -> None:
        for struct in structs_of(kernel):
            if (struct, "written") not in self.names.given:
                self.names.given[struct, "written"] = ""
                self.struct(struct)
        if kernel.uniform is not None:
            self.uniform_struct(kernel.uniform)
        self.bindings(kernel)
        for variable in kernel.shared:
            self.module_variable(variable)
        if kernel.shared:
            self.lines.add("")
        self.bind_params(kernel.uniform)
        for function in kernel.functions:
            self.function(function)

    def struct(self, struct: Struct) -> None:
        self.members(struct, self.names.of(struct))

    def members(self, struct: Struct, name: str) -> None:
        inner = Names()
        self.lines.add(f"struct {name} {{")
        for member in struct.members:
            self.names.given[struct, member.name] = inner.fresh(member.name)
            self.lines.add(f"  {self.names.of((struct, member.name))}: {type_text(member.type, self.names)},")
        self.lines.add("}")
        self.lines.add("")

    def uniform_struct(self, uniform: Uniform) -> None:
        """The uniform's structure, once for kernels with the same fields."""
        key = ("uniform", uniform.struct)
        if key not in self.names.given:
            self.members(uniform.struct, self.names.define(key, uniform.struct.name))
        self.names.given[uniform] = self.names.of(key)

    def bindings(self, kernel: Kernel) -> None:
        """What this kernel binds and none before it."""
        before = len(self.lines.lines)
        for buffer in kernel.buffers:
            access = "read_write" if buffer.written else "read"
            text = type_text(buffer.variable.type, self.names)
            self.bind(buffer, f"storage, {access}", text, buffer.variable.loc)
        if kernel.uniform is not None:
            self.bind(kernel.uniform, "uniform", self.names.of(kernel.uniform), None)
        if len(self.lines.lines) > before:
            self.lines.add("")

    def bind(self, bound: Buffer | Uniform, space: str, text: str, loc: Loc | None) -> None:
        name = self.names.of(bound.variable)
        if ("declared", name) not in self.names.given:
            self.names.given["declared", name] = name
            self.lines.add(f"@group({bound.group}) @binding({bound.binding}) var<{space}> {name}: {text};", loc)

    def module_variable(self, variable: Variable) -> None:
        name, text = self.names.of(variable), type_text(variable.type, self.names)
        if variable.space is AddressSpace.CONSTANT and variable.initial is not None:
            self.lines.add(f"const {name} = {ExprWriter(self.names).text(variable.initial)};", variable.loc)
        else:
            self.lines.add(f"var<{variable.space.value}> {name}: {text};", variable.loc)

    def function(self, function: Function) -> None:
        """A helper, once a module: a second one with the same text, from another kernel, takes the first one's name."""
        self.names.open()
        names = [self.names.define(p, p.name or "p") for p in function.parameters]
        parameters = ", ".join(f"{n}: {type_text(p.type, self.names)}" for n, p in zip(names, function.parameters))
        result = f" -> {type_text(function.result, self.names)}" if function.result is not None else ""
        body = Lines()
        StmtWriter(self.names, body, ExprWriter(self.names)).block(function.body)
        self.names.close()
        key = (f"({parameters}){result}", "".join(line for line, _ in body.lines))
        known = self.names.given.setdefault(key, self.names.of(function))
        if known != self.names.of(function):
            self.names.given[function] = known
            return
        self.lines.add(f"fn {known}{key[0]} {{", function.loc)
        self.lines.lines += body.lines
        self.lines.add("}")
        self.lines.add("")

    def entry(self, kernel: Kernel) -> None:
        self.bind_params(kernel.uniform)
        inputs = inputs_of(kernel.body)
        x, y, z = kernel.workgroup_size
        size = f"{x}, {y}, {z}" if z > 1 else f"{x}, {y}" if y > 1 else f"{x}"
        self.lines.add(f"@compute @workgroup_size({size})", kernel.loc)
        parameters = [f"@builtin({i.value}) {i.value}: {type_text(i.type, self.names)}" for i in inputs]
        if len(parameters) <= 1:
            self.lines.add(f"fn {self.names.of(kernel)}({''.join(parameters)}) {{", kernel.loc)
        else:
            self.lines.add(f"fn {self.names.of(kernel)}(", kernel.loc)
            for parameter in parameters:
                self.lines.add(f"  {parameter},")
            self.lines.add(") {", kernel.loc)
        self.stmts.block(kernel.body)
        self.lines.add("}")

    def bind_params(self, uniform: Uniform | None) -> None:
        """From here on, parameters are fields of this kernel's uniform."""
        if uniform is None:
            return
        variable = self.names.of(uniform.variable)
        for member in uniform.struct.members:
            self.names.given["param", member.name] = f"{variable}.{self.names.of((uniform.struct, member.name))}"

    def shader(self, kernel: Kernel, text: str, places: tuple[Location | None, ...]) -> Shader:
        workgroup = [v.type for v in kernel.shared if v.space is AddressSpace.WORKGROUP]
        return Shader(
            text=text,
            entry_point=self.names.of(kernel),
            workgroup_size=kernel.workgroup_size,
            bindings=tuple(bindings_of(kernel)),
            shared_bytes=workgroup_bytes(workgroup),
            requires=frozenset(features_of(kernel)),
            lines=places,
        )


def bindings_of(kernel: Kernel) -> Iterable[Binding]:
    """What the host binds: buffers in the signature's order, then the uniform."""
    for b in kernel.buffers:
        kind = BindingKind.READ_WRITE if b.written else BindingKind.READ
        yield Binding(b.variable.name, b.group, b.binding, kind, b.variable.type, size_of(b.variable.type))
    if kernel.uniform is not None:
        u = kernel.uniform
        size = -(-size_of(u.struct) // 16) * 16
        yield Binding(u.variable.name, u.group, u.binding, BindingKind.UNIFORM, u.struct, size)


def directives_of(kernel: Kernel) -> list[str]:
    """The user's directives, and `enable f16;` where half floats occur."""
    enables = ["enable f16;"] if uses_f16(kernel) and "enable f16;" not in kernel.directives else []
    return [*enables, *kernel.directives]


def features_of(kernel: Kernel) -> list[str]:
    """WebGPU features that a device needs for this kernel."""
    wanted = directives_of(kernel)
    features = ["shader-f16"] if "enable f16;" in wanted else []
    return features + (["subgroups"] if "enable subgroups;" in wanted else [])


def uses_f16(kernel: Kernel) -> bool:
    return any(mentions(t, F16) for t in types_of(kernel))


def types_of(kernel: Kernel) -> Iterable[Type]:
    """Every type that occurs in a kernel."""
    yield from (b.variable.type for b in kernel.buffers)
    yield from (v.type for v in kernel.shared)
    if kernel.uniform is not None:
        yield from (m.type for m in kernel.uniform.struct.members)
    for function in kernel.functions:
        yield from (p.type for p in function.parameters)
        yield from types_in(function.body)
    yield from types_in(kernel.body)


def types_in(block: Block) -> Iterable[Type]:
    for stmt in statements(block):
        if isinstance(stmt, Declare):
            yield stmt.variable.type
        for expr in expressions(stmt):
            yield from (e.type for e in subexpressions(expr))


def structs_of(kernel: Kernel) -> list[Struct]:
    """The user's structures that a kernel mentions, inner ones first, in order of first mention."""
    found: dict[Struct, None] = {}
    for t in types_of(kernel):
        add_structs(t, found)
    return list(found)


def add_structs(type: Type, found: dict[Struct, None]) -> None:
    match type:
        case Array(element, _) | RuntimeArray(element):
            add_structs(element, found)
        case Struct(_, members, builtin) if not builtin and type not in found:
            for member in members:
                add_structs(member.type, found)
            found[type] = None
        case _:
            pass


def inputs_of(block: Block) -> list[Input]:
    """The built-in inputs that a body reads, in the enum's order."""
    used = {
        inner.input
        for stmt in statements(block)
        for expr in expressions(stmt)
        for inner in subexpressions(expr)
        if isinstance(inner, ReadInput)
    }
    return [i for i in Input if i in used]
