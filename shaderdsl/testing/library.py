"""A library of ops as the evidence sees it: definitions, and the records that are kept of what was found.

record = record_of(definition, examined(definition, others=pool(definitions)))
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.reference import evaluate
from shaderdsl.testing.composition import Link, chain_rule, links
from shaderdsl.testing.evidence import examine
from shaderdsl.testing.points import EXTENTS
from shaderdsl.testing.report import Check, Report
from shaderdsl.testing.samples import Hints, draw, plain


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
    @property
    def identities(self) -> tuple[str, ...]: ...


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
        found.identities,
    )


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def record_of(found: Definition, report: Report) -> dict[str, Any]:
    """What is kept: hashes of the formula and of the derived backward, the backward, and what was checked within which limits."""
    content = report.as_json()
    return {
        "op": found.name,
        "formula_sha256": digest(found.formula),
        "backward_sha256": digest(report.backward),
        "backward": report.backward.splitlines(),
        "without": found.without,
        "checks": [{"name": c.name, "ok": c.ok, "figure": upper(c.figure), "limit": c.limit} for c in report.checks],
        "mutations": content["mutations"],
        "equivalents": content["equivalents"],
        "failures": content["failures"],
    }


def upper(figure: float) -> float:
    """The next power of ten, so that a record is the same on every machine."""
    return float(f"1e{math.ceil(math.log10(figure))}") if 0 < figure < math.inf else figure


def pool(found: Iterable[Definition]) -> list[Link]:
    """What ops are composed with: every op with a derivative, at every rank."""
    return [one for d in found if not d.without for one in links(parse_spec(d.name, d.formula), hints_of(d))]


def examined(found: Definition, seed: int = 0, others: Sequence[Link] = ()) -> Report:
    """All evidence for one op, composed with some of the others; one without a backward is only run."""
    spec, hints = plain(parse_spec(found.name, found.formula)), hints_of(found)
    if not found.without:
        report, chain = examine(spec, hints, seed=seed), chain_rule(found.name, others, seed=seed)
        return replace(report, checks=(*report.checks, *([chain] if chain else [])))
    values = [evaluate(spec, draw(spec, hints, np.random.default_rng((seed, n)), e)) for n, e in enumerate(EXTENTS)]
    wrong = sum(not np.isfinite(v[o]).all() for v in values for o in spec.outputs)
    return Report(found.name, format_spec(spec), "", (Check("finite", float(wrong), 0.0, "a value is not finite"),))
