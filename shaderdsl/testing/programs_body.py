"""A program as lines of Python: structures, helpers, the kernel's signature and its body."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from shaderdsl.ir.types import BOOL, F32, I32, U32, Type, Vector
from shaderdsl.testing import programs_digest as digest
from shaderdsl.testing import programs_groups as groups
from shaderdsl.testing import programs_inexact as inexact
from shaderdsl.testing import programs_layout as layout
from shaderdsl.testing import programs_statements as statements
from shaderdsl.testing.programs_declarations import declarations, first_values
from shaderdsl.testing.programs_inexact import Inexact
from shaderdsl.testing.programs_layout import Frame, Parameter
from shaderdsl.testing.programs_state import Frame as Names
from shaderdsl.testing.programs_state import FunctionText, Mode, Space, State
from shaderdsl.testing.programs_terms import STORED, Term, spell, within
from shaderdsl.testing.programs_wholes import value

DEEPEST = 3
"""Blocks nested in one another."""

MOST = 8
"""Storage buffers that every device grants."""

Statement: TypeAlias = Callable[[State], None]
Scalars: TypeAlias = Mapping[str, tuple[str, int | float | bool]]
"""Uniform parameters by name, each with its type and value."""

PLAIN: tuple[tuple[Statement, int], ...] = (
    (statements.define, 4),
    (statements.snapshot, 3),
    (statements.hold, 3),
    (statements.declare, 2),
    (statements.declare_array, 1),
    (statements.store, 7),
    (statements.update, 4),
    (statements.debug, 2),
    (statements.jump, 3),
    (statements.overtake, 5),
    (statements.paced, 1),
)
KERNEL: tuple[tuple[Statement, int], ...] = (
    (groups.contended, 2),
    (groups.own_atomic, 1),
    (groups.call, 2),
    (groups.between, 2),
    (statements.leave, 2),
)
TOGETHER: tuple[tuple[Statement, int], ...] = (
    (groups.barrier, 2),
    (groups.exchange, 3),
    (groups.rotate, 2),
    (groups.uniform_load, 2),
    (groups.collective, 3),
    (groups.shared_tally, 1),
)


SYNC = ("@sd.function", "def sync(k: sd.Kernel, a: u32) -> u32:", "    k.barrier()", "    return a + 1", "", "")
"""A function that waits."""


@dataclass(slots=True)
class Written:
    """A program's text and what is needed to run it."""

    lines: list[str]
    parameters: list[Parameter]
    scalars: dict[str, int | float | bool]
    axes: Mapping[str, int]
    groups: tuple[int, int, int] | None
    seed: int
    inexact: Inexact | None


def write(random: Random) -> Written:
    """Draw one program."""
    state = State(random, group=random.random() < 0.5)
    if state.chance(0.4):
        state.structs.append(layout.structure(state))
    frame = layout.group_frame(state) if state.group else layout.each_frame(state)
    lines = [line for s in state.structs for line in layout.struct_lines(s)]
    lines += helpers(state)
    chosen = state.pick(inexact.CHOICES) if state.chance(0.35) else None
    plain = layout.buffers(state, frame)[: MOST - 1 if chosen is None else MOST - 3]
    parameters = [*plain, Parameter(digest.DIGEST, "Out", U32, frame.axes), *inexact_outputs(chosen, frame)]
    scalars = scalar_parameters(state)
    lines += signature(frame, parameters, scalars)
    enter(state, frame, plain, scalars)
    fill(state, frame, chosen)
    axes = {str(name): n for p in parameters for name, n in p.axes if isinstance(name, str)}
    values = {n: v for n, (_, v) in scalars.items()}
    return Written([*lines, *state.lines], parameters, values, axes, frame.groups, random.randrange(2**32), chosen)


def signature(frame: Frame, parameters: list[Parameter], scalars: Scalars) -> list[str]:
    """The decorator and the first line of the function."""
    inside = ["k: sd.Kernel", *(p.annotation for p in parameters)]
    inside += [f"{name}: sd.Param[{kind}]" for name, (kind, _) in scalars.items()]
    size = ", ".join(map(str, frame.workgroup_size))
    return [f"@sd.kernel(workgroup_size=({size},))", f"def generated({', '.join(inside)}) -> None:"]


def inexact_outputs(chosen: Inexact | None, frame: Frame) -> list[Parameter]:
    """Two more outputs, for the inexact operation."""
    if chosen is None:
        return []
    made = ((inexact.RESULT, F32), (inexact.OPERANDS, Vector(2, F32)))
    return [Parameter(name, "Out", element, frame.axes) for name, element in made]


def scalar_parameters(state: State) -> Scalars:
    everything: Scalars = {
        "scale": ("f32", state.between(-32, 32) / 8),
        "count": ("u32", state.between(0, 9)),
        "bias": ("i32", state.between(-9, 9)),
        "flag": ("sd.bool_", state.chance(0.5)),
    }
    return {name: found for name, found in everything.items() if state.chance(0.5)}


