"""`Size` and `device`: small value types that print as PyTorch's."""

from __future__ import annotations

import math
from typing import Any


class Size(tuple[int, ...]):
    """A shape: a tuple of ints that prints as `torch.Size([2, 3])`."""

    __slots__ = ()

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    __str__ = __repr__

    def __getitem__(self, key: Any) -> Any:
        found = tuple.__getitem__(self, key)
        return Size(found) if isinstance(key, slice) else found

    def __add__(self, other: Any) -> Any:
        return Size(tuple.__add__(self, tuple(other)))

    def __reduce__(self) -> Any:
        return Size, (tuple(self),)


class device:
    """Where a tensor lives: there is only the CPU.  Raises RuntimeError for any other type."""

    __slots__ = ("type", "index")

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        if isinstance(type, device):
            type, index = type.type, type.index
        name, _, number = str(type).partition(":")
        if name not in ("cpu", "cuda", "mps", "meta", "xpu"):
            raise RuntimeError(
                "Expected one of cpu, cuda, mps, meta, xpu device type at start of device string: " + str(type)
            )
        self.type = name
        self.index = int(number) if number else index

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            other = device(other)
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        return f"device(type='{self.type}'" + ("" if self.index is None else f", index={self.index}") + ")"


def check_device(where: Any) -> None:
    """Raises RuntimeError for a device other than the CPU."""
    if where is None:
        return
    found = device(where)
    if found.type != "cpu":
        error = RuntimeError(f"no {found.type.upper()} here: dyncore computes on the CPU")
        error.add_note("hint: leave out the device, or ask `torch.cuda.is_available()` first, which answers False")
        raise error
