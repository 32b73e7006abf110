"""Write the zip archive of `torch.save`, which PyTorch opens: a pickle under PyTorch's names, and storages."""

from __future__ import annotations

import io
import pickle
import zipfile
from collections import OrderedDict
from importlib import import_module
from types import FunctionType
from typing import Any, BinaryIO

import numpy as np

from dyncore.dtypes import dtypes
from dyncore.errors.torch_names import home
from dyncore.graph.versions import owner
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.size import Size, device, layout
from dyncore.tensors.tensor import Tensor, storage, wrap

_NAMESPACES = (
    "nn", "", "optim", "optim.lr_scheduler", "utils.data", "nn.functional", "nn.utils.rnn", "nn.modules.linear",
    "distributions",
)  # fmt: skip


class _Global:
    """A function or class of PyTorch, by the name that a pickle has for it."""

    def __init__(self, module: str, name: str) -> None:
        self.__module__, self.__qualname__ = module, name

    def __call__(self) -> None:
        """Stand where `pickle` wants something that can be called."""


_REBUILD_META = _Global("torch._utils", "_rebuild_meta_tensor_no_storage")
_REBUILD_TENSOR = _Global("torch._utils", "_rebuild_tensor_v2")
_REBUILD_TYPE = _Global("torch._tensor", "_rebuild_from_type_v2")
_REBUILD_PARAMETER = _Global("torch._utils", "_rebuild_parameter")
_REBUILD_PARAMETER_WITH_STATE = _Global("torch._utils", "_rebuild_parameter_with_state")
_REBUILD_SPARSE = _Global("torch._utils", "_rebuild_sparse_tensor")
_GET_LAYOUT = _Global("torch.serialization", "_get_layout")
_TENSOR, _SIZE, _DEVICE = _Global("torch", "Tensor"), _Global("torch", "Size"), _Global("torch", "device")


class _Storage:
    """The memory of tensors, as a flat array and the key of its member in the archive."""

    def __init__(self, key: str, elements: np.ndarray[Any, Any]) -> None:
        self.key, self.elements = key, elements
        self.kind = _Global("torch", f"{dtypes.of(elements.dtype).title}Storage")


_PythonPickler: Any = pickle._Pickler  # typeshed does not know its methods


