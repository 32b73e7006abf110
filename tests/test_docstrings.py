"""Docstrings cleaned quickly are those that Python would have cleaned."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
import textwrap
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from dyncli.docstrings import cleaner, dedenter, quickly_cleaned

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = """
import hashlib, inspect, sys, textwrap
from dyncli.bytecode import Bytecode
python = inspect.cleandoc, textwrap.dedent
bytecode = Bytecode(sys.argv[1])
sys.meta_path.insert(0, bytecode)
import numpy as np
assert python == (inspect.cleandoc, textwrap.dedent)
bytecode.keep()
said = []
for owner in (np, np.ndarray, np.generic, np.dtype, np.ufunc, np.flatiter, np.broadcast, np.nditer):
    said += [f"{name}: {getattr(getattr(owner, name, None), '__doc__', None)}" for name in sorted(dir(owner))]
print(type(sys.modules["numpy._core._add_newdocs"].__loader__).__module__.partition(".")[0])
print(len(said), hashlib.sha256("".join(said).encode()).hexdigest())
"""
PIECES = ["\n    ", "\n        ", "\n  ", "\n", "\n\n", "    ", " ", "a", "b c", "\t", "\r", "\x0c", "\xa0", "é"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(TEXTS | TEXTS.map(lambda text: f"\n    a{text}\n    "))
@example("\n    a\n\n\n\n\n\nb\n    ")
@example("\n    a\n   b\n    c\n    ")
def test_any_text_is_cleaned_as_python_does(text: str) -> None:
    """Whether the quick way finds it out or leaves it to Python."""
    assert inspect.cleandoc(text) == cleaner(inspect.cleandoc)(text)
    assert textwrap.dedent(text) == dedenter(textwrap.dedent)(text)


def test_numpys_are_cleaned_the_quick_way() -> None:
    """A text as NumPy writes them is not left to Python."""
    text = "\n    A result.\n\n    Parameters\n    ----------\n    x : int\n        A number.\n\n\n    Notes\n    "

    def never(text: str) -> str:
        raise AssertionError(text)

    assert inspect.cleandoc(text) == cleaner(never)(text)
    assert textwrap.dedent(text) == dedenter(never)(text)
    assert ["Scalar.", ""] == [cleaner(never)("Scalar."), cleaner(never)("")]


def test_python_gets_its_functions_back() -> None:
    """Also after an error."""
    python = inspect.cleandoc, textwrap.dedent
    try:
        with quickly_cleaned():
            assert (inspect.cleandoc, textwrap.dedent) != python
            raise LookupError
    except LookupError:
        assert (inspect.cleandoc, textwrap.dedent) == python


def test_numpy_says_of_itself_what_it_says_without(tmp_path: Path) -> None:
    """With NumPy from the file of byte code, every docstring is the same."""
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'core'}", "PYTHONDONTWRITEBYTECODE": ""}
    told = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM, str(tmp_path / "all")],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
        ).stdout.splitlines()
        for _ in range(2)
    ]
    assert ["_frozen_importlib_external", "dyncli"] == [each[0] for each in told]
    assert told[0][1] == told[1][1]
