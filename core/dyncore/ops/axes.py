"""Dimensions of PyTorch's calls as NumPy's axes."""

from dyncore.errors.explain import no_dimension


def axes_of(dim, ndim):
    """Return the dimensions in `dim` as non-negative axes.

    dim: None or () for all, a number or several.
    Raises IndexError for a dimension out of range, RuntimeError for one given twice.
    """
    if dim.__class__ is int and -ndim <= dim < ndim:
        return (dim % ndim,)  # without the checks below (tests/bench, early exit of layers)
    if dim is None or (isinstance(dim, (tuple, list)) and not dim):
        return tuple(range(ndim))
    axes = tuple([axis_of(d, ndim) for d in (dim if isinstance(dim, (tuple, list)) else (dim,))])
    if len(axes) > 1 and len(set(axes)) != len(axes):
        twice = next(a for a in axes if axes.count(a) > 1)
        raise RuntimeError(f"dim {twice} appears multiple times in the list of dims")
    return axes if ndim else ()


def axis_of(dim, ndim):
    """Return `dim` as a non-negative axis.

    Raises IndexError when out of range; a 0-d tensor has dimensions 0 and -1.
    """
    limit = ndim or 1
    try:
        dim = dim.__index__()
    except AttributeError:
        raise TypeError(f"argument 'dim' must be int, not {type(dim).__name__}") from None
    if not -limit <= dim < limit:
        raise no_dimension(dim, ndim)
    return dim + limit if dim < 0 else dim


def filled_axis(input, dim, name):
    """Return `dim` as a non-negative axis along which there is something to choose from.

    Raises IndexError for a dimension out of range or of size 0.
    """
    axis = axis_of(dim, input.ndim)
    if input.ndim and not input.shape[axis]:
        raise IndexError(f"{name}(): Expected reduction dim {axis} to have non-zero size.")
    return axis


def shrunk(shape, dim, keepdim=True):
    """Return `shape` with the dimensions in `dim` as 1, or without them."""
    axes = axes_of(dim, len(shape))
    if keepdim:
        return tuple([1 if axis in axes else n for axis, n in enumerate(shape)])
    return tuple([n for axis, n in enumerate(shape) if axis not in axes])
