"""`@sd.kernel`: a Python function becomes a kernel that can be read, run and compared.

@sd.kernel(workgroup_size=256)
def scale(k: sd.Kernel, x: Annotated[sd.In[f32], "n"], y: Annotated[sd.Out[f32], "n"], a: sd.Param[f32]) -> None:
    with k.each(x.n) as i:
        y[i] = x[i] * a

scale.wgsl()             # the text
scale(x, a=2.0)          # numpy in, numpy out
"""

from __future__ import annotations

import importlib
import numbers
from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import update_wrapper
from typing import Any, cast, overload

from shaderdsl.corridor import lower, module_of
from shaderdsl.debug import DebugLine
from shaderdsl.errors import LaunchError, SignatureError
from shaderdsl.ir.kernel import Kernel
from shaderdsl.ir.text import kernel_text
from shaderdsl.lang.entry import Options, trace_kernel
from shaderdsl.lang.here import here
from shaderdsl.lang.refusals import article
from shaderdsl.lang.resolve import check_plain, definition_of
from shaderdsl.lang.signature import Binding, Signature, StaticParameter, signature_of
from shaderdsl.wgsl.module import Dialect, emit
from shaderdsl.wgsl.shader import Shader


class KernelProgram:
    """A decorated kernel. Tracing happens at first need and once for each set of static arguments."""

    def __init__(self, function: Callable[..., Any], options: Options) -> None:
        self._function = function
        self._options = options
        self._signature: Signature | None = None
        self._traced: dict[Hashable, Kernel] = {}
        self._lowered: dict[Hashable, Kernel] = {}
        self._shaders: dict[Hashable, Shader] = {}
        update_wrapper(self, function)

    @property
    def signature(self) -> Signature:
        """The parameters, read from the annotations at first need, when their names exist."""
        if self._signature is None:
            self._signature = signature_of(self._function)
        return self._signature

    def trace(self, /, **statics: object) -> Kernel:
        """The IR as traced, before any pass."""
        key = self._key(statics)
        if key not in self._traced:
            self._traced[key] = trace_kernel(self._function, self.signature, self._options, self._filled(statics))
        return self._traced[key]

    def lowered(self, /, *, debug: bool = False, **statics: object) -> Kernel:
        """The IR after all passes: what is written as WGSL."""
        key = (debug, self._key(statics))
        if key not in self._lowered:
            self._lowered[key] = lower(self.trace(**statics), debug=debug)
        return self._lowered[key]

    def shader(self, /, dialect: str = "naga", *, debug: bool = False, **statics: object) -> Shader:
        """Text, bindings, workgroup size, shared bytes and line map. dialect: "naga" or "tint". debug: with k.print and k.assert_."""
        key = (dialect, debug, self._key(statics))
        if key not in self._shaders:
            self._shaders[key] = emit(self.lowered(debug=debug, **statics), dialect_named(dialect))
        return self._shaders[key]

    def launched(self, backend: str, debug: bool, statics: Mapping[str, object], /) -> Shader:
        """The shader that a device runs: Tint's or naga's, the latter with its shared memory cleared, which wgpu-native does not do."""
        if backend == "dawn":
            return self.shader("tint", debug=debug, **statics)
        key = ("wgpu", debug, self._key(statics))
        if key not in self._shaders:
            self._shaders[key] = emit(lower(self.trace(**statics), debug=debug, clear=True), Dialect.NAGA)
        return self._shaders[key]

    def wgsl(self, /, dialect: str = "naga", *, debug: bool = False, **statics: object) -> str:
        """The kernel as WGSL."""
        return self.shader(dialect, debug=debug, **statics).text

    def ir(self, /, *, lowered: bool = False, **statics: object) -> str:
        """The IR as text: as traced, or as it is emitted."""
        return kernel_text(self.lowered(debug=False, **statics) if lowered else self.trace(**statics))

    def __call__(
        self,
        /,
        *arguments: object,
        device: str | None = None,
        groups: Sequence[int] | None = None,
        axes: Mapping[str, int] | None = None,
        debug: Callable[[DebugLine], object] | None = None,
        **named: object,
    ) -> Any:
        """Run the kernel.

        arguments: In, InOut, Param and Static in order or by name; Out buffers are allocated. device: "wgpu", "dawn" or "interpreter", the best
        present if left out. groups: workgroups, for kernels without k.each. axes: sizes of axes that no input has. debug: receives each line of
        k.print, as in debug=print; with it, k.assert_ is checked on devices too. One written buffer is returned
        as it is, several as a dict by name.
        """
        execute = importlib.import_module(
            "shaderdsl.execute"
        )  # devices load when something first runs, not when text is made
        return execute.start(self, arguments, named, device=device, groups=groups, axes=axes or {}, debug=debug)

    def _filled(self, statics: Mapping[str, object]) -> dict[str, object]:
        """Static arguments with their defaults."""
        names = [p.name for p in self.signature.statics]
        unknown = [n for n in statics if n not in names]
        if unknown:
            raise LaunchError(
                f"{self.signature.name} has no static parameter {unknown[0]}",
                here(),
                hints=[f"its static parameters are {', '.join(names) or 'none'}"],
            )
        filled = {p.name: p.default for p in self.signature.statics if p.has_default} | dict(statics)
        missing = [n for n in names if n not in filled]
        if missing:
            raise LaunchError(
                f"{self.signature.name} needs its static parameter {missing[0]}",
                here(),
                hints=[f"give {missing[0]}=..."],
            )
        for parameter in self.signature.statics:
            check_static(parameter, filled[parameter.name])
        return filled

    def _key(self, statics: Mapping[str, object]) -> Hashable:
        filled = self._filled(statics)
        try:
            key = tuple((n, distinct(v)) for n, v in sorted(filled.items()))
            hash(key)
        except TypeError as error:
            raise LaunchError(
                f"a static argument of {self.signature.name} is not hashable",
                here(),
                hints=["give a tuple, not a list or an array"],
            ) from error
        return key

    def _repr_markdown_(self) -> str:
        """A notebook shows the WGSL."""
        if any(not p.has_default for p in self.signature.statics):
            return f"`{self!r}`"
        return f"```rust\n{self.wgsl()}```"

    def __repr__(self) -> str:
        return f"<kernel {self.__name__}, workgroup size {self._options.workgroup_size}>"

    __name__: str


