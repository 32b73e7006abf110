"""`dyncli export` as a program: the file, what it computes in ONNX Runtime, its report, refusals, exit codes."""

import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import onnx
import onnxruntime

from dyncli import errors
from dyncli.export import session
from dyncli.export.ops import TABLE
from tests.transcripts import environment

NET = """\
import torch

def forward(x):
    if x.sum() > 0:
        return x * 2
    return x - 2
"""


@pytest.fixture
def net(tmp_path: Path) -> Path:
    """A model with two arms, in the folder where `dyncli` runs."""
    path = tmp_path / "net.py"
    path.write_text(NET)
    return path


def computed(path: Path, **inputs: object) -> dict:
    """Return the outputs of the model in a file, by name."""
    runtime = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    names = [each.name for each in runtime.get_outputs()]
    return dict(zip(names, runtime.run(None, {name: np.asarray(each, "float32") for name, each in inputs.items()})))


def refused(finished, *words: str) -> bool:
    """Return True if a command ended with one `error:` that has these words, exit code 2 and no traceback."""
    return (
        finished.code == 2
        and finished.err.startswith("error: ")
        and "Traceback" not in finished.err
        and all(word in finished.err for word in words)
    )


def figures(report: str, *heads: str) -> list[str]:
    """Return what stands in the table of a report under these heads."""
    lines = report.splitlines()
    rule = next(number for number, line in enumerate(lines) if line and set(line) == {"─"})
    head, row = (re.split(r"  +", lines[number].strip()) for number in (rule - 1, rule + 1))
    return [dict(zip(head, row, strict=True))[each] for each in heads]


@pytest.mark.parametrize(("before", "replayed"), [("", True), ("print('hello')\n    ", False)])
def test_report_times_python_replay_and_onnxruntime(dyncli, net, before, replayed):
    """A model that prints is not replayed: a dash."""
    net.write_text(NET.replace("    if", f"    {before}if"))
    heads = ("difference", "eager", "replay", "onnxruntime")
    difference, eager, replay, runtime = figures(dyncli("export", "net.py", "-i", "[1, -1, 2]").out, *heads)
    assert "0" == difference and eager.endswith("s") and runtime.endswith("s")
    assert replay.endswith("s") if replayed else "—" == replay


def test_exported_model_computes_both_arms(dyncli, net, tmp_path):
    """Inputs and outputs have the names of the model's; `captured` is True."""
    (tmp_path / "cases.jsonl").write_text("[1, -1, 2]\n[-1, -1, -2]\n")
    assert 0 == dyncli("export", "net.py", "--inputs", "cases.jsonl", "-o", "net.onnx").code
    for x in ([1, 2, 3], [-4, 1, 1]):
        found = computed(tmp_path / "net.onnx", x=x)
        expected = np.float32(x) * 2 if sum(x) > 0 else np.float32(x) - 2
        assert found["captured"] and expected.tolist() == found["output"].tolist()


def test_arm_that_no_input_took_is_flagged(dyncli, net, tmp_path):
    """The report names the arm and how to reach it; the model computes NaN there."""
    finished = dyncli("export", "net.py", "-i", "[1, -1, 2]", "-o", "net.onnx")
    assert (0, "") == (finished.code, finished.err)
    assert ["1", "1", "1"] == figures(finished.out, "paths", "arms", "not seen")
    assert "warning: never seen: False of net.py:4: `if x.sum() > 0:`" in finished.out
    assert "hint: `dyncli cover net.py --inputs DATA --search`" in finished.out
    found = computed(tmp_path / "net.onnx", x=[-1, 0, 0])
    assert not found["captured"] and np.isnan(found["output"]).all()


def test_uncaptured_error_fails_there(dyncli, net, tmp_path):
    """Where the arm was seen the model computes."""
    assert 0 == dyncli("export", "net.py", "-i", "[1, -1, 2]", "-o", "net.onnx", "--uncaptured", "error").code
    assert [2, 2, 2] == computed(tmp_path / "net.onnx", x=[1, 1, 1])["output"].tolist()
    with pytest.raises(Exception, match="this input took a path that was not captured"):
        computed(tmp_path / "net.onnx", x=[-1, 0, 0])


@pytest.mark.parametrize("opset", [18, 22])
def test_opset_is_the_one_asked_for(dyncli, net, tmp_path, opset):
    """The model names it."""
    assert 0 == dyncli("export", "net.py", "-i", "[1, -1, 2]", "-o", "net.onnx", "--opset", str(opset)).code
    assert [opset] == [each.version for each in onnx.load(tmp_path / "net.onnx").opset_import]


def test_nodes_name_their_line(dyncli, net, tmp_path):
    """Name and doc string of a node say where in the script it comes from."""
    dyncli("export", "net.py", "-i", "[1, -1, 2]", "-o", "net.onnx")
    every = onnx.load(tmp_path / "net.onnx").graph.node
    nodes = {each.op_type: each for each in every}
    assert ("If net.py:4", "net.py:4: if x.sum() > 0:") == (nodes["If"].name, nodes["If"].doc_string)
    assert {"net.py", ""} == {each.doc_string.partition(":")[0] for each in every}, "a line that is not the script's"


