"""Why an input or parameter has no gradient: the line or the index that kept its layer from being reached, or a cut."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from dyncli.analysis.values import place_text
from dyncli.records.model import Decision, Op, Site, Source, TensorSummary
from dyncli.records.text import one_line

if TYPE_CHECKING:
    from dyncli.recorder.events.recorded_events import FunctionCall


LEAVES: dict[type[ast.stmt], str] = {
    ast.Return: "returned",
    ast.Raise: "raised",
    ast.Break: "left the loop",
    ast.Continue: "went on to the next step",
}
Span = tuple[int, int]
SHAPED_AS = frozenset(("view_as", "expand_as", "reshape_as"))  # ops that read no more than the shape of their second


class _Leaving(NamedTuple):
    """An arm that ended with leaving.  span: its lines."""

    file: str
    line: int
    span: Span
    how: type[ast.stmt]


class Left:
    """Find the decision that left a function, a loop or a step of one before the lines that name something."""

    def __init__(self, decisions: tuple[Decision, ...], sources: tuple[Source, ...]) -> None:
        self._decisions = decisions
        self.pages = {source.file: Page(source.text) for source in sources}

    def why(self, name: str) -> str | None:
        """Return why the lines that use a leaf of this name were not reached, or None if that cannot be told."""
        parts = name.split(".")
        words = [part for part in parts[: max(len(parts) - 1, 1)] if part.isidentifier()]
        index = next((int(part) for part in parts if part.isdecimal()), None)
        return next(filter(None, (self._told(word, index) for word in words)), None)

    def _told(self, word: str, index: int | None) -> str | None:
        for one, steps in self._leaving.items():
            if self.pages[one.file].skips(one, word, index, steps):
                place = place_text(one.file, one.line, next(iter(self.pages)))
                return f"not reached: {place} {LEAVES[one.how]}"
        return None

    @cached_property
    def _leaving(self) -> dict[_Leaving, set[int]]:
        """The arms that ended with leaving, the last taken first, and the steps of the loop around they did it in."""
        ends: dict[tuple[str, str], _Leaving | None] = {}
        found: dict[_Leaving, set[int]] = {}
        for decision in reversed(self._decisions):
            site = decision.site
            place = (site.id, decision.arm)
            if place not in ends:
                span = dict(zip(site.arms, site.arm_lines, strict=False)).get(decision.arm)
                how = None if span is None else self.pages[site.file].leaving.get(span)
                ends[place] = None if span is None or how is None else _Leaving(site.file, site.line, span, how)
            end = ends[place]
            if end is not None:
                found.setdefault(end, set()).update(step for _, step in decision.iterations[-1:])
        return found


class Page:
    """One source: where its functions and loops are, and how each block of it ends."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.splitlines()

    @cached_property
    def tree(self) -> ast.Module:
        try:
            return ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ast.Module([], [])

    @cached_property
    def leaving(self) -> dict[Span, type[ast.stmt]]:
        """Return how each block leaves that ends with leaving, by its first and last line."""
        found: dict[Span, type[ast.stmt]] = {}
        for node in ast.walk(self.tree):
            for block in (getattr(node, "body", None), getattr(node, "orelse", None)):
                if isinstance(block, list) and block and type(block[-1]) in LEAVES:
                    found[block[0].lineno, block[-1].end_lineno or 0] = type(block[-1])
        return found

    def around(self, kinds: tuple[type[Any], ...], line: int) -> list[Any]:
        """Return the statements of these kinds around a line, the innermost first."""
        every = [node for node in ast.walk(self.tree) if isinstance(node, kinds)]
        inside = [node for node in every if node.lineno <= line <= node.end_lineno]
        return sorted(inside, key=lambda node: -node.lineno)

    def function_around(self, line: int) -> Any:
        """Return the innermost function around a line, or None."""
        return next(iter(self.around((ast.FunctionDef, ast.AsyncFunctionDef), line)), None)

    def skips(self, left: _Leaving, word: str, index: int | None, steps: set[int]) -> bool:
        """Return whether leaving so passes over lines that name the word.

        index: of a layer in a list of that name.  steps: of the loop around, which may go through the list.
        """
        _, line, span, how = left
        function = self.function_around(line)
        begin = function.lineno if function is not None else 0
        loops = [each for each in self.around((ast.For, ast.While, ast.AsyncFor), line) if each.lineno > begin]
        if how in (ast.Return, ast.Raise):
            if function is None:
                return False
            start = loops[-1].lineno if loops else span[1] + 1
            return self._names(word, (start, function.end_lineno), span)
        loop = loops[0]
        end = loop.body[-1].end_lineno
        if how is ast.Break:
            return self._names(word, (loop.lineno, end), span)
        rest = span[1] + 1, end
        if isinstance(loop, ast.For) and index is not None and _goes_through(loop.iter, word):
            names = [node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)]
            return index in steps and any(self._names(name, rest, span) for name in names)
        if index is not None and _picks(loops, word, rest):
            return False  # another may have been picked all the same: `Chosen` says where
        return self._names(word, rest, span)

    def _names(self, word: str, lines: Span, but: Span) -> bool:
        named = re.compile(rf"\b{re.escape(word)}\b")
        return any(
            named.search(self.lines[number - 1])
            for number in range(lines[0], min(lines[1], len(self.lines)) + 1)
            if not but[0] <= number <= but[1]
        )


