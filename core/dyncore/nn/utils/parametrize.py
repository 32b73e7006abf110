"""Parameters computed from others whenever they are read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from dyncore.errors.explain import missing_in
from dyncore.graph import versions
from dyncore.graph.modes import no_grad
from dyncore.nn.containers import ModuleDict, ModuleList
from dyncore.nn.module import Module
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.tensor import Tensor, storage

__capture__ = "refused"

_cache: dict[tuple[int, str], Any] = {}
_caching = 0


@contextmanager
def cached() -> Iterator[None]:
    """Compute every parametrized tensor once inside the block."""
    global _caching
    _caching += 1
    try:
        yield
    finally:
        _caching -= 1
        if not _caching:
            _cache.clear()


_MAY_NOT = "Registering a parametrization may not change the {} of the tensor"


def _check_tensor(value: Any) -> None:
    if not isinstance(value, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(value).__name__}.")


def _check_next(name: str, parametrization: Module, before: Tensor) -> None:
    """Raise ValueError unless a parametrization keeps dtype and shape of `before`."""
    after = parametrization(before)
    _check_tensor(after)
    for field in ("dtype", "shape"):
        one, two = getattr(before, field), getattr(after, field)
        if one != two:
            raise ValueError(
                f"{_MAY_NOT.format(field)}, unless the `unsafe` flag is enabled.\nmodule.{name}.{field}: {one}\n"
                f"parametrization(module.{name}).{field}: {two}"
            )
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        back = parametrization.right_inverse(after)
    except NotImplementedError:
        return
    if not isinstance(back, Tensor):
        raise ValueError(f"parametrization.right_inverse must return a tensor. Got: {type(back).__name__}")
    for field in ("dtype", "shape"):
        one, two = getattr(before, field), getattr(back, field)
        if one != two:
            raise ValueError(
                f"The tensor returned by parametrization.right_inverse must have the same {field} as module.{name}, "
                f"unless the `unsafe` flag is enabled.\nmodule.{name}.{field}: {one}\nreturned {field}: {two}"
            )


class ParametrizationList(ModuleList):
    """Functions that compute one parameter, first to last.

    They start from `original`, or from `original0`, `original1`, ...
    """

    def __init__(self, modules: Any, original: Any, unsafe: bool = False) -> None:
        if not len(modules):
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        start: Any = original
        with no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    with suppress(NotImplementedError):
                        start = module.right_inverse(start)
        if not isinstance(start, (Tensor, list, tuple)):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(start).__name__}"
            )
        self.is_tensor = isinstance(start, Tensor)
        self.ntensors = 1 if self.is_tensor else len(start)
        requires = original.requires_grad
        if isinstance(start, Tensor):
            if start.dtype != dtype:
                raise ValueError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                    f"original.dtype: {dtype}\nright_inverse(original).dtype: {start.dtype}"
                )
            self._keep("original", start, original, requires)
        else:
            for number, each in enumerate(start):
                if not isinstance(each, Tensor):
                    raise ValueError(
                        "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got element "
                        f"{number} of the sequence with type {type(each).__name__}."
                    )
                self._keep(f"original{number}", each, original, requires)
        if not unsafe:
            tensor = self()
            _check_tensor(tensor)
            if tensor.dtype != dtype:
                raise ValueError(
                    f"{_MAY_NOT.format('dtype')}, unless `unsafe` flag is enabled.\nunparametrized dtype: {dtype}\n"
                    f"parametrized dtype: {tensor.dtype}"
                )
            if tensor.shape != shape:
                raise ValueError(
                    f"{_MAY_NOT.format('shape')}, unless `unsafe` flag is enabled.\nunparametrized shape: {shape}\n"
                    f"parametrized shape: {tensor.shape}"
                )

    def _keep(self, name: str, value: Any, original: Any, requires: bool) -> None:
        if name == "original":  # stays the object that optimizers hold
            if value is not original:
                original.data = value.detach()
            value = original
        if isinstance(original, Parameter):
            self.register_parameter(name, value if value is original else Parameter(value.detach(), requires))
        else:
            self.register_buffer(name, value.detach())

    def right_inverse(self, value: Any) -> None:
        """Set the originals so that the parameter becomes `value`."""
        for module in reversed(list(self)):
            if not hasattr(module, "right_inverse"):
                raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
            value = module.right_inverse(value)
        names = ["original"] if self.is_tensor else [f"original{n}" for n in range(self.ntensors)]
        for name, each in zip(names, [value] if self.is_tensor else value):
            target = storage(getattr(self, name))
            versions.before_write(target, silent=True)
            target[...] = each._array
            versions.bump(target)

    def forward(self) -> Any:
        first = self[0]
        if self.is_tensor:
            value = first(self.original)
        else:
            value = first(*(getattr(self, f"original{n}") for n in range(self.ntensors)))
        for module in list(self)[1:]:
            value = module(value)
        return value


def _property(name: str) -> Any:
    def get(self: Any) -> Any:
        if not _caching:
            return self.parametrizations[name]()
        key = (id(self), name)
        if key not in _cache:
            _cache[key] = self.parametrizations[name]()
        return _cache[key]

    def put(self: Any, value: Any) -> None:
        self.parametrizations[name].right_inverse(value)

    return property(get, put)


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Return True if the module, or one of its parameters, is parametrized."""
    lists = module.__dict__.get("_modules", {}).get("parametrizations")
    if lists is None or not isinstance(lists, ModuleDict):
        return False
    return len(lists) > 0 if tensor_name is None else tensor_name in lists


def register_parametrization(module: Any, tensor_name: str, parametrization: Module, *, unsafe: bool = False) -> Any:
    """Replace `module.tensor_name` by `parametrization` of it; return the module.

    Raises ValueError for a name that is no parameter or buffer.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        parametrizations = module.parametrizations[tensor_name]
        if not unsafe:
            _check_next(tensor_name, parametrization, getattr(module, tensor_name))
        parametrizations.append(parametrization)
        parametrizations.unsafe |= unsafe
        return module
    if tensor_name not in module._parameters and tensor_name not in module._buffers:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
            f"'{tensor_name}'"
        )
    original = getattr(module, tensor_name)
    holder = ParametrizationList([parametrization], original, unsafe)
    if not is_parametrized(module):
        base = type(module)
        module.__class__ = type(
            f"Parametrized{base.__name__}", (base,), {"__module__": ParametrizationList.__module__, "_plain": base}
        )
        module.parametrizations = ModuleDict()
    delattr(module, tensor_name)
    setattr(type(module), tensor_name, _property(tensor_name))
    module.parametrizations[tensor_name] = holder
    return module


def remove_parametrizations(module: Any, tensor_name: str, leave_parametrized: bool = True) -> Any:
    """Make `module.tensor_name` an ordinary parameter again.

    leave_parametrized: its value is the computed one, else the original.
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    holder = module.parametrizations[tensor_name]
    if not holder.is_tensor and not leave_parametrized:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a "
            "sequence of tensors."
        )
    value = holder().detach() if leave_parametrized else holder.original
    learned = bool(holder._parameters)
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    if learned:
        module.register_parameter(tensor_name, value if isinstance(value, Parameter) else Parameter(value))
    else:
        module.register_buffer(tensor_name, value)
    if not len(module.parametrizations):
        del module.parametrizations
        module.__class__ = type(module)._plain
    return module


def type_before_parametrizations(module: Any) -> Any:
    """Return the class of the module before it was parametrized."""
    return getattr(type(module), "_plain", type(module))


__getattr__ = missing_in(__name__)
