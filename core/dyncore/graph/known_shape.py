"""Known shapes: the shape of an array of float32 with dimensions, kept by the node that made it.

There is one object for all arrays of a shape, so a specialised function asks nothing of the arrays of operands whose
nodes have the same one.
None stands for anything else, or for not known.
"""

from __future__ import annotations

from typing import Any

from numpy import ndarray

from dyncore.dtypes.dtypes import F32

MOST = 4096  # shapes; another object for the same shape costs nothing but time
_forms: dict[tuple[int, ...], tuple[int, ...]] = {}
KnownShape = tuple[int, ...] | None


def known_shape_of(array: Any) -> KnownShape:
    """Return the known shape of an array."""
    if type(array) is not ndarray or array.dtype is not F32 or not array.ndim:
        return None
    shape = array.shape
    if len(_forms) >= MOST:
        _forms.clear()
    return _forms.setdefault(shape, shape)


def product_shape(matrix: KnownShape) -> KnownShape:
    """Return the known shape of a matrix of this shape times a vector."""
    if matrix is None or len(matrix) != 2:
        return None
    return _forms.setdefault(matrix[:1], matrix[:1])


def forget_known_shape(tensor: Any) -> None:
    """Forget the known shape of a tensor that was given another array."""
    edge = tensor._edge
    if edge is not None and edge.known_shape is not None:
        edge.known_shape = None
        if hasattr(edge, "product"):
            edge.product = None
