"""Writing in place: version counters, views and their bases, what is forbidden."""

import numpy as np
import pytest

from dyncore.graph import versions

from .test_backward import leaf


def test_in_place_operations_are_recorded(torch):
    """The tensor's history goes on behind the write."""
    x = leaf(torch, 1, 2)
    y = x.clone()
    y.mul_(3).add_(x)
    assert y.grad_fn.name() == "AddBackward0"
    y.sum().backward()
    assert x.grad.tolist() == [4, 4]


def test_an_in_place_operation_that_needs_its_input(torch):
    """Its own old value is kept for the derivative."""
    x = leaf(torch, 1, 2)
    y = x.clone()
    y.pow_(3)
    y.sum().backward()
    assert x.grad.tolist() == [3, 12]


def test_version_counter(torch):
    """Counts every write, shared by base, views and detached tensors, not by `.data`."""
    x = torch.zeros(3)
    view, apart, data = x[:2], x.detach(), x.data
    x.add_(1)
    view.mul_(2)
    apart[0] = 5
    x.copy_(torch.ones(3))
    x.zero_()
    assert (x._version, view._version, apart._version, data._version) == (5, 5, 5, 0)
    data.fill_(3)
    assert (x._version, x.tolist()) == (5, [3, 3, 3])
    with torch.no_grad():
        x.add_(1)
    assert x._version == 6


def test_increment_version(torch):
    """By hand."""
    x = torch.zeros(3)
    torch.autograd.graph.increment_version(x)
    torch.autograd.graph.increment_version([x, x])
    assert x._version == 3


def test_a_changed_saved_value_is_named(torch):
    """The sentence names the tensor, its maker and both versions."""
    x = leaf(torch, 1, 2)
    y = (x * 2).exp()
    y.add_(1)
    with pytest.raises(
        RuntimeError, match=r": \[torch.DoubleTensor \[2\]\], which is output 0 of \w+, is at version 1; expected"
    ):
        y.sum().backward()


def test_a_changed_constant_is_named(torch):
    """Also a tensor that requires no grad."""
    x, c = leaf(torch, 1, 2), torch.ones(2, dtype=torch.float64)
    y = x * c
    c.add_(1)
    with pytest.raises(
        RuntimeError, match=r"inplace operation: \[torch.DoubleTensor \[2\]\] is at version 1; expected version 0"
    ):
        y.sum().backward()


def test_a_change_through_a_view_or_detached_tensor(torch):
    """Memory is what counts."""
    for write in (lambda y: y[0].zero_(), lambda y: y.detach().zero_(), lambda y: y.view(2).mul_(2)):
        x = leaf(torch, 1, 2)
        y = x.exp()
        with torch.no_grad():
            write(y)
        with pytest.raises(RuntimeError, match="which is output 0 of Exp, is at version 1; expected version 0 instead"):
            y.sum().backward()


def test_a_change_of_a_0d_tensor(torch):
    """Also where the value is one number."""
    x = torch.tensor(2.0, requires_grad=True)
    y = x.exp()
    y.detach().zero_()
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        y.backward()


def test_a_change_of_what_is_not_needed(torch):
    """Addition saves nothing."""
    x = leaf(torch, 1, 2)
    y = x + 1
    z = y + x
    with torch.no_grad():
        y.zero_()
    z.sum().backward()
    assert x.grad.tolist() == [2, 2]


@pytest.mark.parametrize(
    ("write", "sentence"),
    [
        (lambda t, x: x.add_(1), "a leaf Variable that requires grad is being used in an in-place operation."),
        (
            lambda t, x: x[:1].add_(1),
            "a view of a leaf Variable that requires grad is being used in an in-place operation.",
        ),
        (
            lambda t, x: x.__setitem__(0, 1.0),
            "a view of a leaf Variable that requires grad is being used in an in-place operation.",
        ),
        (
            lambda t, x: x.clone().unbind()[1].add_(1),
            "Output 1 of Unbind is a view and is being modified inplace. This view is the",
        ),
        (
            lambda t, x: t.zeros(1).expand(3).add_(1),
            "more than one element of the written-to tensor refers to a single memory",
        ),
        (
            lambda t, x: t.zeros(2).add_(t.ones(3, 2)),
            r"output with shape \[2\] doesn't match the broadcast shape \[3, 2\]",
        ),
        (
            lambda t, x: t.zeros(2, dtype=t.int64).add_(1.5),
            "result type Float can't be cast to the desired output type Long",
        ),
        (
            lambda t, x: t.add(x, x, out=t.zeros(2, dtype=t.float64)),
            r"add\(\): functions with out=... arguments don't support",
        ),
        (lambda t, x: x.clone()[:1].detach_(), "Can't detach views in-place. Use detach.. instead"),
    ],
)
def test_what_is_forbidden(torch, write, sentence):
    """PyTorch's sentences."""
    with pytest.raises(RuntimeError, match=sentence):
        write(torch, leaf(torch, 1, 2))


