"""`dyncli gradcheck`: a table for people, JSON for programs, an exit code."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dyncli.script import paths
from tests import transcripts

ROOT = paths.folder("models").parent

SQUARE = """\
import dyncore as torch


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * x


def forward(x):
    return Square.apply(x).sum()
"""
BEND = """\
def forward(x):
    if x > 1:
        return 3 * x - 2
    return x * x
"""


@pytest.fixture
def scripts(tmp_path: Path) -> Path:
    """A folder with two scripts."""
    (tmp_path / "square.py").write_text(SQUARE)
    (tmp_path / "bend.py").write_text(BEND)
    return tmp_path


def test_a_wrong_backward(scripts: Path, dyncli):
    """The worst element, the function and its line, and what the ratio hints at."""
    finished = dyncli("gradcheck", "square.py", "-i", "[1, -1, 2]")
    assert (1, "") == (finished.code, finished.err)
    assert (
        """\
square.py:forward · float64 · seed 0 · the output

Gradients
name  shape  checked  worst  analytic  numeric  error  verdict
──────────────────────────────────────────────────────────────
x     [3]    all      [2]           2        4      2  wrong

wrong · x · the derivative of `Square` is wrong at line 13: `return gradient * x`
hint: analytic is 1/2 times numeric throughout: a factor is missing or one too many
"""
        == "\n".join(line.rstrip() for line in finished.out.splitlines()) + "\n"
    )


def test_a_kink(scripts: Path, dyncli):
    """The decision that the point sits on, and both slopes."""
    finished = dyncli("gradcheck", "bend.py", "-i", "1.0")
    assert (1, "") == (finished.code, finished.err)
    assert "x sits on the edge of `x > 1` at line 2 (margin 0)" in finished.out
    assert (
        "kink · x · the function bends at this point: its slope is 2 on the left, 3 on the right"
        == finished.out.splitlines()[-1]
    )


def test_right_beside_it(scripts: Path, dyncli):
    """Exit code 0, and the distance to the flip."""
    finished = dyncli("gradcheck", "bend.py", "-i", "0.75")
    assert (0, "") == (finished.code, finished.err)
    assert "x is nearest to `x > 1` at line 2 (margin -0.25), 0.25 away" in finished.out
    assert "right · the gradient agrees with the numeric derivative" == finished.out.splitlines()[-1]


def test_json(scripts: Path, dyncli):
    """Every field that a program reads."""
    finished = dyncli("gradcheck", "square.py", "-i", "[1, -1, 2]", "--json")
    assert (1, "") == (finished.code, finished.err)
    found = json.loads(finished.out)
    assert ("wrong", ["x"], 13, "Square", None) == tuple(
        found[name] for name in ("verdict", "inputs", "line", "op", "near_line")
    )
    (check,) = found["checks"]
    assert ("x", 3, [2], 2.0) == tuple(check[name] for name in ("name", "checked", "worst_index", "analytic"))
    assert 4.0 == pytest.approx(check["numeric"], rel=1e-9)
    assert 2.0 == pytest.approx(check["error"], rel=1e-9)
    assert 0 <= check["estimated_error"] < 1e-8


def test_inputs_never_pass_through_float32(tmp_path: Path, dyncli):
    """0.1 is 0.1 in float64."""
    (tmp_path / "tenth.py").write_text("def forward(x):\n    return (x - 0.1) ** 2\n")
    finished = dyncli("gradcheck", "tenth.py", "-i", "0.1", "--json")
    assert 0.0 == json.loads(finished.out)["checks"][0]["analytic"]
    assert 0 == finished.code


def test_what_the_model_raises(tmp_path: Path, dyncli):
    """Exit code 3, with its own line."""
    (tmp_path / "raises.py").write_text("def forward(x):\n    raise ValueError('no')\n")
    finished = dyncli("gradcheck", "raises.py", "-i", "1.0")
    assert 3 == finished.code
    assert "error: ValueError: no (at raises.py:2)" == finished.err.splitlines()[0]


@pytest.mark.parametrize("ones", ["torch.ones(2, dtype=torch.float32)", "torch.ones(2).float()"])
def test_a_model_that_names_float32_is_told_that_all_is_float64(tmp_path: Path, dyncli, ones: str):
    """In PyTorch's sentence only the two dtypes stand."""
    (tmp_path / "net.py").write_text(f"import dyncore as torch\n\n\ndef forward(x):\n    return x @ {ones}\n")
    finished = dyncli("gradcheck", "net.py", "-i", "[1, 2]")
    assert 3 == finished.code
    assert "hint: gradients are checked in float64: for a tensor made as float32 by name" in finished.err


