"""Which stages are contractions: a sum of products of two factors, each of which has output indices that the other has not.

found = contraction_of(stage, dtypes)       # y[t, o] = sum(i) 2 * relu(x[t, i]) * w[o, i]
found.rows, found.columns, found.over       # ("t",), ("o",), ("i",)
found.left, found.right, found.scale        # relu(x[t, i]), w[o, i], 2

Factors without an index that is summed over are taken out of the sum. The right factor has the last index of the output, along which memory is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from shaderdsl.spec.dtypes import kind_of
from shaderdsl.spec.grid import is_gather
from shaderdsl.spec.notation import Dtype, Number, Operation, Operator, Read, Reduction, ReductionKind, Scalar, Stage
from shaderdsl.spec.rewrite import index_names, subscalars


@dataclass(frozen=True, slots=True)
class Contraction:
    """`name[batch, rows, columns] = scale * sum(over) left * right`, where left has no columns and right no rows. mean: the sum over its number of terms."""

    name: str
    dtype: Dtype
    batch: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    over: tuple[str, ...]
    left: Scalar
    right: Scalar
    scale: Scalar | None
    mean: bool

    @property
    def roles(self) -> tuple[tuple[str, ...], ...]:
        """What a tile of the output runs over: contractions that have it in common fit in one tile."""
        return self.batch, self.rows, self.columns


def contraction_of(stage: Stage, dtypes: Mapping[str, Dtype]) -> Contraction | None:
    """A stage as a contraction, or None where it is none."""
    how, value = stage.how, stage.values[0]
    if not isinstance(how, Reduction) or how.kind not in (ReductionKind.SUM, ReductionKind.MEAN):
        return None
    name = stage.targets[0].name
    dtype = dtypes[name]
    if kind_of(value, dtypes) is not dtype or dtype is Dtype.BOOL or has_gather(value):
        return None
    out = tuple(b.name for b in stage.targets[0].bounds)
    over = tuple(b.name for b in how.over)
    found = factors(value, dtype, dtypes)
    sides = sides_of([f for f in found if index_names(f) & {*over}])
    if sides is None:
        return None
    first, second = (index_names(s) for s in sides)
    batch = tuple(n for n in out if n in first and n in second)
    own = [tuple(n for n in out if n in a and n not in b) for a, b in ((first, second), (second, first))]
    if not all(own) or {*own[0], *own[1], *batch} != {*out}:
        return None
    last = next(n for n in reversed(out) if n not in batch)
    if last in own[0]:
        sides, own = (sides[1], sides[0]), own[::-1]
    scale = product([f for f in found if not index_names(f) & {*over}])
    mean = how.kind is ReductionKind.MEAN
    return Contraction(name, dtype, batch, own[0], own[1], over, *sides, scale, mean)


def has_gather(value: Scalar) -> bool:
    return any(is_gather(i) for r in subscalars(value) if isinstance(r, Read) for i in r.indices)


def factors(value: Scalar, dtype: Dtype, dtypes: Mapping[str, Dtype]) -> list[Scalar]:
    """The factors of a product, where each product is of the type of the whole; 1 / c for a division."""
    if not isinstance(value, Operation) or kind_of(value, dtypes) is not dtype:
        return [value]
    match value:
        case Operation(Operator.MUL, (left, right)):
            return [*factors(left, dtype, dtypes), *factors(right, dtype, dtypes)]
        case Operation(Operator.NEG, (inner,)) if dtype is not Dtype.U32:
            return [Number(-1.0 if dtype is Dtype.F32 else -1), *factors(inner, dtype, dtypes)]
        case Operation(Operator.DIV, (left, right)) if dtype is Dtype.F32:
            return [*factors(left, dtype, dtypes), Operation(Operator.DIV, (Number(1.0), right))]
        case _:
            return [value]


def sides_of(given: Sequence[Scalar]) -> tuple[Scalar, Scalar] | None:
    """Factors gathered into two, neither of which has all indices of the other."""
    sides: list[list[Scalar]] = []
    names: list[set[str]] = []
    for factor in sorted(given, key=lambda f: -len(index_names(f))):
        own = index_names(factor)
        home = next((n for n, held in enumerate(names) if own <= held), None)
        if home is None:
            sides.append([factor])
            names.append(own)
        else:
            sides[home].append(factor)
    found = [p for p in map(product, sides) if p is not None]
    return (found[0], found[1]) if len(found) == 2 else None


def product(given: Sequence[Scalar]) -> Scalar | None:
    return reduce(lambda a, b: Operation(Operator.MUL, (a, b)), given) if given else None
