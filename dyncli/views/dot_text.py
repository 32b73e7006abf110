"""DOT text: graphs and frames within graphs, as lines of statements.

The package `graphviz` writes the same, but loads 30 modules and ten of the library for it: 7 ms of drawing anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

_PLAIN = re.compile(r"(?!(?:node|edge|graph|digraph|subgraph|strict)$)[a-z_][a-z0-9_]*|-?(?:\.\d+|\d+(?:\.\d*)?)", re.I)


class Block:
    """A graph, or a part of one, with what stands in it."""

    def __init__(self, head: str) -> None:
        self._lines = [f"{head} {{".lstrip()]

    @property
    def text(self) -> str:
        """The whole block."""
        return "\n".join([*self._lines, "}", ""])

    def attr(self, of: str = "", **attributes: str) -> None:
        """Sets attributes of the block, or of all its nodes or edges from here on."""
        listed = _listed(attributes)
        self._lines.append(f"\t{of} [{listed}]" if of else f"\t{listed}")

    def node(self, name: str, **attributes: str) -> None:
        """Adds a node, or puts one into this block."""
        self._lines.append(f"\t{_quoted(name)}{_bracketed(attributes)}")

    def edge(self, tail: str, head: str, **attributes: str) -> None:
        """Adds an arrow."""
        self._lines.append(f"\t{_quoted(tail)} -> {_quoted(head)}{_bracketed(attributes)}")

    @contextmanager
    def subgraph(self, name: str = "") -> Iterator[Block]:
        """Adds a block within this one; a name that begins with `cluster` makes it a frame."""
        inner = Block(f"subgraph {_quoted(name)}" if name else "")
        yield inner
        self._lines += [f"\t{line}" for line in inner.text.splitlines()]


def _bracketed(attributes: dict[str, str]) -> str:
    return f" [{_listed(attributes)}]" if attributes else ""


def _listed(attributes: dict[str, str]) -> str:
    """Return attributes in the order of their names, the label first."""
    names = sorted(attributes, key=lambda name: (name != "label", name))
    return " ".join(f"{name}={_quoted(attributes[name])}" for name in names)


def _quoted(text: str) -> str:
    """Return a word of DOT: `<...>` is markup, a name or a number stands as it is."""
    if (text[:1], text[-1:]) == ("<", ">") or _PLAIN.fullmatch(text):
        return text
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
