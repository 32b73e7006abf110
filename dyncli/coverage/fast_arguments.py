"""A value of the data set -> what the entry is called with, as quickly as its shape allows.

The general way is `script.inputs`.  Nearly all values need none of its care: their exact types tell what they are, in
a tenth of the time.  Anything else goes the general way, and so do all errors.
"""

from __future__ import annotations

import base64
import json
import typing
from collections.abc import Sequence
from typing import Any

import numpy as np

from dyncli import errors
from dyncli.recorder.engine import Tensor, exchange, wrap
from dyncli.script import inputs, readers
from dyncli.script.convert import TENSORS, Leaf
from dyncli.script.readers import DEEPEST, READERS, Held, mistake, parse_json
from dyncli.script.script import Signature

ANY, TENSOR, EXACT, GENERAL = range(4)


class Broken(Exception):
    """An input that cannot be read."""


class Arguments:
    """The arguments of the entry.  tensors: those in it that require grad."""

    __slots__ = ("named", "positional", "tensors")

    def __init__(self, positional: list[Any], named: dict[str, Any], tensors: list[Tensor]) -> None:
        self.positional = positional
        self.named = named
        self.tensors = tensors


class Feed:
    """Makes arguments for one entry.  given: inputs that are the same every time, as `-i` has them."""

    def __init__(self, signature: Signature, dtype: str, given: Sequence[str] = (), no_grad: bool = False) -> None:
        self.signature = signature
        self.dtype = dtype
        self.numpy = np.dtype(dtype)
        self.no_grad = no_grad
        read = inputs.read(given, signature)
        if read.whole:
            raise errors.UsageError(
                "`--input` beside `--inputs` needs a name", hint="`-i steps=3` gives `steps` the same value every time"
            )
        self.given = read.named
        self.required = {each.name for each in signature.parameters if each.is_required}
        plain = not any(each.is_variadic or each.kind is each.kind.POSITIONAL_ONLY for each in signature.parameters)
        self.kinds = (
            {each.name: _kind_of(each.annotation) for each in signature.parameters} if plain and not given else {}
        )
        self.order = [each.name for each in signature.positional]
        self.first = signature.positional[0].name if signature.positional and self.kinds else None
        self.only_first = self.first is not None and self.required <= {self.first}

    def _placed(self, named: dict[str, Any], tensors: list[Tensor]) -> Arguments:
        """Pass arguments by position, as hooks and wrappers expect them, up to the first that is left out."""
        positional = []
        for name in self.order:
            if name not in named:
                break
            positional.append(named.pop(name))
        return Arguments(positional, named, tensors)

    def of_text(self, text: str) -> Arguments:
        """Convert one JSON text to arguments.  Raises Broken, InputError."""
        return self.of_value(parsed(text))

    def of_value(self, value: Any) -> Arguments:
        """Convert one value to arguments: an object by parameter name, anything else as the first parameter."""
        if value.__class__ is dict:
            if self.required <= value.keys():
                made = self._by_exact_types(value)
                if made is not None:
                    return made
        elif self.only_first:
            assert self.first is not None
            made = self._by_exact_types({self.first: value})
            if made is not None:
                return made
        return self._by_general_rules(Held([value], "", lines=True))

    def of_arrays(self, values: dict[str, Any]) -> Arguments:
        """Convert one row of each array to arguments.  Raises InputError."""
        names = values.keys() & self.kinds.keys()
        if len(values) == 1 and not names and self.only_first:
            assert self.first is not None
            values = {self.first: next(iter(values.values()))}
        elif not self.required <= values.keys():
            values = {name: value.item() if value.ndim == 0 else value for name, value in values.items()}
            if len(values) == 1 and not names:
                return self._by_general_rules(Held([*values.values()], "", lines=True))
            return self._by_general_rules(Held([values], "", lines=True))
        made = self._from_arrays(values)
        if made is not None:
            return made
        plain = {name: value.item() if value.ndim == 0 else value for name, value in values.items()}
        return self._by_general_rules(Held([plain], "", lines=True))

    def _from_arrays(self, values: dict[str, Any]) -> Arguments | None:
        named: dict[str, Any] = {}
        tensors: list[Tensor] = []
        for name, value in values.items():
            wanted = self.kinds.get(name)
            if wanted is None:
                return None
            if wanted[0] == EXACT and value.ndim == 0 and value.item().__class__ is wanted[1]:
                named[name] = value.item()
                continue
            if wanted[0] not in (ANY, TENSOR) or value.dtype.kind != "f":
                return None
            made = named[name] = wrap(value.astype(self.numpy), None)
            if not self.no_grad:
                made.requires_grad_()
                tensors.append(made)
        return self._placed(named, tensors)

    def of_cells(self, head: list[str] | None, cells: list[str]) -> Arguments:
        """Convert a table's row to arguments, by column name or else as a vector.  Raises Broken, InputError."""
        values = list(map(cell, cells))
        if head is not None and len(head) != len(cells):
            raise Broken(f"it has {len(cells)} cell{'' if len(cells) == 1 else 's'}, the head has {len(head)}")
        if head is None or (self.only_first and not set(head) & self.kinds.keys()):
            for given, value in zip(cells, values):
                if not isinstance(value, (int, float)):
                    raise Broken(f"`{given[:40]}` is not a number" if given.strip() else "it has an empty cell")
            return self.of_value(values)
        return self.of_value({name: value for name, value in zip(head, values) if value is not None})

    def of_file(self, suffix: str, data: str) -> Arguments:
        """Convert a file's content, in base64, to arguments.  Raises Broken, InputError."""
        try:
            held = READERS[suffix](base64.b64decode(data), "the file")
        except errors.InputError as error:
            raise Broken(error.message) from None
        return self._by_general_rules(held)

    def _by_exact_types(self, values: dict[str, Any]) -> Arguments | None:
        """Convert values of exactly the expected types; None if one needs the general path."""
        named: dict[str, Any] = {}
        tensors: list[Tensor] = []
        for name, value in values.items():
            wanted = self.kinds.get(name)
            if wanted is None or wanted[0] == GENERAL:
                return None
            kind = value.__class__
            if wanted[0] == EXACT:
                if kind is wanted[1]:
                    named[name] = value
                elif kind is float and wanted[1] is int and value.is_integer():  # a table holds no integers
                    named[name] = int(value)
                elif kind is int and wanted[1] is float:
                    named[name] = float(value)
                else:
                    return None
                continue
            if kind is list or kind is float or (wanted[0] == TENSOR and kind is int):
                try:
                    array = np.array(value)
                except ValueError:
                    return None
                if array.dtype.kind not in "fi" or not array.size:
                    return None
                with_dtype = array.astype(self.numpy)
                made = wrap(with_dtype if with_dtype.ndim else with_dtype[()], None)
                if not self.no_grad:
                    made.requires_grad_()
                    tensors.append(made)
                named[name] = made
            elif wanted[0] == ANY and (kind is int or kind is bool or value is None):
                named[name] = value
            else:
                return None
        return self._placed(named, tensors)

    def _by_general_rules(self, held: Held) -> Arguments:
        bound = inputs.fit(inputs.Given((held,), self.given), self.signature, dtype=self.dtype)
        if len(bound) != 1:
            raise errors.InputError(f"it holds {len(bound)} cases", hint="one file is one input; put cases in `.jsonl`")
        tensors: list[Tensor] = []

        def make(leaf: Leaf) -> Tensor:
            made: Tensor = exchange.from_numpy(leaf.array).clone()
            if leaf.is_floating and not self.no_grad:
                made.requires_grad_()
                tensors.append(made)
            return made

        positional, named = bound[0].map_leaves(make)
        return Arguments(positional, named, tensors)


def parsed(text: str) -> Any:
    """Parse a JSON text.  Raises Broken."""
    try:
        if "{" not in text and text.count("[") < DEEPEST:
            return json.loads(text)
        return parse_json(text, "")
    except json.JSONDecodeError as error:
        raise Broken(mistake(text, error)) from None
    except errors.InputError as error:
        raise Broken(error.message.removeprefix(" ")) from None
    except (ValueError, RecursionError) as error:
        raise Broken(str(error)) from None


def cell(text: str) -> Any:
    """Return what a cell holds: a number, None if it is empty, a literal, else its text."""
    text = text.strip()
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        pass
    try:
        return readers.parse(text, "")
    except errors.InputError:
        return text


def _kind_of(annotation: Any) -> tuple[int, Any]:
    """Return how a value for a parameter with this annotation is made quickly."""
    if annotation is typing.Any:
        return ANY, None
    if annotation in (int, float, bool, str):
        return EXACT, annotation
    if isinstance(annotation, type):
        for base in annotation.__mro__:
            if base.__name__ in TENSORS and base.__module__.partition(".")[0] != "builtins":
                return (TENSOR, None) if TENSORS[base.__name__] is None else (GENERAL, None)
    return GENERAL, None
