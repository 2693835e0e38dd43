"""Expressions with their names resolved and their types known; conditions used as numbers become `where(c, 1, 0)`.

build(scope, node) -> (Operation(MUL, (Read("x", ...), Parameter("scale"))), Dtype.F32)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from shaderdsl.errors import Location, SpecError
from shaderdsl.spec.dtypes import LOGICAL, WHOLE, Kind, function_kind, operation_kind
from shaderdsl.spec.functions import ALIASES, FUNCTIONS, Domain, ScalarFunction, lookup
from shaderdsl.spec.names import Names, counted, suggestion
from shaderdsl.spec.notation import (
    Dtype,
    Function,
    Index,
    Number,
    Operation,
    Parameter,
    Read,
    Scalar,
    ScalarInput,
    Size,
    Stage,
    Target,
    TensorInput,
)
from shaderdsl.spec.syntax import Call, Element, Formula, Literal, Node, Operated, Text, Word, walk

LARGEST = 3.4028235677973366e38
"""The end of what rounds to a finite f32."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean in one stage. own: its targets; carried: the types of what a scan carries."""

    formula: Formula
    names: Names
    stages: tuple[Stage, ...]
    dtypes: Mapping[str, Dtype]
    own: tuple[str, ...]
    indices: frozenset[str]
    leading: bool
    scanning: bool
    carried: Mapping[str, Dtype] | None = None
    outside: str | None = None
    """The index that may not be used: that of the scan, in its start."""
    extent: bool = False

    def carrying(self, carried: Mapping[str, Dtype]) -> Scope:
        return replace(self, carried=carried)

    def of_start(self, index: str) -> Scope:
        return replace(self, scanning=False, outside=index)

    def of_extent(self) -> Scope:
        return replace(self, scanning=False, extent=True)

    def target_of(self, name: str) -> Target | None:
        return next((t for s in self.stages for t in s.targets if t.name == name), None)

    def rank_of(self, word: Word) -> tuple[int, bool]:
        """How many axes a tensor has after its leading ones, and whether it has those."""
        refuse_later(self, word)
        given = self.names.input_of(word.text)
        if isinstance(given, TensorInput):
            return len(given.axes), given.leading
        target = self.target_of(word.text)
        if target is None:
            hints = suggestion(word.text, known_names(self)) or ["name a stage or an input"]
            raise SpecError(f"{word.text} is no tensor", self.formula.place(word.at), hints=hints)
        return len(target.bounds), target.leading


def known_names(scope: Scope) -> list[str]:
    return [*(i.name for i in scope.names.inputs), *(t.name for s in scope.stages for t in s.targets)]


def as_number(scalar: Scalar, kind: Kind) -> tuple[Scalar, Kind]:
    """A condition as 1 or 0; a number as it is."""
    if kind is Dtype.BOOL:
        return Function("where", (scalar, Number(1), Number(0))), None
    return scalar, kind


def build(scope: Scope, node: Node) -> tuple[Scalar, Kind]:
    """The expression of a node and its kind."""
    match node:
        case Literal():
            return constant(scope, node)
        case Text():
            hint = 'only a reason is in quotes: stop_gradient(x[i], because="the target is fixed")'
            raise SpecError("words stand where an operand should", scope.formula.place(node.at), hints=[hint])
        case Word():
            return bare(scope, node)
        case Element():
            return element(scope, node)
        case Call():
            return call(scope, node)
        case Operated():
            return operated(scope, node)
        case _:
            assert_never(node)


def constant(scope: Scope, node: Literal) -> tuple[Scalar, Kind]:
    """A number that f32 holds; a whole one that 32 bits do not hold is f32."""
    if abs(node.value) > LARGEST:
        hint = "write a smaller one: the largest is 3.4028235e38"
        raise SpecError("f32 does not hold this number", scope.formula.place(node.at), hints=[hint])
    if isinstance(node.value, int) and node.value < 2**32:
        return Number(node.value), None
    return Number(float(node.value)), Dtype.F32


