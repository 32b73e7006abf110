"""Match the decision sites of two versions of a script: functions by name or contents, lines by text."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import PurePath
from typing import NamedTuple

from dyncli.records.model import Record, Site, Source
from dyncli.records.text import parse

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


class Edit(NamedTuple):
    """One edited line: its file and number in both versions, and what stands there; 0 where a version has none."""

    file_a: str
    line_a: int
    text_a: str
    file_b: str
    line_b: int
    text_b: str


def edits(a: Record, b: Record) -> list[Edit]:
    """Return the lines of code that differ between the scripts of two runs, empty lines and comments left out."""
    sources, others = _by_file(a.sources), _by_file(b.sources)
    pairs = [(a.model, b.model), *((file, file) for file in sources if file != a.model and file != b.model)]
    found: list[Edit] = []
    for file, other in pairs:
        if file in sources and other in others and sources[file].text != others[other].text:
            first, second = _code(sources[file].text), _code(others[other].text)
            matcher = SequenceMatcher(None, [text for _, text in first], [text for _, text in second], autojunk=False)
            for tag, i, i_end, j, j_end in matcher.get_opcodes():
                if tag != "equal":
                    lines = zip_longest(first[i:i_end], second[j:j_end], fillvalue=(0, ""))
                    found += [Edit(file, *line, other, *its) for line, its in lines]
    return found


def _code(text: str) -> list[tuple[int, str]]:
    """Return the lines of code with their numbers."""
    lines = ((number, line.rstrip()) for number, line in enumerate(text.splitlines(), 1))
    return [(number, line) for number, line in lines if line.strip() and not line.lstrip().startswith("#")]


Span = tuple[str, str, int, int, int, int]  # kind, file, line, column, end line, end column
ONLY_B = "b"


class Keys:
    """A key for every site and function of both runs: the same key, the same place.

    a, b: site -> key.  shared: whether both scripts have the place of a key.  changed: whether the scripts differ.
    """

    def __init__(self, a: Record, b: Record) -> None:
        self.changed = not _is_one_script(a, b)
        self._a: dict[int, object] = {}
        self._b: dict[int, object] = {}
        self._partner: dict[Span, Span] = {}
        self._functions: dict[str, str] = {}
        self._shared: set[object] = set()
        self.share = 1.0
        if self.changed:
            self._match(a, b)

    def a(self, site: Site) -> object:
        """Return the key of a site of the first run."""
        key = self._a.get(id(site))
        if key is None:
            key = self._a[id(site)] = span_of(site)
        return key

    def b(self, site: Site) -> object:
        """Return the key of a site of the second run."""
        key = self._b.get(id(site))
        if key is None:
            span = span_of(site)
            key = self._b[id(site)] = (self._partner.get(span) or (ONLY_B, span)) if self.changed else span
        return key

    def is_shared(self, key: object) -> bool:
        """Return True if both scripts have this place."""
        return not self.changed or key in self._shared

    def function_b(self, name: str) -> str:
        """Return what a function of the second run is called in the first."""
        return self._functions.get(name, name)

    def _match(self, a: Record, b: Record) -> None:
        first, second = (list(dict.fromkeys(map(_placed, _sites(record)))) for record in (a, b))
        for file, other, matched in _files(a, b):
            self._functions |= {theirs: ours for ours, theirs in matched.functions.items() if ours != theirs}
            self._pair(
                [each for each in first if each[0][1] == file],
                [each for each in second if each[0][1] == other],
                matched,
            )
        self._shared = set(self._partner.values())
        fewest = min(len(first), len(second))
        self.share = len(self._partner) / fewest if fewest else 1.0

    def _pair(self, a: list[Placed], b: list[Placed], matched: Matched) -> None:
        """Pair the sites of two files: on lines that belong together by text, then by kind; the rest by function."""
        line_of = {theirs: ours for ours, theirs in matched.lines.items()}
        name_of = {theirs: ours for ours, theirs in matched.functions.items()}
        free = dict.fromkeys(sorted(a))
        for with_text in (True, False):
            places: dict[object, list[Placed]] = defaultdict(list)
            for each in free:
                places[each[0][2], each[0][0], each[1] if with_text else None].append(each)
            for each in sorted(b):
                if each[0] not in self._partner and each[0][2] in line_of:
                    key = line_of[each[0][2]], each[0][0], each[1] if with_text else None
                    self._take(each, places[key], free)
        names: dict[object, list[Placed]] = defaultdict(list)
        for each in free:
            names[each[2], each[0][0], each[1]].append(each)
        for each in sorted(b):
            if each[0] not in self._partner:
                self._take(each, names[name_of.get(each[2], each[2]), each[0][0], each[1]], free)

    def _take(self, site: Placed, candidates: list[Placed], free: dict[Placed, None]) -> None:
        if candidates:
            found = candidates.pop(0)
            del free[found]
            self._partner[site[0]] = found[0]


Placed = tuple[Span, str, str]  # where a site is, its text, its function


def span_of(site: Site) -> Span:
    """Return where a site is; ops are told by position, because their ids count in the order they ran."""
    kind = "if" if site.kind == "elif" else site.kind
    return kind, site.file, site.line, site.col, site.end_line, site.end_col


def _placed(site: Site) -> Placed:
    return span_of(site), site.text, site.function


def _sites(record: Record) -> Iterator[Site]:
    yield from record.sites
    seen: set[int] = set()
    for sites in ((op.site for op in record.ops), (decision.site for decision in record.decisions)):
        for site in sites:
            if id(site) not in seen:
                seen.add(id(site))
                yield site


def _is_one_script(a: Record, b: Record) -> bool:
    """Return True if both ran the same files, the model among them."""
    if not a.sources or not b.sources:
        return a.model == b.model
    first, second = ({source.file: source.digest for source in record.sources} for record in (a, b))
    return a.model == b.model and all(second.get(file, digest) == digest for file, digest in first.items())


def _files(a: Record, b: Record) -> Iterator[tuple[str, str, Matched]]:
    """Return the files that belong together: the models, then those of one name."""
    first, second = _by_file(a.sources), _by_file(b.sources)
    yield a.model, b.model, _matched(first.pop(a.model, None), second.pop(b.model, None))
    for name_of in (str, lambda file: PurePath(file).name):
        names = {name_of(file): file for file in second}
        for file in list(first):
            other = names.pop(name_of(file), None)
            if other is not None:
                yield file, other, _matched(first.pop(file), second.pop(other))


def _by_file(sources: Iterable[Source]) -> dict[str, Source]:
    return {source.file: source for source in sources}


def _matched(a: Source | None, b: Source | None) -> Matched:
    if a is None or b is None:
        return Matched()
    if a.text == b.text:
        return Matched({line: line for line in range(1, a.text.count("\n") + 2)})
    if a.text <= b.text:
        return match_lines(a.text, b.text)
    back = match_lines(b.text, a.text)  # neither version comes first: the same lines belong together either way
    return Matched({y: x for x, y in back.lines.items()}, {y: x for x, y in back.functions.items()})
