"""What nodes know of the arrays they made: the form, the shape of an array of float32 with dimensions.

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
Form = tuple[int, ...] | None


def form_of(array: Any) -> Form:
    """The form of an array."""
    if type(array) is not ndarray or array.dtype is not F32 or not array.ndim:
        return None
    shape = array.shape
    if len(_forms) >= MOST:
        _forms.clear()
    return _forms.setdefault(shape, shape)


def product_form(matrix: Form) -> Form:
    """The form of a matrix of this form times a vector."""
    if matrix is None or len(matrix) != 2:
        return None
    return _forms.setdefault(matrix[:1], matrix[:1])


def reformed(tensor: Any) -> None:
    """Has where the tensor leads forget the form, as the tensor was given another array."""
    edge = tensor._edge
    if edge is not None and edge.form is not None:
        edge.form = None
        if hasattr(edge, "product"):
            edge.product = None
