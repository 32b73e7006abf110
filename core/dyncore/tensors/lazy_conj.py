"""Arrays that are another's conjugate or negative, element by element, and stay so when either is written.

NumPy has no such view, so a mirror has memory of its own: the image of the stretch of memory its source looks at.
Views of the image lie in it as the views of the source lie in theirs, and a write into one is copied into the other
(`versions.bump` asks for that).  So PyTorch's lazy `conj()` and the negative view that `imag` of one is are
views here too: they share versions, histories and values with what they were made of.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from dyncore.graph import versions
from dyncore.graph.modes import current


class _Image(weakref.ref[Any]):
    """A reference to the root of an image that knows its key after the image is gone."""

    __slots__ = ("key",)

    def __init__(self, image: Any, callback: Any) -> None:
        super().__init__(image, callback)  # type: ignore[call-arg]
        self.key = id(image)


class Mirror:
    """source: the root of the memory that is mirrored.  start: where in it, in bytes, the image begins.

    image: the root of the image, weakly: with it goes the mirror.  conj, neg: what is done to each number.
    """

    __slots__ = ("source", "start", "image", "conj", "neg")

    def __init__(self, source: Any, start: int, image: Any, conj: bool, neg: bool) -> None:
        self.source = source
        self.start = start
        self.image = _Image(image, _forget)
        self.conj = conj
        self.neg = neg

    @staticmethod
    def reflect(array: Any, mirrors: list[Mirror]) -> None:
        """Copy memory that was written to all its mirrors."""
        follow(array, mirrors)


_mirrors: dict[int, Mirror] = {}  # by the id of the image's root


def _forget(gone: Any) -> None:
    """Forget an image that is gone."""
    mirror = _mirrors.pop(gone.key)
    versions.part(mirror.source, mirror)


def mirrored(array: Any, conj: bool = False, neg: bool = False) -> Any:
    """Return the conjugate or negative of `array`, or both, as an array that follows it; of a mirror its source."""
    root = versions.owner(array)
    mirror = _mirrors.get(id(root))
    if mirror is not None and mirror.conj == conj and mirror.neg == neg:
        return _at(mirror.source, array, _address(array) - _address(root) + mirror.start)
    if array is root and array.ndim and array.flags.c_contiguous:
        start, image = 0, _turned(array, conj, neg)
        made = image
    else:
        first, size = _stretch(array)
        image = np.empty(size // array.itemsize, array.dtype)
        start = first - _address(root) if size else 0
        _copy(_at(root, image, start), image, conj, neg)
        made = np.ndarray(array.shape, array.dtype, image, _address(array) - first, array.strides)
    mirror = _mirrors[id(image)] = Mirror(root, start, image, conj, neg)
    versions.join(root, image, mirror)
    return made


def _turned(array: Any, conj: bool, neg: bool) -> Any:
    found = np.conjugate(array) if conj else array
    return np.negative(found) if neg else found


def _address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def _stretch(array: Any) -> tuple[int, int]:
    """Return the address of the first byte an array looks at, and how many bytes lie from there to its last."""
    if not array.size:
        return _address(array), 0
    low, high = np.lib.array_utils.byte_bounds(array)
    return low, high - low


def _lines(root: Any) -> Any:
    """Return the memory of an array that has no gaps, in one dimension."""
    if root.ndim > 1 and not root.flags.c_contiguous:
        root = root.transpose(sorted(range(root.ndim), key=lambda axis: -root.strides[axis]))
    return root.reshape(-1)


def _at(root: Any, like: Any, offset: int) -> Any:
    """Return what of the memory of `root` lies from `offset` on as `like` lies in its own."""
    return np.ndarray(like.shape, like.dtype, _lines(root), offset if like.size else 0, like.strides)


def _copy(array: Any, into: Any, conj: bool, neg: bool) -> None:
    """Write the numbers of `array`, turned, into another."""
    if conj:
        np.conjugate(array, out=into)
    elif neg:
        np.negative(array, out=into)
    if conj and neg:
        np.negative(into, out=into)


def follow(array: Any, mirrors: list[Mirror]) -> None:
    """Copy memory that was written to its images and its source, and from there on."""
    tape = current().tape
    if tape is not None:
        tape.refuse("writes what a lazy conjugate looks at")
    _spread(versions.owner(array), mirrors, None)


def _spread(root: Any, mirrors: list[Mirror], came: Mirror | None) -> None:
    for mirror in mirrors:
        source, image = mirror.source, mirror.image()
        if mirror is came or image is None or (root is not source and root is not image):
            continue
        there = _at(source, image, mirror.start)
        if root is source:
            _copy(there, image, mirror.conj, mirror.neg)
            _spread(image, mirrors, mirror)
        else:
            _copy(image, there, mirror.conj, mirror.neg)
            _spread(source, mirrors, mirror)


def located(array: Any) -> tuple[int, bool, bool]:
    """Return the address of `array` in the memory that all its mirrors go back to, and whether it is turned.

    The latter as PyTorch's two bits: conjugate, negative.
    """
    root = versions.owner(array)
    address = _address(array) if isinstance(array, np.ndarray) else 0
    conj = neg = False
    mirror = _mirrors.get(id(root))
    while mirror is not None:
        source = mirror.source
        neg ^= mirror.neg
        if array.dtype.kind == "c":
            conj ^= mirror.conj
        elif mirror.conj and root.dtype.kind == "c":
            neg ^= _is_imaginary_at(address - _address(root), array.itemsize)
        address = address - _address(root) + _address(source) + mirror.start
        root = source
        mirror = _mirrors.get(id(root))
    return address, conj, neg


def _is_imaginary_at(offset: int, item: int) -> bool:
    return offset // item % 2 == 1


def as_turned(array: Any, like: Any) -> Any:
    """Return a mirror of `array` that is turned as `like` is; itself where that is not."""
    _, conj, neg = located(like)
    return mirrored(array, conj, neg) if conj or neg else array


def bits(tensor: Any) -> tuple[bool, bool]:
    """Return whether the tensor is a lazy conjugate, and a lazy negative."""
    if not _mirrors or tensor._array.__class__ is not np.ndarray:
        return False, False
    return located(tensor._array)[1:]


def reflects(view: Any, base: Any) -> bool:
    """Return whether one of two arrays looks at a mirror of memory that the other looks at."""
    if not _mirrors or base.__class__ is not np.ndarray:
        return False
    first, second = versions.owner(view), versions.owner(base)
    return (id(first) in _mirrors or id(second) in _mirrors) and versions.stamps(view) is versions.stamps(base)