def test_leaves_may_be_written_under_no_grad(torch):
    """As optimizers do."""
    x = leaf(torch, 1, 2)
    with torch.no_grad():
        x -= 0.5
        x[0] = 9
    assert x.is_leaf
    assert x.tolist() == [9, 1.5]


def test_writing_through_a_view(torch):
    """The base learns of it: gradients of the written part go through the write, the rest passes."""
    x, v = leaf(torch, 1, 2, 3), leaf(torch, 5)
    base = x * 1
    part = base[1:2]
    part.mul_(v)
    assert base.grad_fn.name() == "torch::autograd::CopySlices"
    assert part.grad_fn.name() == "AsStridedBackward0"
    (base * torch.tensor([1.0, 10.0, 100.0], dtype=torch.float64)).sum().backward()
    assert x.grad.tolist() == [1, 50, 100]
    assert v.grad.item() == 20


def test_writing_a_base_reaches_its_views(torch):
    """A view taken before is a view of the new value."""
    x = leaf(torch, 1, 2)
    base = x * 1
    view = base[:1]
    base.mul_(3)
    view.sum().backward()
    assert x.grad.tolist() == [3, 0]


def test_views_of_views(torch):
    """Writes through an inner view reach base, outer view and siblings."""
    x = leaf(torch, *range(6))
    base = (x * 1).view(2, 3)
    row = base[1]
    cell, sibling = row[1:], base.t()[2]
    cell.mul_(10)
    (sibling.sum() + row.sum()).backward()
    assert x.grad.tolist() == [0, 0, 1, 1, 10, 20]


def test_a_transposed_view(torch):
    """Strides are followed."""
    x = leaf(torch, 1, 2, 3, 4)
    base = (x * 1).view(2, 2)
    base.t()[0].mul_(torch.tensor([2.0, 3.0], dtype=torch.float64))
    (base * torch.tensor([[1.0, 10.0], [100.0, 1000.0]], dtype=torch.float64)).sum().backward()
    assert x.grad.tolist() == [2, 10, 300, 1000]


def test_a_base_without_grad_gets_one(torch):
    """Copying a tensor that requires grad into part of a constant."""
    x = leaf(torch, 1, 2)
    base = torch.zeros(3, dtype=torch.float64)
    base[1:].copy_(x)
    assert base.requires_grad
    (base * 2).sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_item_assignment(torch):
    """Numbers, tensors, masks, index tensors."""
    x, v = leaf(torch, 1, 2, 3, 4), leaf(torch, 7)
    y = x * 1
    y[0] = 5.0
    y[1:2] = v
    y[torch.tensor([2])] = 3 * v
    y[torch.tensor([False, False, False, True])] = 0.0
    assert y.tolist() == [5, 7, 21, 0]
    y.sum().backward()
    assert x.grad.tolist() == [0, 0, 0, 0]
    assert v.grad.tolist() == [4]


def test_item_assignment_through_ellipsis_and_none(torch):
    """Any basic index."""
    x = leaf(torch, 1, 2)
    y = torch.zeros(2, 3, dtype=torch.float64)
    y[..., 1] = x
    y[None, 0, 2:] = x[1]
    assert y.tolist() == [[0, 1, 2], [0, 2, 0]]
    y.sum().backward()
    assert x.grad.tolist() == [1, 2]


def test_fill_copy_zero(torch):
    """Their derivatives: nothing of the old value, all of the new."""
    x, v = leaf(torch, 1, 2), torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    for write, gx, gv in (
        (lambda y: y.fill_(v), [0, 0], 2),
        (lambda y: y.copy_(v), [0, 0], 2),
        (lambda y: y.zero_(), [0, 0], None),
        (lambda y: y.fill_(4), [0, 0], None),
    ):
        x.grad = v.grad = None
        y = x.clone()
        write(y)
        y.sum().backward()
        assert x.grad.tolist() == gx
        assert (v.grad if gv is None else v.grad.item()) == gv


