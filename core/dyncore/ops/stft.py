"""Short-time Fourier transforms and their inverse.

The spectra of overlapping windows of a signal.
"""

import numpy as np

from dyncore.dispatch.formulas.matrices import constant, mirrored, zeros_of
from dyncore.dispatch.registry import op
from dyncore.errors.advice import advise

from .arrange import _unfold_place, unfold
from .fft import fft_fft, fft_ifft, fft_irfft, fft_rfft
from .joining import cat
from .padding import constant_pad_nd, reflection_pad, replication_pad
from .pairs import view_as_real


def _padded(x, amount, mode):
    """Pad the signal, (length,) or (batch, length), on both sides."""
    wide = x.view((1,) * (3 - len(x.shape)) + tuple(x.shape))
    pads = (amount, amount)
    if mode == "constant":
        wide = constant_pad_nd(wide, pads)
    elif mode in ("reflect", "replicate") and (amount < x.shape[-1] or mode == "replicate"):
        wide = (reflection_pad if mode == "reflect" else replication_pad)(wide, pads)
    else:
        wide = wide[..., mirrored(x.shape[-1], amount, mode)]
    return wide.view((*x.shape[:-1], wide.shape[-1]))


def _centered(window, size, like):
    """Return the window, ones for None, with zeros on both sides up to `size`."""
    length = window.shape[0]
    if length == size:
        return window
    left = (size - length) // 2
    before, after = (constant(zeros_of((n,), like), like) for n in (left, size - length - left))
    return cat([before, window, after], 0)


def _window(window, n_fft, win_length, like, name):
    if window is None:
        window = constant(zeros_of((win_length,), like) + 1, like).real
    elif len(window.shape) != 1 or window.shape[0] != win_length:
        raise RuntimeError(
            f"{name} expected a 1D window tensor of size equal to win_length={win_length}, but got window with size "
            f"{list(window.shape)}"
        )
    return _centered(window, n_fft, window)


@op(
    input=lambda g, input_shape, size, step: _unfold_place(g, tuple(input_shape), -1, size, step),
    view=True, private=True, node="AsStridedBackward0", back="AsStridedBackward0",
)  # fmt: skip
def frames_of(input, size: int, step: int):
    """Overlapping windows along the last dimension, as a view.

    (batch, length) -> (batch, windows, size).
    """
    return unfold(input, -1, size, step)


def _stft_title(input, return_complex):
    if return_complex is False:
        return "ViewAsRealBackward0"
    return "SqueezeBackward4" if len(input.shape) == 1 else "TransposeBackward1"


@op(composite=True, node=_stft_title)
def stft(
    input,
    n_fft: int,
    hop_length: int = None,
    win_length: int = None,
    window=None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool = None,
    return_complex: bool = None,
    align_to_window: bool = None,
):
    """Spectra of overlapping windows.

    (length,) or (batch, length) -> (*, frequencies, windows).
    """
    if window is None:
        advise("stft")
    hop = n_fft // 4 if hop_length is None else hop_length
    length = n_fft if win_length is None else win_length
    mixed = input.is_complex() or (window is not None and window.is_complex())
    if return_complex is None:
        if not mixed:
            raise RuntimeError(
                "stft requires the return_complex parameter be given for real inputs, and will further require that "
                "return_complex=True in a future PyTorch release."
            )
        return_complex = True
    elif not return_complex:
        advise("stft real")
    if not 1 <= len(input.shape) <= 2:
        raise RuntimeError(f"stft expected a tensor with 1 or 2 dimensions, but got {len(input.shape)}D")
    if hop <= 0:
        raise RuntimeError(f"stft expected hop_length > 0, but got hop_length={hop}")
    if not 0 < length <= n_fft:
        raise RuntimeError(f"stft expected 0 < win_length <= n_fft, but got win_length={length}")
    half = not mixed if onesided is None else onesided
    taper = _window(window, n_fft, length, input, "stft")
    if center:
        input = _padded(input, n_fft // 2, pad_mode)
    if not 0 < n_fft <= input.shape[-1]:
        raise RuntimeError(f"stft expected 0 < n_fft <= {input.shape[-1]}, but got n_fft={n_fft}")
    single = len(input.shape) == 1
    frames = frames_of(np.expand_dims(input, 0) if single else input, n_fft, hop) * taper
    norm = "ortho" if normalized else None
    if half and frames.is_complex():
        raise RuntimeError("Cannot have onesided output if window or input is complex")
    spectrum = fft_rfft(frames, norm=norm) if half else fft_fft(frames, norm=norm)
    spectrum = np.swapaxes(spectrum, -1, -2)
    if single:
        spectrum = np.squeeze(spectrum, 0)
    return spectrum if return_complex else view_as_real(spectrum)


@op(composite=True, node=lambda input: "SqueezeBackward1" if len(input.shape) == 2 else None)
def istft(
    input,
    n_fft: int,
    hop_length: int = None,
    win_length: int = None,
    window=None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool = None,
    length: int = None,
    return_complex: bool = False,
):
    """Signal whose `stft` is nearest to `input`.

    Windows are added where they overlap, and divided by their weight.
    """
    if window is None:
        advise("istft")
    hop = n_fft // 4 if hop_length is None else hop_length
    wide = n_fft if win_length is None else win_length
    if not input.is_complex():
        raise RuntimeError(
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True."
        )
    half = input.shape[-2] != n_fft if onesided is None else onesided
    if half and input.shape[-2] != n_fft // 2 + 1:
        raise RuntimeError(
            "istft expected the frequency dimension (3rd to the last) of the input tensor to match n_fft / 2 + 1 when "
            f"onesided=True, but got {input.shape[-2]}"
        )
    if not 0 < hop <= wide:
        raise RuntimeError("istft expected 0 < hop_length <= win_length")
    if not 0 < wide <= n_fft:
        raise RuntimeError("istft expected 0 < win_length <= n_fft")
    taper = _window(window, n_fft, wide, input, "istft")
    if taper.is_complex() and not return_complex:
        raise RuntimeError("Complex windows are incompatible with return_complex=False")
    norm = "ortho" if normalized else None
    spectrum = np.swapaxes(input, -1, -2)
    if return_complex:
        frames = fft_ifft(spectrum, norm=norm)
    else:
        # A signal asked for as real is made from the first half of the spectrum alone.
        frames = fft_irfft(spectrum[..., : n_fft // 2 + 1], n=n_fft, norm=norm)
    count = frames.shape[-2]
    total = n_fft + hop * (count - 1)
    signal = _unfold_place(frames * taper, (*frames.shape[:-2], total), -1, n_fft, hop)
    weights = (taper * taper).expand(count, n_fft)
    weight = _unfold_place(weights, (total,), -1, n_fft, hop)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else total - (n_fft // 2 if center else 0)
    signal, weight = signal[..., start:end], weight[start:end]
    if np.amin(np.abs(weight)) <= 1e-11:
        raise RuntimeError("window overlap add min: 1")
    signal = signal / weight
    missing = end - total
    if missing > 0:
        signal = cat([signal, constant(zeros_of((*signal.shape[:-1], missing), signal), signal)], -1)
    return signal
