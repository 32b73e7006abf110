"""A recording that is replayed often becomes one function, and says yes to nothing that the slow way refuses."""

from __future__ import annotations

import gc
import sys
import threading
from typing import Any

import pytest

import dyncore as torch
from dyncore.capture import guards
from dyncore.capture.replay import entry
from dyncore.graph import events
from tests.unit.core.capture.check import bits

FACTOR = 2.0


def model(x: Any) -> Any:
    return (x * FACTOR if x.sum() > 0 else x - FACTOR).sum()


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


def often(compiled: Any, *args: Any) -> Any:
    """The compiled function after enough replays, with its entry made."""
    for _ in range(6):
        compiled(*args)
    assert compiled._entries, str(compiled.explain())
    return compiled


def test_replays_are_counted_and_paths_are_learnt() -> None:
    """Both ways through the branch, in one function, and every replay is counted."""
    compiled = often(torch.compile(model), leaf(1.0, 2.0))
    assert 5 == compiled.explain().hits
    below = leaf(-1.0, -2.0)
    assert bits(model(below)) == bits(compiled(below))
    often(compiled, leaf(-3.0, 1.0))
    for values in ((1.0, 5.0), (-1.0, 0.5), (2.0, -7.0)):
        x, y = leaf(*values), leaf(*values)
        compiled(x).backward()
        model(y).backward()
        assert bits(y.grad) == bits(x.grad)
    assert 2 == compiled.explain().recordings


def test_the_world_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A global that changes, another shape, dtype or mode, and a listener, are seen as before."""
    compiled = often(torch.compile(model), leaf(1.0, 2.0))
    monkeypatch.setitem(globals(), "FACTOR", 5.0)
    assert [5.0, 5.0] == torch.autograd.grad(compiled(x := leaf(1.0, 2.0)), x)[0].tolist()
    assert 15.0 == compiled(leaf(1.0, 1.0, 1.0)).item()
    assert torch.float64 == compiled(leaf(1.0, 2.0).double()).dtype
    with torch.no_grad():
        assert not compiled(leaf(1.0, 2.0)).requires_grad
    heard: list[str] = []

    class Listener(events.Listener):
        def op(self, op: Any, *_: Any) -> None:
            heard.append(op.name)

    x = leaf(1.0, 2.0)
    with events.listen(Listener()):
        compiled(x)
    assert ["sum", "gt", "mul", "sum"] == heard


def test_one_tensor_for_two_arguments() -> None:
    """What was recorded for two does not fit, nor the other way round."""
    compiled = torch.compile(lambda a, b: (a * b).sum())
    twice = leaf(2.0, 3.0)
    for _ in range(6):
        compiled(twice, twice)
    often(compiled, leaf(1.0, 1.0), leaf(2.0, 2.0))
    for _ in range(2):
        twice.grad = None
        compiled(twice, twice).backward()
        assert [4.0, 6.0] == twice.grad.tolist()
        a, b = leaf(2.0, 3.0), leaf(5.0, 7.0)
        compiled(a, b).backward()
        assert ([5.0, 7.0], [2.0, 3.0]) == (a.grad.tolist(), b.grad.tolist())


def test_hooks_and_retained_gradients_use_general_backward() -> None:
    """A leaf's hook, one on the result, a gradient that has a history, and `retain_graph`."""
    compiled = often(torch.compile(model), leaf(1.0, 2.0))
    x = leaf(1.0, 2.0)
    seen: list[Any] = []
    x.register_hook(lambda g: seen.append(g.tolist()))
    y = compiled(x)
    y.register_hook(lambda g: g * 3)
    y.backward()
    assert ([[6.0, 6.0]], [6.0, 6.0]) == (seen, x.grad.tolist())
    other = leaf(1.0, 2.0)
    y = compiled(other)
    y.backward(retain_graph=True)
    y.backward()
    assert [4.0, 4.0] == other.grad.tolist()
    for _ in range(2):
        compiled(other).backward()
    assert [8.0, 8.0] == other.grad.tolist()
    other.grad = (other * 2).detach().requires_grad_() * 1
    compiled(other).backward()
    assert [4.0, 6.0] == other.grad.tolist()


