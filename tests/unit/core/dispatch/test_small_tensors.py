"""Short cuts for small tensors give what the long way gives, and refuse what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore.nn import functional as F, recurrent_cells


def test_a_number_written_into_plain_floats_counts_as_a_write() -> None:
    """Backward notices; places out of range are PyTorch's error and change nothing."""
    x = torch.zeros(2, 3)
    x[0] = 1.5
    x[1, 1:] = 2
    x[1, 0] = torch.tensor(7.0)
    x[0, :2] = torch.tensor([3.0, 4.0])
    assert [[3.0, 4.0, 1.5], [7.0, 2.0, 2.0]] == x.tolist()
    assert 4 == x._version
    w = torch.ones(3, requires_grad=True)
    y = (w * x[0].clone()).sum()
    z = torch.ones(3)
    loss = (w * z).sum() + y
    z[0] = 5.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    for index, sentence in (
        (2, "index 2 is out of bounds for dimension 0 with size 2"),
        ((0, 0, 0), "too many indices"),
    ):
        with pytest.raises(IndexError, match=sentence):
            x[index] = 1.0
    assert 4 == x._version


@pytest.mark.parametrize(
    "index", [3, -1, slice(1, 3), (slice(None), 2), (1, slice(0, 2)), (2, -4), (Ellipsis, 1), None]
)
def test_picked_and_put_back(index: Any) -> None:
    """What is picked is NumPy's, and its gradient stands where it was."""
    x = torch.arange(20.0).reshape(5, 4).requires_grad_()
    for _ in range(40):
        x.grad = None
        picked = x[index]
        picked.sum().backward()
    expected = np.zeros((5, 4), np.float32)
    expected[index] = 1.0
    assert np.arange(20.0).reshape(5, 4)[index].tolist() == picked.tolist()
    assert expected.tolist() == x.grad.tolist()


@pytest.mark.parametrize("shape", [(3, 5), (4, 33), (2, 3, 8), (40, 40)])
def test_sums_of_rows_are_sums(shape: tuple[int, ...]) -> None:
    """Along each dimension, kept or not, of few numbers and of many; a softmax adds up to one."""
    values = np.random.default_rng(0).standard_normal(shape)
    x = torch.from_numpy(values)
    for dim in range(-len(shape), len(shape)):
        for keepdim in (False, True):
            for name in ("sum", "mean"):
                found = getattr(x, name)(dim, keepdim)
                np.testing.assert_allclose(found.numpy(), getattr(values, name)(dim, keepdims=keepdim), rtol=1e-12)
            np.testing.assert_allclose(x.var(dim, keepdim=keepdim).numpy(), values.var(dim, ddof=1, keepdims=keepdim))
        expected = np.exp(values - values.max(dim, keepdims=True))
        expected /= expected.sum(dim, keepdims=True)
        np.testing.assert_allclose(torch.softmax(x, dim).numpy(), expected, rtol=1e-12)
        np.testing.assert_allclose(F.log_softmax(x, dim).numpy(), np.log(expected), rtol=1e-10)


def test_rows_with_infinities_and_nan() -> None:
    """They stay in their row."""
    x = torch.tensor([[0.0, float("inf")], [float("nan"), 1.0], [2.0, 2.0], [-float("inf"), 0.0]])
    assert "[inf, nan, 4.0, -inf]" == str(x.sum(1).tolist())
    assert "[[nan, nan], [nan, nan], [0.5, 0.5], [0.0, 1.0]]" == str(torch.softmax(x, 1).tolist())


def test_windows_are_kept_by_kind() -> None:
    """A size that only compares equal to one that was seen is refused as ever."""
    x = torch.arange(16.0).reshape(1, 1, 4, 4)
    assert [[2.5, 4.5], [10.5, 12.5]] == F.avg_pool2d(x, 2)[0, 0].tolist()
    with pytest.raises(AttributeError):
        F.avg_pool2d(x, 2.0)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="Output size is too small"):
            F.max_pool2d(x, 5)
    assert [[5.0, 7.0], [13.0, 15.0]] == F.max_pool2d(x, [2, 2])[0, 0].tolist()


