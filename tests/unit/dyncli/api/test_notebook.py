"""The notebook extension, in a shell of IPython and in notebooks that a real kernel executes."""

import re
from pathlib import Path

import pytest

from tests import transcripts

PAGE = Path(__file__).resolve().parents[4] / "docs" / "how-to" / "notebook.md"

DEFINE = """\
import dyncore as torch
def forward(x):
    if x.sum() > 0:
        return x * 2
    return x - 2"""
X = "torch.tensor([1., -1., 2.], requires_grad=True)"


@pytest.fixture
def shell():
    """A shell with the extension."""
    interactive = pytest.importorskip("IPython.core.interactiveshell")
    shell = interactive.InteractiveShell.instance()
    shell.run_line_magic("load_ext", "dyncli")
    yield shell
    shell.run_line_magic("unload_ext", "dyncli")
    interactive.InteractiveShell.clear_instance()


def run(shell, *cells):
    """Return the output of the last of some cells."""
    for cell in cells:
        number = shell.run_cell(cell, store_history=True).execution_count
    return shell.user_ns["Out"].get(number)


def test_cell_is_recorded_with_its_own_decisions(shell, capsys):
    """Those of the cell itself, and of a function of another one; backward starts at the last expression."""
    cell = f"%%dyncli run --name record\nx = {X}\nfor i in range(2):\n    if x.max() > i:\n        y = forward(x)\ny"
    record = run(shell, DEFINE, cell)
    assert shell.user_ns["record"] is record
    sites = [(decision.site.file, decision.site.text) for decision in record.decisions]
    own, other = ("In[2]", "x.max() > i"), ("In[1]", "x.sum() > 0")
    assert [("In[2]", "for i in range(2)"), own, other, own, other] == sites
    assert [2.0, -2.0, 4.0] == record.outputs["output"].tolist()
    assert [2.0, 2.0, 2.0] == record.gradients["x"].tolist()
    assert "In[2] · float32" in str(record)
    assert "@take" not in shell.user_ns and [] == shell.ast_transformers
    assert [2.0, -2.0, 4.0] == shell.user_ns["y"].tolist()


def test_own_backward_of_a_cell_is_the_only_one(shell, capsys):
    """Its last expression starts no second one."""
    record = run(shell, DEFINE, f"%%dyncli run --name record\nx = {X}\ny = forward(x).sum()\ny.backward()\ny")
    assert 1 == len(record.data.backwards)
    assert [2.0, 2.0, 2.0] == shell.user_ns["x"].grad.tolist()


def test_functions_of_a_recorded_cell_have_no_probes_left(shell, capsys):
    """They can be recorded again."""
    run(shell, f"%%dyncli run\n{DEFINE}\nforward({X})")
    assert not any(name.startswith("@") for name in shell.user_ns["forward"].__code__.co_names)
    record = run(shell, "import dyncli", "dyncli.record(forward, [1.0])")
    assert 1 == len(record.decisions)


def test_other_commands_return_what_they_show(shell, capsys):
    """A drawing, the costs, a check."""
    run(shell, DEFINE, f"x = {X}")
    assert "<svg" in run(shell, "%%dyncli graph\nforward(x)")._repr_mimebundle_()["image/svg+xml"]
    plain, sloped = (run(shell, f"%%dyncli graph{option}\nforward(x)").dot() for option in ("", " --grads"))
    assert [1, 2] == [text.count(">grad [") for text in (plain, sloped)]  # that of the input, and of the product
    assert "peak" in str(run(shell, "%%dyncli trace\nforward(x)"))
    checked = run(shell, "%%dyncli gradcheck --order 2\nscale = 3.0\nforward(x)")
    assert checked and "In[1]:forward" in str(checked)
    assert None is shell.user_ns["x"].grad


def test_cell_that_raises_shows_its_traceback_and_its_record_and_fails(shell, capsys):
    """IPython prints the one, the record has the other, and cells after it would not run."""
    run(shell, DEFINE)
    cell = f"%%dyncli run --name record\nz = forward({X})\nraise ValueError('its own')"
    result = shell.run_cell(cell, store_history=True)
    record = shell.user_ns["record"]
    assert not result.success and "raised ValueError" in str(result.error_in_exec)
    assert ("error", "ValueError") == (record.status, record.data.failure.type)
    assert "In[2]" == record.data.failure.frames[-1].file and 1 == len(record.decisions)
    shown = capsys.readouterr().out
    assert 1 == shown.count("Traceback") and "its own" in shown and "Decisions" in shown
    assert not shell.run_cell("%%dyncli gradcheck\nraise ValueError('again')\nforward(1)").success
    assert "again" in capsys.readouterr().out


