"""Orders of dimensions in memory: of copies, and of the gradients leaves keep."""

from __future__ import annotations

from tests.parity.autograd.same import err


def formats_of_copies(torch):
    x = torch.arange(120.0).view(2, 3, 4, 5)
    last = torch.channels_last
    y = x.to(memory_format=last)
    made = (
        y, x.contiguous(memory_format=last), x.clone(memory_format=last), y.clone(), y * 2, y.exp(), y.detach(),
        y.contiguous(), y.double(), x.to(torch.float64, memory_format=last), torch.zeros_like(y), torch.rand_like(y),
        torch.ones_like(x, memory_format=last), torch.empty(2, 3, 4, 5, memory_format=last), y.to(torch.float64),
        x.view(2, 3, 2, 2, 5).to(memory_format=torch.channels_last_3d), x.mT.clone(), x.mT.contiguous(),
    )  # fmt: skip
    return (
        [each.stride() for each in made],
        [each.is_contiguous(memory_format=last) for each in made[:9]],
        torch.equal(x, y),
        x.to(memory_format=torch.contiguous_format) is x,
        y.contiguous(memory_format=last) is y,
        err(lambda: x[0].contiguous(memory_format=last)),
        x.contiguous(memory_format=torch.preserve_format) is x,
        err(lambda: x.mT.contiguous(memory_format=torch.preserve_format)),
    )


def formats_of_modules(torch):
    module = torch.nn.Sequential(torch.nn.Conv2d(2, 3, 2), torch.nn.Linear(3, 3)).to(memory_format=torch.channels_last)
    return [each.stride() for each in module.parameters()]


def gradients_lie_as_their_leaves(torch):
    out = []
    for make in (lambda: torch.rand(3, 4).t(), lambda: torch.rand(2, 3, 4, 5).to(memory_format=torch.channels_last)):
        for use in (
            lambda x: x.sum(),
            lambda x: (x * x).sum(),
            lambda x: x.exp().sum(),
            lambda x: (x + x.clone()).sum(),
        ):
            x = make().requires_grad_()
            use(x).backward()
            first = x.grad.stride()
            use(x).backward()
            out.append((x.stride(), first, x.grad.stride()))
    return out


def gradients_of_leaves_with_gaps(torch):
    x = torch.empty_strided((2, 2), (4, 2)).copy_(torch.ones(2, 2)).requires_grad_()
    (x * torch.rand(2, 2)).sum().backward()
    y = torch.rand(2, 6)[:, ::2].requires_grad_()
    y.sum().backward()
    return (x.grad.stride(), y.grad.stride())


def a_gradient_nobody_else_holds(torch):
    """One of two leaves keeps the very memory a custom function returned, the other a copy."""
    seen = {}

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            return a * b

        @staticmethod
        def backward(ctx, g):
            made = g * 2
            seen["at"] = made.data_ptr()
            if seen.get("hold"):
                seen["held"] = made
            return made, made

    out = []
    for hold in (False, True):
        seen["hold"] = hold
        a, b = (torch.ones(3, 2, requires_grad=True) for _ in range(2))
        Twice.apply(a, b).exp().sum().backward()
        places = a.grad.data_ptr(), b.grad.data_ptr()
        out.append((len(set(places)), seen["at"] in places))
        a.grad.zero_()
        out.append((b.grad, seen.get("held")))
    return out


def what_was_given_stays(torch):
    x = torch.ones(3, requires_grad=True)
    seed = torch.full((3,), 2.0)
    y = x + 1
    y.backward(seed, retain_graph=True)
    y.backward(seed)
    x.grad.zero_()
    return (seed, x.grad is seed)


def picked_and_padded_results_can_be_viewed(torch):
    x = torch.arange(120.0).view(2, 3, 4, 5)
    first, square = torch.tensor([0, 1]), torch.tensor([[0, 1], [1, 0]])
    functional = torch.nn.functional
    made = (
        x[:, first], x[..., first], x[first], x[:, first, first], x[first, :, first], x[:, square], x[None, :, first],
        x[0, :, first], x[x > 50], x[:, :, square, 0], functional.pad(x, (1, 1, 1, 1), mode="reflect"),
        functional.pad(x[0], (1, 1), mode="replicate"), functional.pad(x, (1, 1, 1, 1), mode="circular"),
        functional.interpolate(x, 8), functional.interpolate(x, scale_factor=2.0, mode="nearest-exact"),
        torch.linalg.cross(x, x, dim=1), torch.cross(x[0], x[0], dim=0),
    )  # fmt: skip
    return [(each.stride(), each.view(-1)[:7]) for each in made]


def gradients_asked_for_can_be_viewed(torch):
    """As flat vectors, which second-order methods make of them."""
    x, w, b = (torch.rand(*shape, requires_grad=True) for shape in ((4, 3), (5, 3), (2, 3, 4)))
    outs = (
        (x @ w.t()).exp(),
        torch.addmm(torch.ones(5), x, w.t()),
        b @ x @ w.t(),
        b.permute(2, 0, 1).exp(),
        x.t().exp(),
    )
    found = []
    for out in outs:
        for create in (False, True):
            asked = [
                each
                for each in (x, w, b)
                if err(lambda e=each, o=out: torch.autograd.grad(o.sum(), e, retain_graph=True)).__class__ is tuple
            ]
            grads = torch.autograd.grad(out.sum(), asked, create_graph=create, retain_graph=True)
            found.append([(g.stride(), g.view(-1).shape) for g in grads])
    return found


def results_of_turned_tensors_can_be_viewed(torch):
    """What is not computed element by element lies in C order, whatever it was made of."""
    functional, first = torch.nn.functional, torch.tensor([0])
    uses = (
        lambda x: x.softmax(1), lambda x: x.log_softmax(0), lambda x: x.cumsum(0), lambda x: x.cumprod(-1),
        lambda x: x.cummax(0)[0], lambda x: x.logcumsumexp(1), lambda x: x.masked_fill(x > 3, 0.0), lambda x: x.roll(1, 0),
        lambda x: torch.cat([x, x]), lambda x: torch.cat([x, x], -1), lambda x: torch.stack([x, x], 1),
        lambda x: torch.stack([x, x], -1), lambda x: functional.layer_norm(x, x.shape[-1:]),
        lambda x: functional.rms_norm(x, x.shape[-1:]), lambda x: functional.batch_norm(x, None, None, training=True),
        lambda x: x.scatter_add(0, torch.zeros_like(x, dtype=torch.int64), x), lambda x: x.index_add(0, first, x[:1]),
        lambda x: x.index_copy(0, first, x[:1]), lambda x: x.masked_scatter(x > 3, x), lambda x: x.renorm(2, 0, 1.0),
    )  # fmt: skip
    x = torch.arange(48.0)
    turned = (x[:12].view(3, 4).t(), x.view(6, 2, 4).transpose(1, 2), x.view(2, 3, 2, 4).transpose(1, 2))
    return [[(use(each).view(-1).shape, use(each).stride()) for use in uses] for each in turned]
