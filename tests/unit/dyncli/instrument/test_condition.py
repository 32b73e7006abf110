"""The language of `--break`: what holds, what does not, what cannot be read."""

import numpy as np
import pytest

from dyncli import errors
from dyncli.instrument.breakpoint_condition import parse

VALUES = {
    "op": "log",
    "line": 7,
    "file": "net.py",
    "function": "forward",
    "iteration": 3,
    "out": np.array([np.nan, 1.0, 2.0], np.float32),
    "inputs": (np.array([-1.0, 2.0, 3.0], np.float32), np.array([[1, 2]])),
    "shape": (3,),
    "dtype": "float32",
}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ('op == "log" and nan(out)', True),
        ('op == "log" and inf(out)', False),
        ("nan(inputs)", False),
        ("not nan(())", True),
        ("out > 1", True),
        ("out > 5", False),
        ("all(inputs[0] < 4)", True),
        ("any(inputs[0] == 2) and not line == 8", True),
        ("shape == [3]", True),
        ("shape[0] == 3 and dtype == 'float32'", True),
        ('op in ("exp", "log")', True),
        ("iteration == 3", True),
        ("0 < iteration < 3", False),
        ("max(inputs[0]) == 3", True),
        ("min(inputs[0]) < -2", False),
        ("norm(inputs[1]) > 2", True),
        ("abs(inputs[0]) > 2.5", True),
        ("sum(inputs[0]) == 4", True),
        ("mean(inputs[0]) > 1", True),
        ("len(inputs) == 2", True),
        ("inputs[1].shape == (1, 2)", True),
        ("inputs[5] > 0", False),
        ("out == None", False),
        ("line + 1 == 8 and line % 2 == 1 and 2 ** 3 == 8", True),
        ("9 ** 9 ** 9 > 1", False),
    ],
)
def test_conditions(text, holds):
    """As it reads; a comparison of a tensor holds if it does for any element; what cannot be worked out does not."""
    assert holds == parse(text).holds(VALUES)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("op =", "cannot read the condition `op =`: `=` asks nothing, `==` does"),
        ("nan(", "cannot read the condition `nan(`: '(' was never closed"),
        ("nan", "cannot read the condition `nan`: `nan` wants something in parentheses: `nan(out)`"),
        ("nan(out, 1)", "cannot read the condition `nan(out, 1)`: `nan` wants one thing: `nan(out)`"),
        ("outt > 1", "`outt` in the condition `outt > 1` means nothing"),
        ("isnan(out)", "`isnan` in the condition `isnan(out)` means nothing"),
        ("out.sum() > 1", "cannot read the condition `out.sum() > 1`: `out.sum` cannot be called"),
        ("__import__('os')", "`__import__` in the condition `__import__('os')` means nothing"),
        (
            "[x for x in out]",
            "cannot read the condition `[x for x in out]`: `[x for x in out]` is not part of a condition",
        ),
        ("out.__class__", "cannot read the condition `out.__class__`: `out.__class__` is not part of a condition"),
        ("lambda: 1", "cannot read the condition `lambda: 1`: `lambda: 1` is not part of a condition"),
    ],
)
def test_what_cannot_be_read(text, message):
    """One sentence that says what, and nothing is evaluated."""
    with pytest.raises(errors.DyncliError) as raised:
        parse(text)
    assert message == raised.value.message


def test_too_long_or_too_deep():
    """Refused before they are read."""
    for text in ("not " * 900 + "nan(out)", "(" * 300 + "1" + ")" * 300, "-" * 990 + "1"):
        with pytest.raises(errors.BreakSyntax):
            assert parse(text).holds(VALUES)
