"""Module: what is registered, found again, called, hooked, saved and loaded."""

from __future__ import annotations

import copy
import pickle
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

import dyncore
from dyncore import nn
from dyncore.graph import events


class Net(nn.Module):
    """Two layers and a buffer."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(2, 3)
        self.second = nn.Linear(3, 1)
        self.scale = nn.Parameter(dyncore.tensor(2.0))
        self.register_buffer("shift", dyncore.ones(1))
        self.register_buffer("scratch", dyncore.zeros(1), persistent=False)

    def forward(self, x: Any) -> Any:
        return self.second(self.first(x).tanh()) * self.scale + self.shift


def test_parameters_are_found_by_path() -> None:
    """Own parameters first, then those of the modules below, in the order of assignment."""
    names = [name for name, _ in Net().named_parameters()]
    assert ["scale", "first.weight", "first.bias", "second.weight", "second.bias"] == names


def test_state_holds_parameters_and_persistent_buffers() -> None:
    """A buffer that is not persistent is no part of the state."""
    net = Net()
    assert ["scale", "shift", "first.weight", "first.bias", "second.weight", "second.bias"] == list(net.state_dict())
    assert ["shift", "scratch"] == [name for name, _ in net.named_buffers()]
    assert type(net.state_dict()) is OrderedDict


def test_a_shared_module_is_counted_once() -> None:
    """Parameters of a module used twice come once, and twice without remove_duplicate."""
    layer = nn.Linear(1, 1)
    net = nn.Sequential(layer, layer)
    assert 2 == len(list(net.parameters()))
    assert 4 == len(list(net.named_parameters(remove_duplicate=False)))


def test_an_attribute_changes_with_the_registered_dictionary() -> None:
    """Code that writes into `_parameters` sees its change in the attribute."""
    net = Net()
    other = nn.Parameter(dyncore.tensor(5.0))
    net._parameters["scale"] = other
    assert net.scale is other
    del net._parameters["scale"]
    with pytest.raises(AttributeError, match="'Net' object has no attribute 'scale'"):
        net.scale  # noqa: B018


def test_module_named_as_a_method_is_hidden_by_it() -> None:
    """Also when it is copied; the table has it."""

    class Stack(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.parameters = nn.ParameterList([nn.Parameter(dyncore.ones(2))])

    stack = Stack()
    for each in (stack, copy.deepcopy(stack)):
        assert 1 == len(list(each.parameters())) and ["parameters"] == list(each._modules)


def test_assigning_replaces_what_was_registered() -> None:
    """A module in place of a parameter, and None in place of a module."""
    net = Net()
    net.scale = nn.Identity()
    assert "scale" not in dict(net.named_parameters()) and isinstance(net.scale, nn.Identity)
    net.first = None
    assert ["second.weight", "second.bias"] == [name for name, _ in net.named_parameters()]


def test_a_tensor_is_no_parameter() -> None:
    """Assigning a plain tensor to a parameter's name raises PyTorch's sentence."""
    with pytest.raises(
        TypeError,
        match=r"cannot assign 'torch.FloatTensor' as parameter 'scale' \(torch.nn.Parameter or None expected\)",
    ):
        Net().scale = dyncore.ones(1)


def test_assignment_needs_init() -> None:
    """A parameter before `super().__init__()` is an error that says so."""

    class Early(nn.Module):
        def __init__(self) -> None:
            self.weight = nn.Parameter(dyncore.ones(1))

    with pytest.raises(AttributeError, match=r"cannot assign parameters before Module.__init__\(\) call"):
        Early()


def test_loading_lists_everything_that_does_not_fit() -> None:
    """One error names missing keys, unexpected keys and sizes."""
    state = OrderedDict(weight=dyncore.ones(2, 2), more=dyncore.ones(1))
    with pytest.raises(RuntimeError) as caught:
        nn.Linear(3, 2).load_state_dict(state)
    expected = (
        "Error(s) in loading state_dict for Linear:\n"
        '\tMissing key(s) in state_dict: "bias". \n'
        '\tUnexpected key(s) in state_dict: "more". \n'
        "\tsize mismatch for weight: copying a param with shape torch.Size([2, 2]) from checkpoint, the shape in "
        "current model "
        "is torch.Size([2, 3])."
    )
    assert expected == str(caught.value)


def test_loading_leniently_reports_the_keys() -> None:
    """`strict=False` returns what was missing and what was too much."""
    found = nn.Linear(3, 2).load_state_dict({"more": dyncore.ones(1)}, strict=False)
    assert (["weight", "bias"], ["more"]) == (found.missing_keys, found.unexpected_keys)
    assert "<All keys matched successfully>" == repr(Net().load_state_dict(Net().state_dict()))


def test_a_copy_shares_nothing() -> None:
    """deepcopy and pickle give modules with parameters of their own, registered as before."""
    net = Net()
    for other in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert other.first.weight is not net.first.weight
        assert other.first.weight is other.first._parameters["weight"]
        np.testing.assert_array_equal(other.first.weight.detach().numpy(), net.first.weight.detach().numpy())


def test_tables_of_hooks_hold_the_hooks_themselves() -> None:
    """Scripts look through them, as for the method that prunes a weight."""
    module = nn.Linear(2, 2)
    hook = lambda *given: None
    module.register_forward_hook(hook, with_kwargs=True, always_call=True)
    module.register_forward_pre_hook(hook)
    assert [hook] == list(module._forward_hooks.values()) == list(module._forward_pre_hooks.values())
    assert list(module._forward_hooks) == list(module._forward_hooks_with_kwargs)


def test_forward_hooks_see_and_change() -> None:
    """Pre-hooks change the arguments, hooks the result; removed ones are silent."""
    layer = nn.Identity()
    before = layer.register_forward_pre_hook(lambda module, args: (args[0] + 1,))
    after = layer.register_forward_hook(lambda module, args, result: result * 10)
    assert 20 == layer(1)
    before.remove()
    assert 10 == layer(1)
    after.remove()
    assert 1 == layer(1)


def test_hooks_may_take_keywords_and_come_first() -> None:
    """with_kwargs and prepend."""
    seen: list[Any] = []
    layer = nn.Identity()
    layer.register_forward_pre_hook(lambda module, args, kwargs: seen.append(("first", kwargs)), with_kwargs=True)
    layer.register_forward_pre_hook(lambda module, args: seen.append("earlier"), prepend=True)
    layer(input=3)
    assert ["earlier", ("first", {"input": 3})] == seen


def test_backward_hooks_see_gradients() -> None:
    """A full backward hook gets the gradients of inputs and outputs and may replace the inputs'."""
    seen: list[Any] = []

    def hook(module: Any, grad_input: Any, grad_output: Any) -> Any:
        seen.append((grad_input[0].tolist(), grad_output[0].tolist()))
        return (grad_input[0] * 2,)

    class Triple(nn.Module):
        def forward(self, x: Any) -> Any:
            return x * 3

    layer = Triple()
    layer.register_full_backward_hook(hook)
    x = dyncore.tensor([1.0, 2.0], requires_grad=True)
    layer(x).sum().backward()
    assert [([3.0, 3.0], [1.0, 1.0])] == seen
    assert [6.0, 6.0] == x.grad.tolist()


