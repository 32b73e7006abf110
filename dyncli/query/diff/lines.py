"""Which lines of two versions of a script belong together: function by function, then line by line."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from dyncli.record.syntax import parse

ALIKE = 0.6  # how alike two lines, or two functions, must be to belong together, from 0 to 1
SAME_WORD = 0.3  # what it is worth that both lines start with `if`, `for`, `return`, ...
WORDS = frozenset(
    {"if", "elif", "else:", "while", "for", "return", "assert", "match", "case", "with", "try:", "except"}
)
MOST_COMPARED = 2500  # pairs of changed lines that are compared by their letters
MOST_LETTERS = 300


@dataclass(frozen=True, slots=True)
class Matched:
    """Lines of the first version -> lines of the second, and names of its functions -> names in the second."""

    lines: dict[int, int] = field(default_factory=dict)
    functions: dict[str, str] = field(default_factory=dict)


def match_lines(a: str, b: str) -> Matched:
    """Return what belongs together in two versions of a file."""
    matched = Matched()
    first, second = _functions(a), _functions(b)
    for name, other in _named_alike(first, second):
        matched.functions[name] = other
        matched.lines.update(_pairs(first[name], second[other]))
    return matched


def _functions(text: str) -> dict[str, list[tuple[int, str]]]:
    """Return the lines of each function that belong to no function inside it; those of the module are called ''."""
    lines = text.splitlines()
    owner = [""] * (len(lines) + 1)
    try:
        waiting: list[tuple[ast.AST, str]] = [(parse(text), "")]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        waiting = []
    while waiting:
        node, prefix = waiting.pop()
        for child in ast.iter_child_nodes(node):
            inner = prefix
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                name = prefix + child.name
                for line in range(child.lineno, min(child.end_lineno or child.lineno, len(lines)) + 1):
                    owner[line] = name
                inner = f"{name}.<locals>."
            elif isinstance(child, ast.ClassDef):
                inner = f"{prefix}{child.name}."
            waiting.append((child, inner))
    found: dict[str, list[tuple[int, str]]] = {"": []}
    for number, text_line in enumerate(lines, 1):
        found.setdefault(owner[number], []).append((number, text_line.strip()))
    return found


def _named_alike(a: dict[str, list[tuple[int, str]]], b: dict[str, list[tuple[int, str]]]) -> list[tuple[str, str]]:
    """Return the functions that belong together: by name, the others by what stands in them."""
    pairs = [(name, name) for name in a if name in b]
    left = [name for name in b if name not in a]
    for name in a:
        if name in b or not left:
            continue
        likeness = {other: _likeness([t for _, t in a[name][1:]], [t for _, t in b[other][1:]]) for other in left}
        best = max(left, key=lambda other: likeness[other])
        if likeness[best] >= ALIKE:
            pairs.append((name, best))
            left.remove(best)
    return pairs


def _likeness(a: Sequence[str], b: Sequence[str]) -> float:
    return SequenceMatcher(None, a, b).ratio() if a and b else 0.0


def _pairs(a: list[tuple[int, str]], b: list[tuple[int, str]]) -> list[tuple[int, int]]:
    matcher = SequenceMatcher(None, [text for _, text in a], [text for _, text in b], autojunk=len(a) > 2000)
    pairs: list[tuple[int, int]] = []
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        if tag == "equal":
            pairs += [(a[i + k][0], b[j + k][0]) for k in range(i_end - i)]
        elif tag == "replace":
            pairs += _changed(a[i:i_end], b[j:j_end])
    return pairs


def _changed(a: list[tuple[int, str]], b: list[tuple[int, str]]) -> list[tuple[int, int]]:
    """Return the pairs of changed lines, in order, that are most alike in all."""
    if len(a) * len(b) > MOST_COMPARED:
        return [(x[0], y[0]) for x, y in zip(a, b) if _alike(x[1], y[1]) >= ALIKE]
    best = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]
    scores = [[_alike(x[1], y[1]) for y in b] for x in a]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            score = scores[i][j]
            both = best[i + 1][j + 1] + score if score >= ALIKE else 0.0
            best[i][j] = max(both, best[i + 1][j], best[i][j + 1])
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < len(a) and j < len(b):
        if scores[i][j] >= ALIKE and best[i][j] == best[i + 1][j + 1] + scores[i][j]:
            pairs.append((a[i][0], b[j][0]))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _alike(a: str, b: str) -> float:
    if not a or not b:
        return 0.0
    words = a.split(None, 1)[0], b.split(None, 1)[0]
    bonus = SAME_WORD if words[0] == words[1] and words[0] in WORDS else 0.0
    return bonus + SequenceMatcher(None, a[:MOST_LETTERS], b[:MOST_LETTERS], autojunk=False).ratio()
