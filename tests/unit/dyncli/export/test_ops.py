"""Every mapping of an op to ONNX, run in ONNX Runtime and compared with the engine, in three dtypes."""

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import onnxruntime as ort

import dyncore as torch
import dyncore.nn.functional as F
from dyncli.export.build import _finish, _model
from dyncli.export.cursors import Summary
from dyncli.export.engine import Recording
from dyncli.export.merge import Merger
from dyncli.export.nodes import Nodes
from dyncli.export.onnx_graph import Graph, Weights, element_type
from dyncli.export.ops import Refusal
from dyncli.export.ops.context import TABLE as MAPPED
from dyncli.export.runs import Case, Run
from dyncli.recorder.engine import TABLE as ENGINE_OPS
from dyncli.script.convert import Bound

X = [[0.5, -1.25, 2.0, 0.75], [1.5, 0.25, -0.5, 3.0], [-2.0, 0.1, 0.9, -0.3]]
Y = [[1.5, 0.5, -2.0, 0.75], [0.5, 1.25, 0.5, 2.0], [2.0, -1.1, 0.4, 1.3]]
M = [[2, -3, 4, 1], [5, 7, -2, 3], [-6, 1, 8, 2]]
N = [[1, 2, -3, 1], [2, 3, 5, 3], [4, 1, 2, -2]]
FLOATS = ("float32", "float64")
ALL = (*FLOATS, "int64")


def losses(x, y, reduction):
    """Return the losses of a difference, on both sides of their edges, and those of classes."""
    pairs = F.mse_loss, F.l1_loss, F.huber_loss, F.smooth_l1_loss
    edges = F.huber_loss(x, y, delta=0.5, reduction=reduction), F.smooth_l1_loss(x, y, beta=2.0, reduction=reduction)
    classes = torch.tensor([1, -100, 3])
    weighted = F.nll_loss(x.log_softmax(1), classes, y[0].abs(), reduction=reduction)
    either = F.binary_cross_entropy(x.sigmoid(), y.sigmoid(), x.abs(), reduction=reduction)
    return [loss(x, y, reduction=reduction) for loss in pairs], edges, weighted, either, F.smooth_l1_loss(x, y, beta=0)


def _cell(kind, dtype):
    """A layer of four features, its weights the same in every run."""
    torch.manual_seed(0)
    return getattr(torch.nn, kind)(4, 4).to(getattr(torch, dtype))


CELLS = {
    (f"torch.{dtype}", kind): _cell(kind, dtype)
    for dtype in FLOATS
    for kind in ("LSTMCell", "GRUCell", "RNNCell", "LSTM")
}

