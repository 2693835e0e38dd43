"""The commands and their options; each command's work is a room of its own, imported when it runs.

    shaderdsl compile kernels.py:scale          # WGSL on stdout

Exit codes: 0 clean, 1 errors, 2 misuse. `shaderdsl --help` imports no driver.
"""

from __future__ import annotations

import importlib
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

import shaderdsl
from shaderdsl.cli.terminal import print_error, safe_output
from shaderdsl.errors import ShaderError, TargetError

app = typer.Typer(
    name="shaderdsl",
    help="GPU compute kernels as typed Python: look at their WGSL, keep goldens of it, run the main job.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


class DialectName(StrEnum):
    """Whose WGSL."""

    NAGA = "naga"
    TINT = "tint"


class DeviceName(StrEnum):
    """What runs kernels."""

    WGPU = "wgpu"
    DAWN = "dawn"
    INTERPRETER = "interpreter"


def examples(*lines: str) -> str:
    """Examples as the last part of a help text, a line each."""
    return "Examples:\n\n" + "\n\n".join(f"  {line}" for line in lines)


def room(name: str) -> Any:
    """A command's room, imported when the command runs."""
    return importlib.import_module(f"shaderdsl.cli.{name}")


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(shaderdsl.__version__)
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=show_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """What stands before a command."""


@app.command(epilog=examples("shaderdsl info", "shaderdsl info --json"))
def info(json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """Show versions, GPU adapters and the default device."""
    raise typer.Exit(room("info").info(json))


@app.command(
    name="compile",
    epilog=examples(
        "shaderdsl compile kernels.py:scale",
        "shaderdsl compile kernels.py:tiled --static n=4 --dialect tint -o tiled.wgsl",
        "shaderdsl compile package.kernels:scale --ir",
        "shaderdsl compile shaderdsl.ops:softmax.vjp",
    ),
)
def compile_(
    target: Annotated[str, typer.Argument(help="path.py:kernel, module:kernel, module:op or module:op.vjp")],
    dialect: Annotated[DialectName, typer.Option(help="Whose WGSL: naga's or Tint's.")] = DialectName.NAGA,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write to this file, not to stdout.")] = None,
    ir: Annotated[bool, typer.Option("--ir", help="Print the IR as traced instead of the WGSL.")] = False,
    static: Annotated[
        list[str] | None, typer.Option("--static", metavar="NAME=VALUE", help="A static argument; may be repeated.")
    ] = None,
) -> None:
    """Print a kernel, or all kernels of an op, as WGSL. Nothing is validated and no GPU is needed."""
    raise typer.Exit(room("compile").compile_target(target, dialect.value, output, ir, static or []))


@app.command(epilog=examples("shaderdsl golden", "shaderdsl golden --update", "shaderdsl golden --json"))
def golden(
    update: Annotated[
        bool, typer.Option("--update", help="Write the files, delete those no longer listed. Refused where CI is set.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compare golden WGSL files with their kernels.

    They are listed in [tool.shaderdsl.goldens] of pyproject.toml, as "golden_wgsl/scale.wgsl" = "kernels.py:scale".
    """
    raise typer.Exit(room("golden").golden(update, json))


@app.command(
    epilog=examples(
        "shaderdsl gradcheck",
        "shaderdsl gradcheck softmax rms_norm --device interpreter",
        "shaderdsl gradcheck --json",
    )
)
def gradcheck(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[OP]...", help="Ops of the library; all if none.")
    ] = None,
    device: Annotated[DeviceName | None, typer.Option(help="Also hold each op to its formula there.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed draws other points.")] = 0,
    record: Annotated[bool, typer.Option("--record", help="Keep the evidence with the library.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Check the derived backward of every op, and that wrong ones are caught."""
    chosen = device.value if device is not None else None
    raise typer.Exit(room("gradcheck").gradcheck(names or [], chosen, seed, record, json))


@app.command(epilog=examples("shaderdsl ops", "shaderdsl ops --json"))
def ops(json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> None:
    """List the ops of the library with the state of their evidence, and of their goldens where the project keeps them."""
    raise typer.Exit(room("ops").ops(json))


@app.command(
    epilog=examples(
        "shaderdsl quickstart",
        "shaderdsl quickstart --device interpreter --out results",
        "shaderdsl quickstart --train",
        "python -m shaderdsl.examples.digits_mlp --help    # more options of --train",
    )
)
def quickstart(
    device: Annotated[DeviceName | None, typer.Option(help="What runs it; the best present if left out.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="The folder for the WGSL, or the plot of the loss; quickstart-output if left out."),
    ] = None,
    train: Annotated[bool, typer.Option("--train", help="Train a network on the digits instead.")] = False,
) -> None:
    """Classify handwritten digits with one attention kernel, or train a network on them.

    Prints the accuracy on stdout, and a few digits; writes the WGSL. With --train, the gradients are derived from the network's formula, and the
    loss is drawn.
    """
    chosen = device.value if device is not None else None
    command = room("quickstart")
    raise typer.Exit(command.train(chosen, out) if train else command.quickstart(chosen, out))


def main() -> NoReturn:
    """The entry point: a ShaderError is shown as it is, without a traceback."""
    safe_output()
    try:
        app()
    except TargetError as error:
        print_error(error)
        sys.exit(2)
    except ShaderError as error:
        print_error(error)
        sys.exit(1)
    sys.exit(0)
