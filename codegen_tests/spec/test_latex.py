"""Specs as LaTeX: what each construct becomes, and that every formula gives well-formed mathematics of few commands."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import shaderdsl as sd
from codegen_tests.ops.library import DEFINITIONS, DERIVED, case
from codegen_tests.spec.formulas import FORMULAS
from shaderdsl.spec.derive import vjp
from shaderdsl.spec.forward import jvp
from shaderdsl.spec.latex import WIDE, latex_spec
from shaderdsl.spec.latex_words import visible
from shaderdsl.spec.notation import OpSpec
from shaderdsl.spec.parse import parse_spec

COMMANDS = set(
    r"""begin end frac sqrt sum prod max min exp log sin cos tan sinh cosh tanh arcsin arccos arctan mathrm text partial dot
    left right lfloor rfloor lceil rceil lvert rvert ldots cdot bmod lor land lnot le ge ne infty qquad quad
    alpha beta gamma delta varepsilon zeta eta theta kappa lambda mu nu xi rho sigma tau phi chi psi omega""".split()
)
"""What MathJax, KaTeX and GitHub's selection of it all have; `operatorname` is not among them."""

LINES = {
    "y[i] = a[i] + b[i] - (c[i] - d[i])": r"y_{i} &= a_{i} + b_{i} - (c_{i} - d_{i})",
    "y[i] = (a[i] + 1) * b[i] * 2": r"y_{i} &= (a_{i} + 1)\,b_{i} \cdot 2",
    "y[i] = a[i] / (b[i] + 1)": r"y_{i} &= \frac{a_{i}}{b_{i} + 1}",
    "y[i] = -a[i] * b[i]": r"y_{i} &= -a_{i}\,b_{i}",
    "y[i] = -(a[i] + b[i])": r"y_{i} &= -(a_{i} + b_{i})",
    "y[i] = a[i] * -2": r"y_{i} &= a_{i}\,(-2)",
    "y[i] = a[i] - -b[i]": r"y_{i} &= a_{i} - (-b_{i})",
    "y[i] = a[i] ** 2 + (a[i] * b[i]) ** -0.5": r"y_{i} &= a_{i}^{2} + (a_{i}\,b_{i})^{-0.5}",
    "y[i] = a[i] ** (b[i] / 2)": r"y_{i} &= a_{i}^{b_{i} / 2}",
    "y[i] = (a[i] ** 2) ** 3": r"y_{i} &= (a_{i}^{2})^{3}",
    "y[i] = tanh(x[i]) ** 2 + sqrt(x[i]) ** 2": r"y_{i} &= \tanh^{2}(x_{i}) + \sqrt{x_{i}}^{2}",
    "y[i] = tanh(x[i]) ** -1": r"y_{i} &= (\tanh(x_{i}))^{-1}",
    "y[i] = rsqrt(x[i] + eps)": r"y_{i} &= \frac{1}{\sqrt{x_{i} + \varepsilon}}",
    "y[i] = exp(x[i] / 2) * softplus(x[i])": r"y_{i} &= \exp\left(\frac{x_{i}}{2}\right)\,\mathrm{softplus}(x_{i})",
    "y[i] = abs(floor(x[i])) + log2(x[i])": r"y_{i} &= \lvert \lfloor x_{i} \rfloor \rvert + \log_{2}(x_{i})",
    "y[i] = stop_gradient(x[i])": r"y_{i} &= \mathrm{stop\_gradient}(x_{i})",
    "y[i] = max(x[i], 0)": r"y_{i} &= \max(x_{i},\,0)",
    "s[i] = sum(j) x[i, j] + 1": r"s_{i} &= \sum_{j} (x_{i,j} + 1)",
    "s[i] = sum(j) x[i, j] / 2 + 1": r"s_{i} &= \sum_{j} \left(\frac{x_{i,j}}{2} + 1\right)",
    "s = max(i, j) x[i, j]": r"s &= \max_{i,j} x_{i,j}",
    "s[i] = prod(j) x[i, j]": r"s_{i} &= \prod_{j} x_{i,j}",
    "s = mean(i, j) x[i, j] ** 2": r"s &= \frac{1}{N_{i}\,N_{j}} \sum_{i,j} x_{i,j}^{2}",
    "s[i] = sum(j < size(i) // 2) x[2 * j, i]": r"s_{i} &= \sum_{j < \lfloor N_{i} / 2 \rfloor} x_{2\,j,i}",
    "given x[i], n: i32\ny[k < n] = x[k - 1]": r"y_{k} &= x_{k - 1}\qquad (k < n)",
    "given x[i]\ny[i] = x[i + 1; 1]": r"y_{i} &= x_{i + 1;\,1}",
    "y[t, c] = w[ids[t], c]": r"y_{t,c} &= w_{\mathrm{ids}_{t},c}",
    "y[i] = i % 2 * x[i] + size(i)": r"y_{i} &= (i \bmod 2)\,x_{i} + N_{i}",
    "y[i] = where(x[i] > 0, x[i], 0)": r"y_{i} &= \begin{cases} x_{i} & \text{if } x_{i} > 0 \\ 0 & \text{otherwise} \end{cases}",
    "y[i] = where(i < 2, a[i], where(i == 3 or a[i] >= 1, 1, 2))": (
        r"y_{i} &= \begin{cases} a_{i} & \text{if } i < 2 \\ 1 & \text{if } i = 3 \lor a_{i} \ge 1 \\ 2 & \text{otherwise} \end{cases}"
    ),
    "y[i] = a[i] * where(i < 2, a[i], 1)": (
        r"y_{i} &= a_{i}\,\left(\begin{cases} a_{i} & \text{if } i < 2 \\ 1 & \text{otherwise} \end{cases}\right)"
    ),
    "y[i] = where(x[i] < 2, 1, 0)": r"y_{i} &= [x_{i} < 2]",
    "y[i] = a[i] * where(i < 2, a[i] + 1, 0)": r"y_{i} &= a_{i}\,[i < 2]\,(a_{i} + 1)",
    "y[i] = a[i] * where(i < 2, 0, b[i])": r"y_{i} &= a_{i}\,[\lnot (i < 2)]\,b_{i}",
    "y[i] = a[i] + where(i < 2, -1, 0)": r"y_{i} &= a_{i} + (-[i < 2])",
    "y[i] = a[i] + (b[i] != 0)": r"y_{i} &= a_{i} + [b_{i} \ne 0]",
    "y[i] = (a[i] > 0 or b[i] > 0) and not a[i] <= b[i]": (
        r"y_{i} &= [(a_{i} > 0 \lor b_{i} > 0) \land \lnot (a_{i} \le b_{i})]"
    ),
    "y[..., i] = x[..., i] * 1.5957691216057308 - 1e30": r"y_{\ldots,i} &= x_{\ldots,i} \cdot 1.5957\ldots - 10^{30}",
    "y[i] = 2.5e-7 * x[i] + 0.001": r"y_{i} &= 2.5 \cdot 10^{-7}\,x_{i} + 0.001",
    "y[i] = theta[i] * A_log[i] + größe[i]": r"y_{i} &= \theta_{i}\,\mathrm{A\_log}_{i} + \mathrm{größe}_{i}",
    "h[b, t] = scan(t) h[b, t - 1] * a[b, t]": r"h_{b,t} &= h_{b,t - 1}\,a_{b,t}\qquad (t = 0, 1, \ldots;\ h_{b,-1} = 0)",
    "h[b, t] = scan(t, start=s[b] + 1) h[b, t + 1] * a[b, t]": (
        r"h_{b,t} &= h_{b,t + 1}\,a_{b,t}\qquad (t = N_{t} - 1, \ldots, 0;\ h_{b,N_{t}} = s_{b} + 1)"
    ),
}


