"""`shaderdsl gradcheck`: the evidence for the ops of the library, taken anew and recorded."""

from __future__ import annotations

import json as text
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.text import Text

from shaderdsl.cli.terminal import print_json, print_lines
from shaderdsl.errors import TargetError
from shaderdsl.operation import of_spec, op
from shaderdsl.ops import definitions
from shaderdsl.ops.definition import Definition
from shaderdsl.ops.records import FOLDER
from shaderdsl.spec.parse import parse_spec
from shaderdsl.testing import library
from shaderdsl.testing.device_extremes import extreme_checks
from shaderdsl.testing.devices import SINGLE, device_checks
from shaderdsl.testing.draws import tight_checks
from shaderdsl.testing.points import EXTENTS, Point, points
from shaderdsl.testing.report import Report
from shaderdsl.testing.samples import draw, plain


def gradcheck(names: list[str], device: str | None, seed: int, record: bool, json: bool) -> int:
    """Examine ops. 0: all evidence holds; 1: something fails."""
    found = chosen(names)
    reports: list[Report] = []
    pool = library.pool(definitions().values())
    with Progress(console=Console(stderr=True), transient=True, disable=json) as progress:
        task = progress.add_task("", total=len(found))
        for definition in found:
            progress.update(task, description=definition.name)
            report = library.examined(definition, seed, pool)
            if record:
                keep(definition, report)
            reports.append(with_device(definition, report, device, seed) if device else report)
            if not json:
                progress.console.print("", end="")
                print_lines(line_of(reports[-1]), *(f"    {f}" for f in reports[-1].failures))
            progress.advance(task)
    wrong = [r.op for r in reports if not r.ok]
    if json:
        print_json({"ok": not wrong, "ops": [r.as_json() for r in reports]})
    else:
        print_lines(*matrix(reports), f"{len(reports)} ops, {len(wrong)} wrong")
    return 1 if wrong else 0


def chosen(names: list[str]) -> list[Definition]:
    """The definitions of these names, all where there are none."""
    known = definitions()
    for name in names:
        if name not in known:
            raise TargetError(f"the library has no op {name}", hints=["shaderdsl ops lists them"])
    return [known[name] for name in names] or list(known.values())


def keep(definition: Definition, report: Report) -> None:
    """The record of an op, written where the library looks for it."""
    FOLDER.mkdir(exist_ok=True)
    content = text.dumps(library.record_of(definition, report), indent=1)
    Path(FOLDER / f"{definition.name}.json").write_text(f"{content}\n", "utf-8", newline="\n")


def with_device(definition: Definition, report: Report, device: str, seed: int) -> Report:
    """The report with the checks of a device."""
    spec, hints = plain(parse_spec(definition.name, definition.formula)), library.hints_of(definition)
    if definition.without:
        drawn = [draw(spec, hints, np.random.default_rng((seed, n)), e) for n, e in enumerate(EXTENTS)]
        found = [Point(arguments, {}, {}) for arguments in drawn]
    else:
        found = list(points(spec, hints, seed))
    limit = hints.single if hints.single > 1e-3 else SINGLE
    checks = device_checks(op(definition.name, definition.formula), spec, found, device, limit)
    checks += tight_checks(of_spec, spec, hints, device, seed=seed)
    checks += [] if definition.without else extreme_checks(of_spec, spec, hints, device, seed)
    return Report(report.op, report.formula, report.backward, (*report.checks, *checks), report.kills)


def line_of(report: Report) -> Text:
    """An op, its worst figure over its limit, and how many wrong backwards were caught."""
    made = sum(k.made for k in report.kills)
    caught = sum(k.caught for k in report.kills)
    same = sum(k.equivalent for k in report.kills)
    kills = f"{caught} of {made} wrong backwards caught, {same} equivalent" if made else "no backward"
    word = "ok    " if report.ok else "FAILED"
    return Text(f"{report.op:24}{word}  {len(report.checks):2} checks  {kills}", style="" if report.ok else "red")


def matrix(reports: list[Report]) -> list[str]:
    """The kill matrix: each kind over all ops."""
    kinds = list(dict.fromkeys(k.kind for r in reports for k in r.kills))
    lines: list[str] = []
    for kind in kinds:
        every = [k for r in reports for k in r.kills if k.kind == kind]
        made, caught, same = (sum(getattr(k, f) for k in every) for f in ("made", "caught", "equivalent"))
        lines.append(f"{kind:24}{caught:5} of {made:5} caught, {same:3} equivalent, in {len(every)} ops")
    return lines
