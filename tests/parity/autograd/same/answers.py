"""Derivatives at odd places, and ops that have none."""

from __future__ import annotations

from tests.parity.autograd.same import err


def distinct_elements(torch):
    """What `unique` gives requires grad, and its backward says that there is no derivative."""
    x = torch.tensor([3.0, 1.0, 3.0], requires_grad=True)
    found = []
    for make in (
        lambda: torch.unique(x),
        lambda: torch.unique(x, return_inverse=True, return_counts=True),
        lambda: torch.unique(x, dim=0),
        lambda: torch.unique_consecutive(x),
        lambda: torch._unique2(x, return_counts=True),
        lambda: torch._unique(x),
        lambda: torch._VF.unique_dim(x, dim=0, return_inverse=True, return_counts=True),
    ):
        made = make()
        made = made if isinstance(made, tuple) else (made,)
        found += [[each.requires_grad for each in made], [each.shape for each in made]]
        found.append(type(err(lambda made=made: made[0].sum().backward())).__name__)
    return found


def products_with_two_zeros(torch):
    """Two zeros scattered to one place have a first derivative and no second."""
    found = []
    for reduce in (torch.scatter_reduce, torch.index_reduce):
        given = torch.tensor([2.0], dtype=torch.float64, requires_grad=True)
        source = torch.tensor([0.0, 0.0], dtype=torch.float64, requires_grad=True)
        result = reduce(given, 0, torch.tensor([0, 0]), source, "prod")
        first = torch.autograd.grad(result, (given, source), create_graph=True)
        found += [first[0].detach(), first[1].detach()]
        found.append(err(lambda first=first: (first[0] + first[1]).sum().backward()))
    return found


def real_bases_of_complex_powers(torch):
    """A negative real base to a complex power has a complex logarithm."""
    exponent = torch.tensor([0.5 + 0.5j, -1.0 + 2.0j], dtype=torch.complex128, requires_grad=True)
    base = -torch.ones(2, dtype=torch.float64)
    torch.pow(base, exponent).abs().sum().backward()
    first, exponent.grad = exponent.grad, None
    torch.pow(-2, exponent).abs().sum().backward()
    return [first, exponent.grad]


def hessian_of_a_one_element_matrix(torch):
    """The Hessian has the inputs' shape twice however many dimensions the one output has; strict asks it first."""
    hessian = torch.autograd.functional.hessian
    x = torch.tensor([1.0, 2.0])
    found = [hessian(lambda t: (t**3).sum().view(1, 1, 1), x, vectorize=vectorize) for vectorize in (False, True)]
    return [*found, err(lambda: hessian(lambda t: t.detach().sum(), x, strict=True))]


def lists_of_tensors(torch):
    """`_foreach_` functions apply an op to each tensor, with one argument each where a list is given."""
    xs = [torch.tensor([1.0, -2.0], requires_grad=True), torch.tensor([4.0])]
    made = [torch._foreach_abs(xs), torch._foreach_mul(xs, [2.0, 3.0]), torch._foreach_add(xs, xs, alpha=2)]
    made += [torch._foreach_maximum(xs, 0.5), torch._foreach_norm(xs)]
    written = [torch.ones(2), torch.ones(1)]
    answer = torch._foreach_mul_(written, 3)
    values = [[each.detach() for each in several] for several in made]
    return [values, written, answer[0] is written[0], err(lambda: torch._foreach_add(xs, [1.0]))]


def memory_of_a_tensor(torch):
    """`storage` is all the memory a tensor and its views look at."""
    base = torch.arange(6.0)
    view = base[1:4]
    typed, raw = view.storage(), view.untyped_storage()
    same = typed.data_ptr() == base.storage().data_ptr() == raw.data_ptr()
    return [len(typed), typed.size(), raw.nbytes(), len(raw), same, typed.tolist(), typed[2], typed.dtype]


def warned_every_time(torch):
    """`set_warn_always` lets a warning that comes once come again."""
    import warnings

    x = torch.ones(1, requires_grad=True)
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(2):
                (x * 2).backward(create_graph=True)
                x.grad = None
    finally:
        torch.set_warn_always(before)
    return [before, torch.is_warn_always_enabled(), len(caught)]


def data_parallel_on_one_device(torch):
    """`DataParallel` calls its module."""
    layer = torch.nn.Linear(2, 1)
    whole = torch.nn.DataParallel(layer)
    return [
        torch.equal(whole(torch.ones(1, 2)), layer(torch.ones(1, 2))),
        [name for name, _ in whole.named_parameters()],
    ]