def bare(scope: Scope, word: Word) -> tuple[Scalar, Kind]:
    """A name alone: an index, a scalar stage, a parameter."""
    name, where = word.text, scope.formula.place(word.at)
    if name in scope.indices:
        if name == scope.outside:
            raise SpecError(
                f"the start of a scan over {name} stands outside of it", where, hints=["read no axis of it"]
            )
        if scope.extent:
            raise SpecError(f"an extent cannot depend on the index {name}", where, hints=[f"write size({name})"])
        return Index(name), None
    given = scope.names.input_of(name)
    if isinstance(given, ScalarInput):
        return Parameter(name), given.dtype
    rank, leading = scope.rank_of(word)
    if rank or leading:
        read = f"{name}[{', '.join(['...'] * leading + ['i', 'j', 'k', 'l', 'm'][:rank])}]"
        raise SpecError(f"{name} is a tensor", where, hints=[f"read an element: {read}"])
    if scope.extent:
        raise SpecError("an extent reads no tensor", where, hints=["use sizes, numbers and parameters"])
    return Read(name, ()), scope.dtypes[name]


def refuse_later(scope: Scope, word: Word) -> None:
    """A stage may read earlier ones only."""
    where = scope.formula.place(word.at)
    if word.text in scope.own:
        raise SpecError(
            f"{word.text} reads itself", where, hints=["only a scan does, one step back: h[t] = scan(t) h[t - 1] + ..."]
        )
    defined = scope.names.defined.get(word.text)
    if defined is not None and scope.target_of(word.text) is None:
        raise SpecError(f"{word.text} is defined later", where, hints=["move its stage up"])


def element(scope: Scope, node: Element) -> tuple[Scalar, Kind]:
    """A read with its indices."""
    name, where = node.tensor.text, scope.formula.place(node.at)
    if scope.extent:
        raise SpecError("an extent reads no tensor", where, hints=["use sizes, numbers and parameters"])
    indices = tuple(position(scope, i) for i in node.indices)
    carried = scope.scanning and name in scope.own
    if not carried:
        check_rank(scope, node)
    if node.leading and not scope.leading:
        raise SpecError("this stage has no leading axes", where, hints=["write ... first on the left too: y[..., i]"])
    kind = (scope.carried or {}).get(name) if carried else scope.dtypes[name]
    fill = filling(scope, node.fill, name, kind) if node.fill is not None else None
    return Read(name, indices, fill, node.leading), kind


def filling(scope: Scope, node: Node, name: str, kind: Kind) -> Scalar:
    """What a read out of range gives: of the tensor's type."""
    fill, own = build(scope, node)
    if kind is not Dtype.BOOL:
        fill, own = as_number(fill, own)
    if own is Dtype.F32 and kind is not Dtype.F32:
        hint = "write a whole number"
        raise SpecError(f"{name} is not f32, and its fill is", scope.formula.place(node.at), hints=[hint])
    return fill


def check_rank(scope: Scope, node: Element) -> None:
    """As many indices as the tensor has axes."""
    rank, leading = scope.rank_of(node.tensor)
    count = len(node.indices)
    fitting = (count >= rank) if leading and not node.leading else (count <= rank if node.leading else count == rank)
    if not fitting and not (leading and node.leading):
        raise SpecError(
            f"{node.tensor.text} has {counted(rank)}, not {count}",
            scope.formula.place(node.at),
            hints=["write one index for each axis"],
        )


def position(scope: Scope, node: Node) -> Scalar:
    """An index expression: a whole number."""
    scalar, kind = as_number(*build(scope, node))
    if kind not in WHOLE:
        raise SpecError(
            "an index is a whole number, not f32",
            scope.formula.place(node.at),
            hints=["divide with //, convert with i32(x)"],
        )
    return scalar


def operated(scope: Scope, node: Operated) -> tuple[Scalar, Kind]:
    """An operation; conditions become numbers except under and, or, not."""
    found = [build(scope, a) for a in node.arguments]
    if node.operator not in LOGICAL:
        found = [as_number(*f) for f in found]
    where = scope.formula.place(node.at)
    scalars = tuple(s for s, _ in found)
    return Operation(node.operator, scalars), operation_kind(node.operator, scalars, [k for _, k in found], where)


def call(scope: Scope, node: Call) -> tuple[Scalar, Kind]:
    """A function of the table, or `size`."""
    name = node.function.text
    if name == "size":
        return size(scope, node), None
    if name == "stop_gradient":
        return stopped(scope, node)
    return plain_call(scope, node)