def test_a_listener_hears_of_every_module() -> None:
    """Entry and exit, also of modules that raise."""
    heard: list[str] = []

    class Listener(events.Listener):
        def enter_module(self, module: Any) -> None:
            heard.append("in " + type(module).__name__)

        def exit_module(self, module: Any) -> None:
            heard.append("out " + type(module).__name__)

    net = nn.Sequential(nn.Identity(), nn.Linear(2, 2))
    with events.listen(Listener()), pytest.raises(RuntimeError, match="mat1 and mat2"):
        net(dyncore.ones(1, 3))
    assert ["in Sequential", "in Identity", "out Identity", "in Linear", "out Linear", "out Sequential"] == heard


def test_a_module_without_forward_says_so() -> None:
    """PyTorch's sentence."""
    with pytest.raises(NotImplementedError, match=r'Module \[ModuleList\] is missing the required "forward" function'):
        nn.ModuleList()(1)


def test_modes_and_conversions_reach_all_modules() -> None:
    """eval, requires_grad_, double and zero_grad."""
    net = nn.Sequential(nn.Dropout(), nn.Sequential(nn.Linear(2, 2)))
    net.eval().requires_grad_(False).double()
    assert [False] * 4 == [module.training for module in net.modules()]
    assert {(False, dyncore.float64)} == {(p.requires_grad, p.dtype) for p in net.parameters()}


def test_containers_are_lists_and_dictionaries() -> None:
    """Indexing, slices, insertion, deletion; keys."""
    a, b, c = nn.ReLU(), nn.Tanh(), nn.GELU()
    layers = nn.ModuleList([a, b])
    layers.insert(1, c)
    assert [a, c, b] == list(layers) and b is layers[-1] and [c, b] == list(layers[1:])
    del layers[0]
    assert ["0", "1"] == list(layers._modules)
    named = nn.ModuleDict({"x": a})
    named["y"] = b
    assert ["x", "y"] == list(named) and a is named.pop("x")
    chain = nn.Sequential(OrderedDict(first=a, second=b))
    assert a is chain.first and [a] == list(chain[:1])


