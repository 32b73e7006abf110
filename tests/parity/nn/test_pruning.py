"""`nn.utils.prune`, `stateless`, fusing of normalizations, `DataParallel` and `set_submodule`, against PyTorch's."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dyncore

torch = pytest.importorskip("torch")
pytest.importorskip("torch.nn.utils.prune")


def model(engine: Any) -> Any:
    """Two layers with the same weights in both engines."""
    engine.manual_seed(3)
    return engine.nn.Sequential(engine.nn.Conv2d(2, 4, 3), engine.nn.Flatten(), engine.nn.Linear(16, 5))


def mine(engine: Any) -> Any:
    """A method of one's own: every other element."""

    class EveryOther(engine.nn.utils.prune.BasePruningMethod):
        PRUNING_TYPE = "unstructured"

        def compute_mask(self, t: Any, default_mask: Any) -> Any:
            mask = default_mask.clone()
            mask.view(-1)[::2] = 0
            return mask

    return EveryOther


def globally(e: Any, m: Any, way: str, **options: Any) -> None:
    prune = e.nn.utils.prune
    prune.global_unstructured([(m[0], "weight"), (m[2], "weight")], getattr(prune, way), **options)


WAYS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "identity": lambda p, e, m: p.identity(m[0], "bias"),
    "l1": lambda p, e, m: p.l1_unstructured(m[2], "weight", 0.3),
    "l1 by scores": lambda p, e, m: p.l1_unstructured(m[2], "bias", 2, importance_scores=e.arange(5.0)),
    "random": lambda p, e, m: p.random_unstructured(m[0], "weight", amount=11),
    "random slices": lambda p, e, m: p.random_structured(m[0], "weight", amount=2, dim=0),
    "shortest slices": lambda p, e, m: p.ln_structured(m[0], "weight", amount=0.5, n=2, dim=1),
    "mask": lambda p, e, m: p.custom_from_mask(m[2], "bias", e.tensor([1, 0, 1, 1, 0])),
    "global": lambda p, e, m: globally(e, m, "L1Unstructured", amount=0.4),
    "global by chance": lambda p, e, m: globally(e, m, "RandomUnstructured", amount=20),
    "own": lambda p, e, m: mine(e).apply(m[2], "weight"),
    "again": lambda p, e, m: [p.l1_unstructured(m[0], "weight", amount=0.3) for _ in range(3)],
    "slices, then elements": lambda p, e, m: (
        p.ln_structured(m[0], "weight", amount=1, n=float("inf"), dim=-1),
        p.ln_structured(m[0], "weight", amount=1, n=1, dim=0),
        p.l1_unstructured(m[0], "weight", amount=3),
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_pruning_is_pytorchs(way: str) -> None:
    """The same names in the state dict, masks, outputs and gradients; and the same once it is made permanent."""
    results = []
    for engine in (torch, dyncore):
        prune, made = engine.nn.utils.prune, model(engine)
        engine.manual_seed(7)
        WAYS[way](prune, engine, made)
        assert prune.is_pruned(made)
        output = made(engine.ones(1, 2, 4, 4))
        (output * output).sum().backward()
        found = {name: value.detach().numpy() for name, value in made.state_dict().items()}
        found |= {f"grad {name}": value.grad.numpy() for name, value in made.named_parameters()}
        for layer in made:
            for name in ("weight", "bias"):
                if hasattr(layer, f"{name}_mask"):
                    prune.remove(layer, name)
        assert not prune.is_pruned(made)
        found |= {f"left {name}": value.detach().numpy() for name, value in made.state_dict().items()}
        results.append({**found, "output": made(engine.ones(1, 2, 4, 4)).detach().numpy()})
    assert list(results[0]) == list(results[1])
    for name, expected in results[0].items():
        np.testing.assert_allclose(results[1][name], expected, rtol=1e-4, atol=1e-5, err_msg=name)


FAULTS: list[Callable[[Any, Any], Any]] = [
    lambda e, p: p.l1_unstructured(model(e)[2], "weight", 1.5),
    lambda e, p: p.l1_unstructured(model(e)[2], "weight", -1),
    lambda e, p: p.l1_unstructured(model(e)[2], "weight", "all"),
    lambda e, p: p.l1_unstructured(model(e)[2], "bias", 6),
    lambda e, p: p.random_structured(model(e)[2], "bias", 1, 0),
    lambda e, p: p.random_structured(model(e)[2], "weight", 1, 2),
    lambda e, p: p.remove(e.nn.ReLU(), "weight"),
    lambda e, p: p.global_unstructured([], p.LnStructured, importance_scores=3, amount=1, n=2),
    lambda e, p: p.global_unstructured([(model(e)[2], "bias")], p.LnStructured, amount=1, n=2),
    lambda e, p: e.nn.utils.skip_init(int),
    lambda e, p: e.nn.utils.fusion.fuse_linear_bn_eval(e.nn.Linear(2, 3), e.nn.BatchNorm1d(2)),
    lambda e, p: e.nn.utils.fusion.fuse_conv_bn_eval(e.nn.Conv1d(2, 3, 1), e.nn.BatchNorm1d(3)),
    lambda e, p: model(e).set_submodule("", e.nn.ReLU()),
    lambda e, p: model(e).set_submodule("7", e.nn.ReLU(), strict=True),
    lambda e, p: model(e).set_submodule("0.weight", e.nn.ReLU()),
]


@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_faults_are_pytorchs(number: int) -> None:
    """The same kind of error with the same sentence."""
    errors = []
    for engine in (torch, dyncore):
        with pytest.raises((ValueError, TypeError, AttributeError, IndexError, RuntimeError, AssertionError)) as error:
            FAULTS[number](engine, engine.nn.utils.prune)
        errors.append((error.type, str(error.value).replace("torch.nn.utils.prune", "dyncore.nn.utils.prune")))
    assert errors[0] == errors[1]


def test_a_normalization_worked_into_the_layer_before_it() -> None:
    """The fused layer does what both did, and what PyTorch's does."""
    outputs = []
    for engine in (torch, dyncore):
        engine.manual_seed(1)
        conv, linear = engine.nn.Conv1d(2, 3, 2), engine.nn.Linear(4, 3, bias=False)
        for layer, fuse, shape in (
            (conv, engine.nn.utils.fuse_conv_bn_eval, (5, 2, 4)), (linear, engine.nn.utils.fuse_linear_bn_eval, (5, 4)),
        ):  # fmt: skip
            norm = engine.nn.BatchNorm1d(3)
            norm(layer(engine.randn(*shape)))
            norm.eval(), layer.eval()
            x = engine.randn(*shape)
            fused = fuse(layer, norm)
            np.testing.assert_allclose(fused(x).detach(), norm(layer(x)).detach(), rtol=1e-4, atol=1e-5)
            outputs.append(fused(x).detach().numpy())
    for expected, actual in zip(outputs[:2], outputs[2:], strict=True):
        np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-5)


def test_wrappers_of_modules() -> None:
    """DataParallel's names and text, a module called with other weights, one put in the place of another."""
    texts = []
    for engine in (torch, dyncore):
        made = engine.nn.DataParallel(model(engine))
        made.module.set_submodule("1", engine.nn.Flatten(start_dim=1))
        made.module.set_submodule("extra", engine.nn.ReLU())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            zeros = {name: engine.zeros_like(value) for name, value in made.module.named_parameters()}
            output = engine.nn.utils.stateless.functional_call(made.module, zeros, engine.ones(1, 2, 4, 4))
        texts.append((repr(made), list(made.state_dict()), output.tolist(), made(engine.ones(1, 2, 4, 4)).shape))
    assert texts[0] == texts[1]
    state = dyncore.get_rng_state()
    assert (3, 2) == dyncore.nn.utils.skip_init(dyncore.nn.Linear, 2, 3).weight.shape
    assert dyncore.equal(state, dyncore.get_rng_state())