#: What is computed of two tensors of shape [3, 4], by dtype.
BOTH = {
    "abs": lambda x, y: x.abs(), "neg": lambda x, y: -x, "sign": lambda x, y: x.sign(), "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y, "mul": lambda x, y: x * y, "div": lambda x, y: x / y, "rsub": lambda x, y: 2 - x,
    "add_scaled": lambda x, y: torch.add(x, y, alpha=2), "sub_scaled": lambda x, y: torch.sub(x, y, alpha=3),
    "maximum": torch.maximum, "minimum": torch.minimum, "square": lambda x, y: x.square(), "pow2": lambda x, y: x**2,
    "pow3": lambda x, y: x**3, "remainder": lambda x, y: x % y, "fmod": torch.fmod, "floor_divide": lambda x, y: x // y,
    "div_trunc": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
    "div_floor": lambda x, y: torch.div(x, y, rounding_mode="floor"),
    "gt": lambda x, y: x > y, "ge": lambda x, y: x >= y, "lt": lambda x, y: x < y, "le": lambda x, y: x <= y,
    "eq": lambda x, y: x == y, "ne": lambda x, y: x != y, "logical_and": torch.logical_and,
    "logical_or": torch.logical_or, "logical_xor": torch.logical_xor, "logical_not": lambda x, y: torch.logical_not(x),
    "where": lambda x, y: torch.where(x > y, x, y), "clamp": lambda x, y: x.clamp(-1, 1),
    "clamp_min": lambda x, y: x.clamp_min(0), "clamp_max": lambda x, y: x.clamp_max(1),
    "masked_fill": lambda x, y: x.masked_fill(x > 0, 7), "zeros_like": lambda x, y: torch.zeros_like(x) + x,
    "isnan": lambda x, y: x.isnan(), "isfinite": lambda x, y: x.isfinite(), "relu": lambda x, y: torch.relu(x),
    "floor": lambda x, y: x.floor(), "ceil": lambda x, y: x.ceil(), "trunc": lambda x, y: x.trunc(),
    "round": lambda x, y: x.round(), "clone": lambda x, y: x.clone(), "float": lambda x, y: x.float(),
    "long": lambda x, y: x.long(), "bool": lambda x, y: x.bool(), "double": lambda x, y: x.double(),
    "sum": lambda x, y: x.sum(), "sum_dim": lambda x, y: x.sum(1), "sum_keep": lambda x, y: x.sum((0, 1), keepdim=True),
    "prod": lambda x, y: x.prod(), "prod_dim": lambda x, y: x.prod(0), "amax": lambda x, y: x.amax(1),
    "amin": lambda x, y: x.amin((0, 1)), "max": lambda x, y: x.max(), "min": lambda x, y: x.min(),
    "max_along": lambda x, y: x.max(1), "min_along": lambda x, y: x.min(0, keepdim=True),
    "argmax": lambda x, y: x.argmax(), "argmax_dim": lambda x, y: x.argmax(1), "argmin": lambda x, y: x.argmin(0),
    "all": lambda x, y: (x > -5).all(), "any": lambda x, y: (x > 1).any(1),
    "count_nonzero": lambda x, y: x.count_nonzero(), "cumsum": lambda x, y: x.cumsum(1),
    "sort": lambda x, y: x.sort(1), "argsort": lambda x, y: x.argsort(1), "topk": lambda x, y: x.topk(2),
    "msort": lambda x, y: x.msort(), "reshape": lambda x, y: x.reshape(2, 6), "view": lambda x, y: x.view(-1),
    "flatten": lambda x, y: x.flatten(), "ravel": lambda x, y: x.ravel(),
    "unflatten": lambda x, y: x.unflatten(1, (2, 2)),
    "squeeze": lambda x, y: x[:1].squeeze(), "unsqueeze": lambda x, y: x.unsqueeze(-1), "t": lambda x, y: x.t(),
    "T": lambda x, y: x.T, "transpose": lambda x, y: x.transpose(0, 1), "permute": lambda x, y: x.permute(1, 0),
    "expand": lambda x, y: x[0].expand(3, 4), "repeat": lambda x, y: x.repeat(2, 1), "tile": lambda x, y: x.tile((2,)),
    "cat": lambda x, y: torch.cat([x, y], 1), "stack": lambda x, y: torch.stack([x, y], 1),
    "split": lambda x, y: x.split(3, 1), "chunk": lambda x, y: x.chunk(2, 1), "unbind": lambda x, y: x.unbind(0),
    "select": lambda x, y: x.select(1, -1), "narrow": lambda x, y: x.narrow(1, 1, 2), "getitem": lambda x, y: x[1, 2],
    "slices": lambda x, y: x[:, 1:3], "steps": lambda x, y: x[::2, ::3], "none": lambda x, y: x[:, None, -1],
    "ellipsis": lambda x, y: x[..., 1], "none_and_ellipsis": lambda x, y: x[None, ..., 1],
    "by_tensor": lambda x, y: x[torch.tensor([2, 0])],
    "by_column": lambda x, y: x[:, torch.tensor([3, 0])],
    "by_list": lambda x, y: x[[2, 0]], "by_list_column": lambda x, y: x[:, [3, 0]],
    "by_two": lambda x, y: x[torch.tensor([2, 0]), torch.tensor([1, 3])],
    "by_mask": lambda x, y: x[x > 0], "flip": lambda x, y: x.flip(1), "roll": lambda x, y: x.roll(1, 1),
    "rot90": lambda x, y: x.rot90(), "diagonal": lambda x, y: x.diagonal(), "unfold": lambda x, y: x.unfold(1, 2, 1),
    "movedim": lambda x, y: x.movedim(0, 1), "pad": lambda x, y: F.pad(x, (1, 2, 0, 1), value=3),
    "tril": lambda x, y: x.tril(),
    "triu": lambda x, y: x.triu(1), "trace": lambda x, y: x.trace(), "diag_embed": lambda x, y: torch.diag_embed(x),
    "index_select": lambda x, y: x.index_select(1, torch.tensor([3, 1])),
    "take": lambda x, y: x.take(torch.tensor([5, 0])),
    "gather": lambda x, y: x.gather(1, torch.tensor([[0], [3], [1]])),
    "scatter": lambda x, y: x.scatter(1, torch.tensor([[0], [3], [1]]), y),
    "scatter_add": lambda x, y: x.scatter_add(1, torch.tensor([[0, 0], [3, 1], [1, 1]]), y),
    "scatter_number": lambda x, y: x.scatter(1, torch.tensor([[0], [3], [1]]), 2),
    "masked_put": lambda x, y: x.index_put((x > 0,), y[x > 0] * 2),
    "masked_rows_put": lambda x, y: x.index_put((x[:, 0] > 0,), y[0]),
    "mask_and_index_put": lambda x, y: x.index_put((x[:, 0] > 0, torch.tensor(1)), y[0, 0], accumulate=True),
    "mask_and_index": lambda x, y: x[x[:, 0] > 0, torch.tensor([1, 0])], "masked_rows": lambda x, y: x[x[:, 0] > 0],
    "median": lambda x, y: (x.median(), x[:, :3].median(), x[x > 99].sum()),
    "flip_rows": lambda x, y: x.flip(0, 1), "roll_all": lambda x, y: x.roll(-5),
    "index_add": lambda x, y: x.index_add(0, torch.tensor([2, 0]), y[:2]),
    "index_copy": lambda x, y: x.index_copy(0, torch.tensor([2, 0]), y[:2]),
    "index_fill": lambda x, y: x.index_fill(1, torch.tensor([2, 0]), 9),
    "index_put": lambda x, y: x.index_put((torch.tensor([2, 0]),), y[:2]),
    "masked_select": lambda x, y: x.masked_select(x > 0), "nonzero": lambda x, y: (x > 0).nonzero(),
    "tensors_and_none": lambda x, y: y[(*torch.where(x > y), None)],
    "tensor_and_nones": lambda x, y: y[None, torch.tensor([2, 0]), None],
    "mask_and_none": lambda x, y: y[x > 0, None],
    "where_holds": lambda x, y: x[torch.where(x > y)] * 2,
    "nonzero_tuple": lambda x, y: y[(x > 0).nonzero(as_tuple=True)],
    "isin": lambda x, y: torch.isin(x, y), "bucketize": lambda x, y: torch.bucketize(x, y.flatten().sort()[0]),
    "outer": lambda x, y: torch.outer(x[0], y[0]), "matmul": lambda x, y: x @ y.T, "mm": lambda x, y: torch.mm(x, y.T),
    "mv": lambda x, y: torch.mv(x, y[0]), "dot": lambda x, y: torch.dot(x[0], y[0]),
    "bmm": lambda x, y: torch.bmm(x[None], y.T[None]), "einsum": lambda x, y: torch.einsum("ij,kj->ik", x, y),
    "addmm": lambda x, y: torch.addmm(x[:, :3], x, y.T), "lerp_": lambda x, y: x + (y - x) * 2,
    "addcmul": lambda x, y: torch.addcmul(x, x, y, value=2), "write": lambda x, y: written(x, y),
    "column_stack": lambda x, y: torch.column_stack([x, y]), "hstack": lambda x, y: torch.hstack([x, y]),
    "rsub_scaled": lambda x, y: torch.rsub(x, y, alpha=2), "clamp_same": lambda x, y: x.clamp(min=-99).clamp_(max=99),
    "compare_truths": lambda x, y: ((x > 0) == (y > 0), (x > 0) != (y > 0)), "zero_": lambda x, y: x.clone().zero_(),
    "fill_": lambda x, y: x.clone().fill_(3), "add_truths": lambda x, y: ((x > 0) + (y > 0), (x > 0) * (y > 0)),
    "reduce_scalar": lambda x, y: (x[0, 0].sum(0), x[0, 0].amax(-1), x[0, 0].max(0), x[0, 0].argmax()),
    "ellipsis_and_list": lambda x, y: x[..., torch.tensor([3, 0])],
    "ellipsis_and_slices": lambda x, y: (x[1, ..., None], x[..., 1:3, 0], x[..., None, 2]),
    "cumsum_scalar": lambda x, y: x[0, 0].cumsum(0),
    "argmax_keep": lambda x, y: (x.argmax(keepdim=True), x.argmin(0, keepdim=True), x.argmax(-1)),
    "all_of_dims": lambda x, y: ((x > -5).all(1, keepdim=True), (x > 1).any(), x.count_nonzero(1), x.prod(1, True)),
    "sorted_down": lambda x, y: (x.sort(0, descending=True), x.argsort(0), x.topk(2, 0, largest=False)),
    "index_scaled": lambda x, y: x.index_add(1, torch.tensor([2, 0]), y[:, :2], alpha=3),
    "index_column": lambda x, y: x.index_copy(-1, torch.tensor([2, 0]), y[:, :2]),
    "index_scalar": lambda x, y: x[0, 0].index_select(0, torch.tensor([0])),
    "scatter_reduced": lambda x, y: x.scatter_reduce(0, torch.tensor([[0, 2, 0, 1]]), y, "amax"),
    "scatter_times": lambda x, y: x.scatter(1, torch.tensor([[0], [3], [1]]), y, reduce="multiply"),
    "isin_not": lambda x, y: torch.isin(x, y, invert=True),
    "bucketize_right": lambda x, y: torch.bucketize(x, x.flatten().sort()[0], right=True),
    "searchsorted": lambda x, y: torch.searchsorted(y.flatten().sort()[0], y, side="right"),
    "narrow_back": lambda x, y: (x.narrow(1, -2, 2), x.narrow(0, -3, 3), x[:, -3:-1], x[1:], x[-1]),
    "permute_scalar": lambda x, y: (x[0, 0].permute(), x[0, 0].squeeze(), x[0, 0].flatten(), x[0, 0].flip(())),
    "repeat_more": lambda x, y: (x.repeat(2, 1, 3), x.expand(2, -1, 4), x[0].tile(2, 2)),
    "squeeze_some": lambda x, y: (x[:1, :1].squeeze(1), x[:1].squeeze((0, 1)), x.unsqueeze(0).squeeze(-1)),
    "by_column_and_none": lambda x, y: x[None, :, [2, 0], None],
    "by_wide_mask": lambda x, y: x[x > 0, ...],
    "by_mask_and_none": lambda x, y: (x[x > 0, ..., None], x[x > 0, None], x[:, None, [2, 0]], x[..., [2, 0], None]),
    "by_two_masks": lambda x, y: x[x[:, 0] > 0, torch.tensor([True, False, True, False])],
    "triangles": lambda x, y: ((x > 0).tril(-1), (x > 0).triu(), x.tril(1), x.diagonal(1), x.diagonal(-1)),
    "pad_cut": lambda x, y: (F.pad(x, (-1, 2)), F.pad(x, (0, 0, 2, 1))), "flip_none": lambda x, y: x.flip([]),
    "roll_two": lambda x, y: x.roll((1, -1), (0, 1)), "split_sizes": lambda x, y: (x.split([1, 3], 1), x.chunk(3, 1)),
    "matmul_vectors": lambda x, y: (x @ y[0], x[:, 0] @ y, x[0] @ y[0], torch.inner(x, y), x[None] @ y.T),
    "added_scaled": lambda x, y: torch.addmm(x[:, :3], x, y.T, beta=2, alpha=3),
    "addmv": lambda x, y: (torch.addmv(x[:, 0], x, y[0], alpha=2), torch.addr(x, x[:, 0], y[0], beta=3)),
    "few_dimensions": lambda x, y: (
        x.squeeze(), x[0].t(), x[0, 0].t(), x[0, 0].squeeze(0), x[0, 0].transpose(0, 0), x[0, 0].repeat(()),
        x[0, 0].ravel(), x[:0].reshape(0, 2, 2), x.mT, torch.cat([x, torch.empty(0, dtype=x.dtype)]),
    ),
    "bounds_of_tensors": lambda x, y: (x.clamp(y, y + 1), x.clamp(max=y), x.clamp(max=3)),
    "beside_numbers": lambda x, y: (x == 2, x > 1.5, torch.isin(x, 2), (x > 0) == 1),
    "scatter_rows": lambda x, y: (x.scatter(0, x.long() * 0, y), x.scatter(0, torch.tensor([[0, 1]]), y[0, 0])),
    "put_where_added": lambda x, y: x.index_put((x > 0,), y[0, 0], accumulate=True),
    "broadcast_to": lambda x, y: torch.broadcast_to(x[0], (2, 4)), "fill": lambda x, y: torch.full_like(x, 3) + x,
}  # fmt: skip
#: What is computed of floats only.
FLOATING = {
    "tanh": lambda x, y: x.tanh(), "sigmoid": lambda x, y: x.sigmoid(), "exp": lambda x, y: x.exp(),
    "log": lambda x, y: x.abs().log(), "sqrt": lambda x, y: x.abs().sqrt(), "sin": lambda x, y: x.sin(),
    "cos": lambda x, y: x.cos(), "tan": lambda x, y: x.tan(), "reciprocal": lambda x, y: x.reciprocal(),
    "sinh": lambda x, y: x.sinh(), "cosh": lambda x, y: x.cosh(), "asinh": lambda x, y: x.asinh(),
    "acosh": lambda x, y: (x.abs() + 1).acosh(), "atanh": lambda x, y: (x / 4).atanh(),
    "log1p": lambda x, y: x.abs().log1p(), "expm1": lambda x, y: x.expm1(), "log2": lambda x, y: x.abs().log2(),
    "log10": lambda x, y: x.abs().log10(), "exp2": lambda x, y: x.exp2(), "rsqrt": lambda x, y: x.abs().rsqrt(),
    "frac": lambda x, y: x.frac(), "deg2rad": lambda x, y: x.deg2rad(), "rad2deg": lambda x, y: x.rad2deg(),
    "sinc": lambda x, y: (x * (y > 0)).sinc(), "logit": lambda x, y: x.sigmoid().logit(), "hypot": torch.hypot,
    "logaddexp": torch.logaddexp, "xlogy": lambda x, y: torch.xlogy(x, y.abs()), "pow": lambda x, y: x.abs() ** y,
    "lerp": lambda x, y: x.lerp(y, 0.3), "addcdiv": lambda x, y: torch.addcdiv(x, x, y),
    "isclose": lambda x, y: torch.isclose(x, y), "fmax": torch.fmax, "fmin": torch.fmin,
    "nan_to_num": lambda x, y: (x / 0 * 0).nan_to_num(2.0), "isinf": lambda x, y: (x / 0).isinf(),
    "isposinf": lambda x, y: (x / 0).isposinf(), "leaky_relu": lambda x, y: F.leaky_relu(x),
    "threshold": lambda x, y: F.threshold(x, 0.3, -1.0), "elu": lambda x, y: F.elu(x),
    "celu": lambda x, y: F.celu(x, 1.5),
    "selu": lambda x, y: F.selu(x), "softplus": lambda x, y: F.softplus(x), "logsigmoid": lambda x, y: F.logsigmoid(x),
    "silu": lambda x, y: F.silu(x), "mish": lambda x, y: F.mish(x),
    "gelu_tanh": lambda x, y: F.gelu(x, approximate="tanh"),
    "hardswish": lambda x, y: F.hardswish(x), "hardsigmoid": lambda x, y: F.hardsigmoid(x),
    "hardtanh": lambda x, y: F.hardtanh(x), "hardshrink": lambda x, y: F.hardshrink(x),
    "softshrink": lambda x, y: F.softshrink(x), "glu": lambda x, y: F.glu(x),
    "prelu": lambda x, y: F.prelu(x, y[0, :1]),
    "mean": lambda x, y: x.mean(), "mean_dim": lambda x, y: x.mean(1, keepdim=True), "var": lambda x, y: x.var(1),
    "std": lambda x, y: x.std(), "var_mean": lambda x, y: torch.var_mean(x, 0), "norm": lambda x, y: x.norm(),
    "norm1": lambda x, y: torch.linalg.vector_norm(x, 1, dim=1), "norm3": lambda x, y: torch.linalg.vector_norm(x, 3),
    "norm_inf": lambda x, y: torch.linalg.vector_norm(x, float("inf")), "logsumexp": lambda x, y: x.logsumexp(1),
    "softmax": lambda x, y: x.softmax(1), "log_softmax": lambda x, y: x.log_softmax(0),
    "nansum": lambda x, y: x.nansum(1),
    "linear": lambda x, y: F.linear(x, y, y[:3, 0]),
    "baddbmm": lambda x, y: torch.baddbmm(x[None, :, :3], x[None], y.T[None]),
    "bilinear": lambda x, y: F.bilinear(x, y, torch.ones(2, 4, 4, dtype=x.dtype)),
    "layer_norm": lambda x, y: F.layer_norm(x, (4,), y[0], y[1]),
    "group_norm": lambda x, y: F.group_norm(x, 2, y[0], y[1]),
    "rms_norm": lambda x, y: F.rms_norm(x, (4,), y[0]), "normalize": lambda x, y: F.normalize(x, dim=1),
    "batch_norm": lambda x, y: F.batch_norm(x, y[0], y[1].abs(), y[2], y[0]),
    "dropout": lambda x, y: F.dropout(x, 0.5, False),
    "max_pool1d": lambda x, y: F.max_pool1d(x[None], 2), "max_pool2d": lambda x, y: F.max_pool2d(x[None, None], 2, 1),
    "adaptive_max": lambda x, y: F.adaptive_max_pool1d(x[None], 2),
    "attention": lambda x, y: F.scaled_dot_product_attention(x[None], y[None], x[None]),
    "causal": lambda x, y: F.scaled_dot_product_attention(x[None], y[None], x[None], is_causal=True),
    "embedding": lambda x, y: F.embedding(torch.tensor([2, 0, 1]), x), "mse_loss": F.mse_loss, "l1_loss": F.l1_loss,
    "huber_loss": F.huber_loss, "smooth_l1_loss": F.smooth_l1_loss,
    "nll_loss": lambda x, y: F.nll_loss(x.log_softmax(1), torch.tensor([1, 0, 3])),
    "cross_entropy": lambda x, y: F.cross_entropy(x, torch.tensor([1, 0, 3])),
    "binary_cross_entropy": lambda x, y: F.binary_cross_entropy(x.sigmoid(), y.sigmoid()),
    "kl_div": lambda x, y: F.kl_div(x.log_softmax(1), y.softmax(1), reduction="batchmean"),
    "one_hot": lambda x, y: F.one_hot(torch.tensor([2, 0]) + x.argmax(1)[:2] * 0, 3),
    "pixel_shuffle": lambda x, y: F.pixel_shuffle(torch.cat([x, y])[None, :4, :, None].contiguous(), 2),
    "reflect": lambda x, y: F.pad(x[None], (1, 1), mode="reflect"),
    "cross": lambda x, y: torch.linalg.cross(x[:, :3], y[:, :3]),
    "lstm_cell": lambda x, y: CELLS[str(x.dtype), "LSTMCell"](x, (y, y)),
    "gru_cell": lambda x, y: CELLS[str(x.dtype), "GRUCell"](x, y),
    "rnn_cell": lambda x, y: CELLS[str(x.dtype), "RNNCell"](x, y),
    "lstm": lambda x, y: CELLS[str(x.dtype), "LSTM"](x[None]),
    "heaviside": torch.heaviside, "logit_eps": lambda x, y: x.sigmoid().logit(0.2),
    "norms": lambda x, y: (x.norm(0), x.norm(1, dim=1), torch.linalg.vector_norm(x, -float("inf"), 0, keepdim=True)),
    "dists": lambda x, y: (torch.dist(x, y), torch.dist(x, y, 1)), "none_losses": lambda x, y: losses(x, y, "none"),
    "sum_losses": lambda x, y: losses(x, y, "sum"), "mean_losses": lambda x, y: losses(x, y, "mean"),
    "softmax_scalar": lambda x, y: (x[0, 0].softmax(0), y[0, 0].log_softmax(0), x[0, 0].logsumexp(0)),
    "moments": lambda x, y: (x.var(1, correction=0, keepdim=True), x.std(0), torch.std_mean(x, (0, 1)), x.var()),
    "drop": lambda x, y: (F.dropout(x, 0.0, True), F.alpha_dropout(x, 0.5, False), F.feature_alpha_dropout(x, 0.5)),
    "pool_places": lambda x, y: F.max_pool1d(x[None], 2, 1, return_indices=True),
    "pool_lone": lambda x, y: (F.max_pool1d(x, 3, 1, padding=1), F.adaptive_max_pool1d(x, 1)),
    "attention_masks": lambda x, y: (
        F.scaled_dot_product_attention(x[None], y[None], x[None], attn_mask=x[:, :3] > -9, scale=0.5),
        F.scaled_dot_product_attention(x[None], y[None], x[None], attn_mask=y[:, :3]),
    ),
    "nan_numbers": lambda x, y: (x / 0).nan_to_num(1.0, 2.0, -3.0), "no_rows_mean": lambda x, y: x[:0].mean(0),
    "other_norms": lambda x, y: (x.norm(3), torch.norm(x, 1), torch.norm(x, dim=0), x.norm(2, 1, True)),
    "kept_sums": lambda x, y: (x.logsumexp(1, keepdim=True), x.logsumexp((0, 1)), torch.logsumexp(x, ())),
    "other_moments": lambda x, y: (x.var((0, 1), unbiased=False), x.var(1, correction=2), x[0, 0].var(correction=0)),
    "other_powers": lambda x, y: (x.abs() ** 2.5, x**1, x.abs() ** True, x.abs() ** 4),
    "layers_without": lambda x, y: (
        F.linear(x, y), F.linear(x, y[0]), F.rms_norm(x, (4,), eps=0.1), F.adaptive_max_pool1d(x[None], 1),
        F.bilinear(x, y, torch.ones(2, 4, 4, dtype=x.dtype), torch.ones(2, dtype=x.dtype)), (x / 0).nan_to_num(),
    ),
    "neg_infinite": lambda x, y: (-x / 0).isneginf(), "rounded_up": lambda x, y: (x * 2.5).round(),
}  # fmt: skip
#: ONNX Runtime has no kernel for float64.
FLOAT32 = {
    "atan2": torch.atan2, "adaptive_avg": lambda x, y: F.adaptive_avg_pool1d(x[None], 2),
    "conv1d": lambda x, y: F.conv1d(x[None], y[:, :3, None].contiguous(), padding=1),
    "conv2d": lambda x, y: F.conv2d(x[None, None], y[None, None, :2, :2], y[0, :1], padding=1),
    "conv_transpose2d": lambda x, y: F.conv_transpose2d(x[None, None], y[None, None, :2, :2], stride=2),
    "avg_pool1d": lambda x, y: F.avg_pool1d(x[None], 2),
    "conv_lone": lambda x, y: (
        F.conv1d(x, y[:, :3, None].contiguous()), F.conv_transpose1d(x, y[:, :3, None].contiguous()),
        F.avg_pool1d(x, 3, ceil_mode=True, count_include_pad=False),
    ),
    "avg_pool2d": lambda x, y: F.avg_pool2d(x[None, None], 2, 1, 1),
    "erf": lambda x, y: x.erf(), "erfc": lambda x, y: x.erfc(), "gelu": lambda x, y: F.gelu(x),
    "asin": lambda x, y: (x / 4).asin(), "acos": lambda x, y: (x / 4).acos(), "atan": lambda x, y: x.atan(),
}  # fmt: skip
#: What is computed of integers only.
INTEGERS = {
    "bitwise_and": lambda x, y: x & y, "bitwise_or": lambda x, y: x | y, "bitwise_xor": lambda x, y: x ^ y,
    "bitwise_not": lambda x, y: ~x, "index_by_value": lambda x, y: torch.arange(20)[x + 6],
    "signbit": lambda x, y: x.signbit(), "bits_of_truths": lambda x, y: ((x > 0) & (y > 1), (x > 0) | (y > 1)),
    "largest_of_truths": lambda x, y: (torch.maximum(x > 0, y > 1), torch.minimum(x > 0, y > 1)),
    "nan_to_num_of_int": lambda x, y: (x.nan_to_num(), x.isinf(), x.isnan(), x.nansum(1), x.trunc()),
    "extremes_of_int": lambda x, y: (torch.fmax(x, y), torch.fmin(x, y), torch.heaviside(x, y), ~(x > 0)),
    "sin_of_int": lambda x, y: x.sin(), "sqrt_of_int": lambda x, y: x.abs().sqrt(),
}  # fmt: skip
#: What has no mapping in this form, and what export says of it.
REFUSED = {
    "scatter_reduce of others": (
        lambda x, y: x.scatter_reduce(0, PLACES, y, "sum", include_self=False),
        "`scatter_reduce` without the element itself, or by the mean",
    ),
    "scatter_reduce by the mean": (
        lambda x, y: x.scatter_reduce(0, PLACES, y, "mean"),
        "`scatter_reduce` without the element itself, or by the mean",
    ),
    "one_hot of any number": (
        lambda x, y: F.one_hot(torch.tensor([2, 0]) + x.argmax(1)[:2] * 0),
        "`one_hot` without the number of classes",
    ),
    "searchsorted of rows": (
        lambda x, y: torch.searchsorted(x.sort()[0], y),
        "`searchsorted` with a sorter, or more than one row of boundaries",
    ),
    "rounding to decimals": (lambda x, y: x.round(decimals=1), "`round` with decimals"),
    "isclose of NaN": (lambda x, y: torch.isclose(x, y, equal_nan=True), "`isclose` with these options"),
    "signbit of floats": (lambda x, y: x.signbit(), "`signbit` on floats"),
    "order of a scalar": (lambda x, y: x[0, 0].sort()[0], "`sort` of a 0-d tensor"),
    "distance of another norm": (lambda x, y: torch.dist(x, y, 3), "`dist` with this p"),
    "loss of one row": (lambda x, y: F.nll_loss(x[0].log_softmax(0), torch.tensor(1)), "`nll_loss` of one row"),
    "normalizing by the batch": (
        lambda x, y: F.batch_norm(x, None, None, training=True),
        "`batch_norm_with` in training mode; call `model.eval()` first",
    ),
    "means by another divisor": (
        lambda x, y: F.avg_pool2d(x[None], 2, divisor_override=3),
        "`avg_windows` with a divisor of its own",
    ),
    "windows over the edge": (
        lambda x, y: F.avg_pool1d(x, 3, ceil_mode=True, padding=1),
        "`avg_windows` with ceil_mode and padding",
    ),
    "parts of unequal sizes": (
        lambda x, y: F.adaptive_avg_pool1d(x, 3),
        "`adaptive_avg` of sizes [4] to [3], which are no multiples",
    ),
    "writing to columns": (
        lambda x, y: put(x, (slice(None), torch.tensor([0, 1])), y[:, :2]),
        "`index_put` with whole dimensions among the indices",
    ),
    "means over padding": (
        lambda x, y: F.avg_pool1d(x, 3, ceil_mode=True, padding=1, count_include_pad=False),
        "`avg_windows` with ceil_mode and padding",
    ),
    "order of the boundaries": (
        lambda x, y: torch.searchsorted(y[0], y, sorter=y[0].argsort()),
        "`searchsorted` with a sorter, or more than one row of boundaries",
    ),
    "isclose of integers": (lambda x, y: torch.isclose(x.long(), y.long()), "`isclose` with these options"),
    "dropping everything": (
        lambda x, y: F.dropout(x, 1.0, True),
        "`dropout` in training mode; call `model.eval()` first",
    ),
    "attention to nothing": (
        lambda x, y: F.scaled_dot_product_attention(x[None], y[None], x[None], dropout_p=1.0),
        "`scaled_dot_product_attention` with dropout",
    ),
    "writing beside None": (
        lambda x, y: put(x, (torch.tensor([2, 0]), None), y[:2, None]),
        "`index_put` with whole dimensions among the indices",
    ),
    "tensor beside a range": (
        lambda x, y: x[1:, torch.tensor([0, 2])],
        "`__getitem__` with tensors among other indices",
    ),
    "None between tensors": (
        lambda x, y: x[torch.tensor([0]), None, torch.tensor([1])],
        "`__getitem__` with None between tensors",
    ),
    "tensors among others": (
        lambda x, y: x[None].repeat(2, 1, 1)[torch.tensor([0]), :, torch.tensor([1])],
        "`__getitem__` with tensors among other indices",
    ),
}
CASES = [
    *[(name, kind, f) for name, f in BOTH.items() for kind in ALL],
    *[(name, kind, f) for name, f in FLOATING.items() for kind in FLOATS],
    *[(name, "float32", f) for name, f in FLOAT32.items()],
    *[(name, "int64", f) for name, f in INTEGERS.items()],
]


