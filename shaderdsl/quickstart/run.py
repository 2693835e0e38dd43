"""`shaderdsl quickstart`: classify, check against float64, and show."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from shaderdsl.quickstart.attention import attention
from shaderdsl.quickstart.digits import SCALE, Digits, MissingPackage, load_digits, reference
from shaderdsl.quickstart.picture import picture
from shaderdsl.runtime.device import Backend, available, best_backend

NO_ADAPTER = """No GPU adapter was found, so this runs on the interpreter.
To get one: install your GPU's Vulkan driver, or a software one (Debian, Ubuntu: apt-get install mesa-vulkan-drivers)."""


def quickstart(device: str | None, out: Path) -> int:
    """Run the main job on `device`, the best present if None; the WGSL goes to the folder `out`. Gives the exit status."""
    notes = Console(stderr=True)
    try:
        digits = load_digits()
    except MissingPackage as missing:
        notes.print(
            f"The quickstart reads {missing}'s handwritten digits: pip install {missing}", style="red", markup=False
        )
        return 1
    name = device or chosen(notes)
    try:
        path = write_wgsl(out, name)
    except OSError as error:
        notes.print(f"cannot write to {out}: {error.strerror}", style="red", markup=False)
        return 1
    with notes.status(f"attention over {len(digits.keys)} digits on {name} ..."):
        started = time.perf_counter()
        out_rows = classify(digits, name)
        first = time.perf_counter() - started
        started = time.perf_counter()
        classify(digits, name)
        again = time.perf_counter() - started
    return report(digits, out_rows, f"{adapter_of(name)}", (first, again), path)


def chosen(notes: Console) -> str:
    """The device that a kernel would run on by itself."""
    best = best_backend()
    if best is None and available():
        return "interpreter"  # SHADERDSL_DEVICE asks for it
    if best is None:
        notes.print(NO_ADAPTER, style="yellow", markup=False)
        return "interpreter"
    return best.value


def classify(digits: Digits, device: str) -> NDArray[np.float32]:
    """The attention's output, (297, 10): for each query the share of each digit among the keys it attends to."""
    queries, keys = (a.reshape(-1, 16, 4) for a in (digits.queries, digits.keys))
    return attention(queries, keys, digits.values, scale=SCALE, device=device)


def adapter_of(device: str) -> str:
    if device == "interpreter":
        return "interpreter (numpy)"
    found = next((a for a in available() if a.backend is Backend(device)), None)
    return f"{device}: {found.summary}" if found is not None else device


def write_wgsl(folder: Path, device: str) -> Path:
    """The kernel's text as a file to read."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "attention.wgsl"
    path.write_text(attention.wgsl("tint" if device == "dawn" else "naga"), encoding="utf-8", newline="\n")
    return path


def report(digits: Digits, rows: NDArray[np.float32], adapter: str, seconds: tuple[float, float], path: Path) -> int:
    """Print the accuracy first, then where and how fast, and a few digits."""
    predicted = rows.argmax(axis=1)
    right = int((predicted == digits.labels).sum())
    error = float(np.abs(rows - reference(digits)).max())
    shown = [*np.flatnonzero(predicted == digits.labels)[:3], *np.flatnonzero(predicted != digits.labels)[:1]]
    lines = [
        f"accuracy   {100 * right / len(predicted):.2f}% ({right} of {len(predicted)} handwritten digits)",
        f"device     {adapter}",
        f"time       {1000 * seconds[0]:.0f} ms the first time, {1000 * seconds[1]:.0f} ms again",
        f"error      {error:.1e} at most against numpy in float64",
        f"WGSL       {path}",
        "",
        picture(digits.pictures[shown], predicted[shown], digits.labels[shown], plain=plain_output()),
    ]
    print("\n".join(lines))
    return 0 if error < 1e-5 else failed(error)


def failed(error: float) -> int:
    print(f"the result is {error:.1e} away from float64, more than 1e-5", file=sys.stderr)
    return 1


def plain_output() -> bool:
    """Whether the terminal's encoding lacks block characters."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        "░▒▓█".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return True
    return os.environ.get("TERM") == "dumb"
