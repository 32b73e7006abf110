"""Lines as they are typed at a prompt print on dyncore what they print on PyTorch: values, nodes, errors."""

from __future__ import annotations

import ast
import copy
import importlib
import io
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dyncore

torch = pytest.importorskip("torch")

FILES = sorted(Path(__file__).with_name("expressions").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_line_prints_the_same_on_both_engines(path: Path) -> None:
    """Each line runs by itself, from the same seed; what its last expression is, or its error, is compared as text."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    differing = [
        (line, theirs, ours) for line in lines if (theirs := printed(line, torch)) != (ours := printed(line, dyncore))
    ]
    assert [] == differing


def printed(line: str, engine: Any) -> str:
    """The text of the last expression of `line`, or of its error's first line."""
    x = engine.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = engine.tensor([0.5, 0.25, 2.0])
    z = engine.tensor([2.0, 3.0, 0.5], requires_grad=True)
    modules = {"nn": importlib.import_module(f"{engine.__name__}.nn"), "np": np, "math": math, "io": io, "copy": copy}
    given = {"torch": engine, **modules, "F": engine.nn.functional, "x": x, "y": y, "z": z}
    given |= {"tree": tree, "slope": lambda result, *of: slopes(engine, result, of)}
    given |= {"bend": lambda result, *of: [each.partition("(")[0] for each in slopes(engine, result, of, 1)]}
    engine.manual_seed(0)
    engine.set_printoptions(profile="default")
    *before, last = ast.parse(line).body
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(ast.Module(before, []), line, "exec"), given)
            assert isinstance(last, ast.Expr)
            text = repr(eval(compile(ast.Expression(last.value), line, "eval"), given))
    except Exception as error:
        text = f"{type(error).__name__}: {error}".partition("\n")[0].partition(", but expected")[0]
    finally:
        engine.set_grad_enabled(True)
        engine.set_default_dtype(engine.float32)
        engine.set_printoptions(profile="default")
    return text.replace("dyncore", "torch")


def slopes(engine: Any, result: Any, of: tuple[Any, ...], depth: int = 3) -> list[str]:
    """The nodes of the gradients of the square of `result`, each with those of the nodes it came from."""
    found = engine.autograd.grad((result.sum() ** 2), of, create_graph=True, allow_unused=True)
    return [str(each if each is None else tree(each.grad_fn, depth)) for each in found]


def tree(node: Any, depth: int) -> str:
    """A node's name and, in brackets, those of the nodes its gradients flow to."""
    if node is None or not depth:
        return "" if node is None else "..."
    return f"{node.name()}({', '.join(tree(each, depth - 1) for each, _ in node.next_functions)})"
