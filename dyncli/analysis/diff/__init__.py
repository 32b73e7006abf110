"""Differences of two runs: Record x Record -> Diff.

    found = diff(a, b)
    found.parting                     # the first decision at which they part, or None
    found.decisions, found.ops        # pairs that differ, and what only one run has
    found.outputs, found.gradients    # by name, those that differ
    found.flows                       # gradients that came back to ops, those that differ
    found.is_equal

Runs are aligned by site, frame and iteration, so neither trip counts nor recursion need to agree (`align`).
The sites of two versions of a script are aligned first (`sites`).
"""

from dyncli.analysis.diff.build import diff
from dyncli.analysis.diff.model import EXACT, Counts, Diff, Flow, Pair, Parting
from dyncli.analysis.diff.values import Tolerance, largest_difference

__all__ = ["EXACT", "Counts", "Diff", "Flow", "Pair", "Parting", "Tolerance", "diff", "largest_difference"]
