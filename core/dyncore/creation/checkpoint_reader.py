"""Read the files that `torch.save` of PyTorch and of this engine write: a zip archive, or pickles and bytes in a row.

The pickle in such a file is read as data (`unpickling.py`).  Memory is bounded by the size of the file: storages lie in
it uncompressed, and each is checked against what is there before anything is allocated.
"""

from __future__ import annotations

import io
import os
import sys
import sysconfig
import zipfile
from _compat_pickle import IMPORT_MAPPING, NAME_MAPPING
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pickle import UnpicklingError
from types import FunctionType
from typing import Any, BinaryIO

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.errors.torch_names import home
from dyncore.tensors.meta_array import MetaArray
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.size import Size, device, sparse_coo
from dyncore.tensors.tensor import Tensor, wrap

from .unpickling import PLAIN, Builder, Unpickler

MAX_PICKLE_BYTES = 64 << 20  # of the structure alone: elements of tensors lie beside it
LEGACY_MAGIC = 0x1950A86A20F9469CFC6C
_LEGACY_PROTOCOL = 1001
_TITLES = {each.title: each for each in dtypes.ALL}

safe_classes: dict[str, Any] = {}  # by "module.name": what `add_safe_globals` was given


class _StorageType:
    """A class of storages, such as `torch.FloatStorage`: how elements lie in the file and in memory."""

    def __init__(self, stored: Any, numpy: Any = None) -> None:
        self.stored = np.dtype(stored)
        self.numpy = self.stored if numpy is None else np.dtype(numpy)


class _Storage:
    """Memory of tensors, which `fill` writes: an older file has the elements behind everything else."""

    def __init__(self, kind: _StorageType, count: int) -> None:
        self.kind, self.count = kind, count
        self.elements: np.ndarray[Any, Any] = np.empty(count, kind.numpy)

    def fill(self, data: bytes) -> None:
        """Copy the elements out of bytes.  Raises UnpicklingError where there are fewer than was said."""
        if len(data) < self.count * self.kind.stored.itemsize:
            raise UnpicklingError(f"a storage of {self.count} elements in {len(data)} bytes")
        elements = np.frombuffer(data, self.kind.stored, self.count)
        if self.kind is _BFLOAT16:
            elements = (elements.astype(np.uint32) << 16).view(np.float32)
        self.elements[:] = elements


_BFLOAT16 = _StorageType("<u2", np.float32)  # NumPy has no bfloat16; float32 has all its values


class _Format:
    """Common part of the two formats: allowed globals, and tensors of storages."""

    def __init__(self, size: int, weights_only: bool, map_location: Any) -> None:
        self.weights_only, self.map_location = weights_only, map_location
        self.storages: dict[str, _Storage] = {}
        self.bytes_left = size  # storages may lie over each other: together they are no larger than the file

    def unpickle(self, file: BinaryIO) -> Any:
        """Read one pickle."""
        return Unpickler(self.find, self.load_persistent).load(file)

    def find(self, module: str, name: str) -> Any:
        """Return what stands for a global name of the pickle.  Raises UnpicklingError for all but data."""
        module, name = NAME_MAPPING.get((module, name), (IMPORT_MAPPING.get(module, module), name))  # of Python 2
        title = f"{module}.{name}"
        if (found := _GLOBALS.get(title)) is not None or (found := safe_classes.get(title)) is not None:
            return found
        if module == "torch" and (dtype := _dtype_named(name)) is not None:
            return dtype
        if self.weights_only:
            raise _unsafe(title.removeprefix("builtins."))
        return _class_of_the_program(module, name)

    def load_persistent(self, key: Any) -> _Storage:
        """Return the storage that a persistent id names; the same one for the same key."""
        if not isinstance(key, tuple) or len(key) < 5 or key[0] != "storage" or not isinstance(key[1], _StorageType):
            raise UnpicklingError("a persistent id that is no storage")
        _, kind, name, location, count = key[:5]
        self.check_location(location)
        name, count = str(name), _count(count)
        if name not in self.storages:
            self.bytes_left -= count * kind.stored.itemsize
            if self.bytes_left < 0:
                raise UnpicklingError("the storages are larger than the file")
            self.storages[name] = storage = _Storage(kind, count)
            self.load_storage(name, storage)
        return self.storages[name]

    def load_storage(self, name: str, storage: _Storage) -> None:
        """Read the elements of a storage, if they can be read now."""

    def check_location(self, location: Any) -> None:
        """Raise RuntimeError for memory of another device, unless `map_location` says where it goes."""
        if self.map_location is None and str(location).partition(":")[0] == "cuda":
            raise RuntimeError(
                "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False. If you are "
                "running on a CPU-only machine, please use torch.load with map_location=torch.device('cpu') to map "
                "your storages to the CPU."
            )


