"""Names of PyTorch's that the engine has as functions, methods and classes; no PyTorch needed.

`names.txt` lists for each module the names that PyTorch has and the engine lacks, then the methods and functions of
ops that PyTorch has not.  `--accept` writes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

import dyncore
from dyncore.binding.lazy import load_all
from dyncore.dispatch.registry import TABLE
from dyncore.errors.pytorch_names import of_pytorch

FILE = Path(__file__).with_name("names.txt")
OF_OPS = ("", "Tensor", "nn.functional", "linalg", "special", "fft")
OTHERS = ("nn", "nn.init", "nn.utils", "nn.utils.rnn", "optim", "optim.lr_scheduler", "distributions")


def test_names_are_pytorchs_but_for_those_listed(accept: bool) -> None:
    """Those that are missing, and those that PyTorch has not."""
    load_all()
    found = "".join(f"{where or 'torch'} {word}: {' '.join(names)}\n" for where, word, names in listed())
    if accept:
        FILE.write_text(found, encoding="utf-8")
    assert FILE.read_text(encoding="utf-8").splitlines() == found.splitlines()


def listed() -> Iterator[tuple[str, str, list[str]]]:
    """Yield (module, what of its names, these)."""
    for where in (*OF_OPS, *OTHERS):
        owner: Any = attrgetter(where)(dyncore) if where else dyncore
        known = set(of_pytorch("Tensor" if where == "Tensor" else f"torch.{where}" if where else "torch"))
        yield where, "lacks", sorted(name for name in known if not hasattr(owner, name))
        if where in OF_OPS:
            more = (name for name in dir(owner) if name not in known and name.rstrip("_") in TABLE)
            yield (
                where,
                "has besides",
                sorted(name for name in more if name[0] != "_" and callable(getattr(owner, name))),
            )