def enter(state: State, frame: Frame, buffers: list[Parameter], scalars: Scalars) -> None:
    """The lines up to the domain, and everything that is in scope inside it."""
    state.names |= dict.fromkeys([p.name for p in buffers] + list(scalars), 1)
    state.lanes = frame.lanes
    state.frames = [Names(memories=layout.memories(state, frame, buffers))]
    kinds: dict[str, Type] = {"f32": F32, "u32": U32, "i32": I32, "sd.bool_": BOOL}
    for name, (kind, given) in scalars.items():
        top = 4.0 if kind == "f32" else float(given)
        state.frames[0].terms.append(Term(name, kinds[kind], top, 3 if kind == "f32" else 0, uniform=True))
    declarations(state)
    if frame.opening:
        state.add(frame.opening)
        state.level += 1
    for line in frame.first:
        state.add(line)
    state.frames[0].terms += [*frame.terms, *layout.inputs(state)]
    state.may_return = not state.group
    state.modes = {m.name: Mode.OWN for m in state.memories(Space.SHARED, Space.OWN)}


def fill(state: State, frame: Frame, chosen: Inexact | None) -> None:
    """First values, statements, results."""
    first_values(state)
    if chosen is not None:
        inexact.first(state, chosen, frame.own)
    state.add(f"{digest.DIGEST}[{frame.own}] = 0")
    sequence(state, state.between(5, 10), 0)
    results(state)
    digest.store(state, frame.own)
    if chosen is not None:
        inexact.apply(state, chosen, frame.own)


def sequence(state: State, count: int, depth: int) -> None:
    """Some statements in a row."""
    for _ in range(count):
        choose(state, depth)(state)


def choose(state: State, depth: int) -> Statement:
    """A kind of statement that may stand here."""
    options = list(PLAIN)
    if state.inside == "kernel":
        options += KERNEL
        if state.group and state.flow_uniform:
            options += TOGETHER
    if depth < DEEPEST:
        options += nested(depth)
    kinds, weights = zip(*options)
    return state.random.choices(kinds, weights)[0]


def nested(depth: int) -> list[tuple[Statement, int]]:
    """Branches and loops, whose bodies are one deeper."""

    def body(inner: State) -> None:
        sequence(inner, inner.between(1, 3), depth + 1)
        if inner.chance(0.5):
            inner.random.choice([statements.store, statements.update])(inner)

    def branch(outer: State) -> None:
        statements.branch(outer, body)

    def counted(outer: State) -> None:
        statements.counted(outer, body)

    def endless(outer: State) -> None:
        statements.endless(outer, body)

    return [(branch, 3), (counted, 3), (endless, 2)]


def results(state: State) -> None:
    """`y` always has a last store; the other outputs often keep what the body stored."""
    for memory in state.memories(Space.MADE):
        if memory.name == "y" or state.chance(0.5):
            state.add(f"{memory.name}[{memory.own}] = {value(state, memory.type).text}")


def helpers(state: State) -> list[str]:
    """Up to two functions of the program."""
    lines: list[str] = []
    for number in range(state.between(0, 2)):
        lines += helper(state, f"helper{number}")
    state.sync = state.group and state.chance(0.4)
    return [*lines, *SYNC] if state.sync else lines


def helper(state: State, name: str) -> list[str]:
    """A typed function, with statements of its own or one expression."""
    kinds = [state.pick([F32, I32, U32, Vector(2, F32), Vector(3, F32), BOOL]) for _ in range(state.between(1, 3))]
    result = state.pick([F32, I32, U32, Vector(2, F32), BOOL])
    bound = (8.0, 4)
    inner = State(state.random, group=False, inside="function", functions=list(state.functions))
    names = ["a", "b", "c"][: len(kinds)]
    inner.names |= dict.fromkeys(names, 1)
    inner.frames[0].terms += [within(Term(n, t), bound) for n, t in zip(names, kinds)]
    takes_kernel = state.chance(0.6)
    if takes_kernel:
        sequence(inner, inner.between(1, 3), 1)
        early = statements.small(inner, result)
        if state.chance(0.5):
            inner.add(f"k.return_if({value(inner, BOOL).text}, {early.text})")
    inner.add(f"return {statements.small(inner, result).text}")
    given = [f"{n}: {spell(t)}" for n, t in zip(names, kinds)]
    parameters = ", ".join([*(["k: sd.Kernel"] if takes_kernel else []), *given])
    state.functions.append(FunctionText(name, tuple(kinds), bound, within(Term("", result), STORED)))
    return ["@sd.function", f"def {name}({parameters}) -> {spell(result)}:", *inner.lines, "", ""]
