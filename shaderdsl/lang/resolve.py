"""Reading a user's function: its annotations, its place, and the lies of its source."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, cast

from shaderdsl.errors import SignatureError, TraceError
from shaderdsl.lang.control import Known
from shaderdsl.lang.trace import Trace
from shaderdsl.source import Loc

HINTS = {
    "return": "use k.return_if(condition), or k.return_() in a branch",
    "break": "use k.break_if(condition)",
    "continue": "use k.continue_if(condition)",
}


def code_of(function: Callable[..., Any]) -> CodeType:
    return cast(FunctionType, function).__code__


def code_loc(function: Callable[..., Any]) -> Loc:
    """The place of a function's definition."""
    return Loc(code_of(function), 0)


def annotations_of(function: Callable[..., Any]) -> dict[str, object]:
    """Annotations as objects, whether or not they were postponed to strings; closures see their own names."""
    plain = cast(FunctionType, function)
    cells = dict(zip(plain.__code__.co_freevars, (c.cell_contents for c in plain.__closure__ or ())))
    try:
        return inspect.get_annotations(function, eval_str=True, locals=cells or None)
    except NameError as error:
        name = plain.__name__
        raise SignatureError(
            f"an annotation of {name} has an unknown name: {error}",
            code_loc(function),
            hints=["define it before the kernel, at module scope"],
        ) from error


def refuse_lies(trace: Trace, function: Callable[..., Any]) -> None:
    """Raise on the first `return`, `break` or `continue` in a traced block, which Python would run whatever the condition."""
    found = trace.scan_of(code_loc(function))
    if found is None or not found.lies:
        return
    lie = found.lies[0]
    if "parentheses" in lie.keyword:
        name = lie.keyword.split()[0]
        raise TraceError(f"k.{name} is not called", Known(lie.span), hints=[f"write k.{name}()"])
    raise TraceError(
        f"Python's {lie.keyword} in a traced block",
        Known(lie.span),
        label="this would run once, while tracing, whatever the condition",
        hints=[HINTS[lie.keyword]],
    )
