"""A script's warnings, of its code as of its run, are those it gives without recording."""

import subprocess
import sys
from pathlib import Path

import pytest

FORWARD = r"""
import warnings, sys
def told(k): warnings.warn("again", stacklevel=2)
def forward(x):
    y = 1 if x is 3 else 2 if (x is not "s" and x > 0) else 3
    assert (x, "always")
    for k in range(3):
        told(k)
        if k == 1: eval("k is 7 or '\d'")
    if not NotImplemented or "\d" == y: pass
    import other
    told(k)
    return x * (x is 1 or y)
"""
OTHER = "import sys\nz = 5 if sys is 2 else [n for n in (1,) if n is 1 or '\\d']\n"
ALONE = "from net import forward\nimport dyncore\nforward(dyncore.tensor(2.0))\n"


@pytest.mark.whole
def test_warnings(tmp_path: Path) -> None:
    """Each is given once, with its line, and none that is ours, by any view."""
    (tmp_path / "net.py").write_text(FORWARD)
    (tmp_path / "other.py").write_text(OTHER)
    (tmp_path / "alone.py").write_text(ALONE)
    given = []
    for command in (["alone.py"], ["-m", "dyncli", "run", "net.py", "--source", "-i", "2.0"]):
        finished = subprocess.run(
            [sys.executable, "-B", *command],
            cwd=tmp_path, env={"PYTHONPATH": ":".join(sys.path), "OPENBLAS_NUM_THREADS": "1"},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        given.append(finished.stderr.replace(f"{tmp_path}/", "").splitlines())
    alone, recorded = given
    assert alone == recorded
    assert 10 < len(alone)
