"""Python's bytecode: instructions written out, and how deep the stack is where something is loaded."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from opcode import HAVE_ARGUMENT, hasjrel, opmap, opname, stack_effect

from dyncli.load.instrument.tables import Guarded

CACHE, EXTENDED, NOP, RESUME = 0, opmap["EXTENDED_ARG"], opmap["NOP"], opmap["RESUME"]
_CONSTANT = opmap["LOAD_CONST"]
JUMPS = frozenset(hasjrel)
BACK = frozenset(number for name, number in opmap.items() if "JUMP_BACKWARD" in name)
_LEAVING = (
    "JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT", "RETURN_VALUE", "RETURN_CONST", "RERAISE",
    "RAISE_VARARGS",
)  # fmt: skip
ENDS = frozenset(opmap[name] for name in _LEAVING if name in opmap)
#: What an instruction and its argument, in one number, do to the depth of the stack, going on and jumping.
_effects: dict[int, tuple[int, int]] = {}


def _caches() -> dict[str, int]:
    """How many places for caches follow each instruction of a call in this Python."""
    raw = compile("lambda x: f(x, 1)", "", "eval").co_consts[0].co_code
    found, last = dict.fromkeys(opmap, 0), ""
    for at in range(0, len(raw), 2):
        if raw[at] == CACHE:
            found[last] += 1
        else:
            last = opname[raw[at]]
    return found


_CACHES = _caches()


def assembled(parts: Iterable[tuple[str, int]]) -> bytes:
    """The instructions of these names with these arguments."""
    raw = bytearray()
    for operation, argument in parts:
        for shift in (24, 16, 8):
            if argument >> shift:
                raw += bytes((EXTENDED, argument >> shift & 255))
        raw += bytes((opmap[operation], argument & 255)) + bytes(2 * _CACHES[operation])
    return bytes(raw)


def call_parts(name: int, arguments: Collection[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """The instructions that call the global `name`, by its number; arguments: those that load what it is given."""
    yield "LOAD_GLOBAL", name << 1 | 1
    yield from arguments
    for operation in ("PRECALL", "CALL"):
        if operation in opmap:
            yield operation, len(arguments)


def overwrite(raw: bytearray, at: int, operation: int, argument: int) -> None:
    """Puts one instruction in the place of that at the byte `at`; what extended its argument does nothing then."""
    raw[at], raw[at + 1] = operation, argument
    while at >= 2 and raw[at - 2] == EXTENDED:
        at -= 2
        raw[at], raw[at + 1] = NOP, 0


def begins(raw: bytearray) -> int:
    """The instruction after the first RESUME: where the frame's own code begins."""
    return next(at for at in range(0, len(raw), 2) if raw[at] == RESUME) // 2 + 1


def depths(
    raw: bytearray, guarded: Iterable[Guarded], home: int, wanted: Collection[int]
) -> tuple[dict[int, tuple[int, int]], int]:
    """Where the constants `wanted` are loaded, by byte: which, and how deep the stack is before; the depth at `home`.

    Follows the depth of the stack through the code once, and again only if what it passed is jumped to from below.
    """
    known = {2 * each.target: each.depth + each.lasti + 1 for each in guarded}
    found: dict[int, tuple[int, int]] = {}
    own, home, size = -1, 2 * home, len(raw)
    again = True
    while again:
        again = False
        depth: int | None = 0
        argument = 0
        passed: set[int] = set()
        for at in range(2 * (begins(raw) - 1), size, 2):
            operation = raw[at]
            if not operation:
                continue  # a cache
            if at in known:
                assert depth is None or depth == known[at], "two depths of the stack in one place"
                depth = known[at]
            if depth is None:
                passed.add(at)
                argument = 0
                continue
            if at == home:
                own = depth
            argument |= raw[at + 1]
            if operation == EXTENDED:
                argument <<= 8
                continue
            if operation == _CONSTANT and argument in wanted:
                found[at] = argument, depth
            effect = _effects.get(argument << 8 | operation) or _effect(operation, argument)
            if operation in JUMPS:
                after = at + 2
                while after < size and not raw[after]:
                    after += 2
                target = after + (-2 if operation in BACK else 2) * argument
                if target not in known:
                    known[target] = depth + effect[1]
                    again = again or target in passed
            depth = None if operation in ENDS else depth + effect[0]
            argument = 0
    return found, own


def _effect(operation: int, argument: int) -> tuple[int, int]:
    given = argument if operation >= HAVE_ARGUMENT else None
    jumps = operation in JUMPS
    found = _effects[argument << 8 | operation] = (
        stack_effect(operation, given, jump=False), stack_effect(operation, given, jump=True) if jumps else 0,
    )  # fmt: skip
    return found
