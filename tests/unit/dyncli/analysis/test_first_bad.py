"""The first bad value and gradient: of real runs of scripts that go wrong in one known place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dyncli.analysis.first_bad import Bad, Size, first_bad, gradient_vanished, is_meant, unseen, value_vanished
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request
from dyncli.records.model import Op, Record, Site, TensorSummary
from tests import records


def recorded(folder: Path, body: str, *inputs: str, watch: bool = True, dtype: str = "float32") -> Record:
    """Return the run of a `forward` with this body."""
    head, _, rest = body.partition("\n")
    script = folder / "net.py"
    script.write_text(f"import dyncore as torch\n\n\n{head}\n{rest}")
    return next(iter(record_model(Request(str(script), inputs, dtype=dtype, watch=watch))))


def told(record: Record, bad: Bad) -> tuple[str, str, str, int]:
    """Return kind, whether of a value or a gradient, the op's name and line."""
    op = record.ops[bad.op or 0]
    return bad.kind, "gradient" if bad.is_gradient else "value", op.name, op.site.line


def first(record: Record) -> list[tuple[str, str, str, int]]:
    """Return what `told` says of each."""
    return [told(record, bad) for bad in first_bad(record)]


SMALL = {
    "log of zero": ("def forward(x):\n    y = x - 1\n    return y.log()\n", ["[1, 2]"], ("Inf", "value", "log", 6)),
    "root of less": ("def forward(x):\n    y = x - 2\n    return y.sqrt()\n", ["[1, 2]"], ("NaN", "value", "sqrt", 6)),
    "one by zero": ("def forward(x):\n    return 1 / (x - 1)\n", ["[1, 2]"], ("Inf", "value", "reciprocal", 5)),
    "zero by zero": ("def forward(x):\n    y = x - 1\n    return y / y\n", ["[1, 2]"], ("NaN", "value", "div", 6)),
    "too large": ("def forward(x):\n    return torch.exp(x)\n", ["[1, 100]"], ("overflow", "value", "exp", 5)),
    "a quotient too large": (
        "def forward(x, y):\n    return x / y\n", ["x=[1e30]", "y=[1e-30]"], ("overflow", "value", "div", 5)
    ),
    "underflow": ("def forward(x):\n    return torch.exp(x)\n", ["[-200, -300]"], ("vanished", "value", "exp", 5)),
    "a scalar": ("def forward(x):\n    return torch.log(x)\n", ["-1.0"], ("NaN", "value", "log", 5)),
    "growth": (
        "def forward(x):\n    for _ in range(20):\n        x = x * 10\n    return x\n", ["[1, 2]"],
        ("exploded", "value", "mul", 6),
    ),
    "gradient of a root": (
        "def forward(x):\n    return (x * x).sum().sqrt()\n", ["[0, 0]"], ("Inf", "gradient", "sqrt", 5)
    ),
    "gradient that shrinks": (
        "def forward(x):\n    y = x\n    for _ in range(12):\n        y = torch.tanh(y) * 0.1\n    return y.sum()\n",
        ["[1.0]"], ("vanished", "gradient", "mul", 7),
    ),
    "gradient of a saturated softmax": (
        "def forward(x):\n    return torch.softmax(x * 30, 0)[0]\n",
        ["[1.0, 0.0]"],
        ("vanished", "gradient", "softmax", 5),
    ),
    "gradient that grows": (
        "def forward(x):\n    y = x\n    for _ in range(30):\n        y = torch.sin(y * 3)\n    return y.sum()\n",
        ["[0.0]"], ("exploded", "gradient", "mul", 7),
    ),
    "a saturated tanh": (
        "def forward(x):\n    return torch.tanh(x).sum()\n", ["[30, -40]"], ("vanished", "gradient", "tanh", 5)
    ),
    "a saturated sigmoid in a cell": (
        "def forward(x):\n    g = torch.sigmoid(x)\n    return g * 2\n", ["[120.0]"],
        ("vanished", "gradient", "sigmoid", 5),
    ),
    "products too small": (
        "def forward(x, y):\n    z = x * y\n    return z.sum()\n", ["x=[1e-30, 2e-30]", "y=[1e-20, 1e-25]"],
        ("vanished", "value", "mul", 5),
    ),
    "digits lost": ("def forward(x):\n    return x * x\n", ["[1e-20, 3e-20]"], ("vanished", "value", "mul", 5)),
    "a gradient too small": (
        "def forward(x):\n    y = torch.tensor([1e-25, 1e-24])\n    return (x * y / 1e15).sum()\n", ["[1e24, 1e23]"],
        ("vanished", "gradient", "div", 6),
    ),
    "a quotient by a written zero": ("def forward(x):\n    return x / 0\n", ["[1, 2]"], ("Inf", "value", "div", 5)),
    "lost on one of two ways": (
        "def forward(x):\n    h = x\n    for _ in range(9):\n        h = torch.tanh(h * 0.1)\n"
        "    return h.sum() + x.sum()\n",
        ["[1.0]"], ("vanished", "gradient", "mul", 7),
    ),
    "a hook": (
        "def forward(x):\n    y = x * 2\n    y.register_hook(lambda g: g / 0)\n    return (y * 3).sum()\n", ["[1, 2]"],
        ("Inf", "value", "div", 6),
    ),
    "written by hand": (
        "def forward(x):\n    y = x * 1\n    y[0] = float('nan')\n    return (y * 2).sum()\n", ["[1, 2]"],
        ("NaN", "value", "copy_", 6),
    ),
    "gradient of one of several results": (
        "def forward(x):\n    a, b = (x * 1).chunk(2)\n    return (a * b.sqrt()).sum()\n", ["[1, 2, 0, 3]"],
        ("Inf", "gradient", "sqrt", 6),
    ),
    "written large, and kept": (
        "def forward(x):\n    return (x * 1e10).sum()\n", ["[1, 1]"], ("exploded", "value", "mul", 5)
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "inputs", "expected"), SMALL.values(), ids=SMALL)
def test_where_it_is_born(tmp_path: Path, body: str, inputs: list[str], expected: tuple[str, str, str, int]) -> None:
    """Each fault is told as what it is, at its op and line."""
    assert expected == first(recorded(tmp_path, body, *inputs))[0]


