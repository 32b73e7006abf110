"""The Mersenne Twister behind every random number, drawn in the order PyTorch's CPU generator draws it.

Matsumoto and Nishimura, "Mersenne Twister: A 623-dimensionally equidistributed uniform pseudorandom number generator"
(1998). Blocks are made here with a few array operations; `numpy.random`, which costs 18 ms to import, is only fetched
for long draws or when something else has fetched it already.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

SIZE, SHIFT = 624, 397
_UPPER, _LOWER, _MATRIX = np.uint32(0x80000000), np.uint32(0x7FFFFFFF), np.uint32(0x9908B0DF)
_LONG, _MIDDLE = 100_000, 2_000


def seeded(seed: int) -> np.ndarray[Any, Any]:
    """The 624 words of state that the lower 32 bits of `seed` stand for."""
    word = seed & 0xFFFFFFFF
    words = [word]
    for k in range(1, SIZE):
        word = (1812433253 * (word ^ (word >> 30)) + k) & 0xFFFFFFFF
        words.append(word)
    return np.array(words, np.uint32)


class Twister:
    """A stream of 32-bit words: `key` is the state, `position` how many words of its block were drawn (624: all).

    `fresh` until the first draw: the state is then the seed's and stands for no words yet.  `block`: those words, None
    until one is asked for.
    """

    __slots__ = ("key", "position", "fresh", "block")

    def __init__(self, seed: int) -> None:
        self.restart(seeded(seed), SIZE, fresh=True)

    def restart(self, key: np.ndarray[Any, Any], position: int, fresh: bool = False) -> None:
        """Goes on from this state."""
        self.key = key
        self.position = position
        self.fresh = fresh
        self.block: np.ndarray[Any, Any] | None = None

    def words(self, count: int) -> np.ndarray[Any, Any]:
        """The next `count` words, as uint32; not to be written into."""
        if count > _LONG or (count > _MIDDLE and "numpy.random" in sys.modules):
            return self._long(count)
        parts: list[np.ndarray[Any, Any]] = []
        if not count:
            return self.key[:0]
        while True:
            if self.position == SIZE:
                self._advance()
            block = self.block
            if block is None:
                block = self.block = tempered(self.key)
            part = block[self.position : self.position + count]
            self.position += len(part)
            count -= len(part)
            if not count:
                return np.concatenate((*parts, part)) if parts else part
            parts.append(part)

    def _advance(self) -> None:
        """The next block of state; each word needs the one 227 before it, hence three strides."""
        old = self.key
        mixed = (old & _UPPER) | (np.concatenate((old[1:], old[:1])) & _LOWER)
        mixed = (mixed >> 1) ^ ((mixed & 1) * _MATRIX)
        key = np.empty_like(old)
        step = SIZE - SHIFT
        np.bitwise_xor(old[SHIFT:], mixed[:step], out=key[:step])
        np.bitwise_xor(key[:step], mixed[step : 2 * step], out=key[step : 2 * step])
        np.bitwise_xor(key[step : SHIFT - 1], mixed[2 * step : SIZE - 1], out=key[2 * step : SIZE - 1])
        last = (int(old[-1]) & 0x80000000) | (int(key[0]) & 0x7FFFFFFF)
        key[-1] = int(key[SHIFT - 1]) ^ (last >> 1) ^ (0x9908B0DF if last & 1 else 0)
        self.restart(key, 0)

    def _long(self, count: int) -> np.ndarray[Any, Any]:
        from numpy.random import MT19937

        engine = MT19937()
        state: Any = {"bit_generator": "MT19937", "state": {"key": self.key, "pos": self.position}}
        engine.state = state
        words = engine.random_raw(count).astype(np.uint32)
        after: Any = engine.state["state"]
        self.restart(after["key"], int(after["pos"]))
        return words


def tempered(key: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The words that a block of state stands for."""
    words = key ^ (key >> 11)
    words ^= (words << 7) & np.uint32(0x9D2C5680)
    words ^= (words << 15) & np.uint32(0xEFC60000)
    words ^= words >> 18
    return np.asarray(words)
