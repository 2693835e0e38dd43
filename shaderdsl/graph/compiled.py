"""`sd.compile`: a function of tensors as a plan of few launches, made at the first call with new shapes.

@sd.compile
def layer(x, w):
    return ops.relu(ops.linear(x, w))

y = layer(x, w)             # numpy in, numpy out; resident arrays in, resident out
layer.dispatches            # 1
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import update_wrapper
from typing import Any, overload

from shaderdsl.arguments import scalar_value
from shaderdsl.corridor import module_of
from shaderdsl.errors import GraphError
from shaderdsl.execute import choose_device, located
from shaderdsl.graph.donate import check_donate, check_once, check_taken, parameters_of
from shaderdsl.graph.explain import explained
from shaderdsl.graph.flatten import RESERVED, Names, flatten
from shaderdsl.graph.foreign import check_own
from shaderdsl.graph.grad import Skip, noting_skips
from shaderdsl.graph.leaves import Array, Word, dtype_of, identifier, is_array, kept, number_type, plain
from shaderdsl.graph.nest import mapped, structure, walk
from shaderdsl.graph.plan import Planned, plan
from shaderdsl.graph.run import Arguments
from shaderdsl.graph.runner import Runner
from shaderdsl.graph.scalars import number_of
from shaderdsl.graph.tensor import Leaf, Scalar, Tensor, number_kind
from shaderdsl.lang.here import here
from shaderdsl.program import dialect_named
from shaderdsl.runtime.array import DeviceArray
from shaderdsl.schedule.step import TYPES
from shaderdsl.spec.print import format_spec


@dataclass(frozen=True, slots=True)
class Traced:
    """A function traced for one set of shapes: its plan, the structure of its results, and which output each leaf of it is; edges without a gradient.

    words: arguments by path, as the graph names them.
    """

    planned: Planned
    results: Any
    skipped: tuple[Skip, ...]
    words: Mapping[str, Word]
    runner: Runner

    def arguments(self, arrays: Mapping[str, Array], numbers: Mapping[str, Any]) -> Arguments:
        """Arguments by the graph's names. A donated array is given once."""
        held = {self.words[n].name: a.data for n, a in arrays.items()}
        check_once(held, {w.name for w in self.words.values() if w.donated})
        named = {self.words[n].name: v for n, v in numbers.items()}
        return Arguments(
            held,
            {n: scalar_value(n, TYPES[number_type(v)], plain(v)) for n, v in named.items()},
            frozenset(self.words[n].name for n in arrays if self.words[n].donated),
        )


