"""Run lines as they are typed at a prompt: values, nodes and errors as text, to compare with PyTorch's."""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import io
import math
import warnings
from collections.abc import Callable
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


def write(path: Path, engine: Any) -> None:
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
    given |= {"passed": lambda module, *given, **options: passed(engine, module, given, options)}
    given |= {"traits": lambda make, parameters, value: traits(engine, make, parameters, value)}
    given |= {"wave": lambda shape, number=0: wave(engine, shape, number)}
    given |= {"short": lambda value: short(engine, value), "rates": lambda scheduler, *epochs: rates(scheduler, epochs)}
    given |= {"said": lambda function, *given, **options: said(engine, function, given, options)}
    given |= {"curved": lambda function, *given, **options: curved(engine, function, given, options)}
    given |= {"defaults": defaults, "saved": saved, "inside": inside}
    given |= {"edges": lambda letters, function, *given, **options: edges(engine, letters, function, given, options)}
    given |= {"outs": lambda function, *kinds: outs(engine, function, kinds)}
    given |= {"function": lambda **parts: function(engine, parts), "fw": engine.autograd.forward_ad}
    given |= {"warned": lambda *calls: warned(engine, calls)}
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
        engine.set_warn_always(False)
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


def saved(result: Any, *names: str) -> list[Any]:
    """Attributes of the node of `result` by the names of what it saved."""
    return [getattr(result.grad_fn, f"_saved_{name}") for name in names]


def warned(engine: Any, calls: tuple[Callable[[], Any], ...]) -> list[list[str]]:
    """The first line of each warning of each call."""
    engine.set_warn_always(True)
    found = []
    for call in calls:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        found.append([str(each.message).partition("\n")[0].partition(" (Trig")[0] for each in caught])
    return found


def function(engine: Any, parts: dict[str, Callable[..., Any]]) -> Any:
    """A custom function of static methods."""
    return type("G", (engine.autograd.Function,), {name: staticmethod(part) for name, part in parts.items()})


def inside(manager: Any, run: Callable[[], Any]) -> Any:
    """The result of `run` within a context manager."""
    with manager:
        return run()


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


def passed(engine: Any, module: Any, given: tuple[Any, ...], options: dict[str, Any]) -> list[Any]:
    """The outputs of a module or function for waves of these shapes, as (shape, weighted sum), and each gradient."""
    parameters = list(module.double().parameters()) if isinstance(module, engine.nn.Module) else []
    for number, parameter in enumerate(parameters):
        parameter.data = wave(engine, parameter.shape, number)
    inputs = [
        wave(engine, each, 20 + number).requires_grad_() if isinstance(each, tuple) else each
        for number, each in enumerate(given)
    ]
    outs = module(*inputs, **options)
    outs = (
        [outs] if isinstance(outs, engine.Tensor) else [outs[0], *(outs[1] if isinstance(outs[1], tuple) else outs[1:])]
    )
    leaves = [each for each in (*inputs, *parameters) if isinstance(each, engine.Tensor) and each.requires_grad]
    total = sum((each * wave(engine, each.shape, 40 + number)).sum() for number, each in enumerate(outs))
    grads = engine.autograd.grad(total, leaves, allow_unused=True)
    return [
        each if each is None else (tuple(each.shape), round((each * wave(engine, each.shape, 3)).sum().item(), 7))
        for each in (*outs, *grads)
    ]


