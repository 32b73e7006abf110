"""The first bad value of a parameter that steps of an optimizer wrote: of each step as it was then."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.analysis.first_bad import Size, _Search, first_bad
from dyncli.recorder.events.collectors import statistics
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from tests.unit.dyncli.analysis.test_first_bad import told

DIVERGING = """import dyncore as torch
w = torch.nn.Parameter(torch.tensor(START))
optimizer = torch.optim.SGD([w], lr=50.0)
for _ in range(6):
    optimizer.zero_grad()
    loss = (w ** 4).sum()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("count", [3, 40])
def test_parameters_as_they_were_when_they_were_read(tmp_path: Path, count: int) -> None:
    """A loop that diverges did not begin with the NaN that its parameter ends with; steps are told where they were."""
    script = tmp_path / "net.py"
    script.write_text(DIVERGING.replace("START", str([1.0] * count)))
    (record,) = record_model(Request(str(script), watch=True))
    found = first_bad(record)
    assert [
        ("exploded", "value", "pow", 6), ("exploded", "gradient", "pow", 6), ("overflow", "value", "pow", 6),
        ("Inf", "gradient", "pow", 6),
    ] == [told(record, bad) for bad in found[:4]]  # fmt: skip
    values = [1.0]
    for _ in range(4):
        values.append(values[-1] - 50 * 4 * values[-1] ** 3)
    powers = [op.seq for op in record.ops if op.name == "pow"]
    read = [(powers.index(bad.op), record.tensors[bad.made_of[-1]]) for bad in found[:4] if bad.op is not None]
    assert [1, 2, 3, 3] == [turn for turn, _ in read]
    for turn, tensor in read:
        size = Size(tensor)
        assert size.rms == pytest.approx(abs(values[turn]), rel=1e-4) and (count,) == tensor.shape
    written = [(bad.kind, powers.index(bad.read_by)) for bad in found if bad.read_by is not None]
    assert [("Inf", 4), ("NaN", 5)] == written
    assert {bad.tensor for bad in found if bad.op is None} == {record.ops[powers[0]].inputs[0]}


@pytest.mark.parametrize("start", ["[1.0]", "[1.0] * 40"])
def test_of_a_plain_run_earlier_values_of_parameters_are_not_known(tmp_path: Path, start: str) -> None:
    """Such a record holds what a parameter ends with, and does not say that it came in with that."""
    script = tmp_path / "net.py"
    script.write_text(DIVERGING.replace("START", start))
    (record,) = record_model(Request(str(script)))
    found = first_bad(record)
    assert found and all(bad.op is not None for bad in found)
    read = [record.tensors[bad.made_of[-1]] for bad in found if told(record, bad)[2] == "pow"]
    assert read and {(None, None, "written")} == {(tensor.values, tensor.stats, tensor.role) for tensor in read}
    assert [0] == [op for _, op, value in record.written if record.tensors[value].role == "written"]


def test_a_parameter_that_is_written_through_its_data(tmp_path: Path) -> None:
    """The op writes into another tensor than the next one reads, but into its memory."""
    script = tmp_path / "net.py"
    step = "    w.data -= 50.0 * w.grad\n    w.grad = None\n"
    script.write_text(DIVERGING.replace("START", "[1.0, 1.0]").replace("    optimizer.step()\n", step))
    (record,) = record_model(Request(str(script), watch=True))
    bad = first_bad(record)[0]
    assert ("exploded", "value", "pow", 6) == told(record, bad)
    value = 1.0
    for _ in range([op.seq for op in record.ops if op.name == "pow"].index(bad.op or 0)):
        value -= 200 * value**3
    assert (pytest.approx(value, rel=1e-5),) * 2 == record.tensors[bad.made_of[0]].values != (1.0, 1.0)


def test_many_steps_keep_some_of_their_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a long training every value is not kept, but the first and the last ones are."""
    monkeypatch.setattr(statistics, "MOST_FORMER", 10)
    script = tmp_path / "net.py"
    script.write_text(DIVERGING.replace("START", "[1.0]").replace("50.0", "1e-3").replace("range(6)", "range(100)"))
    (record,) = record_model(Request(str(script), watch=True))
    assert [] == first_bad(record)
    assert 5 <= len(record.written) <= 10
    values = [record.tensors[value].values for _, _, value in record.written]
    assert values == sorted(values, reverse=True) and 1.0 > (values[0] or ())[0]


@pytest.mark.parametrize(("mask", "kinds"), [("hard + soft - soft.detach()", []), ("soft", ["vanished"])])
def test_saturated_gate_has_vanished_unless_straight_through(tmp_path: Path, mask: str, kinds: list[str]) -> None:
    """A mask that is 0 or 1 has the slope of its soft values, which is nearly zero where it is sure."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\n"
        "score = torch.tensor([9.0, 8.5], dtype=torch.float16, requires_grad=True)\n"
        f"soft = torch.sigmoid(score * 1.8)\nhard = (soft > 0.5).to(torch.float16)\n({mask}).sum().backward()\n"
    )
    (record,) = record_model(Request(str(script), watch=True))
    assert kinds == [each.kind for each in first_bad(record)]


