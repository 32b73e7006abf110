"""Private names of PyTorch's that scripts import are there and do what PyTorch's do."""

from __future__ import annotations

import warnings
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

    class Standardized(conv._ConvNd):
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


def functional_optimizers(module: Any) -> Any:
    """Three steps of each functional optimizer from the same states."""
    t = module("")
    adam = {"beta1": 0.9, "beta2": 0.99, "lr": 0.1, "weight_decay": 0.01, "eps": 1e-8}
    kinds = {
        "adam": (3, {**adam, "amsgrad": True, "maximize": False}), "adamw": (3, {**adam, "amsgrad": True,
        "maximize": True}), "adamax": (2, adam), "radam": (2, adam), "nadam": (3, {**adam, "momentum_decay": 0.004}),
        "adagrad": (1, {"lr": 0.1, "weight_decay": 0.1, "lr_decay": 0.1, "eps": 1e-8, "maximize": False}),
        "adadelta": (2, {"lr": 0.1, "rho": 0.9, "eps": 1e-8, "weight_decay": 0.1, "maximize": False}),
        "rmsprop": (3, {"lr": 0.1, "alpha": 0.9, "eps": 1e-8, "weight_decay": 0.1, "momentum": 0.5, "centered": True}),
    }  # fmt: skip
    found = []
    for name, (states, options) in kinds.items():
        p = [t.arange(3.0, dtype=t.float64) - 1, t.ones(2, 2, dtype=t.float64)]
        lists = [[t.zeros_like(x) for x in p] for _ in range(states)]
        if name == "nadam":
            lists[2] = [t.tensor(1.0), t.tensor(1.0)]
        steps = [t.tensor(0.0), t.tensor(0.0)]
        for number in range(3):
            getattr(module(f"optim.{name}"), name)(p, [x.sin() + number for x in p], *lists, steps, **options)
        found.append([name, *([round(each, 9) for each in x.flatten().tolist()] for x in p), [float(s) for s in steps]])
    p, buffers = [t.ones(2, dtype=t.float64)], [None]
    options = {"weight_decay": 0.1, "momentum": 0.9, "lr": 0.1, "dampening": 0.0, "nesterov": True, "maximize": False}
    for _ in range(2):
        module("optim._functional").sgd(p, [p[0] * 2], buffers, **options)
    return [*found, [round(each, 9) for each in p[0].tolist() + buffers[0].tolist()]]


def own_attention(module: Any) -> Any:
    """Parts of attention that scripts copy from `torch.nn.functional`."""
    t, f = module(""), module("nn.functional")
    x, mask = t.arange(6.0).reshape(3, 2), t.tensor([True, False])
    weight, bias = t.arange(12.0).reshape(6, 2), t.arange(6.0)
    added = f._canonical_mask(mask, "mask", None, "", t.float32)
    assert f._none_or_dtype(x) is x.dtype and f._none_or_dtype(None) is None
    assert not f.has_torch_function((x,)) and f.torch is t
    return [[each.tolist() for each in f._in_projection_packed(x, x, x, weight, bias)], added.tolist()]


