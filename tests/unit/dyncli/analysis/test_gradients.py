"""Which gradients a report shows: those of one backward, what `.grad` holds besides, folded where there are many."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.analysis.gradients import ends_of_zeros, folded_rows, forgotten_zero_grad, other_backwards, shown_backwards
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record
from dyncli.render.reports.run import RunOptions, render
from dyncli.render.reports.tables import plain_text


def run_of(folder: Path, source: str) -> Record:
    """The record of a script."""
    script = folder / "script.py"
    script.write_text("import dyncore as torch\nfrom dyncore import nn\n" + source)
    return next(iter(record_model(Request(str(script), ()))))


def rows_of(record: Record, place: int = -1) -> list[tuple[str, str, str]]:
    """Name, values or reason, and note of each row of one backward."""
    return [(row.name, row.values or row.reason, row.note) for row in folded_rows(record, record.backwards[place])]


def test_each_backward_shows_its_own_gradient(tmp_path: Path) -> None:
    """Of three backwards without `zero_grad` each has the same gradient, and the sum stands beside it."""
    record = run_of(
        tmp_path, "w = torch.ones(2, requires_grad=True)\nfor step in range(3):\n    (w * 2).sum().backward()\n"
    )
    assert [("w", "[2, 2]", "")] == rows_of(record, 0)
    assert [("w", "[2, 2]", "accumulated over 3 backwards: [6, 6]")] == rows_of(record)
    assert forgotten_zero_grad(record) is None


@pytest.mark.parametrize(("steps", "shown"), [(3, [0, 1, 2]), (4, [3])])
def test_few_backwards_are_all_shown(tmp_path: Path, steps: int, shown: list[int]) -> None:
    """Show the last of several."""
    source = f"w = torch.ones(2, requires_grad=True)\nfor step in range({steps}):\n    (w * 2).sum().backward()\n"
    record = run_of(tmp_path, source)
    assert shown == [one.seq for one in shown_backwards(record)]
    assert list(range(steps)) == [one.seq for one in shown_backwards(record, full=True)]


def test_gradient_adds_up_over_backwards_with_second_derivatives_between_them(tmp_path: Path) -> None:
    """As of MAML: `autograd.grad` adds nothing to `.grad`, and a leaf that nodes saved is one leaf."""
    record = run_of(
        tmp_path,
        "w = torch.ones(2, requires_grad=True)\n"
        "for step in range(3):\n"
        "    (g,) = torch.autograd.grad((w * w).sum(), w, create_graph=True)\n"
        "    (w + g).sum().backward()\n",
    )
    assert [("w", "[3, 3]", "accumulated over 3 backwards: [9, 9]")] == rows_of(record)
    assert ["w"] == [each.name for each in record.backwards[-1].gradients if each.role != "intermediate"]


def test_gradient_that_zero_grad_reset_is_not_accumulated(tmp_path: Path) -> None:
    """Whether `.grad` was cleared or filled with zeros."""
    for reset in ("w.grad = None", "w.grad.zero_()"):
        record = run_of(
            tmp_path,
            "w = torch.ones(2, requires_grad=True)\nfor step in range(3):\n    (w * 2).sum().backward()\n"
            f"    if step < 2:\n        {reset}\n",
        )
        assert [("w", "[2, 2]", "")] == rows_of(record)


def test_forgotten_zero_grad_is_pointed_out(tmp_path: Path) -> None:
    """Where an optimizer steps between backwards that add up."""
    record = run_of(
        tmp_path,
        "w = torch.ones(2, requires_grad=True)\noptimizer = torch.optim.SGD([w], lr=0.1)\n"
        "for step in range(4):\n    (w * 2).sum().backward()\n    optimizer.step()\n",
    )
    expected = "`.grad` of w adds up over 4 backwards while it is updated in between: is `zero_grad()` missing?"
    assert expected == forgotten_zero_grad(record)


@pytest.mark.parametrize(
    "loop",
    [
        # micro-batches
        "(w * 2).sum().backward()\n    if step % 2:\n        optimizer.step()\n        optimizer.zero_grad()",
        # a GAN
        "optimizer.zero_grad()\n    (w * 2).sum().backward()\n    optimizer.step()\n    (w * 3).sum().backward()",
    ],
)
def test_sum_that_updates_no_leaf_twice_is_not_pointed_out(tmp_path: Path, loop: str) -> None:
    """Whoever adds up on purpose, or leaves a sum that the next `zero_grad` clears, has forgotten nothing."""
    record = run_of(
        tmp_path,
        "w = torch.ones(2, requires_grad=True)\noptimizer = torch.optim.SGD([w], lr=0.1)\n"
        f"for step in range(4):\n    {loop}\n",
    )
    assert forgotten_zero_grad(record) is None


def test_forgotten_zero_grad_of_two_steps_is_pointed_out(tmp_path: Path) -> None:
    """The second update is after the last backward."""
    record = run_of(
        tmp_path,
        "w = torch.ones(2, requires_grad=True)\noptimizer = torch.optim.SGD([w], lr=0.1)\n"
        "for step in range(2):\n    (w * 2).sum().backward()\n    optimizer.step()\n",
    )
    assert "over 2 backwards" in (forgotten_zero_grad(record) or "")


def test_layer_that_no_op_uses_is_shown_without_gradient(tmp_path: Path) -> None:
    """In the run of a script, as where its entry is run; a module of another loss is not mentioned."""
    record = run_of(
        tmp_path,
        "class Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.used, self.skip = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)\n"
        "    def forward(self, x):\n        return self.used(x)\n"
        "net, other = Net(), torch.nn.Linear(2, 1)\nnet(torch.ones(2)).sum().backward()\n",
    )
    rows = {row.name: row.reason for row in folded_rows(record, record.backwards[-1])}
    assert {"net.used.weight": "", "net.used.bias": "", "net.skip.weight": "unused", "net.skip.bias": "unused"} == rows


def test_gradient_of_a_backward_inside_a_backward_counts_for_both(tmp_path: Path) -> None:
    """A checkpoint runs a backward of its own; what it gives a leaf is of the outer backward, too."""
    record = run_of(
        tmp_path,
        "from dyncore.utils.checkpoint import checkpoint\nw = torch.ones(2, requires_grad=True)\n"
        "y = checkpoint(lambda v: v * v, w, use_reentrant=True)\n((y + w) * 3).sum().backward()\n",
    )
    outer = next(place for place, one in enumerate(record.backwards) if one in shown_backwards(record))
    assert [("w", "[9, 9]", "")] == rows_of(record, outer)


def test_last_gradient_is_shown_rather_than_a_backward_inside_it(tmp_path: Path) -> None:
    record = run_of(
        tmp_path,
        "w = torch.ones(2, requires_grad=True)\nfor step in range(4):\n    y, inner = w * 2, (w * 3).sum()\n"
        "    y.register_hook(lambda grad: inner.backward())\n    torch.autograd.grad(y.sum(), w)\n",
    )
    assert [("grad", 7)] == [(one.by, one.site and one.site.line) for one in shown_backwards(record)]


def test_hook_that_clears_the_gradient_is_the_reason(tmp_path: Path) -> None:
    """As where the optimizer steps within the backward."""
    record = run_of(
        tmp_path,
        "w = torch.ones(2, requires_grad=True)\n\ndef step(p):\n    p.grad = None\n\n"
        "w.register_post_accumulate_grad_hook(step)\n(w * 2).sum().backward()\n",
    )
    assert [("w", "a hook cleared it during this backward", "")] == rows_of(record)


TREES = """\
class Tree:
    def __init__(self, *children):
        self.children, self.parent = children, None
        for child in children:
            child.parent = self

