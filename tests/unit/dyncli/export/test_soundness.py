"""An exported model is right or says `captured = False`: what checking the given inputs alone would not find."""

import numpy as np
import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import dyncore as torch
from dyncli.export.engine import NotRecorded
from dyncli.export.numbers import _rounded
from dyncli.export.ops import Refusal
from dyncli.export.verify import differences
from tests.unit.dyncli.export.exporting import Exported

MOST = """\
import torch

def forward(x):
    steps = 0
    while x.abs().sum() > 1 and steps < 4:
        x = x * 0.5
        steps += 1
    return x, steps
"""
SMALL = [[0.5, 0.5, 0.5], [1.5, 0.5, 1.5], [0.1, 0.1, 0.1]]


def test_exit_by_a_python_counter_that_was_never_seen_is_flagged(tmp_path):
    """`steps < 4` was True in every run: an input that needs five turns may not take more, nor stop unnoticed."""
    model = Exported(tmp_path, MOST, SMALL)
    assert ["right"] * 3 == [model.outcome(x) for x in ([1, 0, 0.5], [3, 3, 1], [0, 0, 0])]
    assert "flagged" == model.outcome([30, 30, 30])


def test_exit_by_a_python_counter_that_was_seen_is_taken(tmp_path):
    """With one run that ends by the counter the loop is whole."""
    model = Exported(tmp_path, MOST, [*SMALL, [30, 30, 30]])
    assert 1 == model.nodes("Loop")
    assert {"right"} == {model.outcome(x) for x in ([80, 9, 9], [3, 3, 1], [0, 0, 0], [16, 0, 0])}


ITEM = """\
import math
import torch

def forward(x):
    v = x.sum().item()
    if v > 1.5:
        return x * math.exp(-v) + v // 2
    return x * (v ** 2 + 1) - min(v, 0.25) * abs(v) % 3
"""


def test_float_from_item_stays_a_value_in_python_arithmetic(tmp_path):
    """It is no constant: other inputs compute with their own."""
    model = Exported(tmp_path, ITEM, [[1, 1, 1], [-1, 0, 0.5], [0.1, 0.2, 0.3]])
    assert {"right"} == {model.outcome(x) for x in ([2, 3, 1], [0.5, -4, 1], [0.1, 0, 0.4], [9, 9, 0])}


@pytest.mark.parametrize("use", ["round(v, -1)", "float(str(v))", "len(format(v, '.3f'))", "{v: 1.0}.get(v, 0)"])
def test_float_whose_exact_value_python_needs_is_refused(tmp_path, use):
    """With the line; it would hold for one input alone."""
    source = f"import torch\n\ndef forward(x):\n    v = x.sum().item()\n    return x * {use}\n"
    with pytest.raises(NotRecorded, match="exact value of a float") as caught:
        Exported(tmp_path, source, [[1, 2, 3.5]])
    assert "net.py:5" in caught.value.line


@pytest.mark.parametrize("digits", [0, 1, 15])
def test_number_is_rounded_to_decimals_as_python_does(tmp_path, digits):
    """Ties are those of the number itself: 0.15 is below one, and 0.25 is one."""
    source = f"def forward(x):\n    return round(x[0].item() / {10.0 ** (digits + 1)}, {digits})\n"
    model = Exported(tmp_path, source, [[5]])
    seeming = [*range(5, 300, 10), -5, -15, -25, -1, 0, 2**24, 2.0**60, 3e38, 7e14, float("inf"), float("nan")]
    assert {"right"} == {model.outcome([k]) for k in seeming}


def test_rounding_to_decimals_is_exact_in_double():
    """Against Python, next to numbers between two decimals, and where floats are as far apart as decimals."""
    rng = np.random.default_rng(0)
    near = [np.round(rng.normal(size=400) * 10.0**k, 2) / 2 for k in range(-3, 13)]
    numbers = np.concatenate([*near, rng.uniform(4e14, 2e15, 400), [0.0, -0.0, -0.04, 1e308, -1e-310]])
    for digits in (1, 2, 3):
        expected = np.array([round(float(each), digits) for each in numbers])
        found = np.asarray(_rounded(torch.tensor(numbers), digits)._array)
        assert expected.tobytes() == found.tobytes()


def test_write_into_a_tensor_made_of_a_number_leaves_the_number_alone(tmp_path):
    """`torch.tensor(k)` has memory of its own."""
    source = (
        "import torch\n\ndef forward(x):\n    k = x.argmax().item()\n    t = torch.tensor(k)\n    t += 1\n"
        "    return x * k + t\n"
    )
    model = Exported(tmp_path, source, [[1, 2, 3], [3, 1, 2]])
    assert ["right"] * 2 == [model.outcome(x) for x in ([1, 2, 3], [1, 5, 2])]


