"""Images at another size or at other points."""

from __future__ import annotations

import math
import warnings
from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.errors.advice import advise
from dyncore.tensors.tensor import Tensor

_RANKS = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3, "lanczos": 2}
_LINEAR = ("linear", "bilinear", "trilinear")


def interpolate(
    input: Tensor,
    size: Any = None,
    scale_factor: Any = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> Any:
    """Resample (N, C, *sizes) to `size`, or to its sizes times `scale_factor`.

    mode: nearest, nearest-exact, linear, bilinear, bicubic, trilinear, area.
    """
    _check_mode(mode, align_corners)
    rank = input._array.ndim - 2
    output, factors = _target(input, size, scale_factor, recompute_scale_factor, rank)
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and rank == 2):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        )
    if rank in (1, 2, 3) and mode in ("nearest", "nearest-exact"):
        return TABLE["nearest"].entry(input, output, factors, mode == "nearest-exact")
    if rank in (1, 2, 3) and mode == "area":
        return TABLE[f"adaptive_avg_pool{rank}d"].entry(input, output)
    if mode in _RANKS and rank in (1, 2, 3):
        if _RANKS[mode] != rank and (mode in _LINEAR or rank == 2):
            raise NotImplementedError(f"Got {rank + 2}D input, but {mode} mode needs {_RANKS[mode] + 2}D input")
        if _RANKS[mode] == rank:
            kind = "linear" if mode in _LINEAR else mode
            return TABLE["resample"].entry(input, output, kind, bool(align_corners), factors, antialias)
    raise NotImplementedError(
        f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {rank + 2}D) for the modes: nearest | linear | "
        f"bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got {mode})"
    )


def _check_mode(mode: str, align_corners: bool | None) -> None:
    if mode in ("nearest", "area", "nearest-exact", "lanczos") and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )


def _target(input: Tensor, size: Any, scale_factor: Any, recompute: bool | None, rank: int) -> tuple[Any, Any]:
    """Return the sizes of the result, and the factors of its positions.

    A factor of None is computed from the sizes.
    """
    sizes = input._array.shape[2:]
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        given = tuple(size) if isinstance(size, (tuple, list)) else (size,) * rank
        if len(given) != rank:
            raise ValueError(
                "Input and output must have the same number of spatial dimensions, but got input with spatial "
                f"dimensions of {list(sizes)} and output size of {size}. Please provide input tensor in (N, C, d1, d2, "
                "...,dK) format and output size in (o1, o2, ...,oK) format."
            )
        output, factors = tuple(int(n) for n in given), (None,) * rank
    elif scale_factor is not None:
        ratios = tuple(scale_factor) if isinstance(scale_factor, (tuple, list)) else (scale_factor,) * rank
        if len(ratios) != rank:
            raise ValueError(
                "Input and scale_factor must have the same number of spatial dimensions, but got input with spatial "
                f"dimensions of {list(sizes)} and scale_factor of shape {scale_factor}. Please provide input tensor in "
                "(N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, ...,sK) format."
            )
        ratios = tuple(float(each) for each in ratios)
        output = tuple(math.floor(n * ratio) for n, ratio in zip(sizes, ratios))
        factors = (None,) * rank if recompute else ratios
    else:
        raise ValueError("either size or scale_factor should be defined")
    if recompute and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if any(n <= 0 for n in output) or 0 in sizes:
        raise RuntimeError(
            "Input and output sizes should be greater than 0, but got input ("
            + ", ".join(f"{k}: {n}" for k, n in zip("DHW"[-rank:], sizes))
            + ") output ("
            + ", ".join(f"{k}: {n}" for k, n in zip("DHW"[-rank:], output))
            + ")"
        )
    return output, factors


def _warn_old(name: str) -> None:
    warnings.warn(f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.", stacklevel=3)


def upsample(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: Any = None
) -> Any:
    """Call `interpolate`; an old name."""
    _warn_old("upsample")
    return interpolate(input, size, scale_factor, mode, align_corners)


def upsample_nearest(input: Tensor, size: Any = None, scale_factor: Any = None) -> Any:
    """Call `interpolate` with mode nearest; an old name."""
    _warn_old("upsample_nearest")
    return interpolate(input, size, scale_factor, "nearest")


def upsample_bilinear(input: Tensor, size: Any = None, scale_factor: Any = None) -> Any:
    """Call `interpolate` with mode bilinear and aligned corners; an old name."""
    _warn_old("upsample_bilinear")
    return interpolate(input, size, scale_factor, "bilinear", True)


def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Any:
    """Sample (N, C, H, W) at the points (N, H', W', 2) of a grid.

    Coordinates (x, y) run from -1 to 1.
    """
    if mode not in ("bilinear", "nearest", "bicubic"):
        raise ValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
            f"'{padding_mode}'"
        )
    rank = input._array.ndim - 2
    if rank > 0 and grid._array.ndim == rank + 2 and grid._array.shape[-1] != rank:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {rank} in last dimension, but got grid with sizes "
            f"{list(grid._array.shape)}"
        )
    if len(input._array) != len(grid._array):
        raise RuntimeError(
            f"grid_sampler(): expected grid and input to have same batch size, but got input with sizes "
            f"{list(input._array.shape)} and grid with sizes {list(grid._array.shape)}"
        )
    if align_corners is None:
        _warn_corners("grid_sample")
    return TABLE["sampled"].entry(input, grid, mode, padding_mode, bool(align_corners))


def _warn_corners(name: str) -> None:
    warnings.warn(
        f"Default {name} and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify "
        f"align_corners=True if the old behavior is desired. See the documentation of {name} for details.",
        stacklevel=3,
    )


def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Any:
    """Return the points where affine maps send the elements of images of `size`.

    theta: (N, 2, 3) or (N, 3, 4).
    """
    if align_corners is None:
        _warn_corners("grid_sample")
    if theta._array.dtype.kind != "f":
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    rank = len(size) - 2
    if rank not in (2, 3):
        raise NotImplementedError(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size "
            f"{tuple(size)}."
        )
    if theta._array.ndim != 3 or theta._array.shape[1:] != (rank, rank + 1):
        raise ValueError(
            f"Expected a batch of {rank}D affine matrices of shape Nx{rank}x{rank + 1} for size {tuple(size)}. Got "
            f"{theta.shape}."
        )
    if min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {tuple(size)}")
    if theta._array.shape[0] != size[0]:
        wanted = [theta._array.shape[0], rank + 1]
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: {[size[0], rank + 1]} but got: {wanted}."
        )
    if align_corners and min(size[2:]) == 1:
        advise("affine_grid")
    return TABLE["affine_grid_generator"].entry(theta, tuple(int(n) for n in size), bool(align_corners))
