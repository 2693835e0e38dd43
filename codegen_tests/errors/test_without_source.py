"""Where there is no source text, an error still names the function and the line."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from shaderdsl.errors import ScopeError, SignatureError

KERNEL = """
from typing import Annotated
import shaderdsl as sd
from shaderdsl import f32

@sd.kernel
def leak(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"]) -> None:
    with k.each(x.n) as i:
        with k.if_(x[i] > 0):
            t = x[i]
        y[i] = t

@sd.kernel
def untyped(k: sd.Kernel, x) -> None:
    x[0]
"""


def namespace() -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec(compile(KERNEL, "<no source>", "exec", dont_inherit=True), found)
    return found


def test_traced_line() -> None:
    with pytest.raises(ScopeError) as caught:
        namespace()["leak"].wgsl()
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("<no source>:11:")
    assert lines[1] == "  in leak, line 11"


def test_declaration() -> None:
    with pytest.raises(SignatureError) as caught:
        namespace()["untyped"].wgsl()
    assert str(caught.value).splitlines()[1] == "  in untyped, line 13"


def test_python_c() -> None:
    done = subprocess.run([sys.executable, "-c", KERNEL + "\nleak.wgsl()"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "a value is used outside the block that defines it [scope]" in done.stderr
    assert "in leak, line 11" in done.stderr or "y[i] = t" in done.stderr