class _Archive(_Format):
    """The zip format: `data.pkl`, and a member `data/KEY` for each storage."""

    def __init__(self, archive: zipfile.ZipFile, folder: str, size: int, *options: Any) -> None:
        super().__init__(size, *options)
        self.archive, self.folder, self.size = archive, folder, size

    def read(self, name: str, most: int) -> bytes:
        """Return the bytes of a member that is stored as it is.

        Raises UnpicklingError for one that is compressed, larger than `most`, or not there.
        """
        try:
            info = self.archive.getinfo(f"{self.folder}{name}")
        except KeyError:
            raise UnpicklingError(f"the archive has no record `{name}`") from None
        if info.compress_type != zipfile.ZIP_STORED or info.file_size > most:
            raise UnpicklingError(f"the record `{name}` is compressed, or larger than what may be read")
        return self.archive.read(info)

    def load(self) -> Any:
        """Return what the archive holds."""
        if f"{self.folder}byteorder" in self.archive.namelist() and self.read("byteorder", 16) != b"little":
            raise UnpicklingError("the file was written on a machine of another byte order")
        return self.unpickle(io.BytesIO(self.read("data.pkl", MAX_PICKLE_BYTES)))

    def load_storage(self, name: str, storage: _Storage) -> None:
        storage.fill(self.read(f"data/{name}", self.size))


class _Legacy(_Format):
    """The format before PyTorch 1.6: pickles in a row, then the storages, each after the number of its elements."""

    has_sparse = is_filled = False

    def load(self, file: BinaryIO) -> Any:
        """Return what the file holds."""
        for wanted in (LEGACY_MAGIC, _LEGACY_PROTOCOL):
            if self.unpickle(file) != wanted:
                raise UnpicklingError("Invalid magic number; corrupt file?")
        system = self.unpickle(file)
        if isinstance(system, dict) and system.get("little_endian") is False:
            raise UnpicklingError("the file was written on a machine of another byte order")
        start = file.tell()
        loaded, keys = self.unpickle(file), self.unpickle(file)
        for key in keys:
            storage = self.storages.get(str(key))
            if storage is None:
                raise UnpicklingError("a storage that no tensor is in")
            if int.from_bytes(file.read(8), "little") != storage.count:
                raise UnpicklingError("a storage with another number of elements than its tensors say")
            storage.fill(file.read(storage.count * storage.kind.stored.itemsize))
        if not self.has_sparse:
            return loaded
        file.seek(start)
        self.is_filled = True
        return self.unpickle(file)

    def find(self, module: str, name: str) -> Any:
        """Return what stands for a global name; sparse tensors wait for their indices, which are checked."""
        found = super().find(module, name)
        if found is not _REBUILD_SPARSE or self.is_filled:
            return found
        self.has_sparse = True
        return Builder(found.name, lambda *args: None)


def load_archive(file: BinaryIO, size: int, name: str, weights_only: bool, map_location: Any) -> Any:
    """Return what a zip archive of `torch.save` holds."""
    with zipfile.ZipFile(file) as archive:
        members = archive.namelist()
        folder = next(each for each in members if each.rpartition("/")[2] == "data.pkl")[:-8]
        if f"{folder}constants.pkl" in members:
            raise RuntimeError(f"'{name}' is a TorchScript archive, which holds code; save the model's `state_dict()`")
        return _Archive(archive, folder, size, weights_only, map_location).load()


def load_legacy(file: BinaryIO, size: int, weights_only: bool, map_location: Any) -> Any:
    """Return what a file in the older format holds."""
    return _Legacy(size, weights_only, map_location).load(file)


def _unsafe(title: str) -> UnpicklingError:
    error = UnpicklingError(
        f"Weights only load failed. WeightsUnpickler error: Unsupported global: GLOBAL {title} was not an allowed "
        f"global by default. Please use `torch.serialization.add_safe_globals([{title}])` or the "
        f"`torch.serialization.safe_globals([{title}])` context manager to allowlist this global if you trust this "
        "class/function."
    )
    error.add_note(
        "hint: `weights_only=False` also builds the layers of `torch.nn` and classes that this program has imported "
        "already; nothing else is ever built from a file"
    )
    return error


# Names that a pickle may have: classes and functions of the program, and of PyTorch.


_NAMED = (type, FunctionType)