class Plan:
    """A function of tensors, compiled. `dispatches`, `bytes` and `explain` speak of the call that was last."""

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        device: str | None = None,
        fusion: bool = True,
        donate: Sequence[str] = (),
    ) -> None:
        if not callable(function):
            raise GraphError(f"a plan is of a function, not of {function!r}", here(), hints=["pass what calls the ops"])
        self._function = function
        self._device = device
        self._fusion = fusion
        self._donated = check_donate(function, donate)
        self._traced: dict[Hashable, Traced] = {}
        self._last: Traced | None = None
        update_wrapper(self, function)

    def __call__(self, /, *arguments: Any, **named: Any) -> Any:
        """Run on arrays: numpy arrays give numpy arrays, resident ones of `sd.array` resident ones. What takes over a donated argument is resident."""
        with located(here()):
            leaves = dict(walk({**dict(enumerate(arguments)), **named}, ""))
            arrays = {n: Array(kept(self._spelled(n), v), dtype_of(v)) for n, v in leaves.items() if is_array(v)}
            numbers = {n: v for n, v in leaves.items() if not is_array(v) and number_kind(v) is not None}
            traced = self._trace(arguments, named, arrays, numbers, leaves)
            given = traced.arguments(arrays, numbers)
            resident = [a for a in given.arrays.values() if isinstance(a, DeviceArray)]
            found = traced.runner.run(given, choose_device(self._device, resident))
        return delivered(traced, found, given.numbers)

    @property
    def dispatches(self) -> int:
        """The number of launches."""
        return len(self.planned.launches)

    @property
    def bytes(self) -> int:
        """What they read and write in memory."""
        return self.planned.bytes

    @property
    def peak_bytes(self) -> int:
        """The memory that the last call took beside what the caller holds: host arguments, what lies between, host results; at most a tenth above
        `live_bytes`, or 64 KiB."""
        return self._traced_last.runner.layout_last.peak

    @property
    def live_bytes(self) -> int:
        """The most of that memory that is needed at one time."""
        return self._traced_last.runner.layout_last.live

    @property
    def planned(self) -> Planned:
        """The plan of the last call."""
        return self._traced_last.planned

    @property
    def formula(self) -> str:
        """The whole graph as one formula, as it was written: it parses, and runs as any."""
        return format_spec(self.planned.before.spec)

    def explain(self) -> str:
        """The story of the last call's plan: launches as written and fused, what each reads and writes, sums that are reordered, and why kernels
        stay apart."""
        return explained(self.__name__, self.planned, self._traced_last.skipped)

    def wgsl(self, dialect: str = "naga") -> str:
        """The kernels of the last call's plan, one module after the other."""
        kernels = [launch.kernel for launch in self.planned.launches]
        return "\n".join(module_of([k], dialect_named(dialect))[0].text for k in kernels)

    def free(self) -> None:
        """Give back the memory that the plan keeps on devices between calls; the next call makes it anew."""
        for traced in self._traced.values():
            traced.runner.free()

    @property
    def _traced_last(self) -> Traced:
        if self._last is None:
            raise GraphError(f"{self.__name__} has no plan yet", here(), hints=["call it once: a plan is for shapes"])
        return self._last

    def _spelled(self, path: str) -> str:
        """A leaf's path with the parameter's name for its number."""
        own = parameters_of(self._function)
        head, mark, rest = path.partition("_")
        return f"{own[int(head)]}{mark}{rest}" if head.isdecimal() and int(head) < len(own) else path

    def _names(self, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Word]:
        """The leaves' paths by the names of the function's parameters, each name once."""
        own = parameters_of(self._function)
        words = {**{str(n): own[n] if n < len(own) else f"argument_{n}" for n in range(len(arguments))}}
        words |= {n: n for n in named}
        given = {**{str(n): a for n, a in enumerate(arguments)}, **named}
        names = Names(dict.fromkeys(RESERVED, 1))
        return {
            path: Word(names.fresh(identifier(words[key] + path.removeprefix(key))), words[key] in self._donated)
            for key, value in given.items()
            for path, _ in walk(value, key)
        }

    def _trace(
        self,
        arguments: tuple[Any, ...],
        named: Mapping[str, Any],
        arrays: Mapping[str, Array],
        numbers: Mapping[str, Any],
        leaves: Mapping[str, Any],
    ) -> Traced:
        described = tuple(
            (n, arrays[n].key if n in arrays else number_type(v) if n in numbers else v) for n, v in leaves.items()
        )
        key = (structure(arguments), structure(dict(named)), described)
        if key not in self._traced:
            self._traced[key] = self._made(arguments, named, arrays, numbers)
        self._last = self._traced[key]
        return self._last

    def _made(
        self,
        arguments: tuple[Any, ...],
        named: Mapping[str, Any],
        arrays: Mapping[str, Array],
        numbers: Mapping[str, Any],
    ) -> Traced:
        words = self._names(arguments, named)

        given: set[Leaf] = set()

        def stand_in(path: str, value: Any) -> Any:
            if path in arrays:
                made = Leaf(words[path].name)
                given.add(made)
                return Tensor(tuple(arrays[path].data.shape), arrays[path].kind, made, "", here())
            return Scalar.given(words[path].name, number_type(value)) if path in numbers else value

        positional = [mapped(a, str(n), stand_in) for n, a in enumerate(arguments)]
        by_name = {n: mapped(a, n, stand_in) for n, a in named.items()}
        with noting_skips() as skipped:
            results = self._function(*positional, **by_name)
        if results is None:
            raise GraphError(f"{self.__name__} returns nothing", here(), hints=["return the tensors that are wanted"])
        wanted: dict[str, Tensor] = {}

        def note(path: str, value: Any) -> Any:
            if not isinstance(value, Tensor):
                return value
            name = Result(path or "result")
            wanted[name] = value
            return name

        shape = mapped(results, "", note)
        scalars = {words[n].name: number_type(v) for n, v in numbers.items()}
        check_own(wanted, given, scalars)
        flat = flatten(wanted, scalars)
        donated = {words[n].name: n for n in arrays if words[n].donated}
        known = frozenset(words[n].name for n, a in arrays.items() if a.hosted)
        planned = plan(flat, fusion=self._fusion, donated=donated, known=known)
        shapes = {name: tuple(arrays[path].data.shape) for name, path in donated.items()}
        check_taken(self.__name__, planned.takes, shapes)
        return Traced(planned, shape, tuple(skipped), words, Runner(planned, self.__name__))

    def __repr__(self) -> str:
        return f"<plan of {self.__name__}>"

    __name__: str


class Result(str):
    """The name of a result where its array goes."""


def delivered(traced: Traced, found: Mapping[str, Any], numbers: Mapping[str, Any]) -> Any:
    """Results in the structure that the function gave: each an array of its own, numbers as Python's."""
    outputs = traced.planned.flat.results
    used: set[str] = set()

    def leaf(_: str, value: Any) -> Any:
        if isinstance(value, Scalar):
            return number_of(value, numbers)
        if not isinstance(value, Result):
            return value
        output = outputs[value]
        again = output in used
        used.add(output)
        return found[output].copy() if again else found[output]

    return mapped(traced.results, "", leaf)


@overload
def compile(function: Callable[..., Any], /) -> Plan: ...  # noqa: A001 (the field's word)
@overload
def compile(  # noqa: A001
    *, device: str | None = None, fusion: bool = True, donate: Sequence[str] = ()
) -> Callable[[Callable[..., Any]], Plan]: ...
def compile(  # noqa: A001
    function: Callable[..., Any] | None = None,
    /,
    *,
    device: str | None = None,
    fusion: bool = True,
    donate: Sequence[str] = (),
) -> Plan | Callable[[Callable[..., Any]], Plan]:
    """A function of tensors as a plan.

    device: "wgpu", "dawn" or "interpreter", the best present if left out. fusion: else one launch a stage. donate: parameters of the function whose
    arrays are updated: they stay on the device, a result takes over the memory of each, and the array that was given is consumed.
    """

    def make(plain_function: Callable[..., Any]) -> Plan:
        return Plan(plain_function, device=device, fusion=fusion, donate=donate)

    return make if function is None else make(function)