def test_unknown_name(scripts: Path, dyncli):
    """Exit code 2, and the names there are."""
    finished = dyncli("gradcheck", "square.py", "-i", "[1, 2]", "--wrt", "y")
    assert 2 == finished.code
    assert "error: `--wrt y` is no input and no parameter that requires grad" == finished.err.splitlines()[0]


@pytest.mark.parametrize("model", ["attention", "newton", "piecewise", "router", "tree_net", "var_rnn"])
def test_bundled_models_are_right(model: str, dyncli):
    """Every bundled model that leaves a graph has the right gradient, at each of its samples."""
    finished = dyncli("gradcheck", model, "--json")
    found = json.loads(finished.out)
    assert {"right"} == {report["verdict"] for report in (found if isinstance(found, list) else [found])}
    assert 0 == finished.code


def test_directions_for_large_parameters(dyncli):
    """`--fast` takes random directions through every input and parameter."""
    finished = dyncli("gradcheck", "early_exit", "--case", "unclear", "--fast", "--directions", "2", "--json")
    assert 0 == finished.code
    assert {(True, 2)} == {(check["directions"], check["checked"]) for check in json.loads(finished.out)["checks"]}


def test_a_model_that_trains(dyncli):
    """A model that calls backward itself leaves nothing to check, and says so."""
    finished = dyncli("gradcheck", "growing", "--case", "line")
    assert 1 == finished.code
    assert "the entry calls `backward` itself and leaves no graph" in finished.out


def test_processes_find_the_same(dyncli):
    """`--jobs 2` prints what one process prints."""
    arguments = ("gradcheck", "early_exit", "--case", "clear", "--wrt", "layers.0.bias", "--wrt", "exits.0.weight")
    one, two = dyncli(*arguments), dyncli(*arguments, "--jobs", "2")
    assert (0, one.out) == (two.code, two.out)


@pytest.mark.whole
def test_jobs_find_faults_and_say_what_the_model_raises(tmp_path: Path, dyncli):
    """A fault, or an exception beside the point, comes back from another process."""
    (tmp_path / "square.py").write_text(SQUARE)
    values = json.dumps([number / 10 for number in range(70)])
    finished = dyncli("gradcheck", "square.py", "-i", values, "--jobs", "3", "--json")
    assert ("wrong", 13) == tuple(json.loads(finished.out)[name] for name in ("verdict", "line"))
    (tmp_path / "raises.py").write_text(
        "def forward(x, y):\n    if x.item() > 1:\n        raise ValueError('too large')\n    return x * y\n"
    )
    finished = dyncli("gradcheck", "raises.py", "-i", "x=1.0", "-i", "y=[1.0, 2.0]", "--jobs", "2", "--json")
    found = json.loads(finished.out)
    assert ("nan", ["x"]) == (found["verdict"], found["inputs"])
    said = "just beside the point the model raises ValueError: too large; it came up at line 3: "
    assert (3, said + "`raise ValueError('too large')`") == (found["line"], found["message"])


