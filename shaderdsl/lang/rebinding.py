"""Python cannot be allowed to lie: a name must mean the same before and after a traced block.

    best = x[i]
    with k.if_(x[j] > best):
        best = x[j]             # ScopeError: Python rebinds the name once, while tracing, whatever the condition

Names, the items of lists and dicts and the attributes of records that the block's source assigns, are compared at both ends of the block.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import FrameType, FunctionType, ModuleType
from typing import Any, cast

from shaderdsl.errors import Related, ScopeError, TraceError
from shaderdsl.lang.here import here
from shaderdsl.lang.memory import Indexed
from shaderdsl.lang.place import Place
from shaderdsl.lang.scan import Lie, read_after
from shaderdsl.lang.trace import Trace, position_of
from shaderdsl.lang.value import Value
from shaderdsl.source import Loc, Span


class Known:
    """A span that is already resolved, as a place for an error."""

    def __init__(self, span: Span) -> None:
        self._span = span

    def span(self) -> Span:
        return self._span


ABSENT = object()
"""What a name holds that is not bound yet."""
HINTS = {
    "return": "use k.return_if(condition), or k.return_() in a branch",
    "break": "use k.break_if(condition)",
    "continue": "use k.continue_if(condition)",
}


def lie_error(lie: Lie) -> TraceError:
    """What to say of a `return`, `break` or `continue` in a traced block, or of a method that is not called."""
    keyword, _, missing = lie.keyword.partition(" ")
    if missing:
        return TraceError(f"k.{keyword} is not called", Known(lie.span), hints=[f"write k.{keyword}()"])
    return TraceError(
        f"a Python {keyword} in a traced block",
        Known(lie.span),
        label="this would run once, while tracing, whatever the condition",
        hints=[HINTS[keyword]],
    )


def held(trace: Trace, loc: Loc, frame: FrameType) -> dict[str, object]:
    """The names that the block will assign, or assign parts of, and what they hold now; lists and dicts as copies, records where the source says so."""
    found = trace.scan_of(loc)
    if found is not None and found.lies:
        raise lie_error(found.lies[0])
    names = stored_names(trace, loc)
    if names is not None and not names:
        return {}
    nothing: dict[object, object] = {}
    scope = visible(frame, frame.f_locals if names is None else names)
    before: dict[str, object] = {
        name: (thing, items_of(thing) if names or parts_of(thing) else nothing)
        for name, thing in scope.items()
        if matters(thing)
    }
    return before | {name: (ABSENT, nothing) for name in names or () if name not in scope}


def visible(frame: FrameType, names: Iterable[str]) -> dict[str, Any]:
    """Those of the names that are bound, as the frame sees them; `global` ones too, but for those that the function's own hide."""
    own, module = frame.f_locals, frame.f_globals
    hidden = {*frame.f_code.co_varnames, *frame.f_code.co_cellvars}
    found = {name: module[name] for name in names if name in module and name not in hidden}
    return found | {name: own[name] for name in names if name in own}


def matters(thing: object) -> bool:
    """What a kernel could mean by a name: a live value or place, a number, a text, None, or what holds such."""
    match thing:
        case Value() | Place() | Indexed():
            scope = cast("Value", thing)._scope
            return scope is None or scope.open
        case bool() | int() | float() | str() | None:
            return True
        case _:
            inner = [item for item in items_of(thing).values() if parts_of(item) is None]
            return any(matters(item) for item in inner)


def items_of(thing: object) -> dict[object, object]:
    """What a container holds now, at any depth, by the path to it; of a record, its attributes and the containers in them."""
    found: dict[object, object] = {}
    waiting: list[tuple[tuple[object, ...], object]] = [((), attributes_of(thing) or thing)]
    seen: set[int] = set()
    while waiting:
        path, holder = waiting.pop()
        parts = parts_of(holder)
        if parts is None or id(holder) in seen:
            continue
        seen.add(id(holder))
        for key, item in parts.items():
            found[*path, key] = item
            waiting.append(((*path, key), item))
    return found


def parts_of(thing: object) -> dict[object, object] | None:
    """The items of a list, tuple or dict; None for all else."""
    match thing:
        case list() | tuple():
            return dict(enumerate(cast("list[object]", thing)))
        case dict():
            return dict(cast("dict[object, object]", thing))
        case _:
            return None


def attributes_of(thing: object) -> dict[str, object]:
    """The attributes of a user's record; none for what is a part of the kernel or of the program."""
    if isinstance(thing, Value | Place | Indexed | type | ModuleType | FunctionType):
        return {}
    return dict(getattr(thing, "__dict__", {}))


def stored_names(trace: Trace, loc: Loc) -> dict[str, Span] | None:
    """Names that the block's source assigns, or None where there is no source."""
    found, position = trace.scan_of(loc), position_of(loc)
    if found is None or position is None:
        return None
    block = found.blocks.get(position)
    return block.stores if block is not None else None


def check_rebinding(trace: Trace, loc: Loc, frame: FrameType, before: dict[str, Any]) -> None:
    """Refuse a name that held something before the block and holds something else after it."""
    if not before:
        return
    now = visible(frame, before)
    stores = stored_names(trace, loc) or {}
    for name, (old, items) in before.items():
        new = now.get(name, old)
        if old is ABSENT:
            check_leak(trace, loc, name, new)
            continue
        if same(old, new) and kept(items, items_of(new)):
            continue
        part = "item" if parts_of(new) is not None else "attribute"
        item = f"an {part} of {name}" if same(old, new) else name
        where = Known(stores[name]) if name in stores else here()
        raise ScopeError(
            f"{item} means one thing before this block and another after it",
            where,
            label=f"Python rebinds {name} once, while tracing",
            related=[Related("the block starts here", loc)],
            hints=[f"declare {name} = k.var(...) before the block, and assign {name}.value inside"],
        )


def check_leak(trace: Trace, loc: Loc, name: str, new: object) -> None:
    """Refuse a plain number that the block alone binds and that is read after it: Python bound it whatever the condition."""
    found, position = trace.scan_of(loc), position_of(loc)
    if not isinstance(new, bool | int | float | str) or found is None or position is None:
        return
    block = found.blocks[position]
    if read_after(found, name, block.end) is None:
        return
    raise ScopeError(
        f"{name} is set in this block only, and read after it",
        Known(block.stores[name]),
        label=f"Python sets {name} once, while tracing",
        related=[Related("the block starts here", loc)],
        hints=[f"set {name} before the block, or declare {name} = k.var(...) there and assign {name}.value inside"],
    )


def kept(before: dict[object, object], after: dict[object, object]) -> bool:
    """Whether every item is what it was; new items are no harm, since values in them end with the block."""
    return all(key in after and same(old, after[key]) for key, old in before.items() if matters(old))


def same(old: object, new: object) -> bool:
    if old is new:
        return True
    plain = isinstance(old, bool | int | float | str)
    return plain and type(old) is type(new) and old == new
