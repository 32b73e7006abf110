"""Grad mode and inference mode."""

from __future__ import annotations

from tests.parity.autograd.same import err


def inference_flags(torch):
    with torch.inference_mode():
        a = torch.ones(2)
    return (
        a.is_inference(),
        torch.is_inference_mode_enabled(),
        torch.is_inference(a),
        torch.is_grad_enabled(),
        torch.autograd.is_multithreading_enabled() if hasattr(torch.autograd, "is_multithreading_enabled") else None,
    )


def inf_mode_basic(torch):
    out = []
    out.append(torch.is_inference_mode_enabled())
    with torch.inference_mode():
        out.append(torch.is_inference_mode_enabled())
    with torch.inference_mode():
        with torch.inference_mode(False):
            out.append((torch.is_inference_mode_enabled(), torch.is_grad_enabled(), torch.ones(1).is_inference()))

    @torch.inference_mode()
    def f(x):
        return (x.is_inference(), (x * 2).is_inference(), torch.is_grad_enabled())

    out.append(f(torch.ones(1)))

    @torch.inference_mode
    def g(x):
        return (x * 2).is_inference()

    out.append(g(torch.ones(1)))

    @torch.inference_mode(mode=False)
    def h(x):
        return (x * 2).is_inference()

    out.append(h(torch.ones(1)))
    return out


def inf_mode_rebase(torch):
    out = []
    for rg in (True, False):
        s = torch.ones(1, 2, 3, requires_grad=rg)
        a = s.clone()
        with torch.inference_mode():
            v = a.view_as(a)
        out.append(err(lambda: v.add_(2)))
        s = torch.ones(1, 2, 3, requires_grad=rg)
        a = s.clone()
        with torch.inference_mode():
            v = a.view_as(a)
        out.append(err(lambda: a.add_(2)))
        out.append(err(lambda: v.grad_fn))
    return out


def a_value_written_under_anomaly_mode(torch):
    """The sentence points at the warning, not to the mode that is on."""

    def run():
        a = torch.ones(5, requires_grad=True)
        b = a + 1
        c = b**2
        b += 1
        torch.autograd.grad(c.sum(), a)

    with torch.autograd.detect_anomaly():
        inside = err(run)
    return (inside, err(run))
