"""`torch.autograd.variable`: the old module of `Variable`."""

from . import Variable as Variable
