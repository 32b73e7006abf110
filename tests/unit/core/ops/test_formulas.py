"""Formulas taken for one real dtype compute what the written ones do, to the bit."""

import operator
import warnings
from types import FunctionType

import numpy as np
import pytest

from dyncore.binding.lazy import load_all
from dyncore.dispatch.formulas.ufuncs import prepared
from dyncore.dispatch.registry import TABLE
from dyncore.dtypes.dtypes import F32, F64
from dyncore.dtypes.supported import for_floats

load_all()
ELEMENTWISE = sorted(
    (name, key) for name, op in TABLE.items() if op.kind in ("unary", "binary") for key in ("forward", *op.rules)
)


def arguments(formula, dtype, scalar):
    """Operands for every parameter, or None for a formula with parameters of another kind."""
    random = np.random.default_rng(0)
    given = []
    for _ in range(formula.__code__.co_argcount):
        value = random.uniform(0.1, 0.9, 5).astype(dtype)
        given.append(value[0] if scalar else value)
    return given


@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("scalar", [False, True], ids=["arrays", "scalars"])
def test_prepared_formulas_give_the_same_bits(dtype, scalar):
    """Constants that are arrays, C functions and conjugations left out change no bit and no dtype of any op."""
    steps = written = 0
    for name, key in ELEMENTWISE:
        op = TABLE[name]
        formula = for_floats(op.forward if key == "forward" else op.rules[key])
        made = prepared(formula, dtype, scalar, formula.__code__.co_argcount)
        if made is formula:
            continue
        given = arguments(formula, dtype, scalar)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = formula(*given)
            actual = given[0] if made is None else made(*given)
        assert np.asarray(expected).dtype == np.asarray(actual).dtype, (name, key)
        assert np.array_equal(expected, actual, equal_nan=True), (name, key)
        steps += not isinstance(made, FunctionType)
        written += isinstance(made, FunctionType)
    assert steps > 70
    assert written > 50


def test_formulas_of_one_step_are_the_function_called():
    """A formula that makes one call is that function of C; one that returns the gradient is None."""
    assert operator.mul is prepared(lambda g, other: g * other.conj(), F32, False, 2)
    assert operator.neg is prepared(lambda g: -g, F32, False, 1)
    assert np.tanh is prepared(lambda input: np.tanh(input), F32, False, 1)
    assert prepared(lambda g: g, F32, False, 1) is None
    relu = prepared(lambda input: np.maximum(0, input), F32, False, 1)
    assert (np.maximum, F32) == (relu.func, relu.args[0].dtype)


def test_formulas_that_ask_for_more_than_ufuncs_stay_as_they_are_written():
    """A question for the values, a keyword, a method or another function leave the formula as it is."""
    for formula in (
        lambda g, other: other,
        lambda g, other: g * other if g.size > 3 else g + other,
        lambda g, other: g * other if g > 0 else g,
        lambda g, other: np.multiply(g, other, out=g),
        lambda g, other: np.add.outer(g, other),
        lambda g, other: (g * other).sum(),
        lambda g, other: np.where(other > 0, g, 0),
    ):
        assert formula is prepared(formula, F32, False, 2)


@pytest.mark.parametrize("scalar", [False, True], ids=["array", "scalar"])
def test_numbers_beside_arrays_become_arrays(scalar):
    """An operand of an array is an array of its dtype; an exponent stays a number, since NumPy squares for it."""
    kind = F32.type if scalar else np.ndarray
    for formula in (lambda g, result: g * (1 - result * result), lambda g, result: g * 2.5 + result):
        made = prepared(formula, F32, scalar, 2)
        constants = [value for value in made.__globals__.values() if isinstance(value, (np.ndarray, np.generic))]
        assert [(kind, F32)] == [(type(each), each.dtype) for each in constants]
    made = prepared(lambda g, input: g * input**2, F32, scalar, 2)
    assert 2 in made.__globals__.values()


def test_result_that_is_used_twice_is_computed_once():
    """The slope of a formula is a variable of the text."""
    calls = []

    def slope(value):
        calls.append(value)
        return value

    step = np.frompyfunc(slope, 1, 1)

    def formula(g, result):
        found = step(result)
        return g * found * found

    made = prepared(formula, F32, True, 2)
    assert made is not formula
    calls.clear()
    assert 18 == made(2, 3)
    assert [3] == calls


@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_formulas_in_one_array_give_the_same_bits(dtype):
    """Writing over what the step before has made changes no bit and nothing that is given, however that lies."""
    written = 0
    for name in ("tanh", "sigmoid", "rsqrt", *(name for name, _ in ELEMENTWISE)):
        op = TABLE[name]
        if op.kind != "unary":
            continue
        for formula in (op.forward, *op.rules.values()):
            formula = for_floats(formula)
            count = formula.__code__.co_argcount
            made = prepared(formula, dtype, False, count, in_one=True)
            if "function" not in getattr(made, "__globals__", {}):
                continue
            written += 1
            random = np.random.default_rng(1)
            first = random.uniform(0.1, 0.9, (6, 4)).astype(dtype)
            for given in (
                first,
                first.T,
                first[::2, 1:],
                np.broadcast_to(first[0], (3, 4)),
                first[:0],
                first[0, 0, ...],
            ):
                operands = [
                    given,
                    *(random.uniform(0.1, 0.9, given.shape).astype(dtype)[...] for _ in range(count - 1)),
                ]
                before = [each.copy() for each in operands]
                expected, actual = formula(*operands), made(*operands)
                assert (expected.dtype, type(expected)) == (actual.dtype, type(actual)), name
                assert np.array_equal(expected, actual), name
                assert all(np.array_equal(one, two) for one, two in zip(before, operands, strict=True)), name
    assert written > 10


def test_only_chains_of_ufuncs_are_written_in_one_array():
    """A formula that uses a result twice, has one step or makes another dtype, is written as an expression."""

    def twice(g, result):
        slope = 1 - result
        return g * slope * slope

    for formula in (twice, lambda g, result: g * 2, lambda g, result: g * (result > 0)):
        assert "function" not in prepared(formula, F32, False, 2, in_one=True).__globals__
    assert "function" in prepared(lambda g, result: g * (1 - result), F32, False, 2, in_one=True).__globals__


def test_prepared_formulas_see_closures_and_defaults():
    """A formula may use names of the function around it, and have options."""
    factor = 3

    def formula(g, *, times=2):
        return g.conj() * times * factor

    assert 12.0 == prepared(formula, F64, True, 1)(np.float64(2))
