"""`sd.grad`: gradients of a loss, as more calls of the graph: the derived backward of every op on the way, added up where a tensor is used twice.

    d = sd.grad(loss, {"w": w, "b": b})         # {"w": Tensor, "b": Tensor}

Nothing is saved by hand: a backward names what it needs of its forward, and what both compute is computed once.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from shaderdsl.errors import GraphError, SpecError
from shaderdsl.graph.nest import mapped, walk
from shaderdsl.graph.operators import made, operate
from shaderdsl.graph.record import record
from shaderdsl.graph.tensor import Call, Leaf, Scalar, Tensor, calls_of
from shaderdsl.lang.here import here
from shaderdsl.operation import Op
from shaderdsl.spec.notation import Dtype

Key = tuple[Call | Leaf, str]


@dataclass(frozen=True, slots=True)
class Skip:
    """An edge that no gradient goes along: the tensor, the op that takes it, and why."""

    tensor: str
    op: str
    reason: str


SKIPS: ContextVar[list[Skip] | None] = ContextVar("shaderdsl_skips", default=None)


@contextmanager
def noting_skips() -> Generator[list[Skip]]:
    """Gather the edges that gradients do not go along, while a graph is built."""
    found: list[Skip] = []
    token = SKIPS.set(found)
    try:
        yield found
    finally:
        SKIPS.reset(token)


def grad(loss: Tensor, wrt: Any) -> Any:
    """Gradients of a loss, in the structure of `wrt`.

    loss: a Tensor of no axes, f32. wrt: a Tensor, or dicts, lists and tuples of them. A GraphError names a tensor that the loss does not depend on,
    or the op at which every path to it ends.
    """
    check_loss(loss)
    wanted = {path: check_wanted(path, t) for path, t in walk(wrt, "")}
    found = Backward(loss, wanted).run()

    def gradient(path: str, tensor: Tensor) -> Tensor:
        return found[path] if path in found else refused(path, tensor, loss)

    return mapped(wrt, "", gradient)


def check_loss(loss: Any) -> None:
    if not isinstance(loss, Tensor):
        raise GraphError(
            f"a loss is a tensor, not {loss!r}", here(), hints=["call sd.grad inside what sd.compile takes"]
        )
    if loss.shape or loss.kind is not Dtype.F32:
        raise GraphError(
            f"a loss is one f32, not {loss.dtype} of shape {loss.shape}",
            here(),
            hints=["sum it: an op whose last line is `loss = sum(..) ..`"],
        )


def check_wanted(path: str, tensor: Any) -> Tensor:
    name = path or "the tensor"
    if isinstance(tensor, Scalar):
        raise GraphError(f"{name} is a number of the plan", here(), hints=["gradients are for tensors"])
    if not isinstance(tensor, Tensor):
        raise GraphError(f"{name} is no tensor of this graph", here(), hints=["pass what the ops took"])
    if tensor.kind is not Dtype.F32:
        raise GraphError(f"{name} holds {tensor.dtype}", here(), hints=["gradients are for tensors of f32"])
    return tensor


def refused(path: str, tensor: Tensor, loss: Tensor) -> Tensor:
    """Why there is no gradient."""
    name = path or tensor.name
    uses = [(c, n) for c in calls_of([loss]) for n, t in c.tensors.items() if same(t, tensor)]
    if not uses:
        raise GraphError(f"the loss does not depend on {name}", here(), hints=[f"leave {name} out of sd.grad"])
    listed = [f"{s.op} takes {s.tensor}: {s.reason}" for s in SKIPS.get() or []]
    raise GraphError(
        f"no gradient reaches {name}",
        here(),
        notes=listed,
        hints=[f"leave {name} out of sd.grad, or give the op a derivative: straight_through(f, as=g)"],
    )


def same(a: Tensor, b: Tensor) -> bool:
    return a.source is b.source and a.output == b.output


class Backward:
    """One walk from a loss back to what is wanted."""

    def __init__(self, loss: Tensor, wanted: Mapping[str, Tensor]) -> None:
        self.loss = loss
        self.wanted = wanted
        self.calls = calls_of([loss])
        self.gradients: dict[Key, Tensor] = {}
        self.active = self.on_a_path()

    def on_a_path(self) -> set[Key]:
        """Every tensor of floats that depends on what is wanted by way of floats."""
        active: set[Key] = {(t.source, t.output) for t in self.wanted.values()}
        for call in self.calls:
            if any((t.source, t.output) in active for t in call.tensors.values()):
                active |= {(call, o) for o in call.concrete.spec.outputs}
        return active

    def run(self) -> dict[str, Tensor]:
        """The gradients by path, of those that one reaches."""
        self.gradients[self.loss.source, self.loss.output] = constant((), 1.0)
        for call in reversed(self.calls):
            given = {o: g for o in call.concrete.spec.outputs if (g := self.gradients.get((call, o))) is not None}
            if given and any((t.source, t.output) in self.active for t in call.tensors.values()):
                self.through(call, given)
        found = {p: self.gradients.get((t.source, t.output)) for p, t in self.wanted.items()}
        return {p: g for p, g in found.items() if g is not None}

    def through(self, call: Call, given: Mapping[str, Tensor]) -> None:
        """The gradients of a call's inputs, added to what they have."""
        backward = backward_of(call)
        if isinstance(backward, str):
            self.skip(call, list(call.tensors), backward)
            return
        results = applied(backward, call, given)
        for name, gradient in results.items():
            tensor = call.tensors[name]
            key = (tensor.source, tensor.output)
            before = self.gradients.get(key)
            self.gradients[key] = gradient if before is None else operate("add", before, gradient)
        self.skip(call, [n for n in call.tensors if n not in results], "whole numbers have no derivative")
        self.held_fast(call)

    def held_fast(self, call: Call) -> None:
        """What the formula takes out of its derivative: stop_gradient with its reason, straight_through."""
        noted = SKIPS.get()
        if noted is not None:
            noted += [Skip(s.what, call.operation.name, s.why) for s in call.operation.skipped if s.what]

    def skip(self, call: Call, names: Sequence[str], reason: str) -> None:
        noted = SKIPS.get()
        for name in names:
            tensor = call.tensors[name]
            if noted is not None and (tensor.source, tensor.output) in self.active:
                noted.append(Skip(tensor.name, call.operation.name, reason))


def backward_of(call: Call) -> Op | str:
    """The derived backward of a call's op, or why there is none."""
    try:
        return call.operation.vjp
    except SpecError as error:
        return error.message


def applied(backward: Op, call: Call, given: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The backward called on what the forward took and the gradients of its outputs; those that are missing are zero."""
    spec = backward.spec_at({n: t.shape for n, t in call.tensors.items()})
    arguments: dict[str, Any] = {}
    for taken in spec.inputs:
        name = taken.name
        if name in call.tensors:
            arguments[name] = call.tensors[name]
        elif name in call.scalars:
            arguments[name] = Scalar(call.scalars[name], taken.dtype)
        else:
            output = name.removeprefix("d_")
            arguments[name] = given[output] if output in given else constant(call.concrete.shapes[output], 0.0)
    found: dict[str, Tensor] = record(backward, (), arguments)
    return found


def constant(shape: Sequence[int], value: float) -> Tensor:
    """A tensor of one number."""
    indices = ", ".join(f"i{n} < {size}" for n, size in enumerate(shape))
    found = made("constant", f"y[{indices}] = {value}" if shape else f"y = {value}")
    return record(found, (), {})
