"""The coverage page: a row for each entry of PyTorch's OpInfo database, a column for each check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

PAGE = Path(__file__).with_name("COVERAGE.md")
COLUMNS = {
    "forward": "values, shapes and dtypes",
    "grad": "gradients for a fixed cotangent",
    "gradgrad": "gradients of those gradients",
    "forward-AD": "tangents that dual tensors carry",
    "method": "as a method of Tensor",
    "inplace": "in place, with gradients",
    "out": "into `out=`",
}
HEAD = """# Coverage

Every entry of the OpInfo database of PyTorch {version}, its own samples run through both engines and compared.
`all` is every sample, `3/4` three of four, `-` that PyTorch has none; `missing` ops raise an error that says so.
Written by `python -m tests.parity.opinfo --page tests/parity/opinfo/COVERAGE.md`; `test_coverage.py` keeps it true.

"""


def page(scores: list[Any], version: str) -> str:
    """The page, in Markdown."""
    lines = ["| | passing | samples | |", "|---|---|---|---|"]
    whole = sum(each.whole for each in scores)
    lines.append(f"| ops whole | {whole} | {len(scores)} | pass every sample of every check |")
    for kind, what in COLUMNS.items():
        passed, total = (sum(getattr(each, field)[kind] for each in scores) for field in ("passed", "total"))
        lines.append(f"| {kind} | {passed} | {total} | {what} |")
    lines += ["", "| op | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 1) + "|"]
    for each in sorted(scores, key=lambda score: (score.title.lower(), score.title)):
        cells = [_cell(each.passed[kind], each.total[kind]) for kind in COLUMNS]
        lines.append(f"| {each.title} | " + " | ".join(cells if each.passed["forward"] else ["missing"]) + " |")
    return HEAD.format(version=version.split("+")[0]) + "\n".join(lines) + "\n"


def _cell(passed: int, total: int) -> str:
    return "-" if not total else "all" if passed == total else f"{passed}/{total}"


def rows() -> dict[str, dict[str, str]]:
    """The committed page, read back: the cell of every op and check; an op that is missing has none."""
    found = {}
    for line in PAGE.read_text(encoding="utf-8").partition("| op |")[2].splitlines()[2:]:
        title, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        found[title] = {} if cells == ["missing"] else dict(zip(COLUMNS, cells, strict=True))
    return found
