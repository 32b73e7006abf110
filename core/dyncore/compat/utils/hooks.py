"""Handles of hooks, under PyTorch's name for the module."""

from __future__ import annotations

from dyncore.engine.hooks import RemovableHandle
from dyncore.errors.explain import missing_in

__all__ = ["RemovableHandle"]


__getattr__ = missing_in(__name__)