def plain_call(scope: Scope, node: Call) -> tuple[Scalar, Kind]:
    """A function of the table on expressions."""
    name, where = node.function.text, scope.formula.place(node.at)
    function = lookup(name)
    if function is None and name != "select":
        raise unknown(scope, node)
    arguments = plain_arguments(scope, node)
    if name == "select" and len(arguments) == 3:  # WGSL's order: select(otherwise, chosen, condition)
        arguments = arguments[::-1]
    function = function or FUNCTIONS["where"]
    if function.name in ("max", "min") and len(arguments) > 2:
        return folded(scope, function, arguments, where)
    if len(arguments) != function.arity:
        raise SpecError(
            f"{name} takes {function.arity} argument{'s' * (function.arity > 1)}, not {len(arguments)}",
            where,
            hints=[f"it takes {function.domain.value.strip()}"],
        )
    return applied(function, [build(scope, a) for a in arguments], where)


def applied(function: ScalarFunction, found: Sequence[tuple[Scalar, Kind]], where: Location) -> tuple[Scalar, Kind]:
    """A call on built arguments."""
    if function.domain is Domain.SELECT:
        if found[1][1] is not Dtype.BOOL or found[2][1] is not Dtype.BOOL:
            found = [found[0], *(as_number(*f) for f in found[1:])]
    else:
        found = [as_number(*f) for f in found]
    return Function(function.name, tuple(s for s, _ in found)), function_kind(function, [k for _, k in found], where)


def stopped(scope: Scope, node: Call) -> tuple[Scalar, Kind]:
    """`stop_gradient(x, because="why")`."""
    texts = [a for a in node.arguments if isinstance(a.value, Text)]
    reason = next((a for a in node.arguments if a.name is not None and a.name.text == "because"), None)
    if reason is None and not texts:
        return plain_call(scope, node)
    found = reason or texts[0]
    if found.name is None or found.name.text != "because" or not isinstance(found.value, Text) or not found.value.value:
        where = scope.formula.place(found.value.at)
        hint = 'write because="the target is fixed"'
        raise SpecError("a reason is words in quotes", where, hints=[hint])
    rest = tuple(a for a in node.arguments if a is not found)
    inner, kind = plain_call(scope, replace(node, arguments=rest))
    return replace(inner, because=found.value.value) if isinstance(inner, Function) else inner, kind


def folded(scope: Scope, function: ScalarFunction, arguments: Sequence[Node], where: Location) -> tuple[Scalar, Kind]:
    """max and min of more than two."""
    result = build(scope, arguments[0])
    for argument in arguments[1:]:
        result = applied(function, [result, build(scope, argument)], where)
    return result


def plain_arguments(scope: Scope, node: Call) -> list[Node]:
    """Arguments by position; only straight_through names one, `as`."""
    for i, argument in enumerate(node.arguments):
        if argument.name is None:
            continue
        if not (node.function.text == "straight_through" and i == 1 and argument.name.text == "as"):
            raise SpecError(
                f"{node.function.text} takes its arguments by position",
                scope.formula.place(argument.name.at),
                hints=[f"remove {argument.name.text}="],
            )
    return [a.value for a in node.arguments]


def unknown(scope: Scope, node: Call) -> SpecError:
    """A call of what is no function."""
    name, where = node.function.text, scope.formula.place(node.function.at)
    if scope.names.input_of(name) is not None or name in scope.names.defined:
        return SpecError(f"{name} is a tensor and is not called", where, hints=[f"read an element: {name}[i]"])
    if name in scope.names.specs:
        hint = f"a spec is called as a whole line with bare names: p = {name}(x), and p is read"
        return SpecError(f"{name} is a spec, not a function", where, hints=[hint])
    near = suggestion(name, [*FUNCTIONS, *ALIASES, "select", "size"])
    hints = near or ["a spec of the library is called as a whole line: y = other(x)"]
    return SpecError(f"no function is named {name}", where, hints=hints)


def size(scope: Scope, node: Call) -> Scalar:
    """`size(j)`; whether some axis has that name is checked when all are known."""
    only = node.arguments[0].value if len(node.arguments) == 1 else None
    if not isinstance(only, Word):
        raise SpecError("size takes the name of one axis", scope.formula.place(node.at), hints=["write size(i)"])
    return Size(only.text)


def sizes_of(nodes: Sequence[Node]) -> list[Word]:
    """The words in every `size(word)` of some nodes."""
    found = [p for n in nodes for p in walk(n) if isinstance(p, Call) and p.function.text == "size"]
    return [a.value for c in found for a in c.arguments if isinstance(a.value, Word)]
