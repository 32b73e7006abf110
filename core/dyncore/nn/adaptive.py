"""AdaptiveLogSoftmaxWithLoss: a softmax over many classes in clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from dyncore.dispatch.registry import TABLE
from dyncore.graph.names import named
from dyncore.nn import functional as F
from dyncore.nn.containers import ModuleList, Sequential
from dyncore.nn.linear import Linear
from dyncore.nn.module import Module
from dyncore.tensors.tensor import Tensor, wrap

__capture__ = "refused"


class _ASMoutput(NamedTuple):
    """Log-probability of each target, and their mean negated."""

    output: Any
    loss: Any


class AdaptiveLogSoftmaxWithLoss(Module):
    """Log-softmax whose head holds frequent classes and an entry for each cluster.

    input: (N, in_features) or (in_features,), target: (N,) or ().
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        limits = list(cutoffs)
        if not limits:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        wrong = limits != sorted(limits) or min(limits) <= 0 or max(limits) > n_classes - 1
        if wrong or len(set(limits)) != len(limits) or any(int(each) != each for each in limits):
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each "
                "value is between 1 and n_classes-1"
            )
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = [*limits, n_classes]
        self.div_value = div_value
        self.head_bias = head_bias
        self.shortlist_size = self.cutoffs[0]
        self.n_clusters = len(self.cutoffs) - 1
        self.head_size = self.shortlist_size + self.n_clusters
        options = {"device": device, "dtype": dtype}
        self.head = Linear(in_features, self.head_size, head_bias, **options)
        self.tail = ModuleList()
        for number in range(self.n_clusters):
            width = int(in_features // (div_value ** (number + 1)))
            size = self.cutoffs[number + 1] - self.cutoffs[number]
            self.tail.append(
                Sequential(Linear(in_features, width, False, **options), Linear(width, size, False, **options))
            )

    def reset_parameters(self) -> None:
        """Draw new values."""
        self.head.reset_parameters()
        for first, second in self.tail:
            first.reset_parameters()
            second.reset_parameters()

    def forward(self, input_: Any, target_: Any) -> _ASMoutput:
        batched = target_._array.ndim > 0
        input = input_ if batched else input_.unsqueeze(0)
        target = target_ if batched else target_.unsqueeze(0)
        if input._array.shape[0] != target._array.shape[0]:
            raise RuntimeError("Input and target should have the same size in the batch dimension.")
        numbers = target._array
        if ((numbers < 0) | (numbers >= self.n_classes)).any():
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{numbers.min()}, "
                f"{numbers.max()}] were found. "
            )
        output = named(self.log_prob(input).gather(1, target.unsqueeze(1)).squeeze(1), "AddBackward0")
        loss = (-output).mean()
        return _ASMoutput(output if batched else output.squeeze(0), loss)

    def log_prob(self, input: Any) -> Any:
        """Return log-probabilities of all classes: (N, n_classes)."""
        head = F.log_softmax(self.head(input), 1)
        parts = [head[:, : self.shortlist_size]]
        for number, tail in enumerate(self.tail):
            inside = F.log_softmax(tail(input), 1)
            parts.append(inside + head[:, self.shortlist_size + number].unsqueeze(1))
        return named(TABLE["cat"].entry(parts, 1), "torch::autograd::CopySlices")

    def predict(self, input: Any) -> Tensor:
        """Return the most likely class of each example."""
        return wrap(np.argmax(self.log_prob(input)._array, axis=1), None)