def test_one_small_picture_is_convolved_as_several_are() -> None:
    """With strides, padding, dilation and a bias, forward and back."""
    torch.manual_seed(0)
    x = torch.randn(1, 2, 7, 6, dtype=torch.float64)
    weight, bias = torch.randn(3, 2, 3, 2, dtype=torch.float64), torch.randn(3, dtype=torch.float64)
    for options in ({}, {"stride": 2}, {"padding": 1}, {"dilation": 2}, {"stride": (1, 2), "padding": (2, 1)}):
        one = F.conv2d(x, weight, bias, **options)
        two = F.conv2d(torch.cat([x, x]), weight, bias, **options)
        np.testing.assert_allclose(one.numpy(), two[:1].numpy(), rtol=1e-12, atol=1e-12)
        turned = F.conv2d(x.transpose(2, 3).contiguous().transpose(2, 3), weight, bias, **options)
        np.testing.assert_allclose(one.numpy(), turned.numpy(), rtol=1e-12, atol=1e-12)


def test_a_batch_norm_uses_its_own_statistics_each_time() -> None:
    """What one call found out about its input is not taken for the next input."""
    layer = torch.nn.BatchNorm1d(2)
    for shift in (0.0, 10.0):
        x = (torch.tensor([[1.0, 2.0], [3.0, 6.0]]) + shift).requires_grad_()
        y = layer(x)
        np.testing.assert_allclose(y.tolist(), [[-1.0, -1.0], [1.0, 1.0]], rtol=1e-4)
        (y * torch.tensor([[1.0, 2.0], [0.0, 0.0]])).sum().backward()
        np.testing.assert_allclose(x.grad.numpy(), 0.0, atol=1e-4)
    np.testing.assert_allclose(layer.running_mean.tolist(), [0.9 * 0.2 + 1.2, 0.9 * 0.4 + 1.4], rtol=1e-5)


def test_batches_picked_at_once_are_those_of_items() -> None:
    """Of slices, transposed memory and integers; of tensors that require grad they lead back."""
    data = torch.utils.data
    whole = torch.arange(60.0).reshape(3, 20).T
    dataset = data.TensorDataset(whole[2:], torch.arange(18), torch.arange(18) > 5)
    for options in ({"batch_size": 4}, {"batch_size": 5, "shuffle": True, "drop_last": True}):
        torch.manual_seed(3)
        quick = list(data.DataLoader(dataset, **options))
        torch.manual_seed(3)
        slow = list(data.DataLoader(dataset, collate_fn=lambda items: data.default_collate(items), **options))
        assert [[each.tolist() for each in batch] for batch in slow] == [[e.tolist() for e in b] for b in quick]
        assert [(e.dtype, e.is_contiguous()) for e in slow[0]] == [(e.dtype, e.is_contiguous()) for e in quick[0]]
        quick[0][0][...] = 0.0
    assert 40.0 == whole[0, 2].item()
    leaf = torch.ones(4, 2, requires_grad=True)
    (batch,) = next(iter(data.DataLoader(data.TensorDataset(leaf), batch_size=2)))
    assert "StackBackward0" == batch.grad_fn.name()


@pytest.mark.parametrize("shape", [(5,), (1, 5), (3, 5)])
@pytest.mark.parametrize(
    "row",
    [
        [0.5, 1.0, -2.0, 0.0, 3.0],
        [-300.0, -301.0, -310.0, -400.0, -300.5],
        [300.0, 301.0, 290.0, 0.0, -300.0],
        [-30.0, -31.0, -32.0, -90.0, -100.0],
        [-np.inf, 0.0, -np.inf, 1.0, -np.inf],
        [-np.inf] * 5,
        [np.inf, 0.0, 1.0, 2.0, 3.0],
        [np.nan, 0.0, 1.0, 2.0, 3.0],
    ],
)
def test_softmax_of_any_numbers(shape: tuple[int, ...], row: list[float]) -> None:
    """Too large and too small for e^x, infinite or no numbers: as with the largest taken away first."""
    values = np.zeros(shape)
    values[...] = 0.25
    values[..., :] = row if len(shape) == 1 else [row, *[[0.5, 1.0, -2.0, 0.0, 3.0]] * (shape[0] - 1)]
    largest = values.max(-1, keepdims=True)
    weights = np.exp(values - largest)
    total = weights.sum(-1, keepdims=True)
    whole = largest + np.log(total)
    whole[np.isinf(largest)] = largest[np.isinf(largest)]
    for kind in (np.float32, np.float64):
        x = torch.from_numpy(values.astype(kind))
        np.testing.assert_allclose(torch.softmax(x, -1).numpy(), weights / total, rtol=1e-5, atol=1e-38)
        np.testing.assert_allclose(torch.logsumexp(x, -1, keepdim=True).numpy(), whole, rtol=1e-5)
        if len(shape) == 1:
            np.testing.assert_allclose(torch.logsumexp(x, 0).item(), whole[0], rtol=1e-5)


