"""The bytes an op is said to hold are those its node holds, asked of the node itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncli.recorder.events.collectors import Collector
from dyncli.recorder.naming import Places
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.recorder.tables.assemble import Assembly
from dyncore.graph import events
from dyncore.graph.versions import owner
from dyncore.nn import functional as F
from tests.unit.dyncli.recorder.logs import reported_log

A = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
EXPRESSIONS = {
    "number first": lambda x, w: 2 - x,
    "one by": lambda x, w: 1 / x,
    "a number to a power": lambda x, w: 2**x,
    "square": lambda x, w: x**2,
    "product": lambda x, w: x * w,
    "product with itself": lambda x, w: x * x,
    "broadcast": lambda x, w: x * w[0],
    "broadcast constant": lambda x, w: x * A[0],
    "constant": lambda x, w: x * A,
    "quotient": lambda x, w: x / w,
    "matmul": lambda x, w: x @ w.T,
    "linear": lambda x, w: F.linear(x, w),
    "by keyword": lambda x, w: F.linear(x, weight=w),
    "bias by keyword": lambda x, w: F.linear(input=x, weight=w, bias=w[:, 0]),
    "addmm": lambda x, w: torch.addmm(torch.zeros(2, 2), x, w.T),
    "exp": lambda x, w: x.exp(),
    "log": lambda x, w: x.log(),
    "sum": lambda x, w: x.sum(),
    "max": lambda x, w: x.max(),
    "max of a dim": lambda x, w: x.max(dim=1).values,
    "where": lambda x, w: torch.where(A > 2, x, 0.0),
    "cat": lambda x, w: torch.cat([x, w], 1),
    "stack": lambda x, w: torch.stack([x, w]),
    "index": lambda x, w: x[torch.tensor([0, 1]), torch.tensor([1, 2])],
    "slice": lambda x, w: x[:, 1:],
    "put": lambda x, w: x.index_put((torch.tensor([0]), torch.tensor([1])), w[0, :1]),
    "dropout": lambda x, w: F.dropout(x, 0.5),
    "softmax": lambda x, w: F.softmax(x, -1),
    "layer norm": lambda x, w: F.layer_norm(x, (3,)),
    "softplus": lambda x, w: F.softplus(x),
    "gelu": lambda x, w: F.gelu(x),
    "clamp": lambda x, w: x.clamp(1, 4),
    "norm": lambda x, w: x.norm(),
    "einsum": lambda x, w: torch.einsum("ij,kj->ik", x, w),
    "mse": lambda x, w: F.mse_loss(x, w),
    "cross entropy": lambda x, w: F.cross_entropy(x, torch.tensor([0, 1])),
    "nll": lambda x, w: F.nll_loss(x, torch.tensor([0, 1])),
    "lerp": lambda x, w: torch.lerp(x, w, 0.3),
    "conv": lambda x, w: F.conv1d(x[None], w[None]),
    "max pool": lambda x, w: F.max_pool1d(x[None], 2),
    "cumprod": lambda x, w: x.cumprod(1),
    "std": lambda x, w: x.std(),
}


def test_a_derivative_that_runs_its_formula_again_is_one_step(tmp_path: Path) -> None:
    """What the engine computes inside a derivative is no op of the script, and no pass of its own."""
    script = tmp_path / "net.py"
    script.write_text("import dyncore as torch\n\n\ndef forward(x):\n    return torch.pdist(x)\n")
    (record,) = record_model(Request(str(script), ("x=[[1, 2], [2, 1]]",), watch=True))
    assert ["pdist"] == [op.name for op in record.ops]
    assert [[0]] == [list(backward.nodes) for backward in record.backwards]
    assert (record.ops[0].backward_ns or 0) > 0


class Asking(Collector):
    """Asks every node what it holds at once."""

    def __init__(self) -> None:
        self.truth: dict[int, int] = {}

    def before_op(self, op: Any, args: Any, kwargs: Any, result: Any) -> None:
        tensors = list(result) if isinstance(result, (list, tuple)) else [result]
        edge = next((t._edge for t in tensors if isinstance(t, torch.Tensor) and t._edge is not None), None)
        if edge is not None and not op.composite:
            known = {id(each._array) for each in [*args, *tensors] if isinstance(each, torch.Tensor)}
            self.truth[len(self.log.ops)] = sum(_arrays(edge.node.saved().values(), known).values())


def _arrays(values: Any, known: set[int]) -> dict[int, int]:
    """Return the bytes of each array; one without dimensions counts only if it is a tensor's, else it is a number."""
    found: dict[int, int] = {}
    for value in values:
        if id(value) in known or (isinstance(value, np.ndarray) and value.ndim):
            whole = owner(value) if id(owner(value)) in known else value  # a view of an operand holds nothing more
            found[id(whole)] = whole.nbytes
        elif isinstance(value, (list, tuple)):
            found |= _arrays(value, known)
    return found


@pytest.mark.parametrize("expression", EXPRESSIONS.values(), ids=EXPRESSIONS)
def test_the_bytes_are_the_nodes(expression) -> None:
    """For each op of the expression."""
    asking = Asking()
    log = reported_log(asking)
    x = (A * 1).requires_grad_()
    w = (A + 1).detach().requires_grad_()
    with events.listen(log):
        expression(x, w)
    assembly = Assembly(log, Places({}), {}, {})
    ops = assembly.ops([0] * len(log.ops), [None] * len(log.ops))
    told = {op.seq: op.saved_bytes for op in ops if op.seq in asking.truth}
    assert asking.truth == told, [(op.name, op.saved) for op in ops]


def test_what_an_op_gave_back_as_it_was_is_held_by_who_made_it(tmp_path: Path) -> None:
    """`broadcast_tensors` of one that has the shape already was told to hold all that its maker and those before do."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\n\n\ndef forward(x):\n    y = x.exp().log()\n"
        "    a, b = torch.broadcast_tensors(y, torch.ones(1))\n    c, d = torch.broadcast_tensors(torch.ones(1), y)\n"
        "    e, f = torch.meshgrid(y, x, indexing='ij')\n    return (a + b + c + d).sum() + (e * f).sum()\n"
    )
    (record,) = record_model(Request(str(script), ("x=[1, 2]",)))
    held = [(op.name, op.saved_bytes) for op in record.ops if op.saved_bytes or op.name == "broadcast_tensors"]
    none = [("broadcast_tensors", 0)] * 2
    assert [("exp", 8), ("log", 8), *none, ("mul", 32)] == held
    assert {None} != {op.backward_ns for op in record.ops if op.name == "meshgrid"}
