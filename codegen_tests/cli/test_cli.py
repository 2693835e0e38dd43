"""The command line as a user meets it: what each command prints and the exit code it leaves."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import shaderdsl
from shaderdsl import ops
from shaderdsl.cli.main import main
from shaderdsl.runtime import device

KERNELS = """
from typing import Annotated

import shaderdsl as sd
from shaderdsl import f32


@sd.kernel
def größe(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] * 2


@sd.kernel
def taps(k: sd.Kernel, x: Annotated[sd.InOut[f32], "n"], times: sd.Static[int]) -> None:
    with k.each(x.n) as i:
        x[i] *= float(times)


@sd.kernel
def wrong(k: sd.Kernel, x: Annotated[sd.InOut[f32], "n"]) -> None:
    with k.each(x.n) as i:
        x[i] = x[i] * i
"""
OPS = """
import shaderdsl as sd

doubled = sd.op("doubled", "z[i] = 2 * x[i]\\ny[i] = z[i] + x[i]")
rounded = sd.op("rounded", "y[i] = i32(x[i])")
"""
TABLE = '[tool.shaderdsl.goldens]\n"golden_wgsl/a.wgsl" = "kernels.py:größe"\n'
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with three kernels and a table of one golden."""
    (tmp_path / "kernels.py").write_text(KERNELS, "utf-8")
    (tmp_path / "pyproject.toml").write_text(TABLE, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)
    return tmp_path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """The command in this process: its exit code, stdout and stderr."""

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["shaderdsl", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as caught:
            main()
        captured = capsys.readouterr()
        code = caught.value.code
        assert isinstance(code, int)
        return code, captured.out, captured.err

    return call


def process(*arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "shaderdsl", *arguments],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )


def test_version(run: Run) -> None:
    assert run("--version") == (0, f"{shaderdsl.__version__}\n", "")


@pytest.mark.parametrize("command", ["info", "compile", "golden", "gradcheck", "ops", "quickstart"])
def test_every_command_has_help_with_examples(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert "Examples:" in out
    assert f"shaderdsl {command}" in out.partition("Examples:")[2]


def test_help_lists_the_commands(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    assert [c for c in ("info", "compile", "golden", "gradcheck", "ops", "quickstart") if c not in out] == []


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["compile"], ["info", "--nonsense"], ["quickstart", "--device", "x"]]
)
def test_misuse_is_2(run: Run, arguments: list[str]) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert "Usage:" in err