def visit(tree, w):
    tree.child_h = child_h = torch.zeros(2, requires_grad=True)
    h = w + child_h
    for child in tree.children:
        h = h + visit(child, w)
    tree.h = h.tanh()
    return tree.h

def main():
    w = torch.ones(2, requires_grad=True)
    for _ in range(3):
        tree = Tree(Tree(), Tree(Tree()))
        w.grad = None
        visit(tree, w).sum().backward()

main()
"""


def test_only_leaves_of_the_backward_are_listed_and_equal_names_fold(tmp_path: Path) -> None:
    """Leaves of earlier trees, which reference cycles keep, have no rows."""
    record = run_of(tmp_path, TREES)
    assert ["w", "child_h x4"] == [name for name, *_ in rows_of(record)]
    assert 5 == len([each for each in record.backwards[-1].gradients if each.role != "intermediate"])


META = """\
w = torch.ones(2, requires_grad=True)
for step in range(2):
    loss = 0
    for task in range(2):
        (g,) = torch.autograd.grad(((w - task) ** 2).sum(), [w], create_graph=True)
        loss = loss + ((w - 0.1 * g - 1) ** 2).sum()
    {outer}
    fast = w.detach().clone().requires_grad_()
    torch.autograd.grad((fast ** 2).sum(), [fast])
