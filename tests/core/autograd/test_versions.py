"""Counts of writes end with the memory they are about."""

from __future__ import annotations

import numpy as np

from dyncore.graph import versions


def test_arrays_that_stand_for_one_scalar_are_forgotten_with_their_memory():
    """A later array may get the number that Python gave one of them."""
    scalar = np.float32(1.0)
    arrays = [np.asarray(scalar) for _ in range(3)]
    for each in arrays:
        versions.replaced(scalar, each)
    versions.bump(arrays[0])
    assert [versions.version(each) for each in arrays] == [1, 1, 1]
    numbers = [id(each) for each in arrays]
    del arrays, each
    assert not any(number in versions._written for number in numbers)
