"""Coverage of functions and Modules of the running process."""

import json
from pathlib import Path

import numpy as np
import pytest

import dyncli
import dyncore as torch
from dyncli import errors


def forward(x, steps=1):
    """Decides by the sum."""
    for _ in range(steps):
        if x.sum() > 0:
            x = x * 2
        elif x.sum() < -100:
            raise OverflowError("far below")
        else:
            x = x - 2
    return x


class Net(torch.nn.Module):
    """A layer behind a test, with a running mean."""

    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(2, 1)
        self.register_buffer("seen", torch.zeros(()))

    def forward(self, x):
        """Decides by the mean."""
        self.seen += 1
        if self.seen > 1:
            raise RuntimeError("kept")
        return self.fc(x) if x.mean() > 0 else self.fc(-x)


def unrelated(x):
    """Nobody calls it."""
    return x if x > 0 else -x


def test_arms_never_reached_are_named():
    """Only those of functions that the model may call."""
    found = dyncli.cover(forward, [[1.0, 2.0], [-1.0, -2.0]])
    assert [("x.sum() < -100", "then")] == [(arm.site.text.removeprefix("elif "), arm.name) for arm in found.missed]
    assert (2, 0) == (found.data.tally.runs, len(found.data.missing))
    assert 0 < found.percent < 100
    assert {"forward"} == {site.function for site in found.data.subject.sites}
    assert "test_covering.py:forward" in str(found)
    assert repr(found).endswith("2 inputs>")


def test_inputs_that_raise_are_counted():
    """With the line."""
    found = dyncli.cover(forward, ([value] for value in (1.0, -1.0, -1000.0)))
    assert 100.0 == found.percent and () == tuple(found.missed)
    assert {"ok": 2, "raised": 1} == {word: group.count for word, group in found.data.outcomes}
    assert "OverflowError" in str(found)


def test_inputs_by_position_and_by_name():
    """A tuple, a dict, an array, a tensor."""
    data = [(np.array([1.0]), 2), {"x": [-1.0], "steps": 3}, np.array([5.0]), torch.tensor([-200.0])]
    assert 4 == dyncli.cover(forward, data).data.tally.inputs
    assert 100.0 == dyncli.cover(forward, data).percent


def test_module_is_put_back_before_each_input_and_in_the_end():
    """Buffers, gradients, and the random numbers."""
    net = Net()
    net.fc.weight.grad = kept = torch.ones(1, 2)
    weight, state = net.fc.weight.tolist(), torch.get_rng_state()
    found = dyncli.cover(net, [[1.0, 2.0], [-1.0, -2.0], [3.0, 3.0]])
    assert {"ok": 3} == {word: group.count for word, group in found.data.outcomes}
    assert 0.0 == net.seen.item() and net.fc.weight.grad is kept and None is net.fc.bias.grad
    assert weight == net.fc.weight.tolist() and torch.equal(state, torch.get_rng_state())


def test_limits_stop_an_input():
    """As `--max-ops` does."""
    found = dyncli.cover(forward, [([1.0], 3), ([1.0], 1000)], max_ops=50)
    assert {"ok": 1, "limit": 1} == {word: group.count for word, group in found.data.outcomes}


def test_report_is_saved_by_suffix(tmp_path):
    """As `-o` does."""
    found = dyncli.cover(forward, [[1.0]])
    found.save(tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text())
    found.save(tmp_path / "report.html")
    assert "<html" in (tmp_path / "report.html").read_text()
    with pytest.raises(ValueError, match="`.pdf` names no format"):
        found.save(tmp_path / "report.pdf")


def test_bad_arguments():
    """No input, a limit that is none, inputs that do not fit."""
    with pytest.raises(ValueError, match="`inputs` cannot be"):
        dyncli.cover(forward, [])
    with pytest.raises(ValueError, match="`timeout` cannot be -1"):
        dyncli.cover(forward, [[1.0]], timeout=-1)
    with pytest.raises(TypeError, match="missing a required argument: 'x'"):
        dyncli.cover(forward, [{"y": 1}])
    with pytest.raises(errors.NotAModel):
        dyncli.cover("net.py", [[1.0]])


def test_interrupt_goes_through():
    """It is the user's, not the model's."""

    def interrupted(x):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        dyncli.cover(interrupted, [[1.0]])


@pytest.mark.parametrize(
    "inputs", ["data.jsonl", Path("data.jsonl"), {"x": [1.0]}, 3], ids=["text", "path", "dict", "number"]
)
def test_one_input_or_a_file_instead_of_a_list_of_inputs_is_refused(inputs):
    """The letters of a name, or the keys of a dict, are no inputs."""
    with pytest.raises(ValueError, match="`inputs` cannot be") as caught:
        dyncli.cover(forward, inputs)
    assert "dyncli cover --inputs FILE" in caught.value.hint


def test_inputs_that_raise_are_counted_in_the_repr():
    """Nobody takes them for runs."""
    assert repr(dyncli.cover(forward, [[1.0], "a"])).endswith("2 inputs, 1 raised>")


def test_model_without_source_is_refused():
    """It would be said to decide nothing, and to be covered whole."""
    names = {}
    exec(compile("def made(x):\n    return x if x.sum() > 0 else -x", "<unknown>", "exec"), names)
    with pytest.raises(errors.PathNotRecorded, match="`made`"):
        dyncli.cover(names["made"], [[1.0]])


def test_function_without_source_that_a_model_calls_is_warned_of():
    """The arms of the others are counted."""
    names = {}
    exec(compile("def inner(x):\n    return x if x.sum() > 0 else -x", "<stdin>", "exec"), names)
    inner = names["inner"]

    def outer(x):
        return inner(x) if x.sum() > 5 else x

    with pytest.warns(errors.DecisionsNotRecorded, match="`inner`"):
        assert 50 == dyncli.cover(outer, [[1.0]]).percent
