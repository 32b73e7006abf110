"""Changes that make an input that was found easier to read: back to what it was made of, and rounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from dyncli.coverage.search.json_leaves import Path, at, is_number, leaves, replaced

MOST_LEAVES = 32
MOST_NARROWED, MOST_HALVINGS = 8, 20
Change = Callable[[Any], Any]


def simplified(root: dict[str, Any], value: dict[str, Any], reaches: Callable[[Any], bool]) -> dict[str, Any]:
    """Return an input that still reaches what `value` reaches, nearer to `root` and shorter."""
    for change in _simpler(root, value):
        other = change(value)
        if other != value and reaches(other):
            value = other
    apart = [path for path, leaf in leaves(value) if _is_apart(_there(root, path), leaf)]
    for path in apart[:MOST_NARROWED]:
        value = _narrowed(root, value, path, reaches)
    return value


def _is_apart(before: Any, now: Any) -> bool:
    return is_number(before) and is_number(now) and before != now


def _narrowed(root: Any, value: Any, path: Path, reaches: Callable[[Any], bool]) -> Any:
    """Move the number at `path` towards the root's by bisection."""
    near, far = at(root, path), at(value, path)
    for _ in range(MOST_HALVINGS):
        middle = (near + far) // 2 if type(far) is int and type(near) is int else float(f"{(near + far) / 2:.3g}")
        if middle in (near, far):
            break
        other = replaced(value, path, middle)
        if reaches(other):
            value, far = other, middle
        else:
            near = middle
    return value


def _simpler(root: dict[str, Any], value: dict[str, Any]) -> Iterator[Change]:
    """Yield changes to try one after the other, each on what the ones before have left."""
    for name in value:
        if name in root and root[name] != value[name]:
            yield partial(replaced, path=(name,), inner=root[name])
    places = [path for path, _ in leaves(value)][:MOST_LEAVES]
    for path in places:
        yield partial(_back, root=root, path=path)
    for digits in (1, 2, 3, 4):
        yield partial(_rounded, digits=digits, root=root)
    for path in places:
        for digits in (1, 2, 3):
            yield partial(_short, root=root, path=path, digits=digits)


def _back(current: Any, root: Any, path: Path) -> Any:
    """Set a leaf back to the root's value, where both have a leaf there."""
    try:
        before, now = at(root, path), at(current, path)
    except (LookupError, TypeError):
        return current
    return (
        current
        if isinstance(before, (list, dict)) or isinstance(now, (list, dict))
        else replaced(current, path, before)
    )


def _rounded(current: Any, digits: int, root: Any) -> Any:
    """Round every number that is not the root's."""
    if isinstance(current, list):
        before = root if isinstance(root, list) else []
        return [_rounded(inner, digits, before[n] if n < len(before) else None) for n, inner in enumerate(current)]
    if isinstance(current, dict):
        known = root if isinstance(root, dict) else {}
        return {name: _rounded(inner, digits, known.get(name)) for name, inner in current.items()}
    return float(f"{current:.{digits}g}") if type(current) is float and current != root else current


def _short(current: Any, root: Any, path: Path, digits: int) -> Any:
    """Round one number that is not the root's."""
    leaf = _there(current, path)
    if type(leaf) is not float or leaf == _there(root, path):
        return current
    return replaced(current, path, float(f"{leaf:.{digits}g}"))


def _there(value: Any, path: Path) -> Any:
    try:
        return at(value, path)
    except (LookupError, TypeError):
        return None
