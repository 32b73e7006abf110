"""Which leaves a backward pass is said to have reached."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.recorder.events.recorded_events import MOST_PASSES
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.recorder.tables.assemble import WHOLE_PASSES


def test_a_leaf_written_in_place_is_one_leaf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its value has a new number after the write; its gradient is still one gradient."""
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text(
        "import dyncore as torch\n"
        "w = torch.tensor([1.0, 2.0], requires_grad=True)\n"
        "def forward(x):\n"
        "    with torch.no_grad():\n"
        "        w.add_(0.5)\n"
        "    return (w * x).sum()\n"
    )
    record = next(record_model(Request("net.py", ("[3, 4]",))))
    (backward,) = record.backwards
    assert ["x", "w"] == [each.name for each in backward.gradients if each.role != "intermediate"]


def test_an_input_that_is_written_in_place_shows_what_came_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What an op, or one on a view of it, wrote there later is the op's result."""
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text(
        "import dyncore as torch\n"
        "def forward(x, y):\n"
        "    with torch.no_grad():\n"
        "        x.mul_(2)\n"
        "        y[0].add_(1)\n"
        "    return x.sum() + y.sum()\n"
    )
    record = next(record_model(Request("net.py", ("x=[1, 2]", "y=[3, 4]"))))
    assert {"x": [1.0, 2.0], "y": [3.0, 4.0]} == {
        each.name: list(each.values or ()) for each in record.tensors if each.role == "input" and each.op is None
    }


def test_the_gradient_that_a_script_reads_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It shows what it held when it was read first, not the zeros that were written there."""
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text(
        "import dyncore as torch\n"
        "x = torch.tensor([1.0, 2.0], requires_grad=True)\n"
        "for _ in range(3):\n"
        "    (x**2).sum().backward()\n"
        "    with torch.no_grad():\n"
        "        x -= 0.1 * x.grad\n"
        "        x.grad.zero_()\n"
    )
    record = next(record_model(Request("net.py")))
    constants = {each.name: list(each.values or ()) for each in record.tensors if each.role == "constant"}
    assert {"x.grad": [2.0, 4.0]} == constants


def test_a_leaf_that_an_op_made_is_itself_in_a_second_derivative(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a node saved of it and gives back is no constant, also where the leaf is written later."""
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text(
        "import dyncore as torch\n"
        "w = (torch.ones(2) * 3).requires_grad_()\n"
        "x = torch.tensor([1.0, 2.0])\n"
        "(g,) = torch.autograd.grad(((w * x) ** 2 * w).sum(), w, create_graph=True)\n"
        "(g * w).sum().backward()\n"
        "with torch.no_grad():\n"
        "    w -= 0.1 * w.grad\n"
    )
    record = next(record_model(Request("net.py")))
    sources = [each.name for each in record.tensors if each.op is None and each.role == "constant"]
    assert ["saved", "seed", "w.grad"] == sorted(name or "" for name in sources)  # the first is x
    (made,) = {op.outputs[0] for op in record.ops if op.name == "mul" and op.site.line == 2}
    assert 3 <= sum(made in op.inputs for op in record.ops)
    assert all(
        seq < op.seq for op in record.ops for seq in [record.tensors[t].op for t in op.inputs] if seq is not None
    )


def test_a_leaf_is_not_taken_for_one_that_is_gone(tmp_path: Path) -> None:
    """An array may get the id of one that was written and let go: the leaf that has it was not written."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\n"
        "gone = [torch.zeros(4).apply_(lambda value: 1.0) for _ in range(40)]\n"
        "gone = None\n"
        "leaves = [torch.zeros(4, requires_grad=True) for _ in range(40)]\n"
        "sum(leaves).sum().backward()\n"
    )
    (record,) = record_model(Request(str(script)))
    assert () == record.written


def test_what_was_written_comes_in_one_order(tmp_path: Path) -> None:
    """However many runs there were before, a record is the same to the byte."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\n"
        "net = torch.nn.Sequential(*[torch.nn.Linear(2, 2) for _ in range(4)])\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for _ in range(2):\n"
        "    net(torch.ones(2)).sum().backward()\n"
        "    optimizer.step()\n"
    )
    records = [record for _ in range(6) for record in record_model(Request(str(script)))]
    assert 8 == len(records[0].written)
    assert [records[0].written] * 6 == [record.written for record in records]
    forms = [[(tensor.role, tensor.shape, tensor.shares) for tensor in record.tensors] for record in records]
    assert [forms[0]] * 6 == forms


REBOUND = """\
import numpy as np
import torch

def fit(x, {given}):
    for step in range(2):
        {made}
        loss = (x @ w + b).pow(2).mean()
        {gradients}
        w = w - 0.1 * gw
        b = b - 0.1 * gb

x = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
{call}
"""


