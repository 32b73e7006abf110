"""Run lines as they are typed at a prompt: values, nodes and errors as text, to compare with PyTorch's."""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import io
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np

RESULT = "-> "  # begins the line below an expression


def cases(path: Path) -> list[tuple[str, str]]:
    """List (expression, what PyTorch prints) of a file."""
    found: list[tuple[str, str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith(RESULT):
            found[-1] = found[-1][0], line.removeprefix(RESULT)
        elif line and not line.startswith("#"):
            found.append((line, ""))
    return found


def differing(path: Path, engine: Any) -> list[tuple[str, str, str]]:
    """List (expression, what stands below it, what the engine prints) where these differ."""
    return [(line, wanted, found) for line, wanted in cases(path) if wanted != (found := printed(line, engine))]


def accept(path: Path, engine: Any) -> None:
    """Write below each expression what the engine prints."""
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(RESULT):
            lines += [line, RESULT + printed(line, engine)] if line and not line.startswith("#") else [line]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def printed(line: str, engine: Any) -> str:
    """Run a line by itself; return the text of its last expression, or its error's first line, as one line."""
    x = engine.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = engine.tensor([0.5, 0.25, 2.0])
    z = engine.tensor([2.0, 3.0, 0.5], requires_grad=True)
    modules = {"nn": importlib.import_module(f"{engine.__name__}.nn"), "np": np, "math": math, "io": io, "copy": copy}
    modules["prune"] = importlib.import_module(f"{engine.__name__}.nn.utils.prune")
    given = {"torch": engine, **modules, "F": engine.nn.functional, "x": x, "y": y, "z": z}
    given |= {"tree": tree, "slope": lambda result, *of: slopes(engine, result, of)}
    given |= {"grads": lambda result, *of: grads(engine, result, of)}
    given |= {"descent": lambda make, steps=6: descent(engine, make, steps)}
    given |= {"passed": lambda module, *given: passed(engine, module, given)}
    given |= {"defaults": defaults}
    given |= {"bend": lambda result, *of: [each.partition("(")[0] for each in slopes(engine, result, of, 1)]}
    engine.default_generator.manual_seed(0)  # `manual_seed` of PyTorch takes twice as long as the line
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
        engine.distributions.Distribution.set_default_validate_args(True)  # PyTorch's `cond` turns it off
    return text.replace("dyncore", "torch").replace("\n", "\\n")


def slopes(engine: Any, result: Any, of: tuple[Any, ...], depth: int = 3) -> list[str]:
    """The nodes of the gradients of the square of `result`, each with those of the nodes it came from."""
    found = engine.autograd.grad((result.sum() ** 2), of, create_graph=True, allow_unused=True)
    return [str(each if each is None else tree(each.grad_fn, depth)) for each in found]


def grads(engine: Any, result: Any, of: tuple[Any, ...]) -> list[Any]:
    """The gradients of the sum of `result`'s elements times 1, 2, 3 ..., to four digits."""
    weights = (engine.arange(result.numel()) + 1).view(result.shape)
    found = engine.autograd.grad((result * weights).sum(), of, allow_unused=True)
    short = np.vectorize(lambda number: float(f"{number:.4g}") + 0.0 if abs(number) > 1e-5 else 0.0)
    return [each if each is None else short(each.tolist()).tolist() for each in found]


def defaults(function: Any) -> dict[str, Any]:
    """The parameters of a function or class that have a default."""
    parameters = inspect.signature(function).parameters.values()
    return {each.name: each.default for each in parameters if each.default is not each.empty}


def descent(engine: Any, make: Any, steps: int) -> list[float]:
    """The parameters after some steps of an optimizer that `make` makes of two, on a curved valley."""
    engine.set_default_dtype(engine.float64)
    one, two = (engine.tensor(start, requires_grad=True) for start in ([0.7, -1.2], [[0.4], [2.0]]))
    optimizer = make([one, two])

    def closure() -> Any:
        optimizer.zero_grad()
        loss = ((1 - one) ** 2).sum() + 5 * ((two[:, 0] - one**2) ** 2).sum() + (one @ two).sin().sum()
        loss.backward()
        return loss

    for _ in range(steps):
        optimizer.step(closure)
    return [round(value, 8) for value in (*one.tolist(), *two.flatten().tolist())]


def passed(engine: Any, module: Any, given: tuple[Any, ...]) -> list[Any]:
    """The outputs of a module for waves of these shapes, each as (shape, weighted sum), and so each gradient."""
    module.double()
    for number, parameter in enumerate(module.parameters()):
        parameter.data = wave(engine, parameter.shape, number)
    inputs = [
        wave(engine, each, 20 + number).requires_grad_() if isinstance(each, tuple) else each
        for number, each in enumerate(given)
    ]
    outs = module(*inputs)
    outs = (
        [outs] if isinstance(outs, engine.Tensor) else [outs[0], *(outs[1] if isinstance(outs[1], tuple) else outs[1:])]
    )
    leaves = [each for each in (*inputs, *module.parameters()) if each.requires_grad]
    total = sum((each * wave(engine, each.shape, 40 + number)).sum() for number, each in enumerate(outs))
    grads = engine.autograd.grad(total, leaves, allow_unused=True)
    return [
        each if each is None else (tuple(each.shape), round((each * wave(engine, each.shape, 3)).sum().item(), 7))
        for each in (*outs, *grads)
    ]


def wave(engine: Any, shape: Any, number: int) -> Any:
    """Numbers between -1 and 1 that tell places and `number` apart."""
    count = math.prod(shape)
    return engine.tensor(np.sin(np.arange(count) * 1.3 + number) * 0.9 + 0.05).reshape(tuple(shape))


def tree(node: Any, depth: int) -> str:
    """A node's name and, in brackets, those of the nodes its gradients flow to."""
    if node is None or not depth:
        return "" if node is None else "..."
    return f"{node.name()}({', '.join(tree(each, depth - 1) for each, _ in node.next_functions)})"