def one(spec: OpSpec) -> str:
    """The only equation of a spec."""
    first, line, last = latex_spec(spec).split("\n")
    assert (first, last) == (r"\begin{aligned}", r"\end{aligned}")
    return line


@pytest.mark.parametrize("formula", LINES)
def test_line(formula: str) -> None:
    assert one(parse_spec("op", formula)) == LINES[formula]


def test_several_carried_values_are_equations_of_their_own() -> None:
    spec = parse_spec("op", "m[t], l[t] = scan(t) max(m[t - 1], x[t]), l[t - 1] + m[t - 1]")
    assert latex_spec(spec).split("\n")[1:-1] == [
        r"m_{t} &= \max(m_{t - 1},\,x_{t})\qquad (m_{-1} = 0) \\",
        r"l_{t} &= l_{t - 1} + m_{t - 1}\qquad (t = 0, 1, \ldots;\ l_{-1} = 0)",
    ]


def test_gradients_and_tangents_are_marked() -> None:
    spec = parse_spec("op", "y[i] = x[i] ** 2")
    assert one(vjp(spec)) == r"\partial x_{i} &= 2\,x_{i}\,\partial y_{i}"
    assert r"\dot{y}_{i} &= " in latex_spec(jvp(spec))
    assert one(parse_spec("op", "y[i] = d_model * t_max * d_w[i]")) == (
        r"y_{i} &= \mathrm{d\_model}\,\mathrm{t\_max}\,\mathrm{d\_w}_{i}"
    )