@pytest.mark.parametrize(
    "parts",
    [
        {
            "given": "w, b", "made": "pass", "gradients": "gw, gb = torch.autograd.grad(loss, (w, b))",
            "call": "fit(x, torch.ones(2, requires_grad=True), torch.ones(1, requires_grad=True))",
        },
        {
            "given": "w, b", "gradients": "loss.backward(); gw, gb = w.grad, b.grad",
            "made": "w, b = w.detach().requires_grad_(), torch.from_numpy(b.detach().numpy()).requires_grad_()",
            "call": "fit(x, torch.nn.Parameter(torch.ones(2)), torch.ones(1))",
        },
    ],
    ids=["grad", "backward"],
)  # fmt: skip
def test_leaf_whose_variable_is_bound_anew_keeps_its_name(tmp_path: Path, parts: dict[str, str]) -> None:
    """Each pass has one row of `w` with its own gradient, by the name that the first op read it by."""
    script = tmp_path / "fit.py"
    script.write_text(REBOUND.format(**parts))
    record = next(record_model(Request(str(script))))
    for backward in record.backwards:
        rows = [each for each in backward.gradients if each.role != "intermediate" and each.value is not None]
        assert ["b", "w"] == sorted(each.name for each in rows)
    assert [1.0, 4.0] != record.tensors[rows[0].tensor].values
    assert {"w", "b"} == {each.name for each in record.backwards[-1].gradients if each.role != "intermediate"}


def test_training_keeps_whole_gradients_of_first_passes_and_of_the_last(tmp_path: Path) -> None:
    """Keep the statistics and a digest of the others, by which they can still be compared."""
    script = tmp_path / "train.py"
    script.write_text(
        "import torch\n"
        "w = torch.ones(20, requires_grad=True)\n"
        f"for step in range({WHOLE_PASSES + 3}):\n"
        "    (w * step).sum().backward()\n"
        "    w.grad = None\n"
    )
    record = next(record_model(Request(str(script))))
    (*passes,) = (record.tensors[each.gradients[0].value or 0] for each in record.backwards)
    is_whole = [each.values is not None for each in passes]
    assert [True] * WHOLE_PASSES + [False, False, True] == is_whole
    assert WHOLE_PASSES == passes[WHOLE_PASSES].stats.mean
    assert passes[-3].digest and passes[-3].digest != passes[-2].digest


def test_last_backward_of_many_gradient_calls_keeps_its_gradients(tmp_path: Path) -> None:
    """Its parameters have them also if more calls of `autograd.grad` follow than are kept."""
    script = tmp_path / "train.py"
    script.write_text(
        "import torch\n"
        "w = torch.ones(2, requires_grad=True)\n"
        f"for step in range({MOST_PASSES + 5}):\n"
        "    torch.autograd.grad((w * 2).sum(), w)\n"
        "    if step > 98:\n"
        "        w.grad = None\n"
        "        (w * step).sum().backward()\n"
        f"for step in range({MOST_PASSES + 5}):\n"
        "    torch.autograd.grad((w * 3).sum(), w)\n"
    )
    record = next(record_model(Request(str(script))))
    last = [each for each in record.backwards if each.by == "backward"][-1]
    (gradient,) = (each for each in last.gradients if each.role != "intermediate")
    assert [float(MOST_PASSES + 4)] * 2 == list(record.tensors[gradient.value or 0].values or ())
    assert all(each.nodes and all(each.nodes_elapsed_ns) for each in record.backwards)
    assert [last] == [each for each in record.backwards[MOST_PASSES + 1 : -1] if each.gradients]


def test_gradient_of_an_item_of_a_dict_is_named_by_the_line_that_set_it(tmp_path: Path) -> None:
    """As the fast weights of MAML, which no variable holds by itself."""
    script = tmp_path / "fast.py"
    script.write_text(
        "import torch\n"
        "w = torch.ones(2, requires_grad=True)\n"
        "fast = {}\n"
        "for name in ('a', 'b'):\n"
        "    fast[name] = w * 2\n"
        "torch.autograd.grad(fast.pop('a').sum() + fast['b'].sum(), [fast.pop('b')])\n"
    )
    (backward,) = next(record_model(Request(str(script)))).backwards
    assert "fast[name]" in [each.name for each in backward.gradients]


def test_leaves_that_no_variable_holds_at_the_end_are_named_by_their_own_statement(tmp_path: Path) -> None:
    """Also where the line has several, where the statement has several lines, and in a tuple."""
    script = tmp_path / "tree.py"
    script.write_text(
        "import torch\n"
        "class Node: pass\n"
        "def made():\n"
        "    node = Node()\n"
        "    a = torch.ones(2, requires_grad=True); b = torch.ones(2, requires_grad=True)\n"
        "    c, d = torch.ones(2, requires_grad=True), torch.zeros(2, requires_grad=True)\n"
        "    e = torch.tensor([1., 2.],\n"
        "                     requires_grad=True)\n"
        "    node.state = a, b, c, d, e\n"
        "    node.more = []\n"
        "    node.more.append(torch.ones(2, requires_grad=True))\n"
        "    return node\n"
        "node = made()\n"
        "(sum(node.state) * node.more[0]).sum().backward()\n"
    )
    (backward,) = next(record_model(Request(str(script)))).backwards
    names = [each.name for each in backward.gradients if each.role != "intermediate"]
    assert ["a", "b", "c", "d", "e", "node.more[0]"] == sorted(names)


def test_frozen_parameter_has_no_row_though_an_op_wrote_it_before(tmp_path: Path) -> None:
    """One that never required a gradient has none either."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\n\nnet = torch.nn.Linear(2, 1)\nwith torch.no_grad():\n    net.bias.zero_()\n"
        "net.bias.requires_grad_(False)\nloss = net(torch.ones(3, 2)).pow(2).mean()\nloss.backward()\n"
        "if loss > 0:\n    net.zero_grad()\n"
    )
    (record,) = record_model(Request(str(script)))
    assert ["net.weight"] == [each.name for each in record.backwards[-1].gradients if each.role == "parameter"]
