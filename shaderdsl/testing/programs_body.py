"""A program as lines of Python: structures, helpers, the kernel's signature and its body."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from shaderdsl.ir.types import BOOL, F32, I32, U32, Atomic, Type, Vector
from shaderdsl.testing import programs_groups as groups
from shaderdsl.testing import programs_layout as layout
from shaderdsl.testing import programs_statements as statements
from shaderdsl.testing.programs_layout import Frame, Parameter
from shaderdsl.testing.programs_state import Frame as Names
from shaderdsl.testing.programs_state import FunctionText, Memory, Mode, Space, State
from shaderdsl.testing.programs_terms import STORED, Term, spell
from shaderdsl.testing.programs_wholes import value

DEEPEST = 3


@dataclass(slots=True)
class Written:
    """A program's text and what is needed to run it."""

    lines: list[str]
    parameters: list[Parameter]
    scalars: dict[str, int | float | bool]
    axes: Mapping[str, int]
    groups: tuple[int, int, int] | None
    seed: int
    features: set[str] = field(default_factory=set[str])


def write(random: Random) -> Written:
    """Draw one program."""
    state = State(random, group=random.random() < 0.5)
    if state.chance(0.4):
        state.structs.append(layout.structure(state))
    frame = layout.group_frame(state) if state.group else layout.each_frame(state)
    lines = [line for s in state.structs for line in layout.struct_lines(s)]
    lines += helpers(state)
    parameters = layout.buffers(state, frame)
    scalars = scalar_parameters(state)
    signature = ["k: sd.Kernel", *(p.annotation for p in parameters), *(f"{n}: sd.Param[{t}]" for n, (t, _) in scalars.items())]
    size = ", ".join(map(str, frame.workgroup_size))
    lines += [f"@sd.kernel(workgroup_size=({size},))", f"def generated({', '.join(signature)}) -> None:"]
    lines += body(state, frame, parameters, scalars)
    axes = {str(name): n for p in parameters for name, n in p.axes if isinstance(name, str)}
    values = {n: v for n, (_, v) in scalars.items()}
    return Written(lines, parameters, values, axes, frame.groups, random.randrange(2**32), state.features)


def scalar_parameters(state: State) -> dict[str, tuple[str, int | float | bool]]:
    """Uniform parameters by name, each with its type and value."""
    everything: dict[str, tuple[str, int | float | bool]] = {
        "scale": ("f32", state.between(-32, 32) / 8),
        "count": ("u32", state.between(0, 9)),
        "bias": ("i32", state.between(-9, 9)),
        "flag": ("sd.bool_", state.chance(0.5)),
    }
    return {name: found for name, found in everything.items() if state.chance(0.5)}


def body(state: State, frame: Frame, parameters: list[Parameter], scalars: Mapping[str, tuple[str, object]]) -> list[str]:
    """The kernel's own lines."""
    state.names |= dict.fromkeys([p.name for p in parameters] + list(scalars), 1)
    state.lanes = frame.lanes
    state.frames = [Names(memories=layout.memories(state, frame, parameters))]
    kinds: dict[str, Type] = {"f32": F32, "u32": U32, "i32": I32, "sd.bool_": BOOL}
    for name, (kind, given) in scalars.items():
        top = 4.0 if kind == "f32" else float(given) if isinstance(given, int) else None
        state.frames[0].terms.append(Term(name, kinds[kind], top, 3 if kind == "f32" else 0, uniform=True))
    declarations(state, frame)
    if frame.opening:
        state.add(frame.opening)
        state.level += 1
    for line in frame.first:
        state.add(line)
    state.frames[0].terms += [*frame.terms, *layout.inputs(state)]
    state.may_return = not state.group
    state.modes = {m.name: Mode.OWN for m in state.memories(Space.SHARED, Space.OWN)}
    first_values(state)
    for memory in state.memories(Space.MADE):
        state.add(f"{memory.name}[{memory.own}] = {value(state, memory.type, depth=1).text}")
    sequence(state, state.between(9, 17), 0)
    results(state)
    return state.lines


def declarations(state: State, frame: Frame) -> None:
    """Shared and private memory, tables."""
    if state.group:
        for _ in range(state.between(1, 2)):
            element = state.pick([F32, F32, I32, U32, Vector(2, F32), Vector(3, I32)])
            wide = state.chance(0.3)
            shape = (frame.lanes, 2) if wide else (frame.lanes,)
            own = f"lane, {state.between(0, 1)}" if wide else "lane"
            module_memory(state, "shared", element, shape, own)
        if state.chance(0.35):
            name = state.name()
            state.commuting[name] = state.pick(layout.COMMUTING)
            scalar = state.pick([I32, U32])
            state.add(f"{name} = k.shared(sd.Atomic[{scalar}], 3)")
            state.frames[0].memories.append(Memory(name, Atomic(scalar), Space.SHARED, (3,)))
    if state.chance(0.2):
        module_memory(state, "private", state.pick([F32, I32, Vector(2, U32)]), (3,), "")
    if state.chance(0.35):
        table(state)


def module_memory(state: State, kind: str, element: Type, shape: tuple[int, ...], own: str) -> None:
    name = state.name()
    state.add(f"{name} = k.{kind}({spell(element)}, {', '.join(map(str, shape))})")
    state.frames[0].memories.append(Memory(name, element, Space(kind), shape, own, STORED))