@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_many_leaves_get_what_an_ordinary_call_gives(count: int) -> None:
    """Also where one of them stands twice, has a hook, a gradient already, or one with a history."""

    def product(*given: Any) -> Any:
        total = given[0]
        for each in given[1:]:
            total = total * each + each
        return total.sum()

    compiled = torch.compile(product)
    often(compiled, *[leaf(1.0, 2.0) for _ in range(count)])

    def gradients(run: Any, same: tuple[int, int] | None, prepare: Any) -> list[Any]:
        leaves = [leaf(1.0 + n, 2.0 - n) for n in range(count)]
        if same is not None:
            leaves[same[1]] = leaves[same[0]]
        prepare(leaves[-1])
        for _ in range(2):
            run(*leaves).backward()
        return [bits(each.grad) for each in leaves]

    def remember(leaf: Any) -> None:
        leaf.grad = torch.ones(2)

    def history(leaf: Any) -> None:
        leaf.grad = torch.ones(2, requires_grad=True) * 2

    preparations = (lambda leaf: None, lambda leaf: leaf.register_hook(lambda g: g * 3), remember, history)
    for same in (None, (0, count - 1), (count - 2, count - 1)):
        for prepare in preparations:
            assert gradients(product, same, prepare) == gradients(compiled, same, prepare)


def test_a_second_backward_is_refused_with_the_line_of_the_first() -> None:
    """As without `compile`: what was saved is freed, and where is told."""
    compiled = torch.compile(lambda x: (x * x).tanh().sum())
    often(compiled, leaf(1.0, 2.0))
    x = leaf(1.0, 2.0)
    for _ in range(2):
        y = compiled(x)
        y.backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time") as caught:
        y.backward()
    assert any("y.backward()" in note for note in caught.value.__notes__)


