"""Arguments and results in dicts, lists and tuples: their leaves by path, and the same structure with other leaves.

dict(walk({"w": [a, b]}, "params"))      # {"params.w.0": a, "params.w.1": b}
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any, cast


def walk(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every leaf with its path, in order."""
    match value:
        case Mapping():
            for key, inner in cast("Mapping[Any, Any]", value).items():
                yield from walk(inner, below(path, key))
        case list() | tuple():
            for number, inner in enumerate(cast("list[Any]", value)):
                yield from walk(inner, below(path, number))
        case _:
            yield path, value


def below(path: str, key: object) -> str:
    """The path of what lies at a key; no two keys of any kind have one path."""
    word = str(key) if isinstance(key, int) or (isinstance(key, str) and key.isidentifier()) else repr(key)
    return f"{path}.{word}" if path else word


def mapped(value: Any, path: str, change: Callable[[str, Any], Any]) -> Any:
    """The same structure with each leaf changed."""
    match value:
        case Mapping():
            found = cast("Mapping[Any, Any]", value)
            return {k: mapped(v, below(path, k), change) for k, v in found.items()}
        case list() | tuple():
            found = [mapped(v, below(path, n), change) for n, v in enumerate(cast("list[Any]", value))]
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
