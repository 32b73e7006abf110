"""Discrete Fourier transforms.

Three primitives do the work, as in PyTorch: complex to complex, real to half of a complex spectrum, and half of a
spectrum to real.  Every function of `dyncore.fft` cuts or pads its input and calls one of them.
"""

import math

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes

from .arrange import roll
from .joining import along, cat
from .padding import constant_pad_nd
from .reduction import axis_of

_NORMS = {None: 0, "backward": 0, "ortho": 1, "forward": 2}


def _scale(count, norm, forward):
    """Return the factor of a transform over `count` elements."""
    if norm not in _NORMS:
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    kind = _NORMS[norm]
    if kind == 1:
        return 1 / math.sqrt(count)
    return 1 / count if (kind == 2) == forward else 1.0


def _count(shape, dim):
    return math.prod(shape[axis] for axis in dim)


@op(
    input=lambda g, dim, scale, onward: _fft_c2c(g, dim, scale, not onward),
    private=True,
    node="FftC2CBackward0",
)
def _fft_c2c(input, dim: tuple, scale: float, onward: bool):
    """Sums of input times exp(-2 pi i jk / n), over `dim`, times `scale`.

    onward: False uses exp(2 pi i jk / n).
    """
    transform = np.fft.fftn if onward else np.fft.ifftn
    result = transform(input, axes=dim, norm="backward" if onward else "forward")
    return (result * scale).astype(input.dtype, copy=False) if scale != 1 else result.astype(input.dtype, copy=False)


def _halved_back(g, input_shape, dim, scale):
    """Return the real part of the transform of the half spectrum, the rest zero."""
    missing = input_shape[dim[-1]] - g.shape[dim[-1]]
    whole = _padded(g, dim[-1], missing)
    return _fft_c2c(whole, dim, scale, False).real


def _padded(x, axis, count):
    """Append zeros to `x` along `axis`."""
    return constant_pad_nd(x, (0, 0) * (len(x.shape) - 1 - axis) + (0, count)) if count else x


@op(input=_halved_back, private=True, node="FftR2CBackward0")
def _fft_r2c(input, dim: tuple, scale: float):
    """First half of the spectrum of real numbers: n // 2 + 1 along the last of `dim`."""
    kind = dtypes.of(input.dtype).to_complex().numpy
    result = np.fft.rfftn(input, axes=dim)
    return (result * scale).astype(kind, copy=False)


def _doubled_back(g, dim, scale, size):
    """Return the half spectrum of the gradient, its middle counted twice.

    Each element of the middle stands for two of the whole spectrum.
    """
    axis = dim[-1]
    result = _fft_r2c(g, dim, scale)
    middle = result.shape[axis] - 1 - (1 if size % 2 == 0 else 0)
    if middle <= 0:
        return result
    first, twice = result[along(axis, slice(0, 1))], result[along(axis, slice(1, 1 + middle))] * 2
    return cat([first, twice, result[along(axis, slice(1 + middle, None))]], axis)


@op(input=_doubled_back, private=True, node="FftC2RBackward0")
def _fft_c2r(input, dim: tuple, scale: float, size: int):
    """`size` real numbers from the first half of their spectrum.

    They lie along the last of `dim`.
    """
    shape = [input.shape[axis] for axis in dim[:-1]] + [size]
    result = np.fft.irfftn(input, s=shape, axes=dim, norm="forward")
    return (result * scale).astype(result.dtype if input.dtype == np.complex128 else np.float32, copy=False)


def _sized(input, axis, size):
    """Cut `input`, or pad it with zeros, to `size` along `axis`."""
    if size is None or input.shape[axis] == size:
        return input
    if size < input.shape[axis]:
        return input[along(axis, slice(0, size))]
    return _padded(input, axis, size - input.shape[axis])


def _axis(input, dim):
    if not len(input.shape):
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return axis_of(dim, len(input.shape))


def _check_size(size):
    if size < 1:
        raise RuntimeError(f"Invalid number of data points ({size}) specified")


def _promoted(input, complex_too):
    """Return `input` as floats, or as complex numbers."""
    kind = input.dtype
    if kind is dtypes.float16:
        raise RuntimeError("Unsupported dtype Half")
    if kind.category < dtypes.FLOATING:
        kind = dtypes.get_default_dtype()
    if complex_too:
        kind = kind.to_complex()
    return input.to(kind)


def _real_only(input, name):
    if input.is_complex():
        raise RuntimeError(f"{name} expects a real input tensor, but got {input.dtype.title}")
    return _promoted(input, False)