def test_help_imports_no_driver() -> None:
    program = (
        "import sys\nfrom shaderdsl.cli.main import main\nsys.argv = ['shaderdsl', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "assert not {'wgpu', 'wgpudawn', 'sympy', 'lark', 'numpy'} & set(sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# compile


@pytest.mark.usefixtures("project")
def test_compile_prints_plain_wgsl(run: Run) -> None:
    code, out, err = run("compile", "kernels.py:größe")
    assert (code, err) == (0, "")
    assert out.startswith("struct Params {\n")
    assert "\x1b" not in out
    assert out.endswith("  y[i] = x[i] * 2.0f;\n}\n")


@pytest.mark.usefixtures("project")
def test_compile_of_a_module(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "kernels", raising=False)
    code, out, _ = run("compile", "kernels:größe", "--dialect", "tint")
    del sys.modules["kernels"]
    assert code == 0
    assert "y[i] = x[i] * 2.0f;" in out


def test_compile_to_a_file(run: Run, project: Path) -> None:
    assert run("compile", "kernels.py:größe", "-o", "out.wgsl") == (0, "", "")
    written = (project / "out.wgsl").read_bytes()
    assert "fn größe(".encode() in written
    assert b"\r" not in written


@pytest.mark.usefixtures("project")
def test_compile_to_nowhere(run: Run) -> None:
    code, _, err = run("compile", "kernels.py:größe", "-o", "none/out.wgsl")
    assert code == 2
    assert "cannot be written" in err


@pytest.mark.usefixtures("project")
def test_compile_shows_the_ir(run: Run) -> None:
    code, out, _ = run("compile", "kernels.py:größe", "--ir")
    assert code == 0
    assert out.startswith("kernel größe\n")


@pytest.mark.usefixtures("project")
def test_compile_with_statics(run: Run) -> None:
    code, out, _ = run("compile", "kernels.py:taps", "--static", "times=3")
    assert code == 0
    assert "3.0f" in out
    code, _, err = run("compile", "kernels.py:taps")
    assert (code, err) == (
        2,
        "error: taps needs its static parameter times [target]\nhelp: write --static times=VALUE\n",
    )
    code, _, err = run("compile", "kernels.py:taps", "--static", "time=3")
    assert code == 2
    assert err.startswith("error: taps has no static parameter time [target]\nhelp: its static parameters are times\n")
    code, _, err = run("compile", "kernels.py:taps", "--static", "times")
    assert code == 2
    assert "help: write --static n=4" in err


@pytest.mark.usefixtures("project")
def test_a_bad_kernel_is_1_with_its_place(run: Run) -> None:
    code, out, err = run("compile", "kernels.py:wrong")
    assert (code, out) == (1, "")
    assert "kernels.py:23:16: error: " in err
    assert "x[i] = x[i] * i" in err


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("none.py:f", "error: there is no file none.py [target]"),
        ("no_such_module_here:f", "error: there is no module no_such_module_here [target]"),
        ("kernels.py", "error: 'kernels.py' names no kernel [target]"),
        (
            "kernels.py:nope",
            "error: nope does not exist in kernels.py [target]\nnote: kernels.py has größe, taps, wrong\n",
        ),
        (
            "kernels.py:tap",
            "error: tap does not exist in kernels.py [target]\nnote: kernels.py has größe, taps, wrong\nhelp: write kernels.py:taps\n",
        ),
        (
            "kernels.py:f32",
            "error: f32 is neither a kernel nor an op in kernels.py [target]\nnote: kernels.py has größe, taps, wrong\n",
        ),
        (
            "kernels.py:taps.vjp",
            "error: taps is a kernel, which has no vjp [target]\nhelp: write it as a formula: sd.op(name, formula)\n",
        ),
        (
            "math:sin",
            "error: sin is neither a kernel nor an op in math [target]\nnote: math has neither kernels nor ops\n",
        ),
        (
            "shaderdsl.ops:softmx",
            "error: softmx does not exist in shaderdsl.ops [target]\nnote: shaderdsl.ops has adamw, add, ",
        ),
        ("shaderdsl.ops:softmax.grad", "error: softmax has no grad [target]\nhelp: write softmax.vjp or softmax.jvp\n"),
        (
            "shaderdsl.ops:argmax.vjp",
            "error: argmax has no derivative: it gives whole numbers or conditions [target]\nhelp: f32(x) makes a whole number a float\n",
        ),
        (
            "shaderdsl.ops:fill.jvp",
            "error: fill has no derivative: it reads no tensor of floats [target]\nhelp: gradients are for inputs of f32\n",
        ),
    ],
)
@pytest.mark.usefixtures("project")
def test_targets_that_are_not_there(run: Run, target: str, message: str) -> None:
    code, out, err = run("compile", target)
    assert (code, out) == (2, "")
    assert err.startswith(message)


@pytest.mark.usefixtures("project")
def test_a_long_list_of_names_is_cut(run: Run) -> None:
    _, _, err = run("compile", "shaderdsl.ops:softmx")
    assert re.fullmatch(
        r"error: .*\nnote: shaderdsl.ops has (\w+, ){12}\d+ more\nhelp: write shaderdsl.ops:softmax\n", err
    )


def test_compile_of_ops(run: Run, project: Path) -> None:
    (project / "own.py").write_text(OPS, "utf-8")
    code, out, err = run("compile", "own.py:doubled")
    assert (code, err) == (0, "")
    assert re.findall(r"^fn (\w+)", out, re.MULTILINE) == ["doubled_z", "doubled_y"]
    code, out, _ = run("compile", "own.py:doubled.vjp")
    assert code == 0
    assert re.findall(r"^fn (\w+)", out, re.MULTILINE) == ["doubled_vjp_d_x"]
    assert run("compile", "own.py:doubled.jvp.vjp")[0] == 0
    code, out, _ = run("compile", "own.py:doubled", "--ir")
    assert code == 0
    assert out.startswith("kernel doubled_z\n")
    assert "\nkernel doubled_y\n" in out
    assert run("compile", "shaderdsl.ops:softmax", "--dialect", "tint")[1] == ops.softmax.wgsl("tint")
    code, _, err = run("compile", "own.py:doubled", "--static", "n=3")
    assert (code, err) == (
        2,
        "error: doubled is an op, which has no static parameter n [target]\nhelp: leave it out: an op's sizes are those of its arrays\n",
    )


