"""Gradients of functions that are made of other ops and have no samples of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore.nn import functional as F


def reflections(m: int, n: int) -> tuple[Any, Any]:
    """Return the reflections of a QR decomposition, as constants."""
    return torch.geqrf(matrix(m, n))


def matrix(*shape: int) -> Any:
    """Return numbers between -1 and 1, with a dominant diagonal where there are two dimensions."""
    values = np.random.default_rng(3).uniform(-1, 1, shape)
    if len(shape) == 2:
        values += 2 * np.eye(*shape)
    return torch.from_numpy(values)


def multiplied(left: bool, transpose: bool) -> Callable[[Any], Any]:
    """Return multiplication with the Q of some reflections."""
    a, tau = reflections(3, 3)
    return lambda x: torch.ormqr(a, tau, x, left=left, transpose=transpose)


CASES: dict[str, tuple[Callable[..., Any], tuple[int, ...]]] = {
    "ormqr": (multiplied(True, False), (3, 2)),
    "ormqr transposed": (multiplied(True, True), (3, 2)),
    "ormqr from the right": (multiplied(False, False), (2, 3)),
    "ormqr from the right, transposed": (multiplied(False, True), (2, 3)),
    "ormqr, reflections": (lambda a: torch.ormqr(a, reflections(3, 3)[1], matrix(3, 2)), (3, 3)),
    "orgqr": (lambda a: torch.orgqr(a, reflections(4, 2)[1]), (4, 2)),
    "orgqr, factors": (lambda tau: torch.orgqr(reflections(4, 2)[0], tau.abs()), (2,)),
    "lu of a wide matrix": (lambda a: torch.linalg.lu(a)[1:], (2, 4)),
    "lu of a tall matrix": (lambda a: torch.linalg.lu(a)[1:], (4, 2)),
    "lu_factor and lu_solve": (lambda a: torch.linalg.lu_solve(*torch.linalg.lu_factor(a), matrix(3, 2)), (3, 3)),
    "cholesky": (lambda a: torch.linalg.cholesky(a @ a.T + torch.eye(3, dtype=torch.float64)), (3, 3)),
    "cholesky_solve": (lambda a: torch.cholesky_solve(matrix(3, 2), a.tril()), (3, 3)),
    "cholesky_inverse": (lambda a: torch.cholesky_inverse(a.tril()), (3, 3)),
    "qr": (torch.linalg.qr, (4, 3)),
    "pinv, rank one": (lambda a: torch.linalg.pinv(torch.outer(matrix(4), a)), (3,)),
    "svd": (lambda a: torch.linalg.svd(a, full_matrices=False)[1], (3, 4)),
    "det": (torch.det, (3, 3)),
    "slogdet": (lambda a: torch.slogdet(a)[1], (3, 3)),
    "matrix_exp": (torch.matrix_exp, (3, 3)),
    "matrix_power": (lambda a: torch.matrix_power(a, 3), (3, 3)),
    "matrix_power, negative": (lambda a: torch.matrix_power(a, -2), (3, 3)),
    "pinverse": (torch.pinverse, (4, 2)),
    "cov": (torch.cov, (2, 5)),
    "corrcoef": (torch.corrcoef, (2, 5)),
    "kron": (lambda a: torch.kron(a, matrix(2, 2)), (2, 2)),
    "cross": (lambda a: torch.linalg.cross(a, matrix(2, 3)), (2, 3)),
    "einsum with a trace": (lambda a: torch.einsum("iij,jk->ki", a, matrix(2, 2)), (3, 3, 2)),
    "tensordot": (lambda a: torch.tensordot(a, matrix(3, 2), dims=([1], [0])), (2, 3)),
    "vander": (lambda a: torch.vander(a, 4, increasing=True), (3,)),
    "kl_div": (lambda a: F.kl_div(a, matrix(2, 3).abs(), reduction="batchmean"), (2, 3)),
    "kl_div, log target": (lambda a: F.kl_div(matrix(2, 3), a, reduction="sum", log_target=True), (2, 3)),
    "gaussian_nll_loss": (lambda a: F.gaussian_nll_loss(a, matrix(4), matrix(4).abs() + 0.5, full=True), (4,)),
    "poisson_nll_loss": (lambda a: F.poisson_nll_loss(a.abs(), matrix(4).abs(), log_input=False), (4,)),
    "triplet_margin_loss": (lambda a: F.triplet_margin_loss(a, 2 * matrix(2, 3), -matrix(2, 3), margin=3.0), (2, 3)),
    "cosine_embedding_loss": (lambda a: F.cosine_embedding_loss(a, matrix(2, 3), torch.tensor([1, -1])), (2, 3)),
    "grid_sample": (lambda g: F.grid_sample(matrix(1, 2, 4, 5), g, align_corners=False), (1, 2, 2, 2)),
    "interpolate with corners": (
        lambda a: F.interpolate(a, size=(5, 4), mode="bilinear", align_corners=True), (1, 1, 3, 3),
    ),
    "stft": (lambda a: torch.view_as_real(torch.stft(a, 4, window=matrix(4).abs(), return_complex=True)), (10,)),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_gradient_of_composite_function_agrees_with_differences(case: str) -> None:
    """Gradcheck in float64, at numbers where the function is smooth."""
    function, shape = CASES[case]
    assert torch.autograd.gradcheck(function, matrix(*shape).requires_grad_())


@pytest.mark.parametrize("name", ["i1", "i1e"])
def test_slope_of_bessel_function_at_zero_is_half(name: str) -> None:
    """The formula divides by the operand everywhere else."""
    x = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    getattr(torch.special, name)(x).sum().backward()
    assert [0.5, 0.5] == x.grad.tolist()


def test_log_ndtr_of_a_large_number_is_not_zero() -> None:
    """log(1 - p) is about -p where 1 - p rounds to 1."""
    x = torch.tensor(9.0, dtype=torch.float64)
    assert pytest.approx(-1.12858840595e-19, rel=1e-9, abs=0) == torch.special.log_ndtr(x).item()


@pytest.mark.parametrize("shape", [(4, 3), (3, 4)])
def test_low_rank_decomposition_of_a_difference_multiplies_to_it(shape: tuple[int, int]) -> None:
    a, less = matrix(*shape), matrix(shape[1]).abs()
    u, s, v = torch.svd_lowrank(a, q=3, M=less)
    assert torch.allclose(a - less, u @ s.diag() @ v.mT)
