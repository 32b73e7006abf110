"""`torch.version`: which PyTorch this speaks like, and that there is no GPU."""

from __future__ import annotations

__dyncore__ = True
__version__ = "2.13.0+dyncore"
cuda = hip = xpu = None
debug = False