def test_golden_of_an_op(run: Run, project: Path) -> None:
    (project / "own.py").write_text(OPS, "utf-8")
    table = '[tool.shaderdsl.goldens]\n"goldens/doubled.vjp.wgsl" = "own.py:doubled.vjp"\n'
    (project / "pyproject.toml").write_text(table, "utf-8")
    assert "missing: goldens/doubled.vjp.wgsl" in run("golden")[1]
    assert run("golden", "--update")[0] == 0
    written = (project / "goldens" / "doubled.vjp.wgsl").read_text("utf-8")
    assert written.startswith(
        "// shaderdsl golden, format 1\n// op: own.py:doubled.vjp\n// dialect: naga\n//\n//   given x[i], d_y[i]\n"
    )
    assert "// doubled_vjp_d_x: d_y read, d_x read_write, params uniform; barriers 0, shared bytes 0\n" in written
    (project / "own.py").write_text(OPS.replace("2 * x", "4 * x"), "utf-8")
    os.utime(project / "own.py", ns=(1, 1))
    code, out, _ = run("golden")
    assert code == 1
    assert "-//   d_x[i] = 3 * d_y[i]\n+//   d_x[i] = 5 * d_y[i]\n" in out
    (project / "pyproject.toml").write_text(table.replace('doubled.vjp"', 'rounded.vjp"'), "utf-8")
    assert "broken: goldens/doubled.vjp.wgsl\nerror: rounded has no derivative" in run("golden")[1]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("debug = true", "doubled is an op, which has no debug form"),
        ("statics = { n = 3 }", "doubled is an op, which has no static parameter n"),
    ],
)
def test_golden_rows_that_are_for_kernels_alone(run: Run, project: Path, row: str, message: str) -> None:
    (project / "own.py").write_text(OPS, "utf-8")
    table = f'[tool.shaderdsl.goldens]\n"a.wgsl" = {{ target = "own.py:doubled", {row} }}\n'
    (project / "pyproject.toml").write_text(table, "utf-8")
    code, out, _ = run("golden")
    assert code == 1
    assert f"broken: a.wgsl\nerror: {message}" in out


def test_a_file_that_does_not_import(run: Run, project: Path) -> None:
    (project / "broken.py").write_text("def f():\n    return 1 / 0\n\n\nx = f()\n", "utf-8")
    code, _, err = run("compile", "broken.py:k")
    assert code == 1
    assert "broken.py:2:1: error: " in err
    assert "note: ZeroDivisionError: division by zero" in err
    (project / "syntax.py").write_text("x = = 1\n", "utf-8")
    code, _, err = run("compile", "syntax.py:k")
    assert code == 1
    assert "note: " in err
    assert "SyntaxError" in err


def test_files_import_their_neighbours(run: Run, project: Path) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "neighbour_of_it.py").write_text("FACTOR = 7.0\n", "utf-8")
    text = KERNELS.replace("import shaderdsl as sd", "import shaderdsl as sd\nfrom neighbour_of_it import FACTOR", 1)
    (project / "sub" / "it.py").write_text(text.replace("x[i] * 2", "x[i] * FACTOR"), "utf-8")
    before = list(sys.path)
    code, out, _ = run("compile", "sub/it.py:größe")
    assert code == 0
    assert "7.0f" in out
    assert sys.path == before


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_output_is_right_under_any_encoding(project: Path, encoding: str) -> None:
    for arguments in (["compile", "kernels.py:größe"], ["--help"], ["golden"], ["compile", "kernels.py:nope"]):
        done = process(*arguments, cwd=project, PYTHONIOENCODING=encoding)
        assert b"Traceback" not in done.stderr
        assert done.stdout or done.stderr
    compiled = process("compile", "kernels.py:größe", cwd=project, PYTHONIOENCODING=encoding)
    assert (
        "fn größe(".encode() in compiled.stdout
    )  # WGSL in a pipe or a file is UTF-8, whatever the terminal's encoding


def test_colour_only_where_it_is_wanted(project: Path) -> None:
    plain = process("compile", "kernels.py:größe", cwd=project)
    forced = process("compile", "kernels.py:größe", cwd=project, FORCE_COLOR="1")
    refused = process("compile", "kernels.py:größe", cwd=project, FORCE_COLOR="1", NO_COLOR="1")
    assert b"\x1b" not in plain.stdout
    assert b"\x1b" in forced.stdout
    assert b"\x1b" not in refused.stdout


