"""PyTorch's warnings about what scripts do: the same sentences, at the user's line."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

import dyncore

CALLS = """
e.tensor(x)
e.range(0, 3)
e.meshgrid(x, x)
e.ones(2, 3, 4).T
e.ones(3)[byte]
e.where(byte, 1, 2)
e.cross(e.eye(3), e.eye(3))
e.chain_matmul(e.eye(2), e.eye(2))
e.cholesky(e.eye(2))
e.qr(e.eye(2))
e.lu(e.eye(2))
e.triangular_solve(e.ones(2, 1), e.eye(2))
e.stft(e.ones(8), 4, return_complex=False)
e.istft(e.ones(3, 5, dtype=e.complex64), 4)
e.std(x)
e.cov(e.ones(1, 1))
e.ones(2, dtype=e.complex64).float()
(x * 2).grad
e.set_default_tensor_type(e.FloatTensor)
e.autograd.Variable(x, volatile=True)
F.dropout2d(e.ones(2, 2))
F.dropout2d(e.ones(2, 2, 2))
F.dropout3d(e.ones(2, 2))
F.gumbel_softmax(x, eps=0.1)
F.softmax(x)
F.embedding_bag(e.eye(3), e.zeros(1, 2).long())
F.affine_grid(e.zeros(1, 2, 3), (1, 1, 1, 1), align_corners=True)
F.mse_loss(x, e.ones(2, 1))
nn.Hardtanh(min_value=-2)
nn.InstanceNorm1d(3)(e.ones(2, 4, 5))
nn.MultiheadAttention(2, 1)(q, q, q, key_padding_mask=e.zeros(1, 2).bool(), attn_mask=e.zeros(2, 2))
nn.NLLLoss2d()
nn.utils.clip_grad_norm(m.parameters(), 1.0)
nn.utils.stateless.functional_call(m, {}, (e.ones(2),))
m.state_dict({}, "a")
list(e.utils.data.DataLoader([1, 2], pin_memory=True))
schedule.StepLR(sgd, 1).step()
schedule.StepLR(sgd, 1).step(3)
[each() for each in (sgd.step, schedule.StepLR(sgd, 1).step)]
[(one := schedule.StepLR(sgd, 1)), sgd.step(), one.step()]
schedule.ReduceLROnPlateau(sgd).step(1.0, 3)
(one := schedule.StepLR(sgd, 1), setattr(sgd, "step", type(sgd).step), one.step())
""".strip().splitlines()
#: Warnings of a call, where it is not one.
COUNTS = {
    "e.stft(e.ones(8), 4, return_complex=False)": 2,
    "schedule.StepLR(sgd, 1).step(3)": 2,
    "[(one := schedule.StepLR(sgd, 1)), sgd.step(), one.step()]": 0,
}


@pytest.mark.parametrize("call", CALLS)
def test_doubtful_call_warns_at_the_line_of_the_user(call: str) -> None:
    assert ["user"] * COUNTS.get(call, 1) == [file for file, *_ in places(dyncore, call, 1)]


@pytest.mark.parametrize("call", CALLS)
def test_the_same_warnings_at_the_same_line(call: str) -> None:
    """Also where the op has an entry of its own; what PyTorch's own files warn of stands at the user's line here."""
    torch = pytest.importorskip("torch")
    expected = told(torch, call)
    assert expected == told(dyncore, call)
    times = 40 if expected else 1
    assert {("user", *each) for each in expected} == set(places(dyncore, call, times))


def told(engine: Any, call: str) -> list[tuple[str, str]]:
    """Class and words of the warnings of one call."""
    return [(kind, words) for _, kind, words in places(engine, call, 1)]


def places(engine: Any, call: str, times: int) -> list[tuple[str, str, str]]:
    """File, class and words of the warnings of some calls, each said every time."""
    nn, found = engine.nn, []
    always = engine.is_warn_always_enabled()
    engine.set_warn_always(True)
    try:
        for _ in range(times):
            m = nn.Linear(2, 2)
            given = {
                "e": engine, "nn": nn, "F": nn.functional, "m": m, "x": engine.ones(1, requires_grad=True),
                "byte": engine.tensor([1, 0, 1], dtype=engine.uint8), "q": engine.ones(2, 1, 2),
                "sgd": engine.optim.SGD(m.parameters(), 0.1), "schedule": engine.optim.lr_scheduler,
            }  # fmt: skip
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                exec(compile(call, "user", "exec"), given)
            found += [(each.filename, each.category.__name__, words(str(each.message))) for each in seen]
    finally:
        engine.set_warn_always(always)
    return found


def words(text: str) -> str:
    """The words without where PyTorch's C++ stands."""
    return text.split("(Triggered")[0].strip()


def test_what_is_said_once_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often it is done."""
    monkeypatch.setattr("dyncore.errors.explain._warned", set())
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        for _ in range(3):
            dyncore.qr(dyncore.eye(2))
    assert 1 == len(seen)
    assert __file__ == seen[0].filename
