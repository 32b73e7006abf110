"""Memory over a run: small cases worked out by hand, and what holds for any."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.analysis.memory import Held, Moment, memory
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Backward, Gradient, Op, Output, Record, Site, TensorSummary
from dyncli.records.sizes import size_bytes
from tests import records

SITE = Site("0" * 12, "m.py", 1, 0, 1, 1, "op", "x", "f")


def tensor(number: int, count: int, op: int | None = None, role: str = "intermediate", **more) -> TensorSummary:
    """A float32 tensor of `count` elements."""
    return TensorSummary(number, (count,), "float32", role, op=op, requires_grad=True, **more)


def chain(backward: bool) -> Record:
    """x -> exp -> a -> exp -> b -> sum -> y, each exp holding its result."""
    tensors = (
        tensor(0, 10, role="input", name="x"),
        tensor(1, 10, 0),
        tensor(2, 10, 1),
        TensorSummary(3, (), "float32", op=2, requires_grad=True),
        tensor(4, 10, role="gradient"),
    )
    ops = (
        Op(0, "exp", (0,), (1,), SITE, saved_bytes=40, grad_fn="ExpBackward0", saved=(1,)),
        Op(1, "exp", (1,), (2,), SITE, saved_bytes=40, grad_fn="ExpBackward0", saved=(2,)),
        Op(2, "sum", (2,), (3,), SITE, grad_fn="SumBackward0"),
    )
    nodes = {"nodes": (2, 1, 0), "nodes_started_ns": (0,) * 3, "nodes_elapsed_ns": (0,) * 3}
    ran = (Backward(0, None, 3, "1", (Gradient("x", 0, "input", 4),), after=3, **nodes),)
    return Record("m.py", "f", tensors=tensors, ops=ops, outputs=(Output("y", 3),), backwards=ran if backward else ())


def test_a_chain_without_backward() -> None:
    """What exp holds lives as long as what was made from it: x 40 + a 40 + b 40 + y 4."""
    used = memory(chain(backward=False))
    assert [80, 120, 124] == [moment.size_bytes for moment in used.moments]
    assert Moment(124, 2) == used.peak
    assert [40, 40, 40, 4] == [held.size_bytes for held in used.held]
    assert [("input", 0), ("backward", 1), ("backward", 2), ("output", 3)] == [
        (held.why, held.tensor) for held in used.held
    ]


def test_a_chain_with_its_backward() -> None:
    """Each node lets go of what its op held and of its own gradient, and the leaf's gradient stays."""
    used = memory(chain(backward=True))
    # sum's node: x 40, a 40, b 40, y 4, its gradient 4, b's gradient 40
    # second exp's node: the same without sum's gradient, with a's 40; first: without b and its gradient, with x's 40
    assert [80, 120, 124, 168, 204, 164] == [moment.size_bytes for moment in used.moments]
    assert Moment(204, 1, 0) == used.peak


def test_what_is_held_for_backward_at_one_time() -> None:
    """Whatever two ops hold counts once, what a pass has let go no more, and an op's own bytes too."""
    assert 80 == memory(chain(backward=True)).most_saved == memory(chain(backward=False)).most_saved
    tensors = (tensor(0, 10, role="parameter"), tensor(1, 10, 0), tensor(2, 10, 1))
    ops = tuple(
        Op(seq, "mul", (0, seq), (seq + 1,), SITE, saved_bytes=45 + 40 * (seq == 0), grad_fn="MulBackward0",
           saved=(0,) if seq else (0, 1))
        for seq in range(2)
    )  # fmt: skip
    assert 40 + 40 + 2 * 5 == memory(Record("m.py", "f", tensors=tensors, ops=ops)).most_saved
    passes = tuple(
        Backward(seq, None, None, "1", after=seq + 1, nodes=(seq,), nodes_started_ns=(0,), nodes_elapsed_ns=(0,))
        for seq in range(2)
    )
    assert 85 == memory(Record("m.py", "f", tensors=tensors, ops=ops, backwards=passes)).most_saved
    later = tuple(each._replace(after=2) for each in passes)  # what both hold is let go by the second alone
    assert 90 == memory(Record("m.py", "f", tensors=tensors, ops=ops, backwards=later)).most_saved
    assert 0 == memory(Record("m.py", "f")).most_saved