def curved(engine: Any, function: Any, given: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Gradients of the gradients of a function for waves of these shapes, three times as high, in short."""
    inputs = [
        (3 * wave(engine, each, 20 + n)).requires_grad_() if isinstance(each, tuple) else each
        for n, each in enumerate(given)
    ]
    leaves = [each for each in inputs if isinstance(each, engine.Tensor) and each.requires_grad]
    out = function(*inputs, **options)
    out = out if isinstance(out, engine.Tensor) else out[0]
    slopes = engine.autograd.grad((out * wave(engine, out.shape, 1)).sum(), leaves, create_graph=True)
    total = sum((each * wave(engine, each.shape, 7 + n)).sum() for n, each in enumerate(slopes) if each.requires_grad)
    if not isinstance(total, engine.Tensor):
        return "flat"
    return short(engine, engine.autograd.grad(total, leaves, allow_unused=True))


def said(engine: Any, function: Any, given: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The result of a call in short, or its error."""
    try:
        return short(engine, function(*given, **options))
    except Exception as error:
        return f"{type(error).__name__}: {error}".partition("\n")[0]


def traits(engine: Any, make: Any, parameters: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """All that a distribution of these parameters says, of itself and of a value, in short; and the gradients."""
    leaves = [each.requires_grad_() for each in parameters if engine.is_tensor(each) and each.is_floating_point()]
    one = make(*parameters)
    wide = one.expand((4, *one.batch_shape))
    calls = {
        **{name: lambda name=name: getattr(one, name) for name in ("mean", "mode", "variance", "stddev")},
        **{f"wide {name}": lambda name=name: getattr(wide, name) for name in ("mean", "mode", "variance")},
        "log_prob": lambda: one.log_prob(value), "cdf": lambda: one.cdf(value), "entropy": lambda: one.entropy(),
        "icdf": lambda: one.icdf((wave(engine, one.batch_shape, 5) + 1) / 2),
        "inside": lambda: one.support.check(value),
        "listed": lambda: one.enumerate_support(), "listed flat": lambda: one.enumerate_support(expand=False),
        "wide log_prob": lambda: wide.log_prob(value), "wide entropy": lambda: wide.entropy(),
        "drawn": lambda: one.sample((5,)), "rdrawn": lambda: one.rsample((3, 2)), "wide drawn": lambda: wide.sample(),
        "wide listed": lambda: wide.enumerate_support(),
    }  # fmt: skip
    found: dict[str, Any] = {}
    total = engine.zeros((), dtype=engine.float64)
    for name, call in calls.items():
        engine.default_generator.manual_seed(0)
        try:
            result = call()
        except Exception as error:
            found[name] = type(error).__name__
            continue
        found[name] = short(engine, result)
        if result.requires_grad and name in ("mean", "variance", "log_prob", "entropy"):
            total = total + engine.where(result.isfinite(), result, 0).sum()
    grads = engine.autograd.grad(total, leaves, allow_unused=True) if total.requires_grad else ()
    return {"shapes": (*map(tuple, (one.batch_shape, one.event_shape)), one), **found, "grads": short(engine, grads)}


OPERANDS = {  # of `edges`, by letter
    "n": (), "e": (0,), "o": (1,), "r": (4,), "m": (2, 3), "h": (0, 3), "w": (2, 0), "s": (3, 3), "c": (2, 3, 4),
    "p": (1, 2, 4, 5), "v": (1, 2, 3, 4, 3), "a": (24, 2, 3), "d": (3, 25),
    "i": (2, 3), "j": (4,), "k": (), "b": (2, 3), "z": (2, 3), "f": (2, 3),
}  # fmt: skip
DTYPES = {"i": "int64", "j": "int64", "k": "int64", "b": "bool", "z": "complex128", "f": "float32"}


def edges(engine: Any, letters: str, function: Any, given: tuple[Any, ...], options: dict[str, Any]) -> list[str]:
    """The results of a function for operands of few elements, with node and gradient, in short; or its errors."""
    engine.set_default_dtype(engine.float64)
    given = [each.double() if getattr(each, "dtype", None) == engine.float32 else each for each in given]
    found = []
    for letter in letters:
        one = operand(engine, letter)
        leaf = one.requires_grad_() if letter not in DTYPES else None
        engine.default_generator.manual_seed(0)
        try:
            outs = function(one, *given, **options)
            found.append(outline(engine, outs, leaf))
        except Exception as error:
            found.append(f"{type(error).__name__}: {error}".partition("\n")[0])
    return found


def operand(engine: Any, letter: str) -> Any:
    """The tensor of `edges` of this letter."""
    one = wave(engine, OPERANDS[letter], ord(letter)) * (5 if letter in "ijk" else 1)
    dtype = getattr(engine, DTYPES.get(letter, "float64"))
    return one > 0 if letter == "b" else one.to(dtype) + 0.5j if letter == "z" else one.to(dtype)


def outline(engine: Any, outs: Any, leaf: Any) -> str:
    """The dtype, shape, weighted sum and node of each result, `*` if it is a view, and the gradient of `leaf`."""
    outs = list(outs) if isinstance(outs, (list, tuple)) else [outs]
    text = []
    for out in outs:
        if not isinstance(out, engine.Tensor):
            text.append(str(out))
            continue
        dtype, shape, total = short(engine, engine.view_as_real(out.resolve_conj()) if out.is_complex() else out)
        node = f" {out.grad_fn.name().removesuffix('Backward0')}" if out.grad_fn else ""
        text.append(f"{dtype}{list(shape)} {total}{node}{'*' * out._is_view()}".removeprefix("float64"))
    used = [out for out in outs if isinstance(out, engine.Tensor) and out.grad_fn]
    if used and leaf is not None:
        total = sum((out * wave(engine, out.shape, number)).sum() for number, out in enumerate(used))
        total = total.abs() if total.is_complex() else total
        slope = engine.autograd.grad(total, leaf, allow_unused=True)[0]
        text.append("none" if slope is None else f"slope {short(engine, slope)[2]}")
    return "; ".join(text)


OUTS = {"f": "float32", "d": "float64", "l": "int64", "b": "bool", "c": "complex64", "u": "uint8"}  # by letter


def outs(engine: Any, function: Any, kinds: tuple[str, ...]) -> list[Any]:
    """Return what a function of a tensor writes to `out` of other dtypes, for each "dtype letters"; or its errors."""
    found = []
    for dtype, letters in map(str.split, kinds):
        given = (wave(engine, (2, 3), 0) * 5).to(getattr(engine, dtype))
        empty = [engine.empty(0, dtype=getattr(engine, OUTS[letter])) for letter in letters]
        found += [said(engine, function, (given, each), {}) for each in empty]
    return found


def short(engine: Any, value: Any) -> Any:
    """A tensor as its dtype, shape and weighted sum, with nan and infinities as numbers; of several, each so."""
    if isinstance(value, (list, tuple)):
        return [short(engine, each) for each in value]
    if not isinstance(value, engine.Tensor):
        return value
    numbers = value.detach().to(engine.float64).nan_to_num(11.0, 13.0, -17.0)
    total = (numbers * wave(engine, value.shape, 3)).sum().item()
    return str(value.dtype).partition(".")[2], tuple(value.shape), float(f"{total:.4g}") if abs(total) > 1e-9 else 0.0


def rates(scheduler: Any, epochs: tuple[Any, ...]) -> list[Any]:
    """The first learning rates after steps of a scheduler, or those that it sets for these epochs."""
    found = []
    for epoch in epochs or (None,) * 8:
        scheduler.optimizer.step()
        scheduler.step() if epoch is None else scheduler.step(epoch)
        found.append([float(f"{group['lr']:.6g}") for group in scheduler.optimizer.param_groups])
    return [each[0] if len(each) == 1 else each for each in found]


def wave(engine: Any, shape: Any, number: int) -> Any:
    """Numbers between -1 and 1 that tell places and `number` apart."""
    count = math.prod(shape)
    return engine.tensor(np.sin(np.arange(count) * 1.3 + number) * 0.9 + 0.05).reshape(tuple(shape))


def tree(node: Any, depth: int) -> str:
    """A node's name and, in brackets, those of the nodes its gradients flow to."""
    if node is None or not depth:
        return "" if node is None else "..."
    return f"{node.name()}({', '.join(tree(each, depth - 1) for each, _ in node.next_functions)})"
