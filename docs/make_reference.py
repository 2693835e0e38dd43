"""Write docs/reference.md from the signatures and docstrings of the public names:

python docs/make_reference.py            # writes the page
python docs/make_reference.py --check    # status 1 where the committed page is not what it would write
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, get_overloads

import shaderdsl
from shaderdsl.cli.main import app
from shaderdsl.ir.builtins import Builtin, describe_overloads
from shaderdsl.testing import plugin, strategies

PAGE = Path(__file__).with_name("reference.md")
HEAD = """# Reference

Every public name: `import shaderdsl as sd`. This page is written by `docs/make_reference.py` from the docstrings. *WGSL* gives the meaning in
[the WGSL specification](https://www.w3.org/TR/WGSL/) and the title of its section.

In signatures, F is a float (f32, f16) or a vector of it, N a number (i32, u32, f32, f16) or a vector of it, I an integer or a vector of it, S a signed number
or a vector of it, V a float vector, R a float scalar, C a component type, T any type. A Python number may stand where a type is followed by `int | float`.
Operands of one call have one type. Angles are in radians.

What is wrong in a kernel raises a `ShaderError` at your line: a wrong type `KernelTypeError`, a constant that WGSL refuses `ConstantError`, a value used outside
its block `ScopeError`, Python that a trace cannot express `TraceError`. [Literals](literals.md) says how numbers are written.
"""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page: names that live in one or more rooms, and what holds for all of them."""

    title: str
    rooms: tuple[str, ...]
    text: str = ""
    wgsl: str = ""
    """The section of the WGSL specification."""


SECTIONS = (
    Section(
        "Kernels and what they give",
        ("program", "wgsl.shader"),
        "A kernel's errors are raised when it is first traced: by a call, by `wgsl()` and its kin.",
        "Entry Points",
    ),
    Section(
        "In a kernel: `k`",
        ("lang.kernel",),
        "Blocks are opened by `with` and `for`. Barriers, `workgroup_uniform_load` and the group collectives are reached by all invocations of a workgroup or by none.",
        "Statements; Built-in Inputs; Synchronization Built-in Functions",
    ),
    Section(
        "Parameters",
        ("lang.memory", "lang.signature"),
        'A buffer is `Annotated[sd.In[f32], "rows, cols"]`: axes are names or numbers, row-major, the last contiguous; `x.rows` is a u32. `x[i, j]` reads an element, `x[i, j] = v` stores one, `x.at(i, j)` is its place. An index out of range is a '
        "mistake of the program: guard it. Errors: `SignatureError`; in a call `LaunchError`.",
        "Resource Interface; Address Spaces",
    ),
    Section(
        "Places, variables, atomics",
        ("lang.place",),
        "Members and elements of a place are places: `v.position.x.value`, `v[i]`.",
        "Variable and Value Declarations; Atomic Built-in Functions",
    ),
    Section(
        "Scalars",
        ("lang.scalars",),
        "Calling a type converts, `x.f32` too. A Python number takes the type of the value it meets.",
        "Plain Types",
    ),
    Section(
        "Vectors",
        ("lang.vectors",),
        "f, h, i, u, b stand for f32, f16, i32, u32, bool. Components are `x y z w` or `r g b a`, swizzles have up to four: `v.xz`. `v[i]` takes an index that is known at run time. "
        "Operators are componentwise; arithmetic takes a scalar on either side, comparisons take two vectors and give a vector of bool. On the host a vector is a last axis of its size.",
        "Vector Types",
    ),
    Section(
        "Matrices",
        ("lang.matrices",),
        "`mat{columns}x{rows}`, f for f32 and h for f16; `m[c]` is a column. `*` multiplies matrices, vectors and scalars. On the host a matrix is two last axes, (columns, rows).",
        "Matrix Types",
    ),
    Section(
        "Arrays, structures, functions",
        ("lang.annotations", "lang.struct", "lang.function"),
        "Errors: `SignatureError`.",
        "Structure Types; Function Declaration",
    ),
    Section(
        "Arithmetic, powers, trigonometry",
        ("lang.functions.math",),
        "Componentwise on vectors. Bounds are in ulp of f32.",
        "Numeric Built-in Functions",
    ),
    Section(
        "Safe functions",
        ("lang.functions.stable",),
        "Composed so that they do not overflow on any driver; NaN passes through.",
        "Numeric Built-in Functions",
    ),
    Section(
        "Rounding and parts of floats",
        ("lang.functions.rounding",),
        "Componentwise on vectors.",
        "Numeric Built-in Functions",
    ),
    Section(
        "Integer division by name",
        ("lang.functions.integers",),
        "`//` and `%` are plain on u32 and refused on i32, where Python and WGSL differ.",
        "Arithmetic Expressions",
    ),
    Section("Bits", ("lang.functions.bits",), "Componentwise on vectors; all exact.", "Numeric Built-in Functions"),
    Section("Choices and votes", ("lang.functions.logic",), "", "Logical Built-in Functions"),
    Section("Geometry and matrices", ("lang.functions.geometry",), "", "Numeric Built-in Functions"),
    Section(
        "Packing",
        ("lang.functions.packing",),
        "The first component lies in the low bits.",
        "Data Packing and Unpacking Built-in Functions",
    ),
    Section("Special floats and bits", ("lang.functions.special",), "", "Bit Reinterpretation Built-in Functions"),
    Section(
        "Literals", ("wgsl.literals", "wgsl.read_literal", "testing.literals"), "Errors: `ConstantError`.", "Literals"
    ),
    Section(
        "Ops: formulas that run",
        ("operation", "testing.gradcheck"),
        "Errors: `SpecError` in a formula, with the place; `LaunchError` for arguments, by name.",
    ),
    Section(
        "Graphs of ops",
        ("graph.compiled", "graph.tensor", "graph.grad"),
        "Inside a function that `sd.compile` takes, arrays are tensors without elements and numbers are parameters of the plan. Errors: `GraphError`, and those of the ops at the line that calls them.",
    ),
    Section(
        "On the host",
        ("resident", "runtime.array", "debug"),
        "Errors: `LaunchError` for arguments, `LimitError` and `DeviceError` for what a device does not offer, `DriverError` for what its compiler refuses.",
    ),
    Section(
        "Errors",
        ("errors",),
        "All but `InternalError` are `ShaderError`s: `message`, `loc`, `label`, `related`, `notes`, `hints`, and the class' `code`.",
    ),
)
METHODS = {
    "Kernel.each": "no statement of its own: the grid, the indices and a guard",
    "Kernel.if_": "`if`",
    "Kernel.elif_": "`else if`",
    "Kernel.else_": "`else`",
    "Kernel.range": "`for`",
    "Kernel.loop": "`loop`",
    "Kernel.var": "`var` in function memory",
    "Kernel.array": "`var` of `array<T, N>` in function memory",
    "Kernel.shared": "`var<workgroup>`",
    "Kernel.private": "`var<private>`",
    "Kernel.table": "`const`",
    "Kernel.barrier": "`workgroupBarrier()`",
    "Kernel.storage_barrier": "`storageBarrier()`",
    "Kernel.workgroup_uniform_load": "`workgroupUniformLoad(&place)`",
    "Kernel.return_": "`return`",
    "Kernel.break_": "`break`",
    "Kernel.continue_": "`continue`",
    "Kernel.local_id": "`local_invocation_id`",
    "Kernel.local_index": "`local_invocation_index`",
    "Kernel.global_id": "`global_invocation_id`",
    "Kernel.workgroup_id": "`workgroup_id`",
    "Kernel.num_workgroups": "`num_workgroups`",
    "Atomic.load": "`atomicLoad`",
    "Atomic.store": "`atomicStore`",
    "Atomic.add": "`atomicAdd`",
    "Atomic.sub": "`atomicSub`",
    "Atomic.max": "`atomicMax`",
    "Atomic.min": "`atomicMin`",
    "Atomic.and_": "`atomicAnd`",
    "Atomic.or_": "`atomicOr`",
    "Atomic.xor": "`atomicXor`",
    "Atomic.exchange": "`atomicExchange`",
    "Atomic.compare_exchange_weak": "`atomicCompareExchangeWeak`",
}
"""What methods are in WGSL, where the name does not say it."""
INNER = {"bit_patterns", "decimal_texts", "small_decimals"}
"""Strategies that others are made of."""
HIDDEN = {"buffer", "host"}
"""Fields that are there for the compiler."""
COMPACT = {"lang.vectors", "lang.matrices"}
"""Rooms of many names alike: listed, not described one by one."""
PLAIN = {"lang.scalars", "lang.annotations", "errors"}
"""Rooms whose classes need no list of methods."""


def page() -> str:
    """The whole page as text."""
    lost = set(shaderdsl.ROOMS) - {room for section in SECTIONS for room in section.rooms}
    if lost:
        raise SystemExit(f"no section of the reference holds {sorted(lost)}")
    parts = [HEAD, *(text for section in SECTIONS for text in section_text(section)), *beside_the_names()]
    return "\n".join(part.rstrip() + "\n" for part in parts)


def section_text(section: Section) -> Iterator[str]:
    yield f"## {section.title}"
    source = f"*WGSL:* {section.wgsl}." if section.wgsl else ""
    if section.text or source:
        yield " ".join(t for t in (section.text, source) if t)
    for room in section.rooms:
        names = sorted(shaderdsl.ROOMS[room])
        if room in COMPACT:
            yield ", ".join(f"`sd.{name}`" for name in names)
            continue
        for name in names:
            yield from entry(name, getattr(shaderdsl, name))


def beside_the_names() -> Iterator[str]:
    """The command line, the pytest fixtures and the strategies: public, and not names of the package."""
    yield "## The command line"
    yield "Status 0 is clean, 1 is errors, 2 is misuse; `--help` shows the options of each. A target is `path.py:kernel` or `module:kernel`."
    commands = [(c.name or c.callback.__name__, c.callback) for c in app.registered_commands if c.callback is not None]
    yield "\n".join(f"- `shaderdsl {name}`: {one_line(callback, name)}" for name, callback in sorted(commands))
    yield "## Fixtures of pytest"
    yield "The plugin is there where shaderdsl is installed. `pytest --update-golden` writes goldens; it is refused where `CI` is set."
    fixtures = [getattr(plugin, name) for name in ("golden_file", "shader_golden")]
    yield "\n".join(f"- `{f.__name__}`: {one_line(f, f.__name__)}" for f in fixtures)
    yield "## Strategies of hypothesis: `shaderdsl.testing.strategies`"
    made = [
        f for f in vars(strategies).values() if inspect.isfunction(f) and "SearchStrategy" in str(inspect.signature(f))
    ]
    shown = [f for f in made if f.__module__.startswith("shaderdsl") and f.__name__ not in INNER]
    yield "\n".join(f"- `{f.__name__}{plain(inspect.signature(f))}`: {one_line(f, f.__name__)}" for f in shown)


def one_line(thing: Any, name: str) -> str:
    return " ".join(described(thing, name).split())


def entry(name: str, thing: Any) -> Iterator[str]:
    """A public name: its signatures, its docstring, what it is in WGSL; for a class its methods."""
    yield f"### `sd.{name}`"
    if inspect.isclass(thing):
        yield described(thing, name)
        if shaderdsl.HOMES[name] in PLAIN:
            return
        if is_dataclass(thing):
            yield "Fields: " + ", ".join(f"`{f.name}: {f.type}`" for f in fields(thing) if f.name not in HIDDEN) + "."
        yield "\n".join(method_line(name, method, member) for method, member in methods(thing))
        return
    if not callable(thing) or hasattr(thing, "__metadata__"):
        yield alias_text(name)
        return
    yield signatures(f"sd.{name}", thing)
    yield described(thing, name)
    builtin = Builtin.__members__.get(name.upper())
    if builtin is not None:
        yield f"*WGSL:* {overloads(builtin)}"


def overloads(builtin: Builtin) -> str:
    """A builtin's overloads, each form as code."""
    forms = (form.partition(", where ") for form in describe_overloads(builtin).split("; "))
    return "; ".join(f"`{form}`{where}{types}" for form, where, types in forms)


def alias_text(name: str) -> str:
    """The text under an alias of a signature, which has no docstring at run time."""
    lines = inspect.getsource(sys.modules[f"shaderdsl.{shaderdsl.HOMES[name]}"]).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(f"{name}: TypeAlias"))
    return lines[start + 1].strip('"')


