"""An outline, the tape of `dyncli run`, leaves out what its tables do not show, and nothing else."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import dyncore as torch
from dyncli.analysis.values import gradient_rows
from dyncli.recorder.events.rows import shape_dtype
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Op, Record
from dyncli.render.reports.run import render
from dyncli.script import paths
from dyncore.binding.lazy import load_all
from dyncore.dispatch.registry import TABLE
from dyncore.graph import events
from tests.golden.decisions.test_decisions import INPUT, SCRIPTS
from tests.unit.dyncli.recorder.logs import tables_log, whole_log
from tests.unit.dyncli.recorder.test_rows import mixed

MODELS = sorted(path.stem for path in paths.folder("models").glob("*.py") if path.name[0] != "_")
TIMED = {"elapsed_ns": 0, "backward_ns": None, "started_ns": 0}


def both(model: str, *inputs: str) -> list[tuple[Record, Record]]:
    """Each case's outline and whole record."""
    request = Request(model, inputs)
    return [*zip(record_model(request._replace(outline=True)), record_model(request), strict=True)]


def shown(record: Record) -> str:
    """What `dyncli run` prints."""
    from rich.console import Console

    console = Console(width=100, file=None, no_color=True)
    with console.capture() as capture:
        console.print(render(record))
    return capture.get()


def untimed(record: Record) -> list[Op]:
    """Return the ops without times."""
    return [op._replace(**TIMED) for op in record.ops]


def forms(record: Record) -> list[Any]:
    """Of each tensor that an op made or read all but what it held."""
    return [
        tensor._replace(values=None, stats=None, digest=None) for tensor in record.tensors if tensor.role != "gradient"
    ]


@pytest.mark.parametrize("model", MODELS)
def test_models(model: str) -> None:
    """Of every bundled model it tells and shows what the whole record does."""
    for outline, whole in both(model):
        assert untimed(whole) == untimed(outline)
        assert whole.decisions == outline.decisions
        assert shown(whole) == shown(outline)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(each, id=each.stem, marks=[] if number % 5 == 0 else [pytest.mark.whole])
        for number, each in enumerate(SCRIPTS)
    ],
)
def test_outline_of_hard_script_has_and_shows_what_the_whole_record_does(script: Path) -> None:
    """Ops, the shape and dtype of each tensor, and the report, which takes most of the time."""
    for outline, whole in both(str(script), *input_of(script)):
        assert untimed(whole) == untimed(outline)
        assert forms(whole) == forms(outline)
        assert shown(whole) == shown(outline)


def input_of(script: Path) -> list[str]:
    """Return the input that a script names in its first line, if it does."""
    first = script.read_text("utf-8").partition("\n")[0]
    return [first.partition(INPUT)[2]] if INPUT in first else []


def operands_of(arity: int) -> list[tuple[Any, ...]]:
    """Return operands of every pair of shapes in one dtype, of every pair of dtypes in one shape, and of a number."""
    tensors = [
        torch.full(shape, 0.5, dtype=dtype, requires_grad=dtype.is_floating_point)
        for shape in ((), (1,), (3,), (2, 3), (2, 1), (3, 3))
        for dtype in (torch.float32, torch.float64, torch.int64)
    ]
    if arity == 1:
        return [(one,) for one in tensors]
    pairs = [
        (one, two) for one in tensors for two in tensors if one.dtype == two.dtype or (2, 3) == one.shape == two.shape
    ]
    return [*pairs, *((one, 0.5) for one in tensors)]


def test_results_of_every_op_have_recorded_shape_and_dtype() -> None:
    """Of every op of one or two operands, whose shape the log works out from theirs."""
    load_all()
    compared = 0
    for name, op in sorted(TABLE.items()):
        if not (op.kind in ("unary", "binary") or op.flat) or len(op.tensor_names) > 2 or op.private:
            continue
        results, log = [], tables_log([])
        with events.listen(log):
            for arguments in operands_of(len(op.tensor_names)):
                with suppress(Exception):
                    results.append((op.entry(*arguments), len(log.ops)))
        rows = [*log.ops]
        for result, count in results:
            if isinstance(result, torch.Tensor):
                ((_, form),) = rows[count - 1].outputs
                assert (result._array.shape, result._array.dtype) == form, name
                compared += 1
    assert compared > 3_500


def test_outline_holds_shapes_instead_of_values() -> None:
    """Nothing is noted of times and gradients, and of values nothing but shapes."""
    outline, whole = tables_log([]), whole_log([])
    for tape in (outline, whole):
        with events.listen(tape):
            mixed(3)
    assert [(noted.op, len(noted.inputs), noted.at) for noted in whole.ops] == [
        (noted.op, len(noted.inputs), noted.at) for noted in outline.ops
    ]
    assert {(noted.started, noted.ended) for noted in outline.ops} == {(0, 0)}
    assert not [*outline.backward.passes[0].nodes] and [*whole.backward.passes[0].nodes]
    assert all(isinstance(what, tuple) for noted in outline.ops for _, what in noted.outputs)
    held = [[each.own.tolist() for each in tape.backward.passes[0].leaves] for tape in (outline, whole)]
    assert held[0] == held[1] and held[0]


@pytest.mark.whole
def test_long_runs() -> None:
    """Rows that were packed tell the same shapes as others."""
    outline, whole = tables_log([]), whole_log([])
    for tape in (outline, whole):
        with events.listen(tape):
            mixed(400)
        assert len(tape.ops.blocks) > 2
    found = [[shape_dtype(what) for noted in tape.ops for _, what in noted.outputs] for tape in (outline, whole)]
    assert found[0] == found[1]


def test_gradients_where_no_leaf_is_left(tmp_path: Path) -> None:
    """Where every leaf is gone when backward ends, the variables on the way have their gradients."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\ny = torch.ones(3, requires_grad=True) * 2\nz = y * y\nz.sum().backward()\n",
        encoding="utf-8",
    )
    for record in both(str(script))[0]:
        rows = gradient_rows(record, record.backwards[0])
        assert [("z", (1.0, 1.0, 1.0)), ("y", (4.0, 4.0, 4.0))] == [
            (row.name, tuple(row.tensor.values or ())) for row in rows if row.tensor is not None
        ]


@pytest.mark.parametrize("calls", [0, 40])
def test_what_was_compared(tmp_path: Path, calls: int) -> None:
    """A test of several elements says what was compared, as it was then; also once the comparison ran often."""
    script = tmp_path / "net.py"
    script.write_text(
        f"import dyncore as torch\nx = torch.tensor([1.0, 2.0])\ny = x * 2\nfor _ in range({calls}):\n    y > x\n"
        "z = y > x\ny.zero_()\nif z:\n    pass\n",
        encoding="utf-8",
    )
    for record in both(str(script))[0]:
        assert record.failure is not None
        assert any("[2, 4] > [1, 2]" in note for note in record.failure.notes), record.failure
