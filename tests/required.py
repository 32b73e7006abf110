"""A skip for want of PyTorch is a failure where DYNCLI_REQUIRE_TORCH is set, as `.ci/run` does."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest

VARIABLE = "DYNCLI_REQUIRE_TORCH"
_FOR_WANT_OF_TORCH = re.compile(r"\btorch|\bPyTorch")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    """Fail a test that is skipped because PyTorch is not there."""
    report = yield
    _refuse(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Iterator[None]:
    """Fail a module that is skipped because PyTorch is not there."""
    report = yield
    _refuse(report)
    return report


def _refuse(report: pytest.TestReport | pytest.CollectReport) -> None:
    if report.outcome != "skipped" or not os.environ.get(VARIABLE):
        return
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    if _FOR_WANT_OF_TORCH.search(reason):
        report.outcome = "failed"
        report.longrepr = f"{VARIABLE} is set, and this is skipped: {reason}"