def test_error_in_the_engine_shows_frames_and_names_of_cells_alone(shell, capsys):
    """Neither the engine's files nor the one that the kernel compiles a cell from."""
    run(shell, DEFINE, "def product(x):\n    return x @ torch.ones(4, 3)")
    result = shell.run_cell("%%dyncli run --name record\nproduct(torch.ones(2, 3))", store_history=True)
    shown = capsys.readouterr().out.partition("Stopped")[0]
    assert not result.success
    assert "dyncore/" not in shown and "product" in shown
    failure = shell.user_ns["record"].data.failure
    assert [("In[3]", 1), ("In[2]", 2)] == [(frame.file, frame.line) for frame in failure.frames]
    assert any(note.startswith("in matmul at In[2]:2") for note in failure.notes)
    assert () == shell.custom_exceptions


def test_semicolon_hides_the_output(shell, capsys):
    """As in any cell."""
    record = run(shell, DEFINE, f"%%dyncli run\nforward({X});")
    assert {} == record.outputs == record.gradients and 1 == len(record.decisions)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("%%dyncli rnu\n1", "`%%dyncli` knows no `rnu`"),
        ("%%dyncli run --full 3\n1", "unrecognized arguments"),
        ("%%dyncli\n1", "needs a command"),
        ("%%dyncli gradcheck\nx = 1", "no call to check"),
        ("%%dyncli run\nimport asyncio\nawait asyncio.sleep(0)", "`await` at the top"),
    ],
)
def test_wrong_line_is_a_usage_error_with_a_hint(shell, capsys, cell, message):
    """Without a traceback."""
    result = shell.run_cell(cell)
    shown = "".join(capsys.readouterr())
    assert not result.success and message in str(result.error_in_exec)
    assert "hint: " in shown and "Traceback" not in shown


def executed(cells, monkeypatch):
    """The outputs of the cells of a notebook that a kernel has executed."""
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    monkeypatch.setenv("PYTHONPATH", transcripts.environment()["PYTHONPATH"])
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return [cell.outputs for cell in notebook.cells]


@pytest.mark.whole
@pytest.mark.filterwarnings("default")  # of zmq and of event loops, which are not ours
def test_notebook_shows_a_record_a_picture_and_tables(monkeypatch):
    """Each cell has one output, in the formats that JupyterLab, VS Code and exported HTML show."""
    outputs = executed(
        [
            f"%load_ext dyncli\n{DEFINE}",
            f"%%dyncli run\nforward({X})",
            f"%%dyncli graph\nforward({X})",
            "import dyncli\ndyncli.record(forward, [1.0, 2.0])",
            "dyncli.gradcheck(forward, [1.0, 2.0])",
            "print(dyncli.record(forward, [1.0]))",
            "%%dyncli run --name record\nimport torch as other\nother.ones(2);",
            "print(other is torch, [op.name for op in record.ops])",
        ],
        monkeypatch,
    )
    assert [0, 1, 1, 1, 1, 1, 1, 1] == [len(each) for each in outputs]
    run, graph, record, check, printed, _, alias = (each[0] for each in outputs[1:])
    assert {"text/html", "text/plain"} == run.data.keys() == record.data.keys()
    assert "<svg" in run.data["text/html"] and "x.sum()" in run.data["text/html"]
    assert run.data["text/plain"].startswith("In[2] · float32")
    assert "<svg" in graph.data["image/svg+xml"] and "<svg" in graph.data["text/html"]
    assert record.data["text/plain"].startswith("In[1]:forward")
    assert "right" in check.data["text/html"]
    assert "stream" == printed.output_type and "Decisions" in printed.text
    assert "True ['ones']\n" == alias.text


@pytest.mark.whole
@pytest.mark.skipif(not PAGE.is_file(), reason="needs a checkout")
@pytest.mark.filterwarnings("default")  # of zmq and of event loops, which are not ours
def test_page_on_notebooks_runs_as_it_is_written(monkeypatch, tmp_path):
    """Its cells, in their order, show what the text says of them."""
    monkeypatch.chdir(tmp_path)
    cells = re.findall(r"^```cell\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    outputs = executed(cells, monkeypatch)
    assert [0, 1, 1, 1, 1, 1] == [len(each) for each in outputs]
    record, run, check, hidden, difference = (each[0] for each in outputs[1:])
    assert "<svg" in record.data["text/html"] and "<svg" in run.data["text/html"]
    assert re.search(r"\nx +\[2\]", run.data["text/plain"]) and "In[1]:6" in run.data["text/plain"]
    assert "right" in check.data["text/plain"]
    assert "Decisions" in hidden.data["text/plain"] and "They part at line 6" in difference.text
    assert (tmp_path / "shrink.html").is_file()
