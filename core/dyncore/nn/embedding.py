"""Tables of vectors by number: Embedding, EmbeddingBag."""

from __future__ import annotations

from typing import Any

from dyncore.dispatch.registry import TABLE
from dyncore.nn import functional as F, init
from dyncore.nn.module import Module
from dyncore.nn.tuples import blank, unusual
from dyncore.tensors.parameter import Parameter
from dyncore.tensors.tensor import Tensor, storage

_embedding = TABLE["embedding"].entry


def _checked(padding_idx: int | None, rows: int) -> int | None:
    if padding_idx is None:
        return None
    if not -rows <= padding_idx < rows:
        raise AssertionError("Padding_idx must be within num_embeddings")
    return padding_idx % rows


def _shape_of(embeddings: Tensor) -> tuple[int, ...]:
    if embeddings._array.ndim != 2:
        raise AssertionError("Embeddings parameter is expected to be 2-dimensional")
    return embeddings._array.shape


class _Table(Module):
    """Table of vectors.

    weight: (num_embeddings, embedding_dim), standard normal.
    """

    weight: Any
    num_embeddings: int
    embedding_dim: int
    padding_idx: int | None

    def _set_weight(self, given: Tensor | None, learned: bool, device: Any, dtype: Any) -> None:
        shape = (self.num_embeddings, self.embedding_dim)
        if given is None:
            self.weight = Parameter(blank(shape, device, dtype), learned)
            self.reset_parameters()
        elif tuple(given._array.shape) != shape:
            raise AssertionError("Shape of weight does not match num_embeddings and embedding_dim")
        else:
            self.weight = Parameter(given, requires_grad=learned)

    def reset_parameters(self) -> None:
        """Draw new values; the padding row becomes zero."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            storage(self.weight)[self.padding_idx] = 0


class Embedding(_Table):
    """Table of vectors; integers pick rows.

    weight: (num_embeddings, embedding_dim), standard normal.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = _checked(padding_idx, num_embeddings)
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.sparse = sparse
        self._set_weight(_weight, not _freeze, device, dtype)

    def forward(self, input: Tensor) -> Any:
        if self.padding_idx is None and self.max_norm is None and not self.sparse:
            return _embedding(self.weight, input, -1, self.scale_grad_by_freq, False)  # (tests/bench, batches)
        return F.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.sparse
        )

    def extra_repr(self) -> str:
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        text += unusual(self, padding_idx=None, max_norm=None, norm_type=2, scale_grad_by_freq=False)
        return text + (", sparse=True" if self.sparse else "")

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Embedding:
        """Return an Embedding of a given table.

        freeze: False lets the table be learned.
        """
        rows, columns = _shape_of(embeddings)
        return cls(rows, columns, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse, embeddings, freeze)


class EmbeddingBag(_Table):
    """Sum, mean or maximum of rows of a table, one result for each bag.

    weight: (num_embeddings, embedding_dim).
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.padding_idx = _checked(padding_idx, num_embeddings)
        self.mode = mode
        self.sparse = sparse
        self.include_last_offset = include_last_offset
        self._set_weight(_weight, True, device, dtype)

    def forward(self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None) -> Any:
        return F.embedding_bag(
            input, self.weight, offsets, self.max_norm, self.norm_type, self.scale_grad_by_freq, self.mode, self.sparse,
            per_sample_weights, self.include_last_offset, self.padding_idx,
        )  # fmt: skip

    def extra_repr(self) -> str:
        text = f"{self.num_embeddings}, {self.embedding_dim}"
        text += unusual(self, max_norm=None, norm_type=2, scale_grad_by_freq=False)
        return text + f", mode={self.mode!r}" + unusual(self, padding_idx=None)

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> EmbeddingBag:
        """Return an EmbeddingBag of a given table.

        freeze: False lets the table be learned.
        """
        rows, columns = _shape_of(embeddings)
        bag = cls(
            rows, columns, max_norm, norm_type, scale_grad_by_freq, mode, sparse, embeddings, include_last_offset,
            padding_idx,
        )  # fmt: skip
        bag.weight.requires_grad = not freeze
        return bag
