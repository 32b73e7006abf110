"""`torch.nn.utils.prune`: parameters multiplied by a mask before every call.

A pruned `weight` is a parameter `weight_orig` and a buffer `weight_mask`; the attribute is their product.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import dyncore as torch
from dyncore.errors.explain import missing_in
from dyncore.nn.utils.convert_parameters import parameters_to_vector


class BasePruningMethod(ABC):
    """Method that chooses a mask; subclasses define `compute_mask`.

    PRUNING_TYPE: "unstructured" (single elements), "structured" (slices along `dim`) or "global".
    """

    PRUNING_TYPE: str
    _tensor_name: str

    @abstractmethod
    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """Return the mask for `t`; a 0 in `default_mask` is pruned already."""

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    def apply_mask(self, module: Any) -> Any:
        """Return the product of the parameter and its mask."""
        if getattr(self, "_tensor_name", None) is None:
            raise AssertionError(f"Module {module} has to be pruned")
        kept = getattr(module, self._tensor_name + "_orig")
        return getattr(module, self._tensor_name + "_mask").to(dtype=kept.dtype) * kept

    @classmethod
    def apply(cls, module: Any, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any) -> Any:
        """Prune `module.name`, or the rest of it.

        importance_scores: the sizes of the elements, instead of their values.
        """
        method = cls(*args, **kwargs)
        method._tensor_name = name
        earlier = _taken_hook(module, name)
        if earlier is not None:
            container = earlier if isinstance(earlier, PruningContainer) else PruningContainer(earlier)
            container.add_pruning_method(method)
            method = container
        value = getattr(module, name)
        _check_scores(importance_scores, value, f"parameter {name} of {module}")
        fresh = earlier is None
        if fresh:
            module.register_parameter(name + "_orig", value)
            del module._parameters[name]
        mask = torch.ones_like(value) if fresh else getattr(module, name + "_mask").detach().clone()
        try:
            scores = value if importance_scores is None else importance_scores
            module.register_buffer(name + "_mask", method.compute_mask(scores, default_mask=mask))
            setattr(module, name, method.apply_mask(module))
            module.register_forward_pre_hook(method)
        except Exception:
            if fresh:
                module.register_parameter(name, getattr(module, name + "_orig"))
                del module._parameters[name + "_orig"]
            raise
        return method

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """Return `t` with the mask applied, without a module."""
        _check_scores(importance_scores, t, "tensor t")
        mask = torch.ones_like(t) if default_mask is None else default_mask
        return t * self.compute_mask(t if importance_scores is None else importance_scores, default_mask=mask)

    def remove(self, module: Any) -> None:
        """Make the pruned value the parameter, permanently."""
        name = getattr(self, "_tensor_name", None)
        if name is None:
            raise AssertionError(f"Module {module} has to be pruned before pruning can be removed")
        weight = self.apply_mask(module)
        kept = module._parameters[name + "_orig"]
        kept.data = weight.data
        del module._parameters[name + "_orig"], module._buffers[name + "_mask"]
        setattr(module, name, kept)


def _check_scores(scores: Any, value: Any, title: str) -> None:
    if scores is not None and scores.shape != value.shape:
        raise AssertionError(
            f"importance_scores should have the same shape as {title}, got {scores.shape} vs {value.shape}"
        )


def _hooks(module: Any) -> Iterator[tuple[Any, BasePruningMethod]]:
    """Yield the pruning methods of a module with the keys of their hooks."""
    for key, hook in list(module._forward_pre_hooks.items()):
        if isinstance(hook, BasePruningMethod):
            yield key, hook


def _taken_hook(module: Any, name: str) -> BasePruningMethod | None:
    """Remove the method that prunes `name` from the module and return it."""
    for key, hook in _hooks(module):
        if hook._tensor_name == name:
            del module._forward_pre_hooks[key]
            return hook
    return None


class PruningContainer(BasePruningMethod):
    """Several methods in sequence: each chooses among what the ones before left."""

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[BasePruningMethod, ...] = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Add a method for the same parameter."""
        if not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if self._tensor_name != method._tensor_name:
            raise ValueError(
                f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to PruningContainer "
                f"{self}. Found '{method._tensor_name}'"
            )
        self._pruning_methods = (*self._pruning_methods, method)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[BasePruningMethod]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: Any) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        method = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        left = _left(method, t, default_mask)
        mask[left] = method.compute_mask(t[left], default_mask=default_mask[left]).to(dtype=mask.dtype)
        return mask


def _left(method: Any, t: Any, mask: Any) -> Any:
    """Return the index of the elements that a method may still choose."""
    if method.PRUNING_TYPE == "unstructured":
        return mask == 1
    if method.PRUNING_TYPE == "global":
        return (slice(None),) * t.dim()
    if method.PRUNING_TYPE != "structured":
        raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
    if not hasattr(method, "dim"):
        raise AttributeError('Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.')
    dims = t.dim()
    dim = method.dim + dims if method.dim < 0 else method.dim
    if dim < 0:
        raise IndexError(f"Index is out of bounds for tensor with dimensions {dims}")
    used = mask.sum(dim=[each for each in range(dims) if each != dim]) != 0
    return tuple(used if each == dim else slice(None) for each in range(dims))


