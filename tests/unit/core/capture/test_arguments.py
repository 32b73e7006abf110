"""Calls with names, containers and objects become one function, too, which fits no more than their key does."""

from __future__ import annotations

from collections import namedtuple
from enum import Enum
from typing import Any

import pytest

import dyncore as torch
from dyncore import nn
from tests.unit.core.capture.check import bits, tensors_in

Pair = namedtuple("Pair", "left right")


class Colour(Enum):
    RED = 1
    BLUE = 2


class Node:
    def __init__(self, value: Any, *children: Any) -> None:
        self.value = value
        self.children = children


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


def entries(compiled: Any) -> int:
    return len(compiled._entries) + len(compiled._named)


def same(function: Any, usual: Any, *others: Any) -> Any:
    """After calls as `usual()` have their entry, these and all others give what the function gives."""
    compiled = torch.compile(function)
    for _ in range(6):
        args, kwargs = usual()
        compiled(*args, **kwargs)
    assert entries(compiled) == 1, str(compiled.explain())
    hits = compiled.explain().hits
    args, kwargs = usual()
    compiled(*args, **kwargs)
    assert compiled.explain().hits == hits + 1
    for make in (*others, usual, *others):
        found = []
        for each in (function, compiled):
            args, kwargs = make()
            given = [*tensors_in(list(args)), *tensors_in(kwargs)]
            for one in given:
                one.grad = None
            result = each(*args, **kwargs)
            wanted = [one for one in tensors_in(result) if one.requires_grad]
            if wanted:
                torch.autograd.backward(wanted, [torch.ones_like(one) for one in wanted])
            found.append(([bits(one) for one in tensors_in(result)], [bits(one.grad) for one in given]))
        assert found[0] == found[1]
    return compiled


def scaled(x: Any, *, by: Any = 1.0, bias: Any = None) -> Any:
    y = x * by
    return (y if bias is None else y + bias).sum()


def test_arguments_by_name() -> None:
    """Other names, another order, other numbers and tensors are asked for."""
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    same(
        scaled,
        lambda: ((x,), {"by": 2.5, "bias": y}),
        lambda: ((x,), {"bias": y, "by": 2.5}),
        lambda: ((x,), {"by": 2.5}),
        lambda: ((x,), {"by": 3.5, "bias": y}),
        lambda: ((x,), {"by": y, "bias": y}),
        lambda: ((x,), {"by": 2.5, "bias": x}),
        lambda: ((x,), {"by": 2.5, "bias": leaf(1.0)}),
        lambda: ((x,), {}),
    )


@pytest.mark.whole
def test_numbers_that_compare_equal() -> None:
    """1, 1.0 and True, and the two zeros, are not each other."""

    def kind(x: Any, n: Any) -> Any:
        return x * (type(n).__name__ == "int") + x / (1.0 if n == 0 and str(n)[0] == "-" else 2.0)

    x = leaf(1.0, 2.0)
    numbers = [1, 1.0, True, 0, 0.0, -0.0, False, float("1.5"), 1.5, "1", 10**20, 10**20, None]
    for usual in numbers:
        same(kind if not isinstance(usual, str) else lambda x, n: x * len(str(n)), lambda usual=usual: ((x, usual), {}))
        compiled = torch.compile(lambda x, n: x * len(type(n).__name__) + x / (2.0 + (str(n)[0] == "-")))
        for each in [usual] * 6 + numbers:
            expected = x * len(type(each).__name__) + x / (2.0 + (str(each)[0] == "-"))
            assert bits(expected) == bits(compiled(x, each)), (usual, each)


@pytest.mark.whole
def test_lists_dicts_and_named_tuples() -> None:
    """Another length, another kind, another order of keys, and a number in the place of a tensor."""

    def total(batch: Any) -> Any:
        found = torch.zeros(2)
        names = "" if not isinstance(batch, dict) else "".join(map(str, batch))
        for n, each in enumerate(batch.values() if isinstance(batch, dict) else batch):
            found = found + (n + 1) * (total(each) if isinstance(each, (list, dict, tuple)) else each)
        return found * (1 + len(names)) * (2 if isinstance(batch, Pair) else 1) * (3 if names[:1] == "b" else 1)

    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    forms: list[Any] = [
        lambda: (({"a": x, "b": [y, (1.5, 2)]},), {}),
        lambda: (({"b": x, "a": [y, (1.5, 2)]},), {}),
        lambda: (({"a": x, "b": [y, (1.5, 2.0)]},), {}),
        lambda: (({"a": x, "b": [y, [1.5, 2]]},), {}),
        lambda: (({"a": x, "b": [y, (1.5, 2)], "c": 1},), {}),
        lambda: (([x, [y, (1.5, 2)]],), {}),
        lambda: ((Pair(x, y),), {}),
        lambda: (((x, y),), {}),
        lambda: (((x, x),), {}),
        lambda: (([],), {}),
        lambda: (({1: x, 2.0: y},), {}),
    ]
    for usual in forms[:-2]:
        same(total, usual, *forms)


