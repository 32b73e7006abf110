"""Event logs with the collectors that the commands switch on."""

from __future__ import annotations

from typing import Any

from dyncli.recorder.events.collectors import Collector, Retention, Shapes
from dyncli.recorder.events.collectors.digests import Digests
from dyncli.recorder.events.collectors.saved_memory import SavedMemory
from dyncli.recorder.events.collectors.statistics import Statistics
from dyncli.recorder.events.collectors.values import Times, Values
from dyncli.recorder.events.event_log import EventLog


def tables_log(decisions: list[Any]) -> EventLog:
    """Return the log of `dyncli run`, which prints tables."""
    return EventLog(decisions, (Shapes(), SavedMemory()))


def whole_log(decisions: list[Any]) -> EventLog:
    """Return the log of `dyncli graph`."""
    return EventLog(decisions, (Values(), Times(), SavedMemory()))


def trace_log(decisions: list[Any]) -> EventLog:
    """Return the log of `dyncli trace`."""
    return EventLog(decisions, (Values(), Times(), Statistics(), SavedMemory()))


def saved_log(decisions: list[Any]) -> EventLog:
    """Return the log of a record that is saved."""
    return EventLog(decisions, (Values(), Times(), Digests(), Statistics(), SavedMemory()))


class Reported(Collector):
    """Lets the engine report each op and each node by a call.  at_once: gradients are looked at then."""

    def __init__(self, *, at_once: bool = False) -> None:
        self.at_once = at_once

    def refine(self, retention: Retention) -> Retention:
        return retention._replace(is_direct=False)

    def before_op(self, op: Any, args: Any, kwargs: Any, result: Any) -> None:
        """Do nothing; that there is a hook switches the fast form of events off."""

    def node(self, nodes: Any, node: Any, gradient: Any, result: Any) -> None:
        if self.at_once:
            self.log.flush()


def reported_log(*collectors: Collector, at_once: bool = False) -> EventLog:
    """Return a log with these collectors, to which each op and node is reported by a call."""
    return EventLog([], (Values(), Times(), *collectors, SavedMemory(), Reported(at_once=at_once)))
