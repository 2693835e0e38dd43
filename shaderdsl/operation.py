"""`sd.op`: a formula that runs on devices, with its derivatives.

    softmax = sd.op("softmax", '''
        m[i]    = max(j) x[i, j]
        e[i, j] = exp(x[i, j] - m[i])
        s[i]    = sum(j) e[i, j]
        y[i, j] = e[i, j] / s[i]
    ''')
    y = softmax(x)                              # numpy in, numpy out; resident arrays in, resident out
    d_x = softmax.vjp(x=x, d_y=d_y)["x"]        # derived

Devices load when something first runs, sympy when something is first derived.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from shaderdsl.corridor import module_of
from shaderdsl.errors import SpecError
from shaderdsl.ir.kernel import Kernel
from shaderdsl.lang.here import here
from shaderdsl.program import dialect_named
from shaderdsl.schedule.plain import plan
from shaderdsl.schedule.step import Step
from shaderdsl.spec.dtypes import differentiable, stage_dtypes
from shaderdsl.spec.latex import latex_spec
from shaderdsl.spec.leading import NO_LEADS, Leads, Lengths, Ones, leads_of, with_leads
from shaderdsl.spec.notation import Dtype, OpSpec, TensorInput
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.saved import keeping, reusing
from shaderdsl.spec.skipped import Skipped, skipped

Shapes = Mapping[str, Lengths]
RESERVED = ("device", "self")
"""Names that a call takes for itself."""


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """A spec for arguments of some shapes, and the axes of 1 of its inputs and outputs that it leaves out."""

    spec: OpSpec
    ones: Ones

    def derived(self, found: OpSpec, given: Sequence[str], results: Sequence[str]) -> Made:
        """A derivative. given, results: the tensors that its further inputs and its outputs have the shapes of."""
        further = [i.name for i in found.inputs[len(self.spec.inputs) :]]
        shaped = (*zip(further, given), *zip(found.outputs, results))
        return Made(found, {**self.ones, **{new: self.ones[old] for new, old in shaped if old in self.ones}})


class Op:
    """A formula as a function of arrays. Kernels are made at first need, once for each set of ranks."""

    def __init__(
        self,
        name: str,
        root: OpSpec,
        make: Callable[[Leads], Made],
        results: Sequence[str] | None,
        *,
        base: Op | None = None,
        tangents: int = 0,
        saved: Sequence[str] = (),
        backward: str = "",
    ) -> None:
        """make: the spec for leading axes of a kind. results: names for the outputs. base: what it is derived from; then the spec has no `...`.
        tangents: how often forward mode was taken. saved: stages of the forward that a call may be given.

        backward: the formula of the backward, where it is known for one axis at each `...`.
        """
        self.name = self.__name__ = name
        self._root = root
        self._make = make
        self._results = results
        self._specs: dict[tuple[object, ...], Made] = {}
        self._variants: dict[tuple[Made, tuple[str, ...]], Made] = {}
        self._plains: dict[Made, Op] = {}
        self._steps: dict[tuple[object, ...], tuple[Step, ...]] = {}
        self.ready: dict[tuple[Step, ...], Any] = {}
        self._derived: dict[str, Op] = {}
        self._backward = backward
        self.base = base
        self._tangents = tangents
        self.saved = tuple(saved)

    @property
    def _is_derived(self) -> bool:
        return self.base is not None

    @property
    def spec(self) -> OpSpec:
        """The stages, as values. That of a derivative is for one leading axis, where the formula has `...`.

        A backward has the saved stages that it reads among its inputs.
        """
        return self.spec_at(dict.fromkeys(self.saved, ()))

    @property
    def formula(self) -> str:
        """The spec as text, which parses back."""
        return format_spec(self.spec)

    @property
    def latex(self) -> str:
        """The spec as aligned equations, for documents: `$$` around it, or a GitHub block of `math`."""
        return latex_spec(self.spec)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of what a call takes, in order."""
        return tuple(i.name for i in self.spec.inputs)

    def __call__(self, /, *arguments: Any, device: str | None = None, **named: Any) -> Any:
        """Run on a device.

        arguments: arrays and numbers in the order of `inputs`, or by name; numpy arrays, or resident ones of `sd.array`. device: "wgpu", "dawn"
        or "interpreter", the best present if left out. One output is returned as it is, several as a dict by name.
        """
        return execution().call(self, arguments, named, device)

    def reference(self, /, *arguments: Any, **named: Any) -> Any:
        """The same in float64 numpy, which is what the formula means."""
        return execution().refer(self, arguments, named)

    @property
    def vjp(self) -> Op:
        """Gradients by input name: `f.vjp(x=x, d_y=d_y)["x"]`, derived from the formula; an op itself."""

        names = derivable(self.spec)

        def make(leads: Leads) -> Made:
            made = self._plain(leads)
            if self._backward and leads.key == leads_of(self._root, {}).key:
                found = parse_spec(f"{self.name}.vjp", self._backward)
            else:
                found = derivation("derive").vjp(made.spec)
            return made.derived(found, made.spec.outputs, names)

        return self._derive("vjp", make, names, saved=() if self._is_derived else self._root.saved)

    @property
    def with_saved(self) -> Op:
        """The op that also gives the stages of its `saved(..)`, by name, for its backward: `f.vjp(x=x, d_y=d_y, m=kept["m"])`."""
        if self._is_derived or not self._root.saved:
            raise SpecError(f"{self.name} saves no stage", here(), hints=["add a line to the formula: saved(m)"])
        if "with_saved" not in self._derived:
            self._derived["with_saved"] = of_spec(replace(keeping(self._root), name=f"{self.name}.with_saved"))
        return self._derived["with_saved"]

    @property
    def jvp(self) -> Op:
        """Tangents of the outputs, `t_y`, for tangents of the float inputs: `f.jvp(x=x, t_x=t_x)`; those of `f.jvp.jvp` are `t2_x`."""
        names, order = derivable(self.spec), self._tangents + 1

        def make(leads: Leads) -> Made:
            made = self._plain(leads)
            return made.derived(derivation("forward").jvp(made.spec, order), names, float_outputs(made.spec))

        return self._derive("jvp", make, None, order)

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """What gradients do not flow through, each with the reason: `print(*f.skipped, sep="\\n")`."""
        return skipped(self.spec)

    def kernels(self, /, **shapes: Sequence[int]) -> tuple[Kernel, ...]:
        """What runs, in order. shapes: those of inputs with leading axes, which have one of them if left out."""
        known = {n: self._lengths(n, shape) for n, shape in shapes.items()}
        known |= dict.fromkeys(self.saved, ())
        return tuple(s.kernel for s in self.steps(self.made_at(known), known))

    def _lengths(self, name: str, shape: object) -> Lengths:
        """The shape of an input, as the formula has its axes."""
        given = next((i for i in self._root.inputs if i.name == name and isinstance(i, TensorInput)), None)
        if not isinstance(given, TensorInput):
            tensors = [i.name for i in self._root.inputs if isinstance(i, TensorInput)]
            raise SpecError(
                f"{self.name} has no tensor {name}", here(), hints=[f"its tensors are {', '.join(tensors) or 'none'}"]
            )
        sizes = tuple(cast("Sequence[object]", shape)) if isinstance(shape, tuple | list) else ()
        whole = isinstance(shape, tuple | list) and all(isinstance(n, int) and n >= 0 for n in sizes)
        least = len(given.axes)
        if not whole or len(sizes) < least or (len(sizes) > least and not given.leading):
            raise SpecError(
                f"the shape of {name} is {shape!r}, not {least} sizes" + " or more" * given.leading,
                here(),
                hints=[f"{name}=({', '.join(['2'] * (least + given.leading))},)"],
            )
        return cast("Lengths", sizes)

    def wgsl(self, dialect: str = "naga", /, **shapes: Sequence[int]) -> str:
        """All kernels as one module of WGSL."""
        return module_of(list(self.kernels(**shapes)), dialect_named(dialect))[0].text

    def spec_at(self, shapes: Shapes) -> OpSpec:
        """The spec for inputs of these shapes, as far as they are known; saved stages that have none are computed again."""
        return self.made_at(shapes).spec

    def made_at(self, shapes: Shapes) -> Made:
        """The same, with the axes that it leaves out."""
        made = self._made(leads_of(self._root, shapes) if self._is_derived else NO_LEADS)
        given = tuple(n for n in self.saved if n in shapes)
        if not given:
            return made
        if (made, given) not in self._variants:
            self._variants[made, given] = replace(made, spec=reusing(made.spec, given))
        return self._variants[made, given]

    def _made(self, leads: Leads) -> Made:
        """What is made for some leading axes, once; a refusal that has no place in the formula stands in the line that asked."""
        if leads.key not in self._specs:
            try:
                self._specs[leads.key] = self._make(leads)
            except SpecError as error:
                error.loc = error.loc or here()
                raise
        return self._specs[leads.key]

    def _plain(self, leads: Leads) -> Made:
        """The spec without leading axes."""
        if self._is_derived:
            return self._made(leads)
        return Made(with_leads(self._root, leads), leads.ones)

    def plain(self, made: Made) -> Op:
        """What is made for some shapes, as an op of its own."""
        if made not in self._plains:
            self._plains[made] = of_spec(made.spec)
        return self._plains[made]

    def steps(self, made: Made, shapes: Shapes) -> tuple[Step, ...]:
        """The plain schedule for inputs of these shapes; kernels differ by the numbers of axes only."""
        tensors = [i for i in made.spec.inputs if isinstance(i, TensorInput)]
        ranks = {i.name: len(shapes.get(i.name, (*i.axes, None))) if i.leading else len(i.axes) for i in tensors}
        key = (made, *ranks.items())
        if key not in self._steps:
            self._steps[key] = plan(made.spec, ranks)
        return self._steps[key]

    def named(self, found: Mapping[str, Any], spec: OpSpec) -> Any:
        """Results as the caller gets them: gradients by input name, else one as it is, several by name."""
        if self._results is not None:
            return {name: found[output] for name, output in zip(self._results, spec.outputs)}
        return dict(found) if len(found) > 1 else next(iter(found.values()))

    def _derive(
        self,
        kind: str,
        make: Callable[[Leads], Made],
        results: Sequence[str] | None,
        tangents: int | None = None,
        saved: Sequence[str] = (),
    ) -> Op:
        if kind not in self._derived:
            order = self._tangents if tangents is None else tangents
            self._derived[kind] = Op(
                f"{self.name}.{kind}", self._root, make, results, base=self, tangents=order, saved=saved
            )
        return self._derived[kind]

    def _repr_latex_(self) -> str:
        """A notebook shows the mathematics."""
        return f"$$\n{self.latex}\n$$"

    def __repr__(self) -> str:
        return f"<op {self.name}({', '.join(self.inputs)})>"

    __name__: str


