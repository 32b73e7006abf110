"""The scripts in `same` give on dyncore what they give on PyTorch, to the sentences of their errors."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import pkgutil
import re
import warnings
from collections.abc import Callable
from contextvars import copy_context
from types import FunctionType, ModuleType
from typing import Any

import pytest

from tests.parity.autograd import same

pytestmark = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")


def scripts() -> list[Any]:
    """Every function of every module of `same`, by its name."""
    found = []
    for each in pkgutil.iter_modules(same.__path__):
        module = importlib.import_module(f"{same.__name__}.{each.name}")
        for name, value in vars(module).items():
            if isinstance(value, FunctionType) and value.__module__ == module.__name__ and name[0] != "_":
                found.append(pytest.param(value, id=f"{each.name}-{name}"))
    return found


@pytest.mark.parametrize("script", scripts())
def test_both_engines_say_the_same(script: Callable[[Any], Any]) -> None:
    """What the script returns and prints, tensors as their text, errors as their kind and sentence."""
    assert told(script, importlib.import_module("torch")) == told(script, importlib.import_module("dyncore"))


def told(script: Callable[[Any], Any], torch: ModuleType) -> tuple[Any, str]:
    """What the script returns on that engine, made comparable, and what it prints."""
    torch.manual_seed(0)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # What a script leaves in the modes of its context is not for the next.
        return plain(copy_context().run(script, torch), torch), printed.getvalue()


def plain(value: Any, torch: ModuleType) -> Any:
    """A value as lists, numbers and text."""
    if isinstance(value, torch.Tensor):
        return repr(value)
    if isinstance(value, torch.Size):
        return f"Size{tuple(value)}"
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *(plain(each, torch) for each in value)]
    if isinstance(value, dict):
        return {key: plain(each, torch) for key, each in value.items()}
    if isinstance(value, BaseException):
        return f"{type(value).__name__}: {value}"
    if isinstance(value, float):
        return round(value, 6)
    if value is None or isinstance(value, (int, str)):
        return value
    return re.sub(" at 0x[0-9a-f]+", "", str(value).replace("dyncore", "torch"))
