"""Names of parameters in scripts that build their modules inside functions."""

from __future__ import annotations

from pathlib import Path

from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request

MODEL = """\
import dyncore as torch
from dyncore import nn


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2, self.fc3 = nn.Linear(3, 2), nn.Linear(2, 2), nn.Linear(2, 3)

    def encode(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))

    def decode(self, z):
        return self.fc3(z)


def main():
    vae = VAE()
    vae.decode(vae.encode(torch.ones(3))).sum().backward()


main()
"""
TRAINER = """\
import dyncore as torch
from dyncore import nn


class Trainer:
    def __init__(self):
        self.policy, self.critic = nn.Sequential(nn.Linear(3, 2), nn.Tanh()), nn.Linear(2, 1)

    def step(self):
        self.critic(self.policy(torch.ones(3))).sum().backward()


Trainer().step()
"""
FUNCTIONAL = """\
import dyncore as torch
from dyncore import nn
from dyncore.nn import functional as F


def flat(net):
    return torch.cat([p.flatten() for p in net.parameters()])


def main():
    net = nn.Sequential(nn.Linear(2, 1), nn.Linear(1, 1))
    start = flat(net).detach().requires_grad_()
    (start * 2).sum().backward()
    w, b = net[0].parameters()
    F.linear(torch.ones(2), w, b).sum().backward()


main()
"""


def names(folder: Path, source: str) -> list[str]:
    """The names of the parameters that got gradients."""
    script = folder / "script.py"
    script.write_text(source)
    record = next(iter(record_model(Request(str(script), ()))))
    return [each.name for each in record.backwards[-1].gradients if each.role == "parameter"]


def test_parameters_of_a_model_used_through_other_methods_have_paths(tmp_path: Path) -> None:
    """Not those of three layers that were called by themselves."""
    expected = [f"fc{place}.{kind}" for place in (1, 2, 3) for kind in ("weight", "bias")]
    assert expected == names(tmp_path, MODEL)


def test_parameters_of_modules_that_an_object_holds_have_its_names(tmp_path: Path) -> None:
    """The attributes of `self`, where several modules are called from outside any other."""
    assert ["policy.0.weight", "policy.0.bias", "critic.weight", "critic.bias"] == names(tmp_path, TRAINER)


GROWING = """\
import dyncore as torch
from dyncore import nn


class Layer(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size, 2))

    def forward(self, x):
        return x @ self.weight.t()

    def grow(self, weight):
        self.weight = nn.Parameter(weight)


def main():
    net = nn.Sequential(Layer(2), Layer(1))
    x = torch.ones(3, 2)
    net(x).sum().backward()
    net[0].grow(torch.cat([net[0].weight, torch.ones(1, 2)]).detach())
    net[1].grow(torch.ones(1, 3))
    net(x).sum().backward()
    net[0].grow(torch.ones(4, 2))


main()
"""


def test_parameter_that_is_replaced_has_the_path_it_had_at_each_backward(tmp_path: Path) -> None:
    """Not that of the line which made it: `self.weight` of every layer that grows."""
    script = tmp_path / "script.py"
    script.write_text(GROWING)
    record = next(iter(record_model(Request(str(script), ()))))
    found = [
        [(each.name, record.tensors[each.tensor].shape) for each in backward.gradients if each.role == "parameter"]
        for backward in record.backwards
    ]
    assert [[("0.weight", (2, 2)), ("1.weight", (1, 2))], [("0.weight", (3, 2)), ("1.weight", (1, 3))]] == found


COUNTED = """\
import dyncore as torch
from dyncore import nn

calls = 0


class Net(nn.Linear):
    def named_parameters(self, *args, **kwargs):
        global calls
        calls += 1
        return super().named_parameters(*args, **kwargs)


net, free = Net(2, 1), nn.Parameter(torch.ones(2))
net(torch.ones(2)).sum().backward()
(net(torch.ones(2)) * free.sum()).sum().backward()
before = calls
for step in range(5):
    x = torch.ones(2, requires_grad=True)
    (net(x) * free.sum()).sum().backward()
torch.ones(calls - before + 1).sum()
"""


def test_parameters_are_not_sought_again_for_leaves_that_are_none(tmp_path: Path) -> None:
    """Inputs are new in every step, and a parameter that no module holds stays without a path."""
    script = tmp_path / "script.py"
    script.write_text(COUNTED)
    record = next(iter(record_model(Request(str(script), ()))))
    assert (1,) == record.tensors[record.ops[-1].inputs[0]].shape


def test_parameters_of_a_module_that_is_never_called_have_paths(tmp_path: Path) -> None:
    """Nor are they named by the variable of the loop that read them."""
    assert ["0.bias", "0.weight", "1.bias", "1.weight"] == sorted(names(tmp_path, FUNCTIONAL))
