"""The collector of a run of which only tables are shown: it keeps no values, no gradients on the way, and no times.

What a run returns is read from its tensors, what was tested from the log of decisions, and a shape that follows from
the operands' is worked out afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dyncli.recorder.engine import Tensor
from dyncli.recorder.events.collectors import Collector, Retention
from dyncli.recorder.events.rows import RecordedOp, Rows, shape_dtype

Form = tuple[tuple[int, ...], Any]  # shape and dtype


class Shapes(Collector):
    """Keeps shape and dtype of each tensor from before the run, as it was met first, by number."""

    def __init__(self) -> None:
        self.forms: dict[int, Form] = {}

    def refine(self, retention: Retention) -> Retention:
        """Let the engine leave out shapes that can be worked out, and the nodes of most passes."""
        return retention._replace(rows=lambda: ShapeRows(self), is_direct=True, skips_nodes=True, infers_shapes=True)

    def source(self, number: int, tensor: Tensor) -> None:
        """Keep the shape of a tensor from before the run."""
        self.forms[number] = tensor._array.shape, tensor._array.dtype


class ShapeRows(Rows):
    """The ops of a run, with shapes and dtypes of what they made; those that follow from others are not stored."""

    __slots__ = ("shapes",)

    def __init__(self, shapes: Shapes) -> None:
        super().__init__()
        self.shapes = shapes

    def secure(self) -> None:
        """Do nothing: no array is kept."""

    def __iter__(self) -> Iterator[RecordedOp]:
        forms = dict(self.shapes.forms)
        through_views = self.shapes.log.writes.through_views
        forms.update({each.number: shape_dtype(each.what) for each in through_views.values()})
        for recorded in super().__iter__():
            outputs = [
                (number, shape_dtype(what) if what is not None else following(recorded, forms))
                for number, what in recorded.outputs
            ]
            forms.update(outputs)
            yield RecordedOp(recorded.op, recorded.inputs, tuple(outputs), *recorded[3:])


def following(recorded: RecordedOp, forms: dict[int, Form]) -> Form:
    """Return shape and dtype of what an op made, from those of its operands."""
    shape, dtype = forms[recorded.inputs[0]]
    if len(recorded.inputs) == 1:
        return shape, dtype
    other, _ = forms[recorded.inputs[1]]
    if recorded.op.flat:  # a product
        return shape[:-1] + other[:-2] + other[1:][-1:], dtype
    return shape if shape == other else np.broadcast_shapes(shape, other), dtype
