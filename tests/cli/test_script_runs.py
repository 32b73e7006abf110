"""A PyTorch script runs as it stands: which callable is run, and the script's own arguments."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

NET = """\
import sys
import torch
import torch.nn as nn

class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, 1)

    def forward(self, x):
        return self.layer(x)

torch.manual_seed(0)
model = Net(2)
"""
TRAIN = NET + "loss = model(torch.ones(2)).sum()\nloss.backward()\nprint(sys.argv)\n"
ARGUMENTS = "import sys\nimport torch\nprint(sys.argv)\ndef forward(x):\n    return x * float(sys.argv[1])\n"
COMMANDS = {
    "run": ["run", "net.py", "-i", "[1, 2]"],
    "graph": ["graph", "net.py", "-i", "[1, 2]"],
    "trace": ["trace", "net.py", "-i", "[1, 2]"],
    "gradcheck": ["gradcheck", "net.py", "-i", "[1, 2]"],
    "diff": ["diff", "net.py", "-i", "[1, 2]", "-i", "[1, 2]"],
    "cover": ["cover", "net.py", "--inputs", "data.jsonl"],
    "cover in processes": ["cover", "net.py", "--inputs", "data.jsonl", "--jobs", "2"],
}


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., str]:
    """Writes a file into the test's folder and returns its name."""

    def write(text: str, name: str = "net.py") -> str:
        (tmp_path / name).write_text(text)
        return name

    return write


def test_model_of_a_script_does_not_keep_it_from_running(dyncli, write):
    """Without inputs a script that trains its `model` is itself the run, and the report says what `torch` is."""
    finished = dyncli("run", write(TRAIN))
    assert (0, "") == (finished.code, finished.err)
    assert finished.out.startswith("['net.py']\nnet.py:__main__ ") and 1 == finished.out.count("torch: dyncore 0.1")
    assert "Gradients of loss" in finished.out


def test_inputs_go_to_the_model_of_a_script(dyncli, write):
    """With inputs the same script's `model` is run."""
    assert "net.py:model " in dyncli("run", write(TRAIN), "-i", "[1, 2]").out


def test_script_that_only_defines_a_model_asks_for_its_inputs(dyncli, write):
    """A script without an op is no run: the error quotes the signature."""
    finished = dyncli("run", write(NET))
    assert (2, "") == (finished.code, finished.out)
    assert "error: no input for `x`\n  the entry is `model(x)`\n\nhint: add `-i x=...`\n" == finished.err


def test_script_that_only_defines_a_forward_without_inputs_runs_it(dyncli, write):
    """Such a script prints once, and its `forward` is the run."""
    text = (
        "import torch\nprint('loaded')\ndef forward(n: int = 2):\n    return torch.ones(n, requires_grad=True).sum()\n"
    )
    finished = dyncli("run", write(text))
    assert (0, 1) == (finished.code, finished.out.count("loaded")) and "net.py:forward " in finished.out


def test_script_itself_can_be_named(dyncli, write):
    """`net.py:__main__` is the script even where it computes nothing."""
    finished = dyncli("run", f"{write(NET)}:__main__")
    assert (0, True) == (finished.code, finished.out.startswith("net.py:__main__ "))


def test_class_that_needs_arguments_says_which(dyncli, write):
    """The error names them, and the hint how to give them."""
    finished = dyncli("run", f"{write(NET)}:Net", "-i", "[1, 2]")
    assert (2, "") == (finished.code, finished.out)
    assert (
        "error: `Net(width)` needs arguments to be built: `width`\n\n"
        "hint: build it in the script, `model = Net(width=...)`, and run `script.py:model`; or give them defaults\n"
    ) == finished.err


def test_class_that_needs_arguments_is_no_advice(dyncli, write):
    """A script that only defines such a class is not told to run it."""
    finished = dyncli("run", write(NET.partition("torch.manual_seed")[0] + "def double(x):\n    return x * 2\n"))
    assert "`net.py:double` with an input runs that alone" in finished.out


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_arguments_reach_the_script(dyncli, write, command):
    """Every command that runs a script gives it what follows `--`, while it is loaded and later."""
    write(ARGUMENTS)
    write("[1, 2]\n[3, 4]\n", "data.jsonl")
    finished = dyncli(*command, "--", "2.5", "--flag")
    assert (0, False) == (finished.code, "error" in finished.err)


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_every_report_says_once_what_torch_is(dyncli, write, command):
    """The first line of each report has it, if the script imports `torch`."""
    write("[1, 2]\n[3, 4]\n", "data.jsonl")
    for name, times in (("torch", 1), ("dyncore as torch", 0)):
        write(ARGUMENTS.replace("import torch", f"import {name}"))
        assert times == dyncli(*command, "--", "2.5").out.count("torch: dyncore 0.1")