LARGE = [*list(SMALL)[:7], "a saturated tanh", "products too small"]


@pytest.mark.parametrize(("body", "inputs", "expected"), [SMALL[name] for name in LARGE], ids=LARGE)
def test_in_tensors_too_large_to_keep(tmp_path: Path, body: str, inputs: list[str], expected: Any) -> None:
    """The same where the tensor has a thousand elements, of which only a norm is taken."""
    wide = body.replace("(x):\n", "(x):\n    x = x.repeat(500)\n").replace(
        "(x, y):\n", "(x, y):\n    x, y = x.repeat(500), y.repeat(500)\n"
    )
    kind, what, name, line = expected
    record = recorded(tmp_path, wide, *inputs)
    assert (kind, what, name, line + 1) == first(record)[0]
    assert 0 == unseen(record)


FINE = {
    "newton": (
        "def forward(x):\n    for _ in range(9):\n        x = (x + 2 / x) / 2\n    return (x * x - 2).abs()\n", "1.0"
    ),
    "a mask": (
        "def forward(x):\n    m = torch.full((3,), float('-inf'))\n    m[:2] = 0\n"
        "    return torch.softmax(x + m, 0)[0]\n",
        "[1, 2, 3]",
    ),
    "a masked fill": (
        "def forward(x):\n    return torch.softmax(x.masked_fill(x > 2, float('-inf')), 0)[0]\n", "[1, 2, 3]"
    ),
    "a choice": ("def forward(x):\n    return torch.where(x > 0, x, x * 2).sum()\n", "[1, 2]"),
    "dead units": ("def forward(x):\n    return (torch.relu(x) + x.relu().tanh()).sum()\n", "[-1, -2]"),
    "times zero": (
        "def forward(x):\n    m = torch.zeros(2)\n    y = x * 0 + x * m + x * False\n"
        "    return (y + x * (x > 9)).sum()\n",
        "[1, 2]",
    ),
    "nothing but times zero": ("def forward(x):\n    y = x * 2\n    return (y * 0.0 * 3).sum()\n", "[1, 2]"),
    "flat parts": (
        "def forward(x):\n    return (x.clamp(-1, 1) + x.sign() + x.round() + torch.nn.functional.hardtanh(x)).sum()\n",
        "[5, 6]",
    ),
    "what cancels": (
        "def forward(x):\n    return torch.softmax(x, 0).sum() + (x - x).sum() + (x / x).sum()\n", "[1, 2]"
    ),
    "rows of a softmax averaged": (
        "def forward(x):\n    y = torch.softmax(torch.stack([x, x * 0.3, x * 1.7]), -1)\n"
        "    return y.mean() + (y.sum(-1) * 3).sum() / 7\n",
        "[0.3, 0.7, -0.2, 0.45, 0.9]",
    ),
    "at the bottom": (
        "def forward(x):\n    y = x - 3\n    return (y * y + y ** 2 + y.square()).sum() + y.abs().sum()\n", "[3.0]"
    ),
    "an arm not chosen": (
        "def forward(x):\n    a, b = torch.tanh(x * 2), x.exp() * 3\n    return torch.where(x > 0, a, b).sum()\n",
        "[1, 2]",
    ),
    "a mask of large numbers": (
        "def forward(x):\n    m = (x > 2).float() * -1e9\n"
        "    y = torch.softmax(x + m, 0)\n    return y[0] + (x[2] - 1e9).exp()\n",
        "[1, 2, 3]",
    ),
    "an integer path": (
        "def forward(x):\n    k = x.detach().long() * 0\n    return x[k.sum()] + x.long().float().sum()\n", "[1, 2]"
    ),
    "a written infinity": (
        "def forward(x):\n    best = x.detach() * 0 + float('inf')\n    return torch.minimum(x, best).sum()\n", "[1, 2]"
    ),
    "a zero factor of a product": ("def forward(x):\n    return (x * x).sum() + x.prod() + x[0] * x[1]\n", "[0, 0]"),
    "other units": (
        "def forward(x):\n    force = 6.67e-11 * 5.97e24 / x ** 2\n    return force.sum()\n", "[6.4e6, 7e6]"
    ),
    "a class that is sure": (
        "def forward(x):\n    return torch.nn.functional.cross_entropy(x, torch.tensor([0]))\n", "[[90, 0]]"
    ),
    "a small factor": ("def forward(x):\n    return (x * 1e-6).sum()\n", "[1, 2]"),
    "a state of zeros": (
        "def forward(x):\n    h = torch.zeros(2)\n    for _ in range(3):\n        h = torch.tanh(x @ h + x[0])\n"
        "    return h.sum()\n", "[[1, 2], [3, 4]]",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "given"), FINE.values(), ids=FINE)
