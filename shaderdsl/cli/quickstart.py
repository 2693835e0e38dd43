"""`shaderdsl quickstart`: the main job, or with `--train` the example of a network that learns."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

from shaderdsl.examples import digits_mlp
from shaderdsl.quickstart import run

FOLDER = Path("quickstart-output")


def quickstart(device: str | None, out: Path | None) -> int:
    """Classify digits by attention. Gives the exit status."""
    return run.quickstart(device, out or FOLDER)


def train(device: str | None, out: Path | None) -> int:
    """Train the network of examples/digits_mlp.py. Gives the exit status."""
    name = device or run.chosen(Console(stderr=True))
    return digits_mlp.learn(name, digits_mlp.STEPS, 0, out or FOLDER)
