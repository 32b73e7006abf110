"""Counts of writes end with the memory they are about."""

from __future__ import annotations

import numpy as np

import dyncore
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


def test_version_counts_every_write_though_old_stamps_are_dropped():
    """Only the last writes are kept with their ranks; the number of all is not lost."""
    x = dyncore.zeros(3)
    for count in range(1, 2501):
        x.add_(1)
        if count % 250 == 0:
            assert count == x._version
