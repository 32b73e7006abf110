"""Hints of a gradient check: each on one small function, and on one that nearly looks alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from dyncli.gradchecking.blame import SOLVES
from dyncli.gradchecking.check import check
from dyncli.gradchecking.settings import Settings
from dyncli.records.gradcheck import Report

CUSTOM = """\
import dyncore as torch


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return (x * x * x).sum()

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return {backward}


def forward(x):
    return Cube.apply(x)
"""
BESIDE = """
class Shifted(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y):
        return (y * y).sum()

    @staticmethod
    def backward(ctx, grad):
        return grad * torch.arange(4.0).reshape(4, 1)


def both(x, y):
    return Cube.apply(x) + Shifted.apply(y)
"""
PRODUCT = """\
import dyncore as torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        ctx.save_for_backward(x, w)
        return x @ w

    @staticmethod
    def backward(ctx, grad):
        x, w = ctx.saved_tensors
        return {backward}


def forward(x, w):
    return Product.apply(x, w)
"""
EULER = """\
import dyncore as torch


class Decay(torch.autograd.Function):
    @staticmethod
    def forward(ctx, y):
        for _ in range(8):
            y = y - y * y / 8
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        for _ in range(8):
            y, grad = y + y * y / 8, grad - y * grad / 4
        return {factor} * grad


def forward(y):
    return Decay.apply(y)
