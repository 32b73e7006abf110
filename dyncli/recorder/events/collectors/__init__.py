"""Collectors of an event log, beyond which op ran on which tensors: one file for each kind of information.

Collectors are switched on one by one and combined in any number, in this order:

| collector    | stores                                                        | switched on by                        |
|--------------|---------------------------------------------------------------|---------------------------------------|
| Shapes       | shapes of what came from outside, from which others follow    | `run` that only prints tables         |
| Values       | elements of small results and gradients                       | all others                            |
| Times        | when each op began and ended                                  | all others                            |
| Digests      | digest, statistics and, as far as there is room, elements     | `--save` of any command, `diff`       |
| Edges        | gradients along every edge                                    | `graph --grads`                       |
| Statistics   | norms, bad values, former values of parameters                | `trace`, `--save` of any command      |
| SavedMemory  | bytes and tensors that ops hold for backward                  | all commands                          |
| Watchpoints  | calls the conditions of `--break` after every op              | `run --break`                         |
| Slopes       | derivatives of tested values                                  | the second run of `run --sensitivity` |

`Watchpoints` and `Slopes` are made where their arguments are known; the others are chosen by `collectors_for`.
What a saved record contains depends on `--save` alone, whichever command writes it.
"""

from __future__ import annotations

from dyncli.recorder.events.collector import Collector
from dyncli.recorder.events.collectors.saved_memory import SavedMemory
from dyncli.recorder.request import Request


def collectors_for(request: Request) -> tuple[Collector, ...]:
    """Return new collectors for what a request needs to know of its run."""
    if request.outline and not request.saved:
        from dyncli.recorder.events.collectors.shapes import Shapes

        return Shapes(), SavedMemory()
    from dyncli.recorder.events.collectors.values import Times, Values

    found: list[Collector] = [Values(), Times()]
    if request.measure or request.saved:
        from dyncli.recorder.events.collectors.digests import Digests

        found.append(Digests())
    if request.edges:
        from dyncli.recorder.events.collectors.edges import Edges

        found.append(Edges())
    if request.watch or request.saved:
        from dyncli.recorder.events.collectors.statistics import Statistics

        found.append(Statistics())
    return *found, SavedMemory()