# golden


@pytest.mark.usefixtures("project")
def test_golden_life(run: Run) -> None:
    code, out, _ = run("golden")
    assert code == 1
    assert "missing: golden_wgsl/a.wgsl\n" in out
    assert "1 finding: run shaderdsl golden --update" in out
    code, out, _ = run("golden", "--update")
    assert code == 0
    assert out.startswith("wrote: golden_wgsl/a.wgsl\n")
    assert out.endswith("1 golden, 1 changed\n")
    assert run("golden") == (0, "1 golden agrees\n", "")


@pytest.mark.usefixtures("project")
def test_golden_json(run: Run) -> None:
    code, out, _ = run("golden", "--json")
    found = json.loads(out)
    assert (code, found["ok"], found["goldens"]) == (1, False, 1)
    assert found["findings"][0]["kind"] == "missing"
    code, out, _ = run("golden", "--update", "--json")
    found = json.loads(out)
    assert (code, found["ok"], found["changes"][0]["file"]) == (0, True, "golden_wgsl/a.wgsl")


def test_golden_from_a_folder_below(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run("golden", "--update")
    (project / "below").mkdir()
    monkeypatch.chdir(project / "below")
    assert run("golden")[0] == 0


def test_golden_update_is_refused_in_ci(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CI", "true")
    code, out, err = run("golden", "--update")
    assert (code, out) == (2, "")
    assert "goldens are not written where CI is set" in err
    assert not (project / "golden_wgsl").exists()


def test_golden_without_a_table(run: Run, project: Path) -> None:
    (project / "pyproject.toml").write_text("[project]\n", "utf-8")
    code, _, err = run("golden")
    assert code == 2
    assert "lists no goldens" in err


def test_golden_of_a_broken_kernel(run: Run, project: Path) -> None:
    (project / "pyproject.toml").write_text(TABLE.replace("größe", "wrong"), "utf-8")
    code, out, _ = run("golden", "--update")
    assert code == 1
    assert "broken: golden_wgsl/a.wgsl" in out
    assert "1 still wrong" in out


# info


def test_info(run: Run) -> None:
    code, out, _ = run("info")
    assert code == 0
    assert f"shaderdsl   {shaderdsl.__version__}\n" in out
    assert "wgpu: llvmpipe" in out
    assert "dawn: SwiftShader" in out
    assert "kernels run on " in out


def test_info_names_a_library_without_an_adapter(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    real = device.enumerate_adapters
    only_wgpu = {device.Backend.WGPU: real(device.Backend.WGPU), device.Backend.DAWN: []}
    monkeypatch.setattr(device, "enumerate_adapters", only_wgpu.__getitem__)
    monkeypatch.delenv(device.VARIABLE, raising=False)
    _, out, _ = run("info")
    assert "dawn: no adapter\n" in out
    assert f"help: {device.no_adapter_hints(device.Backend.DAWN)[0]}\n" in out
    assert "wgpu: no adapter" not in out
    monkeypatch.setattr(device, "DAWN", None)
    assert 'dawn: not installed\nhelp: pip install "shaderdsl[dawn]"\n' in run("info")[1]


def test_info_json(run: Run) -> None:
    code, out, _ = run("info", "--json")
    found = json.loads(out)
    assert (code, found["ok"]) == (0, True)
    assert {"shaderdsl", "python", "numpy", "wgpu", "wgpudawn"} <= set(found["versions"])
    assert {a["device"] for a in found["adapters"]} == {"wgpu", "dawn"}
    assert found["default_device"] in ("wgpu", "dawn")
    assert all("max-buffer-size" in a["limits"] for a in found["adapters"])


def no_adapters(_: device.Backend) -> list[object]:
    return []


def test_info_without_an_adapter(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "enumerate_adapters", no_adapters)
    monkeypatch.delenv(device.VARIABLE, raising=False)
    monkeypatch.setattr(device, "present", {})
    code, out, _ = run("info")
    assert code == 0
    assert "no GPU adapter was found: kernels run on the interpreter" in out
    assert "apt-get install mesa-vulkan-drivers" in out
    assert json.loads(run("info", "--json")[1])["default_device"] == "interpreter"