STATIC_KINDS: dict[object, type] = {int: numbers.Integral, float: numbers.Real, bool: bool, str: str}
"""What a static parameter of these annotations takes; numpy's numbers are among them, and any other annotation takes anything."""


def check_static(parameter: StaticParameter, value: object) -> None:
    """A static argument is of its annotation's kind, before the kernel's Python meets it."""
    wanted = STATIC_KINDS.get(parameter.kind, object)
    if not isinstance(value, wanted):
        raise LaunchError(
            f"static parameter {parameter.name} is {getattr(parameter.kind, '__name__', parameter.kind)}, not {value!r}",
            here(),
            hints=["convert it, or change the annotation"],
        )


def distinct(value: object) -> Hashable:
    """A key that tells apart what Python calls equal but a kernel sees: 1, 1.0 and True, 0.0 and -0.0; at any depth of tuples."""
    if isinstance(value, float):
        return (type(value), value.hex())
    kind: type[object] = type(value)
    if isinstance(value, tuple):
        return (kind, *map(distinct, cast("tuple[object, ...]", value)))
    return (kind, cast(Hashable, value))


def dialect_named(name: str) -> Dialect:
    try:
        return Dialect(name)
    except ValueError:
        raise LaunchError(f"there is no dialect {name}", here(), hints=["write naga or tint"]) from None