def _picks(loops: Sequence[Any], word: str, lines: Span) -> bool:
    """Return whether these lines take one of the word's list by what no loop around counts: `experts[best]`."""
    counting = [loop for loop in loops if isinstance(loop, ast.For) and _counts(loop.iter)]
    counted = {node.id for loop in counting for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    for node in ast.walk(loops[0]):
        if isinstance(node, ast.Subscript) and lines[0] <= node.lineno <= lines[1]:
            names = {each.id for each in ast.walk(node.slice) if isinstance(each, ast.Name)}
            if word == getattr(node.value, "attr", getattr(node.value, "id", "")) and names and not names & counted:
                return True
    return False


def _counts(items: ast.expr) -> bool:
    return isinstance(items, ast.Call) and getattr(items.func, "id", "") in ("range", "enumerate", "zip")


def _goes_through(items: ast.expr, word: str) -> bool:
    """Return whether a loop goes through a list of this name from its beginning, or through its `enumerate`."""
    if isinstance(items, ast.Call) and isinstance(items.func, ast.Name) and items.func.id == "enumerate":
        items = items.args[0] if len(items.args) == 1 else items
    return (isinstance(items, ast.Name) and items.id == word) or (
        isinstance(items, ast.Attribute) and items.attr == word
    )


WIDEST = 40


class _Choice(NamedTuple):
    """A place that takes one of a list by what a variable says.  within: first and last line of the function around."""

    file: str
    line: int
    name: str
    text: str
    within: tuple[int, int]


class Chosen:
    """Find the line that chose others in the place of a leaf.  used: the lines of each leaf.  ran: those that ran."""

    def __init__(self, pages: Mapping[str, Page], used: Mapping[str, Sequence[Site]], ran: Iterable[Site]) -> None:
        self._pages, self._used = pages, used
        self._ran = {(site.file, site.line) for site in ran}

    def why(self, name: str) -> str | None:
        """Return what did not choose `experts.0.weight` where `experts.1.weight` was used, or None."""
        parts = name.split(".")
        for place, word in enumerate(parts[:-1]):
            before = ".".join(parts[: place + 1]) + "."
            sites = [site for other, sites in self._used.items() if other.startswith(before) for site in sites]
            own = before + parts[place + 1]
            if any(other == own or other.startswith(f"{own}.") for other in self._used):
                continue
            choice = self._made(word, sites) if sites else None
            if choice is not None:
                where = place_text(choice.file, choice.line, next(iter(self._pages)))
                return f"not chosen at {where}: `{one_line(choice.text, WIDEST)}`"
        return None

    def _made(self, word: str, sites: Sequence[Site]) -> _Choice | None:
        """Return the choice nearest to where others of the list were used, in a function that ran."""
        choices = [choice for choice in self._choices if choice.name == word]
        lines = {(site.file, site.line) for site in sites}
        on_line = [choice for choice in choices if (choice.file, choice.line) in lines]
        in_function = [choice for choice in choices if _within(choice, lines)]
        elsewhere = [choice for choice in choices if _within(choice, self._ran)]
        return next(iter([*on_line, *in_function, *elsewhere]), None)

    @cached_property
    def _choices(self) -> list[_Choice]:
        return [choice for file, page in self._pages.items() for choice in _choices_of(file, page)]


def _within(choice: _Choice, lines: Iterable[tuple[str, int]]) -> bool:
    first, last = choice.within
    return any(file == choice.file and first <= line <= last for file, line in lines)


def _choices_of(file: str, page: Page) -> Iterator[_Choice]:
    """Yield the places of a source that take one of a list by something that is not written there."""
    for node in ast.walk(page.tree):
        if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Slice):
            continue
        name = getattr(node.value, "attr", getattr(node.value, "id", ""))
        try:
            ast.literal_eval(node.slice)
        except ValueError:
            function = page.function_around(node.lineno)
            within = (1, len(page.lines)) if function is None else (function.lineno, function.end_lineno)
            if name and (function is None or function.name != "__init__"):
                yield _Choice(file, node.lineno, name, ast.unparse(node), within)


