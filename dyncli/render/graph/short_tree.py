"""A tree that fits on a screen: ops that follow each other on one line, no constants, nothing wrapped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rich.text import Text
from rich.tree import Tree

from dyncli.analysis.graph import Box, Node

#: Lines of a terminal; a tree of more is shortened.
SCREEN = 56
WIDEST_NAMES = 40
MOST_GRADED = 4
_LINE = re.compile(r"line (\d+)")
_TIMES = re.compile(r"\bx[\d,]+")
_MERGED = ("op", "module", "parameter", "leaf")

Children = Mapping[str | None, Sequence[Node | Box]]


def in_rows(children: Children, key: str | None) -> list[Node | Box | list[Node]]:
    """Return what stands in a box but for constants; ops that follow each other are one list."""
    found: list[Node | Box | list[Node]] = []
    for child in children.get(key, ()):
        if isinstance(child, Node) and child.kind == "constant":
            continue
        if isinstance(child, Node) and child.kind in _MERGED and not children.get(child.id) and not child.failed:
            if found and isinstance(found[-1], list):
                found[-1].append(child)
            else:
                found.append([child])
        else:
            found.append(child)
    return [each[0] if isinstance(each, list) and len(each) == 1 else each for each in found]


def unwrapped(tree: Tree) -> Tree:
    """Cut each line of a tree at the width of the page instead of wrapping it."""
    for child in tree.children:
        if isinstance(child.label, Text):
            child.label.no_wrap, child.label.overflow = True, "ellipsis"
        unwrapped(child)
    return tree


def row_text(nodes: Sequence[Node]) -> Text:
    """Return the line of several ops: their names, what gradients came to, their lines and how often they ran."""
    names: dict[str, int] = {}
    for node in nodes:
        names[node.name] = names.get(node.name, 0) + 1
    words = [name + (f" x{count:,}" if count > 1 else "") for name, count in names.items()]
    most = len(words)
    while most > 1 and len(", ".join(words[:most])) > WIDEST_NAMES:
        most -= 1
    shown = words[:most] if most == len(words) else [*words[:most], f"{len(words) - most} more"]
    text = Text(", ".join(shown), style="bold")
    graded = [node.name for node in nodes if any(line.tone == "gradient" for line in node.lines)]
    graded = list(dict.fromkeys(graded))
    if graded:
        more = [f"{len(graded) - MOST_GRADED} more"] if len(graded) > MOST_GRADED + 1 else []
        text.append(f"  grad of {', '.join([*graded[: MOST_GRADED + 1 - len(more)], *more])}", "not bold yellow")
    return text.append(_facts(nodes), "not bold dim")


def _facts(nodes: Sequence[Node]) -> str:
    """Return the lines that several ops stand on, and how often the first of them ran."""
    last = [node.lines[-1].text for node in nodes if node.lines]
    lines = [int(match[1]) for text in last if (match := _LINE.match(text))]
    times = next((match[0] for text in last if (match := _TIMES.search(text))), "")
    span = f"line {lines[0]}" if len(set(lines)) == 1 else f"lines {min(lines)} to {max(lines)}" if lines else ""
    words = " · ".join(filter(None, (span, times)))
    return f"  {words}" if words else ""
