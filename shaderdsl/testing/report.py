"""What the evidence found for one op: checks with their figures, and the kill matrix of its wrong backwards.

print(report)          # a line a check
report.ok, report.failures
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike

from shaderdsl.testing.faults import Fault
from shaderdsl.testing.plot import plot


@dataclass(frozen=True, slots=True)
class Check:
    """One check: right where the figure is within the limit."""

    name: str
    figure: float
    limit: float
    detail: str = ""

    @property
    def ok(self) -> bool:
        return self.figure <= self.limit

    def __str__(self) -> str:
        word = "ok" if self.ok else "FAILED"
        detail = f": {self.detail}" if self.detail and not self.ok else ""
        return f"{self.name}: {word}, {self.figure:.1e} within {self.limit:.0e}{detail}"


@dataclass(frozen=True, slots=True)
class Kills:
    """The mutants of one kind: how many were made, caught, and proved to be no mutants at all; what is left survived.

    proved: those that are the same backward, as text. unsettled: those that survived where nobody said how to draw arguments, so that they may as well be no mutants.
    """

    kind: str
    made: int
    caught: int
    equivalent: int
    survivors: tuple[str, ...] = ()
    unsettled: int = 0
    proved: tuple[str, ...] = ()

    def __str__(self) -> str:
        same = f", {self.equivalent} equivalent" if self.equivalent else ""
        unsettled = f", {self.unsettled} not told apart" if self.unsettled else ""
        return f"{self.kind}: {self.caught} of {self.made} caught{same}{unsettled}"


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found. `backward` is the formula that was checked, empty for a function. `faults`: the worst element of each gradient."""

    op: str
    formula: str
    backward: str
    checks: tuple[Check, ...]
    kills: tuple[Kills, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.failures

    @property
    def failures(self) -> tuple[str, ...]:
        """What failed, a line each."""
        return tuple(self._failures())

    def _failures(self) -> Iterator[str]:
        yield from (str(c) for c in self.checks if not c.ok)
        for kills in self.kills:
            yield from (f"not caught: {kills.kind}, {where}" for where in kills.survivors)

    def plot(self, path: str | PathLike[str]) -> None:
        """A picture of the errors of each gradient at its worst point, as a PNG or what the name says; needs matplotlib."""
        plot(self.op, self.faults, path)

    def __str__(self) -> str:
        lines = [f"{self.op}: {'ok' if self.ok else 'FAILED'}", *(f"  {c}" for c in self.checks)]
        for kills in self.kills:
            lines.append(f"  {kills}")
            lines += [f"    not caught: {where}" for where in kills.survivors]
            lines += [f"    equivalent: {where}" for where in kills.proved]
        lines += [f"  worst: {f.where}, for shapes {f.shapes}" for f in self.faults if f.share > 1]
        return "\n".join(lines)

    def as_json(self) -> dict[str, object]:
        return {
            "op": self.op,
            "ok": self.ok,
            "checks": [{"name": c.name, "ok": c.ok, "figure": c.figure, "limit": c.limit} for c in self.checks],
            "mutations": {k.kind: {"made": k.made, "caught": k.caught, "equivalent": k.equivalent} for k in self.kills},
            "equivalents": {k.kind: list(k.proved) for k in self.kills if k.proved},
            "failures": list(self.failures),
        }
