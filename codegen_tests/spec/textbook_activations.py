"""The book on activations: every map of the library with its derivative."""

from __future__ import annotations

from codegen_tests.spec.textbook import Row
from codegen_tests.spec.textbook_rows import LIBRARY


def of_one(name: str, slope: str, fault: tuple[str, str], *, positive: bool = False, more: str = "") -> Row:
    """A map of one tensor, by its slope."""
    backward = f"given x[b]{more}, d_y[b]\nd_x[b] = d_y[b] * ({slope})"
    return Row(name, LIBRARY[name], backward, {"b": 2}, fault, positive=("x",) if positive else ())


SIGMA = "1 / (1 + exp(-g[b]))"

ROWS = (
    Row(
        "relu2_gate",
        LIBRARY["relu2_gate"],
        """\
given g[b], u[b], d_h[b]
d_g[b] = d_h[b] * u[b] * 2 * max(0, g[b])
d_u[b] = d_h[b] * max(0, g[b]) ** 2
out(d_g, d_u)""",
        {"b": 1},
        ("* 2", ""),
    ),
    Row(
        "swiglu",
        LIBRARY["swiglu"],
        f"""\
given g[b], u[b], d_h[b]
sig[b] = {SIGMA}
d_g[b] = d_h[b] * u[b] * (sig[b] * (1 + g[b] - g[b] * sig[b]))
d_u[b] = d_h[b] * g[b] * sig[b]
out(d_g, d_u)""",
        {"b": 1},
        ("1 + g[b] - g[b] * sig[b]", "1 + g[b] * sig[b]"),
    ),
    Row(
        "gelu",
        LIBRARY["gelu"],
        """\
given x[b], d_y[b]
t[b] = tanh(0.7978845608028654 * (x[b] + 0.044715 * x[b] ** 3))
in[b] = 0.7978845608028654 * (1 + 3 * 0.044715 * x[b] ** 2)
d_x[b] = d_y[b] * (0.5 * (1 + t[b]) + 0.5 * x[b] * (1 - t[b] ** 2) * in[b])""".replace("in[", "inner["),
        {"b": 1},
        ("3 *", "2 *"),
        constants={"k": 0.7978845608028654, "c": 0.044715},
    ),
    of_one("relu", "where(x[b] > 0, 1, 0)", ("> 0, 1, 0", "> 0, 1, 1")),
    of_one("silu", "(1 + x[b] * (1 - sigmoid(x[b]))) * sigmoid(x[b])", ("(1 - sigmoid(x[b]))", "sigmoid(x[b])")),
    of_one("sigmoid", "exp(-x[b]) / (1 + exp(-x[b])) ** 2", (") ** 2", ")")),
    of_one("tanh", "1 - tanh(x[b]) ** 2", ("1 -", "1 +")),
    of_one("softplus", "1 / (1 + exp(-x[b]))", ("exp(-", "exp(")),
    of_one("exp", "exp(x[b])", ("exp(x[b])", "exp(-x[b])")),
    of_one("log", "1 / x[b]", ("1 / x[b]", "1 / x[b] ** 2"), positive=True),
    of_one("sqrt", "1 / (2 * sqrt(x[b]))", ("2 *", ""), positive=True),
    of_one("rsqrt", "-1 / (2 * x[b] * sqrt(x[b]))", ("-1", "1"), positive=True),
    of_one("clamp", "where(x[b] >= low and x[b] <= high, 1, 0)", ("x[b] >= low and ", ""), more=", low, high"),
    Row(
        "mul",
        LIBRARY["mul"],
        "given a[b2], b[b2], d_y[b2]\nd_a[b2] = d_y[b2] * b[b2]\nd_b[b2] = d_y[b2] * a[b2]\nout(d_a, d_b)",
        {"b": 2, "b2": 2},
        ("d_y[b2] * b[b2]", "d_y[b2] * a[b2]"),
    ),
    Row(
        "div",
        LIBRARY["div"],
        "given a[b2], b[b2], d_y[b2]\nd_a[b2] = d_y[b2] / b[b2]\nd_b[b2] = -d_y[b2] * a[b2] / b[b2] ** 2\nout(d_a, d_b)",
        {"b": 2, "b2": 2},
        ("= -d_y", "= d_y"),
    ),
)