def test_a_view_takes_nothing() -> None:
    """A view keeps its base alive and adds no bytes."""
    tensors = (tensor(0, 10, role="input"), tensor(1, 10, 0), tensor(2, 10, 1, shares=1), tensor(3, 10, 2))
    ops = (
        Op(0, "exp", (0,), (1,), SITE),
        Op(1, "view", (1,), (2,), SITE),
        Op(2, "exp", (2,), (3,), SITE),
    )
    record = Record("m.py", "f", tensors=tensors, ops=ops)
    assert [80, 80, 120] == [moment.size_bytes for moment in memory(record).moments]


def test_a_loop_that_lets_go() -> None:
    """Without a graph only the last result lives: 100 steps take no more than two."""
    tensors = (tensor(0, 10, role="input"), *(tensor(i + 1, 10, i) for i in range(100)))
    ops = tuple(Op(i, "exp", (i,), (i + 1,), SITE) for i in range(100))
    assert 120 == memory(Record("m.py", "f", tensors=tensors, ops=ops)).peak.size_bytes


def test_what_an_op_holds_besides_tensors() -> None:
    """A mask of 10 bytes is there until the node ran."""
    tensors = (tensor(0, 10, role="input"), tensor(1, 10, 0))
    ops = (Op(0, "dropout", (0,), (1,), SITE, saved_bytes=10, grad_fn="DropoutBackward0"),)
    used = memory(Record("m.py", "f", tensors=tensors, ops=ops))
    assert 90 == used.peak.size_bytes
    assert Held(10, "backward", None, 0) in used.held


@pytest.mark.parametrize("make", records.ALL, ids=lambda make: make.__name__)
def test_what_is_held_is_the_peak(make) -> None:
    """The pieces held at the fullest moment add up to it, and no moment is fuller."""
    record = make()
    used = memory(record)
    assert used.peak.size_bytes == sum(held.size_bytes for held in used.held)
    assert used.peak.size_bytes == max((moment.size_bytes for moment in used.moments), default=0)
    assert all(moment.size_bytes >= 0 for moment in used.moments)
    assert len(record.ops) == sum(moment.backward is None for moment in used.moments)


@pytest.mark.parametrize(("dtype", "each"), [("bool", 1), ("float16", 2), ("float32", 4), ("complex128", 16)])
def test_sizes(dtype: str, each: int) -> None:
    """Elements times the size of one."""
    assert 6 * each == size_bytes(TensorSummary(0, (2, 3), dtype))


def test_what_no_op_reads_takes_no_memory(tmp_path: Path) -> None:
    """A leaf made in a function is gone when its gradient arrives, and what stands for it then is no second tensor."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\n"
        "def forward(x):\n"
        "    a = torch.randn(50, 50).requires_grad_()\n"
        "    return (a.exp() * a).sum() + x\n"
    )
    (record,) = record_model(Request(str(script), ("1.0",)))
    assert [] == [held for held in memory(record).held if held.why == "constant"]


def test_what_a_function_of_the_users_saves_is_held(tmp_path: Path) -> None:
    """12 bytes for its backward, as many for that of the square behind it, and 64 with gradients at the fullest."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\n"
        "class Square(torch.autograd.Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x):\n"
        "        ctx.save_for_backward(x)\n"
        "        return x * x\n"
        "    @staticmethod\n"
        "    def backward(ctx, gradient):\n"
        "        return 2 * gradient * ctx.saved_tensors[0]\n"
        "def forward(x):\n"
        "    return (Square.apply(x * 3) ** 2).sum()\n"
    )
    (record,) = record_model(Request(str(script), ("[1.0, 2.0, 3.0]",)))
    assert [("mul", 0), ("mul", 12), ("pow", 12), ("sum", 0)] == [(op.name, op.saved_bytes) for op in record.ops[:4]]
    assert "SquareBackward" == record.ops[1].grad_fn
    used = memory(record)
    assert (24, 64) == (used.most_saved, used.peak.size_bytes)


