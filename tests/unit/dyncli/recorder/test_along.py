"""Gradients along edges: what every op handed to each of its inputs adds up to what came back to that input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dyncli.analysis.graph import GraphOptions, build, union
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Record

MODELS = {
    "shared": ("return (x * x + x.sum() * x).tanh().sum()", "[1, 2, 3]"),
    "loop": (
        "h = x\n    for _ in range(3):\n        h = h * x if h.sum() > 2 else h + x\n    return h.sum()",
        "[1, 2]",
    ),
    "matrix": ("w = x @ x.T\n    return torch.relu(w - 3).mean() + x.prod()", "[[1, 2], [3, 4]]"),
    "parts": ("a, b = x.chunk(2)\n    return (a * b).sum() + torch.cat([b, a, b]).exp().sum()", "[1, 2, 3, 4]"),
    "softmax": ("return torch.nn.functional.cross_entropy(x, torch.tensor([1, 0]))", "[[1, 2, 0], [0, 1, 1]]"),
    "twice": (
        "(g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)\n    return (g * x).sum()",
        "[1, 2]",
    ),
    "large": ("return (x.repeat(40).reshape(20, 4) @ x.repeat(2)).sum()", "[1, 2]"),
}


def recorded(folder: Path, body: str, given: str, **more: bool) -> Record:
    script = folder / "net.py"
    script.write_text(f"import dyncore as torch\n\n\ndef forward(x):\n    {body}\n")
    return next(iter(record_model(Request(str(script), (given,), **more))))


def array(record: Record, number: int) -> np.ndarray:
    """The values of a tensor that were kept."""
    tensor = record.tensors[number]
    assert tensor.values is not None
    return np.array(tensor.values, float).reshape(tensor.shape)


@pytest.mark.parametrize("name", MODELS)
def test_the_parts_add_up(tmp_path: Path, name: str) -> None:
    """For the input, and for each result that gradients came back to."""
    record = recorded(tmp_path, *MODELS[name], edges=True)
    parts: dict[int, list[int]] = {}
    for op, tensor, gradient in record.edges:
        assert tensor in record.ops[op].inputs
        parts.setdefault(tensor, []).append(gradient)
    asked = 0
    for gradient in record.backwards[-1].gradients:
        number = gradient.tensor
        if gradient.value is None or record.tensors[number].values is None or number not in parts:
            continue
        summed = sum(array(record, each) for each in parts[number])
        if len(record.backwards) == 1:
            np.testing.assert_allclose(array(record, gradient.value), summed, rtol=1e-5)
        asked += 1
    assert asked >= 1


def test_a_plain_run_keeps_none(tmp_path: Path) -> None:
    """What a picture without `--grads` needs costs no more."""
    assert () == recorded(tmp_path, *MODELS["shared"]).edges


def test_edges_of_a_picture_have_their_gradients(tmp_path: Path) -> None:
    """An input read by three ops has three gradients on its edges, and their sum on its node."""
    record = recorded(tmp_path, "return (x * 2).sum() + (x * x).sum() - x.sum()", "[1, 2]", edges=True)
    graph = build(record, GraphOptions(grads=True))
    (x,) = [node for node in graph.nodes if node.kind == "input"]
    assert "grad [3, 5]" in [line.text for line in x.lines]
    assert ["[-1, -1]", "[2, 2]", "[2, 4]"] == sorted(edge.gradient for edge in graph.edges if edge.source == x.id)
    plain = build(record)
    assert not any(edge.gradient for edge in plain.edges)


def test_large_gradients_are_ranges(tmp_path: Path) -> None:
    """Of a gradient with many elements the least and the largest are told."""
    record = recorded(tmp_path, *MODELS["large"], edges=True)
    graph = build(record, GraphOptions(grads=True))
    assert "1 to 2" in {edge.gradient for edge in graph.edges}


def test_two_runs_tell_their_gradients_apart(tmp_path: Path) -> None:
    """An edge that both runs have says what came back along it in each, once where that is the same."""
    one, two = (
        recorded(tmp_path, "y = x * x\n    return y.sum()", given, edges=True) for given in ("[1, 2]", "[3, 4]")
    )
    graph = union(*(build(record, GraphOptions(grads=True)) for record in (one, two)), ("A", "B"))
    assert {"A: [2, 4], B: [6, 8]", "[1, 1]", ""} == {edge.gradient for edge in graph.edges}


#: Two ops that read the first output of each, and what PyTorch's `retain_grad` says came back to it.
SEVERAL = {
    "topk": ("a, _ = x.topk(2)", [9.3891, 3.6487]),
    "sort": ("a, _ = x.sort()", [2.3679, 3.284, 3.6487, 9.3891]),
    "max": ("a, _ = x.view(2, 2).max(dim=1)", [3.6487, 9.3891]),
    "split": ("a, b = x.split(2)", [3.6487, 2.3679]),
    "unbind": ("a, b, c, d = x.unbind()", [3.6487]),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_what_several_ops_read_of_an_op_with_several_outputs_has_its_gradient(tmp_path: Path, name: str) -> None:
    """All of it, from every op that read it: the last ones of the op's outputs do not count as the first."""
    made, expected = SEVERAL[name]
    body = f"{made}\n    return (a * 2).sum() + a.exp().sum()"
    record = recorded(tmp_path, body, "[0.5, -1, 2, 0.25]", edges=True)
    (op,) = [op for op in record.ops if op.name == name]
    (gradient,) = [each for each in record.backwards[0].gradients if each.tensor == op.outputs[0]]
    assert gradient.value is not None
    np.testing.assert_allclose(array(record, gradient.value).reshape(-1), expected, rtol=1e-4)
    (node,) = [node for node in build(record, GraphOptions(grads=True)).nodes if node.name == name]
    assert 1 == sum(line.text.startswith("grad ") for line in node.lines)


