"""Module: holds parameters and other modules, and is called like a function."""

from __future__ import annotations

import weakref
from typing import Any, TypeVar

from dyncore.graph import events
from dyncore.nn.calling import Calling
from dyncore.nn.conversion import Conversion
from dyncore.nn.state import State
from dyncore.nn.traversal import Traversal
from dyncore.tensors.parameter import Buffer, Parameter
from dyncore.tensors.tensor import Tensor

M = TypeVar("M", bound="Module")


class Module(Calling, Traversal, State, Conversion):
    """Base of all layers and models.

    Parameters, buffers and modules assigned to attributes are listed by `parameters()`, `state_dict()`, ...

    >>> class Double(Module):
    ...     def forward(self, x):
    ...         return 2 * x
    >>> Double()(3)
    6
    """

    training: bool
    dump_patches = call_super_init = False
    _parameters: Registered
    _buffers: Registered
    _modules: Registered

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if kwargs:
            raise TypeError(
                f"{type(self).__name__}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'"
            )
        if args:
            raise TypeError(
                f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given"
            )
        if events.built is not None:
            events.built(self)
        self.__dict__.update(
            training=True, _parameters=Registered(self), _buffers=Registered(self), _modules=Registered(self),
            _non_persistent_buffers_set=set(), **{name: {} for name in _HOOKS},
        )  # fmt: skip

    def register_parameter(self, name: str, param: Any) -> None:
        """Add a parameter, or None for one that is left out.

        Raises KeyError for a name that cannot be used.
        """
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name(name, "parameter", self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. To "
                f"express '{name}' as a function of another Tensor, compute the value in the forward() method."
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that is not learned.

        persistent: True makes it part of the state.  Raises KeyError for a name that cannot be used.
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name(name, "buffer", self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Any) -> None:
        """Add a submodule.

        Raises TypeError for what is no Module, KeyError for a name that cannot be used.
        """
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{typename(module)} is not a Module subclass")
        self._check_name(name, "module", self._modules)
        self._modules[name] = module

    register_module = add_module

    def _check_name(self, name: str, kind: str, table: dict[str, Any]) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        if hasattr(self, name) and name not in table:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(
                f'{kind} name can\'t contain ".", got: {name}'
                if kind == "module"
                else f'{kind} name can\'t contain "."'
            )
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        parameters = own.get("_parameters")
        if parameters is None:
            self._set_early(name, value)
        elif isinstance(value, Parameter):
            self._forget(name, parameters)
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            self._forget(name, self._modules)
            self._modules[name] = value
        elif name in parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            parameters[name] = None
        elif name in self._modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            self._modules[name] = None
        elif name in self._buffers:
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{typename(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None "
                    "expected)"
                )
            self._buffers[name] = value
        elif isinstance(value, Buffer):
            own.pop(name, None)
            self.register_buffer(name, value, value.persistent)
        elif name in _TABLES:
            own[name] = Registered(self, value)
        else:
            object.__setattr__(self, name, value)

    def _set_early(self, name: str, value: Any) -> None:
        for kind, title in ((Parameter, "parameters"), (Module, "module"), (Buffer, "buffer")):
            if isinstance(value, kind):
                raise AttributeError(f"cannot assign {title} before Module.__init__() call")
        object.__setattr__(self, name, value)

    def _forget(self, name: str, keep: dict[str, Any]) -> None:
        """Remove another attribute of this name, which the new one replaces."""
        if name in keep:
            return
        for table in (self._parameters, self._buffers, self._modules):
            table.pop(name, None)
        self._non_persistent_buffers_set.discard(name)
        self.__dict__.pop(name, None)

    def __delattr__(self, name: str) -> None:
        for table in (self._parameters, self._buffers, self._modules):
            if name in table:
                del table[name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for table in _TABLES:
            if table in own and name in own[table]:
                return own[table][name]
        error = AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        if name in ("bfloat16", "xpu", "ipu", "mtia"):
            error.add_note(f"PyTorch has `torch.nn.Module.{name}`; dyncore does not")
            error.add_note("hint: `.float()` and `.double()` are here, and everything runs on the CPU")
        raise error

    def __getstate__(self) -> dict[str, Any]:
        """Return the attributes as PyTorch has them: parameters, buffers and modules in their tables alone."""
        state = {name: value for name, value in self.__dict__.items() if not self._is_registered(name)}
        return state | {name: dict(self.__dict__[name]) for name in _TABLES if name in state}

    def _is_registered(self, name: str) -> bool:
        return any(name in self.__dict__.get(table, ()) for table in _TABLES)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for name in _TABLES:
            self.__dict__[name] = Registered(self, state.get(name, {}))

    def train(self: M, mode: bool = True) -> M:
        """Set the training mode of this module and of all below it."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def eval(self: M) -> M:
        """Set this module and all below it to evaluation mode."""
        return self.train(False)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Do nothing: every call runs as written."""

    def extra_repr(self) -> str:
        """Return the text between the parentheses of the module's line.

        A subclass defines it.
        """
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = [f"({name}): " + _addindent(repr(module), 2) for name, module in self._modules.items()]
        return framed(self._get_name(), extra, lines)

    def __dir__(self) -> list[str]:
        names = {*dir(type(self)), *self.__dict__, *self._parameters, *self._buffers, *self._modules}
        return sorted(name for name in names if not name[0].isdigit())


_TABLES = ("_parameters", "_buffers", "_modules")
_HOOKS = (
    "_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks", "_state_dict_hooks",
    "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks",
)  # fmt: skip


def framed(name: str, extra: str, lines: list[str]) -> str:
    """Return a module's text: name and extra text on one line, its parts indented."""
    head = extra.split("\n") if extra else []
    body = head + lines
    if not body:
        return name + "()"
    if len(head) == 1 and not lines:
        return f"{name}({head[0]})"
    return name + "(\n  " + "\n  ".join(body) + "\n)"


def _addindent(text: str, count: int) -> str:
    return text.replace("\n", "\n" + " " * count)


def typename(value: Any) -> str:
    """Return the name of an object's type in PyTorch's messages.

    `torch.FloatTensor`, `list`, `numpy.ndarray`.
    """
    if isinstance(value, Tensor):
        return f"torch.{value.dtype.title}Tensor"
    kind = type(value)
    return kind.__qualname__ if kind.__module__ in ("builtins", None) else f"{kind.__module__}.{kind.__qualname__}"


def _is_read_from_dict(kind: type[Module], name: str) -> bool:
    return kind.__getattr__ is Module.__getattr__ and not hasattr(kind, name)


class Registered(dict[str, Any]):
    """Parameters, buffers or submodules of a Module by name.

    Each is an ordinary attribute of the Module too, which is much faster to read than by `__getattr__`
    (tests/bench, module_call).  A change of the table itself, as meta-learning code makes it, changes the attribute.
    An attribute of the class, such as a method, hides the entry of its name, as in PyTorch; a class with a
    `__getattr__` of its own is asked each time.

    judged: of the table of submodules, what batches know of the Module (`batching/modules.py`).
    """

    __slots__ = ("_owner", "judged")
    judged: Any

    def __init__(self, owner: Any, given: Any = ()) -> None:
        super().__init__(given)
        self._owner = weakref.ref(owner)
        kind = type(owner)
        owner.__dict__.update({name: value for name, value in self.items() if _is_read_from_dict(kind, name)})

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        owner = self._owner()
        if owner is not None and _is_read_from_dict(type(owner), name):
            owner.__dict__[name] = value

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        owner = self._owner()
        if owner is not None:
            owner.__dict__.pop(name, None)

    def pop(self, name: str, *default: Any) -> Any:
        if name not in self:
            return super().pop(name, *default)
        value = self[name]
        del self[name]
        return value

    def update(self, *others: Any, **named: Any) -> None:
        for name, value in dict(*others, **named).items():
            self[name] = value

    def setdefault(self, name: str, default: Any = None) -> Any:
        if name not in self:
            self[name] = default
        return self[name]

    def clear(self) -> None:
        for name in list(self):
            del self[name]

    def popitem(self) -> tuple[str, Any]:
        name = next(reversed(self))
        return name, self.pop(name)

    def copy(self) -> dict[str, Any]:
        return dict(self)

    def move_to_end(self, name: str, last: bool = True) -> None:
        """Make `name` the last entry, or the first."""
        value = super().pop(name)
        rest = list(self.items()) if not last else []
        for each, _ in rest:
            super().__delitem__(each)
        super().__setitem__(name, value)
        for each, kept in rest:
            super().__setitem__(each, kept)

    def __reduce__(self) -> Any:
        return dict, (dict(self),)

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        from copy import deepcopy

        return {name: deepcopy(value, memo) for name, value in self.items()}