"""


def test_backward_is_shown_rather_than_a_later_inner_gradient(tmp_path: Path) -> None:
    """Of MAML the gradient of the outer loss, whether by `backward` or by `autograd.grad`; a line lists the others."""
    record = run_of(tmp_path, META.format(outer="loss.backward()"))
    shown = shown_backwards(record)
    assert [("backward", 9)] == [(one.by, one.site and one.site.line) for one in shown]
    others = "4 x autograd.grad() at line 7, backward() at line 9, 2 x autograd.grad() at line 11"
    assert others == other_backwards(record, shown)
    assert ["w"] == [row.name for row in folded_rows(record, shown[0])]
    record = run_of(tmp_path, META.format(outer="torch.autograd.grad(loss, [w])"))
    assert [("grad", 9)] == [(one.by, one.site and one.site.line) for one in shown_backwards(record)]


PENALTY = """
w = torch.ones(2, requires_grad=True)
(slope,) = torch.autograd.grad((w**3).sum(), w, create_graph=True)
{outer}
"""


def test_backward_is_shown_rather_than_the_one_gradient_inside(tmp_path: Path) -> None:
    """Also where both would have room; without a backward all are shown."""
    record = run_of(tmp_path, PENALTY.format(outer="(slope**2).sum().backward()"))
    shown = shown_backwards(record)
    assert ["backward"] == [one.by for one in shown]
    assert "autograd.grad() at line 5" == other_backwards(record, shown)
    record = run_of(tmp_path, PENALTY.format(outer="torch.autograd.grad((slope**2).sum(), w)"))
    assert ["grad", "grad"] == [one.by for one in shown_backwards(record)]


def test_parameter_that_only_adds_up_what_others_gave_has_a_row(tmp_path: Path) -> None:
    """The last micro-batch may end before a layer; `.grad` of the layer holds what came before."""
    record = run_of(
        tmp_path,
        "net = nn.ModuleList([nn.Linear(1, 1, bias=False), nn.Linear(1, 1, bias=False)])\n"
        "for depth in (2, 1):\n    x = torch.ones(1)\n    for layer in net[:depth]:\n        x = layer(x)\n"
        "    x.sum().backward()\n",
    )
    (_, _, first), (name, reason, note) = rows_of(record)
    assert first.startswith("accumulated over 2 backwards")
    assert ("net.1.weight", "this backward did not come to it, another did") == (name, reason)
    assert note.startswith("norm ") and note.endswith(" from backward() at line 8")


def test_many_parameters_fold_by_module(tmp_path: Path) -> None:
    """Past twenty rows there is one for each module, with the norm of all and the largest."""
    record = run_of(
        tmp_path,
        "net = nn.Sequential(*[nn.Linear(2, 2) for _ in range(12)])\nnet(torch.ones(2)).sum().backward()\n",
    )
    rows = folded_rows(record, record.backwards[-1])
    assert [f"net.{place}.*" for place in range(12)] == [row.name for row in rows]
    assert all(row.shape == "2 tensors" and row.values.startswith("norm ") for row in rows)
    assert 24 == len(folded_rows(record, record.backwards[-1], full=True))


def test_leaf_that_only_another_backward_reached_says_so(tmp_path: Path) -> None:
    """And not that it only decided a test on the other's loss."""
    record = run_of(
        tmp_path,
        "net = nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1)])\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "for k in range(2):\n    loss = net[k](torch.ones(1)).sum()\n    if loss.item() > 100:\n        break\n"
        "    optimizer.zero_grad()\n    loss.backward()\n",
    )
    reasons = {row.name: row.reason for row in folded_rows(record, record.backwards[-1]) if row.reason}
    assert dict.fromkeys(["net.0.weight", "net.0.bias"], "this backward did not come to it, another did") == reasons