def test_number_is_of_the_type_that_python_has(tmp_path):
    """`type` of it, `divmod`, and attributes, which are those of the number itself."""
    source = (
        "import torch\n\ndef forward(x):\n    v, n = x[0].item(), x.argmax().item()\n    a, b = divmod(v, 0.7)\n"
        "    return x * (type(v) is float) * a + b * n.bit_length()\n"
    )
    model = Exported(tmp_path, source, [[1, 2, 3], [-1, -2, -3], [0, 1, 0]])
    assert ["right"] * 3 == [model.outcome(x) for x in ([5, 7, 1], [-3, -9, 0], [0.1, 0, 0])]


def test_infinity_and_nan_are_equal_to_themselves_alone():
    """A finite number is none of them, and no tolerance reaches them."""
    numbers = np.float32([1, np.inf, -np.inf, np.nan])
    for one in numbers:
        for other in numbers:
            same = not differences({"y": np.array([one])}, {"y": np.array([other])}, "float32")
            assert np.array_equal(one, other, equal_nan=True) == same


COMPARED = """\
import torch

def forward(x):
    if x.sum().item() > 0.1:
        return x * 2
    return x
"""


def test_comparison_of_item_is_made_in_double(tmp_path):
    """0.1 as float32 is above 0.1 as Python has it."""
    model = Exported(tmp_path, COMPARED, [[1, 0], [-1, 0]])
    assert float(np.float32(0.1)) > 0.1
    assert ["right", "right"] == [
        model.outcome([0.1, 0]),
        model.outcome([np.nextafter(np.float32(0.1), np.float32(0)), 0]),
    ]


LENGTH = """\
import torch

def forward(x):
    n = x.shape[0]
    total = x[0] * 0
    for k in range(n):
        total = total + x[k] * (k + n)
    return total / len(x) + x.size(0)
"""


def test_length_used_as_a_number_is_read_of_the_input(tmp_path):
    """Lengths that were never given are computed with their own."""
    model = Exported(tmp_path, LENGTH, [[1, 2, 3], [4, 5], [1, 1, 2, 3, 5]])
    assert {"right"} == {model.outcome(x) for x in ([1], [7, 1, 3, 4], [1.5] * 9)}


def test_other_length_than_the_one_given_is_rejected(tmp_path):
    """By ONNX Runtime, as the input's shape is fixed then."""
    model = Exported(tmp_path, LENGTH, [[1, 2, 3], [4, 5, 6]])
    with pytest.raises(Exception, match="invalid dimensions"):
        model.outcome([1, 2])


MADE = {
    "used": "torch.zeros_like(x) + 1",
    "returned": "torch.zeros_like(x)",
    "written": "torch.empty_like(x).copy_(torch.ones_like(x))",
    "arange": "x + torch.arange(len(x))",
    "reshaped": "x.reshape(x.shape[0], 1).sum(1)",
    "chunked": "torch.cat(torch.chunk(x, 2)[::-1])",
    "tiled": "torch.tile(x, (2,))[: x.shape[0]]",
    "derived": "torch.cat([torch.zeros_like(x[1:]), x[:1]])",
    "squeezed": "x.reshape(1, -1).squeeze(1).reshape(-1)",
}


@pytest.mark.parametrize("name", MADE)
def test_tensor_made_in_the_shape_of_an_input_has_no_other_length(tmp_path, name):
    """Right or flagged where the arm was seen with one length alone."""
    source = f"import torch\n\ndef forward(x):\n    if x.sum() > 0:\n        return {MADE[name]}\n    return x * 2\n"
    try:
        model = Exported(tmp_path, source, [[1, 2, 3], [-4, -5], [-1, -2, -3, -4]])
    except (Refusal, NotRecorded):
        return
    assert "right" == model.outcome([1, 2, 3])
    assert {"right", "flagged"} >= {model.outcome(x) for x in ([1, 2], [1], [1] * 4, [-1] * 3, [-1, 0], [-1] * 6)}


FOR = """\
import torch

def forward(x):
    for k in range(5):
        if x.sum() > 3:
            x = x * 10
            break
        x = x + 0.5
    return x
"""


def test_for_that_runs_out_is_a_decision(tmp_path):
    """All runs broke out of it: an input that does not is flagged."""
    model = Exported(tmp_path, FOR, [[3, 1], [0.5, 0.7], [1, 1]])
    assert ["right", "flagged"] == [model.outcome([0.2, 0.4]), model.outcome([-40, 0])]


WRITES = """\
import torch

def forward(x):
    y = x * 1.0
    z = y if x[0] > 1 else y * 2
    if x.sum() > 0:
        y[0] = 5.0
        y[1:] *= 2
    else:
        z[1] = x[0]
    row = y[:2]
    if x[1] > 0:
        row += 1
    return y + z
"""
CORNERS = [[2, 1, 1], [2, -1, 1], [-2, 1, 0], [-2, -1, -1], [0.5, 1, 1], [0.5, -1, 2], [3, 1, -9], [3, -1, -9]]


@pytest.mark.parametrize("given", [CORNERS, CORNERS[:3], CORNERS[2:6], CORNERS[::3]])
def test_write_under_a_join_reaches_every_view_of_the_tensor(tmp_path, given):
    """`z` is `y` itself in one arm: right or flagged."""
    model = Exported(tmp_path, WRITES, given)
    assert {"right"} == {model.outcome(x) for x in given}
    fresh = np.random.default_rng(0).normal(size=(60, 3)) * 2
    assert "wrong" not in {model.outcome(x) for x in [*fresh.tolist(), *CORNERS]}


