"""`torch.signal`: windows."""

from dyncore.errors.explain import missing_in

from . import windows

__all__ = ["windows"]

__getattr__ = missing_in(__name__)
