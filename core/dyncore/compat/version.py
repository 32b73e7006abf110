"""`torch.version`: which PyTorch this speaks like, and that there is no GPU."""

from __future__ import annotations

from dyncore.errors.explain import missing_in

__dyncore__ = True
__version__ = "2.13.0+dyncore"
cuda = hip = xpu = None
debug = False

git_version = rocm = None


__getattr__ = missing_in(__name__)
