"""Parameter: a tensor that a Module counts among what it learns."""

from __future__ import annotations

import sys
from collections import OrderedDict
from typing import Any

import numpy as np

from dyncore.dtypes.dtypes import get_default_dtype, of
from dyncore.errors.source import is_engine
from dyncore.graph.known_shape import forget_known_shape
from dyncore.graph.node import AccumulateGrad

from .overrides import check_overrides
from .size import Size
from .tensor import Tensor, storage, wrap


class Parameter(Tensor):
    """A leaf tensor that joins `parameters()` of the Module it is assigned to.

    data: a tensor, whose memory is shared.  requires_grad: True by default.
    """

    __slots__ = ()

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Any:
        if cls is not Parameter:
            check_overrides(cls)
        if data is not None and not isinstance(data, Tensor):
            raise TypeError(
                f"Parameter data should be a Tensor, but got {type(data).__name__}. Use torch.tensor(...) first"
            )
        made = object.__new__(cls)
        made._array = np.empty(0, get_default_dtype().numpy) if data is None else storage(data)
        made._edge = None
        made._meta = None
        if requires_grad:
            if made._array.dtype.kind not in "fc":
                raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
            made._edge = AccumulateGrad(made)
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        found = memo.get(id(self))
        if found is None:
            found = type(self)(wrap(self._array.copy(), None), self.requires_grad)
            found.__dict__.update(self.__dict__)
            memo[id(self)] = found
        return found

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return "Parameter containing:\n" + repr(wrap(self._array, self._edge))

    def __reduce_ex__(self, protocol: Any) -> Any:
        return _rebuild, (np.asarray(self._array), self.requires_grad, OrderedDict(self.__dict__))


def _rebuild(array: Any, requires_grad: bool, attributes: dict[str, Any]) -> Parameter:
    made: Parameter = Parameter(wrap(array, None), requires_grad)
    made.__dict__.update(attributes)
    return made


Parameter.__module__ = "dyncore.nn.parameter"  # its home in PyTorch, and here another name of this module


class Buffer(Tensor):
    """A tensor that a Module keeps in its state without learning it.

    persistent: whether it is part of `state_dict()`.
    """

    __slots__ = ()
    _prints_plain = True

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Any:
        if cls is not Buffer:
            check_overrides(cls)
        made = object.__new__(cls)
        made._array = np.empty(0, get_default_dtype().numpy) if data is None else storage(data)
        made._edge = None
        made._meta = None
        made.persistent = persistent  # type: ignore[attr-defined]
        return made


_SLOT: Any = Tensor.__dict__["_array"]


def _refusal(what: str, kind: str) -> ValueError:
    return ValueError(
        f"Attempted to use an uninitialized parameter in {what}. This error happens when you are using a `LazyModule` "
        f"or explicitly manipulating `torch.nn.parameter.{kind}` objects. When using LazyModules Call `forward` with a "
        "dummy batch to initialize the parameters before calling torch functions"
    )


class _Uninitialized:
    """Tensor of a lazy layer without a shape yet: no op may compute with it."""

    __slots__ = ()

    @property
    def _array(self) -> Any:
        frame, name = sys._getframe(1), ""
        while is_engine(frame.f_globals) and frame.f_back is not None:  # what the user called is the outermost
            op = frame.f_locals.get("op") or frame.f_globals.get("op")
            name = getattr(op, "name", frame.f_code.co_name)
            frame = frame.f_back
        raise _refusal(f"<method '{name}' of 'torch._C.TensorBase' objects>", type(self).__name__)

    @_array.setter
    def _array(self, array: Any) -> None:
        _SLOT.__set__(self, array)

    @property
    def shape(self) -> Any:
        raise RuntimeError(
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
            "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` "
            "to initialize the parameters before accessing their attributes."
        )

    @property
    def ndim(self) -> int:
        return 1

    def dim(self) -> int:
        """Refused, although `ndim` is 1, as in PyTorch."""
        return int(self._array.ndim)

    @property
    def dtype(self) -> Any:
        return of(_SLOT.__get__(self).dtype)

    @property
    def data(self) -> Any:
        return wrap(_SLOT.__get__(self).view(), None)

    @data.setter
    def data(self: Any, value: Tensor) -> None:
        _SLOT.__set__(self, storage(value))
        if self._edge is not None:
            self._edge.memory = storage(value)
            forget_known_shape(self)

    def size(self) -> Any:
        """Return the shape of nothing, which PyTorch gives here."""
        return Size((0,))

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Refused: there is nothing yet that could require grad."""
        raise _refusal("<method 'requires_grad_' of 'torch._C.TensorBase' objects>", type(self).__name__)

    def share_memory_(self) -> Any:
        """Refused: there is no memory yet."""
        raise RuntimeError(
            "Can't share memory on an uninitialized parameter or buffer. Call `forward` to initialize the parameters "
            "before calling `module.share_memory()`."
        )

    def detach(self) -> Any:
        """Itself: a state dict has it as it is."""
        return self

    def materialize(self: Any, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Become an ordinary tensor of this shape; its values are not set."""
        kind = self.dtype.numpy if dtype is None else dtype.numpy
        self.__class__ = type(self).cls_to_become
        self._array = np.empty(tuple(shape), kind)
        if self._edge is not None:
            self._edge.memory = self._array
            forget_known_shape(self)

    def __deepcopy__(self: Any, memo: dict[int, Any]) -> Any:
        found = memo.get(id(self))
        if found is None:
            found = memo[id(self)] = type(self)(self.requires_grad, dtype=self.dtype)
        return found

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"


def _converted(name: str) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        made = getattr(wrap(_SLOT.__get__(self), self._edge), name)(*args, **kwargs)
        return self if made.__class__ is Tensor and made.dtype is self.dtype else made

    method.__name__ = name
    method.__doc__ = f"`Tensor.{name}` of nothing."
    return method


for _name in (
    *("is_complex", "is_floating_point", "to", "half", "float", "double", "char", "short", "int", "long", "cpu"),
    "get_device",
):
    setattr(_Uninitialized, _name, _converted(_name))


class UninitializedParameter(_Uninitialized, Parameter):  # type: ignore[misc]
    """A parameter without a shape; `materialize` gives it one and makes it an ordinary one."""

    __slots__ = ()
    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Any:
        kind = get_default_dtype() if dtype is None else dtype
        made = Parameter(wrap(np.empty(0, kind.numpy), None), requires_grad)
        made.__class__ = cls
        return made


class UninitializedBuffer(_Uninitialized, Tensor):  # type: ignore[misc]
    """A buffer without a shape; `materialize` gives it one and makes it an ordinary tensor."""

    __slots__ = ()
    cls_to_become = Tensor

    def __new__(cls, requires_grad: bool = False, device: Any = None, dtype: Any = None) -> Any:
        made = object.__new__(cls)
        made._array = np.empty(0, (get_default_dtype() if dtype is None else dtype).numpy)
        made._edge = made._meta = None
        return made
