"""A function of the running process as the subject of a check; its tensors are afterwards as they were."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from dyncli.gradchecking.check import check_at
from dyncli.gradchecking.settings import Settings
from dyncli.gradchecking.subject import Subject
from dyncli.recorder.engine import AccumulateGrad, Tensor, storage
from dyncli.recorder.live import functions_of
from dyncli.recorder.settings import restore, rng_state
from dyncli.records.gradcheck import Report
from dyncli.script.convert import Bound


def check_call(function: Any, bound: Bound, settings: Settings) -> Report:
    """Check a function or Module of this process at some inputs.  Raises as `check` does, and RecordingOpen."""
    before = rng_state()
    try:
        subject = LiveSubject(function, settings)
        with subject.kept():
            with subject.in_double():
                subject.settle()
            return check_at(subject, bound)
    finally:
        restore(before)


class LiveSubject(Subject):
    """A function or Module of this process.  It cannot be loaded again: what is put back are its tensors."""

    most_upkeep = "tensors"

    def __init__(self, function: Any, settings: Settings) -> None:
        self.settings = settings
        self.log: list[Any] = []
        self.rng_state: tuple[Any, Any, Any] | None = None
        live, self.loaded = functions_of(function, settings.model, pinned=True)
        self.importer = live
        module = getattr(function, "__module__", None) or type(function).__module__
        self._names = {**live.variables, "__name__": module}

    @property
    def names(self) -> dict[str, Any]:
        """The variables that the function reads."""
        return self._names

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Put back values, dtypes and gradients of the function's tensors when the context ends."""
        kept = [_Kept(tensor) for tensor in self.tensors()]
        try:
            yield
        finally:
            for each in kept:
                each.restore()


class _Kept:
    """A tensor as it was."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor
        self.data = tensor.data
        self.values = np.array(tensor._array)
        self.grad = tensor._edge.grad if isinstance(tensor._edge, AccumulateGrad) else None

    def restore(self) -> None:
        """Give the tensor its own memory again, with the values it had."""
        if not np.array_equal(self.data._array, self.values, equal_nan=self.values.dtype.kind in "fc"):
            storage(self.data)[...] = self.values
        if self.tensor._array is not self.data._array:
            self.tensor.data = self.data
        if isinstance(self.tensor._edge, AccumulateGrad):
            self.tensor._edge.grad = self.grad
