"""Functions that few scripts call: recurrent layers as functions, control flow, gradients of convolutions, futures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dyncore

torch = pytest.importorskip("torch")

GATES = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}


def both(call: Any) -> list[list[float]]:
    """The numbers that `call(engine)` gives in each engine, one after the other."""
    found = []
    for engine in (torch, dyncore):
        values = call(engine)
        found.append([number for each in values for number in each.detach().double().reshape(-1).tolist()])
    return found


def numbers(engine: Any, *shape: int, start: float = 0.3) -> Any:
    """Values without a pattern, the same in both engines."""
    count = 1
    for each in shape:
        count *= each
    return (engine.arange(count, dtype=engine.float64) * 1.7 + start).sin().reshape(shape)


@pytest.mark.parametrize("name", sorted(GATES))
@pytest.mark.parametrize(("layers", "both_ways", "biases", "batch_first"), [
    (1, False, True, False), (2, True, True, True), (2, False, False, False),
])  # fmt: skip
def test_recurrent_layers_are_functions_too(
    name: str, layers: int, both_ways: bool, biases: bool, batch_first: bool
) -> None:
    """The outputs, the last states, and the gradients of the weights."""

    def call(engine: Any) -> list[Any]:
        ways, size = 2 if both_ways else 1, 3
        weights = []
        for number in range(layers * ways):
            width = 2 if number < ways else size * ways
            shapes = [(GATES[name] * size, width), (GATES[name] * size, size)] + 2 * biases * [(GATES[name] * size,)]
            weights += [numbers(engine, *shape, start=k + number).requires_grad_() for k, shape in enumerate(shapes)]
        start = [numbers(engine, layers * ways, 4, size, start=k) for k in range(2 if name == "lstm" else 1)]
        hx = tuple(start) if name == "lstm" else start[0]
        input = numbers(engine, 4, 5, 2) if batch_first else numbers(engine, 5, 4, 2)
        found = getattr(engine, name)(input, hx, weights, biases, layers, 0.0, True, both_ways, batch_first)
        grads = engine.autograd.grad(sum(each.square().sum() for each in found), weights)
        return [*found, *grads]

    ours, theirs = both(call)
    assert ours == pytest.approx(theirs, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", ["lstm", "gru"])
def test_packed_sequences_go_through_the_functions(name: str) -> None:
    def call(engine: Any) -> list[Any]:
        weights = [numbers(engine, GATES[name] * 3, width) for width in (2, 3)]
        hx = (numbers(engine, 1, 3, 3), numbers(engine, 1, 3, 3)) if name == "lstm" else numbers(engine, 1, 3, 3)
        sizes = engine.tensor([3, 2, 1])
        return list(getattr(engine, name)(numbers(engine, 6, 2), sizes, hx, weights, False, 1, 0.0, False, False))

    ours, theirs = both(call)
    assert ours == pytest.approx(theirs, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("name", sorted(GATES))
def test_cells_are_functions_too(name: str) -> None:
    def call(engine: Any) -> list[Any]:
        rows = GATES[name] * 3
        hidden = numbers(engine, 4, 3)
        hx = (hidden, numbers(engine, 4, 3, start=2)) if name == "lstm" else hidden
        given = numbers(engine, 4, 2), hx, numbers(engine, rows, 2), numbers(engine, rows, 3)
        biases = numbers(engine, rows), numbers(engine, rows, start=1)
        found = [getattr(engine, f"{name}_cell")(*given, *more) for more in ((), biases)]
        return [part for each in found for part in (each if isinstance(each, tuple) else (each,))]

    ours, theirs = both(call)
    assert ours == pytest.approx(theirs, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_gradients_of_convolutions_are_functions(rank: int) -> None:
    def call(engine: Any) -> list[Any]:
        from importlib import import_module

        grad = import_module(f"{engine.__name__}.nn.grad")
        input, weight = numbers(engine, 2, 4, *[5] * rank), numbers(engine, 6, 2, *[3] * rank)
        options = {"stride": 2, "padding": 1, "groups": 2}
        made = getattr(engine.nn.functional, f"conv{rank}d")(input, weight, None, **options)
        back = numbers(engine, *made.shape)
        return [
            getattr(grad, f"conv{rank}d_input")(input.shape, weight, back, **options),
            getattr(grad, f"conv{rank}d_weight")(input, weight.shape, back, **options),
        ]

    ours, theirs = both(call)
    assert ours == pytest.approx(theirs, rel=1e-6, abs=1e-9)


def test_linear_cross_entropy_is_a_module() -> None:
    """Its text, its state dict, its loss and its gradients."""
    found = []
    for engine in (torch, dyncore):
        engine.manual_seed(3)
        loss = engine.nn.LinearCrossEntropyLoss(4, 3, bias=True, label_smoothing=0.1, weight=engine.ones(3))
        value = loss(numbers(engine, 5, 4).float(), engine.tensor([0, 2, 1, 1, 0]))
        value.backward()
        found.append((repr(loss), list(loss.state_dict()), value.item(), loss.linear.weight.grad.sum(1).tolist()))
    assert found[0][:2] == found[1][:2]
    assert found[0][2] == pytest.approx(found[1][2], rel=1e-5)
    assert found[0][3] == pytest.approx(found[1][3], rel=1e-4, abs=1e-6)


def test_control_flow_follows_the_values() -> None:
    """`cond` and `while_loop` decide as `if` and `while` do; gradients flow through what ran."""
    x = dyncore.tensor(3.0, requires_grad=True)
    taken = dyncore.cond(x > 2, lambda a: a * a, lambda a: -a, (x,))
    count, value = dyncore.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * 2), (dyncore.tensor(0), taken))
    value.backward()
    assert (3, 72.0, 48.0) == (count.item(), value.item(), x.grad.item())
    assert -1.0 == dyncore.cond(False, lambda: 1.0, lambda: -1.0)
    with pytest.raises(RuntimeError, match="Expect both branches to be callable"):
        dyncore.cond(True, 1, 2)


def test_forked_calls_have_run() -> None:
    future = dyncore.jit.fork(lambda a, b: a + b, dyncore.ones(2), 1)
    assert [2.0, 2.0] == dyncore.jit.wait(future).tolist()
    assert 3 == dyncore.futures.collect_all([future]).then(lambda all_of: 3).wait()
    waiting = dyncore.futures.Future()
    with pytest.raises(RuntimeError, match="has no value yet"):
        waiting.wait()
    waiting.set_exception(KeyError("x"))
    with pytest.raises(KeyError):
        waiting.value()
    with pytest.raises(RuntimeError, match="only be marked completed once"):
        waiting.set_result(1)


@pytest.mark.parametrize("diag", [0, -1, 1])
def test_triangles_become_vectors_and_back(diag: int) -> None:
    def call(engine: Any) -> list[Any]:
        tools = __import__(f"{engine.__name__}.distributions.utils", fromlist=["utils"])
        matrix = numbers(engine, 2, 4, 4)
        vector = tools.tril_matrix_to_vec(matrix, diag)
        return [vector, tools.vec_to_tril_matrix(vector, diag)]

    ours, theirs = both(call)
    assert ours == pytest.approx(theirs)


@pytest.mark.parametrize("call", [
    "e.conv_tbc(n(e, 5, 2, 3), n(e, 3, 3, 4), n(e, 4), 1)", "e.spmm(n(e, 2, 3), n(e, 3, 2))",
    "e.sparse.mm(n(e, 2, 3), n(e, 3, 2))", "e.embedding_renorm_(n(e, 4, 3), e.tensor([1, 3]), 0.5, 2.0)",
    "e.func.replace_all_batch_norm_modules_(e.nn.Sequential(e.nn.BatchNorm1d(3)))(n(e, 4, 3).float())",
    "e.functional.einsum('ij,jk->ik', n(e, 2, 3), n(e, 3, 2))",
])  # fmt: skip
def test_other_names_for_the_same(call: str) -> None:
    ours, theirs = both(lambda engine: [eval(call, {"e": engine, "n": numbers})])
    assert ours == pytest.approx(theirs, rel=1e-5, abs=1e-6)


def test_named_tuples_have_types() -> None:
    for engine in (torch, dyncore):
        types = engine.return_types
        assert isinstance(engine.ones(2, 2).max(0), types.max)
        assert isinstance(engine.ones(2, 2).sort(), types.sort)
        assert not isinstance(engine.ones(2, 2).topk(1), types.sort)


@pytest.mark.filterwarnings("ignore:Since version 1.3.0, affine_grid")
@pytest.mark.parametrize("aligned", [True, False])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [
    (1, 1, 4, 5), (2, 3, 7, 3), (1, 1, 33, 65), (1, 1, 1, 6), (1, 1, 224, 28), (1, 2, 3, 4, 5), (2, 1, 16, 8, 4),
])  # fmt: skip
def test_affine_grids_have_pytorchs_rounding(size: tuple[int, ...], dtype: str, aligned: bool) -> None:
    """Bit by bit, in two and three dimensions."""
    found = []
    for engine in (torch, dyncore):
        rank = len(size) - 2
        theta = engine.tensor(np.random.default_rng(3).standard_normal((size[0], rank, rank + 1)).astype(dtype))
        found.append(engine.nn.functional.affine_grid(theta, size, align_corners=aligned).numpy())
    assert found[0].tobytes() == found[1].tobytes()


@pytest.mark.parametrize("call", [
    "torch.symeig(a)", "a.symeig(True)", "torch.eig(a)", "a.eig()", "torch.lstsq(a, a)", "a.lstsq(a)",
    "torch.solve(a, a)", "a.solve(a)", "torch.matrix_rank(a)",
])  # fmt: skip
def test_removed_functions_raise_the_error_of_pytorch(call: str) -> None:
    sentences = []
    for engine in (torch, dyncore):
        with pytest.raises(RuntimeError) as error:
            eval(call, {"torch": engine, "a": engine.eye(2)})
        sentences.append(str(error.value).partition(" removed.")[0])
    assert "torch.linalg" in error.value.__notes__[0]
    assert sentences[0] == sentences[1]
