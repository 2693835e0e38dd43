"""What a formula's names are, before its stages are built: inputs in order with rank and type, stages, and what is declared.

Without a `given` line inputs come in the order of their first use; what stands in an index is an integer.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from shaderdsl.errors import Related, SpecError
from shaderdsl.spec.functions import lookup
from shaderdsl.spec.notation import Dtype, Input, OpSpec, ScalarInput, TensorInput
from shaderdsl.spec.syntax import (
    Call,
    Element,
    Formula,
    GivenLine,
    GivenSyntax,
    Line,
    NamesLine,
    Node,
    ReductionSyntax,
    ScanSyntax,
    StageLine,
    Word,
    parts_of,
)

TYPES = {d.value: d for d in Dtype}


@dataclass(frozen=True, slots=True)
class Names:
    """given: whether a given line fixes the inputs. defined: every stage with its position and the word that names it."""

    given: bool
    inputs: tuple[Input, ...]
    stages: tuple[StageLine, ...]
    defined: Mapping[str, tuple[int, Word]]
    declarations: Mapping[str, NamesLine]
    specs: frozenset[str]
    """The names of the library, for hints."""

    def input_of(self, name: str) -> Input | None:
        return next((i for i in self.inputs if i.name == name), None)


def gather_names(formula: Formula, lines: Sequence[Line], library: Mapping[str, OpSpec]) -> Names:
    """The names of all lines; each is defined once."""
    stages = tuple(line for line in lines if isinstance(line, StageLine))
    if not stages:
        raise SpecError(f"the formula of {formula.name} has no stage", None, hints=["write y[i] = ..."])
    defined = definitions(formula, stages)
    inferred = infer_inputs(formula, stages, defined, library)
    given = given_inputs(formula, lines, defined)
    if given is not None:
        check_given(formula, given, inferred)
    inputs = given if given is not None else tuple(use.as_input() for use in inferred.values())
    return Names(given is not None, inputs, stages, defined, declarations(formula, lines), frozenset(library))


def definitions(formula: Formula, stages: Sequence[StageLine]) -> dict[str, tuple[int, Word]]:
    """Each target's name with the number of its stage."""
    found: dict[str, tuple[int, Word]] = {}
    for number, line in enumerate(stages):
        for target in line.targets:
            word = target.name
            if word.text in found:
                raise SpecError(
                    f"{word.text} is defined twice",
                    formula.place(word.at),
                    related=[Related("first here", formula.place(found[word.text][1].at))],
                    hints=["give the stage a name of its own"],
                )
            found[word.text] = (number, word)
    return found


def declarations(formula: Formula, lines: Sequence[Line]) -> dict[str, NamesLine]:
    """The lines `out(..)` and `saved(..)`, each at most once."""
    found: dict[str, NamesLine] = {}
    for line in lines:
        if isinstance(line, NamesLine):
            if line.kind in found:
                raise SpecError(f"{line.kind} stands twice", formula.place(line.at), hints=["name all in one line"])
            found[line.kind] = line
    return found


def given_inputs(
    formula: Formula, lines: Sequence[Line], defined: Mapping[str, tuple[int, Word]]
) -> tuple[Input, ...] | None:
    """The inputs of the given line, which stands first."""
    for line in lines[1:]:
        if isinstance(line, GivenLine):
            raise SpecError("given is the first line", formula.place(line.at), hints=["move it to the top"])
    if not lines or not isinstance(lines[0], GivenLine):
        return None
    seen: dict[str, Word] = {}
    for given in lines[0].inputs:
        word = given.name
        if word.text in seen:
            raise SpecError(f"{word.text} is given twice", formula.place(word.at), hints=["give it once"])
        if word.text in defined:
            raise SpecError(
                f"{word.text} is given and a stage",
                formula.place(defined[word.text][1].at),
                related=[Related("given here", formula.place(word.at))],
                hints=["give the stage another name"],
            )
        seen[word.text] = word
    return tuple(input_of(formula, g) for g in lines[0].inputs)


