"""Notes of errors: PyTorch's sentence first and unchanged, then place and hint."""

from __future__ import annotations

from typing import TypeVar

E = TypeVar("E", bound=BaseException)


def with_notes(error: E, *notes: str) -> E:
    """Add `notes` to `error`, which tracebacks print below the sentence."""
    for note in notes:
        error.add_note(note)
    return error


class LinAlgError(RuntimeError):
    """A matrix that is singular, not positive-definite, or whose decomposition did not converge."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"  # as PyTorch's is called in tracebacks
LinAlgError.__module__ = "torch._C"
