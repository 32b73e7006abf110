"""Coverage of a model by many inputs: mergeable tallies, and reports."""

from dyncli.analysis.coverage.report import Report, report
from dyncli.analysis.coverage.tally import Example, Function, SearchResult, Settings, Subject, Tally, merged

__all__ = ["Example", "Function", "Report", "SearchResult", "Settings", "Subject", "Tally", "merged", "report"]
