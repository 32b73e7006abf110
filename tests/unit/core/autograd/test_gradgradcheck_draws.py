"""`gradgradcheck` draws the gradients of outputs from the stream that PyTorch draws them from."""

from __future__ import annotations

import dyncore as torch


def test_gradgradcheck_leaves_the_stream_where_pytorch_does() -> None:
    """A uniform number for each element of the output: what follows is as after `rand` of its shape and dtype."""
    x = torch.rand(3, 3, dtype=torch.float64, requires_grad=True)
    torch.manual_seed(0)
    torch.rand(3, 3, dtype=torch.float64)
    expected = torch.rand(2)
    torch.manual_seed(0)
    assert torch.autograd.gradgradcheck(torch.sin, x)
    assert torch.equal(expected, torch.rand(2))


def test_gradgradcheck_of_complex_output_draws_both_parts() -> None:
    """Two numbers for each element."""
    x = torch.ones(2, dtype=torch.complex128, requires_grad=True)
    torch.manual_seed(0)
    torch.rand(2, 2, dtype=torch.float64)
    expected = torch.rand(2)
    torch.manual_seed(0)
    assert torch.autograd.gradgradcheck(lambda z: z * z, x)
    assert torch.equal(expected, torch.rand(2))
