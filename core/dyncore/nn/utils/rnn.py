"""Sequences of different lengths, padded to one length or packed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.errors.explain import missing_in
from dyncore.graph.names import named
from dyncore.tensors.tensor import Tensor, wrap

__capture__ = "refused"


class _Packed(NamedTuple):
    data: Any
    batch_sizes: Any
    sorted_indices: Any = None
    unsorted_indices: Any = None


class PackedSequence(_Packed):
    """Sequences step by step: the first steps of all, longest first, then the second.

    data: (total steps, ...).  batch_sizes: how many sequences still run at each step, an int64 tensor.
    """

    def __new__(
        cls, data: Any, batch_sizes: Any = None, sorted_indices: Any = None, unsorted_indices: Any = None
    ) -> PackedSequence:
        if batch_sizes is None:
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """Return the same sequences with the data in another dtype."""
        return self._replace(data=self.data.to(*args, **kwargs))

    def double(self) -> PackedSequence:
        return self._replace(data=self.data.double())

    def float(self) -> PackedSequence:
        return self._replace(data=self.data.float())

    def cpu(self) -> PackedSequence:
        return self

    @property
    def is_cuda(self) -> bool:
        return False

    def is_pinned(self) -> bool:
        return False


def invert_permutation(permutation: Tensor | None) -> Any:
    """Return the inverse of a permutation."""
    return None if permutation is None else wrap(np.argsort(permutation._array), None)


def _lengths(lengths: Any) -> np.ndarray[Any, Any]:
    return np.asarray(lengths._array if isinstance(lengths, Tensor) else lengths, np.int64)


def pack_padded_sequence(
    input: Any, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack the first `lengths` steps of each sequence of (T, N, ...).

    enforce_sorted: the lengths must be in decreasing order; without, the sequences are sorted first.
    """
    sizes = _lengths(lengths)
    order = None
    if not enforce_sorted:
        descending = np.argsort(-sizes, kind="stable")
        order = wrap(descending, None)
        sizes = sizes[descending]
        input = input.index_select(0 if batch_first else 1, order)
    if batch_first:
        input = input.transpose(0, 1)
    _check_lengths(sizes, input._array.shape)
    running = wrap((sizes[None, :] > np.arange(sizes[0])[:, None]).sum(1), None)
    parts = [input[step, :count] for step, count in enumerate(running._array.tolist())]
    return PackedSequence(named(TABLE["cat"].entry(parts), "PackPaddedSequenceBackward0"), running, order)


def _check_lengths(sizes: Any, shape: tuple[int, ...]) -> None:
    if not len(sizes):
        raise RuntimeError("Cannot pack empty tensors.")
    if len(sizes) != shape[1]:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(sizes)} (batch_size={shape[1]})"
        )
    if (np.diff(sizes) > 0).any():
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you "
            "do not need ONNX exportability."
        )
    if sizes[-1] <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if sizes[0] > shape[0]:
        raise RuntimeError(f"Expected lengths to be at most {shape[0]}, but got {sizes[0]}")


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Any, Any]:
    """Return packed sequences as (T, N, ...), and their lengths.

    padding_value: the value after the end of a sequence.
    """
    counts = sequence.batch_sizes._array
    longest = len(counts)
    if total_length is not None:
        if total_length < longest:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in input, but got "
                f"total_length={total_length} and max sequence length being {longest}"
            )
        longest = total_length
    lengths = (counts[None, :] > np.arange(counts[0])[:, None]).sum(1)
    starts = np.concatenate([[0], np.cumsum(counts)])
    rows = []
    for number, length in enumerate(lengths.tolist()):
        rows.append(sequence.data[wrap(starts[:length] + number, None)])
    padded = _stacked(rows, longest, padding_value, 1)
    if batch_first:
        padded = padded.transpose(0, 1)
    sequence_lengths = wrap(lengths, None)
    if sequence.unsorted_indices is not None:
        padded = padded.index_select(0 if batch_first else 1, sequence.unsorted_indices)
        sequence_lengths = sequence_lengths[sequence.unsorted_indices]
    return padded, sequence_lengths


def _stacked(rows: list[Any], longest: int, value: float, axis: int, side: str = "right") -> Any:
    """Stack sequences of different lengths along `axis`.

    (N, T, ...) for 0, (T, N, ...) for 1.
    """
    padded = []
    for row in rows:
        missing = longest - row._array.shape[0]
        if missing:
            sides = [0, 0] * (row._array.ndim - 1) + ([0, missing] if side == "right" else [missing, 0])
            row = TABLE["constant_pad_nd"].entry(row, sides, value)
        padded.append(row)
    return named(TABLE["stack"].entry(padded, axis), "torch::autograd::CopySlices")


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Any:
    """Stack sequences (T_i, ...) as one tensor (T, N, ...), T the longest.

    padding_value: the value where a sequence is shorter.
    """
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}"
        )
    rows = list(sequences.unbind(0)) if isinstance(sequences, Tensor) else list(sequences)
    if not rows:
        raise RuntimeError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    longest = max(row._array.shape[0] for row in rows)
    return _stacked(rows, longest, padding_value, 0 if batch_first else 1, padding_side)


def unpad_sequence(padded_sequences: Any, lengths: Any, batch_first: bool = False) -> list[Any]:
    """Return the first `lengths` steps of each sequence of (T, N, ...), as a list."""
    whole = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    ends = _lengths(lengths).tolist()
    return [named(whole[number, :length], "IndexBackward0") for number, length in enumerate(ends)]


def pack_sequence(sequences: Any, enforce_sorted: bool = True) -> PackedSequence:
    """Pack sequences (T_i, ...)."""
    rows = list(sequences)
    lengths = [row._array.shape[0] for row in rows]
    return pack_padded_sequence(pad_sequence(rows), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Any]:
    """Return packed sequences as a list."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)


__all__ = [
    "PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence",
    "pad_sequence", "unpack_sequence", "unpad_sequence",
]  # fmt: skip


__getattr__ = missing_in(__name__)
