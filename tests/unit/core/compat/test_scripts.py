"""Scripts as they are written for PyTorch print on dyncore what they print on PyTorch, but for the last digits."""

from __future__ import annotations

import builtins
import contextlib
import importlib
import importlib.util
import io
import math
import re
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
SCRIPTS = sorted(p for p in Path(__file__).with_name("scripts").glob("*.py") if p.stem != "conftest")
NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\d+)(?:e[-+]?\d+)?")


MODELS = sorted(Path(__file__).with_name("scripts").joinpath("models").glob("*.py"))


@pytest.mark.whole
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_a_model_trains_for_twenty_steps_as_on_pytorch(path: Path) -> None:
    """Words equal, numbers to six digits: whole models as different people write them."""
    theirs, ours = printed(path, "torch"), printed(path, "dyncore")
    assert NUMBER.sub("#", theirs).split() == NUMBER.sub("#", ours).split()
    for expected, actual in zip(NUMBER.findall(theirs), NUMBER.findall(ours), strict=True):
        assert math.isclose(float(expected), float(actual), rel_tol=1e-6, abs_tol=1e-8), (expected, actual)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_prints_the_same_on_both_engines(path: Path) -> None:
    """Words equal, numbers to four digits."""
    theirs, ours = printed(path, "torch"), printed(path, "dyncore")
    assert NUMBER.sub("#", theirs).split() == NUMBER.sub("#", ours).split()
    for expected, actual in zip(NUMBER.findall(theirs), NUMBER.findall(ours), strict=True):
        assert math.isclose(float(expected), float(actual), rel_tol=2e-3, abs_tol=2e-5), (expected, actual)


def printed(path: Path, engine: str) -> str:
    """What the script prints with `import torch` meaning `engine`."""

    def import_(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if name.partition(".")[0] == "torch":
            name = engine + name.removeprefix("torch")
        return builtins.__import__(name, globals, locals, fromlist, level)

    text = io.StringIO()
    module = ModuleType("script_of_a_test")  # dataclasses look their module up
    names = vars(module)
    names["__builtins__"] = {**vars(builtins), "__import__": import_}
    dtype = importlib.import_module(engine).get_default_dtype()
    sys.modules[module.__name__] = module
    try:
        with contextlib.redirect_stdout(text), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), names)
    finally:
        del sys.modules[module.__name__]
        importlib.import_module(engine).set_default_dtype(dtype)
    return text.getvalue()