def _class_of_the_program(module: str, name: str) -> Any:
    """Return a class or function of the program itself or of the engine, which is there already.

    A function is returned as a value and never called.  Raises UnpicklingError for anything else.
    """
    if module.partition(".")[0] in ("torch", "dyncore"):
        found = _of_pytorch(module, name)
        if isinstance(found, _NAMED) and home(found).partition(".")[0] == "dyncore":
            return found
    elif _is_of_the_program(module):
        found = sys.modules[module]
        for part in name.split("."):
            found = getattr(found, part, None)
        if isinstance(found, _NAMED) and found.__module__ == module:
            return found
    error = UnpicklingError(
        f"'{module}.{name}' is neither a layer of torch.nn nor a class that this program has defined"
    )
    error.add_note(
        "hint: a file builds classes of the script itself and of modules that it has imported, never of the standard "
        "library or of installed packages; save `model.state_dict()` instead"
    )
    raise error


def _of_pytorch(module: str, name: str) -> Any:
    """Return what PyTorch calls by these names: `torch.nn.modules.linear.Linear` is `torch.nn.Linear` as well."""
    parts = module.split(".")[1:]
    if any(part.startswith("__") for part in parts):
        return None
    places = [parts[:length] for length in range(len(parts), -1, -1)]
    for place in (*places, ["nn", "functional"]):  # where PyTorch's functions in C++ are, such as `torch._C._nn.gelu`
        try:
            found: Any = import_module(".".join(("dyncore", *place)))
            for part in name.split("."):
                found = getattr(found, part)
            if isinstance(found, _NAMED):
                return found
        except (ImportError, AttributeError):
            continue
    return None


