"""The elements of a tensor read as plain numbers and take no more room than the array."""

import pickle
import tracemalloc

import numpy as np
import pytest

from dyncli.records.columns import Elements, Kept, Shared, elements


@pytest.mark.parametrize("count", [3, 9])
@pytest.mark.parametrize(
    ("dtype", "third"), [("float32", 0.2), ("float16", 0.2), ("float64", 0.2), ("int64", 2), ("bool", True)]
)
def test_elements_of_few_and_many_are_plain_numbers(count, dtype, third):
    array = np.linspace(0, 0.1 * (count - 1), count) if dtype.startswith("float") else np.arange(count)
    found = elements(array.astype(dtype))
    assert found[2] == third
    assert type(found[2]) is type(third)
    assert list(found)[2] == third
    assert len(found) == count
    assert found[-1] == found[count - 1]


def test_elements_that_are_complex_read_as_text():
    assert elements(np.arange(6) + 1j)[5] == "(5+1j)"


def test_elements_equal_the_tuple_of_them_and_not_another():
    found = elements(np.arange(6, dtype="float32").reshape(2, 3))
    assert found == (0.0, 1.0, 2.0, 3.0, 4.0, 5.0)
    assert (0.0, 1.0, 2.0, 3.0, 4.0, 5.0) == found
    assert found != elements(np.arange(1, 7, dtype="float32"))
    assert hash(found) == hash(tuple(found))
    assert pickle.loads(pickle.dumps(found)) == found
    assert found[1:3] == (1.0, 2.0)


def test_elements_with_nan_differ_as_numbers_do():
    assert elements(np.full(9, np.nan)) != elements(np.full(9, np.nan))


def test_elements_raise_index_error_past_the_end():
    with pytest.raises(IndexError):
        elements(np.arange(9))[9]


def test_elements_stay_when_the_array_is_written():
    array = np.zeros(9, "float32")
    found = elements(array)
    array += 1
    assert found == (0.0,) * 9


def test_elements_of_float32_take_four_bytes_each():
    array = np.random.default_rng(0).random(10_000, dtype="float32")
    tracemalloc.start()
    found = elements(array)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert isinstance(found, Elements)
    assert size < 4.2 * 10_000


def test_small_elements_of_many_tensors_read_as_they_were_and_share_one_buffer():
    rows = np.random.default_rng(0).random((1000, 12), dtype="float32")
    kept = Kept(Shared())
    found = [kept.of(elements(row)) for row in rows]
    assert all(each == tuple(elements(row)) for each, row in zip(found, rows, strict=True))
    assert 1 == len({id(each._column.data) for each in found})


def test_elements_that_agree_in_every_bit_are_one_object():
    kept = Kept(Shared())
    zero = np.zeros(9)
    assert kept.of(elements(zero)) is kept.of(elements(zero.copy()))
    assert kept.of(elements(zero)) is not kept.of(elements(-zero))
    assert kept.of(elements(zero)) is not kept.of(elements(zero.astype("float32")))
    assert kept.of(elements(np.zeros(1000))) == (0.0,) * 1000
