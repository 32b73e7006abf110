"""Choose the largest elements in the order of the C++ library, which decides among equal ones in PyTorch.

`nth_element` partitions around medians of three until the k-th element is in its place; `sort` orders those before it
the same way, and short stretches by insertion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

MOST_ELEMENTS = 65536  # more are in the order of their positions: these steps are Python's
_FEW = 16  # elements that `sort` leaves to insertion
_HEAP = 64  # with so many elements for each that is wanted, PyTorch takes a heap instead
Pairs = list[tuple[Any, int]]
Before = Callable[[Any, Any], bool]


def fits(shape: tuple[int, ...], length: int, k: int) -> bool:
    """Return whether `places` gives the order of PyTorch, in a time that is short enough."""
    return 0 < k and k * _HEAP > length and int(np.prod(shape)) <= MOST_ELEMENTS


def places(row: Any, k: int, largest: bool, in_order: bool) -> list[int]:
    """Return the positions of the `k` largest or smallest elements of a row without NaN."""
    pairs: Pairs = [(value, place) for place, value in enumerate(row.tolist())]
    before: Before = (lambda a, b: a[0] > b[0]) if largest else (lambda a, b: a[0] < b[0])
    _nth_element(pairs, k - 1, before)
    if in_order:
        _sort(pairs, k - 1, before)
    return [place for _, place in pairs[:k]]


def _nth_element(pairs: Pairs, nth: int, before: Before) -> None:
    first, last = 0, len(pairs)
    while last - first > 3:
        cut = _partition(pairs, first, last, before)
        if cut <= nth:
            first = cut
        else:
            last = cut
    _insert(pairs, first, last, before)


def _sort(pairs: Pairs, last: int, before: Before) -> None:
    """Sort the pairs before `last`."""
    stretches = [(0, last)]
    while stretches:
        first, end = stretches.pop()
        while end - first > _FEW:
            cut = _partition(pairs, first, end, before)
            stretches.append((cut, end))
            end = cut
    _insert(pairs, 0, last, before)


def _partition(pairs: Pairs, first: int, last: int, before: Before) -> int:
    """Swap the median of three to the front, and pairs around it; return where the second part begins."""
    low, middle, high = first + 1, first + (last - first) // 2, last - 1
    if before(pairs[low], pairs[middle]):
        chosen = middle if before(pairs[middle], pairs[high]) else high if before(pairs[low], pairs[high]) else low
    else:
        chosen = low if before(pairs[low], pairs[high]) else high if before(pairs[middle], pairs[high]) else middle
    pairs[first], pairs[chosen] = pairs[chosen], pairs[first]
    left, right = first + 1, last
    while True:
        while before(pairs[left], pairs[first]):
            left += 1
        right -= 1
        while before(pairs[first], pairs[right]):
            right -= 1
        if left >= right:
            return left
        pairs[left], pairs[right] = pairs[right], pairs[left]
        left += 1


def _insert(pairs: Pairs, first: int, last: int, before: Before) -> None:
    """Sort a stretch by insertion, equal pairs as they are."""
    for place in range(first + 1, last):
        each = pairs[place]
        while place > first and before(each, pairs[place - 1]):
            pairs[place] = pairs[place - 1]
            place -= 1
        pairs[place] = each
