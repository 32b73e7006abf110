"""Inputs that are not captured, and those that rounding decides: they are told from wrong ones, and nothing hangs."""

from contextlib import contextmanager
from types import SimpleNamespace

import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

import dyncore as torch
from dyncli.export.verify import _times, rounding_decides
from tests.unit.dyncli.export.exporting import Exported

COUNTED = """\
import torch

def forward(x):
    a = x * 1.0
    k = 0
    while k < 4:
        k += 1
        if a.sum() > 0:
            k += 1
        a = a * 1.5
    return a, k
"""


def test_loop_ends_where_an_arm_that_was_never_seen_would_count_on(tmp_path):
    """Keep what stands for `k` there below 4 each time."""
    model = Exported(tmp_path, COUNTED, [[1, 2], [0.5, 0.5]])
    assert ["right", "flagged"] == [model.outcome(x) for x in ([3, 1], [-3, 1])]


@pytest.mark.parametrize("sized", ["x", "x[1:]", "torch.cat([x, x])"])
def test_unseen_arm_is_flagged_for_other_lengths_too(tmp_path, sized):
    """Ops behind it take the zeros that stand for its values."""
    source = (
        "import torch\n\ndef forward(x):\n    y = x * 1.0\n    if x[0] > 0:\n        y = x + 1\n"
        f"    z = {sized}\n    if x[1] < 0:\n        z = z * 2\n    return y + x, z + {sized}\n"
    )
    model = Exported(tmp_path, source, [[1, -2, 3], [4, -5], [1, -2, 1, 3]])
    assert ["flagged"] * 3 == [model.outcome(x) for x in ([-1, 1, 2, 3, 4, 5], [1, 1, 3, 2, 1], [-1, -2, 2, 2, 2])]


def test_length_that_is_carried_past_an_unseen_arm_fits_the_input(tmp_path):
    """`torch.arange(n)` behind it has as many elements as the input."""
    source = (
        "import torch\n\ndef forward(x):\n    n, a = x.shape[0], x * 1.0\n    for k in range(n):\n"
        "        if a[0] > k:\n            n = n + 0\n"
        "            a = a + a.split(2)[0].sum()\n    return a + torch.arange(n)\n"
    )
    model = Exported(tmp_path, source, [[1, 2, 3], [-1, 2, 3], [1, 2, 3, 4, 5]])
    assert ["right", "flagged"] == [model.outcome(x) for x in ([4, 5, 6], [1, 2, 3, 4])]


@pytest.mark.parametrize("use", ["int(d.argmax())", "x * 2 if d.argmax() == 0 else x * 1", "1 if d[0] > d[1] else 1"])
def test_decision_of_numbers_that_differ_by_rounding_alone_is_found(tmp_path, use):
    """Their order may be another in ONNX Runtime, also where the result stays."""
    source = f"def forward(x):\n    d = x - (x + x.sum()) * 1\n    return {use}\n"
    model = Exported(tmp_path, source, [[3.424867, 2.346046, -0.945481, 0.2]])
    found = rounding_decides(model.subject, model.built.runs[0].case)
    assert found is not None and f"net.py:{1 if 'int' in use else 3}" in found


def test_decision_of_values_that_an_op_made_equal_is_one_of_rounding(tmp_path):
    """No input that is near changes them, and another runtime's `tanh` may not be 1 where this one is."""
    source = "import torch\n\ndef forward(x):\n    return x * 2 if torch.tanh(x * 9).argmax() == 0 else x\n"
    model = Exported(tmp_path, source, [[1.02, 1.5, 2.0]])
    found = rounding_decides(model.subject, model.built.runs[0].case)
    assert found is not None and "net.py:4" in found


def test_decision_of_numbers_far_apart_is_not_one_of_rounding(tmp_path):
    """The last digits change nothing."""
    model = Exported(tmp_path, "def forward(x):\n    return x * 2 if x.argmax() == 0 else x\n", [[3.4, 2.3, -0.9]])
    assert rounding_decides(model.subject, model.built.runs[0].case) is None


def test_replay_has_no_time_where_only_some_cases_are_replayed():
    @contextmanager
    def calling(case):
        yield lambda function: function(case)

    subject = SimpleNamespace(plain=lambda x: x * 2 if x.dim() else object(), calling=calling)
    replayed, ordinary = torch.ones(1), torch.ones(())
    times = [_times(subject, lambda case: None, cases) for cases in ([replayed], [replayed, ordinary])]
    assert [False, True] == [each.replay_us is None for each in times]