class _Pickler(_PythonPickler):  # type: ignore[misc]
    """Pickles objects with PyTorch's names for what is the engine's.  `storages` are what goes beside the pickle.

    It is the Python class of the standard library, since the one in C has no way to write another name of a class.
    """

    def __init__(self, file: BinaryIO, protocol: int) -> None:
        super().__init__(file, protocol)
        self.storages: dict[tuple[int, str], _Storage] = {}
        self._kept: list[Any] = []  # roots, whose ids are keys

    def persistent_id(self, obj: Any) -> Any:
        """Name a storage by its type, key, device and number of elements."""
        if isinstance(obj, _Storage):
            return "storage", obj.kind, obj.key, "cpu", obj.elements.size
        return None

    def reducer_override(self, obj: Any) -> Any:
        """Return how an object of the engine is pickled; NotImplemented for all others."""
        if isinstance(obj, Tensor):
            return self._reduce_tensor(obj)
        if isinstance(obj, layout):
            return _GET_LAYOUT, (str(obj),)
        if isinstance(obj, Size):
            return _SIZE, (tuple(obj),)
        if isinstance(obj, device):
            return _DEVICE, (obj.type,)
        if isinstance(obj, dtypes.dtype):
            return obj.name
        if isinstance(obj, _Global):
            return obj.__qualname__
        return NotImplemented

    def _reduce_tensor(self, tensor: Tensor) -> Any:
        if tensor.is_sparse:
            parts = tensor._indices(), tensor._values(), tensor.shape, tensor.is_coalesced()
            return _REBUILD_SPARSE, (tensor.layout, parts)
        if tensor.is_meta and type(tensor) is not Parameter:
            return _REBUILD_META, (tensor.dtype, tuple(tensor.shape), tensor.stride(), tensor.requires_grad)
        state = dict(tensor.__dict__)
        if type(tensor) is Parameter:
            data = wrap(tensor._array, None)
            arguments: tuple[Any, ...] = (data, tensor.requires_grad, OrderedDict())
            if state:
                return _REBUILD_PARAMETER_WITH_STATE, (*arguments, state)
            return _REBUILD_PARAMETER, arguments
        memory, offset, shape, strides = self._storage_of(storage(tensor))
        rebuilt: tuple[Any, ...] = (memory, offset, shape, strides, tensor.requires_grad, OrderedDict())
        if type(tensor) is Tensor and not state:
            return _REBUILD_TENSOR, rebuilt
        kind = _TENSOR if type(tensor) is Tensor else type(tensor)
        return _REBUILD_TYPE, (_REBUILD_TENSOR, kind, rebuilt, state)

    def _storage_of(self, array: np.ndarray[Any, Any]) -> tuple[_Storage, int, tuple[int, ...], tuple[int, ...]]:
        """Return an array's memory, where it begins there, its sizes and strides; tensors that share it share it here.

        A view of another dtype than the memory's, or of memory with gaps, gets a copy of its own.
        """
        root = owner(array)
        offset = array.__array_interface__["data"][0] - root.__array_interface__["data"][0]
        steps = (offset, *array.strides)
        if root.dtype != array.dtype or not root.flags.forc or any(s < 0 or s % array.itemsize for s in steps):
            root = array = np.ascontiguousarray(array).reshape(array.shape)
            offset = 0
        key = (id(root), array.dtype.str)
        if key not in self.storages:
            self._kept.append(root)
            self.storages[key] = _Storage(str(len(self.storages)), root.ravel(order="K"))
        strides = tuple(step // array.itemsize for step in array.strides)
        return self.storages[key], offset // array.itemsize, array.shape, strides

    def save_global(self, obj: Any, name: str | None = None) -> None:
        """Write a class or function by name: PyTorch's name for what is the engine's."""
        title = _title_of(obj)
        if title is None:
            super().save_global(obj, name)
            return
        module, name = title
        if self.proto >= 4:
            self.save(module)
            self.save(name)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(pickle.GLOBAL + f"{module}\n{name}\n".encode())
        self.memoize(obj)

    dispatch = _PythonPickler.dispatch | {FunctionType: save_global}


def _title_of(obj: Any) -> tuple[str, str] | None:
    """Return the module and name that PyTorch has for an object of the engine; None for what is the user's.

    Raises PicklingError for a part of the engine that PyTorch has not.
    """
    if isinstance(obj, dtypes.dtype):
        return "torch", obj.name
    if isinstance(obj, _Global):
        return obj.__module__, obj.__qualname__
    module, name = home(obj), getattr(obj, "__qualname__", "")
    if module is not None and module.partition(".")[0] != "dyncore":
        return None
    for namespace in _NAMESPACES:
        if getattr(import_module(f"dyncore.{namespace}".rstrip(".")), name, None) is obj:
            return f"torch.{namespace}".rstrip("."), name
    if module is None:  # an op has no module, and neither have functions of other libraries in C
        return None
    raise pickle.PicklingError(f"cannot save `{module}.{name}`: PyTorch has no such name")


class Archive:
    """An object as the members of an archive.  Raises PicklingError or TypeError for one that cannot be saved."""

    def __init__(self, obj: Any, protocol: int) -> None:
        buffer = io.BytesIO()
        pickler = _Pickler(buffer, protocol)
        pickler.dump(obj)
        self.members: dict[str, Any] = {"data.pkl": buffer.getvalue(), "byteorder": b"little", "version": b"3\n"}
        self.members |= {f"data/{each.key}": each.elements.view(np.uint8) for each in pickler.storages.values()}

    def write(self, file: BinaryIO, name: str) -> None:
        """Write the archive into a binary file; its members lie in a folder `name`."""
        with zipfile.ZipFile(file, "w") as archive:
            for member, data in self.members.items():
                with archive.open(zipfile.ZipInfo(f"{name}/{member}"), "w", force_zip64=True) as out:
                    out.write(data)
