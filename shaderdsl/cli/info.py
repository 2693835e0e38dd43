"""`shaderdsl info`: versions, adapters and the default device."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from rich.text import Text

import shaderdsl
from shaderdsl.cli.terminal import print_json, print_lines
from shaderdsl.runtime.device import (
    DAWN_HINT,
    NO_ADAPTER_HINTS,
    Adapter,
    Backend,
    available,
    best_backend,
    library_of,
    no_adapter_hints,
)

PACKAGES = ("numpy", "wgpu", "wgpudawn")
SHOWN_LIMITS = (
    "max-compute-invocations-per-workgroup",
    "max-compute-workgroup-storage-size",
    "max-storage-buffers-per-shader-stage",
    "max-storage-buffer-binding-size",
)
SHOWN_FEATURES = ("shader-f16", "subgroups", "timestamp-query", "chromium-experimental-subgroup-matrix")


def info(json: bool) -> int:
    """Print it all; a machine without an adapter is no error."""
    adapters = available()
    best = best_backend()
    default = "interpreter" if best is None else best.value
    if json:
        print_json(
            {
                "ok": True,
                "versions": versions(),
                "adapters": [adapter_json(a) for a in adapters],
                "default_device": default,
                "hints": [] if adapters else list(NO_ADAPTER_HINTS),
            }
        )
    else:
        print_lines(*lines(adapters, default))
    return 0


def versions() -> dict[str, str]:
    """What is installed; an absent package is named so."""
    found = {
        "shaderdsl": shaderdsl.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def adapter_json(adapter: Adapter) -> dict[str, object]:
    return {
        "device": adapter.backend.value,
        "name": adapter.summary,
        "driver": adapter.driver,
        "kind": adapter.kind,
        "api": adapter.api,
        "features": sorted(adapter.features),
        "limits": dict(sorted(adapter.limits.items())),
    }


def lines(adapters: list[Adapter], default: str) -> Iterator[Text | str]:
    """The whole report."""
    for name, found in versions().items():
        yield f"{name:<12}{found}"
    for adapter in adapters:
        yield ""
        yield Text(f"{adapter.backend.value}: {adapter.summary}", style="bold")
        yield f"  driver    {adapter.driver}"
        yield f"  kind      {adapter.kind}, {adapter.api}"
        yield f"  features  {features(adapter)}"
        for limit in SHOWN_LIMITS:
            if limit in adapter.limits:
                yield f"  {limit} {adapter.limits[limit]}"
    yield ""
    if not adapters:
        yield Text("no GPU adapter was found: kernels run on the interpreter", style="yellow")
        yield from (f"help: {hint}" for hint in NO_ADAPTER_HINTS)
    else:
        yield from absences({a.backend for a in adapters})
    yield f"kernels run on {default} by default"


def absences(present: set[Backend]) -> Iterator[Text | str]:
    """Which library offers nothing here, and how it would."""
    for backend in Backend:
        if backend in present:
            continue
        installed = library_of(backend) is not None
        yield Text(f"{backend.value}: {'no adapter' if installed else 'not installed'}", style="bold")
        yield f"help: {no_adapter_hints(backend)[0] if installed else DAWN_HINT}"
        yield ""


def features(adapter: Adapter) -> str:
    """The features that matter to kernels; --json has them all."""
    shown = [f for f in SHOWN_FEATURES if f in adapter.features]
    rest = len(adapter.features) - len(shown)
    return ", ".join(shown or ["none for kernels"]) + (f" and {rest} more (--json lists them)" if rest else "")
