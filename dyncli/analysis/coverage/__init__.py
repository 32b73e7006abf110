"""What many inputs did to a model: tallies that merge in any order, and the report that is read off them."""

from dyncli.analysis.coverage.report import Report, report
from dyncli.analysis.coverage.tally import Example, Function, Settings, Sought, Subject, Tally, merged

__all__ = ["Example", "Function", "Report", "Settings", "Sought", "Subject", "Tally", "merged", "report"]