SPAWNS = """
import multiprocessing, sys
import torch
from torch import nn
def work(n):
    return "dyncore" in torch.__file__, nn.functional.relu(torch.ones(1) * n).item()
if __name__ == "__main__":
    for method in ("spawn", "forkserver", "fork"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(pool.map(work, [2]))
"""


def test_spawned_processes_have_the_same_torch(dyncli, write, tmp_path):
    """A child that Python's `multiprocessing` starts afresh imports dyncore as its parent does."""
    finished = dyncli("run", write(SPAWNS))
    assert (0, 3) == (finished.code, finished.out.count("[(True, 2.0)]\n"))


def test_arguments_are_those_of_python(dyncli, write):
    """`sys.argv` begins with the script as it was typed."""
    write("import sys, torch\nprint(sys.argv, torch.ones(1).sum())", "net.py")
    assert "['./net.py', '--epochs', '1', '--'] " in dyncli("run", "./net.py", "--", "--epochs", "1", "--").out


def test_arguments_that_argparse_refuses_have_a_hint(dyncli, write):
    """The script's own usage is printed, and the hint says where arguments go."""
    text = "import argparse\nimport torch\np = argparse.ArgumentParser()\np.add_argument('data')\np.parse_args()\n"
    finished = dyncli("run", write(text))
    assert 3 == finished.code and "usage: net.py [-h] data" in finished.err
    assert "hint: the script's own arguments go after `--`: `dyncli run script.py -- --epochs 1`\n" in finished.err
    finished = dyncli("run", "net.py", "--", "data.csv", "--epoch", "1")
    assert "hint: the script refused what stands after `--`: `data.csv --epoch 1`\n" in finished.err


def test_arguments_for_a_saved_record_are_refused(dyncli, write):
    """A record runs nothing that could read them."""
    dyncli("run", write(ARGUMENTS), "-i", "[1, 2]", "--save", "run.dyn", "--", "2")
    finished = dyncli("run", "run.dyn", "--", "2")
    assert (2, True) == (
        finished.code,
        finished.err.startswith("error: `run.dyn` is a saved record, which reads no arguments (got `-- 2`)"),
    )


def test_journal_of_other_arguments_is_refused(dyncli, write):
    """A journal goes on only with the arguments it was made with."""
    write(ARGUMENTS)
    write("[1, 2]\n", "data.jsonl")
    command = ["cover", "net.py", "--inputs", "data.jsonl", "--journal", "a.journal", "--"]
    assert 0 == dyncli(*command, "2").code
    finished = dyncli(*command, "3")
    assert 2 == finished.code and "`-- ARGS` was 2, now 3" in finished.err


def test_heading_says_what_the_script_made_its_default_dtype(dyncli, write):
    """Floats became what the script asked for, not what it found."""
    script = write("import torch\ntorch.set_default_dtype(torch.float64)\nprint(torch.zeros(1).dtype)\n")
    assert "__main__ · float64 · seed 0" in dyncli("run", script).out


def test_record_says_what_torch_was(dyncli, write):
    """The versions of a record hold it only where the script imported `torch`."""
    write("import torch\ntorch.ones(1).sum()", "net.py")
    versions = json.loads(dyncli("run", "net.py", "--json").out)["versions"]
    assert f"dyncore {versions['dyncli']}" == versions["torch"]
    write("import dyncore as torch\ntorch.ones(1).sum()", "net.py")
    assert "torch" not in json.loads(dyncli("run", "net.py", "--json").out)["versions"]


META = """\
import torch
import torch.nn as nn

with torch.device("meta"):
    net = nn.Sequential(nn.Linear(3, 300), nn.ReLU(), nn.Linear(300, 2))
for _ in range(40):
    shapes = net(torch.rand(64, 3, device="meta"))
print(shapes)
net.to_empty(device="cpu")
for each in net.parameters():
    nn.init.ones_(each)
net(torch.ones(1, 3)).sum().backward()
"""


@pytest.mark.parametrize("command", [("run",), ("graph", "-o", "net.svg"), ("trace",), ("run", "--save", "net.dyn")])
def test_script_with_meta_tensors_is_recorded_by_every_command(dyncli, write, command):
    """A tensor without elements has a shape in the record, and neither values nor statistics."""
    name, *options = command
    run = dyncli(name, write(META), *options)
    assert 0 == run.code, run.err
    assert "tensor(..., device='meta', size=(64, 2)" in run.out + run.err


def test_meta_tensor_is_an_output_without_values(dyncli, write):
    """Its shape and dtype are shown; the gradients after `to_empty` have values."""
    report = json.loads(dyncli("run", write(META), "--json").out)
    outputs = {each["name"]: each for each in report["tensors"] if each["name"] in ("shapes", "net.2.bias")}
    assert [64, 2] == outputs["shapes"]["shape"]
    assert outputs["shapes"]["values"] is None
    assert [1.0, 1.0] == outputs["net.2.bias"]["values"]