def test_what_is_meant_is_not_bad(tmp_path: Path, body: str, given: str) -> None:
    """No alarm where a model does what it should."""
    assert [] == first(recorded(tmp_path, body, given))


@pytest.mark.parametrize(
    "name", ["dead units", "flat parts", "what cancels", "rows of a softmax averaged", "an arm not chosen"]
)
def test_what_is_meant_in_tensors_too_large_to_keep(tmp_path: Path, name: str) -> None:
    """The same where only a norm is known."""
    body, given = FINE[name]
    assert [] == first(recorded(tmp_path, body.replace("(x):\n", "(x):\n    x = x.repeat(500)\n"), given))


def test_what_made_it(tmp_path: Path) -> None:
    """The inputs of the op that made it are told, and who made those."""
    record = recorded(tmp_path, "def forward(x):\n    y = x - 3\n    return y.sqrt().sum()\n", "[1, 4]")
    bad = first_bad(record)[0]
    assert (-2.0, 1.0) == record.tensors[bad.made_of[0]].values
    assert "sub" == record.ops[record.tensors[bad.made_of[0]].op or 0].name


def test_where_the_inf_began_that_other_ops_handed_on(tmp_path: Path) -> None:
    """Data of the script that hold one, or the op that made it; none where the op that is NaN reads it itself."""
    script = tmp_path / "net.py"
    for start, expected in [("data", "constant"), ("(data - data).log()", "log"), ("", None)]:
        body = f"y = {start} * 2\n(y - y).sum()\n" if start else "(data - data).sum()\n"
        script.write_text(
            "import numpy, dyncore as torch\n"
            f"data = torch.from_numpy(numpy.array([1.0, {'numpy.inf' if 'log' not in start else 2.0}]))\n{body}"
        )
        (record,) = record_model(Request(str(script), (), watch=True))
        nan = next(bad for bad in first_bad(record) if bad.kind == "NaN")
        began = None if nan.began_in is None else record.tensors[nan.began_in]
        maker = None if began is None or began.op is None else record.ops[began.op].name
        assert expected == (maker or (began and began.role))