def _axes(input, s, dim):
    """Return the dimensions to transform and their sizes.

    -1 and None stand for the sizes of the input.
    """
    ndim = len(input.shape)
    if dim is not None:
        axes = [_axis(input, d) for d in (dim if isinstance(dim, (tuple, list)) else (dim,))]
        if len(set(axes)) != len(axes):
            raise RuntimeError("FFT dims must be unique")
    elif s is not None:
        if len(s) > ndim:
            raise RuntimeError(f"Got shape with {len(s)} values but input tensor only has {ndim} dimensions.")
        axes = list(range(ndim - len(s), ndim))
    else:
        axes = list(range(ndim))
    sizes = [None] * len(axes) if s is None else [None if n == -1 else n for n in s]
    if len(sizes) != len(axes):
        raise RuntimeError("When given, dim and shape arguments must have the same length")
    for axis, n in zip(axes, sizes):
        _check_size(input.shape[axis] if n is None else n)
    return tuple(axes), sizes


def _resized(input, axes, sizes):
    for axis, n in zip(axes, sizes):
        input = _sized(input, axis, n)
    return input


def _whole(input, n, dim, norm, forward):
    """Transform along one dimension, complex to complex."""
    input = _promoted(input, False)
    axis = _axis(input, dim)
    input = _promoted(_sized(input, axis, n), True)
    _check_size(input.shape[axis])
    return _fft_c2c(input, (axis,), _scale(input.shape[axis], norm, forward), forward)


@op(composite=True, private=True, node=lambda input: None if input.is_complex() else "FftR2CBackward0")
def fft_fft(input, n: int = None, dim: int = -1, norm: str = None):
    """Discrete Fourier transform along `dim`.

    n: the input is cut, or padded with zeros, to so many elements.
    """
    return _whole(input, n, dim, norm, True)


@op(composite=True, private=True, node=lambda input: None if input.is_complex() else "ConjBackward0")
def fft_ifft(input, n: int = None, dim: int = -1, norm: str = None):
    """Inverse of `fft`."""
    return _whole(input, n, dim, norm, False)


@op(composite=True, private=True)
def fft_rfft(input, n: int = None, dim: int = -1, norm: str = None):
    """First half of the transform of real numbers, n // 2 + 1 of it.

    The rest are their conjugates.
    """
    input = _real_only(input, "rfft")
    axis = _axis(input, dim)
    input = _sized(input, axis, n)
    _check_size(input.shape[axis])
    return _fft_r2c(input, (axis,), _scale(input.shape[axis], norm, True))


