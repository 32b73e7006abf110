"""What becomes smaller in a crowded drawing, and what of it must still be told."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.analysis.graph import DEFAULT, Graph, GraphOptions, Node, build
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record
from dyncli.render.graph import svg
from dyncli.render.graph.layout import WIDEST, width_of
from tests.runs import recorded

TWO_SIDES = """\
import dyncore as torch


def forward(x):
    for step in range(3):
        if torch.rand(1).item() < torch.exp(torch.tensor(-1.0)).item():
            x = x * 2
        else:
            x = x * 3
    return x
"""
GAN = """\
import dyncore as torch
from dyncore import nn


class Critic(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.wide = False
        if width > 100:
            self.wide = True
        self.net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, x):
        return torch.sigmoid(self.net(x))


torch.manual_seed(0)
maker = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 3))
critic = Critic(8)
bce = nn.BCELoss()
real, fake = torch.randn(4, 3) + 2, maker(torch.randn(4, 2))
ones, zeros = torch.ones(4, 1), torch.zeros(4, 1)
loss = bce(critic(real), ones) + bce(critic(fake), zeros)
print((critic(real) > 0.5).float().mean().item())
if loss > 1:
    loss = loss * 0.5
loss.backward()
"""
SMALL = """\
import dyncore as torch
from dyncore import nn

torch.manual_seed(0)
layer = nn.Linear(2, 2)


def forward(x):
    return torch.tanh(layer(x))
"""
BLOCKS = """\
import dyncore as torch
from dyncore import nn

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        h = torch.relu(self.a(x))
        if h.mean() > 0.3:
            h = h * 0.5
        return x + self.b(h)


net = nn.Sequential(*[Block() for _ in range(40)])


def forward(x):
    return net(x).sum()
"""
SINGLE = """\
def forward(x):
    y = x * 2
    z = y.exp()
    return (z * z).sum()
