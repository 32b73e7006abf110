"""The same elements again: copied, without history, in another order in memory."""

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.tensors.strides import in_format, laid_out


@op(batching="rows", input=lambda g: g, inplace=False)
def clone(input, *, memory_format: object = None):
    """A copy with its own memory, through which gradients pass."""
    return input.copy("K") if memory_format is None else laid_out(input, memory_format)


@op(batching="alias", function=False)
def detach(input):
    """Same memory without history."""
    return input


@op(batching="alias", input=lambda g: g, itself=True, node="CloneBackward0", function=False)
def contiguous(input, memory_format: object = None):
    """Tensor in C order, or another format of memory: itself where it already is."""
    if memory_format is None:
        return input if input.flags.c_contiguous else np.ascontiguousarray(input)
    if str(memory_format) == "torch.preserve_format" and not input.flags.c_contiguous:
        raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
    return input if in_format(input, memory_format) else laid_out(input, memory_format)
