"""Donated arguments: resident arrays whose memory a result takes over, so that state is updated where it lies.

    @sd.compile(donate=("params", "state"))
    def step(params, state, x): ...

    params, state = step(params, state, x)      # the old arrays are consumed: using one again is an error

Which result takes over which argument is decided when the plan is made: one of the same shape and type, best the one at the same path.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from shaderdsl.errors import GraphError, LaunchError
from shaderdsl.graph.flatten import Flat
from shaderdsl.graph.overwrite import overwrites, overwritten
from shaderdsl.ir.kernel import Kernel
from shaderdsl.lang.here import here
from shaderdsl.runtime.array import DeviceArray
from shaderdsl.schedule.group import Launch


class How(Enum):
    """How a result comes to lie in an argument's memory."""

    KEEP = "it is the argument"
    OVER = "written over it by the kernel that reads it last"
    AFTER = "written there after its last use"
    SWAP = "written beside it; its memory serves for the result of the next run"


@dataclass(frozen=True, slots=True)
class Take:
    """The argument that a result takes over."""

    argument: str
    how: How


@dataclass(frozen=True, slots=True)
class Uses:
    """When each tensor is written, and read for the last time, by the numbers of launches; what is needed until the end."""

    written: Mapping[str, int]
    read: Mapping[str, int]
    pinned: frozenset[str]

    @classmethod
    def of(cls, launches: Sequence[Launch], pinned: Iterable[str]) -> Uses:
        written = {n: number for number, launch in enumerate(launches) for n in launch.writes}
        read = {n: number for number, launch in enumerate(launches) for n in launch.reads}
        return cls(written, read, frozenset(pinned))


def takes_of(
    flat: Flat, launches: Sequence[Launch], donated: Mapping[str, str], pinned: Iterable[str] = ()
) -> dict[str, Take]:
    """For results that take over a donated argument: which, and how.

    donated: arguments with their paths. pinned: tensors that are needed until the end of a run.
    """
    uses = Uses.of(launches, pinned)
    left = [n for n in donated if n in flat.shapes]
    found: dict[str, Take] = {}
    for output in flat.results.values():
        if output in left:
            left.remove(output)
            found[output] = Take(output, How.KEEP)
    paths: dict[str, str] = {}
    for path, output in flat.results.items():
        if output in uses.written:
            paths.setdefault(output, path)
    for same_path in (True, False):
        for output, path in paths.items():
            choices = [n for n in left if alike(flat, n, output) and (matching(donated[n], path) or not same_path)]
            if choices and output not in found:
                best = min(choices, key=lambda n: how(launches, uses, n, output) is How.SWAP)
                left.remove(best)
                found[output] = Take(best, how(launches, uses, best, output))
    return found


def alike(flat: Flat, argument: str, output: str) -> bool:
    """Whether two tensors are of one shape and type."""
    return flat.shapes[argument] == flat.shapes[output] and flat.dtypes[argument] is flat.dtypes[output]


def matching(argument: str, result: str) -> bool:
    """Whether an argument lies in its parameter where a result lies among the results, or in one of them."""
    below = argument.partition(".")[2]
    return below in (result, result.partition(".")[2])


def how(launches: Sequence[Launch], uses: Uses, argument: str, output: str) -> How:
    """How an argument's memory can become a result's."""
    last, number = uses.read.get(argument, -1), uses.written[output]
    if argument in uses.pinned or last > number:
        return How.SWAP
    if last < number:
        return How.AFTER
    return How.OVER if overwrites(launches[number], output, argument) else How.SWAP


def in_place(launches: Sequence[Launch], takes: Mapping[str, Take]) -> tuple[Launch, ...]:
    """The launches, with those results written over arguments that can be."""
    made: dict[Hashable, Kernel] = {}

    def changed(launch: Launch) -> Launch:
        over = {n: takes[n].argument for n in launch.writes if n in takes and takes[n].how is How.OVER}
        return overwritten(launch, over, made)

    return tuple(map(changed, launches))


def parameters_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters, in order."""
    code = getattr(function, "__code__", None)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount] if code is not None else ()


def check_donate(function: Callable[..., Any], donate: Sequence[str]) -> frozenset[str]:
    """The names of donated parameters, which the function must have."""
    wanted = (donate,) if isinstance(donate, str) else tuple(donate)
    known = parameters_of(function)
    strange = next((n for n in wanted if n not in known), None)
    if strange is not None:
        raise GraphError(
            f"{getattr(function, '__name__', 'the function')} has no parameter {strange} to donate",
            here(),
            hints=[f"its parameters are {', '.join(known) or 'none'}"],
        )
    return frozenset(wanted)


def check_taken(name: str, takes: Mapping[str, Take], donated: Mapping[str, tuple[int, ...]]) -> None:
    """Every donated array, here with its shape, lives on in a result."""
    taken = {t.argument for t in takes.values()}
    left = next((n for n in donated if n not in taken), None)
    if left is not None:
        raise GraphError(
            f"no result of {name} takes over the donated {left}: it would be of shape {tuple(donated[left])} and the same type, and depend on it",
            here(),
            hints=["return its new value, or return it as it is, or leave it out of donate=.."],
        )


def check_once(arrays: Mapping[str, Any], donated: Collection[str]) -> None:
    """A donated array is one argument only: an update would be seen through the other."""
    seen: dict[int, str] = {}
    if not donated:
        return
    for name, array in arrays.items():
        before = seen.setdefault(id(array), name)
        if before is not name and isinstance(array, DeviceArray) and (name in donated or before in donated):
            raise LaunchError(
                f"{before} and {name} are the same array, and it is donated",
                hints=[f"pass {name}.copy()"],
            )