def _is_of_the_program(name: str) -> bool:
    """Return True for an imported module of the program.

    None of the standard library, of an installed package or of the engine.
    """
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    if module is None or (file is None and name != "__main__"):
        return False
    paths = sysconfig.get_paths()
    installed = {paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    folder = os.path.realpath(os.path.dirname(file)) if file else ""
    return not any((folder + os.sep).startswith(os.path.realpath(each) + os.sep) for each in installed)


def _dtype_named(name: str) -> Any:
    return next((each for each in dtypes.ALL if each.name == name), None)


# Tensors of storages.


def _count(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise UnpicklingError(f"a size is a whole number, not {value!r}")
    return value


def _rebuild_tensor(storage: Any, offset: Any, shape: Any, strides: Any, *_: Any) -> Tensor:
    """Return a tensor of some elements of a storage.  Raises UnpicklingError for elements that are not in it."""
    if not isinstance(storage, _Storage):
        raise UnpicklingError("a tensor of no storage")
    shape, strides, offset = tuple(map(_count, shape)), tuple(map(_count, strides)), _count(offset)
    if len(shape) != len(strides):
        raise UnpicklingError("a tensor with another number of strides than of sizes")
    if 0 in shape:
        return wrap(np.empty(shape, storage.kind.numpy), None)
    last = offset + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    if last >= storage.count:
        raise UnpicklingError(f"a tensor of sizes {list(shape)} in a storage of {storage.count} elements")
    step = storage.kind.numpy.itemsize
    steps = tuple(stride * step for stride in strides)
    return wrap(np.ndarray(shape, storage.kind.numpy, storage.elements, offset * step, steps), None)


def _rebuild_tensor_v2(
    storage: Any, offset: Any, shape: Any, strides: Any, requires_grad: Any, hooks: Any, metadata: Any = None
) -> Tensor:
    made = _rebuild_tensor(storage, offset, shape, strides)
    return made.requires_grad_() if requires_grad else made


def _rebuild_tensor_v3(
    storage: Any,
    offset: Any,
    shape: Any,
    strides: Any,
    requires_grad: Any,
    hooks: Any,
    dtype: Any,
    metadata: Any = None,
) -> Tensor:
    if not isinstance(storage, _Storage) or not isinstance(dtype, dtypes.dtype):
        raise UnpicklingError("a tensor of no storage, or of no dtype")
    typed = _Storage(_StorageType(dtype.numpy), 0)
    typed.count = storage.count // dtype.itemsize
    typed.elements = storage.elements[: typed.count * dtype.itemsize].view(dtype.numpy)
    return _rebuild_tensor_v2(typed, offset, shape, strides, requires_grad, hooks)


def _rebuild_meta_tensor(dtype: Any, size: Any, stride: Any, requires_grad: Any) -> Tensor:
    if not isinstance(dtype, dtypes.dtype):
        raise UnpicklingError("a tensor of no dtype")
    made: Tensor = wrap(MetaArray(tuple(map(int, size)), dtype.numpy), None)
    return made.requires_grad_() if requires_grad else made


def _rebuild_parameter(data: Any, requires_grad: Any, hooks: Any = None, state: Any = None) -> Parameter:
    made: Parameter = Parameter(data, bool(requires_grad))
    _set_python_attributes(made, state)
    return made


def _get_layout(name: Any) -> Any:
    if name != str(sparse_coo):
        raise UnpicklingError(f"a tensor of the layout {name!r}, which is not here")
    return sparse_coo


def _rebuild_sparse_tensor(kind: Any, data: Any) -> Tensor:
    coords, values, size = data[:3]
    if kind is not sparse_coo or not isinstance(coords, Tensor) or coords.dtype is not dtypes.int64:
        raise UnpicklingError("a sparse tensor without a layout, or without indices")
    sparse = import_module("dyncore.sparse")
    try:
        made: Tensor = sparse.sparse_coo_tensor(coords, values, tuple(size))
    except (RuntimeError, TypeError, ValueError) as error:
        raise UnpicklingError(f"a sparse tensor whose parts do not fit: {error}") from None
    left, right = coords._array[:, :-1], coords._array[:, 1:]
    first = (left != right).argmax(0)  # at the first index that differs two places are ordered
    columns = np.arange(left.shape[1])
    if len(data) > 3 and data[3] and (left[first, columns] < right[first, columns]).all():
        made._sorted = True  # type: ignore[attr-defined]
    return made


def _rebuild_from_type(function: Any, kind: Any, args: Any, state: Any) -> Any:
    if not isinstance(function, Builder) or not function.name.startswith("torch._utils._rebuild"):
        raise UnpicklingError("a tensor that is built by something else than a function of PyTorch")
    made = function(*args)
    if isinstance(kind, Builder) and kind.build is _new_parameter:
        made = Parameter(made, made.requires_grad)
    _set_python_attributes(made, state)
    return made


def _set_python_attributes(made: Tensor, state: Any) -> None:
    attributes = state[0] if isinstance(state, tuple) and state else state
    if isinstance(attributes, dict):
        made.__dict__.update({str(name): value for name, value in attributes.items()})


def _new_parameter(data: Any = None, requires_grad: Any = True) -> Parameter:
    made: Parameter = Parameter(data, bool(requires_grad))
    return made


def _globals() -> Iterator[tuple[str, Any]]:
    functions: dict[str, Callable[..., Any]] = {
        "torch._utils._rebuild_tensor": _rebuild_tensor,
        "torch._utils._rebuild_tensor_v2": _rebuild_tensor_v2,
        "torch._utils._rebuild_tensor_v3": _rebuild_tensor_v3,
        "torch._utils._rebuild_meta_tensor_no_storage": _rebuild_meta_tensor,
        "torch._utils._rebuild_sparse_tensor": _rebuild_sparse_tensor,
        "torch.serialization._get_layout": _get_layout,
        "torch._utils._rebuild_parameter": _rebuild_parameter,
        "torch._utils._rebuild_parameter_with_state": _rebuild_parameter,
        "torch._tensor._rebuild_from_type_v2": _rebuild_from_type,
        "torch.nn.parameter.Parameter": _new_parameter,
        "torch.Size": Size,
        "torch.device": device,
    }
    yield from PLAIN.items()
    for name, function in functions.items():
        yield name, Builder(name, function)
    yield "torch.Tensor", Tensor
    for title, dtype in _TITLES.items():
        for module in ("torch", "torch.cuda"):
            yield f"{module}.{title}Storage", _StorageType(dtype.numpy)
    for module in ("torch", "torch.cuda"):
        yield f"{module}.BFloat16Storage", _BFLOAT16
    yield "torch.storage.UntypedStorage", _StorageType("u1")


_GLOBALS = dict(_globals())
_REBUILD_SPARSE = _GLOBALS["torch._utils._rebuild_sparse_tensor"]


def add_safe_globals(safe_globals: list[Any]) -> None:
    """Let `load` build these classes too; a pair is a class and the name a file has for it.

    An object of such a class is made without a call of its `__init__`, and its state is set.
    """
    for each in safe_globals:
        kind, title = each if isinstance(each, tuple) else (each, f"{each.__module__}.{each.__qualname__}")
        safe_classes[title] = kind


def get_safe_globals() -> list[Any]:
    """Return the classes that `add_safe_globals` was given."""
    return list(safe_classes.values())


def clear_safe_globals() -> None:
    """Forget the classes that `add_safe_globals` was given."""
    safe_classes.clear()


@contextmanager
def safe_globals(safe_globals: list[Any]) -> Iterator[None]:
    """Let `load` build these classes inside the block."""
    before = dict(safe_classes)
    add_safe_globals(safe_globals)
    try:
        yield
    finally:
        safe_classes.clear()
        safe_classes.update(before)
