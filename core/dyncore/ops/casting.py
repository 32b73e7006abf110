"""Other dtypes; the parts of complex numbers."""

import numpy as np

from dyncore.dispatch.registry import op, titled
from dyncore.dtypes import dtypes
from dyncore.tensors.lazy_conj import bits, mirrored
from dyncore.tensors.strides import laid_out


@op(batching="rows", input=lambda g: g, node="ToCopyBackward0", function=False, private=True)
def _to_copy(input, dtype: object, memory_format: object = None):
    """Copy in another dtype or memory format.

    Gradients come back in the input's dtype.
    """
    target = dtypes.to_numpy(dtype)
    if input.dtype.kind == "c" and target.kind not in "cb":
        input = input.real
    with np.errstate(all="ignore"):
        result = input.astype(target)
    return result if memory_format is None else laid_out(result, memory_format)


def _cast(name, target):
    def cast(input, memory_format: object = None):
        return (
            input if input.dtype is target and memory_format is None else input.to(target, memory_format=memory_format)
        )

    doc = f"The elements as {target}: the tensor itself if they are, else a copy."
    return op(composite=True, function=False)(titled(name, doc, cast))


for _name, _target in {
    "double": dtypes.float64, "float": dtypes.float32, "half": dtypes.float16, "long": dtypes.int64,
    "int": dtypes.int32, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8, "bool": dtypes.bool_,
    "cfloat": dtypes.complex64, "cdouble": dtypes.complex128,
}.items():  # fmt: skip
    _cast(_name, _target)


@op(input=lambda g: g, view=True, itself=True, attribute=True, node="SelectBackward0")
def real(input):
    """Real part of each element, as a view; a real tensor itself."""
    return input.real if input.dtype.kind == "c" else input


@op(input=lambda g: g * 1j, view=True, attribute=True, node="SelectBackward0")
def imag(input):
    """Imaginary part of each element, as a view.

    Raises RuntimeError for a real tensor.
    """
    if input.dtype.kind != "c":
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return input.imag


@op(input=lambda g: g.conj(), view=True, itself=True)
def conj(input):
    """Complex conjugate of each element, as a view; a real tensor itself."""
    return mirrored(input, conj=True) if input.dtype.kind == "c" else input


@op(input=lambda g: -g, view=True, function=False, node="NegViewBackward0")
def _neg_view(input):
    """Minus each element, as a view."""
    return mirrored(input, neg=True)


@op(
    input=lambda g: g.conj(),
    itself=True,
    inplace={"CloneBackward0": "ConjPhysicalBackward1", "ConjPhysicalBackward0": "ConjPhysicalBackward1"},
)
def conj_physical(input):
    """Complex conjugate of each element, in new memory; a real tensor itself."""
    return np.conjugate(input) if input.dtype.kind == "c" else input


@op(composite=True)
def resolve_conj(input):
    """The tensor itself, or a copy of one that is a lazy conjugate."""
    return input.clone() if bits(input)[0] else input


@op(composite=True)
def resolve_neg(input):
    """The tensor itself, or a copy of one that is a lazy negative."""
    return input.clone() if bits(input)[1] else input
