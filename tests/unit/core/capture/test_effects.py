"""What Python can do beside computing, each way once: the compiled function does it as often as the ordinary one."""

from __future__ import annotations

import enum
import types
from typing import Any

import pytest

import dyncore as torch
from dyncore import nn
from tests.unit.core.capture.check import bits

WEIGHT = torch.tensor([2.0], requires_grad=True)
MARK = object()
CONFIG = types.ModuleType("config")


class Mode(enum.Enum):
    DOUBLE = 1
    HALVE = 2


class Holder:
    total = 0

    def __init__(self) -> None:
        self.seen: Any = None
        self.scale_a, self.scale_b = 2.0, 3.0


def into_dict(x: Any, state: dict[str, Any]) -> Any:
    state["h"] = x * 2
    return x + 1


def into_list(x: Any, state: dict[str, Any]) -> Any:
    state.setdefault("list", []).append(x.shape[0])
    return x + 1


def into_object(x: Any, state: dict[str, Any]) -> Any:
    state["holder"].seen = x * 3
    return x + 1


def into_class(x: Any, state: dict[str, Any]) -> Any:
    Holder.total += 1
    return x + Holder.total


def into_function(x: Any, state: dict[str, Any]) -> Any:
    into_function.calls = getattr(into_function, "calls", 0) + 1
    return x + into_function.calls


def into_module(x: Any, state: dict[str, Any]) -> Any:
    CONFIG.last = x * 5
    return x + 1


def into_tensor(x: Any, state: dict[str, Any]) -> Any:
    x.note = "seen"
    return x + 1


def into_gradient(x: Any, state: dict[str, Any]) -> Any:
    WEIGHT.grad = None
    return x * WEIGHT


@pytest.mark.parametrize(
    "function",
    [into_dict, into_list, into_object, into_class, into_function, into_module, into_tensor, into_gradient],
    ids=lambda function: function.__name__,
)
def test_a_write_is_never_left_out(function: Any) -> None:
    """After four calls everything is as four ordinary calls leave it."""
    found = []
    for compiling in (False, True):
        Holder.total = 0
        vars(CONFIG).pop("last", None)
        vars(into_function).pop("calls", None)
        WEIGHT.grad = None
        call = torch.compile(function) if compiling else function
        state: dict[str, Any] = {"holder": Holder()}
        trace: list[Any] = []
        for k in range(4):
            x = torch.tensor([float(k)])
            trace.append(bits(call(x, state)))
            trace.append(bits(state.get("h")))
            trace.append(bits(state["holder"].seen))
            trace.append(bits(vars(CONFIG).get("last")))
            trace.append((list(state.get("list", [])), Holder.total, vars(into_function).get("calls"), vars(x)))
            trace.append(WEIGHT.grad)
            WEIGHT.grad = torch.ones(1)
        found.append(trace)
    assert found[0] == found[1]


def test_identity_of_tensors() -> None:
    """`is` between an argument and a tensor the function reaches by a name, both ways."""

    def own(x: Any) -> Any:
        return x * 2 if x is WEIGHT else x * 3

    compiled = torch.compile(own)
    other = torch.tensor([2.0], requires_grad=True)
    for given in (WEIGHT, other, WEIGHT, other, WEIGHT, other):
        assert bits(own(given)) == bits(compiled(given))
    compiled = torch.compile(own)
    for given in (other, other, WEIGHT, other):
        assert bits(own(given)) == bits(compiled(given))


def test_tensors_as_keys() -> None:
    """A table by tensor."""
    names = {WEIGHT: 5.0}
    compiled = torch.compile(lambda x: x * names.get(x, 1.0))
    other = torch.tensor([2.0], requires_grad=True)
    assert [2.0, 2.0, 10.0, 2.0] == [compiled(x).item() for x in (other, other, WEIGHT, other)]