def test_copy_casts_back(torch):
    """The gradient has the source's dtype."""
    x = torch.ones(2, requires_grad=True)
    y = torch.zeros(3, 2, dtype=torch.float64)
    y.copy_(x)
    y.sum().backward()
    assert (x.grad.dtype, x.grad.tolist()) == (torch.float32, [3, 3])


def test_views_made_under_no_grad(torch):
    """They require grad as their base does, and may be written under no_grad alone."""
    base = leaf(torch, 1, 2).clone()
    with torch.no_grad():
        view = base[:1]
        view.mul_(1)
    assert view.requires_grad
    with pytest.raises(
        RuntimeError, match="A view was created in no_grad mode and is being modified inplace with grad mode enabled"
    ):
        view.mul_(2)


def test_one_of_several_views_after_its_base_was_written(torch):
    """Its history cannot be rewritten, and asking for it says so."""
    base = leaf(torch, 1, 2).clone()
    a, _ = base.unbind()
    base.mul_(2)
    with pytest.raises(
        RuntimeError, match="Output 0 of Unbind is a view and its base or another view of its base has been"
    ):
        _ = a.grad_fn


def test_detach_shares_memory_without_history(torch):
    """In place and not."""
    x = leaf(torch, 1, 2)
    y = x * 2
    d = y.detach()
    assert (d.requires_grad, d.is_leaf, d.data_ptr() == y.data_ptr()) == (False, True, True)
    y.detach_()
    assert (y.requires_grad, y.grad_fn) == (False, None)


def test_setting_data(torch):
    """The tensor keeps its identity and its gradient."""
    x = leaf(torch, 1, 2)
    x.data = torch.tensor([5.0, 6.0], dtype=torch.float64)
    (x * x).sum().backward()
    assert (x.is_leaf, x.grad.tolist()) == (True, [10, 12])
    with pytest.raises(
        RuntimeError, match="data set to a tensor that requires gradients must be floating point or complex"
    ):
        x.data = torch.zeros(2, dtype=torch.int64)
    with pytest.raises(TypeError, match="Variable data has to be a tensor, but got int"):
        x.data = 3


def test_requires_grad_in_place(torch):
    """A constant that is written with a tensor that requires grad begins to require it."""
    x = leaf(torch, 1, 2)
    y = torch.ones(2, dtype=torch.float64)
    y.add_(x)
    assert y.requires_grad
    assert not y.is_leaf
    y.sum().backward()
    assert x.grad.tolist() == [1, 1]


def test_a_view_of_a_leaf_that_begins_to_require_grad(torch):
    """The view follows its base."""
    x = torch.ones(2)
    view = x[:1]
    x.requires_grad_()
    assert view.requires_grad


def test_augmented_assignment(torch):
    """`y[i] += ...` goes through a view."""
    x = leaf(torch, 1, 2)
    y = x * 1
    y[0] += x[1]
    y[1] *= 3
    y.sum().backward()
    assert x.grad.tolist() == [1, 4]


def test_in_place_gradients_are_right(torch):
    """Checked by differences, to the second order."""

    def f(x, y):
        z = x * 1
        z[0].mul_(y)
        z.t()[1].add_(z[0, 0])
        z[1:, :2].pow_(2)
        return z.sin()

    x = torch.tensor([[0.3, 0.7, 1.1], [0.2, 0.9, 0.4]], dtype=torch.float64, requires_grad=True)
    y = leaf(torch, 0.5, 1.5, 0.8)
    assert torch.autograd.gradcheck(f, (x, y))
    assert torch.autograd.gradgradcheck(f, (x, y))


def test_what_is_known_of_memory_ends_with_it():
    """Two arrays that stand for one scalar share its count of writes, and the last leaves nothing to later memory."""
    scalar = np.float32(1)
    first, second = np.array(scalar), np.array(scalar)
    keys = [id(first), id(second), id(scalar)]
    versions.replaced(scalar, first)
    versions.replaced(scalar, second)
    versions.bump(second)
    assert 1 == versions.version(first) == versions.version(scalar)
    del second
    assert keys[1] not in versions._written
    assert 1 == versions.version(first)
    del first
    assert not set(keys) & set(versions._written)
