"""How an error of the engine is put: PyTorch's sentence first and unchanged, the place and the way out as notes."""

from __future__ import annotations

from typing import TypeVar

E = TypeVar("E", bound=BaseException)


def with_notes(error: E, *notes: str) -> E:
    """`error` with `notes` added, which tracebacks print below the sentence."""
    for note in notes:
        error.add_note(note)
    return error


class LinAlgError(RuntimeError):
    """A matrix that is singular, not positive-definite, or whose decomposition did not converge."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"  # as PyTorch's is called in tracebacks
LinAlgError.__module__ = "torch._C"
