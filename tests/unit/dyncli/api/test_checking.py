"""Gradient checks of functions and Modules of the running process."""

import numpy as np
import pytest

import dyncli
import dyncore as torch
from dyncli import errors


def forward(x):
    """Decides by the sum."""
    if x.sum() > 0:
        return x * x
    return x - 2


class Wrong(torch.autograd.Function):
    """Twice the gradient there should be."""

    @staticmethod
    def forward(ctx, x):
        """The sine."""
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx, g):
        """Wrong by a factor."""
        (x,) = ctx.saved_tensors
        return 2 * g * x.cos()


class Net(torch.nn.Module):
    """A layer behind a test, which counts its calls."""

    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(2, 1)
        self.calls = 0

    def forward(self, x):
        """Decides by the mean."""
        self.calls += 1
        return self.fc(x).tanh() if x.mean() > 0 else self.fc(-x)


def test_right_function_is_true_in_an_assertion():
    """And shows the tables of the command."""
    found = dyncli.gradcheck(forward, [1.0, -0.5, 2.0])
    assert found and "right" == found.verdict and "agrees" in found.message
    assert "test_checking.py:forward" in str(found) and repr(found).startswith("<Gradcheck right: ")
    assert "text/html" in found._repr_mimebundle_()


def test_wrong_gradient_names_the_line():
    """The one that applies the function."""
    found = dyncli.gradcheck(lambda x: Wrong.apply(x), torch.tensor([0.3, 0.5]))
    assert not found and "wrong" == found.verdict
    assert "backward" in found.message or "Wrong" in found.message
    assert found.data.place.file.endswith("test_checking.py")


def test_kink_is_told_from_a_wrong_gradient():
    """The path is known."""
    assert "kink" == dyncli.gradcheck(lambda x: x * 2 if x > 1 else x * 3 - 1, torch.tensor(1.0)).verdict


def test_module_is_left_as_it_was():
    """Values, dtypes, memory, gradients, and the random numbers."""
    net = Net()
    weight, bias = net.fc.weight, net.fc.bias
    weight.grad = kept = torch.ones(1, 2)
    before = [each.detach().clone() for each in (weight, bias)]
    memory = weight.detach()
    state, numpy_state = torch.get_rng_state(), np.random.get_state()[1].copy()
    found = dyncli.gradcheck(net, (torch.tensor([1.0, 2.0]),), order=2)
    assert found, str(found)
    assert {"x", "fc.weight", "fc.bias"} <= {check.name for check in found.data.checks}
    assert net.fc.weight is weight and weight.grad is kept and None is bias.grad
    assert all(torch.equal(now, then) for now, then in zip((weight, bias), before))
    assert torch.float32 == weight.dtype == torch.get_default_dtype()
    memory[0, 0] = 9.0
    assert 9.0 == weight[0, 0].item()
    assert torch.equal(state, torch.get_rng_state()) and (numpy_state == np.random.get_state()[1]).all()


def test_double_parameters_have_their_values_again():
    """Probes write into their own memory."""
    net = Net().double()
    before = net.fc.weight.tolist()
    assert dyncli.gradcheck(net, torch.tensor([1.0, 2.0], dtype=torch.float64), wrt="fc.weight")
    assert before == net.fc.weight.tolist()


def test_function_that_gives_something_else_each_time():
    """It cannot be loaded again, and is found out."""
    calls = []

    def unsteady(x):
        calls.append(0)
        return x * len(calls)

    assert "nondeterministic" == dyncli.gradcheck(unsteady, [1.0]).verdict


def test_inputs_by_name_and_by_position():
    """A dict, a tuple, or the only one."""

    def scaled(x, factor=1.0):
        return x * factor

    assert {"x", "factor"} == {
        check.name for check in dyncli.gradcheck(scaled, {"x": [1.0], "factor": 2.5}).data.checks
    }
    assert dyncli.gradcheck(scaled, (np.array([1.0, 2.0]), 3))


@pytest.mark.parametrize(
    ("options", "kind", "message"),
    [
        ({"order": 3}, ValueError, "`order` cannot be 3"),
        ({"directions": 0}, ValueError, "`directions` cannot be 0"),
        ({"rtol": -1.0}, ValueError, "`rtol` cannot be -1.0"),
        ({"eps": 0.0}, ValueError, "`eps` cannot be 0.0"),
        ({"atol": float("inf")}, ValueError, "`atol` cannot be inf"),
        ({"wrt": "y"}, ValueError, "`--wrt y` is no input"),
    ],
)
def test_bad_options_are_value_errors(options, kind, message):
    """With what would do."""
    with pytest.raises(kind) as caught:
        dyncli.gradcheck(forward, [1.0], **options)
    assert message in str(caught.value) and caught.value.__notes__


def test_options_are_those_of_the_command():
    """Whole numbers are not checked; `fast`, tolerances of 0, a seed and no inputs at all are taken."""

    def picked(x, index):
        return x[index] ** 2

    checked = dyncli.gradcheck(picked, (torch.tensor([1.0, 2.0]), torch.tensor([1])), fast=True, seed=1, rtol=0.0)
    assert ({"x"}, "right") == ({check.name for check in checked.data.checks}, checked.verdict)
    weight = torch.tensor([1.0], requires_grad=True)
    assert "right" == dyncli.gradcheck(lambda: weight * 2, locate=True, atol=1e-3).verdict


def test_model_that_raises():
    """The line that raised is named, the error itself is the cause."""

    def broken(x):
        raise KeyError("its own")

    with pytest.raises(errors.RunRaised, match="KeyError") as caught:
        dyncli.gradcheck(broken, [1.0])
    assert isinstance(caught.value.__cause__, KeyError)