def input_of(formula: Formula, given: GivenSyntax) -> Input:
    """One given input; `_` leaves an axis without a name."""
    dtype = Dtype.F32
    if given.dtype is not None:
        if given.dtype.text not in TYPES:
            raise SpecError(
                f"{given.dtype.text} is no element type",
                formula.place(given.dtype.at),
                hints=[f"choose one of {', '.join(TYPES)}"],
            )
        dtype = TYPES[given.dtype.text]
    if given.axes is None:
        return ScalarInput(given.name.text, dtype)
    axes = tuple(None if a.text == "_" else a.text for a in given.axes)
    return TensorInput(given.name.text, axes, dtype, given.leading)


@dataclass(slots=True)
class Use:
    """How an input is used, gathered over the formula. rank: None for a scalar."""

    word: Word
    rank: int | None
    leading: bool
    whole: bool
    typed: Dtype | None = None
    ranks: list[tuple[int, bool, Word]] = field(default_factory=list[tuple[int, bool, Word]])

    def as_input(self) -> Input:
        dtype = self.typed or (Dtype.I32 if self.whole else Dtype.F32)
        if self.rank is None:
            return ScalarInput(self.word.text, dtype)
        return TensorInput(self.word.text, (None,) * self.rank, dtype, self.leading)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in the text: a tensor with how many indices, or a bare word (rank None)."""

    word: Word
    rank: int | None
    leading: bool
    whole: bool
    typed: Dtype | None = None


def infer_inputs(
    formula: Formula,
    stages: Sequence[StageLine],
    defined: Mapping[str, tuple[int, Word]],
    library: Mapping[str, OpSpec],
) -> dict[str, Use]:
    """Every name that no stage defines and no index is, in the order of the text."""
    found: dict[str, Use] = {}
    for line in stages:
        indices = {b.name.text for t in line.targets for b in t.bounds}
        if isinstance(line.how, ReductionSyntax):
            indices |= {b.name.text for b in line.how.over}
        for mention in mentions(line, library):
            name = mention.word.text
            if name in defined or (mention.rank is None and name in indices):
                continue
            use = found.setdefault(name, Use(mention.word, mention.rank, mention.leading, mention.whole, mention.typed))
            merge(formula, use, mention)
    return found


def merge(formula: Formula, use: Use, mention: Mention) -> None:
    """A further mention of an input must agree with the earlier ones."""
    name, where = mention.word.text, formula.place(mention.word.at)
    if {use.rank, mention.rank} == {None, 0} and not (use.leading or mention.leading):  # s[] and s: a tensor of rank 0
        use.rank = 0
    elif (use.rank is None) != (mention.rank is None):
        first = [Related("the other use", formula.place(use.word.at))]
        hint = f"read an element: {name}[i]"
        raise SpecError(f"{name} is a tensor and a scalar", where, related=first, hints=[hint])
    if use.rank is not None and mention.rank is not None:
        if mention.rank != use.rank and not (use.leading or mention.leading):
            first = [Related("the other use", formula.place(use.word.at))]
            raise SpecError(
                f"{name} has {counted(use.rank)} elsewhere and {mention.rank} here",
                where,
                related=first,
                hints=["a tensor has one number of axes; ... stands for any leading ones"],
            )
        use.rank = min(use.rank, mention.rank)
        use.leading = use.leading or mention.leading
    use.whole = use.whole or mention.whole
    use.typed = use.typed or mention.typed


def mentions(line: StageLine, library: Mapping[str, OpSpec]) -> Iterator[Mention]:
    """The names of a line in the order of the text."""
    for target in line.targets:
        for bound in target.bounds:
            if bound.extent is not None:
                yield from mentions_in(bound.extent, True)
    match line.how:
        case ReductionSyntax(_, over):
            for bound in over:
                if bound.extent is not None:
                    yield from mentions_in(bound.extent, True)
        case ScanSyntax(_, starts):
            for start in starts or ():
                yield from mentions_in(start, False)
        case None:
            pass
    call = call_of(line, library)
    if call is not None:
        yield from passed(call, library[call.function.text])
        return
    for value in line.values:
        yield from mentions_in(value, False)


def passed(call: Call, callee: OpSpec) -> Iterator[Mention]:
    """The names that a line passes to a spec, with the callee's idea of them."""
    for position, argument in enumerate(call.arguments):
        name = argument.name.text if argument.name else None
        given = next((i for i in callee.inputs if i.name == name), None)
        if name is None and position < len(callee.inputs):
            given = callee.inputs[position]
        if isinstance(argument.value, Word) and isinstance(given, TensorInput):
            yield Mention(argument.value, len(given.axes), given.leading, False, given.dtype)
        else:
            whole = given is not None and given.dtype is not Dtype.F32
            yield from mentions_in(argument.value, whole)


