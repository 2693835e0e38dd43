"""What the evidence found for one op: checks with their figures, and the kill matrix of its wrong backwards.

print(report)          # a line a check
report.ok, report.failures
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


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
    """The mutants of one kind: how many were made, caught, and proved to be no mutants at all; what is left survived."""

    kind: str
    made: int
    caught: int
    equivalent: int
    survivors: tuple[str, ...] = ()

    def __str__(self) -> str:
        same = f", {self.equivalent} equivalent" if self.equivalent else ""
        return f"{self.kind}: {self.caught} of {self.made} caught{same}"


@dataclass(frozen=True, slots=True)
class Report:
    """All that was found. `backward` is the formula that was checked, empty for a function."""

    op: str
    formula: str
    backward: str
    checks: tuple[Check, ...]
    kills: tuple[Kills, ...] = ()

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

    def __str__(self) -> str:
        lines = [f"{self.op}: {'ok' if self.ok else 'FAILED'}", *(f"  {c}" for c in self.checks)]
        for kills in self.kills:
            lines.append(f"  {kills}")
            lines += [f"    not caught: {where}" for where in kills.survivors]
        return "\n".join(lines)

    def as_json(self) -> dict[str, object]:
        return {
            "op": self.op,
            "ok": self.ok,
            "checks": [{"name": c.name, "ok": c.ok, "figure": c.figure, "limit": c.limit} for c in self.checks],
            "mutations": {k.kind: {"made": k.made, "caught": k.caught, "equivalent": k.equivalent} for k in self.kills},
            "failures": list(self.failures),
        }