def test_what_stands_twice() -> None:
    """A list or an object that stands twice is not two that are alike."""

    def same_one(a: Any, b: Any, x: Any) -> Any:
        return x * (2.0 if a is b else 3.0)

    x, held, node = leaf(1.0, 2.0), [1, 2], Node(1)
    forms: list[Any] = [
        lambda: (([1, 2], [1, 2], x), {}),
        lambda: ((held, held, x), {}),
        lambda: ((Node(1), Node(1), x), {}),
        lambda: ((node, node, x), {}),
        lambda: (((1, [2]), (1, [2]), x), {}),
        lambda: ((x, x, x), {}),
    ]
    for usual in forms:
        same(same_one, usual, *forms)
    assert 2 == len({bits(same_one(*form()[0])) for form in forms})


@pytest.mark.whole
def test_objects_by_the_attributes_in_use() -> None:
    """Another value, class, number of attributes or order of children."""

    class Leafless(Node):
        pass

    def walk(node: Any, x: Any) -> Any:
        found = x * node.value
        for n, child in enumerate(node.children):
            found = torch.tanh(found + (n + 1) * walk(child, x))
        return found * (2 if type(node) is Leafless else 1) + (node.extra if hasattr(node, "extra") else 0)

    def extra(value: int) -> Any:
        made = Node(1, Node(2), Node(3))
        made.extra = value
        return made

    x, shared = leaf(0.5, 0.25), Node(2)
    forms: list[Any] = [
        lambda: ((Node(1, Node(2), Node(3)), x), {}),
        lambda: ((Node(1, Node(3), Node(2)), x), {}),
        lambda: ((Node(1, Node(2), Node(3), Node(4)), x), {}),
        lambda: ((Leafless(1, Node(2), Node(3)), x), {}),
        lambda: ((extra(5), x), {}),
        lambda: ((extra(6), x), {}),
        lambda: ((Node(1, shared, shared), x), {}),
        lambda: ((Node(x, Node(2), Node(3)), x), {}),
    ]
    for usual in forms:
        same(walk, usual, *forms)


def test_functions_modules_and_members_of_enumerations() -> None:
    """The very same ones, and no others."""
    torch.manual_seed(0)
    first, second = nn.Linear(2, 2), nn.Linear(2, 2)

    def apply(what: Any, x: Any) -> Any:
        return x * what.value if isinstance(what, Enum) else what(x)

    x = leaf(1.0, 2.0)
    forms = [first, second, torch.tanh, torch.exp, Colour.RED, Colour.BLUE, first.forward, lambda x: x * 3]
    for usual in forms:
        same(apply, lambda usual=usual: ((usual, x), {}), *[lambda each=each: ((each, x), {}) for each in forms])


HELD: list[Any] = [2.0]


def test_an_argument_that_is_reached_by_a_name() -> None:
    """A list that the function also knows as a global is not another of the same contents."""

    def known(values: Any, x: Any) -> Any:
        return x * values[0] * (5.0 if values is HELD else 1.0)

    x = leaf(1.0, 2.0)
    compiled = same(known, lambda: (([2.0], x), {}))
    assert [10.0, 20.0] == compiled(HELD, x).tolist()


def test_views_as_arguments() -> None:
    """A row of a batch is a plain argument; one under `inference_mode` is not."""
    rows = torch.arange(6.0).reshape(3, 2)
    w = leaf(1.0, -1.0)
    compiled = same(lambda x: (x * w).sum(), lambda: ((rows[1],), {}), lambda: ((rows[2] * 1,), {}))
    with torch.inference_mode():
        special = torch.ones(2) * 3
    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        compiled(special)