def old_norms(module: Any) -> Any:
    """The hooks of the old norms, applied and removed by their own methods."""
    t, kinds = module(""), (module("nn.utils.weight_norm").WeightNorm, module("nn.utils.spectral_norm").SpectralNorm)
    found = []
    for kind, given in zip(kinds, ((0,), (2, 0, 1e-12)), strict=True):
        t.manual_seed(0)
        layer = t.nn.Linear(3, 2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of PyTorch's
            hook = kind.apply(layer, "weight", *given)
        out = layer(t.arange(3.0)).tolist()
        names = sorted(layer.state_dict())
        hook.remove(layer)
        found.append([isinstance(hook, kind), names, [round(each, 5) for each in out], sorted(layer.state_dict())])
    return found


def own_subclasses(module: Any) -> Any:
    """Tensors and parameters of a script's own classes."""
    t = module("")

    class Named(t.Tensor):  # type: ignore[name-defined,misc]
        def title(self) -> str:
            return "named"

    class Tagged(t.nn.Parameter):  # type: ignore[name-defined,misc]
        def __new__(cls, data: Any, tag: str) -> Any:
            made = t.Tensor._make_subclass(cls, data, True)
            made.tag = tag
            return made

    x = t.ones(2, requires_grad=True)
    named, tagged = (x * 2).as_subclass(Named), Tagged(t.zeros(2), "a")
    (named * 3).sum().backward()
    layer = t.nn.Module()
    layer.weight = tagged
    return [named.title(), x.grad.tolist(), tagged.tag, tagged.is_leaf, [name for name, _ in layer.named_parameters()]]


def loader_iterators(module: Any) -> Any:
    """The number of batches also of an iterator that has given some."""
    loader = module("utils.data").DataLoader(list(range(5)), batch_size=2)
    batches = iter(loader)
    first = next(batches).tolist()
    known = isinstance(batches, module("utils.data.dataloader")._BaseDataLoaderIter)
    return [known, first, len(batches), iter(batches) is batches, [batch.tolist() for batch in batches]]


def own_optimizer(module: Any) -> Any:
    """An optimizer and a schedule derived from private names."""
    t, optimizer = module(""), module("optim.optimizer")

    class Descent(optimizer.Optimizer):
        def __init__(self, params: optimizer.ParamsT) -> None:
            super().__init__(params, {"lr": 0.5, "differentiable": False})

        @optimizer._use_grad_for_differentiable
        def step(self) -> bool:
            for group in self.param_groups:
                for p in group["params"]:
                    p -= optimizer._get_value(t.tensor(group["lr"])) * p.grad
            return bool(t.is_grad_enabled())

    class Half(module("optim.lr_scheduler")._LRScheduler):
        def get_lr(self) -> list[float]:
            return [group["lr"] / 2 for group in self.optimizer.param_groups]

    p = t.nn.Parameter(t.ones(2))
    descent = Descent([p])
    (p * p).sum().backward()
    graded = [descent.step()]
    Half(descent)
    assert optimizer._default_to_fused_or_foreach([p], False) == (False, False) or t.__name__ == "torch"
    return [graded, p.tolist(), descent.param_groups[0]["lr"]]


def consumed(module: Any) -> Any:
    state = module("nn").Module.state_dict(module("nn").DataParallel(module("nn").Linear(1, 1)))
    module("nn.modules.utils").consume_prefix_in_state_dict_if_present(state, "module.")
    return [list(state), list(state._metadata.items())]


CALLS = [
    functional_optimizers, own_attention, own_optimizer, consumed,
    lambda m: [m("nn._reduction").get_enum(each) for each in ("none", "mean", "sum")],
    lambda m: m("utils.checkpoint").get_device_states(m("").ones(1)),
    lambda m: [x.requires_grad for x in m("utils.checkpoint").detach_variable((m("").ones(1, requires_grad=True),))],
    lambda m: m("utils.data._utils.collate").default_collate_err_msg_format.format(1),
    lambda m: list(m("_C")._infer_size(m("").Size([2, 1]), m("").Size([3]))),
    lambda m: m("_C")._nn.gelu(m("").zeros(1)).tolist(),
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
    lambda m: repr(m("jit.annotations").List[int]),
    lambda m: m("nn.functional")._verify_batch_size([2, 1]),
    lambda m: m("_jit_internal")._copy_to_script_wrapper(lambda x: x)(1),
    lambda m: [m("distributions.transforms")._InverseTransform.__name__, m("cuda")._initialized],
    lambda m: m("futures").Future[int].__args__[0] is int and m("").Future is not None,
    lambda m: [t := m("").ones(1), t._cdata == t._cdata, t._cdata == t.clone()._cdata][1:],
    old_norms, own_subclasses, loader_iterators,
    lambda m: [m("serialization").MAP_LOCATION is None, m("serialization").FileLike is None],
    lambda m: repr(m("distributions.constraints").interval(upper_bound=2.0, lower_bound=1.0)),
]  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_private_helpers_do_what_pytorchs_do(call: Any) -> None:
    theirs, ours = both(call)
    assert theirs == ours


def test_legacy_reductions_warn_as_pytorchs_do() -> None:
    for engine in ENGINES:
        with pytest.warns(UserWarning, match="please use reduction='sum' instead"):
            assert "sum" == import_module(f"{engine}.nn._reduction").legacy_get_string(False, None)
        with pytest.warns(UserWarning, match="Please use reduction='mean' instead"):
            t = import_module(engine)
            assert 4.0 == t.nn.functional.mse_loss(t.ones(2), -t.ones(2), reduction="elementwise_mean").item()


def test_what_is_imported_and_not_here_raises_when_used() -> None:
    """An import alone does not stop a script."""
    from dyncore.nn.parallel._functions import Broadcast

    with pytest.raises(NotImplementedError, match="torch.nn.parallel._functions.Broadcast is not part of dyncore"):
        Broadcast.apply([0], None)
