"""The usual operations, written as formulas, are what numpy says they are: at size 1, at primes and composed."""

from __future__ import annotations

import numpy as np
import pytest

from codegen_tests.spec.formulas import FORMULAS
from shaderdsl.spec.parse import parse_spec
from shaderdsl.spec.print import format_spec
from shaderdsl.spec.reference import evaluate


@pytest.mark.parametrize("size", [1, 2, 5, 7, 13])
@pytest.mark.parametrize("name", FORMULAS)
def test_reference_is_the_direct_meaning(name: str, size: int) -> None:
    case = FORMULAS[name]
    arguments = case.draw(np.random.default_rng(size), size)
    found = evaluate(parse_spec(name, case.formula), arguments)
    for output, expected in case.meaning(**arguments).items():
        assert found[output].shape == expected.shape
        np.testing.assert_allclose(found[output], expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", FORMULAS)
def test_text_parses_back(name: str) -> None:
    spec = parse_spec(name, FORMULAS[name].formula)
    assert parse_spec(name, format_spec(spec)) == spec


def test_a_wrong_formula_is_found() -> None:
    case = FORMULAS["softmax"]
    wrong = parse_spec("softmax", case.formula.replace("exp(x[..., j] - m[...])", "exp2(x[..., j] - m[...])"))
    arguments = case.draw(np.random.default_rng(0), 3)
    assert not np.allclose(evaluate(wrong, arguments)["y"], case.meaning(**arguments)["y"])


def test_one_spec_calls_others() -> None:
    """A block by calls: the same as its parts one after the other."""
    library = {n: parse_spec(n, FORMULAS[n].formula) for n in ("rms_norm", "linear", "swiglu")}
    block = parse_spec(
        "block",
        """
        n = rms_norm(x, gain, eps=1e-6)
        g = linear(n, wg, b)
        u = linear(n, wu, b)
        h = swiglu(g, u)
        y[t, c] = x[t, c] + h[t, c]
        """,
        library,
    )
    random = np.random.default_rng(3)
    x, gain, wg, wu, b = (random.normal(size=s) for s in ((5, 4), (4,), (4, 4), (4, 4), (4,)))
    found = evaluate(block, {"x": x, "gain": gain, "wg": wg, "wu": wu, "b": b})["y"]
    n = FORMULAS["rms_norm"].meaning(x=x, g=gain, eps=1e-6)["y"]
    h = FORMULAS["swiglu"].meaning(g=n @ wg.T + b, u=n @ wu.T + b)["h"]
    np.testing.assert_allclose(found, x + h, rtol=1e-12)
    assert [i.name for i in block.inputs] == ["x", "gain", "wg", "b", "wu"]
    assert "n_r" in block.saved


def test_complex_step_is_the_derivative() -> None:
    spec = parse_spec("f", FORMULAS["rms_norm"].formula)
    random = np.random.default_rng(4)
    x, g, d = random.normal(size=(2, 5)), random.normal(size=5), random.normal(size=(2, 5))
    complex_y = evaluate(spec, {"x": x + 1e-30j * d, "g": g, "eps": 1e-6}, np.complex128)["y"]
    step = np.imag(complex_y) / 1e-30
    wide = [evaluate(spec, {"x": x + h * d, "g": g, "eps": 1e-6})["y"] for h in (1e-6, -1e-6)]
    np.testing.assert_allclose(step, (wide[0] - wide[1]) / 2e-6, rtol=1e-7, atol=1e-8)
