"""One frame of a drawing: what all the calls, modules or loop steps drawn as one box have in common."""

from __future__ import annotations

from dataclasses import dataclass, field

from dyncli.analysis.graph.model import Key
from dyncli.records.model import Site


@dataclass(slots=True, eq=False)
class Frame:
    """One box of the drawing before it has a name.  kind: root, call, module, loop, kind, step or arm.

    folded_into: the folded frame that hides this one, or is it.  closed: folded at first where it can be expanded.
    plain: a module drawn as one node.
    like: the expanded frame that this one, folded, ran as.
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
    folded_into: int | None = None
    plain: bool = False
    closed: bool = False
    like: int | None = None
    last: int | None = None
    scopes: list[int] = field(default_factory=list)
    decision: int | None = None
    arms: list[int] = field(default_factory=list)
    pattern: list[int] = field(default_factory=list)
