"""Reading a user's function: its annotations, its place, and the lies of its source."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any, cast

from shaderdsl.errors import ScopeError, SignatureError
from shaderdsl.lang.definition import Definition
from shaderdsl.lang.here import here
from shaderdsl.lang.rebinding import Known, lie_error
from shaderdsl.lang.refusals import article
from shaderdsl.lang.trace import Trace
from shaderdsl.source import Loc


def code_of(function: Callable[..., Any]) -> CodeType:
    return cast(FunctionType, function).__code__


def code_loc(function: Callable[..., Any]) -> Loc:
    """The place of a function's definition."""
    return Loc(code_of(function), 0)


def check_plain(function: object, word: str) -> None:
    """What `@sd.kernel` and `@sd.function` take: a plain Python function."""
    if not isinstance(function, FunctionType):
        raise SignatureError(
            f"a {word} is made of a Python function, not of {article(type(function).__name__)}",
            here(),
            hints=[f"write @sd.{word} above a def" if word == "function" else "write @sd.kernel(workgroup_size=256)"],
        )
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise SignatureError(
            f"a {word} is a plain function, without async and yield", definition_of(function), hints=["write def"]
        )


def definition_of(function: Callable[..., Any], part: str | None = None) -> Definition:
    """The place of a function's name, or of one parameter, for errors."""
    code = code_of(function)
    return Definition(code.co_filename, code.co_firstlineno, code.co_name, Loc(code, 0), part)


def annotations_of(function: Callable[..., Any]) -> dict[str, object]:
    """Annotations as objects, whether or not they were postponed to strings; closures see their own names."""
    plain = cast(FunctionType, function)
    cells = dict(zip(plain.__code__.co_freevars, (c.cell_contents for c in plain.__closure__ or ())))
    try:
        return inspect.get_annotations(function, eval_str=True, locals=cells or None)
    except (NameError, AttributeError) as error:
        raise SignatureError(
            f"an annotation of {plain.__name__} has an unknown name: {error}",
            definition_of(function, blamed(plain.__annotations__, error)),
            hints=["define it before the kernel, at module scope"],
        ) from error


def blamed(written: Mapping[str, object], error: NameError | AttributeError) -> str | None:
    """The parameter or member whose postponed annotation has the unknown name."""
    return next((p for p, text in written.items() if isinstance(text, str) and str(error.name) in text), None)


def refuse_lies(trace: Trace, function: Callable[..., Any]) -> None:
    """Raise on the first `return`, `break` or `continue` in a traced block, which Python would run whatever the condition."""
    found = trace.scan_of(code_loc(function))
    if found is None or not found.lies:
        return
    raise lie_error(found.lies[0])


def refuse_rebound(trace: Trace, function: Callable[..., Any], written: Sequence[str]) -> None:
    """Raise where the source assigns the name of a buffer that the kernel is to write: `y = x[i]` stores nothing."""
    found = trace.scan_of(code_loc(function))
    for name in written:
        if found is not None and name in found.rebound:
            raise ScopeError(
                f"the name of buffer {name} is assigned, not an element of it",
                Known(found.rebound[name]),
                hints=[f"write {name}[i] = ..."],
            )
