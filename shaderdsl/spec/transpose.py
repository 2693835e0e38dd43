"""The transposition of one read: which elements of a stage an element of the tensor goes to.

A stage reads `x[e1, .., en]` over its indices N. The gradient of x at [k1, .., kn] sums the stage's over all N with e = k:

    e is a bare index a           a := k                       broadcasts become sums, contractions stay contractions
    e is a + rest, rest - a       a := k - rest, rest - k      shifted reads become shifted reads the other way
    e is a // n                   a := k * n + r, sum over r   heads that share a key
    anything else                 where(e == k, .., 0)         gathers become deterministic scatter-adds, strides become masks
"""

from __future__ import annotations

from dataclasses import dataclass, field

from shaderdsl.spec.notation import Bound, Function, Index, Number, Operation, Operator, Read, Scalar
from shaderdsl.spec.rewrite import index_names, substituted


@dataclass(slots=True)
class Transposition:
    """The solution: indices as expressions in k, conditions that remain, indices that are still summed.

    implied: conditions that reading the stage's own gradient out of range, which is 0, already brings.
    """

    indices: dict[str, Scalar]
    conditions: list[Scalar] = field(default_factory=list["Scalar"])
    implied: list[Scalar] = field(default_factory=list["Scalar"])
    over: list[Bound] = field(default_factory=list[Bound])

    def apply(self, scalar: Scalar) -> Scalar:
        return substituted(scalar, self.indices)


def transpose(
    read: Read, bounds: dict[str, Scalar], summed: frozenset[str], keys: tuple[str, ...], extents: tuple[Scalar, ...]
) -> Transposition:
    """Solve `read.indices == keys` for the stage's indices.

    bounds: the extent of each index of the stage. summed: those under its reduction, whose range nothing else checks. keys: names that no
    index of the stage has, and their extents.
    """
    solver = Solver(bounds, summed, dict(zip(keys, extents)))
    order = sorted(range(len(keys)), key=lambda p: rank(read.indices[p]))
    for position in order:
        solver.solve(read.indices[position], Index(keys[position]))
    return solver.finish()


def rank(scalar: Scalar) -> int:
    """Bare indices are solved first, then affine ones, then the rest."""
    return 0 if isinstance(scalar, Index) else 1 if isinstance(scalar, Operation) else 2


@dataclass(slots=True)
class Solver:
    bounds: dict[str, Scalar]
    summed: frozenset[str]
    keys: dict[str, Scalar]
    solved: dict[str, Scalar] = field(default_factory=dict[str, "Scalar"])
    conditions: list[Scalar] = field(default_factory=list["Scalar"])
    implied: list[Scalar] = field(default_factory=list["Scalar"])
    fresh: list[Bound] = field(default_factory=list[Bound])

    def solve(self, expression: Scalar, key: Index) -> None:
        """One axis: an index that the expression determines, or a condition."""
        expression = substituted(expression, self.solved)
        # an index of the gradient first: reading that out of range is 0, so it needs no condition
        for name in sorted(index_names(expression), key=lambda n: (n in self.summed, n)):
            if self.free(name):
                solution = inverse(expression, name, key)
                if solution is not None:
                    self.put(name, solution)
                    return
        if not self.shared(expression, key):
            sides = (key, expression) if isinstance(expression, Number) else (expression, key)
            self.conditions.append(Operation(Operator.EQ, sides))

    def free(self, name: str) -> bool:
        return name in self.bounds and name not in self.solved

    def put(self, name: str, value: Scalar) -> None:
        """`name := value`, which must lie in its range: known of a key as long as it, implied for an index of the gradient."""
        self.solved = {n: substituted(v, {name: value}) for n, v in self.solved.items()}
        self.conditions = [substituted(c, {name: value}) for c in self.conditions]
        self.implied = [substituted(c, {name: value}) for c in self.implied]
        self.solved[name] = value
        ranges: list[Scalar] = []
        if not isinstance(value, Index):
            ranges.append(Operation(Operator.GE, (value, Number(0))))
        if not (isinstance(value, Index) and self.keys.get(value.name) == self.bounds[name]):
            ranges.append(Operation(Operator.LT, (value, self.bounds[name])))
        (self.conditions if name in self.summed else self.implied).extend(ranges)

    def shared(self, expression: Scalar, key: Scalar) -> bool:
        """`a // n` for a constant or size n: n values of a go to one key."""
        match expression:
            case Operation(Operator.FLOOR_DIV, (Index(name), divisor)) if self.free(name) and not index_names(divisor):
                rest = f"{name}_of"
                self.fresh.append(Bound(rest, divisor))
                start = Operation(Operator.MUL, (key, divisor))
                self.put(name, Operation(Operator.ADD, (start, Index(rest))))
                return True
            case _:
                return False

    def finish(self) -> Transposition:
        left = [Bound(n, e) for n, e in self.bounds.items() if n not in self.solved]
        return Transposition(self.solved, self.conditions, self.implied, [*left, *self.fresh])


def inverse(expression: Scalar, name: str, key: Scalar) -> Scalar | None:
    """The value of `name` for which `expression` is `key`, where it stands in it once, added or subtracted."""
    match expression:
        case Index(found):
            return key if found == name else None
        case Operation(Operator.ADD, (left, right)):
            if name in index_names(left) and name not in index_names(right):
                return inverse(left, name, Operation(Operator.SUB, (key, right)))
            if name in index_names(right) and name not in index_names(left):
                return inverse(right, name, Operation(Operator.SUB, (key, left)))
            return None
        case Operation(Operator.SUB, (left, right)):
            if name in index_names(left) and name not in index_names(right):
                return inverse(left, name, Operation(Operator.ADD, (key, right)))
            if name in index_names(right) and name not in index_names(left):
                return inverse(right, name, Operation(Operator.SUB, (left, key)))
            return None
        case Operation(Operator.NEG, (inner,)):
            return inverse(inner, name, Operation(Operator.NEG, (key,)))
        case _:
            return None


def guarded(value: Scalar, conditions: list[Scalar]) -> Scalar:
    """`where(all conditions, value, 0)`."""
    if not conditions:
        return value
    joined = conditions[0]
    for condition in conditions[1:]:
        joined = Operation(Operator.AND, (joined, condition))
    return Function("where", (joined, value, Number(0)))