@pytest.mark.parametrize("layers", [1, 4])
def test_leaf_of_another_optimizer_says_what_its_backward_gave(tmp_path: Path, layers: int) -> None:
    """Both gradients of a GAN are in the report: the norm of the last other `backward()`, and its line."""
    record = run_of(
        tmp_path,
        f"gen, disc = (nn.Sequential(*[nn.Linear(1, 1, bias=False) for _ in range({layers})]) for _ in range(2))\n"
        "for parameter in [*gen.parameters(), *disc.parameters()]:\n    nn.init.ones_(parameter)\n"
        "for step in range(3):\n    gen.zero_grad()\n    disc.zero_grad()\n"
        "    disc(torch.full((1,), step + 1.0)).sum().backward()\n"
        "    torch.autograd.grad(disc(torch.ones(1)).sum(), list(disc.parameters()))\n    disc.requires_grad_(False)\n"
        "    disc(gen(torch.ones(1))).sum().backward()\n    disc.requires_grad_(True)\n",
    )
    notes = [row.note for row in folded_rows(record, record.backwards[-1]) if row.reason]
    assert [f"norm {3 * layers**0.5:.4g} from backward() at line 9"] == notes


def test_leaves_that_one_other_backward_came_to_stand_together(tmp_path: Path) -> None:
    """A learned optimizer has its norm, beside what each step optimized by a backward of its own."""
    record = run_of(
        tmp_path,
        "net = nn.Sequential(*[nn.Linear(1, 1, bias=False) for _ in range(9)])\n"
        "for parameter in net.parameters():\n    nn.init.ones_(parameter)\n"
        "net(torch.full((1,), 2.0)).sum().backward()\n"
        "heads = nn.ModuleList([nn.Linear(1, 1, bias=False) for _ in range(3)])\n"
        "for head in heads:\n    head(torch.ones(1)).sum().backward()\n",
    )
    rows = folded_rows(record, record.backwards[-1])
    assert ("net.*", "norm 6 from backward() at line 6") in [(row.name, row.note) for row in rows]


def test_gradient_that_the_script_wrote_is_not_accumulated(tmp_path: Path) -> None:
    """`.grad` that is written between backwards is no sum of them; one that is clipped still is."""
    written = ("w.grad = torch.tensor([9.0, -3.0])", 1), ("w.grad.mul_(-2.0)", 1), ("w.grad.mul_(0.5)", 3)
    for between, passes in written:
        record = run_of(
            tmp_path,
            "w = torch.ones(2, requires_grad=True)\nfor step in range(3):\n    (w * 2).sum().backward()\n"
            f"    if step == 0:\n        {between}\n",
        )
        assert passes == record.backwards[-1].gradients[0].passes


