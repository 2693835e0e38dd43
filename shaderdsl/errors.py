"""Diagnostics: every error a user can cause, as a typed record that names place, reason and fix.

    kernel.py:12:9: error: cannot multiply f32 and i32 [type]
       12 |     y[i] = x[i] * i
          |            ^^^^^^^^ f32 * i32
    help: convert the i32 with .f32

Messages are one lower-case sentence without a full stop. A user's mistake is a `ShaderError`; our own is an `InternalError`,
which is never a `ShaderError`, so that nobody catches the two together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol

from shaderdsl.source import Span


class Location(Protocol):
    """Anything that can say where it is: `source.Loc` for Python, a span of a formula or of WGSL text."""

    def span(self) -> Span: ...


@dataclass(frozen=True, slots=True)
class Related:
    """A second place that explains the first: the barrier's condition, the earlier declaration."""

    label: str
    loc: Location


class ShaderError(Exception):
    """A mistake in the user's program, with everything needed to mend it.

    message: one lower-case sentence. loc: the smallest span at fault, or None where there is no source (a bad argument of a launch).
    label: what stands under the carets. related: other places. notes: facts. hints: fixes that can be typed in.
    """

    code: ClassVar[str] = "error"

    def __init__(
        self,
        message: str,
        loc: Location | None = None,
        *,
        label: str = "",
        related: Sequence[Related] = (),
        notes: Sequence[str] = (),
        hints: Sequence[str] = (),
    ) -> None:
        self.message = message
        self.loc = loc
        self.label = label
        self.related = tuple(related)
        self.notes = tuple(notes)
        self.hints = tuple(hints)
        super().__init__(message)

    def __str__(self) -> str:
        return render(self)

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows: the diagnostic, without the compiler's frames (IPython's protocol)."""
        return [f"{type(self).__name__}: ", *render(self).splitlines()]


class TraceError(ShaderError):
    """The Python around the kernel does something that a trace cannot express."""

    code = "trace"


class KernelTypeError(ShaderError):
    """Operand, argument or element types do not agree."""

    code = "type"


class ScopeError(ShaderError):
    """A value is used outside the block that defines it, or a name is rebound across a block."""

    code = "scope"


class ConstantError(ShaderError):
    """A constant expression overflows, divides by zero or leaves its builtin's domain; a literal has no exact form."""

    code = "constant"


class SignatureError(ShaderError):
    """A kernel's, function's or struct's declaration is wrong."""

    code = "signature"


class LimitError(ShaderError):
    """The kernel needs more than the device or the profile grants; the arithmetic is in the message."""

    code = "limit"


class SpecError(ShaderError):
    """A formula is wrong; the caret stands in the formula."""

    code = "spec"


class GraphError(ShaderError):
    """A graph of ops asks for what is not there: elements while it is built, a gradient along a path that has none."""

    code = "graph"


class LaunchError(ShaderError):
    """An argument of a launch does not fit the kernel's signature."""

    code = "launch"


class DeviceError(ShaderError):
    """No adapter, no driver, a lost device, a feature that is absent, memory that is not there."""

    code = "device"


class DriverError(ShaderError):
    """A driver's compiler refused the WGSL; the message is mapped back to the Python line."""

    code = "driver"


class AssertionFailed(ShaderError):  # noqa: N818 (what happened, as pytest says it)
    """A `k.assert_` does not hold for some invocation."""

    code = "assertion"


class GoldenError(ShaderError):
    """A golden file is missing, orphaned, malformed or different."""

    code = "golden"


class TargetError(ShaderError):
    """A `path.py:kernel` that names no file, no module or no kernel."""

    code = "target"


class InternalError(Exception):
    """A fault of shaderdsl itself; please report it."""


def render(error: ShaderError) -> str:
    """The whole diagnostic as text, in the form that the module's docstring shows."""
    lines: list[str] = []
    if error.loc is None:
        lines.append(f"error: {error.message} [{error.code}]")
    else:
        lines += excerpt(error.loc.span(), f"error: {error.message} [{error.code}]", error.label)
    for related in error.related:
        lines += excerpt(related.loc.span(), f"note: {related.label}", "")
    lines += [f"note: {note}" for note in error.notes]
    lines += [f"help: {hint}" for hint in error.hints]
    return "\n".join(lines)


def excerpt(span: Span, headline: str, label: str) -> list[str]:
    """`path:line:column: headline`, then the source line and carets; the function's name where there is no source."""
    first = f"{span.path}:{span.line}:{span.column}: {headline}"
    if not span.source:
        return [first, f"  in {span.function}, line {span.line}"] if span.function else [first]
    margin = f"{span.line:5d} | "
    end = span.end_column if span.end_line == span.line else len(span.source) + 1
    carets = " " * (span.column - 1) + "^" * max(end - span.column, 1)
    under = " " * (len(margin) - 2) + "| " + carets
    return [first, margin + span.source, f"{under} {label}".rstrip()]
