"""Complex numbers from pairs of real ones, and as such."""

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.tensors.lazy_conj import located
from dyncore.tensors.strides import laid_like, restrided

from .pointwise import sgn


def _check_parts(first, second):
    if first.dtype != second.dtype or first.dtype.kind != "f":
        one, two = (dtypes.of(each.dtype).title for each in (first, second))
        if first.dtype.kind != "f" or second.dtype.kind != "f":
            raise RuntimeError(f"Expected both inputs to be Half, Float or Double tensors but got {one} and {two}")
        raise RuntimeError(f"Expected object of scalar type {one} but got scalar type {two} for second argument")


def _pair_dtype(array):
    return np.complex64 if array.dtype.itemsize <= 4 else np.complex128


@op(real=lambda g: g.real, imag=lambda g: g.imag, method=False)
def complex(real, imag):
    """Complex numbers from their real and imaginary parts."""
    _check_parts(real, imag)
    result = np.empty(np.broadcast(real, imag).shape, _pair_dtype(real))
    result.real, result.imag = real, imag
    return laid_like(real, result) if real.shape == result.shape else result


@op(
    abs=lambda g, result: (g.conj() * sgn(result)).real,
    angle=lambda g, result: (g.conj() * (result * 1j)).real,
    method=False,
)
def polar(abs, angle):
    """Complex numbers from their absolute values and angles."""
    _check_parts(abs, angle)
    return (abs * (np.cos(angle) + 1j * np.sin(angle))).astype(_pair_dtype(abs))


@op(input=lambda g: complex(g[..., 0], g[..., 1]), view=True, method=False)
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


@op(input=lambda g: view_as_real(g), view=True, method=False)
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
