"""`Generator`: a seed, and the stream of random numbers that follows from it."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from dyncore.tensors.size import check_device, device
from dyncore.tensors.tensor import Tensor, wrap

from .mersenne import SIZE, Twister
from .normal import box_muller

DEFAULT_SEED = 67280421310721
_BITS24, _BITS53 = np.array((1 << 24) - 1, np.uint32), np.uint64((1 << 53) - 1)
_STEP24 = np.array(2.0**-24, np.float32)
_MASK53 = (1 << 53) - 1
_SMALL = 256  # normal numbers of a draw after which more may be made ahead
_MOST_BLOCKS = 16
draws = 0  # how often numbers were drawn from any generator
_HEAD, _TAIL = "<QiiQ", "<dddi4xf?3x"


def drawn() -> int:
    """Return how often numbers were drawn from any generator."""
    return draws


class Generator:
    """A source of random numbers: the same seed gives the same numbers, and PyTorch's on a CPU."""

    __slots__ = ("_seed", "_twister", "_spare", "_spare_float", "_ahead", "_stretch")

    def __init__(self, device: Any = "cpu") -> None:
        check_device(device)
        self._restart(DEFAULT_SEED)

    def _restart(self, seed: int) -> None:
        self._seed = seed
        self._twister: Twister | None = None
        self._spare: float | None = None
        self._spare_float: float | None = None
        self._ahead: tuple[Any, int, Any] | None = None
        self._stretch = -1  # how many blocks are to be made ahead next, -1 before the first small draw

    @property
    def device(self) -> device:
        """`device(type='cpu')`."""
        return device("cpu")

    def manual_seed(self, seed: int) -> Generator:
        """Start again from `seed`.  Raises ValueError for one that does not fit 64 bits."""
        seed = int(seed)
        if not -(2**63) <= seed < 2**64:
            raise ValueError("Overflow when unpacking long long")
        self._restart(seed % 2**64)
        return self

    def initial_seed(self) -> int:
        """Return the seed it was started from."""
        return self._seed

    def seed(self) -> int:
        """Start again from a seed nobody can foretell, and return it."""
        import os

        self._restart(int.from_bytes(os.urandom(8), "little") >> 11)
        return self._seed

    def get_state(self) -> Tensor:
        """Return the whole state as bytes, which PyTorch's `set_rng_state` understands too."""
        twister = self._started()
        left, following = (1, 0) if twister.fresh else (SIZE + 1 - twister.position, twister.position)
        head = struct.pack(_HEAD, self._seed, left, 1, following)
        spares = (0.0, self._spare or 0.0, 0.0, self._spare is not None)
        tail = struct.pack(_TAIL, *spares, self._spare_float or 0.0, self._spare_float is not None)
        return wrap(np.frombuffer(head + twister.key.astype("<u8").tobytes() + tail, np.uint8).copy(), None)

    def held(self) -> tuple[Any, ...]:
        """Return what `put_back` goes on from; nothing of it is written into afterwards, so it is not copied."""
        own = tuple([getattr(self, name) for name in self.__slots__])
        return own, None if self._twister is None else self._twister.held()

    def put_back(self, held: tuple[Any, ...]) -> None:
        """Restore the state that `held` returned."""
        own, twister = held
        for name, value in zip(self.__slots__, own, strict=True):
            setattr(self, name, value)
        if self._twister is not None:
            self._twister.put_back(twister)

    def set_state(self, new_state: Tensor) -> Generator:
        """Restore a state from `get_state`.

        Raises RuntimeError for anything else.
        """
        data = new_state._array.tobytes() if isinstance(new_state, Tensor) else b""
        if not isinstance(new_state, Tensor) or new_state._array.dtype != np.uint8:
            if not isinstance(new_state, Tensor):
                raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
            raise TypeError("RNG state must be a torch.ByteTensor")
        if len(data) != struct.calcsize(_HEAD) + 8 * SIZE + struct.calcsize(_TAIL):
            raise RuntimeError(
                "Expected a CPUGeneratorImplState of size 5056 but found the input RNG state size to be "
                f"{new_state._array.size}"
            )
        self._seed, left, _, following = struct.unpack_from(_HEAD, data)
        _, spare, _, valid, spare_float, float_valid = struct.unpack_from(_TAIL, data, 24 + 8 * SIZE)
        key = np.frombuffer(data, "<u8", SIZE, 24).astype(np.uint32)
        self._twister = Twister.__new__(Twister)
        self._twister.restart(key, SIZE if left == 1 else following, fresh=following == 0)
        self._spare = spare if valid else None
        self._spare_float = spare_float if float_valid else None
        return self

    def clone_state(self) -> Generator:
        """Another generator in the same state."""
        return Generator().set_state(self.get_state())

    graphsafe_get_state = clone_state

    def __reduce__(self) -> Any:
        return _restored, (self.get_state(),)

    # -- draws

    def _started(self) -> Twister:
        global draws
        draws += 1
        if self._twister is None:
            self._twister = Twister(self._seed)
        return self._twister

    def words(self, count: int) -> np.ndarray[Any, Any]:
        """Return the next `count` 32-bit words."""
        return self._started().words(count)

    def long_words(self, count: int) -> np.ndarray[Any, Any]:
        """Return the next `count` 64-bit words; the first 32 bits drawn are the upper ones."""
        words = self._started().words(2 * count).astype(np.uint64)
        return (words[0::2] << np.uint64(32)) | words[1::2]

    def blocks(self, count: int) -> np.ndarray[Any, Any]:
        """Return `count` standard normal float32 numbers, a multiple of 16, writable.

        After the first small draw more are made than needed: the rest of a block of the twister, then twice as many
        blocks each time.
        """
        twister = self._started()
        if self._ahead is not None:
            flat, first, made = self._ahead
            place = twister.base + twister.position - first
            if flat is twister.flat and not place % 16 and 0 <= place <= len(made) - count:
                twister.skip(count)
                taken: np.ndarray[Any, Any] = made[place : place + count].copy()
                return taken
            if place % 16:  # other numbers were drawn in between
                self._stretch = -1
        self._ahead = None
        if count > _SMALL or self._stretch < 0:
            self._stretch = max(self._stretch, 0) if count <= _SMALL else self._stretch
            return box_muller(_as_floats(twister.words(count)), 0.0, 1.0)
        flat = twister.flat
        start = twister.base + twister.position
        if flat is None or len(flat) - start < count:
            flat = twister.stretch(max(self._stretch, 1 if SIZE - twister.position % SIZE < count else 0))
            start = twister.position
        self._stretch = min(max(2 * self._stretch, 1), _MOST_BLOCKS)
        stop = start + (min(len(flat) - start, self._stretch * SIZE)) // 16 * 16
        made = box_muller(_as_floats(flat[start:stop]), 0.0, 1.0)
        self._ahead = flat, start, made
        twister.skip(count)
        return made[:count].copy()

    def floats(self, count: int) -> np.ndarray[Any, Any]:
        """float32 numbers in [0, 1), of 24 random bits each."""
        return _as_floats(self.words(count))

    def doubles(self, count: int) -> np.ndarray[Any, Any]:
        """float64 numbers in [0, 1), of 53 random bits each."""
        return (self.long_words(count) & _BITS53) * 2.0**-53

    def few_doubles(self, count: int) -> list[float]:
        """Return `doubles` as a list, which is faster for a few."""
        words = self._started().words(2 * count).tolist()
        return [(((a << 32) | b) & _MASK53) * 2.0**-53 for a, b in zip(words[0::2], words[1::2], strict=True)]

    def normals(self, count: int) -> np.ndarray[Any, Any]:
        """Draw standard normal float64 numbers, made in pairs; the second of a last pair is kept for the next call."""
        found: list[Any] = []
        if self._spare is not None and count:
            found.append(self._spare)
            self._spare = None
        pairs = (count - len(found) + 1) // 2
        if pairs > 64:
            uniforms = self.doubles(2 * pairs)
            radius = np.sqrt(-2.0 * np.log1p(-uniforms[1::2]))
            angle = 2.0 * math.pi * uniforms[0::2]
            drawn = np.stack((radius * np.cos(angle), radius * np.sin(angle)), 1).ravel()
            result = np.concatenate((np.array(found), drawn))
        else:
            numbers = self.few_doubles(2 * pairs)
            for first, second in zip(numbers[0::2], numbers[1::2], strict=True):
                length, turn = math.sqrt(-2.0 * math.log1p(-second)), 2.0 * math.pi * first
                found += (length * math.cos(turn), length * math.sin(turn))
            result = np.array(found, np.float64)
        if len(result) > count:
            self._spare = float(result[count])
            result = result[:count]
        return result


def _as_floats(words: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    made = (words & _BITS24).astype(np.float32)
    made *= _STEP24
    return made


def _restored(state: Tensor) -> Generator:
    return Generator().set_state(state)


default_generator = Generator()


_refused: str | None = None


@contextmanager
def refused(sentence: str) -> Iterator[None]:
    """Make drawing random numbers raise RuntimeError with `sentence` inside a block."""
    global _refused
    before, _refused = _refused, sentence
    try:
        yield
    finally:
        _refused = before


def generator_of(given: Any) -> Generator:
    """Return `given`, or the default generator for None.

    Raises TypeError for anything else, RuntimeError inside `refused`.
    """
    if _refused is not None:
        raise RuntimeError(_refused)
    if given is None:
        return default_generator
    if not isinstance(given, Generator):
        raise TypeError(f"expected a torch.Generator, got {type(given).__name__}")
    return given
