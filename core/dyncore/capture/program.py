"""The captured program of a function: ops, decisions and results as immutable data that any back end can read.

`programs_of(compiled)` returns one `Program` for each kind of arguments that was recorded.  NumPy appears in it only as
the arrays of constants; how a replay computes an op is not part of it.

    Program(inputs, constants, body, ...)
      Block(nodes, decision, arms, result, written)     a straight line, then a decision or the function's result
        nodes: Call | Write | ShapeRead, in the order in which they happened

**Values** stand for tensors.  Each `Value` is defined once: by an `Input`, a `Constant`, a result of a `Call`, or as
the `result` of a `Write`.  A node uses values that are defined above it in its block or in the blocks that led there.

**Calls** name an op of PyTorch's and give its arguments by parameter, defaults included; the parameter of `*tensors`
holds a tuple.  Values also stand inside tuples, lists, dicts and slices (`values_in`).  Python numbers that met a
tensor of another dtype are constants of the common dtype.  `aliases` is the argument whose memory the results share:
the call is a view.  `random` calls draw from the generator, so two runs differ.

**Writes in place** are new versions of whole tensors.  `Write.base` is the tensor that owns the memory, before;
`result` is the same tensor afterwards.  `path` holds the views that lead from `base` to `target`, the part that gets
the elements of `source`; without views it is empty and `target` is `base`.  A view that is used after a write is called
again on the new version, so a back end without shared memory needs nothing else.

**Decisions** are values that left for Python: `bool(x)`, `x.item()`, `x.item() < 0.9`, `x.tolist()`, `torch.equal`.
The block's `arms` are the outcomes seen so far; `Block.arm(outcome)` finds one, and None means that no call has gone
there.  A loop is a chain of decisions, one for each iteration.  Shapes that were read are `ShapeRead` nodes with the
number that Python got: a program holds for inputs of its shapes only.

**Results** are the tree that the function returned, with values for its tensors.  `Block.written` lists the inputs
that were written in place, with their last versions.

A back end walks one block after the other:

    block = program.body
    while True:
        for node in block.nodes: ...
        if block.decision is None: return block.result
        block = block.arm(decide(block.decision))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dyncore.dtypes.dtypes import dtype
from dyncore.errors.source import Place


@dataclass(frozen=True, slots=True)
class Value:
    """A tensor of the run, or a version of it after a write; `number` tells it from all others of its program."""

    number: int
    shape: tuple[int, ...]
    dtype: dtype

    def __str__(self) -> str:
        return f"v{self.number}"


@dataclass(frozen=True, slots=True)
class Input:
    """A tensor from outside.

    name: of the argument (`x`, `batch[0]`), the parameter of a Module (`layer.weight`), or what the code calls it.
    argument: its place among the tensors of the arguments; None for one that the function reaches by a name, which
    `tensor` then is.
    """

    value: Value
    name: str
    argument: int | None
    tensor: Any
    requires_grad: bool


@dataclass(frozen=True, slots=True)
class Constant:
    """A tensor that is the same in every run; `array` is read-only."""

    value: Value
    array: Any


@dataclass(frozen=True, slots=True)
class Call:
    """An op with its arguments by name, and its results; None for a result that the op did not give."""

    op: str
    arguments: Mapping[str, Any]
    results: tuple[Value | None, ...]
    site: Place
    aliases: Value | None = None
    random: bool = False

    def __str__(self) -> str:
        shown = ", ".join(f"{name}={text_of(each)}" for name, each in self.arguments.items())
        return f"{', '.join(map(str, self.results))} = {self.op}({shown})"


@dataclass(frozen=True, slots=True)
class Write:
    """Elements of `source` written into `target`, a part of `base`: `result` is `base` afterwards."""

    base: Value
    path: tuple[Call, ...]
    target: Value
    source: Value
    result: Value
    site: Place

    def __str__(self) -> str:
        return f"{self.result} = {self.base} with {self.target} = {self.source}"


@dataclass(frozen=True, slots=True)
class ShapeRead:
    """A shape, a number of dimensions or of elements that Python read: `how` is the attribute, `result` its value."""

    value: Value
    how: str
    result: Any
    site: Place

    def __str__(self) -> str:
        return f"{self.result!r} = {self.value}.{self.how}"


Node = Call | Write | ShapeRead


@dataclass(frozen=True, slots=True)
class Decision:
    """A value that left for Python.

    how: "bool", "item", "float", "int", "index", "complex", "tolist", "equal" or "allclose" of `operands`.
    comparison: ("<", 0.9) where only that of the number counts; the outcome is then True or False.
    """

    how: str
    operands: tuple[Value, ...]
    comparison: tuple[str, float] | None
    site: Place

    def __str__(self) -> str:
        compared = "" if self.comparison is None else f" {self.comparison[0]} {self.comparison[1]!r}"
        return f"{self.how}({', '.join(map(str, self.operands))}){compared}"


@dataclass(frozen=True, slots=True)
class Arm:
    """Block that follows a decision for one outcome."""

    outcome: Any
    block: Block = field(repr=False)


@dataclass(frozen=True, slots=True)
class Block:
    """Nodes that run one after the other; then a decision with its arms, or the result of the function."""

    nodes: tuple[Node, ...]
    decision: Decision | None = None
    arms: tuple[Arm, ...] = ()
    result: Any = None
    written: tuple[tuple[Input, Value], ...] = ()

    def arm(self, outcome: Any) -> Block | None:
        """Return the block that follows this outcome, None if no call has gone there."""
        for arm in self.arms:
            if type(arm.outcome) is type(outcome) and repr(arm.outcome) == repr(outcome):
                return arm.block
        return None

    def walk(self) -> Iterator[Block]:
        """Yield this block and all that follow it, first arms first."""
        stack = [self]
        while stack:
            block = stack.pop()
            yield block
            stack += [arm.block for arm in reversed(block.arms)]


@dataclass(frozen=True, slots=True)
class Program:
    """Recording for one kind of arguments.

    arguments: what each argument is, as `explain()` shows it.  grad: whether the grad mode was on.
    """

    name: str
    arguments: Mapping[str, str]
    grad: bool
    inputs: tuple[Input, ...]
    constants: tuple[Constant, ...]
    body: Block

    def __str__(self) -> str:
        lines = [f"{self.name}({', '.join(f'{each.value}: {each.name}' for each in self.inputs)})"]
        lines += [f"  {each.value} = {each.array!r}" for each in self.constants]
        stack: list[tuple[Block, str, str]] = [(self.body, "  ", "")]
        while stack:
            block, indent, head = stack.pop()
            lines += [head] if head else []
            lines += [f"{indent}{node}" for node in block.nodes]
            if block.decision is None:
                lines += [f"{indent}{each.name} = {value}" for each, value in block.written]
                lines.append(f"{indent}return {text_of(block.result)}")
            for arm in reversed(block.arms):
                stack.append((arm.block, indent + " ", f"{indent}if {block.decision} is {arm.outcome!r}:"))
        return "\n".join(lines)


def changed(tree: Any, change: Callable[[Value], Any]) -> Any:
    """Return a tree of tuples, lists, mappings and slices with `change` of each of its values."""
    if isinstance(tree, Value):
        return change(tree)
    if isinstance(tree, (tuple, list)):
        parts = [changed(each, change) for each in tree]
        return type(tree)._make(parts) if hasattr(tree, "_make") else type(tree)(parts)
    if isinstance(tree, Mapping):
        return {name: changed(each, change) for name, each in tree.items()}
    if isinstance(tree, slice):
        return slice(*[changed(each, change) for each in (tree.start, tree.stop, tree.step)])
    return tree


def values_in(tree: Any) -> list[Value]:
    """Return the values in a tree of tuples, lists, mappings and slices, in order."""
    found: list[Value] = []
    changed(tree, found.append)
    return found


def text_of(tree: Any) -> str:
    """Return the text of a tree, with `v3` for a value."""
    return repr(changed(tree, _Name))


class _Name:
    """Shows a value by its name inside a tree."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def __repr__(self) -> str:
        return str(self.value)
