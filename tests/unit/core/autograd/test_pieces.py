"""What the pieces of one tensor have in common, and what each has for itself."""

import pytest

from .test_backward import leaf


def test_what_one_piece_keeps_the_others_do_not(torch):
    """A gradient that is kept, a hook, and what `detach` gives."""
    seen = []
    one, two, three = (leaf(torch, 1, 2, 3) * 2).chunk(3)
    two.retain_grad()
    three.register_hook(lambda g: seen.append(g.item()))
    (one + 2 * two + 3 * three).sum().backward()
    assert [each.retains_grad for each in (one, two, three)] == [False, True, False]
    assert two.grad.item() == 2
    assert seen == [3]
    assert [each._base is one._base for each in (two, three)] == [True, True]


def test_every_piece_knows_a_write_after_no_grad(torch):
    """Not the first alone."""
    y = leaf(torch, 1, 2, 3) * 2
    with torch.no_grad():
        pieces = y.chunk(3)
        y.mul_(2)
    for piece in pieces:
        assert piece.requires_grad
        with pytest.raises(RuntimeError, match="was created in no_grad mode and its base or another view of its base"):
            _ = piece.grad_fn


def test_pieces_of_an_inference_tensor(torch):
    """They are inference tensors, also outside the mode."""
    with torch.inference_mode():
        made = torch.ones(4)
    assert [each.is_inference() for each in made.chunk(2)] == [True, True]
    assert [each.is_inference() for each in made.split([1, 3])] == [True, True]


def test_pieces_of_data_count_their_writes_apart(torch):
    """A write into one counts for the other, and not for the tensor whose data they are."""
    x = leaf(torch, 1, 2)
    one, two = x.data.chunk(2)
    one.add_(1)
    assert (one._version, two._version, x._version) == (1, 1, 0)


def test_one_weight_for_vectors_and_for_rows(torch):
    """Gradients of both kinds are summed, a few and many of them."""
    w = torch.eye(3, requires_grad=True)
    vector, row, rows = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([[1.0, 0.0, 1.0]]), torch.ones(2, 3)
    for count in (1, 40):
        w.grad = None
        total = 0
        for _ in range(count):
            total = total + (w @ vector).sum() + torch.nn.functional.linear(row, w).sum()
            total = total + torch.nn.functional.linear(rows, w).sum()
        total.backward()
        assert w.grad.tolist() == [[4.0 * count, 4.0 * count, 6.0 * count]] * 3
        total = (w @ vector).sum()
        total.backward()
        assert w.grad[0].tolist() == [4.0 * count + 1, 4.0 * count + 2, 6.0 * count + 3]


def test_sum_along_a_dimension_of_one(torch):
    """Of -0 alone it is 0; the gradient comes to every element."""
    x = torch.tensor([[-0.0, 2.0]], requires_grad=True)
    for dim, keep in ((0, True), (0, False), (1, True)):
        x.grad = None
        found = x.sum(dim, keepdim=keep)
        found.sum().backward()
        assert x.grad.tolist() == [[1.0, 1.0]]
    assert str(x.sum(0).tolist()) == "[0.0, 2.0]"
    assert str(x.t().sum(1, keepdim=True).tolist()) == "[[0.0], [2.0]]"