@overload
def kernel(function: Callable[..., None], /) -> KernelProgram: ...
@overload
def kernel(
    *,
    workgroup_size: int | Sequence[int] = 64,
    entry_point: str | None = None,
    uniform: Binding | None = None,
    directives: Sequence[str] = (),
) -> Callable[[Callable[..., None]], KernelProgram]: ...
def kernel(
    function: Callable[..., None] | None = None,
    /,
    *,
    workgroup_size: int | Sequence[int] = 64,
    entry_point: str | None = None,
    uniform: Binding | None = None,
    directives: Sequence[str] = (),
) -> KernelProgram | Callable[[Callable[..., None]], KernelProgram]:
    """Make a function `f(k: sd.Kernel, ...)` a kernel.

    workgroup_size: invocations along x, or along up to three axes. entry_point: its name in the WGSL, the function's if left out. uniform: where the
    uniform is bound, the next free binding of group 0 if left out. directives: WGSL directives such as "diagnostic(off, derivative_uniformity);".
    """

    def make(plain: Callable[..., None]) -> KernelProgram:
        check_plain(plain, "kernel")
        size = workgroup(workgroup_size, plain)
        lines = tuple(line for text in directives for line in directive(text, plain))
        name = plain.__name__ if entry_point is None else entry(entry_point, plain)
        return KernelProgram(plain, Options(size, name, uniform, lines))

    return make if function is None else make(function)


def workgroup(size: int | Sequence[int], function: Callable[..., Any]) -> tuple[int, int, int]:
    """A workgroup size as three positive numbers."""
    axes: list[Any] = list(size) if isinstance(size, list | tuple) else [size]
    if not 1 <= len(axes) <= 3 or any(not isinstance(a, int) or isinstance(a, bool) or a < 1 for a in axes):
        raise SignatureError(
            f"a workgroup size is one to three positive ints, not {size!r}",
            definition_of(function),
            hints=["write workgroup_size=256, or workgroup_size=(16, 16)"],
        )
    x, y, z = [*axes, 1, 1][:3]
    return (x, y, z)


def entry(name: str, function: Callable[..., Any]) -> str:
    """An entry point's name as the host asks for it, so it cannot be renamed."""
    if not isinstance(name, str) or not name.isidentifier() or name == "_" or name.startswith("__"):
        raise SignatureError(
            f"{name!r} is no name of an entry point", definition_of(function), hints=["write letters, digits and _"]
        )
    return name


def directive(text: str, function: Callable[..., Any]) -> list[str]:
    """Directives with their semicolons, one name each: `enable f16, subgroups` is two."""
    line = " ".join(text.split()).removesuffix(";").rstrip()
    word = line.split(" ")[0].split("(")[0]
    if word not in ("enable", "requires", "diagnostic"):
        raise SignatureError(
            f"{text!r} is no directive of WGSL", definition_of(function), hints=['write "enable f16;"']
        )
    if word == "diagnostic":
        return [f"{line};"]
    return [f"{word} {name.strip()};" for name in line.removeprefix(word).split(",")]


def module_wgsl(*kernels: KernelProgram, dialect: str = "naga") -> str:
    """Several kernels as one module of WGSL, with an entry point each; a structure or function that they share is written once."""
    if not kernels:
        raise LaunchError("a module has at least one kernel", here(), hints=["write sd.module_wgsl(first, second)"])
    other = next((k for k in kernels if not isinstance(k, KernelProgram)), None)
    if other is not None:
        raise LaunchError(
            f"a module is made of kernels, not of {article(type(other).__name__)}",
            here(),
            hints=["decorate it with @sd.kernel"],
        )
    traced = [k.trace() for k in kernels]
    names = [k.entry_point for k in traced]
    double = next((n for n in names if names.count(n) > 1), None)
    if double is not None:
        raise LaunchError(f"{double} is the entry point of two kernels", here(), hints=["give one entry_point=..."])
    return module_of(traced, dialect_named(dialect))[0].text
