"""All workloads by name, in the order of the table."""

from tests.bench import batches, layers, small, workloads

__all__ = ["WORKLOADS", "batches", "layers", "small"]

_ORDER = ("small", "mid", "large", "batches", "more")
WORKLOADS = dict(sorted(workloads.WORKLOADS.items(), key=lambda item: _ORDER.index(item[1].group)))
