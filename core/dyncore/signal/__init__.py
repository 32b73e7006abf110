"""`torch.signal`: windows."""

from dyncore.explain import missing_in

from . import windows as windows

__dyncore__ = True
__all__ = ["windows"]

__getattr__ = missing_in(__name__)
