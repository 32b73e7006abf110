"""Summaries of arrays: digests are equal where elements are."""

from __future__ import annotations

import numpy as np
import pytest

from dyncli.recorder.events.summary import digest_of, summary


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_digest_knows_one_nan_and_one_zero(dtype: type) -> None:
    """Neither the sign and the payload of a NaN nor the sign of a zero count; the dtype and the order do."""
    plain = np.array([1, np.nan, 0, 2], dtype)
    bits = {2: np.uint16, 4: np.uint32, 8: np.uint64}[plain.itemsize]
    other = plain.copy()
    other.view(bits)[1] |= np.iinfo(bits).max // 2 + 1 | 1
    other[2] = dtype(-0.0)
    assert plain.tobytes() != other.tobytes()
    assert digest_of(plain) == digest_of(other)
    assert digest_of(plain) != digest_of(plain[::-1])
    assert digest_of(plain[:1]) != digest_of(np.array([1.0009765625], dtype))


def test_digest_of_complex_numbers_knows_one_nan() -> None:
    """Each part by itself."""
    one = np.array([complex(np.nan, 1), complex(-0.0, 2)])
    other = np.array([complex(-np.nan, 1), complex(0.0, 2)])
    assert digest_of(one) == digest_of(other)
    assert digest_of(one) != digest_of(one.conj())


@pytest.mark.parametrize("array, kept", [([1 + 1j], False), ([3 + 4j, 0], True), ([1.0, 2.0], False)])
def test_statistics_of_a_few_complex_numbers_are_kept(array: list[complex], kept: bool) -> None:
    """Those of real ones are taken where they are shown."""
    stats = summary(0, np.array(array)).stats
    assert kept is (stats is not None)
    assert stats is None or stats.max == 5