def test_node_shows_gradient_of_its_own_output(tmp_path: Path) -> None:
    """`split` stood with the values of its first part and the gradient of its second."""
    record = recorded(
        tmp_path, "a, b = x.split(2)\n    return (a * b).sum() + a.exp().sum()", "[1, 2, 3, 4]", edges=True
    )
    (node,) = [node for node in build(record, GraphOptions(grads=True)).nodes if node.name == "split"]
    assert ["float32 [2] · [1, 2]", "grad [5.718, 11.39]"] == [line.text for line in node.lines[:2]]


def test_an_output_that_nothing_read_leaves_the_word_to_the_next(tmp_path: Path) -> None:
    """Where nothing came back to the first, the line says to which it did."""
    record = recorded(tmp_path, "_, b, c = x.unbind()\n    return b * c + b", "[1, 2, 3]", edges=True)
    (node,) = [node for node in build(record, GraphOptions(grads=True)).nodes if node.name == "unbind"]
    assert "output 2: grad 4" in [line.text for line in node.lines]


def test_of_several_backwards_through_one_op_the_last_is_written(tmp_path: Path) -> None:
    """And that is said, with the sum that the leaf's `.grad` holds; not of steps that each have their own backward."""
    body = (
        "y = x * 2\n    for k in range(1, 4):\n        (y * k).sum().backward(retain_graph=True)\n    return y.detach()"
    )
    record = recorded(tmp_path, body, "[1, 2]", edges=True)
    graph = build(record, GraphOptions(grads=True))
    said = "of several backwards through one op its last gradient is written"
    assert said in graph.note.split(" · ") and said not in build(record).note
    told = [line.text for node in graph.nodes[:2] for line in node.lines if line.tone == "gradient"]
    assert ["grad [6, 6], summed over 3: [12, 12]", "grad [3, 3]"] == told
    body = "for k in range(3):\n        (x * k).sum().backward()\n    return x.detach()"
    assert said not in build(recorded(tmp_path, body, "[1, 2]", edges=True), GraphOptions(grads=True)).note
