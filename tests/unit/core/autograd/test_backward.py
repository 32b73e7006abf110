"""`backward` and `grad`: what they take, where gradients go, what they refuse."""

import warnings

import pytest


def leaf(torch, *values):
    """A vector of float64 that requires grad."""
    return torch.tensor([float(v) for v in values], dtype=torch.float64, requires_grad=True)


@pytest.mark.whole
def test_gradients_add_up(torch):
    """A second backward adds to `.grad`; the tensor object stays."""
    x = leaf(torch, 1, 2)
    (x * x).sum().backward()
    first = x.grad
    (x * 3).sum().backward()
    assert x.grad is first
    assert x.grad.tolist() == [5, 7]


def test_accumulating_with_a_graph_makes_a_new_tensor(torch):
    """Under create_graph the gradient is replaced, not written."""
    x = leaf(torch, 1, 2)
    (x * x).sum().backward()
    first = x.grad
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (x * x * x).sum().backward(create_graph=True)
    assert x.grad is not first
    assert x.grad.requires_grad
    assert first.tolist() == [2, 4]


def test_adding_to_a_gradient_with_a_graph_keeps_tensor_and_graph(torch):
    """Without create_graph the gradient is written, whatever it came from."""
    x = leaf(torch, 1, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (x * x * x).sum().backward(create_graph=True)
    first, version = x.grad, x.grad._version
    (x * x).sum().backward()
    assert x.grad is first
    assert x.grad.tolist() == [5, 16]
    assert x.grad._version == version + 1
    assert torch.autograd.grad(x.grad.sum(), x)[0].tolist() == [6, 12]


@pytest.mark.whole
def test_gradient_does_not_alias_the_seed(torch):
    """Writing into the cotangent afterwards leaves `.grad` alone."""
    x = leaf(torch, 1, 2)
    seed = torch.ones(2, dtype=torch.float64)
    x.clone().backward(seed)
    seed.zero_()
    assert x.grad.tolist() == [1, 1]


def test_two_leaves_do_not_share_a_gradient(torch):
    """`add` hands the same array to both inputs; each leaf has its own."""
    x, y = leaf(torch, 1, 2), leaf(torch, 3, 4)
    (x + y).sum().backward()
    x.grad.zero_()
    assert y.grad.tolist() == [1, 1]


def test_a_root_given_twice_counts_twice(torch):
    """backward([y, y]) is twice backward(y)."""
    x = leaf(torch, 1, 2)
    y = (x * x).sum()
    torch.autograd.backward([y, y])
    assert x.grad.tolist() == [4, 8]


def test_backward_of_a_leaf(torch):
    """A leaf's gradient with respect to itself is the seed."""
    x = leaf(torch, 1, 2)
    x.backward(torch.tensor([3.0, 4.0], dtype=torch.float64))
    assert x.grad.tolist() == [3, 4]


def test_hessian_vector_product(torch):
    """A gradient recorded with create_graph can be differentiated again."""
    x, y = leaf(torch, 2), leaf(torch, 3)
    z = x * x * y + y * y
    gx, gy = torch.autograd.grad(z.sum(), [x, y], create_graph=True)
    assert (gx.item(), gy.item()) == (12, 10)
    (gx + 2 * gy).sum().backward()
    assert (x.grad.item(), y.grad.item()) == (2 * 3 + 2 * 4, 4 + 4)


def test_third_derivative(torch):
    """Orders above two come from the same rules."""
    x = leaf(torch, 2)
    y = (x**4).sum()
    for expected in (32, 48, 48, 24):
        (y,) = torch.autograd.grad(y, x, create_graph=True)
        assert y.item() == expected


def test_grad_leaves_grad_alone(torch):
    """`autograd.grad` returns; it does not accumulate."""
    x = leaf(torch, 1)
    torch.autograd.grad((x * 2).sum(), x)
    assert x.grad is None


def test_grad_of_a_computed_tensor(torch):
    """Inputs need not be leaves."""
    x = leaf(torch, 1, 2)
    y = x * 2
    z = (y * y).sum()
    (g,) = torch.autograd.grad(z, y)
    assert g.tolist() == [4, 8]


def test_grad_of_an_input_among_others_is_taken_before_its_hooks(torch):
    """Where the walk goes on behind an input, its captured gradient is the one before its hooks."""
    x = leaf(torch, 1, 2)
    y = x * 2
    y.register_hook(lambda g: g * 10)
    z = (y * y).sum()
    gy, gx = torch.autograd.grad(z, [y, x], retain_graph=True)
    assert (gy.tolist(), gx.tolist()) == ([4, 8], [80, 160])
    (alone,) = torch.autograd.grad(z, y)
    assert alone.tolist() == [40, 80]


def test_unused_input(torch):
    """An error, or None with allow_unused, or zeros with materialize_grads."""
    x, y = leaf(torch, 1), leaf(torch, 1, 2)
    z = (x * 2).sum()
    with pytest.raises(RuntimeError, match="The differentiated Tensor at index 1 appears to not have been used"):
        torch.autograd.grad(z, [x, y], retain_graph=True)
    assert torch.autograd.grad(z, [x, y], retain_graph=True, allow_unused=True)[1] is None
    assert torch.autograd.grad(z, [x, y], materialize_grads=True)[1].tolist() == [0, 0]


def test_materialize_excludes_disallow_unused(torch):
    """The two arguments contradict each other."""
    x = leaf(torch, 1)
    with pytest.raises(ValueError, match="Expected allow_unused to be True or not passed when materialize_grads=True"):
        torch.autograd.grad((x * 2).sum(), x, allow_unused=False, materialize_grads=True)


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda t, x: x.backward(), RuntimeError, "grad can be implicitly created only for scalar outputs"),
        (lambda t, x: t.ones(1).backward(), RuntimeError, "element 0 of tensors does not require grad"),
        (
            lambda t, x: x.backward(t.ones(3)),
            RuntimeError,
            r"Mismatch in shape: grad_output\[0\] has a shape of torch.Size\(\[3\]\) and",
        ),
        (
            lambda t, x: x.sum().backward(inputs=[]),
            RuntimeError,
            r"`inputs` argument to `backward\(\)` cannot be empty",
        ),
        (lambda t, x: t.autograd.grad(x.sum(), []), RuntimeError, r"`inputs` argument to `grad\(\)` cannot be empty"),
        (
            lambda t, x: t.autograd.grad(x.sum(), t.ones(1)),
            RuntimeError,
            "One of the differentiated Tensors does not require",
        ),
        (
            lambda t, x: t.autograd.backward([x.sum()], [1.0]),
            TypeError,
            "gradients can be either Tensors or None, but got float",
        ),
        (lambda t, x: t.autograd.backward([x.sum()] * 2, [None]), RuntimeError, "got 2 tensors and 1 gradients"),
        (lambda t, x: (x * 1j).sum().backward(), RuntimeError, "only for real scalar outputs but got torch.complex128"),
        (lambda t, x: (x * 2).requires_grad_(False), RuntimeError, "you can only change requires_grad flags of leaf"),
        (
            lambda t, x: t.ones(1).retain_grad(),
            RuntimeError,
            "can't retain_grad on Tensor that has requires_grad=False",
        ),
        (
            lambda t, x: t.tensor([1], requires_grad=True),
            RuntimeError,
            "Only Tensors of floating point and complex dtype",
        ),
        (lambda t, x: x.numpy(), RuntimeError, "Can't call numpy.. on Tensor that requires grad. Use tensor.detach"),
    ],
)
def test_what_is_refused(torch, call, kind, sentence):
    """PyTorch's own sentences."""
    with pytest.raises(kind, match=sentence):
        call(torch, leaf(torch, 1, 2))


