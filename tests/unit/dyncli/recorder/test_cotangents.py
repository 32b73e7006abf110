"""Start a backward from `--grad-output`: by name, in order, from a file, else from ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dyncli import errors
from dyncli.recorder.recorder import record_model
from dyncli.recorder.request import Request

TWO = "def forward(x):\n    return {'a': x * 2, 'b': x[:2].sum()}\n"


def of_x(folder: Path, *given: str) -> list[float]:
    """Return the gradient of `x` in a run with these cotangents."""
    (folder / "net.py").write_text(TWO)
    (record,) = record_model(Request(str(folder / "net.py"), ("[1, 2, 3]",), grad_output=given))
    (gradient,) = [each for each in record.backwards[0].gradients if each.name == "x"]
    assert gradient.value is not None
    return list(record.tensors[gradient.value].values or ())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((), [3.0, 3.0, 2.0]),
        (("[1, 0, -1]",), [3.0, 1.0, -2.0]),
        (("[1, 0, -1]", "3"), [5.0, 3.0, -2.0]),
        (("b=3",), [5.0, 5.0, 2.0]),
        (("[1, 0, -1]", " b = 3 "), [5.0, 3.0, -2.0]),
        (("@a.npy",), [3.0, 1.0, -2.0]),
        (("a.npy",), [3.0, 1.0, -2.0]),
        (("a=a.npz",), [3.0, 1.0, -2.0]),
    ],
)
def test_cotangents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], expected: list[float]
) -> None:
    """Without any each output has ones: 2 for each element, and 1 more for the two that are summed."""
    monkeypatch.chdir(tmp_path)
    np.save("a.npy", np.array([1.0, 0.0, -1.0]))
    np.savez("a.npz", only=np.array([1.0, 0.0, -1.0]))
    Path("[1, 0, -1]").touch()
    assert expected == of_x(tmp_path, *given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("[1, 2]",), "`--grad-output` has shape [2], `a` has shape [3]"),
        (("b='one'",), "`--grad-output` for `b` is no tensor: could not convert string to float: 'one'"),
        (("[1, 0, 0]", "1", "2"), "3 cotangents for 2 outputs"),
    ],
)
def test_what_does_not_fit(tmp_path: Path, given: tuple[str, ...], message: str) -> None:
    """The message names the output."""
    with pytest.raises(errors.InputError) as caught:
        of_x(tmp_path, *given)
    assert message == caught.value.message