def test_lazy_layers_become_ordinary_ones() -> None:
    """The first input decides how many inputs a lazy layer has."""
    layer = nn.LazyLinear(3)
    assert "LazyLinear(in_features=0, out_features=3, bias=True)" == repr(layer)
    weight, bias = layer.parameters()
    assert "<UninitializedParameter>" == repr(weight) and isinstance(layer, nn.Linear)
    with pytest.raises(RuntimeError, match="Can't access the shape of an uninitialized parameter or buffer"):
        weight.shape  # noqa: B018
    optimizer = dyncore.optim.SGD(layer.parameters(), lr=1.0)
    assert (2, 3) == tuple(layer(dyncore.ones(2, 5)).shape)
    assert nn.Linear is type(layer) and (3, 5) == tuple(layer.weight.shape)
    assert weight is layer.weight and type(weight) is nn.Parameter
    layer(dyncore.ones(2, 5)).sum().backward()
    before = bias.tolist()
    optimizer.step()
    assert before != layer.bias.tolist()
    loaded = nn.LazyLinear(3)
    loaded.load_state_dict(layer.state_dict())
    assert dyncore.equal(layer(dyncore.ones(2, 5)), loaded(dyncore.ones(2, 5)))


def test_weight_norm_learns_length_and_direction() -> None:
    """The weight is computed from original0 and original1, both of which get gradients."""
    layer = nn.utils.parametrizations.weight_norm(nn.Linear(3, 2))
    before = layer.weight.detach().numpy()
    assert ["bias", "parametrizations.weight.original0", "parametrizations.weight.original1"] == list(
        layer.state_dict()
    )
    layer(dyncore.ones(1, 3)).sum().backward()
    assert all(p.grad is not None for p in layer.parameters())
    nn.utils.parametrize.remove_parametrizations(layer, "weight")
    np.testing.assert_allclose(layer.weight.detach().numpy(), before, rtol=1e-6)
    assert nn.Linear is type(layer)


def test_gradients_are_clipped_together() -> None:
    """The common norm becomes max_norm; the norm before is returned."""
    weights = [nn.Parameter(dyncore.ones(2)), nn.Parameter(dyncore.ones(2))]
    for weight in weights:
        weight.grad = dyncore.full((2,), 3.0)
    assert 6.0 == pytest.approx(nn.utils.clip_grad_norm_(weights, 1.5).item())
    np.testing.assert_allclose([w.grad.numpy() for w in weights], np.full((2, 2), 0.75), rtol=1e-5)
    nn.utils.clip_grad_value_(weights, 0.5)
    np.testing.assert_allclose([w.grad.numpy() for w in weights], np.full((2, 2), 0.5))


def test_parameters_become_a_vector_and_back() -> None:
    """parameters_to_vector and vector_to_parameters."""
    net = nn.Linear(2, 2)
    vector = nn.utils.parameters_to_vector(net.parameters())
    nn.utils.vector_to_parameters(vector * 2, net.parameters())
    np.testing.assert_allclose(net.weight.detach().numpy().reshape(-1), 2 * vector.detach().numpy()[:4])


@pytest.mark.parametrize("kind", ["RNN", "LSTM", "GRU"])
def test_packed_sequences_give_what_each_gives_alone(kind: str) -> None:
    """Outputs, last states and gradients of packed sequences are those of the sequences one by one, both directions."""
    layer = getattr(nn, kind)(3, 4, bidirectional=True).double()
    sequences = [dyncore.randn(length, 3, dtype=dyncore.float64) for length in (2, 4, 1)]
    packed = nn.utils.rnn.pack_sequence(sequences, enforce_sorted=False)
    output, last = layer(packed)
    rows = nn.utils.rnn.unpack_sequence(output)
    last = last[0] if kind == "LSTM" else last
    for number, sequence in enumerate(sequences):
        alone, end = layer(sequence)
        end = end[0] if kind == "LSTM" else end
        np.testing.assert_allclose(rows[number].detach().numpy(), alone.detach().numpy(), atol=1e-12)
        np.testing.assert_allclose(last[:, number].detach().numpy(), end.detach().numpy(), atol=1e-12)


def test_padding_keeps_lengths() -> None:
    """pad_sequence, pack_padded_sequence and back."""
    sequences = [dyncore.ones(3, 2), dyncore.ones(1, 2)]
    padded = nn.utils.rnn.pad_sequence(sequences, padding_value=9.0)
    assert (3, 2, 2) == tuple(padded.shape)
    packed = nn.utils.rnn.pack_padded_sequence(padded, [3, 1])
    assert [2, 1, 1] == packed.batch_sizes.tolist()
    again, lengths = nn.utils.rnn.pad_packed_sequence(packed, padding_value=9.0)
    assert [3, 1] == lengths.tolist() and padded.tolist() == again.tolist()


def test_getattr_of_a_subclass_sees_each_read_of_a_parameter_a_module_and_a_buffer():
    """Pyro's modules register a parameter there each time that it is read."""
    read = []

    class Told(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight, self.inner = nn.Parameter(dyncore.ones(2)), nn.Linear(2, 2)
            self.register_buffer("mean", dyncore.zeros(2))

        def __getattr__(self, name):
            read.append(name)
            return super().__getattr__(name)

    told = Told()
    read.clear()
    for _ in range(2):
        assert told.weight is told._parameters["weight"]
        assert told.inner is told._modules["inner"]
        assert told.mean is told._buffers["mean"]
    assert ["weight", "inner", "mean"] * 2 == read
