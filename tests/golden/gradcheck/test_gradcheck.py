"""Every model in `models/`: each planted fault is found and located, and nothing right is called wrong."""

from typing import Any

import pytest

from dyncli.gradchecking.check import check
from dyncli.gradchecking.settings import Settings
from tests.golden.gradcheck.expected import Expected, expected

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


@pytest.mark.parametrize("wanted", cases())
def test_verdict(wanted: Expected):
    """The verdict, whom it concerns, and the line where the fault or the decision stands."""
    settings = Settings(
        str(wanted.path),
        wanted.inputs,
        order=int(wanted.option("--order") or 1),
        seed=int(wanted.option("--seed") or 0),
        locate="--locate" in wanted.arguments,
    )
    (report,) = check(settings)
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
