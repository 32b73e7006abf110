"""Formulas taken for one real dtype compute what the written ones do, to the bit."""

import operator
import warnings

import numpy as np
import pytest

from dyncore.binding.lazy import load_all
from dyncore.dispatch.formulas.constants import elementwise, operands, real
from dyncore.dispatch.formulas.ufuncs import in_one_array, single_step
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
def test_elementwise_formulas_give_the_same_bits(dtype, scalar):
    """Constants that are arrays and conjugations left out change no bit and no dtype of any op's formulas."""
    compared = 0
    for name, key in ELEMENTWISE:
        op = TABLE[name]
        formula = op.forward if key == "forward" else op.rules[key]
        made = elementwise(formula, dtype, scalar)
        given = arguments(formula, dtype, scalar)
        try:
            with np.errstate(all="ignore"), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = formula(*given)
        except (TypeError, RuntimeError):
            continue
        with np.errstate(all="ignore"):
            actual = made(*given)
        assert np.asarray(expected).dtype == np.asarray(actual).dtype, (name, key)
        assert np.array_equal(expected, actual, equal_nan=True), (name, key)
        compared += made is not formula
    assert compared > 20


@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
@pytest.mark.parametrize("scalar", [False, True], ids=["arrays", "scalars"])
def test_formulas_of_one_step_give_the_same_bits(dtype, scalar):
    """The C function that is called in place of a formula computes what the formula does, for every op."""
    compared = 0
    for name, key in ELEMENTWISE:
        op = TABLE[name]
        formula = elementwise(for_floats(op.forward if key == "forward" else op.rules[key]), dtype, scalar)
        made = single_step(formula, dtype, formula.__code__.co_argcount)
        if made is formula:
            continue
        given = arguments(formula, dtype, scalar)
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = formula(*given)
            actual = given[0] if made is None else made(*given)
        assert np.asarray(expected).dtype == np.asarray(actual).dtype, (name, key)
        assert np.array_equal(expected, actual, equal_nan=True), (name, key)
        compared += 1
    assert compared > 40


def test_only_formulas_of_one_step_are_replaced():
    """What does more, in another order, with a number of its own or with a question for the values stays."""
    assert operator.mul is single_step(lambda g, other: g * other.conj(), F32, 2)
    assert operator.neg is single_step(lambda g: -g, F32, 1)
    assert np.tanh is single_step(lambda input: np.tanh(input), F32, 1)
    assert single_step(lambda g: g, F32, 1) is None
    for formula in (
        lambda g, other: other * g,
        lambda g, other: g * other * other,
        lambda g, other: g * g,
        lambda g, other: g * 2,
        lambda g, other: other,
        lambda g, other: g * other if g.size > 3 else g + other,
        lambda g, other: g * other if g > 0 else g,
        lambda g, other: np.multiply(g, other, out=g),
        lambda g, other: np.add.outer(g, other),
    ):
        assert formula is single_step(formula, F32, 2)


@pytest.mark.parametrize("dtype", [F32, F64], ids=["float32", "float64"])
def test_formulas_in_one_array_give_the_same_bits(dtype):
    """Writing over what the step before has made changes no bit and nothing that is given, however that lies."""
    written = 0
    for name in ("tanh", "sigmoid", "rsqrt", *(name for name, _ in ELEMENTWISE)):
        op = TABLE[name]
        if op.kind != "unary":
            continue
        for formula in (op.forward, *op.rules.values()):
            formula = elementwise(for_floats(formula), dtype, False)
            count = formula.__code__.co_argcount
            made = in_one_array(formula, dtype, count)
            if made is formula:
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
    """What uses a result twice, or is not the same for all arrays of a shape, stays as it is written."""

    def twice(g, result):
        slope = 1 - result
        return g * slope * slope

    for formula in (
        twice,
        lambda g, result: g * result,
        lambda g, result: g * (result > 0),
        lambda g, result: np.where(result > 0, g, 0),
        lambda g, result: g * (1 - result) if g.size > 2 else g,
        lambda g, result: (g * result).sum(),
    ):
        made = elementwise(formula, F32, False)
        assert made is in_one_array(made, F32, 2)


def test_constants_beside_arrays_are_found():
    """An operand of an array is turned into one; an exponent, an axis and a factor of a constant are not."""
    assert [1] == _found(lambda g, result: g * (1 - result * result))
    assert [] == _found(lambda g, input: g * input**2)
    assert [] == _found(lambda g, axis: g.sum(axis=3))
    assert [] == _found(lambda g: g * (2 / np.pi))
    assert [] == _found(lambda g, input: g if input.size > 3 else g * 3)
    assert [0] == _found(lambda input: np.maximum(input, 0))


def _found(formula):
    return [formula.__code__.co_consts[place] for place in operands(formula.__code__)]


def test_real_formulas_do_not_conjugate():
    """The call of `conj` is jumped over, wherever it stands; the other code runs as it is written."""

    class Real:
        """What would be noticed."""

        def conj(self):
            raise AssertionError

        def __mul__(self, other):
            return "product"

    made = real(lambda g, other: (g * other.conj(), other.conj().__class__.__name__))
    assert ("product", "Real") == made(Real(), Real())


def test_real_formulas_keep_their_closures_and_defaults():
    """A formula made for a dtype has the names its text refers to."""
    factor = 3

    def formula(g, *, times=2):
        return g.conj() * times * factor

    assert 12.0 == real(formula)(np.float64(2))
    assert 6.0 == elementwise(formula, F64, True)(np.float64(2), times=1)
