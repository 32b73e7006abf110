"""The report of a coverage as a file."""

from __future__ import annotations

from dyncli.analysis.coverage import Report

SUFFIXES = (".html", ".json", ".txt")
WIDTH = 120  # columns of a text file


def render(report: Report, suffix: str, full: bool = False) -> bytes:
    """Return the file for a suffix of SUFFIXES; with `full` every row of a text."""
    if suffix == ".html":
        from dyncli.render.reports import coverage_html

        return coverage_html.render(report).encode()
    if suffix == ".json":
        from dyncli.render.export import coverage_json

        return coverage_json.render(report).encode()
    from dyncli.render.reports.coverage import CoverageOptions, CoverageView
    from dyncli.render.reports.tables import plain_text

    return plain_text(CoverageView(report, CoverageOptions(full=full)), WIDTH).encode("utf-8", "surrogateescape")