def test_identity_of_objects_and_enumerations() -> None:
    """Members of an enumeration, and a mark that is compared by `is`."""

    def choose(x: Any, how: Any) -> Any:
        if how is Mode.DOUBLE:
            return x * 2
        return x * 7 if how is MARK else x / 2

    class Other:
        pass

    compiled = torch.compile(choose)
    x = torch.tensor([4.0])
    for how in (Mode.DOUBLE, Mode.HALVE, Mode.DOUBLE, Other(), Other(), MARK, Other(), MARK, Mode.HALVE):
        assert bits(choose(x, how)) == bits(compiled(x, how))


def test_attributes_by_computed_names() -> None:
    """`getattr` with a name that stands nowhere in the code."""
    holder = Holder()

    def scaled(x: Any, which: str) -> Any:
        return x * getattr(holder, "scale_" + which)

    compiled = torch.compile(scaled)
    for _ in range(2):
        assert [2.0, 3.0] == [compiled(torch.ones(1), which).item() for which in "ab"]
    holder.scale_b = 9.0
    assert [2.0, 9.0] == [compiled(torch.ones(1), which).item() for which in "ab"]


def test_attributes_of_arguments() -> None:
    """Of objects, by computed names too; of tensors."""

    def scaled(x: Any, holder: Any, which: str) -> Any:
        return x * getattr(holder, "scale_" + which)

    compiled = torch.compile(scaled)
    for scale in (2.0, 2.0, 5.0, 2.0, 5.0):
        holder = Holder()
        holder.scale_a = scale
        assert scale == compiled(torch.ones(1), holder, "a").item()

    def tagged(x: Any) -> Any:
        return x * x.tag if hasattr(x, "tag") else x

    compiled = torch.compile(tagged)
    for tag in (None, None, 3.0, 4.0, None):
        x = torch.ones(1)
        if tag is not None:
            x.tag = tag
        assert (tag or 1.0) == compiled(x).item()


def test_an_op_that_raises_and_is_caught() -> None:
    """Whether it raises depends on the values."""

    def inverse(x: Any) -> Any:
        try:
            return torch.linalg.inv(x)
        except RuntimeError:
            return x * 0

    compiled = torch.compile(inverse)
    singular, regular = torch.zeros(2, 2), torch.eye(2) * 2
    for x in (singular, singular, regular, singular, regular):
        assert bits(inverse(x)) == bits(compiled(x))


def test_containers_are_not_handed_out_twice() -> None:
    """A list that comes in goes out as itself; one made inside is new at every call."""
    compiled = torch.compile(lambda x, given: given)
    given = [torch.ones(1)]
    for _ in range(3):
        assert compiled(torch.ones(1), given) is given
    fresh = torch.compile(lambda x: [x * 1, "text"])
    first, second, third = (fresh(torch.ones(1)) for _ in range(3))
    third.append(1)
    assert 2 == len(first) == len(second)


class Memo(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.mask: Any = None

    def forward(self, x: Any) -> Any:
        if self.mask is None:
            self.mask = torch.tril(torch.ones(2, 2))
        return x * self.mask


def test_what_is_kept_after_the_first_call_is_recorded_then() -> None:
    """A mask made once; recorded as soon as the call changes nothing any more."""
    model = Memo()
    compiled = torch.compile(model)
    for _ in range(4):
        assert bits(torch.ones(2, 2) * torch.tril(torch.ones(2, 2))) == bits(compiled(torch.ones(2, 2)))
    assert compiled.explain().hits >= 1, str(compiled.explain())


def test_grad_modes_inside_and_leaks() -> None:
    """`no_grad` inside; a mode that is left behind is left behind at every call."""

    def inside(x: Any) -> Any:
        with torch.no_grad():
            y = x * 2
        return y + x

    compiled = torch.compile(inside)
    for _ in range(3):
        x = torch.ones(1, requires_grad=True)
        compiled(x).backward()
        assert [1.0] == x.grad.tolist()

    def leaky(x: Any) -> Any:
        torch.set_grad_enabled(False)
        return x * 2

    compiled = torch.compile(leaky)
    try:
        for _ in range(3):
            torch.set_grad_enabled(True)
            compiled(torch.ones(1))
            assert not torch.is_grad_enabled()
    finally:
        torch.set_grad_enabled(True)
