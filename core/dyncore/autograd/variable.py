"""`torch.autograd.variable`: the old place of `Variable`."""

from . import Variable as Variable

__dyncore__ = True
