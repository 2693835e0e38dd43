"""Arguments and results in dicts, lists and tuples: their leaves by path, and the same structure with other leaves.

leaves({"w": [a, b]}, "params")      # {"params_w_0": a, "params_w_1": b}
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, cast


def walk(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every leaf with its path, in order."""
    match value:
        case Mapping():
            for key, inner in cast("Mapping[Any, Any]", value).items():
                yield from walk(inner, f"{path}_{key}" if path else str(key))
        case list() | tuple():
            for number, inner in enumerate(cast("list[Any]", value)):
                yield from walk(inner, f"{path}_{number}" if path else str(number))
        case _:
            yield path, value


def mapped(value: Any, path: str, change: Callable[[str, Any], Any]) -> Any:
    """The same structure with each leaf changed."""
    match value:
        case Mapping():
            found = cast("Mapping[Any, Any]", value)
            return {k: mapped(v, f"{path}_{k}" if path else str(k), change) for k, v in found.items()}
        case list() | tuple():
            found = [
                mapped(v, f"{path}_{n}" if path else str(n), change) for n, v in enumerate(cast("list[Any]", value))
            ]
            return tuple(found) if isinstance(value, tuple) else found
        case _:
            return change(path, value)


def structure(value: Any) -> Hashable:
    """What tells two structures apart, without their leaves."""
    match value:
        case Mapping():
            return ("dict", *((k, structure(v)) for k, v in cast("Mapping[Any, Any]", value).items()))
        case list() | tuple():
            return (type(cast("object", value)).__name__, *map(structure, cast("list[Any]", value)))
        case _:
            return "leaf"
