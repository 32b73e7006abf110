"""The table of ops: each op is one block in `ops/`, and everything else about it is derived from that block.

A block is a function over NumPy arrays, with its derivatives in the decorator:

    @unary(lambda g, result: g * (1 - result * result), floats=True)
    def tanh(input):
        \"\"\"Hyperbolic tangent of each element. ...\"\"\"
        return np.tanh(input)

What the block says, and what follows from it:

- Parameters without an annotation are tensors; annotated ones (`dim: int`) are not.
- A derivative is named after its parameter. The names of its own arguments are what is saved for backward: `g` is the
  gradient of the result, then any parameter, `result` (`result0`, ... of several), `input_shape`, `input_dtype`, and
  the names of values that the forward returns beside its result, by `keep`.
  An op with several outputs gets `g0`, `g1`, ..., zeros where no gradient arrived.
  `joint` gives several at once: a dict from parameter to gradient, for the parameters in its argument `wanted`.
- `twice`: the derivative of a unary op for real Tensors, where one op of its own does what would be several.
- A derivative is plain NumPy and other ops by name. Under `create_graph` it runs a second time with `np` and those
  names standing for Tensor functions, so every order of derivative comes from the same line (`higher_order.py`).
- `node`: the name PyTorch prints, or a rule that gives it from the arguments, `result`, `x_shape`, `x_dtype`, `wanted`
  (the names of the parameters that require grad) and `dense` (whether the tensors' memory is in order; a matrix's
  counts as such, and so do all if the first is one).
- `inplace`: whether there is an in-place form; a dict says under which other names it leaves its nodes.
- `back`: the name of the node of a gradient taken under `create_graph`, where PyTorch has an op for the derivative; a
  dict gives it by parameter, or by the name it has otherwise (`graph/names.py`).
- `composite`: no derivative is written; the forward, made of np and other ops alone, runs on Tensors and is recorded op
  by op.  `itself`: a result that is the input array means the input tensor.  `attribute`: a property of Tensor.
  `strict`: the operands that may not be Python numbers; at least one always is a tensor.
- `method`, `function`: whether Tensor has it as a method, and `torch` as a function; `private`: neither has it.
  `aliases`: its other names.  `alone`: for a composite op, the op that runs when it is given a tensor and nothing else.
- `floats`: integers become the default float first.  `promote`: the parameters that are brought to one dtype.
- `view`: the result lies in the memory of the first operand.  `returns`: the names of several results.
  `flat`: for a product, the op whose node it records, by the operands' numbers of dimensions
  (`specialize/products.py`).
  `at_once`: a condition on operands of float32, the result then, and what both call by name: the specialised function
  has them in its text, and calls no forward (`specialize/structured.py`).
- An op with any number of outputs names `grads` in its rules: the list of their gradients, zeros where none arrived.
- `batching`: how many examples are computed at once, one of the words in `batching/rules.py`; elementwise ops have it.
- Broadcasting and dtypes of gradients are undone in one place, never in a rule.
- The function, the method, the in-place form `name_` and `out=` all come from the block.

In the ops modules themselves a name is its forward on raw arrays; `TABLE[name].entry` is the function on Tensors.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from dyncore.dtypes.supported import IN_FORWARD, REFUSED, guarded
from dyncore.graph.handlers import handlers
from dyncore.graph.names import BACK_TITLES

from .results import return_type

F = TypeVar("F", bound=Callable[..., Any])
Rule = Callable[..., Any]


class Table(dict[str, "Op"]):
    """The ops by name; asked for a rare one, it imports its module."""

    def __missing__(self, name: str) -> Op:
        self.load(name)
        return dict.__getitem__(self, name)

    def load(self, name: str) -> None:
        """Import the module of a rare op; `binding.lazy` puts its own function here.  Raises KeyError for no op."""
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default


TABLE = Table()
ABSENT: Any = object()  # stands for an argument that was not given
UNDERIVED = "torch::autograd::NotImplemented"  # the node of what PyTorch records without a derivative
BY_FORWARD: dict[Any, Op] = {}


class Entry:
    """The descriptor of `Op.entry` until it is first asked for, when the function takes its place in the op itself."""

    def __get__(self, op: Any, owner: Any = None) -> Any:
        if op is None:
            return self
        op.entry = made = handlers.entry(op)
        return made


class Block:
    """Options of an op's block beside its forward and derivatives, with defaults."""

    name: str = ""
    aliases: tuple[str, ...] = ()
    node: str | Callable[..., str] | None = None
    promote: tuple[str, ...] = ()
    floats: bool = False
    view: bool = False
    method: bool = True
    function: bool = True
    inplace: bool | dict[str, str] = False
    returns: tuple[str, ...] = ()
    private: bool = False
    itself: bool = False
    composite: bool = False
    attribute: bool = False
    strict: tuple[str, ...] = ()
    twice: Rule | None = None
    back: str | dict[str, str] | None = None
    flat: dict[tuple[int, int], str] | None = None
    alone: str | None = None
    batching: str = ""
    at_once: tuple[str, str, dict[str, Any]] | None = None
    shape: Callable[..., Any] | None = None  # of the result, from the arguments; None leaves it to the forward