def test_a_rectifier_lets_every_gradient_through_and_keeps_the_rest_out() -> None:
    """Infinite gradients at zeros are 0, those at NaN stay, and the gradient that came is not written into."""
    x = torch.tensor([-1.0, 0.0, 2.0, float("nan"), 3.0], requires_grad=True)
    y = torch.relu(x)
    came = torch.tensor([np.inf, np.nan, np.inf, 4.0, -0.0])
    y.backward(came)
    np.testing.assert_array_equal(x.grad.numpy(), [0.0, 0.0, np.inf, 4.0, 0.0])
    np.testing.assert_array_equal(came.numpy(), [np.inf, np.nan, np.inf, 4.0, 0.0])
    z = torch.tensor(2.0, requires_grad=True)
    torch.relu(z * 1).backward()
    assert 1.0 == z.grad.item()


def test_pieces_know_their_sizes_when_asked() -> None:
    """A piece without a gradient counts as zeros, also where the list of sizes was changed since."""
    x = torch.arange(12.0).reshape(3, 4).requires_grad_()
    sizes = [1, 3]
    first, second = torch.split(x * 1, sizes, dim=1)
    sizes[0] = 2
    assert [[3, 1], [3, 3]] == [list(each.shape) for each in first.grad_fn._input_metadata]
    (second * second).sum().backward()
    expected = 2 * np.arange(12.0).reshape(3, 4)
    expected[:, 0] = 0
    np.testing.assert_array_equal(x.grad.numpy(), expected)


def test_extremes_of_a_tensor_alone_and_of_more() -> None:
    """However the largest is asked for, and what is no tensor is refused."""
    x = torch.tensor([[1.0, 5.0], [4.0, 2.0]], requires_grad=True)
    for _ in range(35):
        found = x.max()
    assert 5.0 == found.item() == torch.max(input=x).item() == torch.max(x).item()
    assert "MaxBackward1" == found.grad_fn.name()
    assert ([4.0, 5.0], [1, 0]) == (x.max(0).values.tolist(), x.max(dim=0).indices.tolist())
    assert [[1.0, 2.0], [2.0, 2.0]] == torch.min(x, torch.tensor(2.0)).tolist()
    with pytest.raises(TypeError, match=r"max\(\): argument 'input' \(position 1\) must be Tensor, not int"):
        torch.max(3)
    with pytest.raises(IndexError, match="Dimension specified as 0 but tensor has no dimensions"):
        torch.tensor(1.0).size(0)


@pytest.mark.parametrize("name", ["add", "sub", "rsub", "mul", "div", "pow", "atan2", "maximum", "gt"])
def test_a_scalar_beside_a_view_of_one_element(name: str) -> None:
    """Is what two scalars give, gradients too; and a write into what the view shows is noticed."""
    op = getattr(torch, name)
    many = torch.tensor([0.7, 1.3], requires_grad=True)
    one = torch.tensor(1.3, requires_grad=True)
    scalar = torch.tensor(0.9, requires_grad=True)
    expected, found = op(scalar, one), op(scalar, many[1])
    assert expected.item() == found.item()
    if name == "gt":
        return
    by_scalar, by_one = torch.autograd.grad(expected, (scalar, one))
    by_number, by_many = torch.autograd.grad(found, (scalar, many))
    assert (by_scalar.item(), [0.0, by_one.item()]) == (by_number.item(), by_many.tolist())
    held = many * 1
    found = op(scalar, held[1])
    held.mul_(2)
    if name in ("add", "sub", "rsub"):
        found.backward()
        return
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        found.backward()


def test_zeros_keep_their_signs_beside_comparisons() -> None:
    """0, 0.0 and -0.0 are one number to a comparison and three to what computes with them."""
    x = torch.tensor([0.0, -0.0, 1.0, -1.0])
    for _ in range(3):
        for tensor in (x, x[0].sum()):
            for zero in (0, 0.0, -0.0):
                array = np.asarray(tensor.tolist(), np.float32)
                assert (array > zero).tolist() == (tensor > zero).tolist()
                assert (array == zero).tolist() == (tensor == zero).tolist()
                assert np.signbit(array * np.float32(zero)).tolist() == torch.signbit(tensor * zero).tolist()
                assert np.signbit(array + np.float32(zero)).tolist() == torch.signbit(tensor + zero).tolist()
    assert [1, -2] == (torch.tensor([1, -2]) + 0).tolist()


