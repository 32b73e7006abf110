"""`dyncli gradcheck` beside PyTorch's own: how long 1,000 elements take, and who misleads on the models of the tests.

    python -m tests.bench.gradcheck [--rounds N] [--models] [--list]

Both check the same function at the same point in float64; they take turns, and the smallest time of each counts.
A verdict misleads that passes what is not right, fails what is, or blames the gradient for a kink, a jump or NaN.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import ast
import contextlib
import io
import signal
import sys
import tempfile
import types
import warnings
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "core")]

from dyncli.gradchecking.check import check  # noqa: E402
from dyncli.gradchecking.settings import Settings  # noqa: E402
from tests.golden.gradcheck.expected import Expected, expected  # noqa: E402

HEAD = "import dyncore as torch\n\n\ndef forward(x):\n"
FUNCTIONS = {
    "sum of x sin x": HEAD + "    return (x.sin() * x).sum()\n",
    "two layers": """import dyncore as torch

torch.manual_seed(0)
w = torch.randn(1000, 16) / 30
v = torch.randn(16, 4)


def forward(x):
    return torch.tanh(x @ w) @ v
""",
    "branch and relu": HEAD
    + "    y = torch.relu(x)\n    if y.sum() > 0:\n        y = y * y.exp()\n    return y.sum()\n",
    "1,000 outputs": HEAD + "    return x.sin() * x\n",
    "loop of 20": HEAD + "    for _ in range(20):\n        x = torch.tanh(x * 1.1)\n    return x.sum()\n",
}
LONGEST_SECONDS = 20


def speed(rounds: int) -> None:
    """Prints the times and their ratio."""
    import torch

    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)
    values = np.random.default_rng(0).standard_normal(1000)
    print(f"{'1,000 elements':20}{'PyTorch':>12}{'dyncli':>12}{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "x.npy", values)
        for name, source in FUNCTIONS.items():
            path = Path(folder) / "model.py"
            path.write_text(source)
            theirs = _made_for_torch(source, name).forward
            x = torch.tensor(values, requires_grad=True)
            best = [float("inf"), float("inf")]
            for _ in range(rounds):
                started = perf_counter()
                assert torch.autograd.gradcheck(theirs, (x,))
                between = perf_counter()
                (report,) = check(Settings(str(path), (f"@{folder}/x.npy",)))
                ended = perf_counter()
                assert report.verdict == "right"
                best = [min(best[0], between - started), min(best[1], ended - between)]
            print(f"{name:20}{best[0] * 1e3:9.1f} ms{best[1] * 1e3:9.1f} ms{best[1] / best[0]:8.2f}")


def _made_for_torch(source: str, name: str) -> Any:
    """A model as a module of PyTorch's."""
    module = types.ModuleType("model")
    exec(compile(source.replace("import dyncore as torch", "import torch").replace("dyncore", "torch"), name, "exec"),
         vars(module))  # fmt: skip
    return module


# -- who misleads


def peers(rows: bool) -> None:
    """Prints on how many of the models of the tests each misleads."""
    counts = [0, 0]
    total = 0
    for wanted in expected():
        if "--locate" in wanted.arguments:
            continue
        total += 1
        theirs, ours = _pytorch(wanted), _dyncli(wanted)
        right, faulty = "right" in wanted.verdicts, {"wrong", "detached", "nondeterministic"} & set(wanted.verdicts)
        misled = theirs != "raises" and ((theirs == "pass") is not right or (theirs == "fail" and not faulty))
        counts[0] += misled
        counts[1] += ours not in wanted.verdicts
        if rows:
            print(f"{wanted.id:80}{'|'.join(wanted.verdicts):26}{theirs:10}{'misleads' if misled else '':10}{ours}")
    print(f"misleading verdicts on {total} points: PyTorch {counts[0]} ({counts[0] / total:.0%}), dyncli {counts[1]}")


def _settings(wanted: Expected) -> Settings:
    order, seed = int(wanted.option("--order") or 1), int(wanted.option("--seed") or 0)
    return Settings(str(wanted.path), wanted.inputs, order=order, seed=seed)


def _dyncli(wanted: Expected) -> str:
    (report,) = check(_settings(wanted))
    return report.verdict


def _pytorch(wanted: Expected) -> str:
    """pass, fail, raises or hangs."""
    import torch

    torch.set_default_dtype(torch.float64)
    torch.manual_seed(0)

    def late(number: int, frame: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(LONGEST_SECONDS)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            return "pass" if _checked(wanted) else "fail"
    except TimeoutError:
        return "hangs"
    except Exception:
        return "raises"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _checked(wanted: Expected) -> bool:
    import torch

    module = _made_for_torch(wanted.path.read_text(), wanted.path.name)
    entry = getattr(module, "forward", None) or module.model
    settings = _settings(wanted)
    positional = [_value(text) for text in wanted.inputs if not _name(text)]
    named = {_name(text): _value(text) for text in wanted.inputs if _name(text)}
    given = (*positional, *named.values())
    parameters = [each for each in (entry.parameters() if hasattr(entry, "parameters") else ()) if each.requires_grad]

    def called(*values: Any) -> Any:
        torch.manual_seed(settings.seed)
        count = len(positional)
        found = entry(*values[:count], **dict(zip(named, values[count : len(given)])))
        return tuple(found.values()) if isinstance(found, dict) else found

    judge = torch.autograd.gradgradcheck if settings.order == 2 else torch.autograd.gradcheck
    return bool(judge(called, (*given, *parameters), raise_exception=False))


def _name(text: str) -> str:
    name, equals, _ = text.partition("=")
    return name if equals else ""


def _value(text: str) -> Any:
    """An input as PyTorch's gradcheck takes it."""
    import torch

    text = text.removeprefix(f"{_name(text)}=")
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return text
    if isinstance(value, int):
        return value
    try:
        tensor = torch.tensor(value)
    except (TypeError, ValueError):
        return value
    return tensor.requires_grad_() if tensor.is_floating_point() else tensor


def main() -> None:
    """Prints the tables that are asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--models", action="store_true", help="who misleads, instead of the times")
    parser.add_argument("--list", action="store_true", help="every model, too")
    options = parser.parse_args()
    peers(options.list) if options.models or options.list else speed(options.rounds)


if __name__ == "__main__":
    main()
