"""Old spellings in scripts, such as `FloatTensor(...)`."""

from __future__ import annotations

from typing import Any

from dyncore.dtypes import dtypes
from dyncore.errors.advice import advise
from dyncore.tensors.size import unavailable
from dyncore.tensors.tensor import Tensor, wrap

from .from_data import legacy_array


class tensortype(type):
    """Type of `FloatTensor` and the like: a constructor, and a check of dtypes.

    `isinstance` of one compares the dtype.
    """

    dtype: dtypes.dtype
    is_cuda: bool

    def __call__(cls, *data: Any, device: Any = None) -> Any:
        if cls.is_cuda:
            raise _no_cuda_type(cls.__name__)
        return wrap(legacy_array(data, cls.dtype.numpy), None)

    def __instancecheck__(cls, instance: Any) -> bool:
        return not cls.is_cuda and isinstance(instance, Tensor) and instance._array.dtype == cls.dtype.numpy

    def __repr__(cls) -> str:
        return f"<class 'torch.{'cuda.' if cls.is_cuda else ''}{cls.__name__}'>"


def _no_cuda_type(name: str) -> TypeError:
    error = TypeError(f"type torch.cuda.{name} not available. Torch not compiled with CUDA enabled.")
    for note in unavailable("cuda").__notes__:
        error.add_note(note)
    return error


def _types(is_cuda: bool) -> dict[str, tensortype]:
    types = {}
    for each in dtypes.ALL:
        name = f"{each.title}Tensor"
        types[name] = tensortype(name, (), {"dtype": each, "is_cuda": is_cuda, "__module__": "torch"})
    return types


TYPES = _types(is_cuda=False)
CUDA_TYPES = _types(is_cuda=True)


def dtype_of(kind: Any) -> dtypes.dtype:
    """Return the dtype of `"torch.FloatTensor"` or `torch.FloatTensor`.

    Raises ValueError for no such name.
    """
    if kind is Tensor:
        return dtypes.get_default_dtype()
    if isinstance(kind, tensortype):
        if kind.is_cuda:
            raise unavailable("cuda")
        return kind.dtype
    if isinstance(kind, str):
        if kind.removeprefix("torch.cuda.") in TYPES and kind.startswith("torch.cuda."):
            raise unavailable("cuda")
        if kind == "torch.Tensor":
            return dtypes.get_default_dtype()
        if kind.startswith("torch.") and kind[6:] in TYPES:
            return TYPES[kind[6:]].dtype
    raise ValueError(f"invalid type: {kind!r}")


def set_default_tensor_type(t: Any, /) -> None:
    """Set the default dtype from `torch.DoubleTensor` or its name.

    Prefer `set_default_dtype`.
    """
    advise("set_default_tensor_type")
    dtypes.set_default_dtype(dtype_of(t))
