"""A listener is given a call's arguments in one form, however they were written and however often the op has run."""

from __future__ import annotations

from typing import Any

import pytest

import dyncore as torch
from dyncore.dispatch import entries
from dyncore.dispatch.registry import TABLE
from dyncore.dispatch.specialize.cache import WARM
from dyncore.graph import events, modes


class Arguments(events.Listener):
    """Keeps the arguments of each call."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, tuple[Any, ...], dict[str, Any]]] = []

    def op(self, op: Any, args: Any, kwargs: Any, result: Any, started: float, ended: float) -> None:
        self.calls.append((len(args), tuple(each for each in args if not isinstance(each, torch.Tensor)), kwargs))


CALLS: list[tuple[str, tuple[Any, ...], dict[str, Any], tuple[Any, ...], dict[str, Any]]] = [
    ("softmax", (0,), {}, (0,), {}),
    ("softmax", (), {"dim": 0}, (0,), {}),
    ("sum", (), {"dim": 0}, (0,), {}),
    ("sum", (0, True), {}, (0, True), {}),
    ("sum", (), {"keepdim": True, "dim": 0}, (0, True), {}),
    ("sum", (), {"keepdim": True}, (), {"keepdim": True}),
    ("sum", (None, True), {}, (), {"keepdim": True}),
    ("sum", (0,), {"keepdim": False, "dtype": torch.float64}, (0,), {"dtype": torch.float64}),
    ("mean", (None,), {}, (), {}),
]


@pytest.mark.parametrize(("name", "args", "kwargs", "shown", "named"), CALLS)
def test_arguments_are_reported_alike_however_often_the_op_ran(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any], shown: tuple[Any, ...], named: dict[str, Any]
) -> None:
    """By position up to the first one that is its default, by name from there on."""
    function = entries.entry(TABLE[name])
    x = torch.tensor([[0.5, -1.5]], requires_grad=True)
    listener = Arguments()
    with events.listen(listener):
        for _ in range(WARM + 2):
            function(x, *args, **kwargs)
        assert "warm" not in function.__code__.co_names
    assert [(1 + len(shown), shown, named)] * (WARM + 2) == listener.calls


def test_capture_is_given_the_arguments_as_written_however_often_the_op_ran() -> None:
    """Options left out are not recorded as their defaults."""
    x = torch.ones(2, 1)
    for _ in range(WARM + 2):
        x.expand(2, 3)
    calls: list[tuple[Any, ...]] = []

    class Tape:
        def forward(self, op: Any, args: Any, kwargs: Any, raws: Any, named: Any) -> Any:
            calls.append((op.name, args[1:], kwargs))
            return op.forward(*raws, **named)

        def made(self, *given: Any) -> None:
            pass

    token = modes._mode.set(modes.changed(modes.current(), tape=Tape()))
    try:
        x.expand(2, 3)
    finally:
        modes._mode.reset(token)
    assert [("expand", (2, 3), {})] == calls


def test_tensor_as_a_whole_number_makes_no_further_ops_however_often_the_op_ran() -> None:
    """`one_hot(labels, labels.max() + 1)` is one op, not also the comparisons that its forward does."""
    function = entries.entry(TABLE["one_hot"])
    labels, classes = torch.tensor([0, 1]), torch.tensor(3)
    listener = Arguments()
    with events.listen(listener):
        for _ in range(WARM + 2):
            function(labels, classes)
    assert [(2, (), {})] * (WARM + 2) == listener.calls
