"""Looks for inputs that reach the arms a data set never reached.

    search = Search(Probe(plan), report, starts, budget=500, seed=0)
    for sought in search.run(): ...

From the inputs nearest to an arm the gradient of the margin is followed (`gradient_steps`), then their form is changed
(`structure`), numbers are moved one by one, and inputs are changed by seeded chance (`mutation`).  Every find is run
once more, from the start.  Where nothing leads to an arm or moves its test, runs are saved (`Search._is_hopeless`).
"""

from dyncli.coverage.search.child_process import in_child
from dyncli.coverage.search.probe import Probe
from dyncli.coverage.search.search import Search
from dyncli.coverage.search.starting_points import starts

__all__ = ["Probe", "Search", "in_child", "starts"]
