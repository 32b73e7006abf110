"""The ops that have a mapping to ONNX, by family; `convert` writes one call."""

from dyncli.export.onnx_graph import Refusal
from dyncli.export.ops import elementwise, gathering, layers, products, reductions, shapes
from dyncli.export.ops.context import TABLE, Mismatch, convert

__all__ = [
    "TABLE", "Mismatch", "Refusal", "convert", "elementwise", "gathering", "layers", "products", "reductions", "shapes",
]  # fmt: skip
