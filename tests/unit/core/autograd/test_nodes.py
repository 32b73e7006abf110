"""The graph as users see it: grad_fn, next_functions, saved values, edges as inputs and outputs."""

import pytest

from .test_backward import leaf


def graph(torch):
    return torch.autograd.graph


def test_names(torch):
    """Nodes carry PyTorch's names."""
    x = leaf(torch, 1, 2)
    assert [t.grad_fn.name() for t in (x * 2, x + x, x.exp(), x.sum(), x[0], x.view(2), -x)] == [
        "MulBackward0",
        "AddBackward0",
        "ExpBackward0",
        "SumBackward0",
        "SelectBackward0",
        "ViewBackward0",
        "NegBackward0",
    ]


def test_next_functions(torch):
    """One pair for each differentiable input, (None, 0) where nothing flows on."""
    x, c = leaf(torch, 1, 2), torch.ones(2, dtype=torch.float64)
    y = x * c
    (first, zero), constant = y.grad_fn.next_functions
    assert first.name() == "torch::autograd::AccumulateGrad"
    assert first.variable is x
    assert (zero, constant) == (0, (None, 0))
    assert (x * 2).grad_fn.next_functions[1] == (None, 0)
    stacked = torch.stack([c, x, c])
    assert [node is None for node, _ in stacked.grad_fn.next_functions] == [True, False, True]


def test_next_functions_of_an_overload_for_numbers(torch):
    """A number has no place of its own where the op takes it as one, however often the op has run before."""
    x = leaf(torch, 1, 2)
    for _ in range(40):
        made = [x**2, 2**x, 1 - x, x % 2, x // 2, x.clamp(0, 1), x.clamp(min=0), torch.fmod(x, 2), torch.xlogy(x, 2)]
    assert [len(each.grad_fn.next_functions) for each in made] == [1] * len(made)
    tensors = [x ** x.detach(), x.detach() ** x, x % x.detach(), torch.fmod(x, x.detach()), torch.xlogy(x, x.detach())]
    assert [len(each.grad_fn.next_functions) for each in tensors] == [2] * len(tensors)


def test_output_numbers(torch):
    """The outputs of one node share it and differ by number."""
    a, b = leaf(torch, 1, 2).unbind()
    assert a.grad_fn is b.grad_fn
    assert (a.output_nr, b.output_nr) == (0, 1)
    assert (b * 2).grad_fn.next_functions[0] == (a.grad_fn, 1)


def test_the_accumulator_is_one_object(torch):
    """However often it is asked for."""
    x = leaf(torch, 1)
    first = (x * 2).grad_fn.next_functions[0][0]
    assert (x * 3).grad_fn.next_functions[0][0] is first


def test_saved_values(torch):
    """`_saved_*` gives what the derivative uses, with its history, until backward frees it."""
    x, y = leaf(torch, 1, 2), leaf(torch, 3, 4)
    z = x * y
    assert z.grad_fn._saved_self.tolist() == [1, 2]
    assert z.grad_fn._saved_other.tolist() == [3, 4]
    e = x.exp()
    assert e.grad_fn._saved_result.grad_fn is e.grad_fn
    e.sum().backward()
    with pytest.raises(RuntimeError, match="after they have already been freed"):
        _ = e.grad_fn._saved_result


def test_only_what_is_needed_is_saved(torch):
    """The operand of a constant is not kept."""
    x, c = leaf(torch, 1, 2), torch.ones(2, dtype=torch.float64)
    assert (x * c).grad_fn._saved_self is None
    assert (x * c).grad_fn._saved_other is not None


def test_metadata(torch):
    """A dictionary of the user's own on each node."""
    y = leaf(torch, 1) * 2
    y.grad_fn.metadata["note"] = 3
    assert y.grad_fn.metadata == {"note": 3}


def test_gradient_edges_stand_for_tensors(torch):
    """`get_gradient_edge` names a tensor's place in the graph, as an input and as an output."""
    edge = graph(torch).get_gradient_edge
    x = leaf(torch, 1, 2)
    y = x * 2
    z = (y * y).sum()
    assert torch.autograd.grad(z, edge(y), retain_graph=True)[0].tolist() == [4, 8]
    assert torch.autograd.grad(edge(z), edge(x), [torch.ones((), dtype=torch.float64)], retain_graph=True)[
        0
    ].tolist() == [8, 16]
    z.backward(inputs=edge(x))
    assert x.grad.tolist() == [8, 16]
    with pytest.raises(
        RuntimeError, match="It is not possible to get the gradient edge for a Tensor that does not require"
    ):
        edge(torch.ones(1))


def test_gradient_edge_of_a_sum_of_losses_starts_a_backward(torch):
    """Also of an addition that ran often, whose node knows no shape but that of its operands' nodes."""
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    for _ in range(100):
        loss = (w * 3).sum() + (w * w).sum()
    torch.autograd.backward([torch.autograd.graph.get_gradient_edge(loss)])
    assert [5.0, 7.0] == w.grad.tolist()


def test_gradient_edge_of_one_output_of_several(torch):
    """An edge made by hand from the node and the output's number."""
    x = leaf(torch, 1, 2)
    a, b = x.unbind()
    out = a * 3 + b * 5
    edge = graph(torch).GradientEdge(b.grad_fn, 1)
    assert torch.autograd.grad(out, edge)[0].item() == 5


def test_edge_of_a_tensor_before_it_was_written(torch):
    """The edge keeps leading to the old version."""
    x = leaf(torch, 1, 2)
    y = x.clone()
    before = graph(torch).get_gradient_edge(y)
    y.mul_(3)
    g, after = torch.autograd.grad(y.sum(), [before, y])
    assert (g.tolist(), after.tolist()) == ([3, 3], [1, 1])


def test_a_node_can_be_called(torch):
    """`grad_fn(g)` gives the gradients of its inputs."""
    x = leaf(torch, 1, 2)
    y = x.exp()
    with torch.no_grad():
        g = y.grad_fn(torch.ones(2, dtype=torch.float64))
    assert torch.allclose(g, x.exp())


def test_hooks_on_one_saved_value(torch):
    """Hooks on a `SavedTensor` pack the value at once, and only once."""
    x = leaf(torch, 1, 2)
    y = x * x
    y.grad_fn._raw_saved_self.register_hooks(lambda t: t * 2, lambda t: t / 2)
    assert y.grad_fn._saved_self.tolist() == [1, 2]
    with pytest.raises(RuntimeError, match="have already been set"):
        y.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)
    y.sum().backward()
    assert x.grad.tolist() == [2, 4]
    with pytest.raises(RuntimeError, match="Calling register_hooks on a saved tensor after it has been freed"):
        y.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)