class Identity(BasePruningMethod):
    """Prunes nothing; the parameter gets its mask."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        return default_mask


class _Amount(BasePruningMethod):
    """Number of elements or slices, or a fraction between 0 and 1."""

    def __init__(self, amount: Any) -> None:
        if not isinstance(amount, (int, float)):
            raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
        if amount < 0 or (isinstance(amount, float) and amount > 1):
            raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")
        self.amount = amount

    def _number(self, size: int) -> int:
        number = self.amount if isinstance(self.amount, int) else round(self.amount * size)
        if number > size:
            raise ValueError(f"amount={number} should be smaller than the number of parameters to prune={size}")
        return number


class _Elements(_Amount):
    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        number = self._number(t.numel())
        mask = default_mask.clone()
        if number:
            mask.view(-1)[self._chosen(t, number)] = 0
        return mask

    def _chosen(self, t: Any, number: int) -> Any:
        raise NotImplementedError


class RandomUnstructured(_Elements):
    """Prunes random elements."""

    def _chosen(self, t: Any, number: int) -> Any:
        return torch.topk(torch.rand_like(t).view(-1), k=number).indices


class L1Unstructured(_Elements):
    """Prunes the elements smallest in absolute value."""

    def _chosen(self, t: Any, number: int) -> Any:
        return torch.topk(torch.abs(t).view(-1), k=number, largest=False).indices


class _Slices(_Amount):
    PRUNING_TYPE = "structured"
    dim: int

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        if t.dim() <= 1:
            raise ValueError(
                "Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
                f"{t.shape} with {t.dim()} dims"
            )
        if self.dim >= t.dim():
            raise IndexError(f"Invalid index {self.dim} for tensor of size {t.shape}")
        number = self._number(t.shape[self.dim])
        if not number:
            return default_mask
        mask = torch.zeros_like(t)
        index: list[Any] = [slice(None)] * t.dim()
        index[self.dim] = self._kept(t, number)
        mask[tuple(index)] = 1
        return mask * default_mask.to(dtype=mask.dtype)

    def _kept(self, t: Any, number: int) -> Any:
        raise NotImplementedError


class RandomStructured(_Slices):
    """Prunes random slices along `dim`."""

    def __init__(self, amount: Any, dim: int = -1) -> None:
        super().__init__(amount)
        self.dim = dim

    def _kept(self, t: Any, number: int) -> Any:
        chances = torch.rand(t.shape[self.dim])
        return chances > torch.kthvalue(chances, k=number).values


class LnStructured(_Slices):
    """Prunes the slices along `dim` of the smallest n-norm."""

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        super().__init__(amount)
        self.n, self.dim = n, dim

    def _kept(self, t: Any, number: int) -> Any:
        rest = [each for each in range(t.dim()) if each != self.dim % t.dim()]
        lengths = torch.norm(t, p=self.n, dim=rest)
        return torch.topk(lengths, k=t.shape[self.dim] - number, largest=True).indices


class CustomFromMask(BasePruningMethod):
    """Prunes by a given mask."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {default_mask.shape} must match self.mask shape {self.mask.shape}"
            )
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module: Any, name: str) -> Any:
    """Set the mask of a parameter to ones."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Any, name: str, amount: Any) -> Any:
    """Prune a number, or a fraction, of a parameter's elements at random."""
    RandomUnstructured.apply(module, name, amount=amount)
    return module


def l1_unstructured(module: Any, name: str, amount: Any, importance_scores: Any = None) -> Any:
    """Prune the smallest elements of a parameter."""
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: Any, name: str, amount: Any, dim: int) -> Any:
    """Prune slices along `dim` at random."""
    RandomStructured.apply(module, name, amount=amount, dim=dim)
    return module


def ln_structured(module: Any, name: str, amount: Any, n: Any, dim: int, importance_scores: Any = None) -> Any:
    """Prune the slices along `dim` whose n-norm is smallest."""
    LnStructured.apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: Any, name: str, mask: Any) -> Any:
    """Prune where `mask` is 0."""
    CustomFromMask.apply(module, name, mask=mask)
    return module


def global_unstructured(parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any) -> None:
    """Prune among the elements of several parameters, as if they were one.

    parameters: pairs (module, name).
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    given = {} if importance_scores is None else importance_scores
    if not isinstance(given, dict):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    pairs = list(parameters)
    values = [getattr(module, name) for module, name in pairs]
    scores = parameters_to_vector([given.get(pair, value) for pair, value in zip(pairs, values, strict=True)])
    masks = [getattr(pair[0], pair[1] + "_mask", torch.ones_like(v)) for pair, v in zip(pairs, values, strict=True)]
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise TypeError(
            f'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method {pruning_method} of '
            f"type {method.PRUNING_TYPE}"
        )
    whole = PruningContainer(method).compute_mask(scores, parameters_to_vector(masks))
    parts = torch.split(whole, [value.numel() for value in values])
    for (module, name), value, part in zip(pairs, values, parts, strict=True):
        custom_from_mask(module, name, mask=part.view_as(value))


def remove(module: Any, name: str) -> Any:
    """Make the pruned value of a parameter permanent.

    Raises ValueError if it is not pruned.
    """
    method = _taken_hook(module, name)
    if method is None:
        raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")
    method.remove(module)
    return module


def is_pruned(module: Any) -> bool:
    """Return True if a parameter in the module is pruned."""
    return any(True for _, each in module.named_modules() for _ in _hooks(each))


__getattr__ = missing_in(__name__)
