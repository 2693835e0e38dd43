r"""Specs as mathematics in LaTeX, in the part of it that MathJax, KaTeX and GitHub share.

latex_spec(parse_spec("norm", "s[i] = sum(j) x[i, j] ** 2"))      # \begin{aligned}\ns_{i} &= \sum_{j} x_{i,j}^{2}\n\end{aligned}

`d_x` is the gradient by x, written with a partial sign, `t_x` a tangent, with a dot; N_j is the extent of j; [c] is 1 where c holds, else 0.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from shaderdsl.spec.latex_words import CALLS, COMPARISONS, brackets, number_text, upright, visible, word
from shaderdsl.spec.notation import (
    Bound,
    Function,
    Index,
    Number,
    Operation,
    Operator,
    OpSpec,
    Parameter,
    Read,
    Reduction,
    ReductionKind,
    Scalar,
    Scan,
    Size,
    Stage,
    Target,
)

OR, AND, NOT, COMPARED, MODULO, SUM, SIGN, PRODUCT, POWER, ATOM = range(10)
"""How tightly an expression binds, from the loosest."""

BIG = {ReductionKind.SUM: r"\sum", ReductionKind.MAX: r"\max", ReductionKind.MIN: r"\min", ReductionKind.PROD: r"\prod"}
MARKS = {"d": ".vjp", "t": ".jvp"}
"""How names of gradients and tangents begin, and what the names of the specs hold that have them."""
WIDE = 78
"""Characters as read, beyond which a sum goes on in the next line."""
DOT = r"\cdot"
Written = tuple[str, int]


def latex_spec(spec: OpSpec, without: Collection[str] = ()) -> str:
    """The stages as aligned equations, but those that define what `without` names."""
    made = {t.name for stage in spec.stages for t in stage.targets}
    marked = frozenset(mark for mark, kind in MARKS.items() if kind in spec.name)
    writer = LatexWriter(frozenset(made | {i.name for i in spec.inputs}), marked)
    stages = [s for s in spec.stages if not {t.name for t in s.targets} & set(without)]
    lines = [line for stage in stages for line in writer.stage(stage)]
    return "\n".join((r"\begin{aligned}", *(f"{line} \\\\" for line in lines[:-1]), *lines[-1:], r"\end{aligned}"))


@dataclass(frozen=True, slots=True)
class LatexWriter:
    """names: what the spec defines and takes, of which `d_x` and `t_x` are marked. marked: "d" or "t" where all are. inline: as subscripts are."""

    names: frozenset[str]
    marked: frozenset[str]
    inline: bool = False

    @property
    def small(self) -> LatexWriter:
        """The writer of subscripts, exponents and bounds."""
        return replace(self, inline=True)

    def stage(self, stage: Stage) -> list[str]:
        """Its equations, one for each target."""
        found: list[str] = []
        for number, (target, value) in enumerate(zip(stage.targets, stage.values)):
            lines = self.right_side(stage, value)
            found += [f"{self.target(target)} &= {lines[0]}", *(rf"&\quad {line}" for line in lines[1:])]
            beside = self.note(stage, number)
            if beside and visible(lines[-1] + beside) > WIDE:
                found.append(rf"&\quad {beside}")
            elif beside:
                found[-1] += rf"\qquad {beside}"
        return found

    def right_side(self, stage: Stage, value: Scalar) -> list[str]:
        match stage.how:
            case None | Scan():
                return self.lines(value, self.whole(value))
            case Reduction(kind, over):
                first, *more = self.lines(value, self.at_least(value, PRODUCT), PRODUCT)
                return [f"{self.reduction(kind, over)} {first}", *more]
            case _:
                assert_never(stage.how)

    def lines(self, value: Scalar, whole: str, level: int = SUM) -> list[str]:
        """A value in one line, or its parts, which bind at least so tightly, in several where they are too many."""
        if visible(whole) <= WIDE:
            return [whole]
        lines, parts = [""], self.terms(value) if level == SUM else self.factors(value)
        if len(parts) == 1:
            return [whole]
        for sign, part in parts:
            glue = r"\," if sign == DOT else f" {sign} "
            if lines[-1] and visible(lines[-1] + part) > WIDE:
                lines.append(f"{sign} {part}")
            else:
                lines[-1] = f"{lines[-1]}{glue}{part}" if lines[-1] else part
        return lines

    def terms(self, value: Scalar) -> list[tuple[str, str]]:
        """The terms of a sum with their signs; the factors of a single one."""
        if isinstance(value, Operation) and value.operator in (Operator.ADD, Operator.SUB):
            left, right = value.arguments
            return [*self.terms(left), (value.operator.value, self.at_least(right, PRODUCT))]
        return self.factors(value)

    def factors(self, value: Scalar) -> list[tuple[str, str]]:
        """The factors of a product, each after a dot."""
        if isinstance(value, Operation) and value.operator is Operator.MUL:
            left, right = value.arguments
            return [*self.factors(left), (DOT, self.at_least(right, PRODUCT))]
        return [(DOT, self.at_least(value, SIGN))]

    def whole(self, value: Scalar) -> str:
        """A value that stands alone: a condition is 1 or 0."""
        text, level = self.written(value)
        return brackets(text, "[", "]") if level <= COMPARED else text

    def note(self, stage: Stage, number: int) -> str:
        """What an equation says beside itself: how far an index goes and in which order, for all targets at the last; where each starts."""
        notes: list[str] = []
        if number == len(stage.targets) - 1:
            bounds = [b for b in stage.targets[0].bounds if b.extent is not None and b.extent != Size(b.name)]
            notes += [self.small.bound(b) for b in bounds]
            notes += [self.order(stage.how)] if isinstance(stage.how, Scan) else []
        if isinstance(stage.how, Scan):
            notes.append(self.start(stage.targets[number], stage.how, number))
        beside = r";\ ".join(notes)
        return f"({beside})" if notes else ""

    def order(self, how: Scan) -> str:
        steps = rf"N_{{{word(how.index)}}} - 1, \ldots, 0" if how.backwards else r"0, 1, \ldots"
        return f"{word(how.index)} = {steps}"

    def start(self, target: Target, how: Scan, number: int) -> str:
        """What a scan's target is before the first step."""
        before = rf"N_{{{word(how.index)}}}" if how.backwards else "-1"
        indices = [before if b.name == how.index else word(b.name) for b in target.bounds]
        value = how.starts[number] if how.starts is not None else Number(0)
        return f"{self.tensor(target.name, indices, target.leading)} = {self.small.at_least(value, SUM)}"

    def target(self, target: Target) -> str:
        return self.tensor(target.name, [word(b.name) for b in target.bounds], target.leading)

    def tensor(self, name: str, indices: Sequence[str], leading: bool = False, fill: str = "") -> str:
        """`\\partial x_{i,j}`: a name with its indices below."""
        sign, own = self.known(name)
        below = ",".join([*([r"\ldots"] if leading else []), *indices]) + (rf";\,{fill}" if fill else "")
        return sign.format(word(own)) + (f"_{{{below}}}" if below else "")

    def known(self, name: str) -> tuple[str, str]:
        """How a gradient, a tangent or any other name is marked, and the name inside."""
        kind, _, own = name.partition("_")
        if kind in MARKS and own and (kind in self.marked or own in self.names):
            return (r"\partial {}" if kind == "d" else r"\dot{{{}}}"), own
        return "{}", name

    def reduction(self, kind: ReductionKind, over: Sequence[Bound]) -> str:
        """The sign of a reduction with its indices."""
        below = ",".join(map(self.small.bound, over))
        if kind is not ReductionKind.MEAN:
            return f"{BIG[kind]}_{{{below}}}"
        counts = r"\,".join(self.small.at_least(b.extent or Size(b.name), PRODUCT) for b in over)
        return rf"\frac{{1}}{{{counts}}} \sum_{{{below}}}"

    def bound(self, bound: Bound) -> str:
        free = bound.extent is None or bound.extent == Size(bound.name)
        return word(bound.name) if free else f"{word(bound.name)} < {self.at_least(bound.extent or Number(0), SUM)}"

    def at_least(self, scalar: Scalar, level: int) -> str:
        """An expression, in brackets where it binds less tightly; a condition among numbers is 1 or 0."""
        text, own = self.masked(scalar) if level > MODULO else self.written(scalar)
        if own >= level:
            return text
        return brackets(text, "[", "]") if own <= COMPARED < level else brackets(text, "(", ")")

    def written(self, scalar: Scalar) -> Written:
        """The text of an expression and how tightly it binds."""
        match scalar:
            case Number(value):
                return number_text(value), SIGN if str(value).startswith("-") else ATOM
            case Index(name) | Parameter(name):
                return word(name), ATOM
            case Size(name):
                return f"N_{{{word(name)}}}", ATOM
            case Read(name, indices, fill, leading):
                below = [self.small.at_least(i, MODULO) for i in indices]
                found = self.tensor(name, below, leading, self.small.whole(fill) if fill is not None else "")
                return found, POWER if found.startswith("\\partial") else ATOM
            case Function(name, arguments):
                return self.function(name, arguments)
            case Operation(operator, arguments):
                return self.operation(operator, arguments)
            case _:
                assert_never(scalar)

    def grouped(self, condition: Scalar, level: int = MODULO) -> str:
        """A condition among conditions, in round brackets where it binds less tightly."""
        text, own = self.written(condition)
        return text if own >= level else brackets(text, "(", ")")

    def masked(self, scalar: Scalar) -> Written:
        """A part of an expression: what is 0 unless a condition holds is that condition's product with it."""
        if not isinstance(scalar, Function) or scalar.name != "where" or Number(0) not in scalar.arguments[1:]:
            return self.written(scalar)
        condition, chosen, otherwise = scalar.arguments
        if otherwise != Number(0):
            condition, chosen = Operation(Operator.NOT, (condition,)), otherwise
        mask = brackets(self.written(condition)[0], "[", "]")
        if chosen in (Number(1), Number(-1)):
            return (mask, ATOM) if chosen == Number(1) else (f"-{mask}", SIGN)
        return self.product(mask, self.at_least(chosen, PRODUCT)), PRODUCT

    def operation(self, operator: Operator, arguments: Sequence[Scalar]) -> Written:
        left, right = arguments[0], arguments[-1]
        match operator:
            case Operator.OR:
                return rf"{self.grouped(left, OR)} \lor {self.grouped(right, AND)}", OR
            case Operator.AND:
                return rf"{self.grouped(left, AND)} \land {self.grouped(right, NOT)}", AND
            case Operator.NOT:
                return rf"\lnot {self.grouped(left)}", NOT
            case Operator.ADD | Operator.SUB:
                return f"{self.at_least(left, SUM)} {operator.value} {self.at_least(right, PRODUCT)}", SUM
            case Operator.NEG:
                return f"-{self.at_least(left, PRODUCT)}", SIGN
            case Operator.MUL:
                return self.product(self.at_least(left, SIGN), self.at_least(right, PRODUCT)), PRODUCT
            case Operator.DIV:
                return self.quotient(left, right)
            case Operator.FLOOR_DIV:
                return rf"\lfloor {self.small.quotient(left, right)[0]} \rfloor", ATOM
            case Operator.MOD:
                return rf"{self.at_least(left, PRODUCT)} \bmod {self.at_least(right, POWER)}", MODULO
            case Operator.POW:
                return self.power(left, right)
            case _:
                return f"{self.at_least(left, MODULO)} {COMPARISONS[operator]} {self.at_least(right, MODULO)}", COMPARED

    def product(self, left: str, right: str) -> str:
        """Factors side by side, with a dot between numbers."""
        return rf"{left} \cdot {right}" if re.match(r"[\d.]", right) else rf"{left}\,{right}"

    def quotient(self, left: Scalar, right: Scalar) -> Written:
        if self.inline:
            return f"{self.at_least(left, SIGN)} / {self.at_least(right, POWER)}", PRODUCT
        return rf"\frac{{{self.whole(left)}}}{{{self.whole(right)}}}", PRODUCT

    def power(self, left: Scalar, right: Scalar) -> Written:
        """`x_{i}^{2}`, and `\\tanh^{2}(x)`."""
        exponent = self.small.whole(right)
        square = isinstance(right, Number) and isinstance(right.value, int) and right.value > 1
        if isinstance(left, Function) and square and left.name not in (*CALLS, "where", "f32"):
            name, arguments = self.call(left.name, left.arguments)
            return f"{name}^{{{exponent}}}{arguments}", POWER
        return f"{self.at_least(left, ATOM)}^{{{exponent}}}", POWER

    def function(self, name: str, arguments: Sequence[Scalar]) -> Written:
        match name:
            case "where":
                return self.where(arguments)
            case "pow":
                return self.power(arguments[0], arguments[1])
            case "f32":
                return self.written(arguments[0])
            case "rsqrt" if self.inline:
                return rf"1 / \sqrt{{{self.whole(arguments[0])}}}", PRODUCT
            case _ if name in CALLS:
                form, level = CALLS[name]
                return form.format(self.whole(arguments[0])), POWER if level else ATOM
            case _:
                called, inside = self.call(name, arguments)
                return f"{called}{inside}", POWER

    def call(self, name: str, arguments: Sequence[Scalar]) -> tuple[str, str]:
        return upright(name), brackets(r",\,".join(map(self.whole, arguments)), "(", ")")

    def where(self, arguments: Sequence[Scalar]) -> Written:
        """Cases, those of a last branch in the same list; where all is 1 or 0, the condition in brackets."""
        condition, chosen, otherwise = arguments
        if (chosen, otherwise) == (Number(1), Number(0)):
            return brackets(self.written(condition)[0], "[", "]"), ATOM
        rows = [rf"{self.whole(chosen)} & \text{{if }} {self.written(condition)[0]}"]
        while isinstance(otherwise, Function) and otherwise.name == "where":
            condition, chosen, otherwise = otherwise.arguments
            rows.append(rf"{self.whole(chosen)} & \text{{if }} {self.written(condition)[0]}")
        rows.append(rf"{self.whole(otherwise)} & \text{{otherwise}}")
        text = r" \\ ".join(rows)
        return rf"\begin{{cases}} {text} \end{{cases}}", MODULO