def test_second_backward_through_freed_values(torch):
    """Saved values are gone after backward, unless retain_graph keeps them."""
    x = leaf(torch, 1, 2)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        y.backward()
    assert x.grad.tolist() == [4, 8]


def test_second_backward_where_nothing_was_saved(torch):
    """A graph of additions can be walked again."""
    x = leaf(torch, 1, 2)
    y = (x + 1).sum()
    y.backward()
    y.backward()
    assert x.grad.tolist() == [2, 2]


def test_backward_with_inputs(torch):
    """Only the inputs get a gradient, leaves or not."""
    x, y = leaf(torch, 1, 2), leaf(torch, 3, 4)
    m = x * 2
    out = (m * m * y).sum()
    out.backward(inputs=[y, m], retain_graph=True)
    assert x.grad is None
    assert y.grad.tolist() == [4, 16]
    assert m.grad.tolist() == [12, 32]
    out.backward(inputs=x)
    assert x.grad.tolist() == [24, 64]


def test_only_what_is_asked_for_runs(torch):
    """Nodes that lead to no input are not run."""
    ran = []

    class Noisy(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            ran.append(1)
            return g

    x, y = leaf(torch, 1), leaf(torch, 2)
    out = (Noisy.apply(x) * y).sum()
    torch.autograd.grad(out, y)
    assert ran == []


def test_retain_grad(torch):
    """A computed tensor keeps its gradient; asking twice is once."""
    x = leaf(torch, 1, 2)
    h = x * 3
    h.retain_grad()
    h.retain_grad()
    (h * h).sum().backward()
    assert h.grad.tolist() == [6, 12]
    assert h.retains_grad
    assert not x.retains_grad


def test_dependent_roots(torch):
    """One root may lie behind another."""
    x = leaf(torch, 2)
    y = x * x
    z = y * y
    torch.autograd.backward([z, y], [torch.ones(1, dtype=torch.float64)] * 2)
    assert x.grad.item() == 4 * 8 + 4


def test_unused_output_of_several(torch):
    """A missing gradient of one output counts as zeros."""
    x = leaf(torch, 1, 2, 3, 4)
    _, b = x.chunk(2)
    (b * 5).sum().backward()
    assert x.grad.tolist() == [0, 0, 5, 5]


def test_a_constant_has_no_graph(torch):
    """Nothing is recorded for tensors that do not require grad."""
    y = torch.ones(2) * 3
    assert not y.requires_grad
    assert y.grad_fn is None
    assert y.is_leaf


def test_assigning_a_gradient(torch):
    """`.grad` may be set to a tensor of the same shape and dtype, or None."""
    x = leaf(torch, 1, 2)
    x.grad = torch.ones(2, dtype=torch.float64)
    (x * 2).sum().backward()
    assert x.grad.tolist() == [3, 3]
    x.grad = None
    assert x.grad is None
    with pytest.raises(
        RuntimeError, match=r"attempting to assign a gradient of size '\[3\]' to a tensor of size '\[2\]'"
    ):
        x.grad = torch.ones(3, dtype=torch.float64)
    with pytest.raises(RuntimeError, match="can't assign Variable as its own grad"):
        x.grad = x
    with pytest.raises(TypeError, match="assigned grad expected to be a Tensor or None but got grad of type int"):
        x.grad = 2


def test_reading_grad_of_a_computed_tensor_warns(torch):
    """The usual surprise is said aloud."""
    y = leaf(torch, 1) * 2
    with pytest.warns(UserWarning, match="The .grad attribute of a Tensor that is not a leaf Tensor is being accessed"):
        assert y.grad is None


@pytest.mark.whole
def test_a_long_chain(torch):
    """100,000 operations forward, backward and dropped, without recursion."""
    x = leaf(torch, 1)
    y = x
    for _ in range(100_000):
        y = y + 0.0
    y.sum().backward()
    assert x.grad.item() == 1
    z = x
    for _ in range(100_000):
        z = z + 0.0
    del z


def test_a_wide_and_deep_graph_is_dropped(torch):
    """Nodes with two parents each, 50,000 deep."""
    a = b = leaf(torch, 1)
    for _ in range(50_000):
        a, b = a + b, a
    del a, b


def test_gradients_of_a_value_and_of_one_of_its_two_operands(torch):
    """The walk goes on behind the value, to the one operand alone."""
    x, w = leaf(torch, 2), leaf(torch, 5)
    y = x * w
    assert [[3], [15]] == [each.tolist() for each in torch.autograd.grad(y * 3, [y, x])]
    assert w.grad is None


@pytest.mark.filterwarnings("ignore:Using backward")
def test_graph_of_the_gradient_is_made_and_the_own_one_freed(torch):
    """`retain_graph` decides, where it is given."""
    x = leaf(torch, 1, 2)
    y = (x * x).sum()
    y.backward(retain_graph=False, create_graph=True)
    assert x.grad.requires_grad
    with pytest.raises(RuntimeError, match="second time"):
        y.backward()
