r"""The words of formulas in LaTeX: names, numbers, functions and brackets.

word("x") == "x";  word("eps") == r"\varepsilon";  word("A_log") == r"\mathrm{A\_log}"
"""

from __future__ import annotations

import re

from shaderdsl.spec.notation import Operator

GREEK = {
    **{
        g: rf"\{g}"
        for g in "alpha beta gamma delta zeta eta theta kappa lambda mu nu xi rho sigma tau phi chi psi omega".split()
    },
    "eps": r"\varepsilon",
    "epsilon": r"\varepsilon",
}
COMPARISONS = {
    Operator.EQ: "=",
    Operator.NE: r"\ne",
    Operator.LT: "<",
    Operator.LE: r"\le",
    Operator.GT: ">",
    Operator.GE: r"\ge",
}
NAMED = {
    **{f: rf"\{f}" for f in "exp log sin cos tan sinh cosh tanh max min".split()},
    "asin": r"\arcsin",
    "acos": r"\arccos",
    "atan": r"\arctan",
    "log2": r"\log_{2}",
    "sign": r"\mathrm{sgn}",
}
"""Functions that LaTeX or mathematics has a word for; any other is its name, upright."""

CALLS: dict[str, tuple[str, bool]] = {
    "sqrt": (r"\sqrt{{{}}}", False),
    "rsqrt": (r"\frac{{1}}{{\sqrt{{{}}}}}", True),
    "exp2": ("2^{{{}}}", True),
    "abs": (r"\lvert {} \rvert", False),
    "floor": (r"\lfloor {} \rfloor", False),
    "ceil": (r"\lceil {} \rceil", False),
}
"""Functions of one argument that are written otherwise than as a call, and whether a power of one takes brackets."""

DIGITS = 5
"""Of a longer number these are shown, with dots after them."""
CASES = re.compile(r"\\begin\{cases\}(.*?)\\end\{cases\}")
TALL = re.compile(r"\\frac|\\begin|\\sum|\\prod")


def word(name: str) -> str:
    """A name: one letter leans, a word stands upright."""
    if len(name) == 1:
        return name
    return GREEK.get(name) or rf"\mathrm{{{escaped(name)}}}"


def escaped(name: str) -> str:
    return name.replace("_", r"\_")


def upright(function: str) -> str:
    return NAMED.get(function) or rf"\mathrm{{{escaped(function)}}}"


def brackets(text: str, left: str, right: str) -> str:
    """Brackets as high as what they hold."""
    return rf"\left{left}{text}\right{right}" if TALL.search(text) else f"{left}{text}{right}"


def number_text(value: int | float) -> str:
    """A number, of a long one the first digits."""
    sign, size = ("-", str(value)[1:]) if str(value).startswith("-") else ("", str(value))
    if size == "inf":
        return rf"{sign}\infty"
    mantissa, _, exponent = size.partition("e")
    mantissa = mantissa.removesuffix(".0")
    if isinstance(value, float) and len(re.sub(r"^0\.0*|\.", "", mantissa)) > DIGITS:
        mantissa = rf"{shortened(mantissa)}\ldots"
    if not exponent:
        return f"{sign}{mantissa}"
    power = f"10^{{{int(exponent)}}}"
    return f"{sign}{power}" if mantissa == "1" else rf"{sign}{mantissa} \cdot {power}"


def shortened(mantissa: str) -> str:
    """The first digits that count; a number of many whole digits keeps those."""
    found = re.match(rf"0\.0*\d{{{DIGITS}}}|\d+\.\d{{0,{DIGITS - 1}}}", mantissa)
    return found[0].rstrip(".") if found else mantissa


def visible(text: str) -> int:
    """About how many characters a reader sees in a line; of cases, the longest."""
    text = CASES.sub(lambda m: max(m[1].split(r"\\"), key=len), text)
    text = re.sub(r"\\(?:mathrm|text|partial|left|right|qquad|quad|begin|end)\b|[{}_^&\\]", "", text)
    return len(re.sub(r"[a-z]{3,}|\s+", lambda m: m[0][:4] if m[0].strip() else "", text))
