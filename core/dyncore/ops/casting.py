"""Other dtypes, and the complex numbers seen as pairs of real ones."""

import numpy as np

from .. import dtypes
from ..mirrors import bits, located, mirrored
from ..registry import op
from ..strides import laid_out, restrided
from .pointwise import sgn


@op(input=lambda g: g, node="ToCopyBackward0", function=False, private=True, linear=True)
def _to_copy(input, dtype: object, memory_format: object = None):
    """A copy in another dtype or format of memory; gradients come back in the input's dtype."""
    target = dtypes.to_numpy(dtype)
    if input.dtype.kind == "c" and target.kind not in "cb":
        input = input.real
    with np.errstate(all="ignore"):
        made = input.astype(target)
    return made if memory_format is None else laid_out(made, memory_format)


def _cast(name, target):
    def cast(input, memory_format: object = None):
        return (
            input if input.dtype is target and memory_format is None else input.to(target, memory_format=memory_format)
        )

    cast.__name__ = cast.__qualname__ = name
    cast.__doc__ = f"The elements as {target}: the tensor itself if they are, else a copy."
    return op(composite=True, function=False)(cast)


for _name, _target in {
    "double": dtypes.float64, "float": dtypes.float32, "half": dtypes.float16, "long": dtypes.int64,
    "int": dtypes.int32, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8, "bool": dtypes.bool_,
    "cfloat": dtypes.complex64, "cdouble": dtypes.complex128,
}.items():  # fmt: skip
    _cast(_name, _target)


def _check_parts(first, second, names, title):
    if first.dtype != second.dtype or first.dtype.kind != "f":
        one, two = (dtypes.of(each.dtype).title for each in (first, second))
        if first.dtype.kind != "f" or second.dtype.kind != "f":
            raise RuntimeError(f"Expected both inputs to be Half, Float or Double tensors but got {one} and {two}")
        raise RuntimeError(f"Expected object of scalar type {one} but got scalar type {two} for second argument")


def _pair_dtype(array):
    return np.complex64 if array.dtype.itemsize <= 4 else np.complex128


@op(real=lambda g: g.real, imag=lambda g: g.imag, method=False, linear=True)
def complex(real, imag):
    """Complex numbers from their real and imaginary parts."""
    _check_parts(real, imag, ("real", "imag"), "complex")
    made = np.empty(np.broadcast(real, imag).shape, _pair_dtype(real))
    made.real, made.imag = real, imag
    return made


@op(
    abs=lambda g, result: (g.conj() * sgn(result)).real,
    angle=lambda g, result: (g.conj() * (result * 1j)).real,
    method=False,
)
def polar(abs, angle):
    """Complex numbers from their absolute values and angles."""
    _check_parts(abs, angle, ("abs", "angle"), "polar")
    return (abs * (np.cos(angle) + 1j * np.sin(angle))).astype(_pair_dtype(abs))


@op(input=lambda g: complex(g[..., 0], g[..., 1]), view=True, method=False, linear=True)
def view_as_real(input):
    """Complex numbers as pairs of real ones in a last dimension of size 2, as a view."""
    if input.dtype.kind != "c":
        raise RuntimeError("view_as_real is only supported for complex tensors")
    if located(input)[1]:
        raise RuntimeError(
            "view_as_real doesn't work on unresolved conjugated tensors.  To resolve the conjugate tensor so you can "
            "view it as real, use self.resolve_conj(); however, be warned that the resulting tensor will NOT alias "
            "the original."
        )
    part = input.real
    return restrided(part, (*part.shape, 2), (*part.strides, part.itemsize))


@op(input=lambda g: view_as_real(g), view=True, method=False, linear=True)
def view_as_complex(input):
    """Pairs of real numbers in the last dimension as complex ones, as a view."""
    if input.dtype.kind != "f":
        raise RuntimeError(
            "view_as_complex is only supported for half, float and double tensors, but got a tensor of scalar type: "
            + dtypes.of(input.dtype).title
        )
    if not input.ndim:
        raise RuntimeError("Input tensor must have one or more dimensions")
    if input.shape[-1] != 2:
        raise RuntimeError("Tensor must have a last dimension of size 2")
    if input.size and input.strides[-1] != input.itemsize:
        raise RuntimeError("Tensor must have a last dimension with stride 1")
    if any(s % (2 * input.itemsize) for s, n in zip(input.strides[:-1], input.shape[:-1]) if n > 1):
        raise RuntimeError("Tensor must have a stride divisible by 2 for all but last dimension")
    return input.view(_pair_dtype(input))[..., 0]


@op(input=lambda g: g, view=True, itself=True, attribute=True, node="SelectBackward0", linear=True)
def real(input):
    """The real part of each element, as a view; a real tensor itself."""
    return input.real if input.dtype.kind == "c" else input


@op(input=lambda g: g * 1j, view=True, attribute=True, node="SelectBackward0", linear=True)
def imag(input):
    """The imaginary part of each element, as a view.  Raises RuntimeError for a real tensor."""
    if input.dtype.kind != "c":
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return input.imag


@op(input=lambda g: g.conj(), view=True, itself=True, linear=True)
def conj(input):
    """Complex conjugate of each element, as a view; a real tensor itself."""
    return mirrored(input, conj=True) if input.dtype.kind == "c" else input


@op(input=lambda g: -g, view=True, linear=True, function=False, node="NegViewBackward0")
def _neg_view(input):
    """Minus each element, as a view."""
    return mirrored(input, neg=True)


@op(
    input=lambda g: g.conj(),
    itself=True,
    inplace={"CloneBackward0": "ConjPhysicalBackward1", "ConjPhysicalBackward0": "ConjPhysicalBackward1"},
    linear=True,
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