"""
MATRIX = "[[1.0, 2.0], [3.0, 4.0]]"
# Symmetric but for three elements: only these are wrong where a gradient is transposed, and each wrong one costs much.
UNLIKE = {(1, 2), (6, 3), (8, 5)}
LARGE = str(
    [[(9 * min(r, c) + max(r, c)) / 100 + (0.5 if (r, c) in UNLIKE else 0.1) for c in range(9)] for r in range(9)]
)
UNLIKE_EACH_OTHER = str([[(9 * row + column) / 100 + 0.1 for column in range(9)] for row in range(9)])


def report_of(folder: Path, source: str, *inputs: str, entry: str = "", fast: bool = False) -> Report:
    """Return the report of checking a script."""
    script = folder / "net.py"
    script.write_text(source)
    (report,) = check(Settings(f"{script}{entry}", inputs, fast=fast))
    return report


def hint_of(folder: Path, backward: str, *inputs: str) -> str | None:
    """Return the hint about a cube whose backward is given; its true one is `grad * 3 * x * x`."""
    report = report_of(folder, CUSTOM.format(backward=backward), *inputs)
    assert "wrong" == report.verdict
    return report.hint


@pytest.mark.parametrize(
    ("backward", "hint"),
    [
        ("grad * x * x", "analytic is 1/3 times numeric throughout: a factor is missing or one too many"),
        ("grad * 6 * x * x", "analytic is 2 times numeric throughout: a factor is missing or one too many"),
        ("grad * 3.7 * x * x", "analytic is 37/30 times numeric throughout: a factor is missing or one too many"),
        (
            "grad * 3 * 1.2345 * x * x",
            "analytic is 1.235 times numeric throughout: a factor is missing or one too many",
        ),
        ("-grad * 3 * x * x", "analytic is numeric with the other sign: a minus is missing"),
        ("grad * 3 * (x * x).T", "analytic is the transpose of numeric: an index or a `.T` is wrong"),
        ("grad * 3 * x * x + 1", None),
        ("grad * 3.0005 * x * x", None),
        ("grad * 3 * x * x * torch.tensor([[1.0, 1.0], [1.0, 2.0]])", None),
        ("grad * 0 * x", None),
        (
            "grad.clamp(-1, 1) * 3 * x * x",
            "backward's answer does not follow the gradient it is given: it leaves that out, or clips it",
        ),
        (
            "3 * x * x",
            "backward's answer does not follow the gradient it is given: it leaves that out, or clips it",
        ),
    ],
)
def test_pattern_of_wrong_gradient_is_named(backward: str, hint: str | None, tmp_path: Path) -> None:
    """A factor, a sign and a transpose have their sentence; what shows no pattern has none."""
    assert hint == hint_of(tmp_path, backward, MATRIX)


def test_factor_of_one_element_is_one_that_somebody_would_write(tmp_path: Path) -> None:
    """A single number is some multiple of any other."""
    assert hint_of(tmp_path, "grad * 3 * 1.2345 * x * x", "2.0") is None
    hint = "analytic is 1/3 times numeric throughout: a factor is missing or one too many"
    assert hint == hint_of(tmp_path, "grad * x * x", "2.0")


def test_wrong_gradient_of_a_number_has_no_transpose(tmp_path: Path) -> None:
    assert hint_of(tmp_path, "grad * 3.0002 * x * x", "2.0") is None


@pytest.mark.parametrize("x", ["[[1.0, 2.0], [3.0, 5.0]]", "[[1.0, 2.0]]"])
@pytest.mark.parametrize(
    ("backward", "hint"),
    [
        ("grad @ w, x.T @ grad", "analytic is the transpose of numeric: an index or a `.T` is wrong"),
        (
            "grad @ w.T * w[0, 1], x.T @ grad",
            "analytic is 3 times numeric throughout: a factor is missing or one too many",
        ),
        ("grad @ w.T + grad @ w, x.T @ grad", None),
    ],
)
def test_product_without_transpose_has_hint(backward: str, hint: str | None, x: str, tmp_path: Path) -> None:
    """Of a square matrix the missing `.T` raises nothing."""
    report = report_of(tmp_path, PRODUCT.format(backward=backward), f"x={x}", "w=[[2.0, 3.0], [5.0, 7.0]]")
    assert ("wrong", hint) == (report.verdict, report.hint)


def test_product_with_first_factor_not_transposed_has_hint(tmp_path: Path) -> None:
    """The second input is at fault then."""
    source = PRODUCT.format(backward="grad @ w.T, x @ grad")
    report = report_of(tmp_path, source, "x=[[1.0, 2.0], [3.0, 5.0]]", "w=[[2.0, 3.0], [5.0, 7.0]]")
    assert "analytic is the transpose of numeric: an index or a `.T` is wrong" == report.hint


def test_transpose_beside_another_wrong_input_is_named(tmp_path: Path) -> None:
    """The shape is that of the input at fault, though another wrong one has as many elements."""
    source = CUSTOM.format(backward="grad * 3 * (x * x).T") + BESIDE
    report = report_of(tmp_path, source, f"x={MATRIX}", "y=[[1.0], [2.0], [3.0], [5.0]]", entry=":both")
    assert ("wrong", "wrong") == tuple(each.verdict for each in report.checks)
    assert "analytic is the transpose of numeric: an index or a `.T` is wrong" == report.hint


@pytest.mark.parametrize(
    ("backward", "hint"),
    [
        ("grad * 3 * (x * x).T", "analytic is the transpose of numeric: an index or a `.T` is wrong"),
        ("grad * torch.where(x == x[1, 2], 1.0, 3 * x * x)", None),
    ],
)
def test_large_matrix_has_hint(backward: str, hint: str | None, tmp_path: Path) -> None:
    """Of a large input only some elements are checked one by one: their mirror images are looked for, not a shape."""
    assert hint == hint_of(tmp_path, backward, LARGE)


def test_wrong_gradient_along_random_directions_has_no_transpose(tmp_path: Path) -> None:
    """With `--fast` there are no elements to compare with their mirror images."""
    source = CUSTOM.format(backward="grad * torch.where(x == x[1, 1], 1.0, 3 * x * x)")
    report = report_of(tmp_path, source, MATRIX, fast=True)
    assert ("wrong", None) == (report.verdict, report.hint)


@pytest.mark.parametrize(
    ("body", "inputs", "verdict", "hint"),
    [
        (
            "return torch.zeros(2)",
            "[1.0]",
            "not_applicable",
            "at this point every output is a constant; another input may take another arm",
        ),
        (
            "return int(x.sum().item())",
            "[1.0]",
            "not_applicable",
            "return the tensor that is to be differentiated, not its `.item()`, a comparison or a text",
        ),
        (
            "return x * 2",
            "3",
            "not_applicable",
            "derivatives are by real or complex numbers: write `1.0` or `[1]`, annotated `Tensor` or not",
        ),
        (
            "y = (x * x).sum()\n    y.backward()\n    return y",
            "[1.0]",
            "not_applicable",
            "check the function that returns the loss, before `backward()` is called on it",
        ),
        (
            "import os\n    return x * int.from_bytes(os.urandom(4), 'big')",
            "[1.0]",
            "nondeterministic",
            "`--seed` governs the engine's, NumPy's global and Python's numbers: give any other generator "
            "a seed itself",
        ),
    ],
)
def test_function_that_cannot_be_checked_has_hint(
    body: str, inputs: str, verdict: str, hint: str, tmp_path: Path
) -> None:
    """The way out stands beside the verdict."""
    report = report_of(tmp_path, f"import dyncore as torch\ndef forward(x):\n    {body}\n", inputs)
    assert (verdict, hint) == (report.verdict, report.hint)


@pytest.mark.parametrize("off", [(4, 4), (8, 0)])
def test_worst_of_elements_probed_together_is_probed_alone(off: tuple[int, int], tmp_path: Path) -> None:
    """Of a large input that agrees the report shows the element with the largest relative error."""
    one = f"x == x[{off[0]}, {off[1]}]"
    slightly = CUSTOM.format(backward=f"grad * 3 * x * x * torch.where({one}, 1 + 1e-6, 1.0)")
    (checked,) = report_of(tmp_path, slightly, UNLIKE_EACH_OTHER).checks
    assert ("right", 81, 81) == (checked.verdict, checked.elements, checked.checked)
    assert checked.worst is not None and off == checked.worst.element


@pytest.mark.parametrize(
    ("below", "above", "message", "jump"),
    [
        ("x.sum()", "x.sum() + 5", "the function jumps by 5 at this point", 5.0),
        ("x.sum() + 2", "x.sum() * 1", "the function jumps by -2 at this point", -2.0),
        (
            "x.sum() * 3",
            "x.sum() + 6",
            "the function bends at this point: its slope is 3 on the left, 1 on the right",
            None,
        ),
    ],
)
def test_edge_of_a_decision_is_told_by_its_jump_or_slopes(tmp_path, below, above, message, jump) -> None:
    """The size of a jump stands in the message and the report; a bend has none."""
    script = tmp_path / "edge.py"
    script.write_text(f"def forward(x):\n    if x[0] > 1:\n        return {above}\n    return {below}\n")
    (report,) = check(Settings(str(script), ("[1.0, 2.0]",)))
    worst = report.checks[0].worst
    assert worst is not None
    assert message == report.message
    assert (worst.jump if jump is None else round(worst.jump, 6)) == jump


@pytest.mark.parametrize(
    ("source", "inputs", "hint"),
    [
        (EULER.format(factor=1.0), "0.5", SOLVES),
        pytest.param(EULER.format(factor=1.8), "0.5", None, marks=pytest.mark.whole),
        (CUSTOM.format(backward="grad * 3 * x * x + 0.1 * x"), MATRIX, None),
    ],
)
def test_adjoint_by_steps_of_its_own_is_hinted_at_where_little_is_off(
    source: str, inputs: str, hint: str | None, tmp_path: Path
) -> None:
    """A loop's gradient that is off by more, and one without a loop, get no hint."""
    report = report_of(tmp_path, source, inputs)
    assert ("wrong", hint) == (report.verdict, report.hint)


SHARED = """\
import dyncore as torch


class Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w):
        Product.factor = x.clone()
        ctx.save_for_backward(w)
        return x * w

    @staticmethod
    def backward(ctx, grad):
        (w,) = ctx.saved_tensors
        return grad * w, grad * Product.factor


def forward(x, w):
    return Product.apply(x, w) + Product.apply(2 * x, w)
"""


def test_function_with_shared_state_is_found_where_one_of_its_gradients_is_right(tmp_path: Path) -> None:
    place = report_of(tmp_path, SHARED, "[1.0]", "[3.0]", fast=True).place
    assert place is not None and (14, "Product") == (place.line, place.what)


def test_gradient_cut_off_at_a_complex_number_is_detached(tmp_path: Path) -> None:
    source = "import dyncore as torch\ndef forward(x):\n    z = torch.complex(x, x).detach()\n    return (z * x).real\n"
    report = report_of(tmp_path, source, "[1.0]")
    assert ("detached", 3) == (report.verdict, report.place and report.place.line)