def test_results_in_containers_of_their_own() -> None:
    """Dicts, named tuples, lists, arguments handed back and numbers; two calls share none of them."""

    def parts(x: Any, *, deep: bool) -> Any:
        y = x * 2
        return {"y": y, 3: [Pair(y.sum(), "text"), (x, y.tanh(), None)], "deep": deep}

    x = leaf(1.0, 2.0)
    compiled = same(parts, lambda: ((x,), {"deep": True}))
    first, second = compiled(x, deep=True), compiled(x, deep=True)
    assert ["y", 3, "deep"] == list(first)
    assert first is not second and first[3] is not second[3]
    assert (Pair, "text", x, None, True) == (
        type(first[3][0]),
        first[3][0].right,
        first[3][1][0],
        first[3][1][2],
        first["deep"],
    )
    assert first["y"] is not second["y"]


@pytest.mark.parametrize("positive", [1.0, -1.0])
def test_writes_and_draws_happen_once(positive: float) -> None:
    """A way that nobody has seen, met after a write and a draw: both are put back before the function runs itself."""
    torch.manual_seed(7)
    results = []
    for compile in (False, True):
        state, other = torch.zeros(2), torch.ones(2)

        def step(x: Any, state: Any = state, other: Any = other) -> Any:
            state.add_(x.detach())
            noise = torch.rand(2)
            other.mul_(noise)
            y = x * state + torch.randn(2)
            if y.sum() + 100 * positive > 0:
                return (y * 2).sum()
            return y.sum()

        torch.manual_seed(3)
        function = torch.compile(step) if compile else step
        found = []
        for n in range(20):
            x = leaf(0.1 * n, -0.2 if n % 7 else -500.0 * positive * n)
            y = function(x)
            y.backward()
            found.append((bits(y), bits(x.grad), bits(state), bits(other), torch.get_rng_state().tolist()))
        results.append(found)
    assert results[0] == results[1]
    assert entries(function) == 1 and function.explain().hits >= 12, str(function.explain())


def test_written_memory_that_others_see() -> None:
    """An argument that looks at what is written, is written itself, or is the same memory, is left to the engine."""
    buffer = torch.zeros(2)
    rows = torch.ones(3, 2)

    def write(x: Any) -> Any:
        before = x.sin()  # the same thing twice, unless `x` is what is written
        buffer.add_(1.0)
        return before + x.sin()

    def scale(x: Any, y: Any) -> Any:
        before = y.sin()
        x.mul_(2.0)
        return before * y.sin()

    cases: list[tuple[Any, list[Any]]] = [
        (write, [lambda: (torch.ones(2),), lambda: (buffer,), lambda: (buffer.detach(),), lambda: (buffer[:],)]),
        (scale, [lambda: (torch.ones(2), torch.ones(2)), lambda: (rows[0], rows[0]), lambda: (rows[1], rows[2])]),
        (scale, [lambda: (rows[0] * 1, rows[1] * 1), lambda: (x := torch.ones(2), x.detach())]),
    ]
    for function, forms in cases:
        results = []
        for each in (function, torch.compile(function)):
            buffer.zero_()
            rows.fill_(1.0)
            found = []
            for n in range(24):
                given = forms[n % len(forms) if n > 7 else 0]()
                found.append((bits(each(*given)), bits(buffer), bits(rows), *map(bits, given)))
            results.append(found)
        assert results[0] == results[1]
        assert entries(each) == 1


def test_a_write_after_the_forward_is_seen_by_the_backward() -> None:
    """What an entry wrote counts as a write at the user's line."""
    w = leaf(1.0, 2.0)
    state = torch.ones(2)

    def step(x: Any) -> Any:
        state.mul_(2.0)
        return (x * w).sum()

    compiled = torch.compile(step)
    for _ in range(8):
        compiled(torch.ones(2))
    before = (state * w).sum()
    compiled(torch.ones(2))
    with pytest.raises(RuntimeError, match="modified by an inplace operation") as caught:
        before.backward()
    assert "compiled(torch.ones(2))" in "\n".join(getattr(caught.value, "__notes__", ()))


def test_what_changed_in_an_object_is_said() -> None:
    """The attribute that differs from the nearest recording, by its name."""

    def walk(node: Any, x: Any) -> Any:
        return x * node.value if not node.children else walk(node.children[0], x) + node.value

    compiled = torch.compile(walk)
    x = leaf(1.0, 2.0)
    compiled(Node(1, Node(2)), x)
    compiled(Node(1, Node(5)), x)
    (failure,) = compiled.explain().failures
    assert ("`node`.children[0].value", "2", "5") == (failure.guard, failure.expected, failure.seen)
    again = Node(1)
    again.children = (again,)
    with pytest.raises(RecursionError):
        compiled(again, x)