_OPTIONS = frozenset(Block.__annotations__)


class Op(Block):
    """Facts of one op; made by the decorators below, read by `dispatch`.

    kind: "unary", "binary", "composite" or "general".
    plain: a listener needs only the result: no view, nothing saved, no parts.
    nodes: the op's node classes and derivatives, by who made them.
    """

    entry: Any = Entry()

    def __init__(self, forward: Callable[..., Any], rules: dict[str, Rule], kind: str = "general", **said: Any) -> None:
        if not said.keys() <= _OPTIONS:
            raise TypeError(f"an op has no option {', '.join(said.keys() - _OPTIONS)}")
        vars(self).update(said)
        self.forward, self.rules, self.kind = forward, rules, kind
        self.name = self.name or forward.__name__
        if self.private:
            self.method = self.function = False
        self.back = self.back or BACK_TITLES.get(self.name)
        self.refuses = None if self.name in IN_FORWARD else REFUSED.get(self.name)
        self.names, self.tensor_names, self.defaults = _parameters(forward)
        self.positional = forward.__code__.co_argcount
        self.required = next((n for n, name in enumerate(self.names) if name in self.defaults), self.positional)
        self.variadic = self.names[-1] if forward.__code__.co_flags & inspect.CO_VARARGS else None
        self.rule_arguments = {key: _arguments(rule) for key, rule in rules.items()}
        self.gradient_names = {n for names in self.rule_arguments.values() for n in names if is_gradient(n)}
        self.saved_names = _saved_names(self.rule_arguments)
        self.kept_names = _kept_names(self)
        self.plain = not (self.view or self.composite or self.kept_names)
        self.named = isinstance(self.node, str)
        self.default_title: str = self.node if isinstance(self.node, str) else camel(self.name) + "Backward0"
        self.choose_title = self.node if callable(self.node) else None
        self.nodes: dict[Any, Any] = {}
        self._return_type: Any = None

    @property
    def differentiable(self) -> bool:
        return bool(self.rules) or self.composite

    def given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments in the form in which every path reports a call.

        Those that are their parameters' defaults are left out; the others are given by position up to the first one
        left out, then by name.
        """
        if not kwargs and len(args) <= self.required:
            return args, kwargs
        defaults, names = self.defaults, self.names
        if self.variadic is not None or len(args) > self.positional:
            return args, {name: v for name, v in kwargs.items() if name not in defaults or v is not defaults[name]}
        known = {**dict(zip(names, args, strict=False)), **kwargs}
        known = {name: value for name, value in known.items() if name not in defaults or value is not defaults[name]}
        placed: tuple[Any, ...] = ()
        for name in names[: self.positional]:
            if name not in known:
                break
            placed = (*placed, known.pop(name))
        return placed, {name: known[name] for name in (*names, *known) if name in known}

    def leads_back(self, number: int) -> bool:
        """Return True if output `number` takes a gradient.

        An output whose gradient no rule takes is a constant.
        """
        names = self.gradient_names
        return f"g{number}" in names or "grads" in names or "g" in names

    @property
    def frees(self) -> bool:
        """Return True if a second backward is an error.

        Some saved value is a tensor then, not only a shape or a number.
        """
        return any(
            name in self.tensor_names
            or name.startswith("result")
            or not (name in self.names or name.endswith(("_shape", "_dtype")))
            for name in self.saved_names
        )

    @property
    def return_type(self) -> Any:
        """The named tuple of an op with several outputs, printed as `torch.return_types.NAME`."""
        if self._return_type is None and self.returns:
            self._return_type = return_type(self.name.removesuffix("_along"), self.returns)
        return self._return_type

    def __repr__(self) -> str:
        return f"<op {self.name}>"


def joins(op: Op) -> bool:
    """Return whether an op puts the tensors of a list together."""
    return op.names[0] == "tensors" and len(op.names) == 2 and set(op.rules) == {"tensors"} and not op.private


def camel(name: str) -> str:
    """Return `LogSoftmax` for `log_softmax`."""
    return "".join([part[:1].upper() + part[1:] for part in name.strip("_").split("_")])


def _parameters(forward: Callable[..., Any]) -> tuple[tuple[str, ...], tuple[str, ...], dict[str, Any]]:
    assert isinstance(forward, FunctionType)
    code, annotated = forward.__code__, forward.__annotations__
    count, every = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    names = code.co_varnames[: every + (1 if code.co_flags & inspect.CO_VARARGS else 0)]
    given = forward.__defaults__ or ()
    defaults = dict(zip(names[count - len(given) : count], given, strict=True))
    if forward.__kwdefaults__:
        defaults.update(forward.__kwdefaults__)
    return names, tuple([name for name in names if name not in annotated]), defaults


def _arguments(rule: Rule) -> tuple[str, ...]:
    code = rule.__code__
    return code.co_varnames[: code.co_argcount]


def _saved_names(arguments: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    names = dict.fromkeys([name for names in arguments.values() for name in names])
    return tuple([name for name in names if not is_gradient(name) and name != "wanted"])


def _kept_names(op: Op) -> tuple[str, ...]:
    """Return what is saved that is neither an argument, nor a result, nor a shape or dtype: masks, indices, factors."""
    return tuple(
        name
        for name in op.saved_names
        if name not in op.names and not name.startswith("result") and not name.endswith(("_shape", "_dtype"))
    )


def is_gradient(name: str) -> bool:
    """Return True if a rule's argument is a result's gradient: `g`, `g0`, `g1`, ..."""
    return name[0] == "g" and (len(name) == 1 or name[1:].isdigit() or name == "grads")


class Kept(tuple[Any, dict[str, Any]]):
    """A forward's result together with values its derivative wants, by name."""

    __slots__ = ()


