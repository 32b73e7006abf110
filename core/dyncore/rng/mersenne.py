"""Mersenne Twister behind every random number, in PyTorch's order on a CPU.

Matsumoto and Nishimura, "Mersenne Twister: A 623-dimensionally equidistributed uniform pseudorandom number generator"
(1998). Blocks are made here with a few array operations; `numpy.random`, which is slow to import, is only used for long
draws or when something else has imported it already.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

SIZE, SHIFT = 624, 397
# As arrays without dimensions, which NumPy takes in half the time of a number.
_UPPER, _LOWER, _MATRIX, _ONE = (np.array(n, np.uint32) for n in (0x80000000, 0x7FFFFFFF, 0x9908B0DF, 1))
_SHIFTS = tuple(np.array(n, np.uint32) for n in (11, 7, 15, 18))
_MASKS = tuple(np.array(n, np.uint32) for n in (0x9D2C5680, 0xEFC60000))
_LONG, _MIDDLE = 100_000, 2_000


def seeded(seed: int) -> np.ndarray[Any, Any]:
    """Return the 624 words of state that the lower 32 bits of `seed` stand for."""
    word = seed & 0xFFFFFFFF
    words = [word]
    for k in range(1, SIZE):
        word = (1812433253 * (word ^ (word >> 30)) + k) & 0xFFFFFFFF
        words.append(word)
    return np.array(words, np.uint32)


class Twister:
    """A stream of 32-bit words: `key` is the state, `position` how many words of its block were drawn (624: all).

    `fresh` until the first draw: the state is then the seed's and stands for no words yet.  `block`: those words, None
    until one is asked for.  `flat`: the words of several blocks that `stretch` made at once, in which the block begins
    at `base`; `ahead`: the state and the words of those still to come, the next one last.
    """

    __slots__ = ("key", "position", "fresh", "block", "flat", "base", "ahead")

    def __init__(self, seed: int) -> None:
        self.restart(seeded(seed), SIZE, fresh=True)

    def restart(self, key: np.ndarray[Any, Any], position: int, fresh: bool = False) -> None:
        """Continue from this state."""
        self.key = key
        self.position = position
        self.fresh = fresh
        self.block: np.ndarray[Any, Any] | None = None
        self.flat: np.ndarray[Any, Any] | None = None
        self.base = 0
        self.ahead: list[tuple[Any, Any]] = []

    def held(self) -> tuple[Any, ...]:
        """Return what `put_back` goes on from."""
        return self.key, self.position, self.fresh, self.block, self.flat, self.base, list(self.ahead)

    def put_back(self, held: tuple[Any, ...]) -> None:
        """Restore the state that `held` returned."""
        self.key, self.position, self.fresh, self.block, self.flat, self.base, ahead = held
        self.ahead = list(ahead)

    def stretch(self, count: int) -> np.ndarray[Any, Any]:
        """Return the words of the block that is drawn from next and of `count` blocks after it, made at once."""
        if self.position == SIZE:
            self._advance()
        keys = [self.key]
        for _ in range(count):
            keys.append(following(keys[-1]))
        self.flat = flat = tempered(np.concatenate(keys))
        self.base, self.block = 0, flat[:SIZE]
        self.ahead = [(keys[k], flat[SIZE * k : SIZE * (k + 1)]) for k in range(count, 0, -1)]
        return flat

    def skip(self, count: int) -> None:
        """Advance by `count` words."""
        while count:
            if self.position == SIZE:
                self._advance()
            step = min(count, SIZE - self.position)
            self.position += step
            count -= step

    def words(self, count: int) -> np.ndarray[Any, Any]:
        """Return the next `count` words, as uint32; not to be written into."""
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
        """Advance to the next block."""
        if not self.ahead:
            self.restart(following(self.key), 0)
            return
        self.key, self.block = self.ahead.pop()
        self.base += SIZE
        self.position = 0
        self.fresh = False

    def _long(self, count: int) -> np.ndarray[Any, Any]:
        from numpy.random import MT19937

        engine = MT19937()
        state: Any = {"bit_generator": "MT19937", "state": {"key": self.key, "pos": self.position}}
        engine.state = state
        words = engine.random_raw(count).astype(np.uint32)
        after: Any = engine.state["state"]
        self.restart(after["key"], int(after["pos"]))
        return words


def following(old: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the next block of state; each word needs the one 227 before it, hence three strides."""
    mixed = old & _UPPER
    lower = old & _LOWER
    mixed[:-1] |= lower[1:]
    mixed[-1] |= lower[0]
    odd = np.bitwise_and(mixed, _ONE, out=lower)
    odd *= _MATRIX
    mixed >>= _ONE
    mixed ^= odd
    key = np.empty_like(old)
    step = SIZE - SHIFT
    np.bitwise_xor(old[SHIFT:], mixed[:step], out=key[:step])
    np.bitwise_xor(key[:step], mixed[step : 2 * step], out=key[step : 2 * step])
    np.bitwise_xor(key[step : SHIFT - 1], mixed[2 * step : SIZE - 1], out=key[2 * step : SIZE - 1])
    last = (int(old[-1]) & 0x80000000) | (int(key[0]) & 0x7FFFFFFF)
    key[-1] = int(key[SHIFT - 1]) ^ (last >> 1) ^ (0x9908B0DF if last & 1 else 0)
    return key


def tempered(key: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the words that a block of state stands for."""
    words = key >> _SHIFTS[0]
    words ^= key
    spare = words << _SHIFTS[1]
    spare &= _MASKS[0]
    words ^= spare
    np.left_shift(words, _SHIFTS[2], spare)
    spare &= _MASKS[1]
    words ^= spare
    words ^= np.right_shift(words, _SHIFTS[3], spare)
    return words
