"""The adjoint of a scan is a scan the other way, over the saved carries.

h[t] = scan(t) a[t] * h[t - 1] + u[t]
c[t] = scan(t) d_h[t] + a[t + 1] * c[t + 1]          what h[t] is worth: by itself, and through h[t + 1]
d_u[t] = c[t]      d_a[t] = c[t] * h[t - 1]      d_start = c[0] * a[0]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from shaderdsl.errors import InternalError
from shaderdsl.spec.adjoint import Adjoint, Contribution, fragile, times, turned
from shaderdsl.spec.bridge import Bridge
from shaderdsl.spec.notation import Bound, Index, Number, Operation, Operator, Read, Scalar, Scan, Stage, Target
from shaderdsl.spec.rewrite import mapped, reads, substituted
from shaderdsl.spec.transpose import guarded

ONE, ZERO = Number(1), Number(0)


@dataclass(frozen=True, slots=True)
class Carried:
    """A scan stage with the pieces that its adjoint needs. `step` is 1 for a scan forwards, -1 backwards."""

    stage: Stage
    how: Scan
    extent: Scalar
    bridge: Bridge

    @property
    def names(self) -> list[str]:
        return [t.name for t in self.stage.targets]

    @property
    def step(self) -> int:
        return -1 if self.how.backwards else 1

    @property
    def indices(self) -> tuple[Scalar, ...]:
        return tuple(Index(b.name) for b in self.stage.targets[0].bounds)

    def at(self, name: str, offset: int, fill: Scalar | None = None) -> Read:
        """A carried value `offset` steps along the scan from here."""
        moved = tuple(shifted(i, offset * self.step) if i == Index(self.how.index) else i for i in self.indices)
        return Read(name, moved, fill)

    def start(self, name: str) -> Scalar:
        """The carried value before the first step."""
        return ZERO if self.how.starts is None else self.how.starts[self.names.index(name)]

    def slope(self, value: str, carry: str) -> Scalar:
        """The derivative of one carried value by another of the step before."""
        term = self.bridge.term(self.stage.values[self.names.index(value)])
        found = [r for r in reads(self.stage.values[self.names.index(value)]) if r.tensor == carry]
        if not found:
            return ZERO
        if len(found) > 1:
            raise InternalError(f"{value} reads {carry} in two places")
        return self.bridge.scalar(term.diff(self.bridge.leaf(found[0])))

    def own_reads(self, scalar: Scalar, replacement: Callable[[str], Scalar]) -> Scalar:
        """`scalar` with the reads of the scan itself replaced."""
        return mapped(
            scalar, lambda s: replacement(s.tensor) if isinstance(s, Read) and s.tensor in self.names else None
        )


def shifted(index: Scalar, offset: int) -> Scalar:
    if offset == 0:
        return index
    return Operation(Operator.ADD if offset > 0 else Operator.SUB, (index, Number(abs(offset))))


def adjoint_of_scan(
    stage: Stage,
    bounds: dict[str, Scalar],
    tensors: dict[str, tuple[Scalar, ...]],
    wanted: frozenset[str],
    keys: dict[str, tuple[str, ...]],
    outer: Callable[[str], str],
) -> Adjoint:
    """The contributions of a scan to what it reads, and the scan of carried gradients that they read."""
    if not isinstance(stage.how, Scan):
        raise InternalError("not a scan")
    scan = Carried(stage, stage.how, bounds[stage.how.index], Bridge())
    backward = carried_gradients(scan, bounds, outer)
    gains = [g for name in scan.names for g in from_values(scan, name, bounds, tensors, wanted, keys)]
    gains += [g for name in scan.names for g in from_start(scan, name, bounds, tensors, wanted, keys)]
    return Adjoint(tuple(gains), (backward,))


def carry_name(name: str) -> str:
    return f"c_{name}"


def carried_gradients(scan: Carried, bounds: dict[str, Scalar], outer: Callable[[str], str]) -> Stage:
    """One scan, the other way, of what each carried value is worth."""
    index = scan.how.index
    targets = tuple(Target(carry_name(n), tuple(Bound(b, bounds[b]) for b in bounds)) for n in scan.names)
    values: list[Scalar] = []
    ahead: dict[str, Scalar] = {index: shifted(Index(index), scan.step)}
    for carry in scan.names:
        total: Scalar = Read(outer(carry), scan.indices)
        for value in scan.names:
            slope = scan.slope(value, carry)
            if slope == ZERO:
                continue
            moved = substituted(scan.own_reads(slope, lambda n: Read("'" + n, scan.indices)), ahead)
            moved = mapped(
                moved, lambda s: scan.at(s.tensor[1:], 0) if isinstance(s, Read) and s.tensor[0] == "'" else None
            )
            if fragile(moved):
                moved = guarded(moved, [inside(scan, ahead[index])])
            total = Operation(Operator.ADD, (total, times(moved, scan.at(carry_name(value), 1))))
        values.append(total)
    return Stage(targets, Scan(index, not scan.how.backwards, None), tuple(values))


def inside(scan: Carried, index: Scalar) -> Scalar:
    """The step ahead exists."""
    if scan.how.backwards:
        return Operation(Operator.GE, (index, ZERO))
    return Operation(Operator.LT, (index, scan.extent))


def from_values(
    scan: Carried,
    name: str,
    bounds: dict[str, Scalar],
    tensors: dict[str, tuple[Scalar, ...]],
    wanted: frozenset[str],
    keys: dict[str, tuple[str, ...]],
) -> list[Contribution]:
    """What the step function of one carried value gives to the tensors it reads."""
    value = scan.stage.values[scan.names.index(name)]
    term = scan.bridge.term(value)
    found: list[Contribution] = []
    for read in reads(value):
        if read.tensor in scan.names or read.tensor not in wanted:
            continue
        slope = scan.bridge.scalar(term.diff(scan.bridge.leaf(read)))
        if slope == ZERO:
            continue
        before = scan.own_reads(slope, lambda n: scan.at(n, -1, started(scan.start(n))))
        integrand = times(scan.at(carry_name(name), 0), before)
        found.append(turned(read, integrand, map_of(scan.stage), bounds, tensors[read.tensor], keys[read.tensor]))
    return found


def started(start: Scalar) -> Scalar | None:
    return None if start == ZERO else start


def map_of(stage: Stage) -> Stage:
    """The stage without its scan: its indices are all its own."""
    return Stage(stage.targets, None, stage.values)


def from_start(
    scan: Carried,
    name: str,
    bounds: dict[str, Scalar],
    tensors: dict[str, tuple[Scalar, ...]],
    wanted: frozenset[str],
    keys: dict[str, tuple[str, ...]],
) -> list[Contribution]:
    """What the first step gives to the tensors that an initial value reads."""
    start = scan.start(name)
    bridge = Bridge()
    term = bridge.term(start)
    first: Scalar = ZERO if scan.step > 0 else Operation(Operator.SUB, (scan.extent, ONE))
    at_first: dict[str, Scalar] = {scan.how.index: first}
    worth: Scalar = ZERO
    for value in scan.names:
        slope = scan.slope(value, name)
        if slope != ZERO:
            now = scan.own_reads(slope, scan.start)
            part = substituted(times(scan.at(carry_name(value), 0), now), at_first)
            worth = part if worth == ZERO else Operation(Operator.ADD, (worth, part))
    rest = {n: e for n, e in bounds.items() if n != scan.how.index}
    found: list[Contribution] = []
    for read in reads(start):
        if read.tensor not in wanted or worth == ZERO:
            continue
        slope = bridge.scalar(term.diff(bridge.leaf(read)))
        outline = Stage((Target(name, tuple(Bound(n) for n in rest)),), None, (start,))
        found.append(turned(read, times(worth, slope), outline, rest, tensors[read.tensor], keys[read.tensor]))
    return found
