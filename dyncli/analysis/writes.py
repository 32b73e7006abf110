"""Writes through views: `m[0] = 5` writes to `m`, and its other views read that."""

from __future__ import annotations

from functools import cached_property

from dyncli.records.model import Record, TensorSummary


def made_by_ops(record: Record) -> dict[int, int]:
    """Return for each op what it made: its first output, or, if it wrote through a view, all that the view looks at."""
    made = {op.seq: op.outputs[0] for op in record.ops if op.outputs}
    for tensor in record.tensors:
        if tensor.op is not None and tensor.shares is not None and tensor.id not in record.ops[tensor.op].outputs:
            made[tensor.op] = tensor.id
    return made


class Writes:
    """The writes of a run into memory that other tensors look at too.

    after: for each (op, tensor) that the op reads, the last op that wrote into the tensor's memory since it was made.
    made: what each op made.
    """

    def __init__(self, record: Record) -> None:
        self.record = record
        self.after: dict[tuple[int, int], int] = {}
        self._roots: list[int] = []
        for tensor in record.tensors:
            shared = tensor.shares
            self._roots.append(tensor.id if shared is None else self._roots[shared])
        self._last: dict[int, int] = {}
        for op in record.ops:
            for number in op.inputs if self._last else ():
                wrote = self._since(record.tensors[number])
                if wrote is not None:
                    self.after[op.seq, number] = wrote
            if op.inplace and op.inputs and op.error is None:
                self._last[self._roots[op.inputs[0]]] = op.seq
        self.made = made_by_ops(record)

    def makers(self, op: int, number: int) -> tuple[int | None, ...]:
        """Return the ops whose work an op finds in a tensor it reads; None stands for a leaf's own value."""
        maker, wrote = self.record.tensors[number].op, self.after.get((op, number))
        return (maker,) if wrote is None else (maker, wrote)

    def makers_at_end(self, number: int) -> tuple[int | None, ...]:
        """Return the same for who reads the tensor once the run is over."""
        maker, wrote = self.record.tensors[number].op, self._since(self.record.tensors[number])
        return (maker,) if wrote is None else (maker, wrote)

    @cached_property
    def readers(self) -> dict[int, list[int]]:
        """The ops that read each tensor."""
        found: dict[int, list[int]] = {}
        for op in self.record.ops:
            for number in op.inputs:
                found.setdefault(number, []).append(op.seq)
        return found

    def _since(self, tensor: TensorSummary) -> int | None:
        wrote = self._last.get(self._roots[tensor.id])
        later = wrote is not None and tensor.role != "written" and (tensor.op is None or wrote > tensor.op)
        return wrote if later else None
