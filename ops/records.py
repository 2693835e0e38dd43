"""The evidence that is kept for each op, as JSON beside its formula: read and compared without sympy.

stale(definition, record_of("softmax"))        # "" while the formula is the one that was examined
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shaderdsl.ops.definition import Definition

FOLDER = Path(__file__).parent / "evidence"


def record_of(name: str) -> dict[str, Any] | None:
    """An op's record, or None."""
    path = FOLDER / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.is_file() else None


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def stale(found: Definition, record: Mapping[str, Any] | None) -> str:
    """Why a record is no evidence for an op, empty where it is."""
    if record is None:
        return f"{found.name} has no evidence"
    if record["formula_sha256"] != digest(found.formula):
        return f"{found.name} has evidence for another formula"
    if record["backward_sha256"] != digest("\n".join(record["backward"])):
        return f"{found.name} has evidence for another backward"
    if not all(check["ok"] for check in record["checks"]) or record["failures"]:
        return f"the evidence for {found.name} fails"
    return ""
