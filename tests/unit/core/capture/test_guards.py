"""Each thing a recording takes for granted: when it changes, the call is recorded anew, and `explain()` says why."""

from __future__ import annotations

import copy
import sys
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore import nn
from tests.unit.core.capture.check import bits

FACTOR = 2.0
SETTINGS = {"scale": 3.0}


def text(compiled: Any) -> str:
    return str(compiled.explain())


def settle(compiled: Any, *args: Any) -> None:
    """Records and replays once."""
    before = compiled.explain().hits
    compiled(*args)
    compiled(*args)
    assert compiled.explain().hits > before, text(compiled)


CHANGES = {
    "shape": (lambda: torch.ones(2), lambda: torch.ones(3), "`x`: expected float32 [2], saw float32 [3]"),
    "dtype": (lambda: torch.ones(2), lambda: torch.ones(2).double(), "`x`: expected float32 [2], saw float64 [2]"),
    "strides": (
        lambda: torch.ones(2, 3), lambda: torch.ones(3, 2).T, "saw float32 [2, 3] with strides [1, 2]",
    ),
    "requires grad": (
        lambda: torch.ones(2), lambda: torch.ones(2, requires_grad=True),
        "`x`: expected float32 [2], saw float32 [2], a leaf that requires grad",
    ),
    "leaf": (
        lambda: torch.ones(2, requires_grad=True), lambda: torch.ones(2, requires_grad=True) * 1,
        "saw float32 [2], computed and requires grad",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", CHANGES)
def test_a_property_of_a_tensor(what: str) -> None:
    """Another one is recorded, and both are replayed from then on."""
    first, second, explained = CHANGES[what]
    compiled = torch.compile(lambda x: x * FACTOR + 1)
    for make in (first, second):
        settle(compiled, make())
    assert explained in text(compiled)
    assert bits(second() * FACTOR + 1) == bits(compiled(second()))
    assert 2 == len(compiled.explain().paths)


@pytest.mark.parametrize(
    "count",
    [
        lambda x: (lambda place: x[place].sum() * 2 / place.shape[0])(torch.where(x > 0)[0]),
        lambda x: (lambda found: found[0].sum() / found[0].shape[0])(torch.unique(x, return_counts=True)),
    ],
)
def test_shape_that_depends_on_values_is_replayed_only_where_it_is_as_recorded(count) -> None:
    """The others are calls of the function itself, one for each call."""
    compiled = torch.compile(count)
    for values in ([1.0, -1, -1], [1.0, -1, -1], [2.0, -1, -1], [1.0, 2, -1], [1.0, 2, 3], [3.0, -1, -1]):
        assert bits(count(torch.tensor(values))) == bits(compiled(torch.tensor(values)))
    explained = compiled.explain()
    assert (1, 2) == (explained.recordings, explained.eager)


@pytest.mark.whole
def test_function_that_misses_more_often_than_it_fits_is_called_itself() -> None:
    """After 32 misses and the limit of recordings nothing is tried any more: no guard fails, none is replayed."""
    compiled = torch.compile(lambda x: x * 2 if x.item() > 0 else x * x.item(), dynamic=False)
    for number in range(90):
        assert bits(torch.tensor((number - 200.0) ** 2)) == bits(compiled(torch.tensor(number - 200.0)))
    before = compiled.explain()
    for number in range(20):
        compiled(torch.tensor(number - 300.0))
    after = compiled.explain()
    assert 20 == after.eager - before.eager
    assert before.failures == after.failures


def test_the_grad_mode() -> None:
    """Under `no_grad` nothing is kept for backward."""
    compiled = torch.compile(lambda x: x * x)
    x = torch.ones(2, requires_grad=True)
    settle(compiled, x)
    with torch.no_grad():
        settle(compiled, x)
        assert not compiled(x).requires_grad
    assert compiled(x).requires_grad
    assert "grad mode: expected on, saw off" in text(compiled)


def test_plain_arguments_by_value() -> None:
    """Numbers, strings, lists and dicts of them; 1, 1.0 and True are three values."""
    compiled = torch.compile(lambda x, how: x * (how["k"] if isinstance(how, dict) else how))
    x = torch.arange(3)
    for how in (1, 1.0, True, 2, {"k": 5}, {"k": 6}, 0.0, -0.0):
        expected = x * (how["k"] if isinstance(how, dict) else how)
        for _ in range(3):
            assert bits(expected) == bits(compiled(x, how))
    assert "`how`: expected 1, saw 1.0" in text(compiled)


def test_a_global(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number that the function reads from its module."""
    compiled = torch.compile(lambda x: x * FACTOR)
    settle(compiled, torch.ones(1))
    monkeypatch.setitem(globals(), "FACTOR", 5.0)
    assert [5.0] == compiled(torch.ones(1)).tolist()
    assert "FACTOR: expected 2.0, saw 5.0" in text(compiled)


def test_an_entry_of_a_global_dict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Containers are compared by what they hold."""
    compiled = torch.compile(lambda x: x * SETTINGS["scale"])
    settle(compiled, torch.ones(1))
    monkeypatch.setitem(SETTINGS, "scale", 7.0)
    assert [7.0] == compiled(torch.ones(1)).tolist()
    assert "SETTINGS['scale']: expected 3.0, saw 7.0" in text(compiled)


def test_a_closure() -> None:
    """A variable of the enclosing function."""
    k = 2

    def function(x: Any) -> Any:
        return x * k

    compiled = torch.compile(function)
    settle(compiled, torch.ones(1))
    k = 9
    assert [9.0] == compiled(torch.ones(1)).tolist()
    assert "k: expected 2, saw 9" in text(compiled)


def helper(x: Any) -> Any:
    return x + FACTOR


def test_a_function_that_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its globals, and which function the name means."""
    compiled = torch.compile(lambda x: helper(x) * 1)
    settle(compiled, torch.zeros(1))
    monkeypatch.setitem(globals(), "FACTOR", 4.0)
    assert [4.0] == compiled(torch.zeros(1)).tolist()
    monkeypatch.setitem(globals(), "helper", lambda x: x - 1)
    assert [-1.0] == compiled(torch.zeros(1)).tolist()


class Net(nn.Module):
    rate = 1.0

    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Sequential(nn.Linear(2, 2), nn.Dropout(0.5))
        self.bias = 1.0

    def forward(self, x: Any) -> Any:
        return self.inner(x) * self.bias * self.rate


def test_training_flags() -> None:
    """`eval()` of a module below turns its dropout off."""
    torch.manual_seed(0)
    model = Net()
    compiled = torch.compile(model)
    settle(compiled, torch.ones(1, 2))
    model.eval()
    settle(compiled, torch.ones(1, 2))
    assert bits(model(torch.ones(1, 2))) == bits(compiled(torch.ones(1, 2)))
    assert "training: expected True, saw False" in text(compiled)


def test_attributes_of_modules_and_classes() -> None:
    """Of the object, of its class, a parameter that is another one, a layer that is replaced or added."""
    model = Net().eval()
    compiled = torch.compile(model)
    x = torch.ones(1, 2)

    def check() -> None:
        settle(compiled, x)
        assert bits(model(x)) == bits(compiled(x))

    check()
    model.bias = 3.0
    check()
    Net.rate = 5.0
    try:
        check()
    finally:
        Net.rate = 1.0
    model.inner[0].weight = nn.Parameter(torch.ones(2, 2))
    check()
    model.inner[0] = nn.Linear(2, 2, bias=False)
    check()
    model.inner.append(nn.Tanh())
    check()
    model.register_forward_hook(lambda module, args, output: output * 2)
    assert bits(model(x)) == bits(compiled(x))


def test_parameters_by_their_values() -> None:
    """An optimizer's step, `load_state_dict`, `.data` and `requires_grad_`: the tensor is looked at at every call."""
    model = nn.Linear(2, 2)
    compiled = torch.compile(model)
    x = torch.ones(1, 2)
    settle(compiled, x)
    for change in (
        lambda: torch.optim.SGD(model.parameters(), 0.1).step(),
        lambda: model.load_state_dict({k: v * 2 for k, v in model.state_dict().items()}),
        lambda: setattr(model.weight, "data", torch.ones(2, 2)),
        lambda: model.weight.requires_grad_(False),
        lambda: model.double() and None,
    ):
        model(x.to(model.weight.dtype)).sum().backward()
        change()
        x = x.to(model.weight.dtype)
        assert bits(model(x)) == bits(compiled(x))
        assert model(x).requires_grad == compiled(x).requires_grad


@dataclass
class Tree:
    value: Any
    children: list[Tree] = field(default_factory=list)
    tag: str = ""


def test_objects_as_arguments() -> None:
    """Compared by structure: another tree of the same shape is replayed, one of another shape is not."""

    @torch.compile
    def total(tree: Any) -> Any:
        result = tree.value * 1
        for child in tree.children:
            result = result + total(child) * 2
        return result

    def grow(values: list[float]) -> Tree:
        return Tree(torch.tensor(values[0]), [Tree(torch.tensor(v)) for v in values[1:]])

    for values in ([1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [1.0, 2.0, 3.0], [3.0, 4.0, 5.0], [7.0]):
        assert values[0] + 2 * sum(values[1:]) == total(grow(values)).item()
    assert total.explain().hits >= 2, text(total)


def test_bound_methods_and_partials() -> None:
    """A decorated method is compiled for each object; a partial keeps its arguments."""

    class Scaler:
        def __init__(self, k: float) -> None:
            self.k = k

        @torch.compile
        def __call__(self, x: Any) -> Any:
            return x * self.k

    two, three = Scaler(2.0), Scaler(3.0)
    for _ in range(3):
        assert ([2.0], [3.0]) == (two(torch.ones(1)).tolist(), three(torch.ones(1)).tolist())
    two.k = 8.0
    assert [8.0] == two(torch.ones(1)).tolist()
    scaled = torch.compile(partial(lambda x, k: x * k, k=4.0))
    assert [4.0] * 3 == [scaled(torch.ones(1)).item() for _ in range(3)]


def test_the_default_dtype() -> None:
    """Tensors made inside follow it."""
    compiled = torch.compile(lambda x: x + torch.ones(2))
    settle(compiled, torch.zeros(2))
    torch.set_default_dtype(torch.float64)
    try:
        assert compiled(torch.zeros(2, dtype=torch.float32)).dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)


def test_decisions_are_explained_with_their_line() -> None:
    """What was expected, what was seen, and where."""

    def model(x: Any) -> Any:
        if x.sum() > 0:
            return x * 2
        return x - 2

    compiled = torch.compile(model)
    settle(compiled, torch.ones(2))
    compiled(-torch.ones(2))
    (failure,) = compiled.explain().failures
    assert ("bool()", "True", "False") == (failure.guard, failure.expected, failure.seen)
    assert failure.line.endswith("`if x.sum() > 0:`")
    assert [("bool() is True",), ("bool() is False",)] == [
        tuple(outcome for _, outcome in path.decisions) for path in compiled.explain().paths
    ]


def test_loops_are_paths_of_their_length() -> None:
    """As many paths as lengths seen; each decision is one in the tree."""

    def halve(x: Any) -> Any:
        while x.abs().max() > 1:
            x = x / 2
        return x

    compiled = torch.compile(halve)
    for top in (1.0, 3.0, 9.0, 3.5, 1000.0, 0.5, 8.0, 900.0):
        x = torch.tensor([top, 0.5])
        assert bits(halve(x)) == bits(compiled(x))
    assert 5 == len(compiled.explain().paths)
    assert 3 == compiled.explain().hits


def test_paths_are_bounded() -> None:
    """Past the limit every call is ordinary, and right."""
    compiled = torch.compile(lambda x: x * x.sum().item(), options={"cache_size_limit": 3})
    for k in range(60):
        x = torch.tensor([float(k)])
        assert [float(k * k)] == compiled(x).tolist()
    assert 3 == len(compiled.explain().paths)
    assert len(compiled.explain().failures) <= 100


def test_fullgraph_says_what_cannot_be_recorded() -> None:
    """As an error, with the line."""

    @torch.compile(fullgraph=True)
    def loud(x: Any) -> Any:
        print(x.shape)
        return x

    class Loud(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            print(x.shape)
            return x

    module = torch.compile(Loud(), fullgraph=True)
    for each in (loud, module, copy.deepcopy(module)):
        with pytest.raises(RuntimeError, match="calls `print`"):
            each(torch.ones(1))


def test_a_very_long_function_stays_ordinary(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recording takes time at every step, so it has an end."""
    from dyncore.capture import tape

    monkeypatch.setattr(tape, "MOST_STEPS", 20)

    def long(x: Any) -> Any:
        for _ in range(50):
            x = x * 0.99
        return x

    compiled = torch.compile(long)
    for _ in range(3):
        assert bits(long(torch.ones(2))) == bits(compiled(torch.ones(2)))
    assert "takes more than 20 steps" in text(compiled)


def test_reset_forgets() -> None:
    """`reset()` starts anew."""
    compiled = torch.compile(lambda x: x + 1)
    settle(compiled, torch.ones(1))
    compiled.reset()
    assert () == compiled.explain().paths
    settle(compiled, torch.ones(1))


def test_signatures() -> None:
    """What `torch.compile` takes; only callables can be compiled."""
    for given in ({}, {"mode": "max-autotune"}, {"dynamic": True}, {"backend": "eager"}):
        assert [2.0] == torch.compile(**given)(lambda x: x * 2)(torch.ones(1)).tolist()
    with pytest.raises(TypeError, match="expected a callable"):
        torch.compile(3)


def test_what_is_detached_is_replayed() -> None:
    """`detach` inside takes nothing from a recording, and its result has no history in a replay either."""
    compiled = torch.compile(lambda x: ((x * 2).detach() * x).sum())
    for values in ([1.0, 2.0], [3.0, -1.0], [0.5, 0.25]):
        x = torch.tensor(values, requires_grad=True)
        compiled(x).backward()
        assert [2 * each for each in values] == x.grad.tolist()
    assert 2 == compiled.explain().hits, str(compiled.explain())


def test_what_cannot_be_recorded_is_not_asked_about_at_every_call() -> None:
    """A function that is refused for good runs after a look at its arguments: it cost 20 us a call."""
    compiled = torch.compile(lambda x: x * float(np.random.default_rng(0).random()))
    x = torch.ones(2)
    for _ in range(4):
        compiled(x)
    ran: list[str] = []

    def hook(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_globals.get("__name__", "").startswith("dyncore.capture"):
            ran.append(frame.f_code.co_name)

    sys.setprofile(hook)
    try:
        compiled(x)
    finally:
        sys.setprofile(None)
    assert ["__call__", "__init__", "one", "tensor_key", "_hopeless", "_ordinary"] == ran