def execution() -> Any:
    """What runs ops."""
    return importlib.import_module("shaderdsl.run_op")


def derivation(room: str) -> Any:
    """What derives, by sympy."""
    return importlib.import_module(f"shaderdsl.spec.{room}")


def op(name: str, formula: str, *, library: Mapping[str, Op | OpSpec] | None = None) -> Op:
    """Make a formula an op. library: ops that lines of the formula may call, by name."""
    spec = parse_spec(checked_name(name), checked_text(name, formula), checked_library(name, library))
    taken = next((i.name for i in spec.inputs if i.name in RESERVED), None)
    if taken is not None:
        raise SpecError(f"an input is called {taken}", here(), hints=["give it another name: a call takes this one"])
    return Op(name, spec, lambda _: Made(spec, {}), None)


def checked_name(name: object) -> str:
    """A name that kernels can have."""
    if isinstance(name, str) and name.isidentifier():
        return name
    raise SpecError(f"an op is called {name!r}, which is no name", here(), hints=['sd.op("softmax", formula)'])


def checked_text(name: str, formula: object) -> str:
    if isinstance(formula, str):
        return formula
    raise SpecError(
        f"the formula of {name} is {formula!r}, not a text", here(), hints=[f'sd.op("{name}", "y[i] = 2 * x[i]")']
    )