def signatures(name: str, thing: Callable[..., Any]) -> str:
    """One line a signature; overloads in their order."""
    found = get_overloads(thing) or [thing]
    lines = [f"{name}{plain(inspect.signature(f))}" for f in found]
    return "\n".join(["```text", *lines, "```"])


class Annotation:
    """An annotation that is shown as it is written."""

    def __init__(self, text: object) -> None:
        self.text = str(text)

    def __repr__(self) -> str:
        return self.text


def plain(signature: inspect.Signature) -> str:
    """A signature as a caller reads it: without self, annotations as written."""
    kept = [
        p.replace(annotation=Annotation(p.annotation) if p.annotation is not p.empty else p.empty)
        for p in signature.parameters.values()
        if p.name != "self"
    ]
    return str(signature.replace(parameters=kept, return_annotation=Annotation(signature.return_annotation)))


def described(thing: Any, name: str) -> str:
    """A docstring as paragraphs; a missing one is a fault of ours."""
    text = inspect.getdoc(thing)
    if not text:
        raise SystemExit(f"{name} has no docstring")
    return text


def methods(cls: type) -> list[tuple[str, Any]]:
    """Public methods and attributes of a class, its own and those of our classes under it, in order of definition."""
    found: dict[str, Any] = {}
    for owner in reversed(cls.__mro__):
        if owner.__module__.startswith("shaderdsl"):
            found |= {n: m for n, m in vars(owner).items() if not n.startswith("_")}
    call = {"__call__": cls.__call__} if getattr(vars(cls).get("__call__"), "__doc__", None) else {}  # or it is refused
    return [*call.items(), *((n, m) for n, m in found.items() if callable(m) or isinstance(m, property))]


def method_line(owner: str, name: str, member: Any) -> str:
    """One method as an item of a list."""
    if isinstance(member, property):
        result = inspect.signature(member.fget).return_annotation if member.fget is not None else ""
        head = f"`.{name}` -> `{result}`"
    else:
        heads = [f"{name}{plain(inspect.signature(f))}" for f in get_overloads(member) or [member]]
        head = ", ".join(f"`.{h}`".replace(".__call__", "") for h in heads)
    text = " ".join(described(member, f"{owner}.{name}").split())
    meaning = METHODS.get(f"{owner}.{name}")
    return f"- {head}: {text}" + (f" *WGSL:* {meaning}." if meaning else "")


def main() -> int:
    text = page()
    if "--check" not in sys.argv:
        PAGE.write_text(text, "utf-8", newline="\n")
        return 0
    others = [Path(a) for a in sys.argv[1:] if a != "--check"]
    committed = (others[0] if others else PAGE).read_text("utf-8")
    if committed != text:
        print("the reference is not current: run python docs/make_reference.py", file=sys.stderr)
    return int(committed != text)


if __name__ == "__main__":
    sys.exit(main())
