"""`Size` and `device`: small value types that print as PyTorch's."""

from __future__ import annotations

import math
from typing import Any

__capture__ = "replayed"


class Size(tuple[int, ...]):
    """A shape: a tuple of ints that prints as `torch.Size([2, 3])`."""

    __slots__ = ()

    def numel(self) -> int:
        """Return the number of elements of a tensor of this shape."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    __str__ = __repr__

    def __getitem__(self, key: Any) -> Any:
        found = tuple.__getitem__(self, key)
        return Size(found) if isinstance(key, slice) else found

    def __add__(self, other: Any) -> Any:
        return Size(tuple.__add__(self, tuple(other)))

    def __radd__(self, other: Any) -> Any:
        return Size(tuple.__add__(other, self))

    def __mul__(self, times: Any) -> Any:
        return Size(tuple.__mul__(self, times))

    __rmul__ = __mul__

    def __reduce__(self) -> Any:
        return Size, (tuple(self),)


DEVICES = (
    "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy",
    "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone",
)  # fmt: skip


class device:
    """Device of a tensor: `device("cpu")` here, though others may be named.

    Raises RuntimeError for no device.
    """

    __slots__ = ("type", "index")

    type: str
    index: int | None

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        if isinstance(type, device):
            self.type, self.index = type.type, type.index
            return
        if isinstance(type, int):
            raise RuntimeError("Cannot access accelerator device when none is available.")
        if not isinstance(type, str):
            raise TypeError(f"device(): argument 'type' (position 1) must be str, not {type.__class__.__name__}")
        name, colon, number = type.partition(":")
        if name not in DEVICES:
            raise RuntimeError(f"Expected one of {', '.join(DEVICES)} device type at start of device string: {name}")
        if colon and not number.isdigit():
            raise RuntimeError(f"Invalid device string: '{type}'")
        self.type = name
        self.index = int(number) if number else index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __enter__(self) -> device:
        on_meta(self)
        defaults.entered.append(defaults.device)
        defaults.device = self
        return self

    def __exit__(self, *exc: object) -> None:
        defaults.device = defaults.entered.pop()

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        return f"device(type='{self.type}'" + ("" if self.index is None else f", index={self.index}") + ")"

    def __reduce__(self) -> Any:
        return device, (self.type, self.index)


class Defaults:
    """Where tensors are made that name no device: None is the CPU. `entered`: what it was outside each `with` block."""

    def __init__(self) -> None:
        self.device: device | None = None
        self.entered: list[device | None] = []


defaults = Defaults()
META = device("meta")


def on_meta(where: Any) -> bool:
    """Return whether a new tensor is on the meta device.

    where: the device asked for, None for the one of `with torch.device(...)` or the CPU.  Raises as `check_device`.
    """
    if where is None:
        return defaults.device is not None and defaults.device.type == "meta"
    if where.__class__ is str:
        if where == "cpu":
            return False
        where = device(where)
    if where.__class__ is device and where.type == "meta":
        return True
    check_device(where)
    return False


def check_device(where: Any) -> None:
    """Raise as PyTorch without a GPU does for a device other than the CPU."""
    if where is None or where == "cpu":
        return
    if where.__class__.__name__ == "Absent":
        from dyncore.dtypes.dtypes import refused

        raise refused(where)
    found = where if where.__class__ is device else device(where)
    if found.type != "cpu":
        raise unavailable(found.type)


def unavailable(kind: str) -> Exception:
    """Return the error for a device that is not here."""
    error: Exception
    if kind == "cuda":
        error = AssertionError("Torch not compiled with CUDA enabled")
    else:
        error = RuntimeError(f"PyTorch is not linked with support for {kind} devices")
    error.add_note(f"no {'GPU' if kind == 'cuda' else kind} here: dyncore computes on the CPU")
    error.add_note(f"hint: {'leave the device out' if kind == 'meta' else _WITHOUT_GPU}")
    return error


_WITHOUT_GPU = 'leave the device out, or write `"cuda" if torch.cuda.is_available() else "cpu"`, which is "cpu" here'


class _Constant:
    """A named value of PyTorch's that stands for itself."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return self.name


class layout(_Constant):
    """Layout in memory: `strided` is the only one here; the sparse ones are names."""

    __slots__ = ()


class memory_format(_Constant):
    """The order of dimensions in memory: that of copies which ask for one; ops go by the layout NumPy gives them."""

    __slots__ = ()


strided, sparse_coo, sparse_csr, sparse_csc, sparse_bsr, sparse_bsc = (
    layout(name) for name in ("strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc")
)
contiguous_format, channels_last, channels_last_3d, preserve_format = (
    memory_format(name) for name in ("contiguous_format", "channels_last", "channels_last_3d", "preserve_format")
)