PLACES = torch.tensor([[0, 2, 0, 1]])


def put(x, index, values):
    x = x.clone()
    x[index] = values
    return x


def written(x, y):
    x = x.clone()
    x[1, 1:3] = y[0, :2]
    x[:, 0].mul_(2)
    x[x > 4] = 1
    x.chunk(2, 1)[1][0].add_(3)
    x.unbind(0)[1][2:].copy_(y[0, :2])
    x.t()[1].view(1, -1)[:, ::2] = 7
    return x


def flat(value, name="output"):
    """The tensors of a result by name."""
    if isinstance(value, torch.Tensor):
        return {name: value}
    return {key: each for k, part in enumerate(value) for key, each in flat(part, f"{name}.{k}").items()}


def computed(function, arrays):
    """Return the outputs of the engine and of ONNX Runtime for these arrays, by name."""
    given = {name: torch.tensor(array) for name, array in arrays.items()}
    recording = Recording(list(given.values()))
    with recording.active():
        found = flat(function(*given.values()))
    path = recording.path(found)
    expected = {name: np.array(each._array) for name, each in found.items()}
    run = Run(Case(Bound(None, (), {}, ()), arrays, {}, ()), path, tuple(arrays), dict(path.result), expected)
    weights = Weights()
    for name in (*arrays, *expected, "captured"):
        weights.fresh(name)
    graph, names = Graph(weights), list(expected)
    nodes = Nodes(weights, {}, str, symbolic=False, opset=18, varying=frozenset())
    merger = Merger([run], nodes, Summary(), merging=True, depth=0)
    types = [element_type(each.dtype) for each in expected.values()]
    _finish(graph, names, merger.build(graph, names), types, fail=False)
    model = _model([run], graph, names, types, frozenset(), 18)
    options = ort.SessionOptions()
    options.log_severity_level = 4
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    feed = {each.name: arrays[each.name] for each in session.get_inputs()}
    return expected, dict(zip([each.name for each in session.get_outputs()], session.run(None, feed)))


