"""Each op with a word for `batching` gives for many examples at once what it gives for each alone."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

import pytest

import dyncore as torch
from dyncore import ops
from dyncore.batching import scheduler
from dyncore.batching.rules import RULES
from dyncore.dispatch.registry import TABLE
from dyncore.nn import functional as F

for module in pkgutil.iter_modules(ops.__path__):
    importlib.import_module(f"dyncore.ops.{module.name}")

identity = torch.nn.Linear(6, 6, bias=False).double()
torch.nn.init.eye_(identity.weight)
EXAMPLES = [0.1 + 0.8 * torch.rand(6, dtype=torch.float64) for _ in range(5)]
matrix = torch.nn.Parameter(torch.rand(6, 6, dtype=torch.float64))
cube = torch.nn.Parameter(torch.rand(2, 6, 6, dtype=torch.float64))
target = torch.tensor(2)
max_of_all, min_of_all = TABLE["max_of_all"].entry, TABLE["min_of_all"].entry
conv = torch.nn.Conv1d(1, 2, 3, dtype=torch.float64)
kernel = torch.nn.Parameter(torch.rand(2, 1, 2, 2, dtype=torch.float64))

# By op: calls on x, a vector of six, and m, a matrix of two by three; both lazy.
CALLS: dict[str, list[Any]] = {
    "add": [lambda x, m: torch.add(x, x, alpha=2), lambda x, m: m.sub(m.sum(), alpha=0.5)],
    "ravel": [lambda x, m: m.ravel(), lambda x, m: x.ravel(), lambda x, m: x.sum().ravel()],
    "roll": [lambda x, m: x.roll(1), lambda x, m: m.roll(1), lambda x, m: m.roll((1, -1), (0, 1))],
    "addmm": [
        lambda x, m: torch.addmm(x[:2], m, m.T),
        lambda x, m: torch.addmm(matrix[0], m.view(1, 6), matrix, beta=0.5, alpha=2),
        lambda x, m: torch.addmm(m / 0, m[:, :2], m, beta=0),
    ],
    "addmv": [
        lambda x, m: torch.addmv(x, matrix, x),
        lambda x, m: torch.addmv(x[0], m, x[:3], alpha=3),
        lambda x, m: torch.addmv(x[:2], m, matrix[0, :3]),
    ],
    "dist": [lambda x, m: torch.dist(x, x * 2), lambda x, m: torch.dist(m, m * m, p=1), lambda x, m: x.dist(x.sum())],
    "trace": [lambda x, m: m.trace()],
    "diag_embed": [lambda x, m: torch.diag(x), lambda x, m: torch.diag_embed(m, 1, 0, -1)],
    "contract": [
        lambda x, m: torch.einsum("ij,kj->ik", m, m),
        lambda x, m: torch.einsum("ij,j->i", matrix, x),
        lambda x, m: torch.einsum("i,ij", x[:2], m),
        lambda x, m: torch.inner(x, x),
        lambda x, m: torch.einsum("...i->...", m),
    ],
    "linalg_cross": [lambda x, m: torch.cross(x[:3], x[3:], dim=0), lambda x, m: torch.linalg.cross(m, m * m)],
    "linalg_inv": [lambda x, m: torch.linalg.inv(m @ m.T), lambda x, m: torch.inverse(m[:, :2] - m[:, 1:])],
    "linalg_solve": [
        lambda x, m: torch.linalg.solve(m @ m.T, x[:2]),
        lambda x, m: torch.linalg.solve(m[:, :2], m),
        lambda x, m: torch.linalg.solve(m[:, :2], m.T, left=False),
        lambda x, m: torch.linalg.solve(m[:, :2], matrix[:2]),
    ],
    "diagonal": [
        lambda x, m: m.diagonal(),
        lambda x, m: m.diagonal(1) * m[None].diagonal(dim1=-2, dim2=-1),
        lambda x, m: torch.diagonal(m[None], -1, 1, 2),
    ],
    "linalg_det": [lambda x, m: torch.det(m @ m.T)],
    "softmax": [lambda x, m: x.softmax(0), lambda x, m: m.softmax(-1)],
    "log_softmax": [lambda x, m: x.log_softmax(-1), lambda x, m: m.log_softmax(0)],
    "cat": [lambda x, m: torch.cat([x, x * 2]), lambda x, m: torch.cat([m, m + 1], dim=-1)],
    "stack": [lambda x, m: torch.stack([x, x * 2]), lambda x, m: torch.stack((m, m), dim=-1)],
    "chunk": [lambda x, m: x.chunk(3)[1], lambda x, m: m.chunk(2, dim=1)[0]],
    "split": [lambda x, m: x.split(4)[1], lambda x, m: m.split([1, 2], -1)[1]],
    "select": [lambda x, m: m.select(0, 1), lambda x, m: m.select(-1, 2)],
    "narrow": [lambda x, m: x.narrow(0, 1, 3), lambda x, m: m.narrow(-1, 0, 2)],
    "unbind": [lambda x, m: m.unbind()[1], lambda x, m: m.unbind(1)[2]],
    "transpose": [lambda x, m: m.transpose(0, 1), lambda x, m: m.transpose(-1, 0)],
    "unsqueeze": [lambda x, m: x.unsqueeze(0), lambda x, m: m.unsqueeze(-1)],
    "flatten": [lambda x, m: m.flatten(), lambda x, m: m.flatten(0, -1)],
    "sum": [
        lambda x, m: x.sum(),
        lambda x, m: m.sum(0),
        lambda x, m: m.sum((0, 1)),
        lambda x, m: m.sum(-1, keepdim=True),
    ],
    "mean": [lambda x, m: m.mean(), lambda x, m: m.mean(1)],
    "prod": [lambda x, m: m.prod(), lambda x, m: m.prod(0)],
    "any": [lambda x, m: (m > 0.5).any(), lambda x, m: (m > 0.5).any(1)],
    "all": [lambda x, m: (m > 0.5).all(), lambda x, m: (m > 0.5).all(0)],
    "logsumexp": [lambda x, m: x.logsumexp(0), lambda x, m: m.logsumexp((0, 1))],
    "argmax": [lambda x, m: x.argmax(), lambda x, m: m.argmax(-1), lambda x, m: m.argmax()],
    "argmin": [lambda x, m: x.argmin(), lambda x, m: m.argmin(0)],
    "amax": [lambda x, m: m.amax(), lambda x, m: m.amax(0)],
    "amin": [lambda x, m: m.amin(), lambda x, m: m.amin((0, 1))],
    "cumsum": [lambda x, m: x.cumsum(0), lambda x, m: m.cumsum(-1)],
    "gather": [lambda x, m: x.gather(0, x.sort().indices), lambda x, m: m.gather(1, m.argsort(1))],
    "topk": [lambda x, m: x.topk(2).values, lambda x, m: m.topk(1, dim=0)[0]],
    "sort": [lambda x, m: x.sort().values, lambda x, m: m.sort(0, descending=True).indices],
    "var": [lambda x, m: x.var(), lambda x, m: m.var(1, unbiased=False)],
    "std": [lambda x, m: m.std(), lambda x, m: m.std(-1)],
    "glu": [lambda x, m: F.glu(x), lambda x, m: F.glu(m, 0)],
    "view": [lambda x, m: x.view(3, 2), lambda x, m: m.view(-1), lambda x, m: m.view((3, -1))],
    "reshape": [lambda x, m: x.reshape(3, -1), lambda x, m: m.t().reshape(6)],
    "expand": [lambda x, m: x.expand(2, 6), lambda x, m: m.unsqueeze(0).expand(4, -1, -1)],
    "permute": [lambda x, m: m.permute(1, 0), lambda x, m: m.permute((-1, 0))],
    "matmul": [lambda x, m: x @ matrix, lambda x, m: m @ m.t(), lambda x, m: m.t() @ m, lambda x, m: m @ x[:3]],
    "mv": [lambda x, m: matrix.mv(x), lambda x, m: m.mv(x[3:])],
    "mm": [lambda x, m: m.mm(matrix[:3].detach()), lambda x, m: m.t().mm(m)],
    "t": [lambda x, m: m.t(), lambda x, m: x.t()],
    "T": [lambda x, m: m.T],
    "mT": [lambda x, m: m.mT, lambda x, m: m[None].mT],
    "squeeze": [
        lambda x, m: m[:1].squeeze(0),
        lambda x, m: x[None, :, None].squeeze(),
        lambda x, m: x[None, :, None].squeeze((0, -1)),
        lambda x, m: m.squeeze(0),
        lambda x, m: x[0].squeeze(),
    ],
    "flip": [lambda x, m: x.flip(0), lambda x, m: m.flip(0, -1), lambda x, m: m.flip((1,))],
    "repeat": [lambda x, m: m.repeat(2, 1), lambda x, m: x.repeat(3, 1, 2), lambda x, m: x[0].repeat(3)],
    "tril": [lambda x, m: m.tril(), lambda x, m: m.tril(-1)],
    "triu": [lambda x, m: m.triu(), lambda x, m: m.triu(diagonal=1)],
    "outer": [lambda x, m: x.outer(m[0]), lambda x, m: torch.outer(matrix[0], x)],
    "bmm": [lambda x, m: m[None].bmm(m.t()[None]), lambda x, m: torch.bmm(m[None], matrix[None, :3])],
    "cumprod": [lambda x, m: x.cumprod(0), lambda x, m: m.cumprod(-1)],
    "rms_norm": [lambda x, m: F.rms_norm(x, (6,)), lambda x, m: F.rms_norm(m, (3,), matrix[0, :3])],
    "dot": [lambda x, m: x.dot(x * 2), lambda x, m: x.dot(matrix[0])],
    "linear": [
        lambda x, m: F.linear(x, matrix, matrix[0]),
        lambda x, m: F.linear(m, matrix[:, :3]),
        lambda x, m: F.linear(matrix[:5, :3], m, x[:2]),  # as many rows as examples
    ],
    "bilinear": [lambda x, m: F.bilinear(x, x + 1, cube), lambda x, m: F.bilinear(m, m * 2, cube[:, :3, :3])],
    "layer_norm": [lambda x, m: F.layer_norm(x, (6,)), lambda x, m: F.layer_norm(m, (3,), matrix[0, :3])],
    "embedding": [
        lambda x, m: F.embedding(x.argmax(), matrix),
        lambda x, m: F.embedding(m.argmax(1), matrix),
        lambda x, m: F.embedding(m.argmax(1) * 0, matrix, scale_grad_by_freq=True),
    ],
    "__getitem__": [
        lambda x, m: x[2],
        lambda x, m: m[1:, ::2],
        lambda x, m: m[:, None, -1],
        lambda x, m: m[..., 0],
        lambda x, m: m[m.argmax(0)],
        lambda x, m: x[x.argmax()],
        lambda x, m: x[-x.argsort()[:2]],
    ],
    "nll_loss": [
        lambda x, m: F.nll_loss(x.log_softmax(0), target),
        lambda x, m: F.nll_loss(m, torch.tensor([0, 2])),
        lambda x, m: F.nll_loss(m, m.argmax(1), reduction="none"),
        lambda x, m: F.cross_entropy(m, m.argmin(1), reduction="sum"),
        lambda x, m: F.cross_entropy(m[:1], m[:1].argmin(1), label_smoothing=0.1),
    ],
    "index_select": [lambda x, m: x.index_select(0, x.argsort()[:3]), lambda x, m: m.index_select(-2, m.argmax(0))],
    "logaddexp": [lambda x, m: torch.logaddexp(x, x * 2), lambda x, m: torch.logaddexp(m, m[0])],
    "hypot": [lambda x, m: torch.hypot(x, x * 2)],
    "at_least": [
        lambda x, m: F.cosine_similarity(x, x * m.sum(), dim=0),
        lambda x, m: F.cosine_similarity(m, m.flip(0)),
    ],
    "length": [lambda x, m: F.pairwise_distance(m, m.flip(0)), lambda x, m: F.pairwise_distance(x, matrix[0])],
    "one_hot": [lambda x, m: F.one_hot(m.argmax(1), 3) * m, lambda x, m: F.one_hot(x.argmax(), 6) * x],
    "mse_loss": [lambda x, m: F.mse_loss(x, x * 2), lambda x, m: F.mse_loss(m, m * m, reduction="sum")],
    "smooth_l1_loss": [lambda x, m: F.smooth_l1_loss(x, x * 3)],
    "huber_loss": [lambda x, m: F.huber_loss(m, m * 3, reduction="none")],
    "binary_cross_entropy": [lambda x, m: F.binary_cross_entropy(x, (x > 0.5).double())],
    "binary_cross_entropy_with_logits": [lambda x, m: F.binary_cross_entropy_with_logits(m, m)],
    "clamp": [lambda x, m: x.clamp(0.3, 0.6), lambda x, m: m.clamp(min=0.4)],
    "where": [lambda x, m: torch.where(x > 0.5, x, -x), lambda x, m: torch.where(m > 0.5, m, m.sum())],
    "masked_fill": [lambda x, m: x.masked_fill(x < 0.5, 2.0)],
    "lerp": [lambda x, m: x.lerp(x * 2, 0.3), lambda x, m: m.lerp(m * m, m)],
    "gelu": [lambda x, m: F.gelu(x), lambda x, m: F.gelu(m, approximate="tanh")],
    "softplus": [lambda x, m: F.softplus(x, beta=2)],
    "elu": [lambda x, m: F.elu(x - 0.5)],
    "hardtanh": [lambda x, m: F.hardtanh(x * 3)],
    "leaky_relu": [lambda x, m: F.leaky_relu(x - 0.5, 0.2)],
    "pow": [lambda x, m: x**2, lambda x, m: m**m],
    "addcmul": [lambda x, m: x.addcmul(x, x, value=0.5)],
    "addcdiv": [lambda x, m: m.addcdiv(m, m + 1)],
    "linalg_vector_norm": [
        lambda x, m: x.norm(),
        lambda x, m: m.norm(dim=1),
        lambda x, m: m.norm(1),
        lambda x, m: m.norm(),
    ],
    "max": [lambda x, m: m.max(), lambda x, m: x.max(x * m.sum()), lambda x, m: m.max(0)[0]],
    "min": [lambda x, m: x.min(), lambda x, m: x.min(x * m.sum()), lambda x, m: m.min(0)[0]],
    "max_of_all": [lambda x, m: max_of_all(m), lambda x, m: x[:1].max(), lambda x, m: (m > 0.5).max()],
    "min_of_all": [lambda x, m: min_of_all(m * 0), lambda x, m: min_of_all(x)],
    "max_along": [lambda x, m: m.max(1).values, lambda x, m: x.max(0).indices, lambda x, m: m.max(-1, keepdim=True)[0]],
    "min_along": [lambda x, m: m.min(dim=0)[0], lambda x, m: x.min(-1).indices],
    "argsort": [lambda x, m: x.argsort(), lambda x, m: m.argsort(0, descending=True)],
    "count_nonzero": [lambda x, m: torch.count_nonzero(x > 0.5), lambda x, m: torch.count_nonzero(m > 0.5, dim=1)],
    "nansum": [lambda x, m: x.log().nansum(), lambda x, m: m.nansum(1)],
    "cummax": [lambda x, m: x.cummax(0).values, lambda x, m: m.cummax(-1)[1]],
    "cummin": [lambda x, m: m.cummin(0)[0]],
    "unflatten": [lambda x, m: x.unflatten(0, (2, 3)), lambda x, m: m.unflatten(-1, (3, -1))],
    "broadcast_to": [
        lambda x, m: x.broadcast_to((4, 6)),
        lambda x, m: m.broadcast_to(2, 2, 3),
        lambda x, m: F.normalize(m),
    ],
    "detach": [lambda x, m: x * x.detach(), lambda x, m: m.detach()],
    "contiguous": [lambda x, m: m.contiguous() * 2, lambda x, m: m.t().contiguous()],
    "_to_copy": [
        lambda x, m: x.float() * 2,
        lambda x, m: m.to(torch.int64),
        lambda x, m: m.type_as(x),
        lambda x, m: ~(m > 0.5),
    ],
    "constant_pad_nd": [lambda x, m: F.pad(x, (1, 2)), lambda x, m: F.pad(m, (0, 1, -1, 1), value=2.0)],
    "convolution": [
        lambda x, m: conv(x.view(1, 6)),
        lambda x, m: conv(m.view(2, 1, 3)),
        lambda x, m: F.conv2d(m.view(1, 1, 2, 3), kernel, padding=1),
        lambda x, m: F.conv1d(x.view(1, 6), m[:1, None]),
    ],
    "group_norm": [lambda x, m: F.group_norm(x.view(1, 2, 3), 2), lambda x, m: F.group_norm(m[:, :2, None], 1)],
    "scaled_dot_product_attention": [
        lambda x, m: F.scaled_dot_product_attention(m, m * 2, m),
        lambda x, m: F.scaled_dot_product_attention(m[None], m[None], m[None], is_causal=True),
        lambda x, m: F.scaled_dot_product_attention(m[None], m, m),
        lambda x, m: F.scaled_dot_product_attention(m, m, m, attn_mask=(m @ m.t()) > 0.5),
    ],
    "threshold": [lambda x, m: F.threshold(x, 0.5, 0.2)],
    "celu": [lambda x, m: F.celu(m - 0.5, 0.7)],
    "round": [lambda x, m: x.round(), lambda x, m: m.round(decimals=1)],
    "clamp_min": [lambda x, m: x.clamp_min(0.5), lambda x, m: m.clamp_min(m.mean())],
    "clamp_max": [lambda x, m: m.clamp_max(0.5)],
    "isclose": [lambda x, m: x.isclose(x + 1e-9), lambda x, m: m.isclose(m * 2)],
    "nan_to_num": [lambda x, m: (x - 0.5).log().nan_to_num(), lambda x, m: m.log().nan_to_num(0.5)],
    "clone": [lambda x, m: x.clone() * 2],
    "mul": [lambda x, m: m * m.argsort(1), lambda x, m: x * x.argmax(), lambda x, m: m.argmax(0) * matrix[0, :3]],
    "div": [lambda x, m: 2 / x, lambda x, m: m / m.sum(), lambda x, m: m / matrix[0, :3]],
    "sub": [lambda x, m: m - m.sum(0), lambda x, m: 1 - x, lambda x, m: matrix[0] - x],
}
# Calls that few make: of other dtypes, without elements, with options that a rule leaves to each example.
RARE: dict[str, list[Any]] = {
    "linear": [
        lambda x, m: F.linear(x[None, None], matrix[:, :6] * x),
        lambda x, m: F.linear(m[0], m, matrix[0, :2]),
        lambda x, m: F.linear(m, m, matrix[0, :2]),
        lambda x, m: F.linear(m, m, m[:, 0]),
        lambda x, m: F.linear(x[:3], m[0]),
    ],
    "matmul": [
        lambda x, m: m[None] @ m.t()[None],
        lambda x, m: m[None].expand(2, 2, 3) @ m.t(),
        lambda x, m: m @ m.t()[None].expand(2, 3, 2),
        lambda x, m: matrix[None] @ x,
        lambda x, m: matrix[None, :2, :2] @ m,
        lambda x, m: m @ matrix[None, :3].expand(2, 3, -1),
        lambda x, m: m.long() @ m.t().long(),
        lambda x, m: m @ m.t().double().float(),
        lambda x, m: m @ x.sum(),
        lambda x, m: x.sum() @ m,
    ],
    "addmm": [lambda x, m: torch.addmm(x[:2].long(), m.long(), m.T.long()), lambda x, m: torch.addmm(m, m[0], m)],
    "dist": [lambda x, m: x.dist(x.float()), lambda x, m: x.dist(m.view(-1)), lambda x, m: m.dist(matrix[:2, :3])],
    "outer": [lambda x, m: x.outer(x.float()), lambda x, m: x.outer(x.long()), lambda x, m: torch.outer(x, matrix[0])],
    "sum": [
        lambda x, m: m.sum(None, keepdim=True),
        lambda x, m: m.sum((), keepdim=True),
        lambda x, m: m.sum(()),
        lambda x, m: x.sum().sum(0),
        lambda x, m: x.sum().sum(),
        lambda x, m: x.sum().mean(-1) + m.amax((0, 1)),
        lambda x, m: x[:0].sum() + m[:, :0].sum(0).sum(),
    ],
    "stack": [lambda x, m: torch.stack([x.sum(), x[0]]), lambda x, m: torch.stack([x, matrix[0]])],
    "cat": [lambda x, m: torch.cat([x, x[:0]]), lambda x, m: torch.cat([x, matrix[0]]), lambda x, m: torch.cat((x, m))],
    "squeeze": [
        lambda x, m: x.sum().squeeze(),
        lambda x, m: x.sum().squeeze(0),
        lambda x, m: m.squeeze((0, 1)),
        lambda x, m: m[:1].squeeze(),
        lambda x, m: m[:, :1].squeeze(-1),
        lambda x, m: m.squeeze(5),
    ],
    "unsqueeze": [lambda x, m: x.sum().unsqueeze(0), lambda x, m: x.unsqueeze(7)],
    "mse_loss": [
        lambda x, m: F.mse_loss(x, x.sum()[None].expand(6), reduction="none"),
        lambda x, m: F.mse_loss(x, matrix[0]),
        lambda x, m: F.mse_loss(x, x, reduction="all"),
        lambda x, m: F.mse_loss(x, x * 2, weight=x),
        lambda x, m: F.binary_cross_entropy(x.sigmoid(), x.sigmoid(), weight=matrix[0].abs()),
    ],
    "nll_loss": [
        lambda x, m: F.nll_loss(m, m.argmin(1), ignore_index=1),
        lambda x, m: F.nll_loss(m, m.argmin(1) * 0, ignore_index=0),
        lambda x, m: F.nll_loss(m, m.argmin(1), weight=matrix[0, :3].abs()),
        lambda x, m: F.nll_loss(m[None], m.argmin(1)[None, :1].expand(1, 3)),
        lambda x, m: F.nll_loss(m, torch.tensor([0, 1])),
        lambda x, m: F.nll_loss(m, m.argmin(1), reduction="all"),
        lambda x, m: F.nll_loss(m, m.argmin(0)),
        lambda x, m: F.nll_loss(matrix[:2, :3], m.argmin(1)),
    ],
    "__getitem__": [
        lambda x, m: x[[0, 2]],
        lambda x, m: m[..., None, 0],
        lambda x, m: m[m > 0.5],
        lambda x, m: matrix[x.argmax()],
        lambda x, m: m[x.argmax() % 2, 1:],
        lambda x, m: x[True],
        lambda x, m: x[9],
    ],
    "scaled_dot_product_attention": [lambda x, m: F.scaled_dot_product_attention(m, m, m, dropout_p=0.0, scale=2.0)],
    "max": [lambda x, m: x.sum().max(), lambda x, m: m.max(1, keepdim=True)[1], lambda x, m: x.max(matrix[0])],
    "linalg_solve": [
        lambda x, m: torch.linalg.solve((m @ m.T)[None], m[None]),
        lambda x, m: torch.linalg.solve(matrix[:2, :2], m),
    ],
}
NAMES = sorted({op.name for op in TABLE.values() if op.batching and not op.private} | CALLS.keys())


def calls_of(name: str) -> list[Any]:
    op = TABLE[name]
    if name in CALLS:
        return [*CALLS[name], *RARE.get(name, ())]
    assert op.kind in ("unary", "binary") or op.batching == "each", f"{name} has a rule and no call here"
    if len(op.tensor_names) == 1:
        return [lambda x, m: op.entry(x), lambda x, m: op.entry(m)]
    return [lambda x, m: op.entry(x, x * 0.7), lambda x, m: op.entry(m, m.sum()), lambda x, m: op.entry(m, 2.0)]


def answer(call: Any, run: Any) -> Any:
    def model(example: Any) -> Any:
        x = identity(example)
        return call(x, x.view(2, 3))

    identity.zero_grad()
    matrix.grad = None
    try:
        made = run(model)
        floating = [each for each in made if each.requires_grad]
        if floating:
            torch.stack(floating).sum().backward()
    except Exception as error:
        return type(error), str(error)
    return made, identity.weight.grad, matrix.grad


def same(found: Any, wanted: Any) -> bool:
    if found is None or wanted is None:
        return found is wanted
    alike = found.dtype == wanted.dtype and found.shape == wanted.shape
    return alike and torch.allclose(found, wanted, rtol=1e-10, atol=1e-12, equal_nan=True)


@pytest.mark.parametrize("name", NAMES)
def test_op_gives_many_examples_what_it_gives_each(name):
    for call in calls_of(name):
        wanted = answer(call, lambda model: [model(each) for each in EXAMPLES])
        found = answer(call, lambda model: torch.batched(model)(EXAMPLES))
        if wanted[0].__class__ is type:
            # an op that is called often by then words a wrong number of arguments anew
            assert found in (wanted, answer(call, lambda model: [model(each) for each in EXAMPLES]))
            continue
        for one, other in zip(found[0], wanted[0], strict=True):
            assert same(one, other)
        assert same(found[1], wanted[1]) and same(found[2], wanted[2])


@pytest.mark.parametrize("name", sorted(CALLS))
def test_op_runs_once_for_all_examples(name, monkeypatch):
    """The first call in the table is computed together: a rule that always gave up would be equal, too."""
    together: list[str] = []
    compute = scheduler._together

    def counted(batch: Any, group: Any, columns: Any) -> Any:
        made = compute(batch, group, columns)
        if made is not None and group.count >= len(EXAMPLES):
            together.append(group.signature.name)
        return made

    monkeypatch.setattr(scheduler, "_together", counted)
    torch.batched(lambda example: (lambda x: CALLS[name][0](x, x.view(2, 3)))(identity(example)))(EXAMPLES)
    assert name in together


def test_each_word_of_a_block_is_a_rule():
    assert {op.batching for op in TABLE.values()} - {""} <= RULES.keys()
