"""The scalar types: bool_, i32, u32, f32, f16. Calling one converts a value or types a Python number.

f32(0.5)      x.cols.f32      u32(i) + 1
"""

from __future__ import annotations

from typing import NoReturn, Self

from shaderdsl.errors import KernelTypeError
from shaderdsl.ir.operators import BinaryOp, UnaryOp
from shaderdsl.ir.types import BOOL, F16, F32, I32, U32
from shaderdsl.lang.here import here
from shaderdsl.lang.operate import apply, cast, divide, operate
from shaderdsl.lang.value import Value, attach, register


class ScalarValue(Value):
    """A scalar: `type(value)` converts."""

    __slots__ = ()

    def __init__(self, value: Value | bool | int | float) -> None:
        attach(self, cast(value, type(self).type)._expr)


@register
class bool_(ScalarValue):  # noqa: N801 (WGSL's own names)
    """WGSL's bool. `&` and `|` join conditions, `~` negates."""

    __slots__ = ()
    type = BOOL
    __hash__ = object.__hash__

    def __and__(self, other: bool_ | bool) -> bool_:
        return operate(BinaryOp.AND, self, other)

    def __or__(self, other: bool_ | bool) -> bool_:
        return operate(BinaryOp.OR, self, other)

    def __xor__(self, other: bool_ | bool) -> bool_:
        return operate(BinaryOp.NE, self, other)

    def __rand__(self, other: bool) -> bool_:
        return operate(BinaryOp.AND, other, self)

    def __ror__(self, other: bool) -> bool_:
        return operate(BinaryOp.OR, other, self)

    def __rxor__(self, other: bool) -> bool_:
        return operate(BinaryOp.NE, other, self)

    def __invert__(self) -> bool_:
        return apply(UnaryOp.NOT, self)

    def __eq__(self, other: bool_ | bool) -> bool_:  # pyright: ignore[reportIncompatibleMethodOverride] # type: ignore[override]
        return operate(BinaryOp.EQ, self, other)

    def __ne__(self, other: bool_ | bool) -> bool_:  # pyright: ignore[reportIncompatibleMethodOverride] # type: ignore[override]
        return operate(BinaryOp.NE, self, other)

    @property
    def f32(self) -> f32:
        return cast(self, F32)

    @property
    def f16(self) -> f16:
        return cast(self, F16)

    @property
    def i32(self) -> i32:
        return cast(self, I32)

    @property
    def u32(self) -> u32:
        return cast(self, U32)


class Number(ScalarValue):
    """Arithmetic and comparisons that all numeric scalars share."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __add__(self, other: Self | int | float) -> Self:
        return operate(BinaryOp.ADD, self, other)

    def __radd__(self, other: int | float) -> Self:
        return operate(BinaryOp.ADD, other, self)

    def __sub__(self, other: Self | int | float) -> Self:
        return operate(BinaryOp.SUB, self, other)

    def __rsub__(self, other: int | float) -> Self:
        return operate(BinaryOp.SUB, other, self)

    def __mul__(self, other: Self | int | float) -> Self:
        return operate(BinaryOp.MUL, self, other)

    def __rmul__(self, other: int | float) -> Self:
        return operate(BinaryOp.MUL, other, self)

    def __mod__(self, other: Self | int | float) -> Self:
        return divide(BinaryOp.REM, self, other, "%")

    def __rmod__(self, other: int | float) -> Self:
        return divide(BinaryOp.REM, other, self, "%")

    def __floordiv__(self, other: Self | int | float) -> Self:
        return divide(BinaryOp.DIV, self, other, "//")

    def __rfloordiv__(self, other: int | float) -> Self:
        return divide(BinaryOp.DIV, other, self, "//")

    def __truediv__(self, other: Self | int | float) -> Self:
        return divide(BinaryOp.DIV, self, other, "/")

    def __rtruediv__(self, other: int | float) -> Self:
        return divide(BinaryOp.DIV, other, self, "/")

    def __neg__(self) -> Self:
        return apply(UnaryOp.NEGATE, self)

    def __pos__(self) -> Self:
        return self

    def __pow__(self, other: object) -> NoReturn:
        raise no_power()

    def __rpow__(self, other: object) -> NoReturn:
        raise no_power()

    def __lt__(self, other: Self | int | float) -> bool_:
        return operate(BinaryOp.LT, self, other)

    def __le__(self, other: Self | int | float) -> bool_:
        return operate(BinaryOp.LE, self, other)

    def __gt__(self, other: Self | int | float) -> bool_:
        return operate(BinaryOp.GT, self, other)

    def __ge__(self, other: Self | int | float) -> bool_:
        return operate(BinaryOp.GE, self, other)

    def __eq__(self, other: Self | int | float) -> bool_:  # pyright: ignore[reportIncompatibleMethodOverride] # type: ignore[override]
        return operate(BinaryOp.EQ, self, other)

    def __ne__(self, other: Self | int | float) -> bool_:  # pyright: ignore[reportIncompatibleMethodOverride] # type: ignore[override]
        return operate(BinaryOp.NE, self, other)

    @property
    def f32(self) -> f32:
        """Converted to f32."""
        return cast(self, F32)

    @property
    def f16(self) -> f16:
        """Converted to f16."""
        return cast(self, F16)

    @property
    def i32(self) -> i32:
        """Converted to i32: floats are truncated and saturate, u32 keeps its bits."""
        return cast(self, I32)

    @property
    def u32(self) -> u32:
        """Converted to u32: floats are truncated and saturate, i32 keeps its bits."""
        return cast(self, U32)


def no_power() -> KernelTypeError:
    return KernelTypeError("** is not an operator of WGSL", here(), hints=["write x * x, or sd.pow(x, y) for x > 0"])


class Integer(Number):
    """Bit operations of i32 and u32; a shift's right side is u32."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __and__(self, other: Self | int) -> Self:
        return operate(BinaryOp.AND, self, other)

    def __rand__(self, other: int) -> Self:
        return operate(BinaryOp.AND, other, self)

    def __or__(self, other: Self | int) -> Self:
        return operate(BinaryOp.OR, self, other)

    def __ror__(self, other: int) -> Self:
        return operate(BinaryOp.OR, other, self)

    def __xor__(self, other: Self | int) -> Self:
        return operate(BinaryOp.XOR, self, other)

    def __rxor__(self, other: int) -> Self:
        return operate(BinaryOp.XOR, other, self)

    def __lshift__(self, other: u32 | int) -> Self:
        return operate(BinaryOp.SHL, self, other)

    def __rlshift__(self, other: int) -> Self:
        return operate(BinaryOp.SHL, other, self)

    def __rshift__(self, other: u32 | int) -> Self:
        return operate(BinaryOp.SHR, self, other)

    def __rrshift__(self, other: int) -> Self:
        return operate(BinaryOp.SHR, other, self)

    def __invert__(self) -> Self:
        return apply(UnaryOp.COMPLEMENT, self)


@register
class i32(Integer):  # noqa: N801
    """A 32-bit signed integer: wraps; `//` and `%` are refused in favour of sd.div_floor, div_trunc, mod_floor, mod_trunc."""

    __slots__ = ()
    type = I32


@register
class u32(Integer):  # noqa: N801
    """A 32-bit unsigned integer: wraps; `//` and `%` are plain."""

    __slots__ = ()
    type = U32


@register
class f32(Number):  # noqa: N801
    """A 32-bit float."""

    __slots__ = ()
    type = F32


@register
class f16(Number):  # noqa: N801
    """A 16-bit float: the device must offer shader-f16."""

    __slots__ = ()
    type = F16
