"""What ran under `no_grad`: the record says so, and every picture, so that nobody looks for its gradient."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.analysis.graph import GraphOptions, build, build_two
from dyncli.analysis.values import line_text, site_text
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.recorder.tables.assemble import unrecorded
from dyncli.records.json import dump, parse
from dyncli.render.graph import dot, html, layered_svg, mermaid, tree
from tests.runs import lines, recorded

MIXED = """\
import dyncore as torch


def forward(x):
    h = x * 2
    with torch.no_grad():
        scale = h.abs().max()
        whole = (h > scale).any()
        with torch.enable_grad():
            kept = h.exp()
        rest = scale - 1
    return (h / rest + kept).sum()
"""
WAYS = {
    "inference_mode": "    with torch.inference_mode():\n        s = x.sin()\n    return x.sum() + 1\n",
    "decorated": "    s = quiet(x)\n    return x.sum() + s\n",
    "set_grad_enabled": "    torch.set_grad_enabled(False)\n    s = x.sin()\n    torch.set_grad_enabled(True)\n"
    "    return x.sum()\n",
    "with set_grad_enabled": "    with torch.set_grad_enabled(False):\n        s = x.sin()\n    return x.sum()\n",
    "left by an error": "    try:\n        with torch.no_grad():\n            s = x.sin()\n            1 / 0\n"
    "    except ZeroDivisionError:\n        return x.sum()\n",
}
HEAD = "import dyncore as torch\n\n\n@torch.no_grad()\ndef quiet(x):\n    return x.sin()\n\n\ndef forward(x):\n"


def test_ops_under_no_grad_say_so_in_every_picture(tmp_path: Path) -> None:
    """Not what could have no gradient anyway, nor what `enable_grad` recorded in between; a legend says what it is."""
    record = recorded(tmp_path, MIXED, "[1, 2]")
    assert ["abs", "max", "gt", "any", "sub"] == [record.ops[n].name for a, b in record.unrecorded for n in range(a, b)]
    graph = build(record)
    marked = {name: words[-1] for name, words in lines(graph, "op").items() if "no_grad" in words[-1]}
    assert {"abs": "line 7 · no_grad", "max": "line 7 · no_grad", "sub": "line 11 · no_grad"} == marked
    assert "abs#1  ← mul#0  float32 [2] · [2, 4]  line 7 · no_grad" in tree.drawn(graph)
    for drawn in (dot.drawn(graph), layered_svg.drawn(graph)):
        assert 1 == drawn.count("no_grad: not recorded for backward")
    assert "line 7 #183; no_grad" in mermaid.drawn(graph).replace("#95;", "_")
    assert '"unrecorded":true' in html.render(record)
    assert parse(dump(record)) == record


@pytest.mark.parametrize("way", WAYS)
def test_every_switch_that_stops_recording_is_reported(tmp_path: Path, way: str) -> None:
    """And where it ends, also by an exception."""
    record = recorded(tmp_path, HEAD + WAYS[way], "[1, 2]")
    assert ["sin"] == [record.ops[n].name for first, end in record.unrecorded for n in range(first, end)]


SILENT = {
    "checkpoint": "y = checkpoint(torch.exp, x, use_reentrant=False)\ny.sum().backward()\n",
    "hook": "y = x * 1\ny.register_hook(torch.enable_grad()(lambda g: g * 2))\ny.sum().backward()\n",
    "function": "class Double(torch.autograd.Function):\n    @staticmethod\n    @torch.enable_grad()\n"
    "    def forward(ctx, x):\n        return x * 2\n\n\ny = Double.apply(x)\n",
}


@pytest.mark.parametrize("what", SILENT)
def test_what_runs_inside_the_engine_ends_no_recording(tmp_path: Path, what: str) -> None:
    """The engine records nothing in a backward or a `Function`; that `enable_grad` ends there is no `no_grad`."""
    head = "import dyncore as torch\nfrom dyncore.utils.checkpoint import checkpoint\n\n"
    head += "x = torch.ones(2, requires_grad=True)\n"
    tail = "z = x.sin()\nwith torch.no_grad():\n    t = x.cos()\nu = x.tan()\n"
    record = recorded(tmp_path, head + SILENT[what] + tail)
    assert ["cos"] == [record.ops[n].name for first, end in record.unrecorded for n in range(first, end)]


def test_a_run_without_any_recording_says_it_once(tmp_path: Path) -> None:
    """Below the title, not on every op."""
    script = tmp_path / "net.py"
    script.write_text(
        MIXED.replace("        with torch.enable_grad():\n            kept = h.exp()\n", "        kept = h\n")
    )
    graph = build(next(iter(record_model(Request(str(script), ("[1, 2]",), no_grad=True)))))
    assert "no gradient: all of it ran under no_grad" == graph.note
    assert not [node for node in graph.nodes if node.unrecorded]


def test_steps_drawn_as_one_count_those_without(tmp_path: Path) -> None:
    """A loop that records its last step alone; a second run that records all."""
    source = (
        "import dyncore as torch\n\n\ndef forward(x, n: int):\n    for step in range(3):\n"
        "        with torch.set_grad_enabled(step >= n):\n            x = x * 2\n    return x.sum()\n"
    )
    runs = [recorded(tmp_path, source, "x=[1, 2]", f"n={n}") for n in (2, 0)]
    told = lines(build(runs[0]), "op")["mul"][-1]
    assert "line 7 · x3 · no_grad in 2 of 3" == told
    (mul,) = [node for node in build_two(*runs, GraphOptions(), ("A", "B"))[0].nodes if node.name == "mul"]
    assert mul.unrecorded and "A: no_grad in 2 of 3" in mul.lines[-1].text


def test_a_reason_names_what_turned_it_off(tmp_path: Path) -> None:
    """Nothing was detached by hand."""
    source = (
        "import dyncore as torch\ndef forward(x, w):\n    with torch.no_grad():\n        y = x * 2\n    return y @ w\n"
    )
    record = recorded(tmp_path, source, "[1, 2]", "[3, 4]")
    found = {item.name: item.reason for item in record.backwards[0].gradients if item.value is None}
    assert {"x": "under no_grad at line 4: `x * 2`"} == found


def test_spans_of_modes() -> None:
    """One that begins in another is no other, one without ops is none, one that never ends ends with the run."""
    assert () == unrecorded([], 3)
    assert ((0, 3),) == unrecorded([~0], 3)
    assert ((2, 5), (8, 9)) == unrecorded([~2, 5, ~5, 5, ~8], 9)
    assert ((1, 4),) == unrecorded([~1, ~2, 4], 9)


def test_what_a_checkpoint_computes_again_stands_on_no_line_of_ours(tmp_path: Path) -> None:
    """In the backward that follows the entry: it is said when it ran, of a layer of the library, too."""
    source = (
        "import dyncore as torch\nfrom dyncore import nn\nfrom dyncore.utils.checkpoint import checkpoint\n\n"
        "net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))\n\n\n"
        "def forward(x):\n    return checkpoint(net, x, use_reentrant=False).sum()\n"
    )
    record = recorded(tmp_path, source, "[1, 2]")
    told = [line.text for node in build(record).nodes if node.kind in ("op", "module") for line in node.lines]
    assert 2 == told.count("in the backward · computed again")
    assert not [text for text in told if "recorder" in text]
    again = [op for op in record.ops if op.phase == "recompute"]
    assert {"backward"} == {site_text(op.site, record) for op in again}


@pytest.mark.parametrize("file", ["dyncli/recorder/recorder.py", "dyncli/trace/recorder.py"])
def test_line_of_the_recorder_is_backward_in_older_records_too(file: str) -> None:
    """Records keep the name that the file had when they were saved."""
    assert "backward" == line_text(f"/somewhere/{file}", 3, "net.py")


def test_file_in_a_folder_is_named_alone_in_a_column_of_lines_unless_two_share_its_name(tmp_path: Path) -> None:
    """A solver in a package of its own leaves the table to its tests."""
    package = tmp_path / "solver" / "inner"
    package.mkdir(parents=True)
    for folder in (package.parent, package):
        (folder / "__init__.py").write_text("")
        (folder / "tools.py").write_text("def twice(x):\n    return x * 2\n")
    (package / "step.py").write_text("def step(x):\n    return x + 1\n")
    record = recorded(
        tmp_path,
        "import dyncore as torch\nfrom solver import tools\nfrom solver.inner import step, tools as others\n\n"
        "print(step.step(tools.twice(others.twice(torch.ones(2)))))\n",
    )
    places = [site_text(op.site, record) for op in record.ops]
    assert ["5", "inner/tools.py:2", "solver/tools.py:2", "step.py:2"] == places