"""


def of_kind(graph: Graph, kind: str) -> list[Node]:
    return [node for node in graph.nodes if node.kind == kind]


@pytest.fixture
def gan(tmp_path: Path) -> Record:
    return recorded(tmp_path, GAN)


def test_a_module_of_the_library_is_one_node_in_a_crowd(gan: Record) -> None:
    """It says its op, its result, and each parameter with what came back to it."""
    node = next(node for node in of_kind(build(gan), "module") if node.rest == "linear")
    texts = [line.text for line in node.lines]
    assert texts[0].startswith("float32 [4, 8]")
    assert ["weight", "bias"] == [text.partition(" ")[0] for text in texts[1:3]]
    assert all(" grad " in text for text in texts[1:3])
    assert texts[-1].startswith("line ")
    assert [] == of_kind(build(gan), "parameter")


def test_modules_stay_open_where_there_is_room(tmp_path: Path, gan: Record) -> None:
    """A small drawing has a box and its parameters; so has any whose modules are unfolded."""
    small = build(recorded(tmp_path, SMALL, "[1, 2]"))
    assert ["layer.weight", "layer.bias"] == [node.name for node in of_kind(small, "parameter")]
    assert [] == of_kind(build(gan, GraphOptions(expand=("modules",))), "module")
    assert [] == of_kind(build(gan, GraphOptions(compact=False)), "module")


def test_a_call_that_ran_as_one_before_is_drawn_shut(gan: Record) -> None:
    """It says so, with its own result; the first is open."""
    graph = build(gan, GraphOptions(room=0.5))
    again = [node for node in of_kind(graph, "fold") if node.name == "critic"]
    assert ["critic"] == [box.name for box in graph.boxes if box.name == "critic"]
    assert 2 == len(again)
    for node in again:
        texts = [line.text for line in node.lines]
        assert "6 ops" == texts[0]
        assert "ran as above" == texts[-1]
        assert any(text.startswith("float32 [4, 1]") for text in texts)


def test_what_nothing_reads_is_one_node(gan: Record) -> None:
    """What is only printed, and what checks of arguments compute."""
    (node,) = (node for node in of_kind(build(gan), "fold") if node.name == "read by no op")
    assert "gt, to, mean" == node.rest


def test_what_a_test_reads_on_its_other_side_is_read(tmp_path: Path) -> None:
    """`tensor` and `exp` stood as read by no op beside the test that compared them with a number that chance drew."""
    graph = build(recorded(tmp_path, TWO_SIDES, "1.0"), GraphOptions(room=0.1))
    assert ["rand", "tensor", "exp"] == [node.name for node in of_kind(graph, "op")][:3]
    assert "read by no op" not in [node.name for node in of_kind(graph, "fold")]


def test_folded_box_lists_decisions_inside(gan: Record) -> None:
    """A constructor that decided things is one node that says which way each went."""
    (node,) = (node for node in of_kind(build(gan), "fold") if node.name.endswith("__init__"))
    assert ["if width > 100 \u2192 False"] == [line.text for line in node.lines]


def test_many_calls_alike_are_one_node(tmp_path: Path) -> None:
    """Of forty blocks one of each way is open, and one node tells of all that went that way."""
    graph = build(recorded(tmp_path, BLOCKS, "[1, 2, 3, 4]"))
    assert ["net", "0", "2"] == [box.name for box in graph.boxes if box.kind == "module"]
    folds = {node.lines[-1].text: node for node in of_kind(graph, "fold")}
    assert {"ran as 0 above": "x 31", "ran as 2 above": "x 7"} == {text: node.rest for text, node in folds.items()}
    assert "if h.mean() > 0.3 \u2192 F x7" in [line.text for line in folds["ran as 2 above"].lines]
    order = {node.id: place for place, node in enumerate(graph.nodes)}
    assert all(order[edge.source] < order[edge.target] for edge in graph.edges if edge.kind == "data")


def test_many_runs_at_one_place_are_one_node(tmp_path: Path) -> None:
    """Those that no loop of the script made: a library went over its parameters."""
    more = "for value in critic.state_dict().values():\n    loss = loss + value.sum()\nloss.backward()\n"
    record = recorded(tmp_path, GAN.replace("loss.backward()\n", more))
    (node,) = (node for node in build(record).nodes if node.name == "detach")
    assert "x6" == node.lines[-1].text.partition(" · ")[2]


def test_a_wide_picture_is_folded_further(gan: Record) -> None:
    """So that it fits a screen."""
    assert width_of(svg.render(gan, DEFAULT)) <= WIDEST


def test_edges_of_a_saved_record_have_gradients(tmp_path: Path) -> None:
    """Where one op alone reads a value, what came back to it came along that edge; the note says what is not known."""
    graph = build(recorded(tmp_path, SINGLE, "[0, 1]"), GraphOptions(grads=True))
    of = {node.id: node.name for node in graph.nodes}
    back = {(of[edge.source], of[edge.target]): edge.gradient for edge in graph.edges if edge.gradient}
    assert {("x", "mul"): "[4, 218.4]", ("mul", "exp"): "[2, 109.2]", ("mul", "sum"): "[1, 1]"} == back
    assert graph.note.startswith("recorded without `--grads`")


def test_what_a_line_reads_of_its_own_call_stands_before_it(tmp_path: Path) -> None:
    """The input made on a line, and what is printed of the call, are no one node, which would lead into itself."""
    layers = "nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))"
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\nfrom dyncore import nn\n"
        f"first, other = {layers}, {layers}\n"
        "for step in range(3):\n    loss = (first(torch.ones(4, 2)) + other(torch.ones(4, 2))).sum()\n"
        "    loss.backward()\n"
        "print(torch.relu(first(torch.tensor([[1.0, 2.0]])).sum()))\n"
    )
    graph = build(next(iter(record_model(Request(str(script))))))
    assert len(graph.nodes) > 15
    leads: dict[str, set[str]] = {}
    for edge in graph.edges:
        if edge.kind == "data":
            leads.setdefault(edge.source, set()).add(edge.target)
    for start in leads:
        seen, pending = set(), [start]
        while pending:
            new = leads.get(pending.pop(), set()) - seen
            seen |= new
            pending += new
        assert start not in seen


TRAINING = """\
import argparse

