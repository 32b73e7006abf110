"""The bundled models: exported with all their cases, or refused with the line and the reason."""

import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from dyncli import errors
from dyncli.export.session import Options, export


def exported(folder, model, **options):
    """Export a model with its own cases."""
    given = {"case": None, "dtype": "float32", "paths_only": False, "fail": False} | options
    path = folder / "model.onnx"
    made = export(Options(model, None, (), output=path, seed=0, opset=18, probes=10, **given))
    assert path.exists()
    return made


@pytest.mark.parametrize("name", ["piecewise", "newton", "early_exit", "router", "var_rnn"])
def test_model_is_exported_and_verified(tmp_path, name):
    """Every arm that its cases take is there."""
    made = exported(tmp_path, name)
    assert [] == made.verdict.wrong
    assert len(made.built.runs) == made.verdict.cases


@pytest.mark.whole
def test_loop_of_newton_is_one_node(tmp_path):
    """It takes as many turns as an input needs."""
    assert 1 == exported(tmp_path, "newton").built.summary.loops


@pytest.mark.parametrize(
    ("name", "line", "reason"),
    [
        ("attention", "models/attention.py:12", "different structure, dtype or rank (`causal`)"),
        ("tree_net", "models/tree_net.py:15", "different structure, dtype or rank (`tree.value`)"),
        ("growing", "models/growing.py:", "computes gradients"),
    ],
)
def test_model_is_refused_with_its_line(tmp_path, name, line, reason):
    """No file is left."""
    with pytest.raises(errors.ExportRefused) as caught:
        exported(tmp_path, name)
    assert line in caught.value.report() and reason in caught.value.report()
    assert [] == list(tmp_path.iterdir())


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "case"), [("attention", "plain"), ("attention", "causal"), ("attention", "padded"), ("tree_net", "phrase")]
)
def test_one_case_of_a_model_is_exported(tmp_path, name, case):
    """Inputs of one structure are one model."""
    assert [] == exported(tmp_path, name, case=case).verdict.wrong


@pytest.mark.whole
def test_weights_of_a_large_model_stand_in_a_file_beside_it(tmp_path, monkeypatch):
    """Protocol Buffers hold less than 2 GB."""
    monkeypatch.setattr("dyncli.export.session.LARGEST_MESSAGE", 1000)
    made = exported(tmp_path, "early_exit")
    assert {"model.onnx", "model.onnx.data"} == {each.name for each in tmp_path.iterdir()}
    assert made.size_bytes == sum(each.stat().st_size for each in tmp_path.iterdir())


def test_array_that_onnx_cannot_hold_is_refused(tmp_path, monkeypatch):
    """No crash in Protocol Buffers."""
    monkeypatch.setattr("dyncli.export.onnx_graph.LARGEST_TENSOR", 1000)
    with pytest.raises(errors.ExportRefused, match="less than 2 GB of each"):
        exported(tmp_path, "early_exit")
    assert [] == list(tmp_path.iterdir())
