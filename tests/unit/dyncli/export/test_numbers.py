"""Arithmetic of Python with numbers that come from tensors."""

import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from dyncli.export.engine import NotRecorded
from tests.unit.dyncli.export.exporting import Exported

HEAD = "import torch\n\ndef forward(x):\n    v, k = x[0].item(), x.argmax().item()\n"


def exported(folder, body, given=((1, 2, 3), (-1, 0.5, 0.25), (3, 2, 4))):
    """Export a function of `x`, of its first element `v`, and of the place `k` of the largest."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return Exported(folder, HEAD + lines, [list(each) for each in given])


@pytest.mark.parametrize(
    "body",
    [
        "return x ** k + 2 ** k + k ** 4 + abs(v) ** 0.5 + v ** 3",
        "return x * 2 ** -k, v ** k",
        "return k / 10**16, v * 10**17, k / 3, k // 2, v % 0.7",
        "return torch.full_like(x, v), torch.full((2,), v * 2), x.new_full((2,), v, dtype=torch.float64)",
        "return max(v, 0.5, float(k)) + min(v, -v), max(k, 1), min([k, 2, k + 1])",
        "return sum(x.tolist()), torch.stack([x * each for each in sorted(x.tolist())])",
        "return x * round(v, 2), x * round(k), x + round(v), x * round(v, 0), round(k, 1)",
        "return k**3 + 0 * x, k == 'a', v > True, x * (2.5 > k), 10**17 > k, k < 10**18, v < k",
        "return x.long() * v, (x > 0) * k, (x > 0) * v, x.long() * k, k + True, True * v",
        "import math\nreturn x * math.floor(v), x * math.ceil(v), math.floor(k) + x, math.trunc(v) * x",
        "return k / 2, k / 2.0, 1 / (v + 5), 5 // (k + 1), 5 % (k + 2), x * x.sum().item() ** x, 2 ** x[1].item()",
        "return x[k:], x[: k + 1].sum(), x[-k - 1], x[[k, 0]], x.view(-1, 1)[k, 0], [x, -x, x * 2][k] * 1",
        "return isinstance(k, int) * x, isinstance(v, (int, float)), type(v) is float, float(k), int(v), bool(k), +v",
        "y = x * 0\nfor i in range(k):\n    y = y + i\nfor i, e in enumerate(x.tolist(), 2):\n    y += i * e\nreturn y",
        "return x.reshape(k + 1, -1) if k == 2 else x[None], x * x.numel(), x.new_zeros(len(x)) + range(len(x))[1]",
    ],
)
def test_arithmetic_of_a_number_is_that_of_python(tmp_path, body):
    """In double, or with whole numbers."""
    model = exported(tmp_path, body)
    outcomes = [model.outcome(x) for x in ([1, 2, 5], [-1, 0.5, 0.25], [2.5, 3.5, 7], [-0.25, -3, -2])]
    assert outcomes[:3] == ["right"] * 3 and "wrong" not in outcomes


def test_root_of_zero_is_zero(tmp_path):
    """Python returns a complex number for a negative one."""
    model = exported(tmp_path, "return x * v ** 0.5", [[1, 2, 3], [4, 0.5, 0.25]])
    assert ["right", "right", "flagged"] == [model.outcome(x) for x in ([9, 1, 2], [0, 1, 2], [-1, 1, 2])]


def test_greater_of_two_numbers_makes_no_decision(tmp_path):
    """One node for either."""
    assert 0 == exported(tmp_path, "return x * max(v, 0.5) + min(v, -0.5)").nodes("If")


def test_division_by_zero_of_a_number_is_flagged_or_caught(tmp_path):
    """Python raises, the script may catch it."""
    caught = "try:\n    y = x / (1 / k)\nexcept ZeroDivisionError:\n    y = x * 0\nreturn y"
    assert ["right", "flagged"] == [exported(tmp_path, caught).outcome(x) for x in ([1, 2, 3], [3, 2, 1])]


@pytest.mark.parametrize("use", ["2 ** (k * 20)", "(k + 1) * (k * 10**7 + 1) * 10**8"])
def test_whole_number_that_a_double_does_not_hold_is_flagged(tmp_path, use):
    """Python has whole numbers of any size, ONNX has not."""
    model = exported(tmp_path, f"return x * ({use} % 7)", [[1, 2, 3, 0, 0], [2, 1, 0, 0, 0]])
    assert ["right", "flagged"] == [model.outcome(x) for x in ([1, 4, 3, 0, 0], [1, 1, 1, 1, 5])]


@pytest.mark.parametrize("use", ["k + 10**17", "k / (10**17 + 1)", "(-abs(v) - 1) ** 0.5"])
def test_number_that_has_no_double_is_refused(tmp_path, use):
    """With its line."""
    with pytest.raises(NotRecorded, match="computes with an integer above|computes a complex number") as caught:
        exported(tmp_path, f"return x * 1, {use}")
    assert "net.py:5" in caught.value.line


@pytest.mark.parametrize("steps", ["range(n)", "range(0, n, 2)", "range(n - 1, 0, -3)"])
def test_reversed_range_of_a_length_is_a_loop(tmp_path, steps):
    """It ends with the element that the range begins with."""
    source = f"def forward(x):\n    n, h = x.shape[0], x[0] * 0\n    for t in reversed({steps}):\n"
    source += "        h = h * 0.5 + x[t]\n"
    model = Exported(tmp_path, f"{source}    return h\n", [[1, 2], [1, 2, 3, 4], [1, 2, 3]])
    assert 1 == model.nodes("Loop")
    assert ["right"] * 3 == [model.outcome([3, 1, 2, 5, 7, 4][:n]) for n in (1, 5, 6)]
