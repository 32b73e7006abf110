"""The seed of a run reaches every generator, whenever the script imports it."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dyncli.recorder.settings import seeded

ROOT = Path(__file__).resolve().parents[4]
SCRIPT = """\
import dyncore as torch


def forward(x):
    import random

    import numpy as np

    inside = random.random()
    return x * inside * np.random.rand() * np.random.default_rng(3).random()
"""


def test_generators_imported_during_the_run_are_seeded(tmp_path: Path) -> None:
    """A fresh process, whose NumPy has not loaded its generators yet, gives what `seed()` before the run would."""
    (tmp_path / "model.py").write_text(SCRIPT)
    path = os.pathsep.join([str(ROOT), str(ROOT / "core"), *filter(None, [os.environ.get("PYTHONPATH")])])
    said = subprocess.run(
        [sys.executable, "-m", "dyncli", "run", "model.py", "-i", "1.0", "--dtype", "float64", "--seed", "5", "--json"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    expected = random.Random(5).random() * np.random.RandomState(5).rand() * np.random.default_rng(3).random()
    record = json.loads(said.stdout)
    assert [expected] == record["tensors"][record["outputs"][0]["tensor"]]["values"]


@pytest.mark.parametrize("seed", [-1, 2**32 + 7])
def test_a_seed_of_more_than_32_bits(seed: int) -> None:
    """NumPy's generator takes what fits into 32 bits, the others the whole of it."""
    with seeded(seed):
        assert np.random.RandomState(seed % 2**32).rand() == np.random.rand()
        assert random.Random(seed).random() == random.random()


def test_the_modules_keep_their_own_loaders() -> None:
    """Nothing of ours stays behind in what was imported."""
    code = (
        "import sys\nfrom dyncli.recorder.settings import seeded\nbefore = list(sys.meta_path)\n"
        "with seeded(1):\n    import numpy.random, random\n"
        "assert before == sys.meta_path\n"
        "print(*(type(module.__spec__.loader).__name__ for module in (numpy.random, random)), numpy.random.rand())"
    )
    path = os.pathsep.join([str(ROOT), str(ROOT / "core")])
    said = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
        check=True, timeout=60,
    ).stdout  # fmt: skip
    assert ["SourceFileLoader", "SourceFileLoader", str(np.random.RandomState(1).rand())] == said.split()
