"""`python -m dyncore`: a PyTorch script runs as under `python`, without PyTorch."""

import subprocess
import sys
from pathlib import Path

import pytest

import dyncore

SCRIPT = """\
import pickle, sys
import torch
import torch.nn as nn
class Kept: pass
def product(x):
    return x @ torch.ones(3)
if __name__ == "__main__":
    print(sys.argv, __file__, type(pickle.loads(pickle.dumps(Kept()))).__module__, torch.ones(2))
    exec(sys.argv[1])
"""


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`python -m dyncore` in a folder."""
    root = str(Path(dyncore.__file__).parents[1])
    return subprocess.run(
        [sys.executable, "-m", "dyncore", *arguments],
        cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": root, "PATH": ""},
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with `train.py` and its neighbour."""
    (tmp_path / "train.py").write_text(SCRIPT)
    (tmp_path / "neighbour.py").write_text("from torch import optim\n")
    return tmp_path


@pytest.mark.whole
def test_script_has_the_arguments_and_main_of_python(folder: Path) -> None:
    """`sys.argv`, `__file__` and `__main__` are those of `python train.py`."""
    finished = python(folder, "train.py", "import neighbour; print(neighbour.optim is torch.optim)", "--x")
    argv = ["train.py", "import neighbour; print(neighbour.optim is torch.optim)", "--x"]
    assert f"{argv} {folder / 'train.py'} __main__ tensor([1., 1.])\nTrue\n" == finished.stdout
    assert ("", 0) == (finished.stderr, finished.returncode)


@pytest.mark.parametrize(
    ("statement", "code", "last"),
    [
        ("sys.exit(7)", 7, ""),
        ("sys.exit('no')", 1, "no\n"),
        ("raise KeyboardInterrupt", -2, "KeyboardInterrupt\n"),
        ("torch.floorr", 1, "AttributeError: module 'torch' has no attribute 'floorr'\nhint: did you mean `floor`?\n"),
        ("nn.nothing", 1, "AttributeError: module 'torch.nn' has no attribute 'nothing'\n"),
        ("import torch.nothing", 1, "ModuleNotFoundError: No module named 'torch.nothing'\n"),
        ("import torch.nn.nothing", 1, "ModuleNotFoundError: No module named 'torch.nn.nothing'\n"),
        (
            "from torch.nn import Linaer", 1,
            "ImportError: cannot import name 'Linaer' from 'torch.nn'\nhint: did you mean `Linear`?\n",
        ),
    ],
)  # fmt: skip
def test_end_of_a_script_is_that_of_python(folder: Path, statement: str, code: int, last: str) -> None:
    """The exit code is Python's, and an error uses the names of the script."""
    finished = python(folder, "train.py", statement)
    assert (code, True) == (finished.returncode, finished.stderr.endswith(last))


@pytest.mark.whole
def test_traceback_has_the_users_frames_alone(folder: Path) -> None:
    """No frame of the engine or of what runs the script stands in it."""
    finished = python(folder, "train.py", "product(torch.ones(2))")
    files = [line.partition('"')[2].partition('"')[0] for line in finished.stderr.splitlines() if " File " in line]
    assert [str(folder / "train.py"), "<string>", str(folder / "train.py")] == files
    assert "RuntimeError: inconsistent tensor size" in finished.stderr


@pytest.mark.whole
def test_module_and_code_run_too(folder: Path) -> None:
    """`-m` and `-c` are as under `python`."""
    finished = python(folder, "-m", "train", "sys.exit(3)")
    assert (3, True) == (finished.returncode, finished.stdout.startswith(f"['{folder / 'train.py'}', 'sys.exit(3)']"))
    finished = python(folder, "-c", "import sys, torch, neighbour; print(sys.argv, torch.zeros(1))", "a")
    assert ("['-c', 'a'] tensor([0.])\n", "") == (finished.stdout, finished.stderr)


@pytest.mark.whole
def test_usage(folder: Path) -> None:
    """Without a script the usage is shown; a missing file is Python's own sentence."""
    finished = python(folder)
    assert (2, True) == (finished.returncode, finished.stderr.startswith("usage: python -m dyncore"))
    finished = python(folder, "nothing.py")
    assert (2, True) == (
        finished.returncode,
        finished.stderr.endswith("can't open file 'nothing.py': [Errno 2] No such file or directory\n"),
    )


IMPORTS = """
from torch.optim.lr_scheduler import _LRScheduler
from torch.optim.optimizer import ParamsT, _RequiredParameter
from torch.utils.data._utils.collate import default_collate, np_str_obj_array_pattern
from torch.nn.modules.pooling import _AdaptiveAvgPoolNd
from torch.nn.modules.conv import _size_2_t
from torch.nn.parallel._functions import Broadcast, ReduceAddCoalesced
from torch.nn.parallel.scatter_gather import scatter_kwargs
from torch.serialization import SourceChangeWarning
from torch.distributions.utils import _sum_rightmost
from torch._C import Generator, _log_api_usage_once
import torch._VF, torch.optim._multi_tensor, torch.utils._python_dispatch
import torch
torch._C._log_api_usage_once("a.b")
assert torch.optim._multi_tensor.Adam is torch.optim.Adam
assert torch._C._VariableFunctions.relu(torch.ones(1)).item() == 1
"""


def test_private_names_are_imported_as_in_public_scripts(tmp_path):
    """Under the name `torch` as under `dyncore`."""
    finished = python(tmp_path, "-c", IMPORTS)
    assert (0, "") == (finished.returncode, finished.stderr)


@pytest.mark.whole
def test_spawned_processes_have_the_same_torch(tmp_path):
    """A child that Python's `multiprocessing` starts afresh imports dyncore as its parent does."""
    (tmp_path / "spawns.py").write_text(
        "import multiprocessing, torch\n"
        "def work(n):\n    return torch.__version__, (torch.ones(1) * n).item()\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n        print(pool.map(work, [2]))\n"
    )
    assert "[('2.13.0+dyncore', 2.0)]\n" == python(tmp_path, "spawns.py").stdout
