"""What a program being written knows: its lines, the names and memory in scope, and what control flow allows here."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import TypeVar

from shaderdsl.ir.types import Struct, Type
from shaderdsl.testing.programs_terms import Term

T = TypeVar("T")

WORDS = (
    "acc best target filter storage ref sampler texture mod loop t value step total params vec3f array select zero "
    "local_index workgroup_id entry_value group_scratch_f32 uniform active final self_ buffer main left right old here"
).split()
"""Names that users give; many are reserved or predeclared in WGSL."""


class Space(Enum):
    """Where a memory lives. OWN buffers are read and written, GIVEN ones only read, MADE ones only written."""

    VAR = "var"
    ARRAY = "array"
    PRIVATE = "private"
    SHARED = "shared"
    TABLE = "table"
    GIVEN = "In"
    OWN = "InOut"
    MADE = "Out"


class Mode(Enum):
    """Who may touch memory that invocations share until the next barrier: each its own element, or all of them reading."""

    OWN = "own"
    READ = "read"


@dataclass(slots=True, eq=False)
class Memory:
    """One variable. own: the index text of the invocation's own element. room: what `+=` may still add to a float variable."""

    name: str
    type: Type
    space: Space
    extents: tuple[int, ...] = ()
    own: str = ""
    bound: tuple[float, int] = (0.0, 0)
    room: float = 0.0


@dataclass(slots=True)
class Frame:
    """A Python block: the values and variables that it defines."""

    terms: list[Term] = field(default_factory=list[Term])
    memories: list[Memory] = field(default_factory=list[Memory])


@dataclass(slots=True)
class State:
    """The program so far. flow_uniform: control flow here is the workgroup's. loop: what the innermost loop allows.

    turns: the most times that this point runs. inside: "kernel" or "function". sync: whether there is a function that waits.
    """

    random: Random
    group: bool
    inside: str = "kernel"
    lines: list[str] = field(default_factory=list[str])
    level: int = 1
    frames: list[Frame] = field(default_factory=lambda: [Frame()])
    modes: dict[str, Mode] = field(default_factory=dict[str, Mode])
    names: dict[str, int] = field(default_factory=dict[str, int])
    counters: list[str] = field(default_factory=list[str])
    flow_uniform: bool = True
    loop: str | None = None
    turns: int = 1
    functions: list[FunctionText] = field(default_factory=lambda: list[FunctionText]())
    lanes: int = 1
    may_return: bool = False
    sync: bool = False
    structs: list[Struct] = field(default_factory=list[Struct])
    buffers: set[str] = field(default_factory=set[str])
    commuting: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, line: str) -> None:
        self.lines.append("    " * self.level + line)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, options: Sequence[T]) -> T:
        return self.random.choice(options)

    def between(self, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def name(self) -> str:
        """A Python name that the program has not used."""
        word = self.pick(WORDS)
        count = self.names.get(word, 0)
        self.names[word] = count + 1
        return f"{word}_{count}" if count else word

    def terms(self) -> list[Term]:
        return [t for frame in self.frames for t in frame.terms]

    def memories(self, *spaces: Space) -> list[Memory]:
        return [m for frame in self.frames for m in frame.memories if m.space in spaces]

    @contextmanager
    def block(self) -> Generator[None]:
        """A nested Python block; shared memory is in the same mode after it as before."""
        self.level += 1
        self.frames.append(Frame())
        start = len(self.lines)
        yield
        if len(self.lines) == start:
            self.add("pass")
        self.frames.pop()
        self.level -= 1


@dataclass(frozen=True, slots=True)
class FunctionText:
    """A helper of the program: what it takes, within what bounds, and what it gives."""

    name: str
    parameters: tuple[Type, ...]
    bound: tuple[float, int]
    result: Term
