"""Every model in `scripts/`: each planted fault is found and located, and nothing right is called wrong.

`reports.txt` has what each report says; `--accept` rewrites it.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dyncli.gradchecking.check import check
from dyncli.gradchecking.settings import Settings
from dyncli.records.gradcheck import Checked, Report, Worst
from dyncli.render.reports.gradcheck import render
from dyncli.render.reports.tables import plain_text
from tests.golden.gradcheck.expected import Expected, expected

REPORTS = Path(__file__).with_name("reports.txt")
HEAD = "== "

SOLVERS = ("approximate", "bisection", "endless", "implicit", "long", "newton", "ode")  # of many rounds


def cases() -> list[Any]:
    """Parameters of the test: `.ci/run` alone runs those of solvers, and all but one for each verdict of a script."""
    seen, found = set(), []
    for each in expected():
        key = each.path, tuple(each.verdicts)
        is_dear = key in seen or not set(SOLVERS).isdisjoint(each.path.stem.split("_"))
        found.append(pytest.param(each, id=each.id, marks=[pytest.mark.whole] if is_dear else []))
        seen.add(key)
    return found


def lasting(check: Checked) -> Checked:
    """Return what a report has of an input without what rounding decides: errors, and which of several is the worst."""
    if check.worst is None or check.verdict == "right":
        return check._replace(worst=None)
    numbers = {
        name: value if value is None else round(value, 5)
        for name, value in check.worst._asdict().items()
        if name in ("analytic", "numeric", "error", "left", "right", "jump")
    }
    worst = check.worst._replace(element=None, **numbers) if check.elements == 1 else Worst(None, "", *[np.nan] * 4)
    return check._replace(worst=worst)


def said(report: Report) -> str:
    """Return the report without its heading and the heads of its table; of chance only what it is."""
    if report.verdict == "nondeterministic":
        report = report._replace(checks=(), notes=())
    checks = tuple(map(lasting, report.checks))
    lines = plain_text(render(report._replace(checks=checks)), 160).splitlines()[5 if checks else 1 :]
    return "\n".join(" ".join(line.split()) for line in lines if line.strip())


def reports() -> dict[str, str]:
    """Return what each report says, by the name of its test."""
    parts = ("\n" + REPORTS.read_text("utf-8")).split("\n" + HEAD)[1:]
    return {name: text.rstrip() for name, _, text in (part.partition("\n") for part in parts)}


@pytest.mark.parametrize("wanted", cases())
def test_verdict(wanted: Expected, accept: bool):
    """The verdict, whom it concerns, the line where the fault or the decision stands, and all the report says."""
    settings = Settings(
        str(wanted.path),
        wanted.inputs,
        order=int(wanted.option("--order") or 1),
        seed=int(wanted.option("--seed") or 0),
        locate="--locate" in wanted.arguments,
    )
    (report,) = check(settings)
    if accept:
        found = sorted((reports() | {wanted.id: said(report)}).items())
        REPORTS.write_text("".join(f"{HEAD}{name}\n{text}\n" for name, text in found), "utf-8")
    elif len(wanted.verdicts) == 1:
        assert reports().get(wanted.id) == said(report)
    assert report.verdict in wanted.verdicts, (report.message, report.checks)
    if report.verdict in ("right", "not_applicable"):
        return
    assert not wanted.names or report.inputs in wanted.names, report.inputs
    if wanted.fault and report.verdict in ("wrong", "detached", "nan", "nondeterministic"):
        assert report.place is not None
        assert report.place.line in wanted.fault
    if wanted.near and report.verdict in ("kink", "jump"):
        assert report.nearest is not None
        assert report.nearest.place.line in wanted.near