import dyncore as torch
from dyncore import nn


def load(count):
    rows = torch.zeros(count, 3)
    for row in range(count):
        if row % 2:
            rows[row] = torch.ones(3) * row
    return (rows - rows.mean(0)) / (rows.std(0) + 1)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(3, 3), nn.Linear(3, 1)

    def forward(self, x, depth=2):
        h = self.one(x).tanh()
        if depth:
            h = self.forward(h, depth - 1) * torch.sigmoid(h) + h.exp() - h.cos() * h.sin()
        return self.two(h).expand(3)


def evaluate(net, rows):
    right = 0
    with torch.no_grad():
        for row in rows:
            if net(row).sum().item() > 0:
                right += 1
    return right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cuda", action="store_true")
    args = parser.parse_args()
    rows = load(4)
    net = Net()
    if args.cuda:
        net = net.cuda()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for epoch in range(2):
        for row in rows:
            optimizer.zero_grad()
            loss = (net(row) - 1).pow(2).sum()
            loss.backward()
            optimizer.step()
        evaluate(net, rows)


if __name__ == "__main__":
    main()
"""


def test_training_script_folds_what_has_no_gradient(tmp_path: Path) -> None:
    """Loading and evaluation are one node each, settings and the main guard none; the recursion stays open."""
    graph = build(recorded(tmp_path, TRAINING))
    assert {"load", "evaluate"} <= {node.name for node in of_kind(graph, "fold")}
    drawn = [f"{node.name} {node.rest}".strip() for node in of_kind(graph, "decision")]
    assert ["for row in rows", "if depth"] == drawn
    assert "net" in [box.name for box in graph.boxes]
    assert {"main", "for", "net", "True"} == {box.name for box in graph.boxes}
    assert 1 == sum(box.kind == "arm" for box in graph.boxes)
    unfolded = build(recorded(tmp_path, TRAINING), GraphOptions(expand=("load",)))
    assert "load" in [box.name for box in unfolded.boxes]


def test_items_that_a_library_loads_one_by_one_are_one_node(tmp_path: Path) -> None:
    """Calls without a gradient at one place, which no loop of the script made, are drawn as one."""
    source = TRAINING.replace(
        "rows = load(4)", "rows = torch.stack(list(map(item, range(6)))) - load(6)"
    ).replace("def load(", "def item(number):\n    return torch.ones(3) * number + 1\n\n\ndef load(")  # fmt: skip
    items = [node for node in of_kind(build(recorded(tmp_path, source)), "fold") if node.name == "item"]
    assert [("x 6", 18)] == [(node.rest, len(node.ops)) for node in items]


LOADER = """    from dyncore.utils.data import DataLoader, TensorDataset
    loaders = {'train': DataLoader(TensorDataset(rows, rows[:, :1]), batch_size=2, shuffle=True)}
    net = Net()"""


def test_ops_of_a_data_loader_are_drawn_shut(tmp_path: Path) -> None:
    """Those before the loop and those in its steps; what the model does stays open."""
    source = TRAINING.replace("    net = Net()", LOADER).replace(".expand(3)", ".expand(-1, 3)")
    source = source.replace("for row in rows:\n            opt", "for row, _ in loaders['train']:\n            opt")
    graph = build(recorded(tmp_path, source.replace("net(row).sum", "net(row[None]).sum")))
    shut = [node for node in of_kind(graph, "fold") if node.name == "loaders['train']"]
    assert 1 < len(shut) < 4 and any("getitem" in node.rest and "stack" in node.rest for node in shut)
    assert {"stack", "randperm", "random_"}.isdisjoint(node.name for node in of_kind(graph, "op"))
    assert "linear" in " ".join(node.name + node.rest for node in graph.nodes)
