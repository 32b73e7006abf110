"""`orthogonal`: a parametrization that keeps a weight orthogonal."""

from __future__ import annotations

from typing import Any

import dyncore as torch
from dyncore.nn.module import Module
from dyncore.nn.utils.parametrize import register_parametrization

_MAPS = ("matrix_exp", "cayley", "householder")


class _Orthogonal(Module):
    """Orthonormal columns, or rows of a wide matrix, from any matrix.

    `base`, if there is one, rotates them all.
    """

    base: Any

    def __init__(self, weight: Any, orthogonal_map: str, use_trivialization: bool) -> None:
        super().__init__()
        if weight.is_complex() and orthogonal_map == "householder":
            raise ValueError("The householder parametrization does not support complex tensors.")
        self.shape = weight.shape
        self.orthogonal_map = orthogonal_map
        self.turns = use_trivialization
        if use_trivialization:
            self.register_buffer("base", None)

    def forward(self, X: Any) -> Any:
        wide = X.size(-2) < X.size(-1)
        if wide:
            X = X.mT
        n, k = X.shape[-2:]
        Q = self._reflected(X) if self.orthogonal_map == "householder" else self._turned(X, n, k)
        if self.turns:
            Q = self.base @ Q
        return Q.mT if wide else Q

    def _reflected(self, X: Any) -> Any:
        """Return the product of the reflections in the columns below the diagonal."""
        A = X.tril(diagonal=-1)
        Q = torch.linalg.householder_product(A, 2.0 / (1.0 + (A * A).sum(dim=-2)))
        return Q * X.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)

    def _turned(self, X: Any, n: int, k: int) -> Any:
        """Return exp(A), or its Cayley approximation.

        A is the skew-symmetric matrix of the lower half of X.
        """
        X = X.tril()
        if n != k:
            X = torch.cat([X, X.new_zeros(n, n - k).expand(*X.shape[:-2], -1, -1)], dim=-1)
        A = X - X.mH
        if self.orthogonal_map == "matrix_exp":
            Q = torch.matrix_exp(A)
        else:
            unit = torch.eye(n, dtype=A.dtype)
            Q = torch.linalg.solve(unit - 0.5 * A, unit + 0.5 * A)
        return Q if n == k else Q[..., :k]

    def right_inverse(self, Q: Any) -> Any:
        if Q.shape != self.shape:
            raise ValueError(
                f"Expected a matrix or batch of matrices of shape {self.shape}. Got a tensor of shape {Q.shape}."
            )
        if not self.turns:
            return self._inverse_without_base(Q)
        with torch.no_grad():
            negative = torch.zeros_like(Q)
            negative.diagonal(dim1=-2, dim2=-1).fill_(-1.0)
            if Q.size(-2) < Q.size(-1):
                Q = Q.mT
            n, k = Q.shape[-2:]
            if n != k:
                Q = torch.cat([Q, torch.randn(*Q.shape[:-2], n, n - k, dtype=Q.dtype)], dim=-1)
            self.base = Q.clone() if n == k and _is_orthogonal(Q) else _made_orthogonal(Q)
        return negative

    def _inverse_without_base(self, Q: Any) -> Any:
        if self.orthogonal_map != "householder":
            raise NotImplementedError(
                "It is not possible to assign to the matrix exponential or the Cayley parametrizations when "
                "use_trivialization=False."
            )
        with torch.no_grad():
            wide = Q.size(-2) < Q.size(-1)
            A, tau = torch.geqrf(Q.mT if wide else Q)
            diagonal = A.diagonal(dim1=-2, dim2=-1)
            diagonal.sign_()
            diagonal[tau == 0.0] *= -1
            return A.mT if wide else A


def _is_orthogonal(Q: Any) -> bool:
    n, k = Q.shape[-2:]
    eps = 10.0 * n * torch.finfo(Q.dtype).eps
    return bool(torch.allclose(Q.mH @ Q, torch.eye(k, dtype=Q.dtype), atol=eps))


def _made_orthogonal(A: Any) -> Any:
    """Return the orthogonal factor whose triangular factor has a positive diagonal."""
    Q, R = torch.linalg.qr(A)
    return Q * R.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


def orthogonal(
    module: Module, name: str = "weight", orthogonal_map: str | None = None, *, use_trivialization: bool = True
) -> Any:
    """Keep a weight orthogonal.

    orthogonal_map: `matrix_exp`, `cayley` or `householder` reflections of the learned matrix.
    """
    weight = getattr(module, name, None)
    if not isinstance(weight, torch.Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if weight.ndim < 2:
        raise ValueError(f"Expected a matrix or batch of matrices. Got a tensor of {weight.ndim} dimensions.")
    if orthogonal_map is None:
        square = weight.shape[-2] == weight.shape[-1]
        orthogonal_map = "matrix_exp" if square or weight.is_complex() else "householder"
    if orthogonal_map not in _MAPS:
        raise ValueError(
            f'orthogonal_map has to be one of "matrix_exp", "cayley", "householder". Got: {orthogonal_map}'
        )
    return register_parametrization(module, name, _Orthogonal(weight, orthogonal_map, use_trivialization), unsafe=True)