def test_raw_indices_are_a_tuple_for_indexing_and_one_value_for_max(torch):
    """Each is a `SavedTensor`; none is left after backward."""
    x = leaf(torch, 1, 2)
    taken, most = x[torch.tensor([0, 1])], x.reshape(1, 2).max(1)[0]
    (index,), largest = taken.grad_fn._raw_saved_indices, most.grad_fn._raw_saved_indices
    assert ["SavedTensor"] * 2 == [type(each).__name__ for each in (index, largest)]
    taken.sum().backward()
    with pytest.raises(RuntimeError, match="second time"):
        _ = taken.grad_fn._raw_saved_indices


@pytest.mark.parametrize("calls", [0, 40])
def test_index_with_tensors_is_freed_and_may_not_be_written_to(torch, calls):
    """An index of integers alone leaves nothing to free; the function that an op gets after some calls agrees."""
    zero, picked = torch.tensor(0), torch.tensor([0, 0])
    for _ in range(calls):
        leaf(torch, 1, 2)[torch.tensor([0])].sum().backward()
    for index in (0, (0, 1), zero, (None, zero)):
        part = leaf(torch, 1, 2, 3, 4).reshape(2, 2)[index]
        assert part.grad_fn.name() == "SelectBackward0"
        part.sum().backward()
        part.sum().backward()
    for index in (picked, [0], (0, [1]), True, (zero, True)):
        part = leaf(torch, 1, 2, 3, 4).reshape(2, 2)[index]
        assert part.grad_fn.name() == "IndexBackward0"
        part.sum().backward()
        with pytest.raises(RuntimeError, match="second time"):
            part.sum().backward()
    total = leaf(torch, 1, 2)[picked].sum()
    picked.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        total.backward()


def test_isolated_node(torch):
    """A node whose inputs all stop at constants does not disturb the walk."""
    x, y = leaf(torch, 1, 2), leaf(torch, 3, 4)
    a = x + y
    _, position = torch.max(a, 0, keepdim=True)
    picked = torch.argmax(a) * 1.0 + 0 * a.sum()
    (picked + a.sum()).backward()
    assert x.grad.tolist() == [1, 1]
    assert position.item() == 1


def test_pieces_know_where_they_were_cut(torch):
    x = leaf(torch, 1, 2, 3, 4)
    assert 0 == (x * 2).chunk(2)[0].grad_fn._saved_dim
    with pytest.raises(AttributeError, match="has no attribute '_saved_other'"):
        _ = (x * 2).chunk(2)[0].grad_fn._saved_other


def test_node_not_accessed_yet_is_the_same_later():
    """Nodes of elementwise ops share two classes until somebody looks; what they tell does not depend on it."""
    dyncore = pytest.importorskip("dyncore")
    x, z, c = leaf(dyncore, 1, 2), leaf(dyncore, 3, 4), leaf(dyncore, 5, 6).detach()
    computed = (x * 2, x * z, x + z, x * c, c * x, c / x, x / c, x / z, x.tanh(), x.exp(), x - 1, 1 - x, -x, x % c)
    for made in computed:
        node = made._edge
        before = node.name(), repr(node).split()[0], node.op.name, node.place, _values(node), node.next_functions
        assert made.grad_fn is node
        assert type(node).__name__ == node.name()
        after = node.name(), repr(node).split()[0], node.op.name, node.place, _values(node), node.next_functions
        assert before == after
        assert made.grad_fn._input_metadata[0].shape == [2]


def _values(node):
    return {name: None if value is None else value.tolist() for name, value in node.saved().items()}


def test_seen_and_unseen_nodes_run_alike(torch):
    """Looking at a node, hooks that do nothing and a second backward change no gradient and no error."""

    def gradient(look):
        x = leaf(torch, 0.5, -2)
        y = x * 2
        for step in (lambda t: t * x, lambda t: t + x, lambda t: x / t, lambda t: t.tanh(), lambda t: 3 - t):
            y = step(y)
            look(y)
        y.sum().backward(retain_graph=True)
        y.sum().backward()
        with pytest.raises(RuntimeError, match="a second time"):
            y.sum().backward()
        return x.grad.tolist()

    plain = gradient(lambda y: None)
    assert plain == gradient(lambda y: y.grad_fn)
    assert plain == gradient(lambda y: y.register_hook(lambda grad: None))
    assert plain == gradient(lambda y: y.retain_grad())
