"""Handles of hooks, under PyTorch's name for the module."""

from __future__ import annotations

from ..autograd.hooks import RemovableHandle

__dyncore__ = True
__all__ = ["RemovableHandle"]