def test_accumulation_of_many_rows_is_said_once(tmp_path: Path) -> None:
    """Where all gradients add up over as many backwards, the title says so, and no folded row."""
    source = (
        "net = nn.ModuleList([nn.Linear(2, 2) for _ in range(12)])\n"
        "for step in range(3):\n    sum(layer(torch.ones(2)).sum() for layer in net).backward()\n"
    )
    record = run_of(tmp_path, source)
    rows = folded_rows(record, record.backwards[-1])
    assert (12, {""}) == (len(rows), {row.note for row in rows})
    text = plain_text(render(record, RunOptions()), 120)
    assert 1 == text.count("`.grad` accumulated over 3 backwards") == text.count("accumulated")


def test_many_rows_have_norm_and_range_on_a_line_each(tmp_path: Path) -> None:
    """Past six rows no elements of more than four are listed; NaN is counted, `.grad` a norm."""
    source = (
        "leaves = [torch.ones(5, requires_grad=True) for _ in range(11)]\n"
        "scales = torch.tensor([0.0, 3.0, 4.0, 0.0, 0.0])\n"
        "for step in range({steps}):\n"
        "    sum((leaf * scales).sum() for leaf in leaves).backward()\n"
    )
    rows = rows_of(run_of(tmp_path, source.format(steps=1)))
    assert {("norm 5 · 60% zero · 0 to 4", "")} == {row[1:] for row in rows}
    rows = rows_of(run_of(tmp_path, source.format(steps=2)))
    assert {("norm 5 · 60% zero", "accumulated: 10")} == {row[1:] for row in rows}
    rows = rows_of(run_of(tmp_path, source.format(steps=1).replace("0.0, 0.0]", "0.0, float('nan')]")))
    assert all("1 NaN" in row[1] for row in rows)


COPIES = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(2, 2), nn.Linear(2, 2)

    def forward(self, x):
        return self.second(
            self.first(x)
        )

target, policy = Net(), Net()
x = torch.ones(2)
with torch.no_grad():
    wanted = target(x)
((policy(x) - wanted) ** 2).sum().backward()
"""


def test_copies_without_gradients_follow_the_others_in_one_row(tmp_path: Path) -> None:
    """Though each layer of a target network has a line of its own as its reason."""
    record = run_of(tmp_path, COPIES)
    *reached, last = folded_rows(record, record.backwards[-1])
    assert ["policy.first.weight", "policy.first.bias", "policy.second.weight", "policy.second.bias"] == [
        row.name for row in reached
    ]
    assert ("target.*", "4 tensors") == last[:2]
    assert last.reason.startswith("under no_grad at line ") and last.reason.endswith(", and 1 more reason")


def test_module_that_has_gradients_too_is_not_named_for_leaves_without(tmp_path: Path) -> None:
    """Of three experts the two that ran without gradients are named, not all."""
    source = (
        "net = nn.ModuleDict({'experts': nn.ModuleList([nn.Linear(2, 2) for _ in range(3)]),"
        " 'gate': nn.Linear(2, 1)})\n"
        "x = torch.ones(2)\nwith torch.no_grad():\n    others = sum(net['experts'][i](x) for i in (0, 2))\n"
        "((net['experts'][1](x) + others) * net['gate'](x)).sum().backward()\n"
    )
    record = run_of(tmp_path, source)
    names = [row.name for row in folded_rows(record, record.backwards[-1]) if row.reason]
    assert ["net.experts.0.*, net.experts.2.*"] == names


DEAD = """
torch.manual_seed(0)
first, second, last = nn.Linear(3, 5), nn.Linear(5, 5), nn.Linear(5, 1)
with torch.no_grad():
    second.bias.fill_(-100.0)
