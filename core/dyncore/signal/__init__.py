"""`torch.signal`: windows."""

from . import windows as windows

__dyncore__ = True
__all__ = ["windows"]
