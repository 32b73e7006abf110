"""Inputs changed by chance, seeded: numbers, words the script itself knows, lengths, switches."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dyncli.coverage.search.json_leaves import Path, at, is_number, leaves, lists, mapped, moved, replaced
from dyncli.records.text import parse

MOST_WORDS = 500
LONGEST_LIST = 200
MOST_DRAWS = 10
SCALES = (0.1, 1.0, 10.0, 100.0)


class Chance:
    """Changes inputs.  words: the constants of the script, which its tests compare with.  others: to borrow from."""

    def __init__(self, seed: str, words: Sequence[Any]) -> None:
        self.random = random.Random(seed)  # the same numbers under every version of Python
        self.numbers = [word for word in words if is_number(word)] or [0, 1]
        self.texts = [word for word in words if isinstance(word, str)]

    def changed(self, value: Any, others: Sequence[Any]) -> Any:
        """Copy a value with one to three random changes; those that do not fit it are drawn anew, a few times."""
        changes: list[Callable[[Any, Sequence[Any]], Any]] = [
            self._all_numbers, self._all_numbers, self._number, self._number, self._length, self._switch, self._borrow,
        ]  # fmt: skip
        made = value
        for _ in range(MOST_DRAWS):
            for _ in range(self.random.randrange(1, 4)):
                made = self._pick(changes)(made, others)
            if made != value:
                break
        return made

    def _pick(self, items: Sequence[Any]) -> Any:
        return items[self.random.randrange(len(items))]

    def _all_numbers(self, value: Any, others: Sequence[Any]) -> Any:
        """Change all numbers of one parameter by one random affine map."""
        names = [name for name, inner in value.items() if any(is_number(leaf) for _, leaf in leaves(inner))]
        if not names:
            return value
        name = self._pick(names)
        scale = self._pick(SCALES)
        shift = self.random.gauss(0.0, 1.0) * scale
        spread = self.random.randrange(2) * scale
        factor = self._pick((1.0, 1.0, -1.0, 10.0, 0.1))

        def change(leaf: Any) -> Any:
            if not is_number(leaf):
                return leaf
            return moved(leaf, leaf * (factor - 1) + shift + spread * self.random.gauss(0.0, 1.0))

        return {**value, name: mapped(value[name], change)}

    def _number(self, value: Any, others: Sequence[Any]) -> Any:
        """Set one number: near a constant of the script, or anywhere."""
        paths = [(path, leaf) for path, leaf in leaves(value) if is_number(leaf)]
        if not paths:
            return value
        path, leaf = self._pick(paths)
        if self.random.random() < 0.6:
            target = self._pick(self.numbers) + self._pick((0, 0, 1, -1, 0.5, -0.5))
            target *= self._pick((1, 1, 1, -1, 2))
        else:
            target = self.random.gauss(0.0, 1.0) * 10.0 ** self.random.randrange(-2, 5)
        return replaced(value, path, moved(type(leaf)(0), float(target)))

    def _length(self, value: Any, others: Sequence[Any]) -> Any:
        """Lengthen, shorten or reverse one list."""
        found = list(lists(value))
        if not found:
            return value
        path, items = self._pick(found)
        kind = self.random.randrange(5)
        if kind == 0:
            items = items[: self.random.randrange(len(items) + 1)]
        elif kind == 1 and items:
            place = self.random.randrange(len(items))
            items = items[:place] + items[place + 1 :]
        elif kind == 2:
            items = items[::-1]
        else:
            more = items if kind == 3 and items else [self._pick(items or self.texts or self.numbers)]
            more = more if items or self.random.random() < 0.3 else [self._pick(self.numbers)]
            items = [*items, *more][:LONGEST_LIST]
        return replaced(value, path, items)

    def _switch(self, value: Any, others: Sequence[Any]) -> Any:
        """Invert a boolean, or choose another string."""
        found: list[tuple[Path, Any]] = [
            (path, leaf) for path, leaf in leaves(value) if isinstance(leaf, (bool, str)) or leaf is None
        ]
        if not found:
            return self._number(value, others)
        path, leaf = self._pick(found)
        if isinstance(leaf, bool):
            return replaced(value, path, not leaf)
        words = [*self.texts, "", leaf]
        return replaced(value, path, self._pick(words) if isinstance(leaf, str) else self._pick([*self.numbers, None]))

    def _borrow(self, value: Any, others: Sequence[Any]) -> Any:
        """Take one parameter from another input."""
        if not others:
            return value
        other = self._pick(others)
        names = sorted(value.keys() & other.keys())
        if not names:
            return value
        name = self._pick(names)
        return replaced(value, (name,), at(other, (name,)))


def words_of(sources: Sequence[str]) -> list[Any]:
    """List the constants of scripts, each once."""
    words = dict.fromkeys((type(word), word) for text in sources for word in constants(text))
    return [word for _, word in words][:MOST_WORDS]


def constants(source: str) -> Iterator[Any]:
    """Yield the numbers and texts that a script spells out, docstrings aside."""
    try:
        tree = parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    shown = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in shown:
            value = node.value
            if is_number(value) or (isinstance(value, str) and len(value) <= 60):
                yield value
