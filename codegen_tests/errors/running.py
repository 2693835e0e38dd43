"""Bad programs and what a user sees of them: run one, give its error as text without the machine's paths.

message_of(PROGRAMS / "types/sum_of_two_types.py")     # 'types/sum_of_two_types.py:8:16: error: cannot add f32 and i32 [type]...'
"""

from __future__ import annotations

from pathlib import Path

from shaderdsl.errors import ShaderError

PROGRAMS = Path(__file__).parent / "programs"


def programs() -> list[Path]:
    """Every bad program, in order."""
    return sorted(PROGRAMS.glob("*/*.py"))


def name_of(program: Path) -> str:
    """`types/sum_of_two_types`."""
    return f"{program.parent.name}/{program.stem}"


def error_of(program: Path) -> ShaderError:
    """The ShaderError that a program ends with; an AssertionError if it ends well, and whatever else it raises as it is."""
    code = compile(program.read_text(encoding="utf-8"), str(program), "exec", dont_inherit=True)
    try:
        exec(code, {"__name__": program.stem, "__file__": str(program)})
    except ShaderError as error:
        return error
    raise AssertionError(f"{name_of(program)} raises nothing")


def message_of(program: Path) -> str:
    """The rendered error, ending in a newline, with paths relative to the folder of programs."""
    return str(error_of(program)).replace(f"{PROGRAMS}/", "").replace("\\", "/") + "\n"