@pytest.mark.parametrize(
    ("factor", "kinds"),
    [("1 - gate", []), ("gate * 1e-8", ["vanished"]), ("torch.ones(9) * 1e-9 + 1e-9", ["vanished"])],
)
def test_factor_of_which_rounding_is_left_is_zero(tmp_path: Path, factor: str, kinds: list[str]) -> None:
    """An open gate has the value 1 but for a step of rounding, and shuts out what `1 - gate` is a factor of."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\n"
        "soft, w = torch.linspace(0.6, 0.9, 9, requires_grad=True), torch.ones(9, requires_grad=True)\n"
        "gate = (soft > 0.5).float() + soft - soft.detach()\nassert (gate != 1).any()\n"
        f"(({factor}) * w * 0.01).sum().backward()\n"
    )
    (record,) = record_model(Request(str(script), watch=True))
    assert kinds == [each.kind for each in first_bad(record)]


def test_bias_before_a_batch_norm_has_not_vanished(tmp_path: Path) -> None:
    """Its gradient is zero by mathematics: a sum that cancels, whatever rounding leaves of it."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\nfrom dyncore import nn\ntorch.set_default_dtype(torch.float64)\n"
        "net = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Linear(288, 10))\n"
        "x = torch.randn(16, 3, 8, 8)\nnn.functional.cross_entropy(net(x), torch.arange(16) % 10).backward()\n",
        encoding="utf-8",
    )
    (record,) = record_model(Request(str(script), (), watch=True))
    bias = next(each for each in record.backwards[0].gradients if each.name == "net.0.bias")
    assert bias.value is not None and max(map(abs, record.tensors[bias.value].values or ())) < 1e-12
    assert [] == first_bad(record)


def test_bias_of_queries_that_compete_has_not_vanished(tmp_path: Path) -> None:
    """A softmax among the queries knows no number added to all: what rounding left before the sum is in it, too."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\ntorch.manual_seed(0)\nq = torch.nn.Linear(8, 8)\nfor _ in range(25):\n"
        "    slots, k, v = torch.randn(4, 3, 8), torch.randn(4, 64, 8), torch.randn(4, 64, 8)\n"
        "    attn = (q(slots) @ k.transpose(1, 2) * 8**-0.5).softmax(dim=1) + 1e-8\n    q.zero_grad()\n"
        "    ((attn / attn.sum(-1, keepdim=True) @ v) ** 2).mean().backward()\n",
        encoding="utf-8",
    )
    (record,) = record_model(Request(str(script), (), watch=True))
    biases = [record.tensors[each.value] for backward in record.backwards for each in backward.gradients
              if each.name == "q.bias" and each.value is not None]  # fmt: skip
    assert min(max(map(abs, bias.values or (1.0,))) for bias in biases) < 1e-8
    assert [] == first_bad(record)


@pytest.mark.parametrize("mask", ["torch.ones(4, 4).tril().log()", "0 * torch.ones(4, 4) + torch.ones(4).diag().log()"])
def test_mask_of_zeros_and_minus_infinity_is_meant(tmp_path: Path, mask: str) -> None:
    """As a buffer and as an input; one that has a gradient is none."""
    script = tmp_path / "net.py"
    body = f"mask = {mask}\ny = torch.softmax(torch.randn(4, 4, requires_grad=True) + mask, -1).pow(2).sum()\n"
    script.write_text("import dyncore as torch\n" + body + "y.backward()\n", encoding="utf-8")
    (record,) = record_model(Request(str(script), (), watch=True))
    assert [] == [bad for bad in first_bad(record) if not bad.is_gradient]


def test_origin_of_an_inf_is_looked_up_once_for_each_op(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Go all the way back for none of the NaN that one Inf makes in the steps of a loop."""
    asked: list[int] = []
    inf_in = _Search._inf_in
    monkeypatch.setattr(_Search, "_inf_in", lambda search, op: asked.append(op.seq) or inf_in(search, op))
    script = tmp_path / "net.py"
    loop = "for _ in range(50):\n    x = x + 1\n    y = x - x\n"
    script.write_text(f"import dyncore as torch\nx = torch.ones(2) / torch.zeros(2)\n{loop}")
    (record,) = record_model(Request(str(script), watch=True))
    found = [bad for bad in first_bad(record) if bad.kind == "NaN"]
    (began,) = record.ops[2].outputs
    assert [began] == [bad.began_in for bad in found]
    assert 50 < len(asked) <= len(record.ops)
