"""Memory that the record of a run takes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.json import dump, parse
from dyncli.records.model import Record

TRAINING = """\
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(8, 16), nn.Tanh(), nn.Linear(16, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.randn(32, 8)
y = x[:, :1] * 2
for step in range(200):
    loss = ((model(x) - y) ** 2).mean()
    if loss.item() < 1e-9:
        break
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
"""


def _record(folder: Path) -> Record:
    (folder / "train.py").write_text(TRAINING)
    (record,) = record_model(Request(str(folder / "train.py")))
    return record


def _size(value: Any, seen: set[int]) -> int:
    """Return the bytes of a value and of all that it leads to, each object once."""
    if id(value) in seen:
        return 0
    seen.add(id(value))
    inner = [*value.keys(), *value.values()] if isinstance(value, dict) else value if isinstance(value, tuple) else ()
    slots = [getattr(value, name) for name in getattr(value, "__slots__", ()) if hasattr(value, name)]
    return sys.getsizeof(value) + sum(_size(each, seen) for each in (*inner, *slots))


def test_record_of_training_takes_at_most_a_kilobyte_an_op(tmp_path: Path) -> None:
    record = _record(tmp_path)
    assert _size(record, set()) < 1000 * len(record.ops)


def test_equal_numbers_of_a_record_are_one_object(tmp_path: Path) -> None:
    record = _record(tmp_path)
    for op in record.ops:
        assert op.outputs[0] is record.tensors[op.outputs[0]].id
        assert op.seq is record.tensors[op.outputs[0]].op
        assert not op.inputs or op.inputs[0] is record.tensors[op.inputs[0]].id
    numbers = {id(tensor.id) for tensor in record.tensors}
    assert {id(op.scope) for op in record.ops} < numbers
    assert {id(number) for each in record.decisions for number in (each.seq, each.scope)} < numbers


def test_times_of_nodes_survive_a_file(tmp_path: Path) -> None:
    record = _record(tmp_path)
    read = parse(dump(record))
    assert record.backwards == read.backwards
    assert sys.getsizeof(read.backwards[0].nodes_started_ns) < 200


BRANCHES = """\
import torch

kept = []
for turn in range(6):
    if turn < 10 and not kept:
        x = torch.ones(3, 4)
    for value in (1, True, 1.0):
        if value == 1:
            y = x.sum(0) + 0
"""


def test_equal_tests_and_elements_of_a_record_are_one_object(tmp_path: Path) -> None:
    (tmp_path / "branches.py").write_text(BRANCHES)
    (record,) = record_model(Request(str(tmp_path / "branches.py")))
    tests = [decision.conditions for decision in record.decisions if decision.conditions]
    assert len({id(each) for each in tests if each[0].op == "<"}) == 6
    assert [type(each[0].lhs) for each in {id(each): each for each in tests if each[0].op == "=="}.values()] == [
        int, bool, float,
    ]  # fmt: skip
    assert {tuple(tensor.values or ()) for tensor in record.tensors if tensor.shape == (4,)} == {(3.0,) * 4}


def test_elements_equal_in_every_bit_are_kept_once(tmp_path: Path) -> None:
    (tmp_path / "equal.py").write_text("import torch\nx = torch.ones(2, 4)\ny = x + 0\nz = x * -0.0\nw = x * 0.0\n")
    (record,) = record_model(Request(str(tmp_path / "equal.py")))
    x, y, z, w = (tensor.values for tensor in record.tensors if tensor.shape == (2, 4))
    assert x is y
    assert z is not w
