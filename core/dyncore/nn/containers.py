"""Modules that hold others: Sequential, ModuleList, ModuleDict, ParameterList, ParameterDict."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dyncore.nn.module import Module, _addindent, typename
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.tensor import Tensor


class _Numbered(Module):
    """Container whose parts are named "0", "1", ..."""

    def _key(self, index: int) -> str:
        index = operator.index(index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index {index} is out of range")
        return list(self._modules)[index]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._part(list(self._modules.items())[index])
        return self._modules[self._key(index)]

    def _part(self, items: list[tuple[str, Module]]) -> Any:
        return type(self)(OrderedDict(items))

    def __setitem__(self, index: int, module: Any) -> None:
        setattr(self, self._key(index), module)

    def __delitem__(self, index: Any) -> None:
        keys = list(self._modules)[index] if isinstance(index, slice) else [self._key(index)]
        for key in keys:
            del self._modules[key]
        self._renumber(list(self._modules.values()))

    def _renumber(self, modules: list[Any]) -> None:
        self._modules.clear()
        for number, module in enumerate(modules):
            self._modules[str(number)] = module

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def append(self, module: Module) -> Any:
        """Add a module at the end and return the container."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Any:
        """Add several modules at the end and return the container."""
        for module in list(modules):
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Any:
        """Add a module before position `index`."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        modules = list(self._modules.values())
        modules.insert(index + len(self) if index < 0 else index, module)
        self._renumber(modules)
        return self

    def pop(self, key: Any) -> Module:
        """Remove the module at `key` and return it."""
        module: Module = self[key]
        del self[key]
        return module


class Sequential(_Numbered):
    """Modules called in sequence, each on the result of the one before.

    Sequential(a, b) or Sequential(OrderedDict(first=a, second=b)).
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for number, module in enumerate(args):
                self.add_module(str(number), module)

    def __delitem__(self, index: Any) -> None:
        keys = list(self._modules)[index] if isinstance(index, slice) else [self._key(index)]
        for key in keys:
            del self._modules[key]
        self._renumber(list(self._modules.values()))

    def __add__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Sequential:
        self.extend(other)
        return self

    def __mul__(self, count: int) -> Sequential:
        if not isinstance(count, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(count)}")
        if count <= 0:
            raise ValueError(f"Non-positive multiplication factor {count} for {type(self)}")
        return Sequential(*list(self) * count)

    __rmul__ = __mul__

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(_Numbered):
    """List of modules, which are submodules of it."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def insert(self, index: int, module: Module) -> None:
        """Add a module before position `index`."""
        super().insert(index, module)

    def _part(self, items: list[tuple[str, Module]]) -> ModuleList:
        return type(self)([module for _, module in items])

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def __iadd__(self, other: Iterable[Module]) -> ModuleList:
        self.extend(other)
        return self

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        """Add several modules at the end and return the list.

        Raises TypeError for what cannot be iterated.
        """
        if not isinstance(modules, Iterable):
            raise TypeError(f"ModuleList.extend should be called with an iterable, but got {type(modules).__name__}")
        super().extend(modules)
        return self

    def __repr__(self) -> str:
        """Return the text of the modules, with equal neighbours written once.

        `(0-2): 3 x Linear(...)`.
        """
        texts = [repr(module) for module in self]
        if not texts:
            return self._get_name() + "()"
        lines, start = [], 0
        for number in range(1, len(texts) + 1):
            if number < len(texts) and texts[number] == texts[start]:
                continue
            count = number - start
            label = f"({start}): " if count == 1 else f"({start}-{number - 1}): {count} x "
            lines.append(_addindent(label + texts[start], 2))
            start = number
        return f"{self._get_name()}(\n  " + "\n  ".join(lines) + "\n)"

    def forward(self, *input: Any) -> Any:
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')


class ModuleDict(Module):
    """Dictionary of modules, which are submodules of it."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Remove the module `key` and return it."""
        return self._modules.pop(key)

    def keys(self) -> Any:
        return self._modules.keys()

    def items(self) -> Any:
        return self._modules.items()

    def values(self) -> Any:
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Add the modules of a dictionary, or of pairs (name, module)."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                "ModuleDict.update should be called with an iterable of key/value pairs, but got "
                + type(modules).__name__
            )
        pairs = modules.items() if hasattr(modules, "items") else modules
        for key, module in pairs:
            self[key] = module


class ParameterList(Module):
    """List of parameters; tensors become parameters."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def _key(self, index: int) -> str:
        index = operator.index(index)
        if not -self._size <= index < self._size:
            raise IndexError(f"index {index} is out of range")
        return str(index % self._size)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)([self[number] for number in range(self._size)[index]])
        return getattr(self, self._key(index))

    def __setitem__(self, index: int, value: Any) -> None:
        setattr(self, self._key(index), _parameter(value))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return (self[number] for number in range(self._size))

    def __iadd__(self, values: Iterable[Any]) -> ParameterList:
        return self.extend(values)

    def append(self, value: Any) -> ParameterList:
        """Add a value at the end and return the list."""
        self._size += 1
        setattr(self, str(self._size - 1), _parameter(value))
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Add several values at the end and return the list."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(f"ParameterList.extend should be called with an iterable, but got {type(values).__name__}")
        for value in values:
            self.append(value)
        return self

    def extra_repr(self) -> str:
        return _listed(enumerate(self), False)


class ParameterDict(Module):
    """Dictionary of parameters; tensors become parameters."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        if key not in self._keys:
            raise KeyError(key)
        return getattr(self, key)

    def __setitem__(self, key: str, value: Any) -> None:
        if not isinstance(key, str):
            raise TypeError(
                "Index given to ParameterDict cannot be used as a key as it is not a string (type is "
                f"'{type(key).__name__}'). Open an issue on github if you need non-string keys."
            )
        self._keys[key] = None
        setattr(self, key, _parameter(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __or__(self, other: ParameterDict) -> ParameterDict:
        return ParameterDict({**dict(self.items()), **dict(other.items())})

    def copy(self) -> ParameterDict:
        """Return another ParameterDict of the same parameters."""
        return ParameterDict(OrderedDict(self.items()))

    def setdefault(self, key: str, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Remove all values."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """Remove the value `key` and return it."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        key = next(reversed(self._keys))
        return key, self.pop(key)

    def get(self, key: str, default: Any = None) -> Any:
        return getattr(self, key) if key in self._keys else default

    def keys(self) -> Any:
        return self._keys.keys()

    def items(self) -> Any:
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Any:
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Add the values of pairs (name, value) or of a mapping; those of a plain one in the order of their names."""
        pairs = parameters.items() if hasattr(parameters, "items") else parameters
        if isinstance(parameters, Mapping) and not isinstance(parameters, OrderedDict):
            pairs = sorted(pairs, key=operator.itemgetter(0))
        for key, value in pairs:
            self[key] = value

    def extra_repr(self) -> str:
        return _listed(self.items(), True)


def _parameter(value: Any) -> Any:
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _listed(items: Any, by_type: bool) -> str:
    return "\n".join(f"  ({name}): {_described(value, by_type)}" for name, value in items)


def _described(value: Any, by_type: bool) -> str:
    if not isinstance(value, Tensor):
        return f"Object of type: {type(value).__name__}"
    size = "x".join(str(n) for n in value._array.shape)
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f"{kind} containing: [{typename(value) if by_type else value.dtype} of size {size}]"
