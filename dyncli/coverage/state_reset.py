"""State that a script keeps between runs, put back before each: so that no input's result depends on those before it.

Gradients are cleared always.  Parameters, buffers and other tensors of the module are compared by their version and
copied back if they were written, and by their elements where the source writes through `.data`.  Names, attributes,
containers and NumPy's arrays are compared only where the source stores into something that outlives a call, because
that takes longer.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from inspect import getattr_static
from itertools import repeat
from operator import is_
from types import MethodType, ModuleType
from typing import Any

import numpy as np

from dyncli.recorder import naming
from dyncli.recorder.engine import AccumulateGrad, Tensor, storage
from dyncli.records.text import parse

CHANGERS = frozenset(
    [
        "append",
        "add",
        "update",
        "pop",
        "popitem",
        "setdefault",
        "extend",
        "insert",
        "remove",
        "clear",
        "discard",
        "sort",
        "reverse",
        "appendleft",
        "popleft",
        "extendleft",
        "register_buffer",
        "register_parameter",
        "add_module",
        "__setitem__",
        "__setattr__",
    ]
)
_CONTAINERS = (list, dict, set, deque, OrderedDict, defaultdict, Counter)
_MISSING = object()
_DATA = re.compile(r"(?<!utils)\.data\b")  # which leaves the version of a tensor as it was


class Pristine:
    """The state of a script after it was loaded."""

    def __init__(self, modules: Iterable[ModuleType], entry: Any, sources: Iterable[str]) -> None:
        scopes = [vars(module) for module in modules]
        self.tensors: list[tuple[Tensor, int, Any]] = []
        self.leaves: list[Tensor] = []
        self.parameters: list[Tensor] = []
        self.tables: list[tuple[Any, dict[Any, Any]]] = []
        self.containers: list[tuple[Any, Any]] = []
        self.caches: list[Callable[[], None]] = []
        seen: set[int] = set()
        for scope in scopes:
            for tensor, _, role in naming.parameters(scope, entry):
                self._tensor(tensor, seen, role == "parameter")
            for name, value in scope.items():
                if not name.startswith("__"):
                    for _, tensor in naming.leaves(value, name):
                        self._tensor(tensor, seen, tensor.requires_grad and tensor.is_leaf)
        self.memory: list[tuple[Tensor, Tensor, Any]] = []  # a tensor, another of its memory, and the elements
        if any(map(_DATA.search, sources)):
            self.memory = [(tensor, tensor.data, array) for tensor, _, array in self.tensors]
        holders = _modules(entry, scopes)
        self.caches += _caches(scopes, holders)
        if any(map(stores, sources)):
            for scope in scopes:
                self._table(scope, None)
                for value in list(scope.values()):
                    if isinstance(value, type) and value.__module__ == scope.get("__name__"):
                        self._table(vars(value), value)
            for holder in holders:
                self._table(vars(holder), holder)

    def restore(self) -> None:
        """Restore gradients, tensors, caches and containers to their state before the first run."""
        for leaf in self.leaves:
            edge = leaf._edge
            if edge.__class__ is AccumulateGrad and edge.grad is not None:
                edge.grad = None
        for tensor, data, array in self.memory:
            if _is_written(tensor, data, array):
                tensor.data = data
                storage(data)[...] = array
        for tensor, version, array in self.tensors:
            if tensor._version != version:
                self._rewrite(tensor, array)
        for clear in self.caches:
            clear()
        for owner, kept in self.tables:
            _rebind(owner, kept)
        for container, copy in self.containers:
            if not _same(container, copy):
                _refill(container, copy)

    def is_changed(self) -> bool:
        """Return whether `restore` would put back more than gradients and caches."""
        tables = ((owner if isinstance(owner, dict) else owner.__dict__, kept) for owner, kept in self.tables)
        return (
            any(tensor._version != version for tensor, version, _ in self.tensors)
            or any(_is_written(*each) for each in self.memory)
            or any(_is_rebound(table, kept) for table, kept in tables)
            or not all(_same(each, copy) for each, copy in self.containers)
        )

    def _tensor(self, tensor: Tensor, seen: set[int], is_parameter: bool) -> None:
        if id(tensor) in seen:
            return
        seen.add(id(tensor))
        self.tensors.append((tensor, tensor._version, np.array(tensor._array)))
        if tensor._edge.__class__ is AccumulateGrad:
            self.leaves.append(tensor)
            if is_parameter:
                self.parameters.append(tensor)

    def _rewrite(self, tensor: Tensor, array: Any) -> None:
        target = tensor._array
        if getattr(target, "shape", None) == array.shape and isinstance(target, np.ndarray) and target.flags.writeable:
            target[...] = array
        else:
            tensor._array = array.copy() if array.ndim else array[()]
        version = tensor._version
        self.tensors = [(each, version if each is tensor else before, kept) for each, before, kept in self.tensors]

    def _table(self, table: Any, owner: Any) -> None:
        kept = {name: value for name, value in table.items() if not str(name).startswith("__")}
        target = table if owner is None else owner
        self.tables.append((target, kept))
        for value in kept.values():
            if type(value) in _CONTAINERS or isinstance(value, np.ndarray):
                self.containers.append((value, value.copy()))


def _is_written(tensor: Tensor, data: Tensor, array: Any) -> bool:
    """Return whether a tensor has other memory than it had, or other elements there."""
    same = np.array_equal(data._array, array, equal_nan=array.dtype.kind in "fc")
    return tensor._array is not data._array or not same


def stores(source: str) -> bool:
    """Return whether a source, inside its functions, stores into anything that may outlive the call."""
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name != "__init__":
            if any(ast.unparse(each).endswith("cached_property") for each in node.decorator_list):
                return True
            for inner in ast.walk(node):
                match inner:
                    case ast.Global() | ast.Nonlocal():
                        return True
                    case ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del()):
                        return True
                    case ast.Call(func=ast.Attribute(attr=name)) if name in CHANGERS:
                        return True
                    case ast.Call(func=ast.Name(id="setattr" | "next")):
                        return True
    return False


def _modules(entry: Any, scopes: list[dict[str, Any]]) -> list[Any]:
    """List the nn.Modules of entry and script, and the objects of the script's own classes, each once."""
    found: dict[int, Any] = {}
    names = {scope.get("__name__") for scope in scopes}
    holders = [entry, getattr(entry, "__self__", None), *(value for scope in scopes for value in scope.values())]
    for holder in holders:
        if isinstance(holder, type) or holder is None:
            continue
        listed = getattr(type(holder), "modules", None)
        if hasattr(type(holder), "named_parameters") and listed is not None:
            found.update({id(module): module for module in listed(holder)})
        elif type(holder).__module__ in names and hasattr(holder, "__dict__") and not callable(holder):
            found[id(holder)] = holder
    return list(found.values())


