"""Write `tests/golden/ops/values.jsonl`: `python -m tests.tools.make_op_values`, with PyTorch.

The inputs are those of PyTorch's OpInfo database, rounded to two places, of few elements a call.  A call is
left out where the result depends on chance, on what is free (signs of eigenvectors) or on rounding: that is, where
dyncore's result differs from PyTorch's.  The tests in `tests/parity` compare all of those in full.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from itertools import islice
from typing import Any

import torch
from torch.testing._internal.opinfo.core import UnaryUfuncInfo

import dyncore
from tests.golden.ops.calls import DTYPES, FILE, agree, encoded, outcome
from tests.parity.opinfo import names

MOST, ONE = 40, 300  # elements of the calls of an op; of the one call of an op that has only larger ones
CALLS = 3  # of one op in float64


def main() -> None:
    """Write the file, and print the names of ops without a line."""
    warnings.simplefilter("ignore")
    made, without = [], []
    for info in sorted(names.entries(), key=lambda info: info.name):
        calls = list(calls_of(info))
        made += calls
        if not calls:
            without.append(names.title(info))
    FILE.write_text("".join(json.dumps(line) + "\n" for line in made), encoding="utf-8")
    print(f"{len(made)} calls of {len({line['op'] for line in made})} ops; none of {', '.join(without)}")


def calls_of(info: Any) -> Iterator[dict[str, Any]]:
    """Yield the first calls of an op that fit, by dtype."""
    if info.name in names.UNSET | names.REDRAWN | {"randint", "randint_like"} or names.find(info.name) is None:
        return
    for dtype in DTYPES[:3]:
        if getattr(torch, dtype) in info.dtypes:
            torch.manual_seed(0)
            samples = list(
                info.sample_inputs(
                    "cpu", getattr(torch, dtype), requires_grad=dtype == "float64" and info.supports_autograd
                )
            )
            for most, count in ((MOST, CALLS if dtype == "float64" else 1), (ONE, 1)):
                made = list(islice(filter(None, (line_of(info, sample, most) for sample in samples)), count))
                yield from made
                if made:
                    break


def line_of(info: Any, sample: Any, most: int) -> dict[str, Any] | None:
    """Return the call as a line, or None if it is left out."""
    given = sample.input
    if isinstance(info, UnaryUfuncInfo) and given.numel() > most:  # each element is for itself
        given = given.detach().reshape(-1)[:most].requires_grad_(given.requires_grad)
    if elements((given, sample.args, sample.kwargs)) > most:
        return None
    name = info.name.removeprefix("torch.").removesuffix(".default")
    try:
        args = encoded((rounded(given), *map(rounded, sample.args)), torch)
        line = {"op": name, "args": args, "kwargs": encoded({k: rounded(v) for k, v in sample.kwargs.items()}, torch)}
        line["wanted"] = outcome(line, torch)
        return line if agree(outcome(line, dyncore), line["wanted"]) else None
    except Exception:
        return None


def rounded(value: Any) -> Any:
    """Return tensors of floats with two places each, others as they are."""
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return value.detach().mul(100).round().div(100).requires_grad_(value.requires_grad)
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)([rounded(each) for each in value]) if type(value) in (list, tuple) else tuple(value)
    return value


def elements(value: Any) -> int:
    """Count the elements of all tensors."""
    if isinstance(value, torch.Tensor):
        return value.numel()
    if isinstance(value, (list, tuple)):
        return sum(map(elements, value))
    return sum(map(elements, value.values())) if isinstance(value, dict) else 0


if __name__ == "__main__":
    main()