x = torch.randn(8, 3)
h = torch.relu(second(torch.tanh(first(x))))
(last(h).sum() + BESIDE).backward()
"""


def traced(folder: Path, source: str) -> list[str]:
    """Return where zero gradients end, where those of all intermediate values are known."""
    script = folder / "script.py"
    script.write_text("import dyncore as torch\nfrom dyncore import nn\n" + source)
    (record,) = record_model(Request(str(script), (), watch=True))
    return ends_of_zeros(record, record.backwards[-1])


def test_zero_gradients_say_where_they_end(tmp_path: Path) -> None:
    """Behind a relu that is nowhere positive, and at the layer after it."""
    assert traced(tmp_path, DEAD.replace("BESIDE", "0")) == [
        "the gradient of second.bias and 3 more is all 0: it ends at relu at line 9, whose input is nowhere positive",
        "the gradient of last.weight is all 0: it ends at linear at line 10, which multiplies by 0",
    ]


@pytest.mark.parametrize(
    ("loss", "end"),
    [
        ("(v - v) * w", "mul at line 4, which multiplies by 0"),
        ("w * (v - v)", "mul at line 4, which multiplies by 0"),
        ("w @ (v - v)", "matmul at line 4, which multiplies by 0"),
        ("torch.nn.functional.linear(v - v, w)", "linear at line 4, which multiplies by 0"),
        ("w * 0", "mul at line 4"),
        ("v * (w - w)", "sub at line 4, where its parts cancel"),
        ("torch.tensor([[1.0, 1.0], [-1.0, -1.0]]) * (torch.ones(2, 2) + w)", "add at line 4, where its parts cancel"),
        (
            "torch.tensor([[1.0, 1.0], [-1.0, -1.0]]) * torch.nn.functional.linear(torch.ones(2, 2), torch.eye(2), w)",
            "linear at line 4, where its parts cancel",
        ),
        ("(w - 2).relu()", "relu at line 4, whose input is nowhere positive"),
        ("(w * 2).mul_(v).clamp(max=0)", "clamp at line 4"),  # through a tensor that was written in place
    ],
)
def test_op_where_zero_gradients_end_says_why(tmp_path: Path, loss: str, end: str) -> None:
    """Whichever of its operands is zero."""
    source = f"w, v = torch.ones(2, requires_grad=True), torch.ones(2)\n({loss}).sum().backward()\n"
    assert [f"the gradient of w is all 0: it ends at {end}"] == traced(tmp_path, source)


def test_zero_gradient_that_another_path_goes_around_is_not_noted(tmp_path: Path) -> None:
    notes = traced(tmp_path, DEAD.replace("BESIDE", "first(x).sum()"))
    assert [note.split(" is all 0")[0] for note in notes] == [
        "the gradient of second.bias and 1 more", "the gradient of last.weight",
    ]  # fmt: skip


def test_zero_gradient_of_several_ops_names_the_first(tmp_path: Path) -> None:
    parts = "torch.relu(-w) + torch.clamp(w, 2, 3) + w * torch.zeros(2)"
    source = f"w = torch.ones(2, requires_grad=True)\n({parts}).sum().backward()\n"
    (note,) = traced(tmp_path, source)
    assert note.startswith("the gradient of w is all 0: it ends at ") and note.endswith(" and 2 more")


@pytest.mark.parametrize(
    ("source", "note"),
    [
        (DEAD.replace("BESIDE", "0"), "note: 5 gradients are all 0: `dyncli trace` says where they end"),
        (
            "w = torch.ones(2, requires_grad=True)\n(w * 0).sum().backward()\n",
            "note: 1 gradient is all 0: `dyncli trace` says where",
        ),
    ],
)
def test_run_that_keeps_no_values_refers_to_trace(tmp_path: Path, source: str, note: str) -> None:
    script = tmp_path / "script.py"
    script.write_text("import dyncore as torch\nfrom dyncore import nn\n" + source)
    (record,) = record_model(Request(str(script), (), outline=True))
    assert note in plain_text(render(record, RunOptions()), 100)