def mentions_in(node: Node, whole: bool) -> Iterator[Mention]:
    """The names of an expression; `whole` where it stands in an index."""
    stack = [(node, whole)]
    while stack:
        part, inside = stack.pop()
        match part:
            case Word():
                yield Mention(part, None, False, inside)
            case Element(tensor, indices, fill, leading):
                yield Mention(tensor, len(indices), leading, inside)
                stack += [(fill, inside)] if fill is not None else []
                stack += [(i, True) for i in reversed(indices)]
            case Call(function, _) if function.text == "size":
                pass
            case _:
                stack += [(p, inside) for p in reversed(parts_of(part))]


def check_given(formula: Formula, given: Sequence[Input], used: Mapping[str, Use]) -> None:
    """What the formula uses must be given, as it is used."""
    by_name = {i.name: i for i in given}
    for name, use in used.items():
        where = formula.place(use.word.at)
        if name not in by_name:
            hints = suggestion(name, by_name) or [f"add {name} to the given line"]
            raise SpecError(f"{name} is not given", where, hints=hints)
        found = by_name[name]
        if isinstance(found, ScalarInput):
            if use.rank is not None:
                raise SpecError(f"{name} is given as a scalar", where, hints=[f"give its axes: {name}[i]"])
        elif use.rank is None and (found.axes or found.leading):
            raise SpecError(f"{name} is given as a tensor", where, hints=[f"read an element: {name}[i]"])
        elif not fits(found, use):
            raise SpecError(
                f"{name} is given with {counted(len(found.axes))} and read with {use.rank}",
                where,
                hints=["name as many axes in the given line as reads have indices"],
            )
        if use.whole and found.dtype not in (Dtype.I32, Dtype.U32):
            raise SpecError(
                f"{name} is {found.dtype.value} and stands in an index", where, hints=[f"give it as {name}: i32"]
            )


def counted(axes: int) -> str:
    """`1 axis`, `2 axes`."""
    return "1 axis" if axes == 1 else f"{axes} axes"


def fits(given: TensorInput, use: Use) -> bool:
    """Whether reads with so many indices may be of a given tensor."""
    rank = use.rank or 0
    if given.leading:
        return use.leading or rank >= len(given.axes)
    return rank <= len(given.axes) if use.leading else rank == len(given.axes)


def call_of(line: StageLine, library: Mapping[str, OpSpec]) -> Call | None:
    """The call of a spec that is the whole right side of a line."""
    if line.how is not None or len(line.values) != 1:
        return None
    value = line.values[0]
    if isinstance(value, Call) and lookup(value.function.text) is None and value.function.text in library:
        return value
    return None


def suggestion(name: str, known: Sequence[str] | Mapping[str, object]) -> list[str]:
    """A hint with the nearest known name, if any is near."""
    near = difflib.get_close_matches(name, list(known), 1, 0.7)
    return [f"did you mean {near[0]}"] if near else []