def test_in_a_run_that_raised(tmp_path: Path) -> None:
    """The value is told although the script stopped at it, and no backward ran."""
    body = (
        "def forward(x):\n    y = torch.log(x)\n    if y.isnan().any():\n        raise ValueError('no')\n    return y\n"
    )
    record = recorded(tmp_path, body, "[-1, 1]")
    assert "error" == record.status
    assert [("NaN", "value", "log", 5)] == first(record)


def test_gradients_that_are_too_large_together(tmp_path: Path) -> None:
    """Those of a tensor that two ops read are each finite, and their sum is not."""
    body = "def forward(x):\n    y = x * 1\n    return (y * 2e38).sum() + (y * 2e38).sum()\n"
    record = recorded(tmp_path, body, "[1e-9, 1e-9]")
    (bad,) = [bad for bad in first_bad(record) if bad.is_gradient]
    assert ("overflow", "gradient", "mul", 6) == told(record, bad)
    assert record.ops[0].outputs == (bad.tensor,)
    assert [(1.0, 1.0)] * 2 == [record.tensors[number].values for number in bad.made_of]


def test_forward_before_backward(tmp_path: Path) -> None:
    """A value that overflows is told before the gradient that it makes infinite."""
    found = first(recorded(tmp_path, "def forward(x):\n    return (torch.exp(x) * x).sum()\n", "[100, 1]"))
    assert [("overflow", "value", "exp", 5), ("Inf", "gradient", "mul", 5)] == found


SUMMED = {
    "a part that is NaN": (
        "def forward(a):\n    big = 1.0 / a\n    return (a * big).sum()\n", "[0, 1]",
        [("Inf", "mul", 6), ("NaN", "reciprocal", 5)], 1,
    ),
    "infinite parts": (
        "def forward(v):\n    out = v / v.sum()\n    return (out ** 2).sum()\n", "[1, -1, 2, -2]",
        [("Inf", "pow", 6), ("NaN", "sum", 5)], 2,
    ),
    "parts of a tensor that was written": (
        "def forward(x):\n    b = x * 2\n    b[1] = 0\n    b.div_(b - 2)\n    return (b * 1.5).sum()\n", "[1, 2, 3]",
        [("Inf", "div_", 7), ("NaN", "sub", 7)], 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "given", "expected", "parts"), SUMMED.values(), ids=SUMMED)
def test_a_gradient_that_is_nan_only_in_a_sum(tmp_path: Path, body: str, given: str, expected: Any, parts: int) -> None:
    """Inf and -Inf, each from another op, add up to NaN: told where they come together, with each as it came."""
    record = recorded(tmp_path, body, given)
    found = [bad for bad in first_bad(record) if bad.is_gradient]
    assert expected == [(kind, name, line) for kind, _, name, line in (told(record, bad) for bad in found)]
    last = found[-1]
    assert Size(record.tensors[last.shown]).nan
    came = [record.tensors[number] for number in last.made_of if record.tensors[number].role == "gradient"]
    assert parts == len(came) and not any(Size(tensor).nan for tensor in came)


def test_what_the_last_step_wrote(tmp_path: Path) -> None:
    """A step of an optimizer that makes NaN is told also where nothing reads the parameter any more."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\n\nw = torch.nn.Parameter(torch.tensor([0.0, 1.0]))\n"
        "optimizer = torch.optim.Adam([w], eps=0.0)\n(w ** 2).sum().backward()\noptimizer.step()\n"
    )
    (record,) = record_model(Request(str(script), watch=True))
    (bad,) = first_bad(record)
    assert ("NaN", None, None, "w") == (bad.kind, bad.op, bad.read_by, record.tensors[bad.tensor].name)
    assert Size(record.tensors[bad.shown]).nan and (0.0, 1.0) == record.tensors[bad.tensor].values


def test_a_step_that_throws_a_parameter_far_away(tmp_path: Path) -> None:
    """The step is told, not what the ops make of the parameter after it."""
    script = tmp_path / "net.py"
    script.write_text(
        "import dyncore as torch\n\nw = torch.nn.Parameter(torch.tensor([1.0, 1.0]))\n"
        "optimizer = torch.optim.SGD([w], lr=1e20)\nfor _ in range(2):\n    loss = (w * 2).sum()\n"
        "    loss.backward()\n    optimizer.step()\n"
    )
    (record,) = record_model(Request(str(script), watch=True))
    (bad,) = first_bad(record)
    assert ("exploded", None, "mul") == (bad.kind, bad.op, record.ops[bad.read_by or 0].name)


def test_an_input_that_is_bad(tmp_path: Path) -> None:
    """What came in is no op's fault."""
    record = recorded(tmp_path, "def forward(x):\n    return (x * 2).sum()\n", "[1, NaN]")
    bad = first_bad(record)[0]
    assert ("NaN", None, "x") == (bad.kind, bad.op, record.tensors[bad.tensor].name)


