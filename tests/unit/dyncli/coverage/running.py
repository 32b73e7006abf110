"""A script run over inputs in this very process, and what is left of it for reading."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from dyncli.analysis.coverage import Report, SearchResult, Settings, report
from dyncli.coverage.checkpoint import Part, tally_of
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.data import DataSet
from dyncli.coverage.runner import Runner, Spec
from dyncli.coverage.search import Probe, Search, starts

#: A function whose backward takes an arm by the sum of its input.
DECIDES_IN_BACKWARD = """\
import torch
class Twice(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2
    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 0 if x.sum() > 10 else g * 2
def forward(x):
    return Twice.apply(x).sum()
"""


def covered(folder: Path, source: str, inputs: Sequence[Any], **settings: Any) -> Report:
    """The report of a script over JSON values; a string is a line as it stands.

    What would be left of the runs by a kill must say the same.
    """
    script = folder / "net.py"
    script.write_text(source)
    runner = Runner(Spec(str(script), display="net.py", settings=Settings(**settings)))
    lines = [value if isinstance(value, str) else json.dumps(value) for value in inputs]
    chunk = Chunk("data.jsonl", 1, len(lines) + 1, "lines", lines)
    part = Part(chunk, str(folder / "part"), "journal")
    whole = runner.run(chunk, part)
    part.close()
    noted = tally_of(folder / "part", "journal", {})
    noted.ranges = whole.ranges  # blank lines are nobody's
    assert whole == noted, "the lines written for each input say something else than the chunk"
    (folder / "part").unlink()
    return report(runner.subject, whole)


def arms(found: Report) -> dict[str, dict[str, tuple[int, int]]]:
    """`line text` of each test -> arm -> (times, inputs)."""
    return {
        f"{row.site.line} {row.site.text}": {arm.name: (arm.reach.times, arm.reach.inputs) for arm in row.arms}
        for row in found.sites
    }


def missed(found: Report) -> list[str]:
    """The arms never reached, as `line arm`."""
    return [f"{arm.site.line} {arm.name}" for arm in found.missed]


def outcomes(found: Report) -> dict[str, int]:
    """What became of the inputs."""
    return {word: group.count for word, group in found.outcomes}


def begun(
    folder: Path, source: str, inputs: Sequence[Any], budget: int = 250, seed: int = 0, **settings: Any
) -> Search:
    """A search for a script and a data set of JSON values."""
    script, data = folder / "net.py", folder / "data.jsonl"
    script.write_text(source)
    data.write_text("".join(json.dumps(value) + "\n" for value in inputs))
    runner = Runner(Spec(str(script), settings=Settings(**settings)))
    lines = data.read_text().splitlines()
    found = report(runner.subject, runner.run(Chunk(str(data), 1, len(lines) + 1, "lines", lines)))
    probe = Probe(str(script), None, Settings(**settings))
    names = [each.name for each in probe.parameters]
    with closing(DataSet([str(data)], {}, names)) as opened:
        begin = starts(opened, found, probe.parameters)
    return Search(probe, found, begin, budget=budget, seed=seed)


def sought(folder: Path, source: str, inputs: Sequence[Any], budget: int = 250, **settings: Any) -> list[SearchResult]:
    """Return what a search comes to; settings: of the runs, and `seed` of the search."""
    return list(begun(folder, source, inputs, budget, **settings).run())