def keep(result: Any, **values: Any) -> Kept:
    """Pair a forward's result with values its derivatives want, by name."""
    return Kept((result, values))


def unary(derivative: Rule | None = None, **options: Any) -> Callable[[F], F]:
    """Register an op of one tensor, element by element.  `floats`: integers become the default float first."""
    rules = {} if derivative is None else {"input": derivative}
    fast = set(_arguments(derivative) if derivative else ()) in ({"g"}, {"g", "input"}, {"g", "result"}, set())
    options.setdefault("inplace", True)
    options.setdefault("batching", "each")
    return _register(rules, "unary" if fast else "general", options)


def binary(*, input: Rule | None = None, other: Rule | None = None, **options: Any) -> Callable[[F], F]:
    """Register an op of two broadcast tensors, or a tensor and a number, in the dtype both promote to."""
    rules = {key: rule for key, rule in (("input", input), ("other", other)) if rule is not None}
    fast = all(set(_arguments(rule)) <= {"g", "input", "other"} for rule in rules.values())
    node, strict = options.get("node"), options.get("strict", ())
    fast = fast and len(strict) < 2 and (not callable(node) or (_arguments(node) == ("other",) and "input" in strict))
    options.setdefault("inplace", True)
    options.setdefault("promote", ("input", "other"))
    options.setdefault("batching", "each")
    return _register(rules, "binary" if fast else "general", options)


def op(**given: Any) -> Callable[[F], F]:
    """Register an op of any signature: options of `Block`, and derivatives by parameter name."""
    rules = {key: value for key, value in given.items() if key not in _OPTIONS}
    kind = "composite" if given.get("composite") else "general"
    return _register(rules, kind, {key: value for key, value in given.items() if key in _OPTIONS})


def titled(name: str, doc: str, function: F) -> F:
    """Give a function that is made for each of several ops its name and docstring."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _register(rules: dict[str, Rule], kind: str, options: dict[str, Any]) -> Callable[[F], F]:
    def register(forward: F) -> F:
        if kind in ("unary", "binary") and len(_parameters(forward)[0]) != (1 if kind == "unary" else 2):
            made = Op(forward, rules, kind="general", **options)
        else:
            made = Op(forward, rules, kind=kind, **options)
        if made.name in IN_FORWARD and not made.composite:
            made.forward = guarded(made.name, forward)
        for name in (made.name, *made.aliases):
            known = dict.get(TABLE, name)  # by a module whose import was interrupted and begins again
            assert known is None or known.forward.__module__ == forward.__module__, f"two ops are called {name}"
            TABLE[name] = made
        BY_FORWARD[forward] = made
        return forward

    return register
