"""Views and writes in place: of custom functions, under no_grad and inference mode, across dtypes."""

from __future__ import annotations

from itertools import product

from tests.parity.autograd.same import err, warns


def pure_views(torch):
    """A function that says it is a pure view may be written through; with two outputs it may not say so."""

    class Front(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, pure, two):
            ctx._is_pure_view = pure
            return (x[:2], x + 1) if two else x[:2]

        @staticmethod
        def backward(ctx, grad, *rest):
            calls.append(1)
            return torch.cat([grad, grad.new_zeros(1)]), None, None

    def run(pure, two):
        leaf = torch.arange(3.0).requires_grad_()
        base = leaf * 1
        result = Front.apply(base, pure, two)
        first = result[0] if two else result
        first *= 3
        (first.sum() + base.sum()).backward()
        return leaf.grad

    calls = []
    found = [err(lambda pure=pure, two=two: run(pure, two)) for pure, two in product((False, True), repeat=2)]
    return [found, len(calls)]


def returned_in_no_grad(torch):
    """A view made by a custom function under no_grad requires grad as any other does, and cannot be written later."""

    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x[:]

        @staticmethod
        def backward(ctx, grad):
            return grad

    leaf = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        made, plain = Same.apply(leaf), leaf[:]
    return [made.requires_grad, plain.requires_grad, err(made.zero_), err(plain.zero_)]


def marked_dirty_without_being_given(torch):
    """What is marked as dirty should be an input: a warning, and for a view an error."""

    class Fresh(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, view):
            made = x.clone()
            made = made[:] if view else made
            ctx.mark_dirty(made)
            return made

        @staticmethod
        def backward(ctx, grad):
            return grad, None

    leaf = torch.ones(2, requires_grad=True)
    return [warns(lambda: Fresh.apply(leaf, False)), err(lambda: Fresh.apply(leaf, True))]


def returned_as_it_is(torch):
    """An input that is returned comes back as a view of itself, whether gradients flow or not."""

    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, grad):
            return grad

    found = []
    for requires in (True, False):
        given = torch.ones(2, requires_grad=requires)
        made = Same.apply(given)
        found += [made is given, made._is_view(), made._base is given, made.requires_grad]
    return found


def leaves_under_no_grad(torch):
    """A view made under no_grad is a leaf that requires grad, at which no gradient arrives."""
    found = []
    for mode in (torch.no_grad, torch.inference_mode):
        leaf = torch.tensor([1.0, 2.0], requires_grad=True)
        with mode():
            view = leaf[1:]
        found += [view.requires_grad, view.is_leaf, view._is_view()]
        product = (view * view).sum()
        found.append(product.requires_grad)
        product.backward()
        found += [view.grad, leaf.grad, product.grad_fn.next_functions[0][1]]
        found.append(err(lambda view=view: torch.autograd.grad((view * 3).sum(), view, allow_unused=True)))
    return found


def written_since_under_no_grad(torch):
    """The history of a view made under no_grad cannot be told once its memory was written."""
    found = []
    for mode, how in product((torch.no_grad, torch.inference_mode), ("mul_", "t_")):
        base = torch.ones(1, 1, requires_grad=True) * 1
        with mode():
            view = base.view(1)
        found += [view.is_leaf, view.grad_fn]
        getattr(base, how)(*((2,) if how == "mul_" else ()))
        found += [err(lambda view=view: view.grad_fn), repr(view)]
    leaf = torch.ones(1, requires_grad=True)
    with torch.no_grad():
        view = leaf[:]
        view *= 2
    return [*found, repr(view)]


def several_views_under_no_grad(torch):
    """Each of several views made under no_grad says so."""
    base = torch.ones(3, requires_grad=True) * 1
    with torch.no_grad():
        parts = base.unbind()
    return [err(lambda part=part: part.add_(1)) for part in parts]


def unsafe_pieces(torch):
    """The pieces of the unsafe splits may be written without harm to the others."""
    found = []
    for cut in (lambda t: t.unsafe_split(1), lambda t: t.unsafe_split_with_sizes((1, 2)), lambda t: t.unsafe_chunk(3)):
        leaf = torch.arange(3.0).requires_grad_()
        pieces = cut(leaf + 1)
        pieces[0].mul_(pieces[1][:1])
        pieces[0].sum().backward()
        found.append(leaf.grad)
    return found


def real_parts_written(torch):
    """Writing through a real view of complex numbers, and through a complex view of real ones."""
    found = []
    leaf = torch.tensor([[1 + 2j, 3 - 1j], [0.5j, 2 + 0j]], requires_grad=True)
    for write in (
        lambda pairs: pairs.transpose(0, 1).add_(1),
        lambda pairs: pairs[..., 1].mul_(3),
        lambda pairs: pairs[0].mul_(pairs[1].detach().clone()),
    ):
        leaf.grad = None
        numbers = leaf * 1
        pairs = torch.view_as_real(numbers)
        write(pairs)
        (pairs * torch.arange(8.0).reshape(2, 2, 2)).sum().backward(retain_graph=True)
        found.append(leaf.grad.clone())
        (numbers * (1 + 1j)).abs().sum().backward()
        found.append(leaf.grad)
    pairs = torch.arange(8.0).reshape(4, 2).requires_grad_()
    middle = pairs * 1
    numbers = torch.view_as_complex(middle)
    numbers[1:].mul_(2j)
    (numbers * torch.tensor([1 + 1j])).abs().sum().backward()
    parts = leaf.detach().requires_grad_() * 1
    parts.imag.mul_(2)
    torch.view_as_real(parts[1]).select(-1, 0).mul_(5)
    torch.view_as_real(parts.t()[1])[1].add_(1)
    versions = [parts._version, torch.view_as_real(parts[0])._version, parts.imag[1]._version]
    return [*found, pairs.grad, parts.abs().sum().detach(), parts.grad_fn is None, versions]


def inference_tensors_outside(torch):
    """An inference tensor that requires grad is refused as a leaf; a view of it is an inference tensor, without."""
    with torch.inference_mode():
        leaf, plain = torch.ones(2, 3, requires_grad=True), torch.ones(2, 3)
        resized = torch.ones(2, 2, requires_grad=True).resize_(4)
    view = leaf.view(-1)
    kept = [view.is_inference(), view.requires_grad, view.is_leaf, view._is_view()]
    return [err(lambda: leaf.add_(1)), err(lambda: plain.add_(1)), *kept, resized.shape, resized.requires_grad]


def inference_leaves_in_a_graph(torch):
    """An inference tensor that requires grad gets its gradient from ops that do not save it, and no other may use it."""
    with torch.inference_mode():
        leaf = torch.ones(2, requires_grad=True)
    other = torch.tensor([2.0, 3.0], requires_grad=True)
    (leaf + other).sum().backward()
    used = [
        lambda: leaf * other,
        lambda: other * leaf,
        lambda: leaf.exp().sum(),
        lambda: leaf.sin(),
        lambda: leaf @ other,
    ]
    refused = [type(err(each)).__name__ for each in used]
    (other * other).sum().backward()
    return [leaf.grad, refused, err(used[0]), other.grad, torch.is_grad_enabled(), torch.is_inference_mode_enabled()]


def resizing_counts(torch):
    """`resize_` counts as a write where it changes something."""
    x, like = torch.rand(1), torch.rand(3)
    found = []
    for resize in (
        lambda: x.resize_(1, 2),
        lambda: x.resize_as_(like),
        lambda: x.resize_(3),
        lambda: x.resize_as_(like),
    ):
        resize()
        found.append(x._version)
    return found
