"""The chunks that one process is given."""

from dyncli.analysis.coverage.coding import tally_out
from dyncli.analysis.coverage.tally import Tally
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.local import LARGEST, SMALLEST, served


class Fast:
    """A process that runs no model."""

    def run(self, chunk, part, key):
        return tally_out(Tally())


def test_chunks_grow_while_they_are_fast():
    """From the smallest size to the largest, never beyond what was asked for."""
    sizes = []

    def take(most):
        sizes.append(most)
        first = sum(sizes[:-1])
        return Chunk("data", first, first + most, "lines", ["1"] * most) if len(sizes) < 20 else None

    assert 19 == len(list(served(Fast(), take)))
    assert (SMALLEST, LARGEST) == (sizes[0], max(sizes))
