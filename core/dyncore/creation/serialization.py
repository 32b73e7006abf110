"""`save` and `load`: tensors and their containers, as safetensors or npz.

Never as a pickle, which can run any code.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.errors.explain import missing_in
from dyncore.tensors.size import Size, device, unavailable
from dyncore.tensors.tensor import Tensor, storage, wrap

__dyncore__ = True

_STRUCTURE = "__structure__"
_NAMES = {
    "BOOL": "?", "U8": "u1", "I8": "i1", "I16": "<i2", "U16": "<u2", "I32": "<i4", "U32": "<u4", "I64": "<i8",
    "U64": "<u8", "F16": "<f2", "F32": "<f4", "F64": "<f8", "C64": "<c8",
}  # fmt: skip

_CONTAINERS: dict[str, Any] = {"size": Size, "tuple": tuple, "list": list, "set": set}


def save(obj: Any, f: Any, pickle_module: Any = None, pickle_protocol: int = 2, **_: Any) -> None:
    """Write tensors to a path or a binary file, alone or in containers.

    Containers are dicts, lists, numbers and strings, nested in any way.
    A path that ends in `.safetensors` gets that format, which holds a dict of tensors and which PyTorch reads too;
    any other gets npz.  Raises TypeError for objects of other kinds.
    """
    as_safetensors = isinstance(f, (str, os.PathLike)) and os.fspath(f).endswith(".safetensors")
    if not isinstance(f, (str, os.PathLike)) and not hasattr(f, "write"):
        raise AttributeError("expected 'f' to be string, path, or a file-like object with a 'write' attribute")
    data = to_safetensors(obj) if as_safetensors else to_npz(obj)
    if isinstance(f, (str, os.PathLike)):
        with open(f, "wb") as file:
            file.write(data)
    else:
        f.write(data)


def load(
    f: Any, map_location: Any = None, pickle_module: Any = None, *, weights_only: bool | None = None, **_: Any
) -> Any:
    """Return what `save` wrote to this path or binary file.

    Any safetensors or npz file is read as a dict of tensors.
    Raises RuntimeError for a pickle, such as PyTorch's `.pt`, and for a file that is neither.
    """
    _check_location(map_location)
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            return _loaded(file, os.fspath(f))
    return _loaded(f, getattr(f, "name", "the file"))


def _check_location(where: Any) -> None:
    if isinstance(where, (str, device)) and device(where).type != "cpu":
        raise unavailable(device(where).type)


def _loaded(file: BinaryIO, name: str) -> Any:
    data = file.read()
    if data[:4] == b"PK\x03\x04":
        return from_npz(data, name)
    if len(data) > 9 and data[8:9] == b"{" and int.from_bytes(data[:8], "little") <= len(data) - 8:
        return from_safetensors(data, name)
    if data[:1] == b"\x80":
        raise _is_pickle(name)
    if data[:6] == b"\x93NUMPY":
        return _tensor(np.load(io.BytesIO(data), allow_pickle=False))
    raise RuntimeError(f"'{name}' is neither a safetensors nor an npz file, or it is cut short")


def _is_pickle(name: str) -> RuntimeError:
    error = RuntimeError(
        f"'{name}' is a pickle, which can run any code when it is read; dyncore reads safetensors and npz"
    )
    error.add_note(
        "hint: convert it once where PyTorch is installed: "
        f"`safetensors.torch.save_file(torch.load({name!r}), 'model.safetensors')`"
    )
    return error


# -- safetensors


def _library() -> Any:
    try:
        import safetensors.numpy
    except ImportError:
        error = ImportError("the safetensors package is not installed")
        error.add_note("hint: `pip install safetensors`, or save to a name that ends in `.npz`")
        raise error from None
    return safetensors


def to_safetensors(tensors: Any) -> bytes:
    """Return a dict of tensors as the bytes of a safetensors file.

    Raises TypeError for anything else.
    """
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
    """Return the tensors in the bytes of a safetensors file, by name.

    bfloat16 becomes float32.
    """
    library = _library()
    try:
        entries = library.deserialize(data)
    except library.SafetensorError as error:
        raise RuntimeError(f"'{name}' is no valid safetensors file: {error}") from None
    return OrderedDict(sorted((key, _decoded(key, each)) for key, each in entries))


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


# -- npz


def to_npz(obj: Any) -> bytes:
    """Return tensors in any nesting as the bytes of an npz file.

    It has one array for each, and the nesting as JSON.
    """
    arrays: dict[str, Any] = {}
    seen: dict[int, str] = {}
    flat = isinstance(obj, dict) and all(isinstance(k, str) and isinstance(v, Tensor) for k, v in obj.items())

    def name_of(tensor: Tensor, wish: str) -> str:
        if id(tensor) not in seen:
            name = wish if flat and wish != _STRUCTURE else f"tensor_{len(arrays)}"
            seen[id(tensor)] = name
            arrays[name] = storage(tensor)
        return seen[id(tensor)]

    structure = json.dumps(_described(obj, name_of, ""))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, array in {**arrays, _STRUCTURE: np.frombuffer(structure.encode(), np.uint8)}.items():
            with archive.open(zipfile.ZipInfo(f"{name}.npy"), "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)
    return out.getvalue()


def _described(value: Any, name_of: Callable[[Tensor, str], str], wish: str) -> Any:
    """Return `value` as JSON: plain values, or a dict of one entry with the kind."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return {"float": repr(value)}
    if isinstance(value, complex):
        return {"complex": [repr(value.real), repr(value.imag)]}
    if isinstance(value, Tensor):
        flags = [value.requires_grad, type(value).__name__ == "Parameter"]
        return {"tensor": [name_of(value, wish), *flags]}
    if isinstance(value, dict):
        kind = "ordered" if isinstance(value, OrderedDict) else "dict"
        pairs = [[_described(k, name_of, ""), _described(v, name_of, str(k))] for k, v in value.items()]
        return {kind: pairs}
    for title, container in _CONTAINERS.items():
        if isinstance(value, container):
            return {title: [_described(each, name_of, "") for each in value]}
    if isinstance(value, dtypes.dtype):
        return {"dtype": value.name}
    if isinstance(value, np.generic):
        return _described(value.item(), name_of, "")
    error = TypeError(
        f"cannot save a {type(value).__name__}: only tensors, numbers, strings, and dicts and lists of them"
    )
    if hasattr(value, "state_dict"):
        error.add_note("hint: save its `state_dict()`, and load that into a new one with `load_state_dict`")
    raise error


