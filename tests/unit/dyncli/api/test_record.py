"""Records: tables, pictures, files, and the comparison of two."""

import numpy as np
import pytest

import dyncli
import dyncore as torch
from dyncli import errors


def forward(x):
    """Decides by the sum."""
    if x.sum() > 0:
        return x * 2
    return x - 2


@pytest.fixture(scope="module")
def record():
    """One run."""
    return dyncli.record(forward, [1, -1, 2])


def test_printed_record_is_the_report_of_the_command(record):
    """Outputs, gradients and decisions."""
    text = str(record)
    for part in ("test_record.py:forward · float32", "Outputs", "Gradients of output", "if x.sum() > 0"):
        assert part in text
    assert all(line == line.rstrip() for line in text.splitlines())
    assert repr(record).startswith("<Record ") and "3 ops · 1 decision>" in repr(record)


def test_table_of_some_parts(record):
    """A part, or a tensor by name; a word that is neither is named with its neighbour."""
    assert "Outputs" not in record.table("decisions")
    assert "Ops" in record.table(trace=True)
    with pytest.raises(ValueError, match="nothing to show is called `decision`") as caught:
        record.table("decision")
    assert ["hint: did you mean `decisions`?"] == caught.value.__notes__


def test_values_are_arrays(record):
    """NumPy takes them."""
    assert np.array_equal([2, -2, 4], np.asarray(record.outputs["output"]))
    assert ((3,), "float32") == (record.gradients["x"].shape, record.gradients["x"].dtype)
    assert "[2, 2, 2] [3] float32" == repr(record.gradients["x"])


def test_values_of_other_dtypes_are_arrays():
    """Complex numbers, infinities, truth values."""
    record = dyncli.record(lambda x: (x * 1j, x / 0, x > 0), [1.0, -2.0])
    one, two, three = (np.asarray(value) for value in record.outputs.values())
    assert np.array_equal([1j, -2j], one) and one.dtype == np.complex64
    assert np.array_equal([np.inf, -np.inf], two) and two.dtype == np.float32
    assert np.array_equal([True, False], three)
    record = dyncli.record(lambda x: (x * 1, 3), [1.0, -2.0])
    assert np.asarray(record.outputs["output.0"], np.float64).dtype == np.float64
    assert [1.0, -2.0] == record.outputs["output.0"].tolist() and 3 == record.outputs["output.1"]


def test_values_that_were_not_kept_are_refused():
    """A large intermediate tensor has statistics."""
    record = dyncli.record(lambda x: (x * 2).sum(), torch.ones(300_000))
    large = next(tensor for tensor in record.data.tensors if tensor.shape == (300_000,) and tensor.op is not None)
    from dyncli.api.record import Value

    with pytest.raises(ValueError, match=r"the elements of `h` \[300000\] were not kept"):
        Value("h", large).tolist()


def test_graph_in_every_format(record, tmp_path):
    """By method, or by the suffix of a file."""
    drawing = record.graph(values=True)
    assert drawing.svg().lstrip().startswith(("<?xml", "<svg"))
    assert "digraph" in drawing.dot()
    assert "<html" in drawing.html()
    assert drawing.mermaid().startswith("flowchart") or "flowchart" in drawing.mermaid()
    assert "mul" in drawing.text()
    drawing.save(tmp_path / "run.svg")
    assert drawing.svg() == (tmp_path / "run.svg").read_text("utf-8")
    with pytest.raises(ValueError, match="`.sgv` names no format") as caught:
        drawing.save(tmp_path / "run.sgv")
    assert "did you mean" in caught.value.__notes__[-1]
    with pytest.raises(ValueError, match="nothing fits `--only lu`"):
        record.graph(only="lu")
    assert "mul" in record.graph(only="mul", expand="all").text()


