"""Private names of PyTorch's that scripts import are there and do what PyTorch's do."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

torch = pytest.importorskip("torch")


def both(call: Any) -> list[Any]:
    """What `call(module)` returns for PyTorch and for dyncore; `module("nn.init")` imports one of its modules."""
    return [call(lambda name, engine=engine: import_module(f"{engine}.{name}".rstrip("."))) for engine in ENGINES]


ENGINES = ("torch", "dyncore")


def strong_wolfe(module: Any) -> Any:
    """A search along the gradient of a quartic."""
    t, lbfgs = module(""), module("optim.lbfgs")

    def loss_of(x: Any, step: float, d: Any) -> Any:
        at = (x + step * d).detach().requires_grad_()
        loss = ((at - 3) ** 4).sum() + at.sin().sum()
        (grad,) = t.autograd.grad(loss, at)
        return loss.item(), grad

    x = t.tensor([0.5, -1.0, 2.0], dtype=t.float64)
    f, g = loss_of(x, 0.0, x * 0)
    found = lbfgs._strong_wolfe(loss_of, x, 1.0, -g, f, g, g.dot(-g))
    numbers = [float(found[0]), *found[1].tolist(), float(found[2])]
    return [[float(f"{number:.10g}") for number in numbers], found[3]]


def own_convolution(module: Any) -> Any:
    """A layer derived from `_ConvNd`, as scripts write it."""
    t, conv, pair = module(""), module("nn.modules.conv"), module("nn.modules.utils")._pair

    class Standardized(conv._ConvNd):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            given = (2, 3, pair(3), pair(1), pair(1), pair(1), False, pair(0), 1, True, "zeros")
            super().__init__(*given)

        def forward(self, x: Any) -> Any:
            weight = self.weight - self.weight.mean((1, 2, 3), keepdim=True)
            return t.nn.functional.conv2d(x, weight, self.bias, self.stride, self.padding)

    t.manual_seed(3)
    layer = Standardized()
    out = layer(t.arange(50.0).reshape(1, 2, 5, 5) / 50)
    return [repr(layer), list(layer.state_dict()), [round(each, 4) for each in out.flatten().tolist()]]


def circular(module: Any) -> Any:
    t = module("")
    t.manual_seed(1)
    layer = t.nn.Conv1d(1, 2, 3, padding=1, padding_mode="circular")
    out = layer._conv_forward(t.arange(5.0).reshape(1, 1, 5), layer.weight * 2, layer.bias)
    return [list(layer._reversed_padding_repeated_twice), [round(each, 4) for each in out.flatten().tolist()]]


def isinstances(module: Any) -> Any:
    nn = module("nn")
    layers = [nn.Conv2d(1, 1, 1), nn.ConvTranspose1d(1, 1, 1), nn.BatchNorm1d(2), nn.InstanceNorm2d(2), nn.MSELoss(),
              nn.CrossEntropyLoss(), nn.Dropout2d(), nn.MaxPool2d(2), nn.AvgPool2d(2), nn.Linear(1, 1)]  # fmt: skip
    kinds = {
        "batchnorm": "_BatchNorm _NormBase", "conv": "_ConvNd _ConvTransposeNd", "instancenorm": "_InstanceNorm",
        "loss": "_Loss _WeightedLoss", "dropout": "_DropoutNd", "pooling": "_MaxPoolNd _AvgPoolNd",
    }  # fmt: skip
    return {
        kind: [isinstance(layer, getattr(module(f"nn.modules.{file}"), kind)) for layer in layers]
        for file, names in kinds.items()
        for kind in names.split()
    }


CALLS = [
    strong_wolfe, own_convolution, circular, isinstances,
    lambda m: round(float(m("optim.lbfgs")._cubic_interpolate(0.0, 1.0, m("").tensor(-1.0), 2.0, 2.0, 3.0)), 5),
    lambda m: float(m("optim.lbfgs")._cubic_interpolate(0.0, 1.0, m("").tensor(-1.0), 2.0, 2.0, 3.0, (1.0, 1.125))),
    lambda m: repr(m("optim.optimizer").required),
    lambda m: repr(m("autograd.functional")._as_tuple(m("").ones(1))),
    lambda m: repr(m("autograd.functional")._as_tuple([1, 2])),
    lambda m: repr(m("autograd.functional")._as_tuple((m("").ones(1),), "x", "f")),
    lambda m: [x.requires_grad for x in m("autograd.functional")._grad_preprocess((m("").ones(1),), False, True)],
    lambda m: repr(m("nn.modules.module")._addindent("a\nb", 4)),
    lambda m: repr(m("nn.modules.transformer")._get_clones(m("nn").Linear(1, 2), 3)),
    lambda m: m("nn.modules.transformer")._get_activation_fn("gelu").__name__,
    lambda m: [m("nn.modules.utils")._ntuple(3)(2), m("nn.modules.utils")._reverse_repeat_tuple((1, 2), 2)],
    lambda m: m("nn.init")._calculate_correct_fan(m("").ones(3, 4, 5), "fan_out"),
    lambda m: m("utils.data._utils.collate").default_collate([1.5, 2.5]).tolist(),
    lambda m: m("utils.data._utils").collate.default_convert([3, "a"]),
    lambda m: m("_utils")._flatten_dense_tensors([m("").ones(2, 2), m("").zeros(1)]).tolist(),
    lambda m: [x.tolist() for x in m("_utils")._unflatten_dense_tensors(
        m("").arange(5.0), [m("").ones(2, 2), m("").zeros(1)])],
    lambda m: tuple(m("distributions.utils")._standard_normal((2, 3), m("").float64, "cpu").shape),
    lambda m: m("_tensor").Tensor is m("").Tensor,
    lambda m: repr(m("_jit_internal").Optional[int]),
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_private_helpers_do_what_pytorchs_do(call: Any) -> None:
    theirs, ours = both(call)
    assert theirs == ours
