"""Every layer against PyTorch's of the same name: text, state, the values it starts with, outputs and gradients."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest

import dyncore

torch = pytest.importorskip("torch")
torch.set_num_threads(1)


def floats(*shape: int) -> Any:
    return np.random.default_rng(sum(shape) + len(shape)).normal(size=shape).astype("float32")


def integers(below: int, *shape: int) -> Any:
    return np.random.default_rng(below).integers(0, below, shape)


_PADS = ("Zero", "Reflection", "Replication", "Circular")

# name, constructor arguments, inputs; keyword arguments of the constructor go in a dict at its end.
LAYERS: list[tuple[str, tuple[Any, ...], tuple[Any, ...]]] = [
    ("Linear", (4, 3), (floats(5, 4),)),
    ("Linear", (4, 3, {"bias": False}), (floats(2, 5, 4),)),
    ("Linear", (4, 3), (floats(4),)),
    ("Bilinear", (4, 3, 2), (floats(5, 4), floats(5, 3))),
    ("Identity", (), (floats(3),)),
    ("Embedding", (7, 3), (integers(7, 2, 4),)),
    ("Embedding", (7, 3, {"padding_idx": 1}), (integers(7, 2, 4),)),
    ("EmbeddingBag", (7, 3), (integers(7, 2, 4),)),
    ("EmbeddingBag", (7, 3, {"mode": "max"}), (integers(7, 2, 4),)),
    ("Conv1d", (4, 6, 3), (floats(2, 4, 9),)),
    ("Conv1d", (4, 6, 3, {"padding": "same", "dilation": 2}), (floats(2, 4, 9),)),
    ("Conv2d", (3, 6, 3, {"stride": 2, "padding": 1}), (floats(2, 3, 8, 8),)),
    ("Conv2d", (4, 6, (3, 2), {"groups": 2, "bias": False}), (floats(2, 4, 5, 6),)),
    ("Conv2d", (3, 6, 3, {"padding": 1, "padding_mode": "reflect"}), (floats(2, 3, 5, 5),)),
    ("Conv2d", (3, 6, 4, {"padding": "same", "padding_mode": "circular"}), (floats(3, 6, 6),)),
    ("Conv3d", (2, 3, 2, {"dilation": 2}), (floats(2, 2, 4, 5, 4),)),
    ("ConvTranspose1d", (4, 2, 3, {"stride": 2, "output_padding": 1}), (floats(2, 4, 5),)),
    ("ConvTranspose2d", (4, 6, 3, {"stride": 2, "padding": 1, "groups": 2}), (floats(2, 4, 5, 5),)),
    ("ConvTranspose3d", (2, 3, 2), (floats(1, 2, 3, 3, 3),)),
    ("MaxPool1d", (2,), (floats(2, 3, 8),)),
    ("MaxPool2d", (3, {"stride": 2, "padding": 1}), (floats(2, 3, 7, 7),)),
    ("MaxPool3d", (2, {"ceil_mode": True}), (floats(1, 2, 5, 5, 5),)),
    ("AvgPool1d", (2,), (floats(2, 3, 8),)),
    ("AvgPool2d", (3, {"stride": 2, "padding": 1, "count_include_pad": False}), (floats(2, 3, 7, 7),)),
    ("AvgPool3d", (2,), (floats(1, 2, 4, 4, 4),)),
    ("AdaptiveAvgPool1d", (3,), (floats(2, 3, 8),)),
    ("AdaptiveAvgPool2d", ((3, None),), (floats(2, 3, 8, 7),)),
    ("AdaptiveMaxPool2d", (3,), (floats(2, 3, 8, 7),)),
    ("AdaptiveAvgPool3d", (2,), (floats(1, 2, 4, 5, 4),)),
    ("LPPool2d", (2, 2), (np.abs(floats(2, 3, 4, 4)),)),
    ("BatchNorm1d", (4,), (floats(6, 4),)),
    ("BatchNorm1d", (4, {"affine": False}), (floats(6, 4, 3),)),
    ("BatchNorm2d", (3, {"momentum": None}), (floats(2, 3, 4, 4),)),
    ("BatchNorm3d", (2, {"track_running_stats": False}), (floats(2, 2, 2, 3, 3),)),
    ("InstanceNorm1d", (3,), (floats(2, 3, 5),)),
    ("InstanceNorm2d", (3, {"affine": True, "track_running_stats": True}), (floats(2, 3, 4, 4),)),
    ("LayerNorm", (4,), (floats(3, 4),)),
    ("LayerNorm", ((3, 4), {"bias": False}), (floats(2, 3, 4),)),
    ("GroupNorm", (2, 4), (floats(3, 4, 5),)),
    ("RMSNorm", (4,), (floats(3, 4),)),
    ("LocalResponseNorm", (2,), (floats(2, 4, 5),)),
    ("RNNCell", (3, 4, {"nonlinearity": "relu"}), (floats(2, 3),)),
    ("LSTMCell", (3, 4), (floats(2, 3),)),
    ("GRUCell", (3, 4, {"bias": False}), (floats(3),)),
    ("RNN", (3, 4), (floats(5, 2, 3),)),
    ("RNN", (3, 4, 2, "relu", {"bidirectional": True}), (floats(5, 2, 3),)),
    ("LSTM", (3, 4, 2, {"batch_first": True, "bidirectional": True}), (floats(2, 5, 3),)),
    ("LSTM", (3, 4, {"proj_size": 2}), (floats(5, 2, 3),)),
    ("GRU", (3, 4, {"bias": False}), (floats(5, 3),)),
    ("GRU", (3, 4, 2), (floats(5, 2, 3), floats(2, 2, 4))),
    ("MultiheadAttention", (4, 2), (floats(3, 2, 4), floats(5, 2, 4), floats(5, 2, 4))),
    ("MultiheadAttention", (4, 2, {"batch_first": True, "add_bias_kv": True}), (floats(2, 3, 4),) * 3),
    ("MultiheadAttention", (4, 2, {"kdim": 3, "vdim": 5, "add_zero_attn": True}),
     (floats(3, 4), floats(5, 3), floats(5, 5))),
    ("TransformerEncoderLayer", (4, 2, 8, {"dropout": 0.0}), (floats(3, 2, 4),)),
    ("TransformerEncoderLayer", (4, 2, 8, 0.0, "gelu", {"norm_first": True}), (floats(3, 2, 4),)),
    ("TransformerDecoderLayer", (4, 2, 8, {"dropout": 0.0}), (floats(3, 2, 4), floats(5, 2, 4))),
    ("Transformer", (4, 2, 1, 2, 8, {"dropout": 0.0, "batch_first": True}), (floats(2, 3, 4), floats(2, 5, 4))),
    ("PReLU", (3,), (floats(2, 3, 4),)),
    ("Softmax2d", (), (floats(2, 3, 4, 4),)),
    ("Flatten", (), (floats(2, 3, 4),)),
    ("Unflatten", (1, (3, 2)), (floats(2, 6),)),
    ("Upsample", ({"scale_factor": 2, "mode": "bilinear"},), (floats(1, 2, 3, 3),)),
    ("UpsamplingNearest2d", ({"size": (5, 4)},), (floats(1, 2, 3, 3),)),
    ("PixelShuffle", (2,), (floats(1, 8, 3, 3),)),
    ("PixelUnshuffle", (2,), (floats(1, 2, 4, 4),)),
    ("ChannelShuffle", (2,), (floats(1, 4, 2, 2),)),
    ("Unfold", (2, {"stride": 2}), (floats(1, 2, 4, 4),)),
    ("Fold", ((4, 4), 2, {"stride": 2}), (floats(1, 8, 4),)),
    ("CosineSimilarity", (), (floats(2, 3), floats(2, 3))),
    ("PairwiseDistance", (), (floats(2, 3), floats(2, 3))),
    *((name + "Pad1d", (2,), (floats(2, 3, 6),)) for name in _PADS),
    *((name + "Pad2d", ((1, 2, 0, 1),), (floats(2, 3, 6, 5),)) for name in _PADS),
    ("ConstantPad3d", (1, 2.5), (floats(1, 2, 2, 2, 2),)),
    *((name, (), (floats(3, 4),)) for name in (
        "ReLU", "ReLU6", "SELU", "SiLU", "Mish", "Hardsigmoid", "Hardswish", "Sigmoid", "Tanh", "LogSigmoid",
        "Softsign", "Tanhshrink", "GELU", "GLU", "LeakyReLU", "ELU", "CELU", "Hardtanh", "Softplus", "Hardshrink",
        "Softshrink",
    )),
    *((name, (1,), (floats(3, 4),)) for name in ("Softmax", "LogSoftmax", "Softmin")),
    ("Threshold", (0.1, 20.0), (floats(3, 4),)),
    ("GELU", ("tanh",), (floats(3, 4),)),
    ("Dropout", (0.3,), (floats(30, 4),)),
    ("Dropout2d", (0.3,), (floats(3, 4, 2, 2),)),
    ("AlphaDropout", (0.3,), (floats(30, 4),)),
    ("RReLU", (), (floats(3, 4),)),
]  # fmt: skip

LOSSES: list[tuple[str, tuple[Any, ...], tuple[Any, ...]]] = [
    *((name, ({"reduction": r},), (floats(3, 4), floats(4, 3).reshape(3, 4))) for name in (
        "L1Loss", "MSELoss", "SmoothL1Loss", "HuberLoss", "PoissonNLLLoss",
    ) for r in ("mean", "sum", "none")),
    *((name, ({"reduction": r},), (floats(3, 4), integers(4, 3))) for name in (
        "CrossEntropyLoss", "NLLLoss", "MultiMarginLoss",
    ) for r in ("mean", "sum", "none")),
    ("SoftMarginLoss", (), (floats(3, 4), 2 * integers(2, 3, 4) - 1)),
    ("CrossEntropyLoss", ({"label_smoothing": 0.1, "ignore_index": 1},), (floats(5, 4, 2), integers(4, 5, 2))),
    ("CrossEntropyLoss", (), (floats(3, 4), np.abs(floats(4, 3)).reshape(3, 4))),
    ("BCELoss", (), (1 / (1 + np.exp(-floats(3, 4))), integers(2, 3, 4).astype("float32"))),
    ("BCEWithLogitsLoss", (), (floats(3, 4), integers(2, 3, 4).astype("float32"))),
    ("KLDivLoss", ({"reduction": "batchmean"},), (floats(3, 4), np.abs(floats(4, 3)).reshape(3, 4))),
    ("GaussianNLLLoss", (), (floats(3, 4), floats(4, 3).reshape(3, 4), np.abs(floats(3, 4)))),
    ("HingeEmbeddingLoss", (), (floats(3, 4), 2 * integers(2, 3, 4) - 1)),
    ("MultiLabelMarginLoss", (), (floats(2, 4), np.array([[1, 3, -1, 0], [0, -1, 2, 2]]))),
    ("MultiLabelSoftMarginLoss", (), (floats(3, 4), integers(2, 3, 4).astype("float32"))),
    ("CosineEmbeddingLoss", ({"margin": 0.2},), (floats(3, 4), floats(4, 3).reshape(3, 4), 2 * integers(2, 3) - 1)),
    ("MarginRankingLoss", (), (floats(3), floats(3), 2 * integers(2, 3) - 1)),
    ("TripletMarginLoss", ({"swap": True},), (floats(3, 4), floats(4, 3).reshape(3, 4), floats(2, 6).reshape(3, 4))),
    ("CTCLoss", (), (floats(6, 2, 4), integers(3, 2, 3) + 1, np.array([6, 5]), np.array([3, 2]))),
]  # fmt: skip


def made(nn: Any, name: str, arguments: tuple[Any, ...]) -> Any:
    kwargs = arguments[-1] if arguments and isinstance(arguments[-1], dict) else {}
    return getattr(nn, name)(*arguments[: len(arguments) - bool(kwargs)], **kwargs)


def flat(result: Any) -> list[Any]:
    if isinstance(result, (tuple, list)):
        return [each for part in result for each in flat(part)]
    return [] if result is None else [result]


def run(engine: Any, layer: Any, inputs: tuple[Any, ...]) -> tuple[list[Any], list[Any], list[str]]:
    """Outputs, gradients of inputs and parameters, and names of the nodes that made the outputs."""
    tensors = [engine.tensor(each) for each in inputs]
    for tensor in tensors:
        if tensor.is_floating_point():
            tensor.requires_grad_()
    engine.manual_seed(5)
    outputs = flat(layer(*tensors))
    total = sum((each * each + each).sum() for each in outputs if each.requires_grad)
    total.backward()
    grads = [each.grad for each in [*tensors, *layer.parameters()] if each.grad is not None]
    names = [each.grad_fn.name() for each in outputs if each.grad_fn is not None]
    return [each.detach().numpy() for each in outputs], [each.numpy() for each in grads], names


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("name", "arguments", "inputs"), LAYERS + LOSSES, ids=lambda each: str(each) if isinstance(each, str) else ""
)
def test_a_layer_is_pytorchs(name: str, arguments: tuple[Any, ...], inputs: tuple[Any, ...]) -> None:
    """Same text, same state, same start from the same seed, same outputs and gradients, in training and outside."""
    dyncore.manual_seed(3)
    torch.manual_seed(3)
    ours, theirs = made(dyncore.nn, name, arguments), made(torch.nn, name, arguments)
    assert repr(theirs) == repr(ours)
    expected = theirs.state_dict()
    assert [(key, tuple(value.shape)) for key, value in expected.items()] == [
        (key, tuple(value.shape)) for key, value in ours.state_dict().items()
    ]
    for key, value in ours.state_dict().items():
        np.testing.assert_array_equal(expected[key].numpy(), value.numpy(), key)
    ours.load_state_dict({key: value.numpy() for key, value in expected.items()})
    for mode in (True, False):
        theirs.train(mode)
        ours.train(mode)
        wanted, found = run(torch, theirs, inputs), run(dyncore, ours, inputs)
        for one, two in zip(wanted[0] + wanted[1], found[0] + found[1], strict=True):
            np.testing.assert_allclose(two, one, rtol=2e-4, atol=2e-5)
        assert wanted[2] == found[2]
        for layer in (theirs, ours):
            layer.zero_grad()
    for key, value in ours.state_dict().items():
        np.testing.assert_allclose(value.numpy(), theirs.state_dict()[key].numpy(), rtol=1e-5, atol=1e-6)


def test_a_parametrization_is_tried_when_it_is_registered() -> None:
    """As in PyTorch, which leaves a spectral norm one power iteration further, and the parameter the object it was."""
    found = []
    for engine in (torch, dyncore):
        engine.manual_seed(0)
        parametrizations = engine.nn.utils.parametrizations
        layer = parametrizations.spectral_norm(engine.nn.Linear(3, 4).double())
        norm = layer.parametrizations.weight[0]
        first = norm._u.tolist()
        _ = layer.weight
        found.append((first, norm._u.tolist()))
    for theirs, ours in zip(*found, strict=True):
        assert ours == pytest.approx(theirs, rel=1e-9)


@pytest.mark.parametrize("wrong", ["dtype", "shape", "type"])
@pytest.mark.parametrize("inverse", [False, True])
@pytest.mark.parametrize("first", [True, False])
def test_a_parametrization_that_changes_the_parameter_is_refused(wrong: str, inverse: bool, first: bool) -> None:
    said = []
    for engine in (torch, dyncore):
        parametrize = importlib.import_module(f"{engine.__name__}.nn.utils.parametrize")

        class Same(engine.nn.Module):
            def forward(self, x: Any) -> Any:
                return x

        def changed(self: Any, x: Any) -> Any:
            return {"dtype": lambda: x.double(), "shape": lambda: x[:1], "type": lambda: 3}[wrong]()

        other = type("Other", (Same,), {"right_inverse" if inverse else "forward": changed})
        layer = engine.nn.Linear(2, 2)
        weight = layer.weight
        if not first:
            parametrize.register_parametrization(layer, "weight", Same())
            assert layer.parametrizations.weight.original is weight
        try:
            parametrize.register_parametrization(layer, "weight", other())
            said.append("")
        except Exception as error:
            said.append(f"{type(error).__name__}: {error}")
    assert said[0] == said[1]


def test_group_norm_keeps_channels_last() -> None:
    """A dropout after it draws its mask in the order of memory."""
    found = []
    for engine in (torch, dyncore):
        engine.manual_seed(0)
        x = engine.arange(192.0, dtype=engine.float64).sin().reshape(2, 12, 8).permute(0, 2, 1).view(2, 8, 3, 4)
        normal = engine.nn.functional.group_norm(x, 2)
        dropped = engine.nn.functional.dropout(normal, 0.5)
        found.append((normal.stride(), (dropped == 0).tolist()))
    assert found[0] == found[1]