def test_cotangents(tmp_path: Path, dyncli):
    """One combination of the outputs, by position or by name; another shape is refused."""
    (tmp_path / "two.py").write_text("def forward(x):\n    return x.sin(), x.detach() * x\n")
    arguments = ("gradcheck", "two.py", "-i", "[1.0, 2.0]", "--json")
    assert "detached" == json.loads(dyncli(*arguments).out)["verdict"]
    given = dyncli(*arguments, "--cotangent", "[1, 1]", "--cotangent", "output.1=[0, 0]")
    assert ("right", "the given cotangent") == tuple(json.loads(given.out)[name] for name in ("verdict", "outputs"))
    for unknown in (["out=1"], ["[1, 1]", "[1, 1]", "1"]):
        options = [part for text in unknown for part in ("--cotangent", text)]
        refused = dyncli(*arguments, *options)
        said = f"error: there is no output for `--cotangent {unknown[-1]}`"
        assert (2, said) == (refused.code, refused.err.splitlines()[0])
    refused = dyncli(*arguments, "--cotangent", "output.1=[1, 2, 3]")
    assert (2, "error: `--cotangent` has shape [3], `output.1` has shape [2]") == (
        refused.code,
        refused.err.splitlines()[0],
    )


@pytest.mark.whole
@pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="the wheel brings no documentation")
def test_the_tests_in_the_documentation_pass(tmp_path: Path):
    """The pytest examples run under pytest, with nothing else there."""
    pages = [(ROOT / "docs" / "how-to" / name).read_text("utf-8") for name in ("gradcheck.md", "tests.md")]
    for name, contents in [item for page in pages for item in transcripts.files_of_page(page).items()]:
        if name in ("net.py", "test_net.py", "test_paths.py"):
            (tmp_path / name).write_text(contents, "utf-8")
    plugin = ["-p", "no:dyncli", "-p", "dyncli.api.pytest_plugin"]  # from here, not from an installation
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin]
    for arguments in (["--accept-paths"], []):
        finished = subprocess.run(
            [*command, *arguments], cwd=tmp_path, env=transcripts.environment(), capture_output=True, text=True
        )
        assert "4 passed" in finished.stdout, finished.stdout + finished.stderr
    assert (tmp_path / "paths" / "test_paths" / "test_path_is_the_accepted_one.dyn").is_file()


def test_complex_inputs(tmp_path: Path, dyncli):
    """Both parts of an element are checked, and count as one."""
    np.save(tmp_path / "z.npy", np.array([1 + 2j, 3 - 1j]))
    (tmp_path / "square.py").write_text("def forward(z):\n    return (z * z).real\n")
    finished = dyncli("gradcheck", "square.py", "-i", "@z.npy", "--json")
    (check,) = json.loads(finished.out)["checks"]
    assert (0, 2, 2) == (finished.code, check["checked"], check["elements"])


def test_limits_end_a_check(tmp_path: Path, dyncli):
    """A model that never ends is stopped by `--timeout`, with the exit code of a limit."""
    (tmp_path / "loop.py").write_text("def forward(x):\n    while True:\n        x = x * 1.0\n")
    finished = dyncli("gradcheck", "loop.py", "-i", "1.0", "--timeout", "0.5")
    assert (4, "error: stopped after 0.5 s") == (finished.code, finished.err.splitlines()[0])


def test_a_script_without_a_function(tmp_path: Path, dyncli):
    """A script that is the run itself has no function to check."""
    (tmp_path / "script.py").write_text("import dyncore as torch\nx = torch.ones(2)\n")
    finished = dyncli("gradcheck", "script.py")
    said = "error: `script.py` runs by itself and names no function to check"
    assert (2, said) == (finished.code, finished.err.splitlines()[0])
    finished = dyncli("gradcheck", "script.py", "-i", "1.0")
    assert (2, said) == (finished.code, finished.err.splitlines()[0])
    source = "def loss(x, w):\n    return x * w\n\n\ndef main():\n    print(loss(1, 2))\n\n\nmain()\n"
    (tmp_path / "script.py").write_text(source)
    finished = dyncli("gradcheck", "script.py")
    hint = "hint: it defines `loss(x, w)`: `dyncli gradcheck script.py:loss -i x=... -i w=...`"
    assert (2, hint) == (finished.code, finished.err.splitlines()[-1])


