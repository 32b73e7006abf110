"""The points of a program as flat tables: what an entry of the log means to an observer, looked up by its number."""

from __future__ import annotations

from dyncli.instrument.program import Program, Role

#: Arms of one construct are told apart below this number; the arm `raise` is 1, arm n is n + 2.
SPAN = 4096
LOOP, WHILE, RAISED, FIRST = 0, SPAN - 1, 1, 2
BACKWARD = "backward"  # what stands between the decisions of the two passes
LEFT_OUT = "left out"  # what stands at the end of a path that was too long, before how much is missing
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")

#: How a test is measured: not at all, by the difference of its two sides, by its value.
UNMEASURED, DIFFERENCE, VALUE = range(3)


class Tables:
    """The meaning of each point; `grow` adds those that came with a module imported since."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.kinds: list[int] = []
        self.widths: list[int] = []
        self.keys: list[int] = []
        self.functions: list[int] = []
        self.indices: list[int] = []
        self.true: list[int] = []
        self.false: list[int] = []
        self.measures: list[int] = []
        self.ops: list[str | None] = []
        self.is_while: list[bool] = []
        self.last: list[int] = []
        self.stops: list[bool] = []
        self.grow()

    def grow(self) -> None:
        """Add the points that the program has got since the last call."""
        program = self.program
        for point in program.points[len(self.kinds) :]:
            role, key = point.role, point.key
            construct = program.constructs[key] if key >= 0 else None
            self.kinds.append(role.kind)
            self.widths.append(role.width)
            self.keys.append(key)
            self.functions.append(point.function)
            self.indices.append(point.index)
            is_value = construct is not None and construct.kind in ("and", "or")
            self.true.append(key * SPAN + FIRST + (1 if is_value else 0))
            self.false.append(key * SPAN + FIRST + (0 if is_value else 1))
            tested = construct is not None and role in _TESTS
            self.ops.append(construct.conditions[point.index].op if construct and tested else None)
            self.measures.append(_measure(self.ops[-1]) if tested else UNMEASURED)
            self.is_while.append(construct is not None and construct.kind == "while")
            self.last.append(len(construct.conditions) - 1 if construct else 0)
            self.stops.append(construct is not None and construct.kind == "or")


_TESTS = (Role.SINGLE, Role.CONDITION, Role.OPERAND, Role.VALUED)


def _measure(op: str | None) -> int:
    return VALUE if op is None else DIFFERENCE if op in _COMPARISONS else UNMEASURED
