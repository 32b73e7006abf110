"""`save` and `load`: the archives of `torch.save`, safetensors and npz."""

from __future__ import annotations

import io
import os
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pickle import UnpicklingError
from typing import IO, Any, BinaryIO, TypeAlias

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.errors.explain import missing_in
from dyncore.tensors.size import device, unavailable
from dyncore.tensors.tensor import Tensor, storage, wrap

from .checkpoint_reader import (
    add_safe_globals as add_safe_globals,
    clear_safe_globals as clear_safe_globals,
    get_safe_globals as get_safe_globals,
    load_archive,
    load_legacy,
    safe_globals as safe_globals,
)
from .checkpoint_writer import Archive

_NAMES = {
    "BOOL": "?", "U8": "u1", "I8": "i1", "I16": "<i2", "U16": "<u2", "I32": "<i4", "U32": "<u4", "I64": "<i8",
    "U64": "<u8", "F16": "<f2", "F32": "<f4", "F64": "<f8", "C64": "<c8",
}  # fmt: skip

# PyTorch's names for what `load` takes; libraries write them in their annotations.
FileLike: TypeAlias = str | os.PathLike[str] | IO[bytes]
MAP_LOCATION: TypeAlias = Callable[[Any, str], Any] | device | str | dict[str, str] | None


def save(obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: int = 2, **_: Any) -> None:
    """Write an object to a path or a binary file, in the format that PyTorch's `load` opens.

    The object is anything that `pickle` takes: tensors, state dicts, modules, the caller's own classes.  A path that
    ends in `.safetensors` gets that format, which holds a dict of tensors.
    Raises PicklingError or TypeError, and leaves no file, for what cannot be saved.
    """
    if isinstance(f, (str, os.PathLike)):
        path = os.fspath(f)
        if path.endswith(".safetensors"):
            data = to_safetensors(obj)
            with open(path, "wb") as file:
                file.write(data)
            return
        pickled = Archive(obj, pickle_protocol)
        with open(path, "wb") as file:
            pickled.write(file, os.path.splitext(os.path.basename(path))[0] or "archive")
    elif hasattr(f, "write"):
        Archive(obj, pickle_protocol).write(f, "archive")
    else:
        raise AttributeError("expected 'f' to be string, path, or a file-like object with a 'write' attribute")


def load(
    f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: bool | None = None, **_: Any
) -> Any:
    """Return what a file of `torch.save` holds, old or new, or a dict of the tensors of a safetensors or npz file.

    weights_only: False also builds modules of `torch.nn` and classes that the program has defined or imported already.
    A file is read as data in any case: nothing that it names is called.
    Raises UnpicklingError for a file that asks for more, and RuntimeError for one that is damaged or of no such format.
    """
    _check_location(map_location)
    options = weights_only is not False, map_location
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            return _loaded(file, os.fspath(f), *options)
    return _loaded(io.BytesIO(f.read()), str(getattr(f, "name", "the file")), *options)


def _check_location(where: Any) -> None:
    if isinstance(where, (str, device)) and device(where).type != "cpu":
        raise unavailable(device(where).type)


def _loaded(file: BinaryIO, name: str, *options: Any) -> Any:
    """Read a file by what it begins with."""
    start, size = file.read(9), file.seek(0, os.SEEK_END)
    file.seek(0)
    try:
        if start.startswith(b"PK\x03\x04"):
            return from_archive(file, size, name, *options)
        if start.startswith(b"\x80") and start[8:] != b"{":
            return load_legacy(file, size, *options)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, ValueError) as error:
        raise RuntimeError(f"'{name}' is no valid archive: {error}") from None
    if len(start) == 9 and start[8:] == b"{" and int.from_bytes(start[:8], "little") <= size - 8:
        return from_safetensors(file.read(), name)
    if start.startswith(b"\x93NUMPY"):
        return _tensor(np.load(file, allow_pickle=False))
    raise RuntimeError(f"'{name}' is no file of torch.save, safetensors or npz, or it is cut short")


# -- safetensors


def _library() -> Any:
    try:
        import safetensors.numpy
    except ImportError:
        error = ImportError("the safetensors package is not installed")
        error.add_note("hint: `pip install safetensors`, or save to a name with another ending")
        raise error from None
    return safetensors


def to_safetensors(tensors: Any) -> bytes:
    """Return a dict of tensors as the bytes of a safetensors file.  Raises TypeError for anything else."""
    if not isinstance(tensors, dict) or not all(
        isinstance(n, str) and isinstance(t, Tensor) for n, t in tensors.items()
    ):
        error = TypeError("a safetensors file holds a dict of names and tensors, nothing nested")
        error.add_note("hint: save `model.state_dict()`, or give the file another suffix, which may hold any nesting")
        raise error
    library = _library()
    arrays = {name: np.ascontiguousarray(storage(t)).reshape(t._array.shape) for name, t in tensors.items()}
    try:
        data: bytes = library.numpy.save(arrays, metadata={"format": "pt"})
    except (KeyError, TypeError, library.SafetensorError) as error:
        raise TypeError(f"safetensors cannot hold one of these dtypes: {error}") from None
    return data


def from_safetensors(data: bytes, name: str = "the file") -> dict[str, Tensor]:
    """Return the tensors in the bytes of a safetensors file, by name; bfloat16 becomes float32."""
    library = _library()
    try:
        found = library.deserialize(data)
    except library.SafetensorError as error:
        raise RuntimeError(f"'{name}' is no valid safetensors file: {error}") from None
    return OrderedDict(sorted((key, _decoded(key, each)) for key, each in found))


def _decoded(name: str, described: dict[str, Any]) -> Tensor:
    kind, data, shape = described["dtype"], bytes(described["data"]), described["shape"]
    if kind == "BF16":
        array = (np.frombuffer(data, "<u2").astype(np.uint32) << 16).view(np.float32)
    elif kind in _NAMES:
        array = np.frombuffer(data, _NAMES[kind]).copy()
    else:
        raise RuntimeError(f"`{name}` has the dtype {kind}, which NumPy has not")
    return _tensor(array.reshape(shape))


def _tensor(array: np.ndarray[Any, Any]) -> Tensor:
    dtypes.of(array.dtype)
    return wrap(array if array.ndim else array[()], None)


# -- zip archives


def from_archive(file: BinaryIO, size: int, name: str, *options: Any) -> Any:
    """Return what an archive of `torch.save` holds, or the arrays of an npz file as a dict of tensors."""
    with zipfile.ZipFile(file) as archive:
        members = archive.namelist()
    if any(each.rpartition("/")[2] == "data.pkl" for each in members):
        return load_archive(file, size, name, *options)
    file.seek(0)
    return from_npz(file, name)


def from_npz(file: BinaryIO, name: str) -> dict[str, Tensor]:
    """Return the arrays of an npz file as tensors.  Raises UnpicklingError for arrays of objects."""
    from tokenize import TokenError  # of a damaged header, from 3.12 on

    try:
        with np.load(file, allow_pickle=False) as found:
            return {key: _tensor(found[key]) for key in found.files}
    except (zipfile.BadZipFile, ValueError, EOFError, TokenError) as error:
        if "allow_pickle" in str(error) or "Object arrays" in str(error):
            raise UnpicklingError(f"'{name}' holds arrays of objects, which are pickles") from None
        raise RuntimeError(f"'{name}' is no valid npz file: {error}") from None


class SourceChangeWarning(Warning):
    """PyTorch's warning that a class has changed since it was saved; never given here, but filtered by scripts."""


__getattr__ = missing_in(__name__)
