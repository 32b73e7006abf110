"""Several values in few words: the first, the last, and one between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item")

#: Of those that differ from the first only in what is not written, no more than this are asked.
MOST_ASKED = 64


def spread(items: Sequence[Item], write: Callable[[Item], str], same: Callable[[Item, Item], bool]) -> list[str]:
    """Return what the first and the last came to, once if all came to it.

    same: whether two need not be written to know that they come to the same.

    >>> alike = int.__eq__
    >>> [spread(each, str, alike) for each in ([1, 2, 3], [2, 0, 2], [2, 2, 2], [4])]
    [['1', '3'], ['2', '0', '2'], ['2'], ['4']]
    """
    first, last = write(items[0]), write(items[-1])
    if first != last:
        return [first, last]
    asked = 0
    for item in items[1:-1]:
        if same(item, items[0]):
            continue
        between = write(item)
        if between != first:
            return [first, between, last]
        asked += 1
        if asked == MOST_ASKED:
            break
    return [first]


def ends(texts: Iterable[str]) -> str:
    """Return the first and the last of several texts, and one between if both are alike and it is not."""
    return " … ".join(spread([*texts], str, str.__eq__))