def test_saved_record_is_read_back(record, tmp_path):
    """The same tables come of it."""
    record.save(tmp_path / "run.dyn")
    again = dyncli.load(tmp_path / "run.dyn")
    assert (str(record), record.decisions) == (str(again), again.decisions)
    record.save(str(tmp_path / "run.dyn"))
    with pytest.raises(ValueError, match="names no record"):
        record.save(tmp_path / "run.json")
    with pytest.raises(dyncli.errors.RecordUnreadable):
        dyncli.load(tmp_path / "none.dyn")


def test_notebook_gets_a_picture_and_tables(record):
    """As HTML that needs no other file, and as text."""
    bundle = record._repr_mimebundle_()
    assert str(record) == bundle["text/plain"]
    assert "<svg" in bundle["text/html"] and "<pre" in bundle["text/html"] and "x.sum()" in bundle["text/html"]
    assert "<?xml" not in bundle["text/html"]
    assert "<svg" in record.graph()._repr_mimebundle_()["image/svg+xml"]


def test_diff_shows_the_first_decision_that_differs(record):
    """It is true where something differs."""
    other = dyncli.record(forward, [1, -1, -2])
    found = dyncli.diff(record, other)
    assert found and not found.is_equal
    assert ("then", "else") == tuple(decision.arm for decision in found.parting)
    assert "x.sum() = 2.0 > 0" in found.table() and str(found) == found.table()
    assert "<svg" in found.graph().svg()
    assert not dyncli.diff(record, dyncli.record(forward, [1, -1, 2]))
    assert None is dyncli.diff(record, record).parting


def test_diff_within_a_tolerance(record):
    """As with `--rtol` of the command."""
    near = dyncli.record(forward, [1.0001, -1, 2])
    assert dyncli.diff(record, near)
    assert not dyncli.diff(record, near, rtol=1e-3)
    assert not dyncli.diff(record.data, near.data, atol=1e-3)
    assert repr(dyncli.diff(record, near, atol=1e-3)) != repr(dyncli.diff(record, near))
    assert dyncli.diff(record, near).table(full=True).count("\n") > dyncli.diff(record, near).table().count("\n")
    with pytest.raises(ValueError, match="`rtol` cannot be -1"):
        dyncli.diff(record, near, rtol=-1)


def test_diff_of_what_is_no_record(record):
    """A TypeError with the way to one."""
    with pytest.raises(TypeError, match="a record is needed, not a list") as caught:
        dyncli.diff(record, [1])
    assert "dyncli.load" in caught.value.__notes__[-1]


def test_table_of_a_tensor_is_that_tensor_alone():
    """Its parts can be asked for beside it."""
    net = torch.nn.Linear(2, 1)
    record = dyncli.record(net, [1.0, 2.0])
    table = record.table("weight")
    assert "weight" in table
    assert not {"Outputs", "Gradients", "bias"} & set(table.split())
    assert "Outputs" in record.table("weight", "outputs")


def test_name_of_a_module_instead_of_a_tensor_has_its_tensors_as_hint():
    """`fc` has `fc.0.weight` and more."""
    net = torch.nn.Sequential(torch.nn.Linear(2, 1))
    with pytest.raises(errors.NothingToShow, match="`0` is not a tensor") as caught:
        dyncli.record(net, [1.0, 2.0]).table("0")
    assert "`0.weight`, `0.bias`" in caught.value.hint


def test_drawing_says_what_it_is():
    """And how to look at it."""
    text = repr(dyncli.record(torch.nn.Linear(2, 1), [1.0, 2.0]).graph())
    assert "1 op" in text
    assert '.save("graph.svg")' in text


def test_decisions_and_ops_are_one_line_each_in_a_repl():
    """All fields of one are in its `_asdict()`."""
    record = dyncli.record(forward, [1.0, -1.0, 2.0])
    line = forward.__code__.co_firstlineno + 2
    (decision,), op = record.decisions, record.ops[0]
    assert f"test_record.py:{line}: x.sum() > 0 -> then, margin 2>" in repr(decision)
    assert repr(op).startswith("<Op 0 sum at ") and repr(op).endswith(f"test_record.py:{line}>")
    assert "\x1b" not in repr(decision._replace(arm="\x1b[31m"))