def _caches(scopes: list[dict[str, Any]], holders: list[Any]) -> list[Callable[[], None]]:
    """Return what clears each `lru_cache` of the script: of functions, of methods, and of objects' attributes."""
    found = []
    for scope in scopes:
        for name, value in scope.items():
            if not name.startswith("__"):
                found.append(value)
            if isinstance(value, type) and value.__module__ == scope.get("__name__"):
                found += vars(value).values()
    for holder in holders:
        found += vars(holder).values()
    methods = (staticmethod, classmethod, MethodType)
    functions: list[Any] = [value.__func__ if isinstance(value, methods) else value for value in found]
    return [each.cache_clear for each in functions if _is_clearable(each)]


def _is_clearable(value: Any) -> bool:
    """Return whether a value is a cache, without a call of its `__getattr__`: a lazy module would be imported."""
    both = (getattr_static(value, name, None) for name in ("__wrapped__", "cache_clear"))
    return all(each is not None for each in both)


def _rebind(owner: Any, kept: dict[Any, Any]) -> None:
    """Give names and attributes their values again; what is new is taken away."""
    table = owner if isinstance(owner, dict) else owner.__dict__
    if not _holds(table, kept):
        for name, value in kept.items():
            if table.get(name, _MISSING) is not value:
                _set(owner, name, value)
    if len(table) > len(kept):
        for name in [each for each in table if each not in kept and not str(each).startswith("__")]:
            _set(owner, name, _MISSING)


def _is_rebound(table: Any, kept: dict[Any, Any]) -> bool:
    return not _holds(table, kept) or any(each not in kept for each in table if not str(each).startswith("__"))


def _holds(table: Any, kept: dict[Any, Any]) -> bool:
    """Return whether a table has the very values of another under their names; it may have more."""
    return all(map(is_, map(table.get, kept, repeat(_MISSING)), kept.values()))


def _set(owner: Any, name: str, value: Any) -> None:
    if isinstance(owner, type):
        if value is _MISSING:
            type.__delattr__(owner, name)
        else:
            type.__setattr__(owner, name, value)
        return
    table = owner if isinstance(owner, dict) else owner.__dict__
    if value is _MISSING:
        del table[name]
    else:
        table[name] = value


def _same(container: Any, copy: Any) -> bool:
    if isinstance(container, np.ndarray):
        return np.array_equal(container, copy)
    if len(container) != len(copy):
        return False
    if isinstance(container, dict):
        return _holds(container, copy)
    if isinstance(container, set):
        return bool(container == copy)
    return all(map(is_, container, copy))


def _refill(container: Any, copy: Any) -> None:
    if isinstance(container, np.ndarray):
        container[...] = copy
        return
    container.clear()
    if isinstance(container, (list, deque)):
        container.extend(copy)
    else:
        container.update(copy)