def test_a_leaf_written_in_place_after_the_forward() -> None:
    """The saved value has changed, and backward says so."""
    compiled = often(torch.compile(lambda x: (x * x).sum()), leaf(1.0, 2.0))
    x = leaf(1.0, 2.0)
    y = compiled(x)
    with torch.no_grad():
        x.add_(1.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_results_in_containers_and_several_parts() -> None:
    """A dictionary of results of which one leads to another; gradients go back through both."""

    def both(x: Any) -> Any:
        inner = (x * x).sum()
        return {"inner": inner, "outer": (inner.tanh(), 3)}

    compiled = often(torch.compile(both), leaf(0.5, 0.25))
    x, y = leaf(0.5, 0.25), leaf(0.5, 0.25)
    for function, at in ((both, x), (compiled, y)):
        found = function(at)
        assert 3 == found["outer"][1]
        (found["inner"] * 2 + found["outer"][0]).backward()
    assert bits(x.grad) == bits(y.grad)


def test_forgotten_with_everything_else() -> None:
    """`reset` leaves no entry behind."""
    compiled = often(torch.compile(model), leaf(1.0, 2.0))
    compiled.reset()
    compiled(leaf(1.0, 2.0))
    assert (1, 0) == (compiled.explain().recordings, compiled.explain().hits)


def test_a_tree_of_numbers_has_to_be_the_same_tree() -> None:
    """The very same tree takes the entry; one that is equal, one of other numbers and a list are asked as before."""
    x = leaf(1.0, 2.0)

    def summed(tree: Any, x: Any) -> Any:
        return x * tree if not isinstance(tree, (tuple, list)) else summed(tree[0], x) + summed(tree[1], x)

    def built() -> Any:
        return 1, (2, (3.5, True))

    tree = built()
    compiled = often(torch.compile(summed), tree, x)
    hits = compiled.explain().hits
    for each in (tree, built(), (1.0, (2, (3.5, True))), (1, (2, (3.5, 1))), [1, (2, (3.5, True))], tree):
        assert bits(summed(each, x)) == bits(compiled(each, x))
    assert hits + 3 == compiled.explain().hits
    held = [1, 2]
    for _ in range(6):
        compiled((held, 3), x)
    for number in (2, 5, 9):
        held[1] = number
        assert bits(summed((held, 3), x)) == bits(compiled((held, 3), x))


def test_another_recording_leaves_the_entries_of_the_first() -> None:
    """A function that meets a new shape after many calls goes on replaying the old one as one function."""
    compiled = often(torch.compile(model), leaf(1.0, 2.0))
    (entry,) = compiled._entries
    compiled(leaf(1.0, 2.0, 3.0))
    assert entry in compiled._entries
    compiled(leaf(-1.0, -2.0))
    assert entry not in compiled._entries
    assert bits(model(leaf(-4.0, 1.0))) == bits(compiled(leaf(-4.0, 1.0)))


def test_many_shapes_have_each_its_entry() -> None:
    """Sequences of forty lengths: each is one function, and is asked for no other length."""
    compiled = torch.compile(model)
    lengths = [torch.ones(n) * (-1) ** n for n in range(1, 41)]
    for _ in range(6):
        for x in lengths:
            assert bits(model(x)) == bits(compiled(x))
    assert 40 == len(compiled._entries)
    assert [1] * 40 == [len(each) for each in compiled._by_shape.values()]
    hits = compiled.explain().hits
    for x in lengths:
        compiled(x)
        compiled(x.double())
    assert hits + 40 == compiled.explain().hits
    compiled.reset()
    assert compiled._by_shape is None


def test_method_of_a_class_is_compiled_for_each_object() -> None:
    """`Class.method` is the compiled function itself; objects call it with themselves."""

    class Scaled:
        def __init__(self, k: float) -> None:
            self.k = k

        @torch.compile
        def times(self, x: Any) -> Any:
            return x * self.k

    for k in (2.0, 3.0, 2.0):
        assert [k] == Scaled(k).times(torch.ones(1)).tolist() == Scaled.times(Scaled(k), x=torch.ones(1)).tolist()
    assert Scaled.times.explain().hits


def test_collector_and_profiler_are_left_as_they_were() -> None:
    """A collector that is off stays off; under a profiler of another nothing is recorded."""
    compiled = torch.compile(lambda x: x * 2)
    gc.disable()
    try:
        compiled(torch.ones(1))
        assert not gc.isenabled()
    finally:
        gc.enable()
    seen: list[str] = []
    sys.setprofile(lambda frame, event, _: seen.append(event))
    try:
        assert [2.0, 2.0] == compiled(torch.ones(2)).tolist()
        assert sys.getprofile() is not None
    finally:
        sys.setprofile(None)
    assert "return" in seen
    assert "a profiler is active" in str(compiled.explain())


def test_entries_of_calls_by_name_and_of_other_shapes_stay_when_one_is_made_anew() -> None:
    """A path that one shape learns drops its own entries alone."""
    compiled = torch.compile(model)
    for x in (leaf(1.0, 2.0), leaf(1.0), leaf(1.0, 2.0, 3.0), leaf(1.0, 2.0, 3.0, 4.0)):
        for _ in range(6):
            compiled(x)
            compiled(x=x)
    assert (4, 4) == (len(compiled._entries), len(compiled._named))
    below = leaf(-1.0, -2.0)
    assert bits(model(below)) == bits(compiled(below)) == bits(compiled(x=below))
    assert (3, 3) == (len(compiled._entries), len(compiled._named))
    for x in (leaf(3.0), leaf(-3.0, 1.0), leaf(0.5, 2.0, 3.0), leaf(5.0, 6.0, 7.0, 8.0)):
        assert bits(model(x)) == bits(compiled(x)) == bits(compiled(x=x))


def test_functions_with_too_much_around_them_are_called_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """More values than can be named, or than one expression compares: right, and said."""
    table = {name: float(n) for n, name in enumerate("abcdefgh")}
    few, many = (torch.compile(lambda x: x * table["c"]) for _ in range(2))
    monkeypatch.setattr(guards, "MOST_TERMS", 5)
    monkeypatch.setattr(entry, "MOST_TERMS", 5)
    for _ in range(8):
        assert [2.0] == few(torch.ones(1)).tolist()
    assert not few._entries and few.explain().hits == 7
    table["c"] = 7.0
    assert [7.0] == few(torch.ones(1)).tolist()
    monkeypatch.setattr(guards, "MOST_VALUES", 5)
    for _ in range(3):
        assert [7.0] == many(torch.ones(1)).tolist()
    assert "more than 5 values can be named from the function" in str(many.explain())


def test_calls_in_another_thread_while_one_is_recorded_are_ordinary() -> None:
    """The recording is of one thread; what it leaves is replayed."""
    found: list[Any] = []

    def slow(x: Any) -> Any:
        if not found:
            found.append(None)
            other = threading.Thread(target=lambda: found.append(compiled(torch.full((2,), 3.0)).tolist()))
            other.start()
            other.join()
        return x * 2

    compiled = torch.compile(slow)
    for _ in range(3):
        assert [2.0, 2.0] == compiled(torch.ones(2)).tolist()
    assert [None, [6.0, 6.0]] == found