@pytest.mark.parametrize("warm", [1, 40])
def test_a_linear_layer_is_called_by_its_forward_wherever_that_is_another(warm: int, monkeypatch: Any) -> None:
    """On the layer, on the class, in a subclass, behind a hook; and its line is that of the call."""
    layer, x = torch.nn.Linear(3, 2), torch.ones(1, 3)
    for _ in range(warm):
        expected = x @ layer.weight.T + layer.bias
        found = layer(x)
    assert expected.tolist() == found.tolist() == layer(input=x).tolist() == torch.nn.Sequential(layer)(x).tolist()
    assert "found = layer(x)" == found.grad_fn.place.source
    assert torch.nn.Sequential(layer)(x).grad_fn.place.source.startswith("assert torch.nn.Seq")
    handle = layer.register_forward_hook(lambda module, args, result: "hooked")
    assert "hooked" == layer(x)
    handle.remove()
    layer.forward = lambda input: "replaced"
    assert "replaced" == layer(x)
    del layer.forward

    class Doubled(torch.nn.Linear):
        def forward(self, input: Any, times: int = 2) -> Any:
            return super().forward(input) * times

    twice, without = Doubled(3, 2), torch.nn.Linear(3, 2)
    assert (x @ twice.weight.T + twice.bias).mul(3).tolist() == twice(x, 3).tolist()
    with pytest.raises(RuntimeError, match=r"mat1 and mat2 shapes cannot be multiplied \(1x2 and 3x2\)"):
        layer(torch.ones(1, 2))
    assert (1, 2) == torch.nn.Linear(3, 2, bias=False)(x).shape
    del twice.bias, without.bias
    for lacking in (twice, without):
        with pytest.raises(AttributeError, match="has no attribute 'bias'"):
            lacking(x)
    monkeypatch.setattr(torch.nn.Linear, "forward", lambda self, input: "patched")
    assert "patched" == layer(x)


def test_extremes_once_they_are_warm_still_take_all_they_took() -> None:
    """Alone, along a dimension, of two tensors, by keyword, into `out`, of nothing."""
    x = torch.tensor([[3.0, 1.0], [2.0, 5.0]], requires_grad=True)
    for _ in range(40):
        x.grad = None
        x.max().backward()
    assert [[0, 0], [0, 1]] == x.grad.tolist()
    assert (torch.max(x).item(), torch.max(input=x).item(), x.max(0).values.tolist()) == (5.0, 5.0, [3.0, 5.0])
    assert torch.max(x, dim=1, keepdim=True).indices.tolist() == [[0], [1]]
    assert (
        torch.max(x, torch.tensor(2.5)).tolist()
        == torch.max(x, other=torch.tensor(2.5)).tolist()
        == [[3, 2.5], [2.5, 5]]
    )
    assert "max" == torch.max.__name__ and 5.0 == torch.max(torch.nn.Parameter(x.detach())).item()
    with pytest.raises(RuntimeError, match="Expected reduction dim to be specified"):
        torch.zeros(0).max()
    with pytest.raises(TypeError):
        torch.max()


def test_joined_tensors_know_where_they_lead() -> None:
    """Sizes, saved dimension and what goes back twice, of what is only kept as shapes."""
    a, b = torch.ones(1, 3, requires_grad=True), torch.ones(2, 3)
    joined = torch.cat([a, b], 0)
    node = joined.grad_fn
    assert ("CatBackward0", 0) == (node.name(), node._saved_dim) and [None] == [n for n, _ in node.next_functions][1:]
    for _ in range(2):
        joined.sum().backward()
    assert [[2.0, 2.0, 2.0]] == a.grad.tolist()
    assert torch.float64 is torch.cat([a, b.double(), b]).dtype
    with pytest.raises(TypeError, match="expected Tensor as element 1 in argument 0, but got int"):
        torch.cat([a, 1])


