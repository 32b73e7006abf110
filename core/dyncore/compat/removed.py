"""Functions that PyTorch has removed: each raises its error, and says what to call now."""

from __future__ import annotations

from typing import Any

_REMOVED = "This function was deprecated since version 1.9 and is now removed."


def _removed(instead: str) -> RuntimeError:
    error = RuntimeError(_REMOVED)
    error.add_note(f"hint: {instead}")
    return error


def eig(input: Any, eigenvectors: bool = False, *, e: Any = None, v: Any = None) -> None:
    """Raise RuntimeError: removed."""
    raise _removed("`torch.linalg.eig(A)` returns complex values and vectors, `torch.linalg.eigvals(A)` the values")


def lstsq(input: Any, A: Any, *, out: Any = None) -> None:
    """Raise RuntimeError: removed."""
    raise _removed("`torch.lstsq(B, A)` is `torch.linalg.lstsq(A, B).solution`, without rows of residuals below it")


def matrix_rank(input: Any, tol: Any = None, symmetric: bool = False, *, out: Any = None) -> None:
    """Raise RuntimeError: removed."""
    raise _removed("`torch.linalg.matrix_rank(A)`; `symmetric` is called `hermitian` there")


def solve(input: Any, A: Any, *, out: Any = None) -> None:
    """Raise RuntimeError: removed."""
    raise _removed("`torch.solve(B, A)[0]` is `torch.linalg.solve(A, B)`; `torch.linalg.lu_factor(A)` factors A")


def symeig(input: Any, eigenvectors: bool = False, upper: bool = True, *, out: Any = None) -> None:
    """Raise RuntimeError: removed."""
    raise _removed(
        "`torch.symeig(A, eigenvectors=True)` is `torch.linalg.eigh(A, UPLO='U')`, and without vectors "
        "`torch.linalg.eigvalsh(A, UPLO='U')`"
    )