def test_a_power_of_a_gradient_is_in_brackets() -> None:
    spec = parse_spec("op.vjp", "d_x[i] = d_y[i] ** 2")
    assert one(spec) == r"\partial x_{i} &= (\partial y_{i})^{2}"


def test_long_sums_and_products_go_on() -> None:
    term = "x[i] * exp(a[i] - b[i])"
    lines = latex_spec(parse_spec("op", f"y[i] = {' - '.join([term] * 15)}")).split("\n")[1:-1]
    assert len(lines) > 2
    assert all(line.startswith(r"&\quad - x_{i}") for line in lines[1:])
    product = latex_spec(parse_spec("op", f"y = sum(i) {' * '.join(['softplus(x[i])'] * 12)}")).split("\n")[1:-1]
    assert product[0].startswith(r"y &= \sum_{i} \mathrm{softplus}")
    assert all(line.startswith(r"&\quad \cdot \mathrm{softplus}") for line in product[1:])
    assert "".join(lines).count("exp") == 15
    assert "".join(product).count("softplus") == 12


def test_stages_may_be_left_out() -> None:
    spec, _ = case("softmax")
    assert latex_spec(vjp(spec), ["m", "e", "s", "y"]).count("&=") == 2


def test_ops_have_it() -> None:
    square = sd.op("square", "y[i] = x[i] ** 2")
    assert square.latex == "\\begin{aligned}\ny_{i} &= x_{i}^{2}\n\\end{aligned}"
    assert square.vjp._repr_latex_() == f"$$\n{square.vjp.latex}\n$$"


def faults_of(text: str) -> list[str]:
    """What is wrong with a piece of LaTeX: braces, brackets and environments that do not match, or an unknown command."""
    faults = [f"\\{c}" for c in re.findall(r"\\([a-zA-Z]+)", text) if c not in COMMANDS]
    plain = re.sub(r"\\(?:left|right)?[\[\](){}_]", "", text)
    faults += [f"{a}{b}" for a, b in ("{}", "()", "[]") if plain.count(a) != plain.count(b)]
    if text.count(r"\left") != text.count(r"\right"):
        faults.append("left and right")
    begun, ended = (Counter(re.findall(rf"\\{w}{{(\w+)}}", text)) for w in ("begin", "end"))
    if begun != ended or set(begun) - {"aligned", "cases"}:
        faults.append("environments")
    depth = 0
    for sign in re.findall(r"(?<!\\)[{}]", text):
        depth += 1 if sign == "{" else -1
        if depth < 0:
            faults.append("a brace too much")
    if re.search(r"\}\^\{[^{}]*\}\^", text):
        faults.append("two powers")
    return faults


SPECS = {
    **{name: parse_spec(name, c.formula) for name, c in FORMULAS.items()},
    **{f"ops.{name}": parse_spec(name, d.formula) for name, d in DEFINITIONS.items()},
    **{f"ops.{name}.vjp": vjp(case(name)[0]) for name in DERIVED},
    **{f"ops.{name}.jvp": jvp(case(name)[0]) for name in DERIVED},
}


@pytest.mark.parametrize("name", SPECS)
def test_well_formed(name: str) -> None:
    text = latex_spec(SPECS[name])
    assert faults_of(text) == []
    assert text.count("&=") == sum(len(s.targets) for s in SPECS[name].stages)


def test_faults_are_found() -> None:
    assert faults_of(r"\operatorname{f}") == ["\\operatorname"]
    assert faults_of("x_{i") == ["{}"]
    assert faults_of("(x") == ["()"]
    assert faults_of("}x{") == ["a brace too much"]
    assert faults_of("x_{i}^{2}^{3}") == ["two powers"]
    assert faults_of(r"\left(x)") == ["()", "left and right"]
    assert faults_of(r"\begin{cases} x \end{aligned}") == ["environments"]


def test_the_librarys_lines_are_not_too_wide() -> None:
    wide = [
        n
        for n, s in SPECS.items()
        for line in latex_spec(s).split("\n")
        if n[:4] == "ops." and visible(line) > 2 * WIDE
    ]
    assert sorted(set(wide)) == []