class Reasons:
    """Explains a gradient that is None, by the number of its tensor.

    through_data: (op, tensor) of each op that read no more than the tensor's values.
    unrecorded: the spans of ops that ran under `no_grad`.
    functions: calls of functions of the user's own, whose backward leads around their ops, by the last of these.
    """

    def __init__(
        self,
        tensors: list[TensorSummary],
        ops: tuple[Op, ...],
        decisions: tuple[Decision, ...],
        outputs: set[int],
        sources: tuple[Source, ...],
        through_data: Collection[tuple[int, int]],
        functions: Mapping[int, FunctionCall],
        unrecorded: Iterable[Span] = (),
    ) -> None:
        self._tensors = tensors
        self._ops = ops
        self._decisions, self._sources = decisions, sources
        self._outputs = outputs
        self._through_data, self._functions = through_data, functions
        self._inside = {seq for one in self._functions.values() for seq in range(one.first, one.last + 1)}
        self._unrecorded = {seq for first, end in unrecorded for seq in range(first, end)}
        self._lines = {source.file: source.text.splitlines() for source in sources}
        self._users: dict[int, list[Op]] = {}
        for op in ops:
            for number in op.inputs[:1] if op.name in SHAPED_AS else op.inputs:
                self._users.setdefault(number, []).append(op)
        self._made: dict[int, list[int]] = {}
        for tensor in tensors:
            if tensor.op is not None:
                self._made.setdefault(tensor.op, []).append(tensor.id)

        self._known: dict[tuple[int, bool], str] = {}

    def __call__(self, number: int, raised: bool = False) -> str:
        """Return why no gradient came back to a tensor; raised: the backward was ended by an exception."""
        known = self._known.get((number, raised))
        if known is None:
            known = self._known[number, raised] = self._explain(number, raised)
        return known

    def _place(self, site: Site) -> str:
        """Return the line of a site in words, with its file if that is not the script."""
        return place_text(site.file, site.line, self._sources[0].file if self._sources else site.file)

    def _explain(self, number: int, raised: bool) -> str:
        tensor = self._tensors[number]
        if not self._users.get(number):
            name = tensor.name or ""
            return self._not_taken(tensor) or self._left.why(name) or self._chosen.why(name) or "unused"
        cut, deciding, led_on, whole, own = self._follow(number)
        if cut is not None:
            how = "under no_grad" if cut.seq in self._unrecorded else "detached"
            return f"{how} at {self._place(cut.site)}: `{cut.site.text}`"
        if raised and led_on:
            return "backward raised before it came here"
        if own is not None:
            return f"the backward of `{own.title.removesuffix('Backward')}` gave None"
        where = self._not_taken(tensor)
        if deciding is not None:
            return where or f"only decided line {deciding.site.line}: `{deciding.site.text}`"
        if whole is not None and not led_on:
            return where or f"line {whole.site.line} made whole numbers of it: `{whole.site.text}`"
        return where or "the output does not depend on it"

    @cached_property
    def _left(self) -> Left:
        return Left(self._decisions, self._sources)

    @cached_property
    def _chosen(self) -> Chosen:
        used: dict[str, list[Site]] = {}
        for number, ops in self._users.items():
            used.setdefault(self._tensors[number].name or "", []).extend(op.site for op in ops)
        ran = [*(op.site for op in self._ops), *(decision.site for decision in self._decisions)]
        return Chosen(self._left.pages, used, ran)

    @cached_property
    def _by_predicate(self) -> dict[int, Decision]:
        """The last decision that each op was tested by."""
        return {op: decision for decision in self._decisions for op in decision.producers}

    def _follow(self, number: int) -> tuple[Op | None, Decision | None, bool, Op | None, FunctionCall | None]:
        """Search forward from a tensor for the reason why its gradient is missing.

        Return the op that cut the graph, a decision that depends on the tensor, whether a path leads to an output,
        an op on the way that made whole numbers, such as `argmax`, and the user's own function on a path to an output.
        """
        by_predicate = self._by_predicate
        seen = {number}
        pending: list[tuple[int, Op | None, FunctionCall | None]] = [(number, None, None)]
        deciding, led_on, whole, through = None, False, None, None
        while pending:
            current, cut, own = pending.pop()
            if current in self._outputs:
                if cut is not None:
                    return cut, deciding, led_on, whole, None
                led_on, through = True, through or own
            for op in self._users.get(current, ()):
                deciding = deciding or by_predicate.get(op.seq)
                lets_go = op.grad_fn is None and op.phase == "forward" and op.seq not in self._inside
                here = cut or (op if lets_go or (op.seq, current) in self._through_data else None)
                made = self._made.get(op.seq, ())
                if whole is None and lets_go and made and self._tensors[made[0]].dtype.startswith(("int", "uint")):
                    whole = op
                for output in made:
                    if output not in seen:
                        seen.add(output)
                        pending.append((output, here, own or self._functions.get(op.seq)))
        return None, deciding, led_on, whole, through

    def _not_taken(self, tensor: TensorSummary) -> str | None:
        """Return the decision whose arm, never taken in this run, names the tensor in its source."""
        name = (tensor.name or "").partition(".")[0]
        if not name.isidentifier():
            return None
        word = re.compile(rf"\b{re.escape(name)}\b")
        for site, source in self._arms_left:
            if any(map(word.search, source)):
                return f"not on the path taken: decided at {self._place(site)}"
        return None

    @cached_property
    def _arms_left(self) -> list[tuple[Site, list[str]]]:
        """The test and the source of each arm that was never taken, in the order they were decided."""
        taken = {(decision.site.id, decision.arm) for decision in self._decisions}
        found: list[tuple[Site, list[str]]] = []
        for site in {decision.site.id: decision.site for decision in self._decisions}.values():
            for arm, span in zip(site.arms, site.arm_lines, strict=False):
                if span is not None and (site.id, arm) not in taken:
                    found.append((site, self._lines[site.file][span[0] - 1 : span[1]]))
        return found
