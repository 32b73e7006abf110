"""Which ops, outputs and gradients of two runs differ: by seed, dtype, entry, elements, statistics."""

import pytest

from dyncli.analysis.changes import Change
from dyncli.analysis.diff import Tolerance, diff
from dyncli.analysis.values import TensorRow
from dyncli.records.model import Scalar, TensorSummary
from tests.unit.dyncli.analysis.parted import Recorded, told

BRANCH = """\
def forward(x):
    if x.sum() > 0:
        return x * 2
    return x - 2
"""

LAYERS = """\
import dyncore as torch

class Gate(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(2, 32)

    def forward(self, x):
        h = torch.relu(self.inner(x))
        if h.sum() > 6:
            h = h.tanh()
        return h.sum()

model = Gate()
"""


def test_an_entry_that_calls_the_other(recorded: Recorded):
    """The frame of the one belongs to the call in the other; what is around it is only there."""
    text = BRANCH + "\n\ndef other(x):\n    return forward(x) * 3\n"
    found = diff(recorded(text, "[1, 2]", entry="forward"), recorded(text, "[1, 2]", entry="other"))
    ops = found.counts["ops"]
    assert (1, 3, 0, 1) == (found.counts["decisions"].same, ops.same, ops.only_a, ops.only_b)
    assert found.parting is None and not found.is_equal
    turned = diff(found.b, found.a)
    assert (1, 3, 1, 0) == (turned.counts["decisions"].same, *turned.counts["ops"][:1], *turned.counts["ops"][2:4])


def row(*values: Scalar, shape: tuple[int, ...] = (2,)) -> TensorRow:
    """Return the row of an output with these elements; none were kept where there are none."""
    return TensorRow("output", TensorSummary(0, shape, "float32", values=values or None))


@pytest.mark.parametrize(
    ("before", "after", "difference"),
    [
        (row(1.0, 2.0), row(1.5, 0.0), 2.0),
        (row(1, True), row(1.0, False), 1.0),
        (row(1.0, 2.0), row(1.0, shape=(1,)), None),
        (row(1.0, 2.0), row(), None),
        (row(), row(1.0, 2.0), None),
        (row("1+2j", "0j"), row("1+2j", "1j"), None),
        (row(1.0, 2.0), row(1.0, "2j"), None),
        (row(1.0, 2.0), None, None),
    ],
)
def test_largest_difference_of_an_output(
    before: TensorRow | None, after: TensorRow | None, difference: float | None
) -> None:
    """Give it for real numbers that both runs kept, in one shape."""
    assert difference == Change("output", before, after).difference


def test_seeds(recorded: Recorded):
    """Two seeds: parameters are no inputs, so the first op to differ is the layer that has them."""
    found = diff(*(recorded(LAYERS, "[1, 1]", seed=seed, measure=True) for seed in (1, 2)))
    assert () == tuple(found.inputs)
    assert found.first_op is not None and 9 == found.a.ops[found.first_op.a or 0].site.line, told(found)
    assert diff(recorded(LAYERS, "[1, 1]", seed=1), recorded(LAYERS, "[1, 1]", seed=1)).is_equal


def test_dtypes(recorded: Recorded):
    """Two dtypes: values within a tolerance agree, though no dtype does; the first op that does not is told."""
    text = "def forward(x):\n    y = x / 3\n    z = y * 1e-6 + 1\n    return (z - 1).log()\n"
    a, b = recorded(text, "[1.1]", dtype="float32"), recorded(text, "[1.1]", dtype="float64")
    near = Tolerance(rtol=1e-4, dtypes=False)
    found = diff(a, b, near)
    assert found.parting is None and ["sub", "log"] == [a.ops[pair.a].name for pair in found.ops]
    assert not diff(a, a, near).outputs and diff(a, b).counts["ops"].differ == len(a.ops)


def test_larger_tensors_differ_by_their_statistics(recorded: Recorded):
    """Of an op's larger result statistics are kept when two runs are compared, and nothing otherwise."""
    text = "def forward(x):\n    y = x.repeat(20)\n    y[0] = 5\n    return y.sum() - x.sum()\n"
    a, b = (recorded(text, given, measure=True) for given in ("[1, 2]", "[1, 3]"))
    assert "repeat" == a.ops[diff(a, b).first_op.a].name and 0 == diff(a, b).counts["ops"].unknown
    plain = diff(recorded(text, "[1, 2]"), recorded(text, "[1, 2]"))
    assert plain.is_equal and 1 == plain.counts["ops"].unknown


def test_what_was_overwritten_is_compared_as_it_was(recorded: Recorded):
    """An op's result is the one it gave, whatever is written into it afterwards."""
    text = "import dyncore as torch\n\ndef forward(x):\n    y = x * 2\n    y.mul_(0)\n    return y\n"
    found = diff(*(recorded(text, given, measure=True) for given in ("[1, 2]", "[1, 3]")))
    assert ["mul"] == [found.a.ops[pair.a].name for pair in found.ops] and not found.outputs and found.gradients == ()


def test_nan_is_equal_to_nan(recorded: Recorded):
    """And to nothing else."""
    text = "def forward(x):\n    return x.log()\n"
    a, b = recorded(text, "[-1, 2]"), recorded(text, "[1, 2]")
    assert diff(a, recorded(text, "[-1, 2]")).is_equal
    assert not diff(a, b).is_equal and 1 == len(diff(a, b).outputs)


def test_gradients_of_every_backward(recorded: Recorded):
    """Each pass is compared with the pass of its number."""
    text = """\
import dyncore as torch

def forward(x):
    w = torch.tensor([1.0], requires_grad=True)
    for target in x.tolist():
        w.grad = None
        loss = (w - target) ** 2
        loss.backward()
    return w
"""
    found = diff(recorded(text, "[1, 2, 3]"), recorded(text, "[1, 5, 3]"))
    assert ["w · backward 1"] == [change.name for change in found.gradients]
    longer = diff(recorded(text, "[1, 2]"), recorded(text, "[1, 2, 3]"))
    assert [("x · backward 2", None), ("w · backward 2", None)] == [
        (change.name, change.before) for change in longer.gradients if change.name.endswith("2")
    ]


def test_other_values_by_the_same_path(recorded: Recorded):
    """No parting; the first op that differs beyond the tolerance."""
    a, b = recorded(BRANCH, "[1, 2]"), recorded(BRANCH, "[1, 2.001]")
    assert diff(a, b).parting is None and not diff(a, b).is_equal
    assert diff(a, b, Tolerance(atol=0.01)).is_equal
    assert ["mul"] == [a.ops[pair.a].name for pair in diff(a, b, Tolerance(atol=0.0015)).ops]


def test_the_same_values_by_another_path(recorded: Recorded):
    """A decision differs, and no output does."""
    text = "def forward(x, fast: bool):\n    if fast:\n        return x + x\n    return x * 2\n"
    found = diff(recorded(text, "[1, 2]", "true"), recorded(text, "[1, 2]", "false"))
    assert ("arm", (2, "then"), (2, "else")) == told(found) and not found.is_equal
    assert () == found.outputs == found.gradients


def test_complex_numbers(recorded: Recorded):
    """Both parts are compared, within the tolerance too; a record holds them as text."""
    text = "import dyncore as torch\n\ndef forward(x):\n    return torch.complex(x, x.log())\n"
    a, b = recorded(text, "[1, -2]"), recorded(text, "[1.001, -2]")
    assert ["complex", "log"] == sorted(a.ops[pair.a].name for pair in diff(a, b).ops)
    assert diff(a, b, Tolerance(atol=0.01)).is_equal and diff(a, a).is_equal
