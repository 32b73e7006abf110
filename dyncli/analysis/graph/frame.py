"""One frame of a drawing: what all the calls, modules or loop steps drawn as one box have in common."""

from __future__ import annotations

from dataclasses import dataclass, field

from dyncli.analysis.graph.model import Key
from dyncli.records.model import Site


@dataclass(slots=True, eq=False)
class Frame:
    """One box of the drawing before it has a name.  kind: root, call, module, loop, kind, step or arm.

    shut: the frame drawn shut that hides this one, or is it.  closed: shut at first where it can be opened.
    plain: a module drawn as one node.
    like: the frame drawn open that this one, drawn shut, ran as.
    last: the last line of an arm that has lines of its own.
    """

    number: int
    key: Key
    kind: str
    name: str
    parent: int | None
    site: Site | None
    level: int = 0
    nesting: int = 0
    last_name: str = ""
    in_loop: bool = False
    shut: int | None = None
    plain: bool = False
    closed: bool = False
    like: int | None = None
    last: int | None = None
    scopes: list[int] = field(default_factory=list)
    decision: int | None = None
    arms: list[int] = field(default_factory=list)
    pattern: list[int] = field(default_factory=list)
