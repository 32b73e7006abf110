"""What nodes show of what they saved, under PyTorch's names."""

from __future__ import annotations

from tests.parity.autograd.same import err, saved_by


def picked_by_tensors(torch):
    x = torch.arange(12.0).reshape(3, 4).requires_grad_()
    places, mask = torch.tensor([0, 2]), torch.tensor([True, False, True])
    cases = (x[places], x[:, places], x[places, places], x[mask], x[..., places], x[1:, places])
    found = [saved_by(y.grad_fn)["_saved_indices"] for y in cases]
    raw = cases[1].grad_fn._raw_saved_indices
    return (found, [type(each).__name__ for each in raw], err(lambda: raw[0].register_hooks(abs, abs)))


def hooks_on_an_index(torch):
    x = torch.arange(12.0).reshape(3, 4).requires_grad_()
    out = []
    for index in (torch.tensor([0, 2]), (slice(None), torch.tensor([1, 1]))):
        y = x[index]
        held = y.grad_fn._raw_saved_indices[-1]
        seen = []
        held.register_hooks(lambda t: t.tolist(), lambda kept, seen=seen: seen.append(kept) or torch.tensor(kept))
        (g,) = torch.autograd.grad(y.sum(), x)
        out.append((g, seen, err(lambda node=y.grad_fn: node._raw_saved_indices[-1].register_hooks(abs, abs))))
    return [(g, seen[0], "freed" in str(error)) for g, seen, error in out]


def parts_of_views(torch):
    x = torch.ones(3, 4, requires_grad=True)
    return [saved_by(y.grad_fn) for y in (x[1], x[-1], x[0:2], x[:, 1:], x[:, ::2], x[:, 1])]


def sizes_and_scales(torch):
    functional = torch.nn.functional
    x, image = torch.ones(1, 2, 6, requires_grad=True), torch.ones(1, 1, 4, 4, requires_grad=True)
    made = (
        functional.interpolate(x, 4, mode="linear"),
        functional.interpolate(x, scale_factor=0.5, mode="linear"),
        functional.interpolate(image, scale_factor=2.0),
        functional.interpolate(image, (3, 5), mode="bilinear"),
    )
    found = [saved_by(y.grad_fn) for y in made]
    names = ("_saved_output_size", "_saved_scales", "_saved_scales_h", "_saved_scales_w", "_saved_align_corners")
    return [{name: each[name] for name in names if name in each} for each in found]


def shapes_that_formulas_use(torch):
    image = torch.ones(1, 1, 4, 4, requires_grad=True)
    with_bias, without = torch.nn.Conv2d(1, 2, 3), torch.nn.Conv2d(1, 2, 3, bias=False)
    batch = torch.ones(2, 3, 4, requires_grad=True)
    added = torch.addbmm(torch.ones(3, 3), batch, batch.mT).grad_fn
    columns = torch.nn.functional.unfold(image, 3).grad_fn
    return (
        [conv(image).grad_fn._saved_bias_sym_sizes_opt for conv in (with_bias, without)],
        (added._saved_batch1_sym_argsize_0, added._saved_batch1_sym_argsize_1, added._saved_batch2_sym_argsize_2),
        (columns._saved_self_sym_argsize_minus_2, columns._saved_kernel_size),
        (
            batch.mean((0, 1)).grad_fn._saved_dim,
            batch.mean(1).grad_fn._saved_self_sym_numel,
            batch.sum(2).grad_fn._saved_dim,
        ),
    )


def settings(torch):
    x = torch.zeros(4, requires_grad=True)
    limits = (1 + 0j, 1.5, 2, True, torch.tensor(0.5), torch.tensor(1 + 0j))
    thresholds = [torch.threshold(x, limit, 1).grad_fn._saved_threshold for limit in limits]
    rounded = [torch.div(x, 2.0, rounding_mode=mode).grad_fn._saved_rounding_mode for mode in ("trunc", "floor", None)]
    return (
        [(type(each).__name__, each) for each in thresholds],
        rounded,
        torch.pdist(torch.eye(3).requires_grad_(), 1).grad_fn._saved_p,
    )


def weights_of_a_loss(torch):
    x, target = torch.eye(3).requires_grad_(), torch.tensor([0, 1, 2])
    weight = torch.tensor([1.0, 2.0, 3.0])
    plain, weighted = (torch.nn.functional.nll_loss(x, target, each) for each in (None, weight))
    found = (plain.grad_fn._saved_weight, weighted.grad_fn._saved_weight, weighted.grad_fn._saved_target)
    weighted.backward()
    return (found, plain.grad_fn._saved_reduction, err(lambda: weighted.grad_fn._saved_weight))


def extremes_over_a_list(torch):
    tensors = [torch.tensor([-1.0, 0.0, 1.0], requires_grad=True) for _ in range(2)]
    out = []
    for name in ("_foreach_maximum", "_foreach_minimum"):
        for numbers in ([0.0, 1.0], 0.0):
            made = getattr(torch, name)(tensors, numbers)
            wanted = "_saved_scalars" if isinstance(numbers, list) else "_saved_scalar"
            out.append([saved_by(each.grad_fn)[wanted] for each in made])
            out.append(torch.autograd.grad(sum(each.sum() for each in made), tensors))
    return out


def numbers_without_a_sign(torch):
    x = torch.ones(2, 3, requires_grad=True)
    made = (x.softmax(-1), x.sum(-1), x.mean((-2, -1)), x.select(-1, -2), x.cumsum(-1), x.unsqueeze(-1), x.amax(-1))
    return [y.grad_fn._saved_dim for y in made]


def classes_by_name(torch):
    x = torch.ones(3, 3, requires_grad=True)
    made = (x[0], x[:, 1:], x[torch.tensor([0])], x.sum(), x.sum(0), x.max(), x**2, x.view(9), x.unbind()[0], x.mean(0))
    chain = x[0].sum() * 2
    return (
        [type(y.grad_fn).__name__ for y in made],
        type(chain.grad_fn.next_functions[0][0].next_functions[0][0]).__name__,
    )


def listed(torch):
    """Every name that PyTorch's nodes of these ops show is one of ours, and the setting behind it is the same."""
    x = torch.tensor([1.5, 0.7], requires_grad=True)
    image = x.view(1, 1, 1, 2)
    kernel = torch.ones(1, 1, 1, 1, requires_grad=True)
    wanted = {
        "_saved_dim": (x.sum(0), x.var(0), torch.cat([x, x]), torch.stack([x, x]), x[1:], x[0]),
        "_saved_self_sym_sizes": (x.sum(0), x.expand(3, 2), x[1:]),
        "_saved_keepdim": (x.sum(0), x.mean(0)),
        "_saved_exponent": (x**2,),
        "_saved_indices": (x[torch.tensor([0, 1])],),
        "_saved_padding": (torch.nn.functional.conv2d(image, kernel),),
        "_saved_correction": (x.var(0),),
    }
    shown = [(name, getattr(y.grad_fn, name), name in dir(y.grad_fn)) for name, made in wanted.items() for y in made]
    return shown
