"""A library of ops as the evidence sees it: definitions, and the records that are kept of what was found.

record = record_of(definition, report)
stale(definition, record)       # "" while the formula is the one that was examined
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any, Protocol

from shaderdsl.testing.report import Report
from shaderdsl.testing.samples import Hints


class Definition(Protocol):
    """What a library says of one op; `shaderdsl.ops.definition` has the words."""

    @property
    def name(self) -> str: ...
    @property
    def formula(self) -> str: ...
    @property
    def without(self) -> str: ...
    @property
    def scalars(self) -> Mapping[str, float]: ...
    @property
    def sizes(self) -> Mapping[str, int | str]: ...
    @property
    def same(self) -> Mapping[str, str]: ...
    @property
    def below(self) -> Mapping[str, int | str]: ...
    @property
    def positive(self) -> tuple[str, ...]: ...
    @property
    def tied(self) -> tuple[str, ...]: ...
    @property
    def spread(self) -> Mapping[str, float]: ...
    @property
    def single(self) -> float: ...
    @property
    def within(self) -> Mapping[str, float]: ...


def hints_of(found: Definition) -> Hints:
    """How arguments for it are drawn."""
    return Hints(
        found.scalars,
        found.sizes,
        found.same,
        found.below,
        found.positive,
        found.tied,
        found.spread,
        found.single,
        found.within,
    )


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def record_of(found: Definition, report: Report) -> dict[str, Any]:
    """What is kept: the formula's hash, the derived backward and its hash, and every figure, rounded up to a power of ten."""
    content = report.as_json()
    checks = [{"name": c.name, "within": c.limit, "ok": c.ok} for c in report.checks]
    return {
        "op": found.name,
        "formula_sha256": digest(found.formula),
        "backward_sha256": digest(report.backward),
        "backward": report.backward.splitlines(),
        "checks": checks,
        "mutations": content["mutations"],
    }


def stale(found: Definition, record: Mapping[str, Any] | None) -> str:
    """Why a record is no evidence for an op, empty where it is; needs no sympy."""
    if record is None:
        return f"{found.name} has no evidence"
    if record["formula_sha256"] != digest(found.formula):
        return f"{found.name} has evidence for another formula"
    if record["backward_sha256"] != digest("\n".join(record["backward"])):
        return f"{found.name} has evidence for another backward"
    return ""