def from_npz(data: bytes, name: str = "the file") -> Any:
    """Return the object that was passed to `to_npz`.

    Another npz file is read as a dict of its arrays as tensors.
    """
    from tokenize import TokenError  # of a damaged header, from 3.12 on

    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if any(each.rpartition("/")[2] == "data.pkl" for each in archive.namelist()):
                raise _is_pickle(name)
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except (zipfile.BadZipFile, ValueError, EOFError, TokenError) as error:
        if "allow_pickle" in str(error) or "Object arrays" in str(error):
            raise _is_pickle(name) from None
        raise RuntimeError(f"'{name}' is no valid npz file: {error}") from None
    structure = arrays.pop(_STRUCTURE, None)
    tensors = {key: _tensor(array) for key, array in arrays.items()}
    if structure is None:
        return tensors
    return _rebuilt(json.loads(structure.tobytes()), tensors)


def _rebuilt(value: Any, tensors: dict[str, Tensor]) -> Any:
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "float":
        return float(content)
    if kind == "complex":
        return complex(*map(float, content))
    if kind == "tensor":
        return _restored(tensors, *content)
    if kind in ("dict", "ordered"):
        pairs = [(_rebuilt(k, tensors), _rebuilt(v, tensors)) for k, v in content]
        return dict(pairs) if kind == "dict" else OrderedDict(pairs)
    if kind == "dtype":
        return next(each for each in dtypes.ALL if each.name == content)
    return _CONTAINERS[kind](_rebuilt(each, tensors) for each in content)


def _restored(tensors: dict[str, Tensor], name: str, requires_grad: bool, is_parameter: bool) -> Tensor:
    found = tensors[name]
    if is_parameter and type(found) is Tensor:
        from dyncore.tensors.parameter import Parameter

        found = tensors[name] = Parameter(found, requires_grad)
    elif requires_grad and not found.requires_grad:
        found.requires_grad_()
    return found


# What PyTorch asks before it opens a pickle; nothing here is ever opened as one.


def add_safe_globals(safe_globals: list[Any]) -> None:
    """Do nothing."""


def get_safe_globals() -> list[Any]:
    """Return an empty list."""
    return []


def clear_safe_globals() -> None:
    """Do nothing."""


class safe_globals:
    """Context that changes nothing."""

    def __init__(self, safe_globals: list[Any]) -> None:
        pass

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exc: object) -> None:
        return None


__getattr__ = missing_in(__name__)
