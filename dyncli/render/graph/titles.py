"""On which side of its frame a title stands: where no arrow, and nothing written on one, runs through it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise

#: Left, top, right and bottom; two ends of a straight line.
Area = tuple[float, float, float, float]
Point = tuple[float, float]

#: In points: of a letter as high as one, around words, and beside a title in its frame.
LETTER, AROUND, INDENT = 0.56, 1.5, 8.0
#: Straight pieces that a curve is taken for.
PIECES = 8

_PARTS = re.compile(rb'<g id="\w+" class="(cluster|edge)">\s*<title>([^<]*)</title>(.*?)</g>', re.DOTALL)
_PATH = re.compile(rb'<path [^>]*?\bd="([^"]*)"')
_POINT = re.compile(rb"(-?[0-9.]+),(-?[0-9.]+)")
_TEXT = re.compile(
    rb'<text [^>]*?text-anchor="(\w+)" x="(-?[0-9.]+)" y="(-?[0-9.]+)"[^>]*?font-size="([0-9.]+)"[^>]*>([^<]*)</text>'
)
_WORDS = re.compile(rb'<text ([^>]*?)text-anchor="start" x="(-?[0-9.]+)" (y="-?[0-9.]+")([^>]*)>([^<]*)</text>\n')
_CODED = re.compile(rb"&#?\w+;")


def sides(drawn: bytes) -> dict[str, str]:
    """Return for each frame of a picture whose title, on the left, is run through the side with less: `r` or `c`."""
    frames: dict[str, tuple[Area, Area]] = {}
    curves: list[tuple[Area, list[Point]]] = []
    words: list[Area] = []
    for match in _PARTS.finditer(drawn):
        kind, name, inside = match.groups()
        path, texts = _PATH.search(inside), [*_texts(inside)]
        points = _points(path[1]) if path is not None else []
        if kind == b"edge":
            curves += [(_around(some), some) for some in (points[at : at + 4] for at in range(0, len(points) - 3, 3))]
            words += texts
        elif points and texts:
            frames[name.decode().removeprefix("cluster_")] = _around(points), _union(texts)
    found: dict[str, str] = {}
    for name, (frame, title) in frames.items():
        places = {"l": title, **_elsewhere(frame, title)}
        counts = {side: _crossings(place, curves, words) for side, place in places.items() if side == "l"}
        if counts["l"]:
            counts |= {side: _crossings(place, curves, words) for side, place in places.items() if side != "l"}
            best = min(counts, key=lambda side: counts[side])
            found |= {name: best} if best != "l" else {}
    return found


def moved(drawn: bytes, sides: Mapping[str, str]) -> bytes:
    """Return a picture with the titles of some frames on another side than the left, as far in from it."""

    def replaced(part: re.Match[bytes]) -> bytes:
        kind, name, inside = part.groups()
        side = sides.get(name.decode().removeprefix("cluster_"))
        words, path = _WORDS.findall(inside), _PATH.search(inside)
        if kind != b"cluster" or side is None or not words or path is None:
            return part[0]
        left, _, right, _ = _around(_points(path[1]))
        options, start, height, *_ = words[0]
        anchor, x = ("end", right + left - float(start)) if side == "r" else ("middle", (left + right) / 2)
        spans = b"".join(b"<tspan%s>%s</tspan>" % (style, text) for *_, style, text in words)
        title = b'<text %stext-anchor="%s" x="%.2f" %s>%s</text>\n' % (options, anchor.encode(), x, height, spans)
        return part[0].replace(inside, _WORDS.sub(b"", inside) + title)

    return _PARTS.sub(replaced, drawn)


def _elsewhere(frame: Area, title: Area) -> dict[str, Area]:
    """Return where a title would stand on the right of its frame and in the middle."""
    width = title[2] - title[0]
    right, middle = frame[2] - INDENT - width, (frame[0] + frame[2] - width) / 2
    return {side: (x, title[1], x + width, title[3]) for side, x in (("r", right), ("c", middle)) if x > title[0]}


def _crossings(title: Area, curves: Iterable[tuple[Area, list[Point]]], words: Iterable[Area]) -> int:
    crossed = sum(_touch(title, area) and any(_cuts(title, *ends) for ends in _straight(c)) for area, c in curves)
    return crossed + sum(_touch(title, area) for area in words)


def _straight(curve: list[Point]) -> Iterator[tuple[Point, Point]]:
    """Yield the pieces of a cubic curve."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    points: list[Point] = []
    for step in range(PIECES + 1):
        t = step / PIECES
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        points.append((a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy))
    return pairwise(points)


def _cuts(area: Area, start: Point, end: Point) -> bool:
    """Return whether a straight line has a point in an area."""
    first, last = 0.0, 1.0
    for low, high, a, b in ((area[0], area[2], start[0], end[0]), (area[1], area[3], start[1], end[1])):
        if a == b:
            if not low <= a <= high:
                return False
            continue
        near, far = sorted(((low - a) / (b - a), (high - a) / (b - a)))
        first, last = max(first, near), min(last, far)
    return first <= last


def _texts(inside: bytes) -> Iterator[Area]:
    for anchor, x, y, size, text in _TEXT.findall(inside):
        high, width = float(size), LETTER * float(size) * len(_CODED.sub(b"x", text))
        left, base = float(x) - (width / 2 if anchor == b"middle" else 0), float(y)
        yield left - AROUND, base - 0.8 * high - AROUND, left + width + AROUND, base + 0.2 * high + AROUND


def _points(path: bytes) -> list[Point]:
    return [(float(x), float(y)) for x, y in _POINT.findall(path)]


def _around(points: Iterable[Point]) -> Area:
    xs, ys = zip(*points)
    return min(xs), min(ys), max(xs), max(ys)


def _union(areas: Iterable[Area]) -> Area:
    left, top, right, bottom = zip(*areas)
    return min(left), min(top), max(right), max(bottom)


def _touch(one: Area, other: Area) -> bool:
    return one[0] <= other[2] and other[0] <= one[2] and one[1] <= other[3] and other[1] <= one[3]