HIDDEN = {
    "global list": ("CACHE = []", "CACHE.clear()", "CACHE.append(1)", "CACHE", "CACHE.clear()"),
    "global": ("K = 0", "global K\n    K = 0", "K = 1", "K", "K = 0"),
    "attribute": ("net = torch.nn.Linear(1, 1)", "net.k = 0", "net.k = 1", "net.k", "del net.k"),
    "class": ("class C: pass", "C.k = 0", "C.k = 1", "C.k", "del C.k"),
    "setattr": ("class C: pass", "C.k = 0", "setattr(C, 'k', 1)", "C.k", "del C.k"),
    "object": ("", "o = torch.nn.Module()\n    o.k = 0", "o.k = 1", "o.k", ""),
    "iterator": ("", "i = iter([0, 1, 2, 3])\n    next(i)", "next(i)", "next(i) > 1", ""),
    "closure": ("", "k = []\n    def f(): k.append(1)", "f()", "k", ""),
    "default": ("def f(k=[]): return k", "f().clear()", "f().append(1)", "f()", "f().clear()"),
    "nonlocal": ("", "k = 0\n    def f():\n        nonlocal k\n        k = 1", "f()", "k", ""),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_state_of_python_keeps_paths_apart(tmp_path, name):
    """Values that the first test leaves behind, out of sight of the local names, decides together with the second."""
    before, start, change, test, end = HIDDEN[name]
    source = f"""\
import torch
{before}

def forward(x):
    {start}
    if x.sum() > 0:
        {change}
    if x[0] > 0:
        y = x * 2 if {test} else x * 3
    else:
        y = x * (5 if {test} else 7)
    {end}
    return y
"""
    model = Exported(tmp_path, source, [[1, -1, 2], [-1, -2, 0.5]])
    assert ["right", "right"] == [model.outcome([3, 0, 0]), model.outcome([-3, 0, 0])]
    assert {"right", "flagged"} >= {model.outcome([3, -9, 0]), model.outcome([-3, 9, 0])}


@pytest.mark.parametrize("draw", ["random.random()", "float(np.random.rand())", "time.perf_counter() % 7"])
def test_number_that_differs_in_two_runs_is_refused(tmp_path, draw):
    """Python's generators have another seed in the second one."""
    source = f"import random, time\nimport numpy as np\nimport torch\n\ndef forward(x):\n    return x * ({draw})\n"
    with pytest.raises(NotRecorded, match="two runs differ") as caught:
        Exported(tmp_path, source, [[1, 2]])
    assert "net.py:6" in caught.value.line


IFS = "import torch\n\ndef forward(x):\n" + "".join(
    f"    if x[{k}] > 0:\n        x = x * 1.5\n    else:\n        x = x - 0.25\n" for k in range(12)
) + "    return x\n"  # fmt: skip


def test_ifs_in_a_row_take_one_node_each(tmp_path):
    """Arms meet, so that combinations that no run took are right."""
    rng = np.random.default_rng(0)
    model = Exported(tmp_path, IFS, [[1.0] * 12, [-1.0] * 12])
    assert 12 == model.nodes("If")
    assert {"right"} == {model.outcome(x) for x in rng.normal(size=(40, 12)).tolist()}


RETURNS = {
    "in_an_arm": "    if v > 0:\n        return v * 2\n    return v - 1\n",
    "in_both_arms": "    if v > 0:\n        return v * 2\n    else:\n        return v - 1\n",
    "at_the_end": "    if v > 0:\n        v = v * 2\n    else:\n        v = v - 1\n    return v\n",
}


@pytest.mark.parametrize("name", RETURNS)
def test_returns_of_a_function_meet_in_its_caller(tmp_path, name):
    """One node a call, and combinations that no run took are right."""
    body = RETURNS[name]
    source = f"import torch\n\ndef bend(v):\n{body}\ndef forward(x):\n    return bend(x[0]) + bend(x[1]) + bend(x[2])\n"
    model = Exported(tmp_path, source, [[1.0, 1.0, 1.0], [-1.0, -1.0, -1.0]])
    assert 3 == model.nodes("If")
    assert ["right", "right"] == [model.outcome([-1.0, -1.0, 1.0]), model.outcome([-1.0, 1.0, 1.0])]


def test_paths_only_flags_what_no_run_took_as_a_whole(tmp_path):
    """Arms do not meet there."""
    model = Exported(tmp_path, IFS, [[1.0] * 12, [-1.0] * 12], paths_only=True)
    assert ["right", "flagged"] == [model.outcome([2.0] * 12), model.outcome([1.0] * 6 + [-4.0] * 6)]


@pytest.mark.whole
def test_more_arms_inside_one_another_than_a_file_may_hold_are_refused(tmp_path):
    """Protocol Buffers end there; no crash."""
    tests = "".join(f"    if x[0] < {k}:\n        return x * {k}\n" for k in range(40))
    nested = f"import torch\n\ndef forward(x):\n{tests}    return x\n"
    with pytest.raises(Refusal, match="more than 30 decisions inside one another") as caught:
        Exported(tmp_path, nested, [[k - 0.5] for k in range(40)])
    assert "net.py:" in caught.value.line


@pytest.mark.parametrize(("arms", "values", "fits"), [(18, 12, True), (18, 13, False), (2, 28, True), (0, 31, False)])
def test_values_of_a_number_count_as_arms_inside_one_another(tmp_path, arms, values, fits):
    """A key of a dict is a chain of `If`s, inside the arms around it."""
    tests = "".join(f"{'    ' * k}    if x[{k}] > 0:\n" for k in range(arms))
    read = f"{'    ' * arms}    return x * {{k: float(k) for k in range(50)}}[x.argmax().item()]\n"
    source = f"import torch\n\ndef forward(x):\n{tests}{read}    return x\n"
    cases = (np.ones((values, 40)) + 4 * np.eye(values, 40)).tolist()
    if fits:
        assert "right" == Exported(tmp_path, source, cases).outcome(cases[-1])
        return
    with pytest.raises(Refusal, match="decisions inside one another|each its own path") as caught:
        Exported(tmp_path, source, cases)
    assert f"net.py:{arms + 4}" in caught.value.line


LOOP_IN_LOOP = """\
import torch

def forward(x):
    a, b = x * 1.0, x * 2
    while a.sum() > 1:
        a = a * 0.5
        while a.max() > 1:
            a = a * 0.9
            if b[0] > 1:
                a = a - 0.1 * b
    return a + b
"""


def test_name_that_no_turn_changes_is_no_output_of_its_loops(tmp_path):
    """`b` is used in both loops: each has `a` and `captured` alone."""
    model = Exported(tmp_path, LOOP_IN_LOOP, [[3, 1, 2], [0.1, 0.1, 0.1], [9, 9, 9], [0.2, 6, 1]])
    assert [2] == [len(each.output) for each in model.top("Loop")]
    assert {"right"} == {model.outcome(x) for x in ([5, 5, 5], [3, 0, 0], [0, 0, 3], [30, 20, 40])}


def test_names_swapped_an_even_number_of_times_are_swapped_by_other_inputs(tmp_path):
    """In every run given each name had its first value at the end."""
    source = (
        "import torch\n\ndef forward(x):\n    a, b, k = x[:2], x[2:4], torch.zeros(())\n    if x[4] < 100:\n"
        "        while k < x[4]:\n            k = k + 1\n            a, b = b, a\n    return a - b * 3, k\n"
    )
    model = Exported(tmp_path, source, [[1, 2, 3, 4, 2], [1, 2, 3, 4, 4], [4, 3, 2, 1, 200]])
    assert ["right"] * 5 == [model.outcome([1, 2, 3, 4, turns]) for turns in range(5)]


CALL_IN_LOOP = """\
import torch

def halved(t):
    if t.sum() > 0:
        return t * 0.5
    return t

def forward(x):
    a = x * 1.0
    a += 0.5
    for k in range(3):
        a = a + k * 0.125
        if a.sum() > 1:
            turns = 0
            while turns < 5 and a[0] < 4:
                turns += 1
                a = halved(a) + 0.3
        if a[1] > 8:
            break
    return a
"""


@pytest.mark.whole
def test_position_of_a_loop_is_known_behind_calls_in_a_loop_inside(tmp_path):
    """Arms meet, though a write lets the called function's marks name what its caller holds."""
    model = Exported(tmp_path, CALL_IN_LOOP, [[1, 2], [-3, 1], [9, 1], [0.2, 0.1], [2, 20]])
    assert [] == model.notes
    assert {"right"} == {model.outcome(x) for x in ([1, 1], [5, 6], [0.4, 0.3])}


READ_LATER = """\
import torch

def forward(x):
    a, m, k = x * 1.0, x * 1.0, 0
    while k < 3 and m.sum() > 0:
        a = a + m.sum()
        k += 1
        for j in range(int(x[0])):
            k += int(x[1])
            m = m - 1
    return a, k
"""


def test_name_that_no_run_read_in_a_second_turn_has_its_last_value_there(tmp_path):
    """Each run given ended by `k` after its first turn, without a look at `m`."""
    model = Exported(tmp_path, READ_LATER, [[1, 2, 5], [2, 2, 5], [3, 3, 9], [1, 2, -9]])
    assert {"right"} == {model.outcome(x) for x in ([1, 1, 5], [1, 0, 5], [2, 1, 5], [1, 1, -1])}


LOOPS = {
    "range": "for k in range(x.shape[0]):\n        s = s + k",
    "bound before": "k = 0\n    for k in range(x.shape[0]):\n        s = s + k",
    "elements": "for k in x:\n        s = s + k",
    "pairs": "for k, row in enumerate(x):\n        s = s + row * k\n    k = row - k",
    "else": "for k in range(x.shape[0]):\n        s = s + k\n    else:\n        s = s * k",
}


@pytest.mark.parametrize("name", LOOPS)
def test_target_of_a_for_that_is_read_behind_it_leaves_one_loop(tmp_path, name):
    """As many turns as the input is long, and the last target."""
    source = f"import torch\n\ndef forward(x):\n    s = x.sum() * 0\n    {LOOPS[name]}\n    return s * k\n"
    model = Exported(tmp_path, source, [[1, 2, 3], [4, 5], [1, 1, 2, 3, 5]])
    assert 1 == model.nodes("Loop")
    assert ["right"] * 3 == [model.outcome(x) for x in ([1, -2, 3, 4], [7], [1] * 8)]


def test_target_of_a_for_without_turns_is_the_one_from_before(tmp_path):
    """Flagged while no run showed it."""
    source = (
        "import torch\n\ndef forward(x):\n    k = 7\n    n = int(x[0].item())\n"
        "    for k in range(n):\n        x = x + k\n    return x * k\n"
    )
    assert "flagged" == Exported(tmp_path, source, [[2, 1], [3, 1]]).outcome([0, 1])
    model = Exported(tmp_path, source, [[2, 1], [3, 1], [0, 1]])
    assert 1 == model.nodes("Loop")
    assert ["right"] * 3 == [model.outcome(x) for x in ([0, 4], [-1, 2], [6, 1])]


HELD = {
    "for": "for row in a:\n        b = b + row\n        a[1] = b[0]",
    "list": "for row in [a[0], a[1], a[2]]:\n        b = b + row\n        a[1] = b[0]",
    "iterator": "rows = iter(a)\n    if x[0] > 0:\n        a[1] = 7.0\n    b = b + next(rows) + next(rows)",
    "generator": "rows = (a[k] for k in (1, 2))\n    if x[0] > 0:\n        a[1] = 7.0\n    b = b + next(rows)",
    "caller": "row = a[1]\n    written(a)\n    b = b + row",
    "caller's loop": "for row in a:\n        written(a)\n        b = b + row",
    "loop": "for row in a:\n        b = b + row\n        if x[0] > 0:\n            b = b * 2\n        a -= 0.5",
}
WRITTEN = "import torch\n\ndef written(t):\n    if t[0] > 0:\n        t[1] = 7.0\n"


@pytest.mark.parametrize("name", HELD)
def test_view_that_a_loop_a_caller_or_an_operator_holds_sees_a_write(tmp_path, name):
    """A write under a join reaches it."""
    source = f"{WRITTEN}\ndef forward(x):\n    a, b = x * 1.0, x * 2.0\n    {HELD[name]}\n    return a + b\n"
    model = Exported(tmp_path, source, [[1, 2, 3], [-1, 2, 0.5], [2, -1, 1]])
    assert "right" == model.outcome([1, 2, 3])
    assert "wrong" not in {model.outcome(x) for x in np.random.default_rng(0).normal(size=(20, 3)).tolist()}


@pytest.mark.parametrize("made", ["torch.zeros(3)", "torch.tensor([1.0, 2.0, 3.0])", "torch.full((3,), 0.5)"])
@pytest.mark.parametrize("write", ["z[1:] = x[0]", "z.view(3, 1)[0] += x[1]", "z[:2][0] = 1.0"])
def test_write_into_a_view_of_a_tensor_made_from_nothing_reaches_it(tmp_path, made, write):
    """Nothing was computed with it before."""
    source = f"import torch\n\ndef forward(x):\n    z = {made}\n    {write}\n    return z * x\n"
    model = Exported(tmp_path, source, [[1, 2, 3], [-1, 2, 0.5]])
    assert ["right"] * 2 == [model.outcome(x) for x in ([1, 2, 3], [5, 4, 3])]


def test_write_in_one_arm_lets_the_others_meet(tmp_path):
    """All runs are marked as those that write are, or no state of theirs would be equal."""
    source = (
        "import torch\n\ndef half(t):\n    s = t * 0.5 if t[0] > 0 else t * 1\n    return s\n\ndef forward(x):\n"
        "    a = x * 1.0\n    b = half(a)\n    if x[1] > 0:\n        b[0] = 1.0\n    return a + b\n"
    )
    model = Exported(tmp_path, source, [[1, -1], [-1, -1], [2, 1]])
    assert 2 == model.nodes("If") and "right" == model.outcome([-1, 1])


SHARED = """\
import torch

def forward(x):
    a = x * 1.0
    b = a
    v = x.sum().item()
    a += v
    a[0] = v
    a[1] *= v
    items = [1.0, 2.0]
    items[0] = v
    if x[0] > 0:
        return b * items[0]
    return a + items[1]
"""


def test_number_that_is_written_into_a_tensor_reaches_its_other_names(tmp_path):
    """`a += v` writes in place, as it does in Python."""
    model = Exported(tmp_path, SHARED, [[1, -1, 2], [-1, -2, 0.5]])
    assert {"right"} == {model.outcome(x) for x in ([3, 1, 1], [-2, 0.5, 4], [0.5, -3, 1])}


def test_line_of_a_test_is_known_in_a_script_that_imports_nothing(tmp_path):
    """The arms are named by it."""
    source = "def forward(x):\n    while x.norm() > 2:\n        x = x / 2\n    return x * 3 if x.sum() > 0 else x\n"
    arms = Exported(tmp_path, source, [[3, 1]]).built.summary.arms
    assert {":2": 2, ":4": 2} == {
        line: sum(f"net.py{line}" in label for label, _ in arms) for line in (":2", ":4")
    }  # fmt: skip
    assert 3 == sum(arms.values())


SIZED = "import torch\n\ndef forward(x):\n    kept, rows = x[x > 0], torch.where(x > 0)[0]\n    return "


@pytest.mark.parametrize(
    ("use", "others"),
    [
        ("kept.numel() * x", "right"), ("x * 2 if kept.shape[0] > 2 else x", "flagged"), ("len(kept) + x", "right"),
        ("sum(v * v for v in kept) + x", "flagged"), ("torch.ones_like(kept).sum() + x", "right"),
        ("kept.flip(0)[0] + x", "right"), ("kept.mean() + x", "right"), ("kept.cumsum(0)[-1] + x", "right"),
        ("(kept - kept.mean()).square().sum() + x", "right"), ("kept.unfold(0, 2, 1).sum() + x", "flagged"),
        ("x[: kept.shape[0]].sum() + x", "right"),
    ],
)  # fmt: skip
def test_size_that_data_decide_is_never_a_constant(tmp_path, use, others):
    """It is a value, or other inputs are captured only if as many elements are kept."""
    model = Exported(tmp_path, f"{SIZED}{use}\n", [[1, 2, -3, 4]])
    assert ["right", "right"] == [model.outcome(x) for x in ([1, 2, -3, 4], [-9, 2, 1, 0.5])]
    assert "right" == model.outcome([1, 2, 3, 4]) or others == "flagged"
    assert others == model.outcome([-1, -2, 3, 0.1])


@pytest.mark.parametrize(
    "use",
    [
        "x * 2 if kept.numel() > 1 else x", "x if len(rows) == 0 else x + kept.max()",
        "torch.zeros(kept.numel()).sum() + x", "(torch.arange(1, len(kept) + 1) * kept).sum() + x",
        "torch.full((2, kept.shape[0]), x[0].item()).sum() + x", "x.scatter(0, rows, 0.5)", "kept.median() + x",
        "torch.cat([kept, x])[:2]", "x.index_put((x > 0,), kept * 2)", "kept.new_ones(kept.size()).roll(1).sum() + x",
        "x.index_copy(0, rows, kept / kept.size(0))", "torch.full_like(kept, x.argmax().item()).sum() + x",
        "kept.reshape(len(kept), 1).sum() + x",
    ],
)  # fmt: skip
def test_size_that_data_decide_is_a_value(tmp_path, use):
    """Others than the ones seen are right, too, no element among them."""
    model = Exported(tmp_path, f"{SIZED}{use}\n", [[1, 2, -3, 4], [-1, -2, -3, -4], [-1, 1, -1, -1]])
    assert ["right"] * 4 == [model.outcome(x) for x in ([1, 2, 3, 4], [-1, -2, 3, 0.1], [-4] * 4, [-1, -2, 1, -3])]


def test_paths_part_by_a_size_that_an_op_needs(tmp_path):
    """Those seen are right, others are flagged."""
    model = Exported(
        tmp_path, f"{SIZED}kept.unfold(0, 2, 1).sum() + x\n", [[1, 2, -3, 4], [1, 2, 3, -4], [1, 2, -3, -4]]
    )
    assert ["right"] * 3 == [model.outcome(x) for x in ([-1, 2, 3, 4], [1, 2, 3, -4], [1, -2, 5, -4])]
    assert "flagged" == model.outcome([1, 2, 3, 4])


def test_experts_that_get_no_rows_are_skipped_or_flagged(tmp_path):
    """`rows.numel() == 0` chooses in Python by the size of what `where` found."""
    source = (
        "import torch\n\ndef forward(x):\n    chosen, out = x.argmax(-1), x * 0\n    for e in range(3):\n"
        "        (rows,) = torch.where(chosen == e)\n        if rows.numel() == 0:\n            continue\n"
        "        out = out.index_add(0, rows, x[rows] * (e + 1))\n    return out\n"
    )
    model = Exported(tmp_path, source, [[[3, 1, 2], [1, 5, 2]]])
    assert ["right", "right"] == [model.outcome(x) for x in ([[3, 1, 2], [1, 5, 2]], [[1, 2, 0], [9, 5, 2]])]
    assert "flagged" == model.outcome([[1, 2, 3], [1, 2, 3]])


UNROLLED = {
    "continue": "for i in range(4):\n        if x[i] > 0:\n            k += 1\n            continue\n        y = y + i",
    "write": "for i in range(4):\n        if x[i] > 0:\n            continue\n        y[i] += i",
    "list": "out = [y]\n    for i in range(4):\n        if x[i] > 0:\n            out.append(y)\n            continue\n"
    "        y = y + i\n        out.append(y)\n    y = torch.stack(out).sum(0)",
}


@pytest.mark.parametrize("name", UNROLLED)
def test_iterations_of_an_unrolled_loop_end_in_one_state(tmp_path, name):
    """`continue` leads to the next one: an `If` for each, and all combinations."""
    source = f"import torch\n\ndef forward(x):\n    y, k = x * 1.0, 0\n    {UNROLLED[name]}\n    return y * (k + 1)\n"
    model = Exported(tmp_path, source, [[1] * 4, [-1] * 4])
    assert 4 == model.nodes("If")
    assert {"right"} == {model.outcome([1 - 3 * (n >> i & 1) for i in range(4)]) for n in range(16)}


def test_break_out_of_an_unrolled_loop_leads_to_its_end(tmp_path):
    """What follows is there once."""
    source = (
        "import torch\n\ndef forward(x):\n    k = 0\n    for w in (0.5, 1, 2):\n        if x[0] * w > 2:\n"
        "            k += 1\n            break\n        x = x + w\n    return x * k if x[1] > 0 else x - k\n"
    )
    model = Exported(tmp_path, source, [[5, 1], [1, 1], [-9, -9], [0.7, 1]])
    assert 4 == model.nodes("If")
    assert {"right"} == {model.outcome(x) for x in ([5, -9], [1.2, -9], [0.6, -9], [-9, 5])}


SLICED = [
    "x[: n - 1].sum()", "x[k:].sum()", "x[-k:].sum()", "x.view(n, 1)[:k, 0].sum()", "x[0].expand(n).sum()",
    "x.repeat(n).sum()", "torch.tril(torch.ones(n, n)).sum()", "torch.cat([x, x]).view(2, n).sum(0)[-1]",
    "x.unsqueeze(1).repeat(1, 3).chunk(3, 1)[2].sum()", "torch.stack([x, x], 1).unbind(1)[1].sum()",
    "torch.arange(k, n + k).sum()", "x.topk(n)[0][0]",
]  # fmt: skip


@pytest.mark.parametrize("use", SLICED)
def test_size_in_a_shape_or_slice_stays_a_value(tmp_path, use):
    """One graph for all lengths and numbers."""
    source = f"import torch\n\ndef forward(x):\n    n, k = x.shape[0], int(x.argmax())\n    return x * ({use})\n"
    model = Exported(tmp_path, source, [[1, 2, -3, 4], [-1, 3, 2], [0, 2, 1, 2, 3]])
    assert [] == model.notes
    assert ["right"] * 4 == [model.outcome(x) for x in ([9, 1, 1, 0], [0, 0, 0, 1], [1, 2], [2, 1, 3, 1, 5, 1])]


def test_size_stays_a_value_in_an_op_that_was_called_often(tmp_path):
    """The engine gives it all its arguments then."""
    source = "import torch\n\ndef forward(x):\n    return x * x.topk(x.shape[0])[0][-1]\n"
    for _ in range(300):
        torch.ones(3).topk(2)
    assert "right" == Exported(tmp_path, source, [[1, 2, -3, 4], [-1, 3, 2]]).outcome([9, 2])


def test_output_of_two_dtypes_is_refused_by_its_name(tmp_path):
    """An ONNX output has one."""
    source = "def forward(x):\n    return x, x[0].item() if x[0] > 0 else x.argmax().item()\n"
    with pytest.raises(
        Refusal, match=r"returns `output.1` as float64 for some inputs and as int64 for others"
    ) as caught:
        Exported(tmp_path, source, [[1, 2], [-1, 3]])
    assert caught.value.line.endswith("net.py:1")


@pytest.mark.parametrize("use", ["x.chunk(2)[0].sum()", "x.unbind(0)[0]", "x.unfold(0, 2, 1).sum()"])
def test_paths_part_by_a_length_that_an_op_needs(tmp_path, use):
    """Others than those are flagged."""
    model = Exported(tmp_path, f"import torch\n\ndef forward(x):\n    return x * {use}\n", [[1, 2], [1, 2, 3, 4]])
    assert ["right", "right"] == [model.outcome(x) for x in ([3, 4], [0, 0, 1, 1])]
    assert ["flagged"] * 2 == [model.outcome(x) for x in ([3, 4, 5], [1])]


def test_length_that_equals_another_size_by_chance_is_no_other(tmp_path):
    """In the second case both are 3."""
    source = "import torch\n\ndef forward(x):\n    return x.sum(0) * x.shape[1] + torch.zeros(x.shape[0]).numel()\n"
    model = Exported(tmp_path, source, [[[1, 2, 3]], [[1, 2, 3]] * 3, [[1, 2, 3]] * 2])
    assert [] == model.notes
    assert ["right"] * 2 == [model.outcome([[1, 2, 0.5]] * n) for n in (4, 7)]


@pytest.mark.parametrize("use", ["kept.mean()", "(kept > 1).any()", "(kept > 1).all()", "kept.prod()", "kept.median()"])
def test_reduction_of_no_elements_is_that_of_the_engine(tmp_path, use):
    """ONNX Runtime has another idea of some."""
    assert "right" == Exported(tmp_path, f"{SIZED}x * {use}\n", [[1, 2, -3, 4]]).outcome([-1] * 4)


@pytest.mark.filterwarnings("ignore:std")
def test_warning_of_the_engine_is_no_state_of_the_script(tmp_path):
    """Python notes it among the globals."""
    assert "right" == Exported(tmp_path, f"{SIZED}kept.std() + x\n", [[1, -2, -3, -4]]).outcome([1, 2, 3, 4])


def test_array_is_not_made_in_a_size_that_differs_between_the_paths(tmp_path):
    """It has four elements by chance."""
    given = [[1, 2, 3, 4], [1, 2, -3, 4], [1, -2, -3, 4]]
    model = Exported(tmp_path, f"{SIZED}torch.ones(4), kept.numel()\n", given)
    assert ["right"] * 4 == [model.outcome(x) for x in (*given, [-1] * 4)]


LEAVING = """\
import torch

def forward(x):
    a = x * 1.0
    turns = 0
    while turns < 3 and x.max() < 9:
        turns += 1
        if x[0] > 0:
            a = a * 2
        if a.sum() > 4:
            break
    return a + x
"""


def test_what_only_iterations_that_leave_a_loop_change_is_carried(tmp_path):
    """A further input may change it as they do, and go on."""
    model = Exported(tmp_path, LEAVING, [[3, 1], [-1, 0.5], [10, 0]])
    assert 1 == model.nodes("Loop")
    assert {"right"} == {model.outcome(x) for x in ([0.5, 0.25], [0.5, 0.5], [1, 0.25], [-2, 3])}


RETYPED = """import torch

def forward(x):
    v = x.mean().item()
    for i in range(0, x.shape[0], 2):
        v = x.numel()
        if x[0] > -1:
            break
    return x * v
"""


def test_number_that_a_loop_makes_whole_is_carried_as_a_float(tmp_path):
    """One name stands for values of two types, before the loop and behind it."""
    model = Exported(tmp_path, RETYPED, [[1, 2, 3, 4], [1, -2, -3]])
    assert 1 == model.nodes("Loop")
    assert ["right", "right", "flagged"] == [model.outcome(x) for x in ([2, 3], [3, -2, 3, 1, 5], [-2, 1, 3])]


WITHOUT_TURNS = {
    "a loop": "    for k in range(x[x > 0].numel()):\n        b = torch.ones(3)\n",
    "an arm": "    if x.sum() > -100:\n        for k in range(x[x > 0].numel()):\n            b = torch.ones(3)\n",
    "a for": "    for j in range(2):\n        for k in range(x[x > j].numel()):\n            b = torch.ones(3)\n",
    "a while": "    j = 0\n    while j < 5:\n        if a[0] < 50:\n"
    "            for k in range(x[x > 0].numel()):\n                a, b = a + k, torch.ones(3)\n"
    "            else:\n                a = a + 1\n        j += 1\n        if a.sum() > 20:\n            break\n",
}


@pytest.mark.parametrize("name", WITHOUT_TURNS)
def test_constant_that_each_seen_loop_made_is_not_known_before_it(tmp_path, name):
    """A further input takes no turn, and keeps what was there."""
    source = f"import torch\n\ndef forward(x):\n    a, b = x * 1.0, x * 2\n{WITHOUT_TURNS[name]}    return a, b\n"
    model = Exported(tmp_path, source, [[1, 2, 3], [-1, 2, 3], [-1, -2, 3]])
    assert model.nodes("Loop")
    assert {"right"} == {model.outcome(x) for x in ([-1, -2, -3], [2, 1, 1], [0, 0, -7])}


ONWARD = "b = b + e\n        if b[0] > 2:\n            m = {}\n        if b.sum() > 4:\n            break\n"
REBOUND = {
    "rows": "    for e in m:\n        " + ONWARD.format("m * 3"),
    "rows, in place": "    b[0] += 0.0\n    for e in m:\n        " + ONWARD.format("m * 3"),
    "a list": "    m = [m.sum(), m.sum() * 2]\n    for e in m:\n        " + ONWARD.format("[e * 3, e * 5]"),
}


@pytest.mark.parametrize("name", REBOUND)
def test_loop_goes_on_over_what_it_began_with(tmp_path, name):
    """Iterations that bind the name anew have all left the loop; a further input takes another turn after one."""
    source = f"import torch\n\ndef forward(x):\n    m, b = x[x > 0.2], x * 1.0\n{REBOUND[name]}    return b, m\n"
    model = Exported(tmp_path, source, [[2.5, 1, 1], [-1, 0.5, 0.25], [0.5, 0.25, 0.75]])
    assert "wrong" not in {model.outcome(x) for x in ([2.5, -9, 0.5], [1.9, -4, 0.5], [1.5, 0.5, -3], [4, -9, 1])}