def test_a_script_whose_training_mixes_floats(tmp_path: Path, dyncli):
    """A tensor made as float32 by name does not fit the parameters, which are float64, while it is loaded either."""
    (tmp_path / "train.py").write_text("from torch import nn, ones\nmodel = nn.Linear(2, 1)\nmodel(ones(2).float())\n")
    finished = dyncli("gradcheck", "train.py")
    assert finished.err.splitlines()[-1].startswith("hint: gradients are checked in float64: for a tensor made as")


def test_what_the_script_prints_is_no_json(tmp_path: Path, dyncli):
    """Prints of a script that is loaded go to stderr, those of its calls nowhere."""
    (tmp_path / "loud.py").write_text("print('loaded')\n\n\ndef forward(x):\n    print('called')\n    return x * 2\n")
    finished = dyncli("gradcheck", "loud.py", "-i", "1.0", "--json")
    assert ("right", "loaded\n") == (json.loads(finished.out)["verdict"], finished.err)


def test_tolerances(tmp_path: Path, dyncli):
    """`--rtol` and `--atol` stand instead of what is estimated; what is no tolerance is refused."""
    (tmp_path / "square.py").write_text(SQUARE.replace("gradient * x", "gradient * x * 2.002"))
    assert 1 == dyncli("gradcheck", "square.py", "-i", "[1, 2]").code
    assert 0 == dyncli("gradcheck", "square.py", "-i", "[1, 2]", "--rtol", "0.01").code
    assert 0 == dyncli("gradcheck", "square.py", "-i", "[1, 2]", "--atol", "0.01", "--eps", "1e-4").code
    assert 2 == dyncli("gradcheck", "square.py", "-i", "[1, 2]", "--atol", "nan").code
    large = "gradcheck", "square.py", "-i", "[100, 200]"  # whose errors are 0.2 and 0.4
    codes = [dyncli(*large, *tolerance).code for tolerance in (("--rtol", "0.01"), ("--atol", "0.01"), ("--atol", "1"))]
    assert [0, 1, 0] == codes


def test_lines_of_other_files_are_named_with_their_file(scripts: Path, dyncli):
    """A fault and an edge in a module of the script's; a bare line would be taken for the script's own."""
    (scripts / "user.py").write_text("import bend\nimport square\n\n\ndef wrong(x):\n    return square.forward(x)\n\n\n"
                                     "def bent(x):\n    return bend.forward(x)\n")  # fmt: skip
    finished = dyncli("gradcheck", "user.py:wrong", "-i", "[1, 2]")
    assert "the derivative of `Square` is wrong at square.py:13: `return gradient * x`" in finished.out
    finished = dyncli("gradcheck", "user.py:bent", "-i", "1.0")
    assert "x sits on the edge of `x > 1` at bend.py:2 (margin 0)" in finished.out


def test_state_in_an_object_of_a_module_beside_the_script_is_no_chance(scripts: Path, dyncli):
    """Loaded anew for each evaluation, the module beside it decides at the same points as before."""
    (scripts / "nodes.py").write_text(
        "class Node:\n    def visit(self, times):\n        if times > 0:\n            self.times = times\n"
    )
    (scripts / "tree.py").write_text(
        "import dyncore as torch\nfrom nodes import Node\n\nnode = Node()\nw = torch.ones(2, requires_grad=True)\n\n\n"
        "def forward(x):\n    node.visit(1)\n    node.state = x * w\n    return node.state.sum()\n"
    )
    finished = dyncli("gradcheck", "tree.py", "-i", "[1.0, -1.0]")
    assert "right · the gradient agrees with the numeric derivative" in finished.out
    assert 0 == finished.code