def test_first_of_equal_peaks_is_the_peak() -> None:
    """Two results of one size, each let go at once: the first op is named."""
    tensors = (tensor(0, 10, role="input"), *(tensor(i + 1, 10, i) for i in range(4)))
    ops = tuple(Op(i, "exp", (0,), (i + 1,), SITE) for i in range(4))
    used = memory(Record("m.py", "f", tensors=tensors, ops=ops))
    assert [80, 80, 80, 80] == [moment.size_bytes for moment in used.moments]
    assert 0 == used.peak.op


def test_constant_is_held_from_its_first_use_to_its_last(tmp_path: Path) -> None:
    """Each step of a loop reads another batch; no more than one is counted at a time."""
    script = tmp_path / "train.py"
    script.write_text(
        "import numpy as np\nimport dyncore as torch\n"
        "w = torch.ones(100, requires_grad=True)\n"
        "for step in range(5):\n    (torch.from_numpy(np.full(100, step, np.float32)) * w).sum().backward()\n"
    )
    (record,) = record_model(Request(str(script), ()))
    assert 5 == sum(each.role == "constant" for each in record.tensors)
    assert 1 == sum(held.why == "constant" for held in memory(record).held)


def test_returned_gradient_is_held_to_its_last_use(tmp_path: Path) -> None:
    """What `autograd.grad` gives is in no `.grad`: the next step's weights are made from it, and it is gone."""
    script = tmp_path / "maml.py"
    script.write_text(
        "import dyncore as torch\n"
        "fast = torch.ones(100, requires_grad=True)\n"
        "for step in range(5):\n"
        "    (grad,) = torch.autograd.grad((fast * fast).sum(), fast)\n"
        "    fast = (fast - 0.1 * grad).detach().requires_grad_()\n"
        "(fast * torch.ones(100)).sum().backward()\n"
    )
    (record,) = record_model(Request(str(script), ()))
    whys = [each.why for each in memory(record).held]
    assert whys.count("gradient") <= 1
    assert whys.count("returned") <= 1


def test_parameter_that_another_of_its_name_replaces_lives_while_it_is_read() -> None:
    """w of 10 elements up to the second op, then the grown w of 20; b lives throughout."""
    names = {0: (10, "w"), 1: (20, "w"), 2: (1, "b")}
    tensors = [tensor(number, count, role="parameter", name=name) for number, (count, name) in names.items()]
    tensors += [TensorSummary(3 + number, (), "float32", op=number) for number in range(3)]
    ops = [Op(number, "sum", (read,), (3 + number,), SITE) for number, read in enumerate((0, 0, 1))]
    used = memory(Record("m.py", "f", tensors=tuple(tensors), ops=tuple(ops)))
    assert [4 + 40 + 4, 4 + 40 + 4, 4 + 80 + 4] == [moment.size_bytes for moment in used.moments]


def test_graph_lives_as_long_as_the_last_result_made_from_it() -> None:
    """x -> exp -> a, and from a both b, which nothing reads, and c, whose sum is the output."""
    tensors = (tensor(0, 10, role="input", name="x"), *(tensor(1 + op, 10, op) for op in range(3)))
    ops = [
        Op(number, "exp", (read,), (1 + number,), SITE, grad_fn="ExpBackward0", saved=(1 + number,))
        for number, read in enumerate((0, 1, 1))
    ]
    ops.append(Op(3, "sum", (3,), (4,), SITE, grad_fn="SumBackward0"))
    tensors += (TensorSummary(4, (), "float32", op=3, requires_grad=True),)
    used = memory(Record("m.py", "f", tensors=tensors, ops=tuple(ops), outputs=(Output("y", 4),)))
    assert [80, 120, 120, 124] == [moment.size_bytes for moment in used.moments]