@pytest.mark.parametrize("name", ["RNNCell", "LSTMCell"])
def test_a_cell_is_two_linears_and_their_sum(name: str) -> None:
    """Whatever requires grad, with and without biases; nodes and lines are those of the ops written out."""
    cell = getattr(torch.nn, name)(3, 2)
    x, h = torch.ones(2, 3, requires_grad=True), torch.full((2, 2), 0.5, requires_grad=True)

    def told(node: Any) -> tuple[Any, set[str]]:
        """The names of this node and all before it, and their lines."""
        if node is None or node.name() == "torch::autograd::AccumulateGrad":
            return node and node.variable.shape, set()
        before = [told(each) for each, _ in node.next_functions]
        own = set() if node.name() == "TBackward0" else {node.place.source}
        return (node.name(), [names for names, _ in before]), own.union(*[lines for _, lines in before])

    def run(written: bool) -> list[Any]:
        if written:
            total = F.linear(x, cell.weight_ih, cell.bias_ih) + F.linear(h, cell.weight_hh, cell.bias_hh)
            first = total.tanh() if name == "RNNCell" else recurrent_cells.lstm_step(total, h)[0]
        else:
            first = cell(x, h) if name == "RNNCell" else cell(x, (h, h))[0]
        if not first.requires_grad:
            return first.tolist()
        wanted = [each for each in (x, h, *cell.parameters()) if each.requires_grad]
        found = torch.autograd.grad(first.sum(), wanted, retain_graph=True)
        names, lines = told(first.grad_fn)
        assert written or {'first = cell(x, h) if name == "RNNCell" else cell(x, (h, h))[0]'} == lines
        twice = torch.autograd.grad(torch.autograd.grad(first.sum(), wanted[0], create_graph=True)[0].sum(), wanted[0])
        return [first.tolist(), names, [each.tolist() for each in found], twice[0].tolist()]

    for frozen in ([], [x], [x, h], [cell.weight_ih, cell.bias_ih, x], [x, h, *cell.parameters()]):
        for each in frozen:
            each.requires_grad_(False)
        assert run(written=True) == run(written=False)
        with torch.no_grad():
            assert run(written=True) == run(written=False)
        for each in frozen:
            each.requires_grad_(True)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        result = cell(x, h) if name == "RNNCell" else cell(x, (h, h))[0]
        with torch.no_grad():
            cell.weight_hh.mul_(2)
        result.sum().backward()
    cell.bias_hh = torch.nn.Parameter(torch.zeros(3))
    with pytest.raises(RuntimeError, match="size"):
        cell(x, h if name == "RNNCell" else (h, h))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.int64, torch.complex64])
def test_squares_and_cubes_are_products(dtype: Any) -> None:
    """To the bit, of vectors and of one element, whatever kind of number the exponent is; slopes too."""
    for values in ([1.5, -2.25, 0.0, 3e3], 1.75):
        x = torch.tensor(values).to(dtype)
        whole = not dtype.is_floating_point and not dtype.is_complex
        for exponent in (2, 3) if whole else (2, 2.0, 3, 3.0):
            expected = x * x if exponent == 2 else x * x * x
            assert (expected.dtype, expected.tolist()) == ((x**exponent).dtype, (x**exponent).tolist())
            if dtype.is_floating_point and exponent == 2:
                leaf = x.clone().requires_grad_()
                (leaf**exponent).sum().backward()
                assert (2 * x).tolist() == leaf.grad.tolist()


def test_one_element_as_a_float() -> None:
    """Of every dtype, of a scalar and of a view; several elements are no float."""
    vector = torch.tensor([0.1, 2.0])
    assert 0.1 == float(torch.tensor(0.1, dtype=torch.float64))
    assert [float(np.float32(0.1)), 2.0, 3.0, 1.0] == [
        float(vector[0]), float(vector.max()), float(torch.tensor(3)), float(torch.tensor([True])),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="only one element tensors can be converted to Python scalars"):
        float(vector)


def test_a_number_alone_to_a_float_power() -> None:
    """Has gradients of gradients: a scalar is no array, and no tensor either."""
    x = torch.tensor(1.5, requires_grad=True)
    (slope,) = torch.autograd.grad(torch.float_power(x * 1.0, 3.0), x, create_graph=True)
    (second,) = torch.autograd.grad(slope, x)
    assert (6.75, 9.0) == (round(slope.item(), 5), round(second.item(), 5))
    (plain,) = torch.autograd.grad(torch.float_power(x * 1.0, torch.tensor(3.0) * 1), x)
    assert 6.75 == round(plain.item(), 5)