@op(composite=True, private=True)
def fft_irfft(input, n: int = None, dim: int = -1, norm: str = None):
    """`n` real numbers from the first half of their transform; the inverse of `rfft`."""
    input = _promoted(input, True)
    axis = _axis(input, dim)
    size = 2 * (input.shape[axis] - 1) if n is None else n
    _check_size(size)
    return _fft_c2r(_sized(input, axis, size // 2 + 1), (axis,), _scale(size, norm, False), size)


@op(composite=True, private=True)
def fft_hfft(input, n: int = None, dim: int = -1, norm: str = None):
    """Real transform of a signal of which the first half is given.

    The rest are its conjugates.
    """
    input = _promoted(input, True)
    axis = _axis(input, dim)
    size = 2 * (input.shape[axis] - 1) if n is None else n
    _check_size(size)
    return _fft_c2r(_sized(input, axis, size // 2 + 1).conj(), (axis,), _scale(size, norm, True), size)


@op(composite=True, private=True)
def fft_ihfft(input, n: int = None, dim: int = -1, norm: str = None):
    """Inverse of `hfft`: the first half of a signal whose transform is real."""
    input = _real_only(input, "ihfft")
    axis = _axis(input, dim)
    input = _sized(input, axis, n)
    _check_size(input.shape[axis])
    return _fft_r2c(input, (axis,), _scale(input.shape[axis], norm, False)).conj()


def _whole_n(input, s, dim, norm, forward):
    input = _promoted(input, True)
    axes, sizes = _axes(input, s, dim)
    input = _resized(input, axes, sizes)
    if not axes:
        return input
    return _fft_c2c(input, axes, _scale(_count(input.shape, axes), norm, forward), forward)


def _half_sizes(input, axes, sizes):
    """Return the size of the real side of a half spectrum, and of the complex side."""
    size = 2 * (input.shape[axes[-1]] - 1) if sizes[-1] is None else sizes[-1]
    _check_size(size)
    return size, [*sizes[:-1], size // 2 + 1]


def _to_real_n(input, s, dim, norm, forward):
    input = _promoted(input, True)
    axes, sizes = _axes(input, s, dim)
    if not axes:
        raise RuntimeError("irfftn must transform at least one axis")
    size, sizes = _half_sizes(input, axes, sizes)
    input = _resized(input, axes, sizes)
    count = _count(input.shape, axes[:-1]) * size
    return _fft_c2r(input.conj() if forward else input, axes, _scale(count, norm, forward), size)


def _from_real_n(input, s, dim, norm, forward, name):
    input = _real_only(input, name)
    axes, sizes = _axes(input, s, dim)
    if not axes:
        raise RuntimeError(f"{name} must transform at least one axis")
    input = _resized(input, axes, sizes)
    scale = _scale(_count(input.shape, axes), norm, forward)
    if forward:
        return _fft_r2c(input, axes, scale)
    half = _fft_r2c(input, axes[-1:], scale).conj()
    return _fft_c2c(half, axes[:-1], 1.0, False) if len(axes) > 1 else half


@op(composite=True, private=True)
def fft_fftn(input, s: tuple = None, dim: tuple = None, norm: str = None):
    """Discrete Fourier transform along all of `dim`, cut or padded to the sizes `s`."""
    return _whole_n(input, s, dim, norm, True)


@op(composite=True, private=True)
def fft_ifftn(input, s: tuple = None, dim: tuple = None, norm: str = None):
    """Inverse of `fftn`."""
    return _whole_n(input, s, dim, norm, False)


@op(composite=True, private=True)
def fft_rfftn(input, s: tuple = None, dim: tuple = None, norm: str = None):
    """Transform of real numbers along all of `dim`, half of it along the last."""
    return _from_real_n(input, s, dim, norm, True, "rfftn")


@op(composite=True, private=True)
def fft_irfftn(input, s: tuple = None, dim: tuple = None, norm: str = None):
    """Inverse of `rfftn`."""
    return _to_real_n(input, s, dim, norm, False)


@op(composite=True, private=True)
def fft_hfftn(input, s: tuple = None, dim: tuple = None, norm: str = None):
    """Real transform of a signal with conjugate symmetry.

    Half of it is given along the last of `dim`.
    """
    return _to_real_n(input, s, dim, norm, True)


@op(composite=True, private=True)
def fft_ihfftn(input, s: tuple = None, dim: tuple = None, norm: str = None):
    """Inverse of `hfftn`."""
    return _from_real_n(input, s, dim, norm, False, "ihfftn")


@op(composite=True, private=True)
def fft_fft2(input, s: tuple = None, dim: tuple = (-2, -1), norm: str = None):
    """`fftn` over two dimensions."""
    return _whole_n(input, s, dim, norm, True)


@op(composite=True, private=True)
def fft_ifft2(input, s: tuple = None, dim: tuple = (-2, -1), norm: str = None):
    """`ifftn` over two dimensions."""
    return _whole_n(input, s, dim, norm, False)


@op(composite=True, private=True)
def fft_rfft2(input, s: tuple = None, dim: tuple = (-2, -1), norm: str = None):
    """`rfftn` over two dimensions."""
    return _from_real_n(input, s, dim, norm, True, "rfftn")


@op(composite=True, private=True)
def fft_irfft2(input, s: tuple = None, dim: tuple = (-2, -1), norm: str = None):
    """`irfftn` over two dimensions."""
    return _to_real_n(input, s, dim, norm, False)


@op(composite=True, private=True)
def fft_hfft2(input, s: tuple = None, dim: tuple = (-2, -1), norm: str = None):
    """`hfftn` over two dimensions."""
    return _to_real_n(input, s, dim, norm, True)


@op(composite=True, private=True)
def fft_ihfft2(input, s: tuple = None, dim: tuple = (-2, -1), norm: str = None):
    """`ihfftn` over two dimensions."""
    return _from_real_n(input, s, dim, norm, False, "ihfftn")


def _shift(input, dim, half):
    axes = range(len(input.shape)) if dim is None else dim if isinstance(dim, (tuple, list)) else (dim,)
    axes = tuple(_axis(input, d) for d in axes)
    return roll(input, tuple(half(input.shape[axis]) for axis in axes), axes) if axes else input.clone()


@op(composite=True, private=True)
def fft_fftshift(input, dim: tuple = None):
    """Halves along `dim` exchanged, so that frequency 0 is in the middle."""
    return _shift(input, dim, lambda n: n // 2)


@op(composite=True, private=True)
def fft_ifftshift(input, dim: tuple = None):
    """Inverse of `fftshift`."""
    return _shift(input, dim, lambda n: (n + 1) // 2)