@pytest.mark.parametrize(("name", "kind", "function"), CASES, ids=[f"{name}-{kind}" for name, kind, _ in CASES])
def test_op_computes_in_onnxruntime_what_the_engine_computes(name, kind, function):
    """Values, shapes and dtypes agree."""
    one, two = (M, N) if kind == "int64" else (X, Y)
    with np.errstate(all="ignore"):
        expected, found = computed(function, {"x": np.array(one, kind), "y": np.array(two, kind)})
    assert found.pop("captured")
    assert expected.keys() == found.keys()
    for key, each in expected.items():
        assert (each.dtype, each.shape) == (found[key].dtype, found[key].shape)
        close = 1e-5 if each.dtype == np.float32 else 1e-9
        np.testing.assert_allclose(found[key], each, rtol=close, atol=close)


@pytest.mark.parametrize(("function", "why"), REFUSED.values(), ids=REFUSED)
def test_form_without_mapping_is_refused_by_name(function, why):
    """Nothing is written that computes something else."""
    with pytest.raises(Refusal) as caught:
        computed(function, {"x": np.array(X, "float32"), "y": np.array(Y, "float32")})
    assert f"uses {why}, which has no mapping to ONNX" == str(caught.value)


def test_at_least_120_ops_are_mapped_and_checked():
    """The table of checks is as wide as it says."""
    assert len({name for name, _, _ in CASES}) >= 120


def test_mapped_ops_are_those_that_a_run_records():
    """Not their other names, nor ops that are recorded by their parts."""
    made_here = {"arange", "divisor", "more_rows", "no_rows", "real_power", "row", "to", "whole_power"}
    ops = {name: ENGINE_OPS.get(name) for name in MAPPED}
    other = {name for name, op in ops.items() if op is None or op.composite or op.name != name}
    assert other <= made_here | {"alias", "product", "size"}