def test_existing_file_is_kept(dyncli, net, tmp_path):
    """Without `--overwrite`."""
    (tmp_path / "net.onnx").write_text("mine")
    assert refused(dyncli("export", "net.py", "-i", "[1]", "-o", "net.onnx"), "`net.onnx` exists already")
    assert "mine" == (tmp_path / "net.onnx").read_text()


REFUSED = {
    "random": ("return x + torch.randn(3)", ("draws random numbers (`randn`)", "net.py:4", "hint: ")),
    "dropout": ("return torch.nn.functional.dropout(x)", ("random numbers (`dropout`)", "net.py:4", "`model.eval()`")),
    "unmapped": ("return torch.linalg.qr(x.reshape(1, 3))[1]", ("`linalg_qr`, which has no mapping", "net.py:4")),
    "backward": ("x.requires_grad_().sum().backward()\n    return x.grad", ("net.py:4",)),
    "training": ("torch.ones(1, requires_grad=True).sum().backward()", ("computes gradients", "net.py:4", "hint: ")),
    "error": ("return x[5]", ("raises IndexError (index 5 is out of bounds", "net.py:4")),
    "text": ("return 'text'", ("returns a str, which is no tensor", "net.py:3")),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_exported_is_refused_with_its_line(dyncli, tmp_path, name):
    """One error with the reason; no file."""
    body, words = REFUSED[name]
    (tmp_path / "net.py").write_text(f"import torch\n\ndef forward(x):\n    {body}\n")
    assert refused(dyncli("export", "net.py", "-i", "[1, -1, 2]", "-o", "net.onnx"), *words)
    assert not (tmp_path / "net.onnx").exists()


WRONG = {
    "opset": (("--opset", "3"), ("`--opset 3` is not supported", "hint: a number from 18 to 22")),
    "uncaptured": (("--uncaptured", "zero"), ("`--uncaptured zero`", "hint: `nan` or `error`")),
    "dtype": (("--dtype", "int3"), ("unknown dtype `int3`", "hint: one of `float16`")),
    "suffix": (("-o", "net.svg"), ("`net.svg` does not end in `.onnx`",)),
    "folder": (("-o", "nowhere/net.onnx"), ("nowhere/net.onnx", "there is no folder")),
    "inputs": (("--inputs", "nothing.jsonl"), ("nothing.jsonl",)),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_option_is_one_error(dyncli, net, name):
    """A message and its hint, exit code 2."""
    options, words = WRONG[name]
    assert refused(dyncli("export", "net.py", "-i", "[1, -1, 2]", *options), *words)


def test_no_inputs_is_an_error(dyncli, net):
    """With how to give one."""
    assert refused(dyncli("export", "net.py", "-o", "net.onnx"), "hint: ", "-i")


def test_missing_libraries_are_named(dyncli, net, tmp_path):
    """One line says how to install them."""
    (tmp_path / "onnx.py").write_text("raise ImportError('no onnx here')\n")
    finished = dyncli("export", "net.py", "-i", "[1]", PYTHONPATH=f"{tmp_path}:{environment()['PYTHONPATH']}")
    assert "error: `dyncli export` needs onnx and onnxruntime\n\nhint: `pip install 'dyncli[onnx]'`\n" == finished.err


def test_model_that_differs_is_not_written(tmp_path, net, monkeypatch):
    """An error with exit code 1 that says which case."""
    monkeypatch.setitem(TABLE, "mul", lambda x: x("Add", x.input(), x.name("other", x.dtype)))
    options = session.Options(
        str(net), None, (("[1, -1, 2]",),), None, tmp_path / "net.onnx", "float32", 0, 18, False, False, 0
    )
    with pytest.raises(errors.ExportDiffers) as caught:
        session.export(options)
    assert 1 == caught.value.exit_code and not (tmp_path / "net.onnx").exists()
    assert "case 1: `output` differs by 3" in caught.value.report()


def test_model_is_checked_against_the_script_as_it_is(dyncli, net):
    """Not against the one with our reports in it, which computes something else here."""
    net.write_text("import torch\nK = 2 if '@trace' in globals() else 3\n\ndef forward(x):\n    return x * K\n")
    finished = dyncli("export", "net.py", "-i", "[1, -1, 2]", "-o", "net.onnx")
    assert 1 == finished.code and "case 1: `output` differs by 2" in finished.err
    assert not net.with_name("net.onnx").exists()


def test_weights_that_no_seed_reaches_are_refused(dyncli, net):
    """The model would have those of one load alone."""
    net.write_text(
        "import numpy, torch\nmodel = torch.nn.Linear(3, 1)\n"
        "model.bias.data = torch.tensor(numpy.random.default_rng().random(1), dtype=torch.float32)\n"
    )
    finished = dyncli("export", "net.py", "-i", "[1, -1, 2]", "-o", "net.onnx")
    assert refused(finished, "has other weights each time it is loaded (`bias`)", "hint: ")