def test_a_shared_weight(tmp_path: Path) -> None:
    """Of several ops that hand a gradient to one tensor, the one whose gradient is bad is told."""
    body = "def forward(x):\n    a = (x * 2).sum()\n    b = torch.sqrt(x * 0).sum()\n    return a + b + x.sum()\n"
    bad = [bad for bad in first(recorded(tmp_path, body, "[1, 2]")) if bad[1] == "gradient"]
    assert [("Inf", "gradient", "sqrt", 6), ("NaN", "gradient", "mul", 6)] == bad


def test_the_value_before_it_was_overwritten(tmp_path: Path) -> None:
    """A NaN that an in-place op removes at once is told all the same."""
    body = "def forward(x):\n    y = torch.sqrt(x)\n    y.nan_to_num_(0.0)\n    return y.detach().sum() + x.sum()\n"
    assert [("NaN", "value", "sqrt", 5)] == first(recorded(tmp_path, body, "[-1, 4]"))


def test_writes_hand_on_what_was_bad(tmp_path: Path) -> None:
    """The logarithm's gradient is infinite; the writes and rows that it goes through are not to blame."""
    start, end = "def forward(x):\n    y = torch.zeros(2, 2)\n", "    return y.log().sum()\n"
    whole = "    y[0] = x\n    y[1, 0] += x.max()\n"
    rows = "    for row in x:\n        y[0] = row * 2\n        y[1, 0] += row.max()\n"
    for writes, given in ((whole, "[0.0, 2.0]"), (rows, "[[5.0, 2.0], [0.0, 3.0]]")):
        line = 6 + writes.count("\n")
        kinds = [("Inf", "value", "log", line), ("Inf", "gradient", "log", line)]
        assert kinds == first(recorded(tmp_path, start + writes + end, given))


def test_half_precision(tmp_path: Path) -> None:
    """Overflow is the dtype's own."""
    body = "def forward(x):\n    return (x * x).sum()\n"
    assert ("overflow", "value", "mul", 5) == first(recorded(tmp_path, body, "[300, 1]", dtype="float16"))[0]
    assert [] == first(recorded(tmp_path, body, "[300, 1]"))


def test_thresholds(tmp_path: Path) -> None:
    """How much larger is too large is the caller's choice."""
    record = recorded(tmp_path, "def forward(x):\n    return (x * 1000).sum()\n", "[1, 1]")
    assert [] == first_bad(record)
    assert {("exploded", False), ("exploded", True)} == {
        (bad.kind, bad.is_gradient) for bad in first_bad(record, huge=100)
    }


def test_a_run_that_was_not_looked_at(tmp_path: Path) -> None:
    """A record of `dyncli run` says of how many results nothing is known."""
    record = recorded(tmp_path, "def forward(x):\n    return x.repeat(50).log().sum()\n", "[0, 1]", watch=False)
    assert 2 == unseen(record)


def test_tensor_that_was_written_through_a_view_is_not_missing(tmp_path: Path) -> None:
    """A tensor that was written into is the result of the op, and it is known."""
    record = recorded(
        tmp_path, "def forward(x):\n    m = torch.zeros(40, 40)\n    m[0].zero_()\n    return x * 2\n", "[1.0]"
    )
    assert 0 == unseen(record)


@pytest.mark.parametrize("make", records.ALL, ids=lambda make: make.__name__)
def test_every_record(make) -> None:
    """Hostile, empty and failed runs too."""
    for bad in first_bad(make()):
        assert bad.kind in ("NaN", "Inf", "overflow", "exploded", "vanished")