def table(state: State) -> None:
    element = state.pick([F32, I32, U32, BOOL])
    count = state.between(2, 6)
    entries: Sequence[object] = [state.between(0, 9) for _ in range(count)]
    if element == F32:
        entries = [state.between(-32, 32) / 8 or 0.5 for _ in range(count)]
    elif element == BOOL:
        entries = [state.chance(0.5) for _ in range(count)]
    name = state.name()
    state.add(f"{name} = k.table({spell(element)}, [{', '.join(map(str, entries))}])")
    state.frames[0].memories.append(Memory(name, element, Space.TABLE, (count,), bound=(4.0, 3)))


def first_values(state: State) -> None:
    """Shared memory is written before it is read: lavapipe does not zero it for workgroups after the first."""
    shared = state.memories(Space.SHARED)
    for memory in shared:
        if isinstance(memory.type, Atomic):
            state.add(f"with k.if_(lane < {memory.extents[0]}):")
            state.add(f"    {memory.name}[lane].store({state.between(0, 9)})")
            continue
        for column in range(memory.extents[1] if len(memory.extents) > 1 else 1):
            index = "lane" if len(memory.extents) == 1 else f"lane, {column}"
            state.add(f"{memory.name}[{index}] = {value(state, memory.type, depth=0, fresh=True).text}")
    if shared:
        state.add("k.barrier()")


Statement = Callable[[State], None]


def sequence(state: State, count: int, depth: int) -> None:
    """Some statements in a row."""
    for _ in range(count):
        kind = choose(state, depth)
        state.features.add(kind.__name__)
        kind(state)


PLAIN: tuple[tuple[Statement, int], ...] = (
    (statements.define, 6),
    (statements.snapshot, 3),
    (statements.hold, 3),
    (statements.declare, 2),
    (statements.declare_array, 1),
    (statements.store, 7),
    (statements.update, 4),
    (statements.debug, 1),
    (statements.jump, 2),
)
KERNEL: tuple[tuple[Statement, int], ...] = ((groups.contended, 1), (groups.own_atomic, 1), (groups.call, 2), (groups.between, 2), (statements.leave, 2))
TOGETHER: tuple[tuple[Statement, int], ...] = (
    (groups.barrier, 1),
    (groups.exchange, 3),
    (groups.uniform_load, 1),
    (groups.collective, 2),
    (groups.shared_tally, 1),
)


def nested(state: State, depth: int) -> list[tuple[Statement, int]]:
    """Branches and loops, whose bodies are one deeper."""

    def body(inner: State) -> None:
        sequence(inner, inner.between(1, 4), depth + 1)

    def branch(outer: State) -> None:
        statements.branch(outer, body)

    def counted(outer: State) -> None:
        statements.counted(outer, body)

    def endless(outer: State) -> None:
        statements.endless(outer, body)

    return [(branch, 3), (counted, 2), (endless, 1)]


def choose(state: State, depth: int) -> Statement:
    """A kind of statement that may stand here."""
    options = list(PLAIN)
    if state.inside == "kernel":
        options += KERNEL
        if state.group and state.flow_uniform:
            options += TOGETHER
    if depth < DEEPEST:
        options += nested(state, depth)
    kinds, weights = zip(*options)
    return state.random.choices(kinds, weights)[0]


def results(state: State) -> None:
    """`y` always has a last store; the other outputs often keep what the body stored."""
    for memory in state.memories(Space.MADE):
        if memory.name != "y" and state.chance(0.5):
            continue
        term = value(state, memory.type)
        state.add(f"{memory.name}[{memory.own}] = {term.text}")


def helpers(state: State) -> list[str]:
    """Up to two functions of the program."""
    lines: list[str] = []
    for number in range(state.between(0, 2)):
        lines += helper(state, f"helper{number}")
    return lines


def helper(state: State, name: str) -> list[str]:
    """A typed function, with statements of its own or one expression."""
    kinds = [state.pick([F32, I32, U32, Vector(2, F32), Vector(3, F32), BOOL]) for _ in range(state.between(1, 3))]
    result = state.pick([F32, I32, U32, Vector(2, F32), BOOL])
    bound = (8.0, 4)
    inner = State(state.random, group=False, inside="function", functions=list(state.functions))
    names = ["a", "b", "c"][: len(kinds)]
    inner.names |= dict.fromkeys(names, 1)
    inner.frames[0].terms += [Term(n, t, bound[0], bound[1]) for n, t in zip(names, kinds)]
    with_kernel = state.chance(0.6)
    if with_kernel:
        sequence(inner, inner.between(1, 4), 1)
        early = statements.small(inner, result)
        if state.chance(0.5):
            inner.add(f"k.return_if({value(inner, BOOL).text}, {early.text})")
    last = statements.small(inner, result)
    inner.add(f"return {last.text}")
    parameters = ", ".join([*(["k: sd.Kernel"] if with_kernel else []), *(f"{n}: {spell(t)}" for n, t in zip(names, kinds))])
    state.functions.append(FunctionText(name, tuple(kinds), bound, Term("", result, STORED[0], STORED[1])))
    state.features |= inner.features
    return ["@sd.function", f"def {name}({parameters}) -> {spell(result)}:", *inner.lines, "", ""]