def checked_library(name: str, library: object) -> dict[str, OpSpec]:
    """The specs that a formula may call, by name."""
    if library is None:
        return {}
    entries = cast("Mapping[str, object]", library) if isinstance(library, Mapping) else {"": library}
    known: dict[str, OpSpec] = {}
    for called, found in entries.items():
        spec = found.spec if isinstance(found, Op) else found
        if not isinstance(spec, OpSpec):
            raise SpecError(
                f"the library of {name} holds {found!r}, which is no op",
                here(),
                hints=['library={"softmax": softmax}'],
            )
        known[called] = spec
    return known


def with_backward(found: Op, backward: str) -> Op:
    """The op with its backward, as it was derived before for one axis at each `...`: that one is read, any other derived."""
    return Op(found.name, found.spec, lambda _: Made(found.spec, {}), None, backward=backward)


def derivable(spec: OpSpec) -> list[str]:
    """The inputs that gradients are for. Refused where there is nothing to derive."""
    names = differentiable(spec)
    dtypes = stage_dtypes(spec)
    if not names:
        raise SpecError(
            f"{spec.name} has no derivative: it reads no tensor of floats",
            here(),
            hints=["gradients are for inputs of f32"],
        )
    if all(dtypes[o] is not Dtype.F32 for o in spec.outputs):
        raise SpecError(
            f"{spec.name} has no derivative: it gives whole numbers or conditions",
            here(),
            hints=["f32(x) makes a whole number a float"],
        )
    return names


def float_outputs(spec: OpSpec) -> list[str]:
    """The outputs that have tangents."""
    dtypes = stage_dtypes(spec)
    return [o for o in spec.outputs if dtypes[o] is Dtype.F32]


def of_spec(spec: OpSpec) -> Op:
    """An op of a spec as it is."""
    return Op(spec.name, spec, lambda _: Made(spec, {}), None)