@pytest.mark.parametrize(
    ("name", "args", "grad_fn", "meant"),
    [
        ("add", "10000.0", "AddBackward0", True),
        ("add", "9999.0", "AddBackward0", False),
        ("add", "other=-65000.0", None, True),
        ("add", "dim=10000", None, False),
        ("mul", "10000.0", None, True),
        ("mul", "10000.0", "MulBackward0", False),
    ],
)
def test_large_number_of_the_script_is_meant(name: str, args: str, grad_fn: str | None, meant: bool) -> None:
    """From 10,000 on; of a product only where it has no gradient, and never a dimension."""
    site = Site("0" * 12, "m.py", 1, 0, 1, 1, "op", "x", "f")
    assert meant is is_meant(Op(0, name, (0,), (1,), site, args=args, grad_fn=grad_fn))


def test_squares_in_a_norm_have_not_exploded(tmp_path: Path) -> None:
    """The error of an adaptive step over its tolerance is squared, added up, and its root taken."""
    body = "def forward(x):\n    scaled = x / 1e-5\n    return x * {}"
    norm, mean = (body.format(f"scaled.pow(2).mean(){end}") for end in (".sqrt()", ""))
    assert [] == first(recorded(tmp_path, norm, "[2.0, 3.0]"))
    assert ("exploded", "value", "pow", 6) == first(recorded(tmp_path, mean, "[2.0, 3.0]"))[0]


TINY, ORDINARY = (1e-42, 0.0), (2.0, -3.0)


def size(*values: float) -> Size:
    """Return the size of a float32 tensor of these elements."""
    return Size(TensorSummary(0, (len(values),), "float32", values=values))


def called(name: str, args: str = "") -> Op:
    """Return a call of an op; where it stands decides nothing."""
    return Op(0, name, (0,), (1,), Site("0" * 12, "m.py", 1, 0, 1, 1, "op", "x", "f"), args)


@pytest.mark.parametrize(
    ("op", "inputs", "expected"),
    [
        (called("mul"), [ORDINARY, ORDINARY], True),
        (called("add"), [ORDINARY, ORDINARY], False),
        (called("mul"), [], False),
        (called("mul"), [ORDINARY, (float("inf"),)], False),
        (called("mul"), [ORDINARY, (1.0, 0.0)], False),
        (called("mul"), [ORDINARY, (1e-42,)], False),
        (called("mul", "0.0"), [ORDINARY], False),
        (called("prod", "0"), [ORDINARY], True),
        (called("div"), [ORDINARY, (0.0, 1.0)], True),
        (called("exp"), [(-200.0, 0.0)], True),
        (called("exp"), [(-1e9, 0.0)], False),
    ],
)
def test_value_that_only_rounding_made_zero(op: Op, inputs: list[tuple[float, ...]], expected: bool) -> None:
    """Tell rounding from zeros and tiny numbers that came in or were written."""
    assert expected == value_vanished(op, size(*TINY), [size(*each) for each in inputs], "float32")
    assert not value_vanished(op, size(*ORDINARY), [size(*each) for each in inputs], "float32")


@pytest.mark.parametrize(
    ("op", "got", "inputs", "place", "expected"),
    [
        (called("mul"), (1.0,), [(0.0, 1.0), ORDINARY], 0, True),
        (called("mul"), (1.0,), [(0.0, 1.0), ORDINARY], 1, False),
        (called("div"), (1.0,), [(0.0, 1.0), ORDINARY], 0, True),
        (called("div"), (1.0,), [(0.0, 1.0), ORDINARY], 1, False),
        (called("div"), (1.0,), [ORDINARY, (float("nan"),)], 0, False),
        (called("square"), (1.0, 0.0), [ORDINARY], 0, False),
        (called("square"), (1e-42,), [ORDINARY], 0, False),
        (called("square"), (float("inf"),), [ORDINARY], 0, False),
        (called("mul", "0"), (1.0,), [ORDINARY], 0, False),
        (called("add"), (1.0,), [ORDINARY, ORDINARY], 0, False),
        (called("tanh"), (1.0,), [(100.0,)], 0, True),
        (called("tanh"), (1.0,), [(1e6,)], 0, False),
        (called("tanh"), (1.0,), [(float("inf"),)], 0, False),
    ],
)
def test_gradient_that_only_rounding_made_zero(
    op: Op, got: tuple[float, ...], inputs: list[tuple[float, ...]], place: int, expected: bool
) -> None:
    """Tell rounding from a factor of the gradient that is zero or not finite."""
    sizes = [size(*each) for each in inputs]
    assert expected == gradient_vanished(op, size(*TINY), size(*got), sizes, place, "float32")
    assert not gradient_vanished(op, size(*TINY), None, sizes, place, "float32")
