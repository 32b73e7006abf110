"""Writes `core/dyncore/pytorch_names.txt` anew: `python -m tests.tools.list_pytorch_names`, where torch is."""

from __future__ import annotations

import importlib
import pkgutil
import sys
import textwrap
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import dyncore

SECTIONS = [
    "torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.grad", "torch.nn.attention",
    "torch.nn.parallel", "torch.nn.parameter", "torch.nn.modules", "torch.nn.utils", "torch.nn.utils.rnn",
    "torch.nn.utils.parametrize", "torch.nn.utils.parametrizations", "torch.nn.utils.stateless",
    "torch.nn.utils.prune", "torch.nn.utils.fusion", "torch.nn.utils.clip_grad", "torch.optim",
    "torch.optim.optimizer", "torch.optim.lr_scheduler", "torch.optim.swa_utils", "torch.distributions",
    "torch.distributions.constraints", "torch.distributions.transforms", "torch.distributions.kl",
    "torch.distributions.utils", "torch.utils", "torch.utils.data", "torch.utils.checkpoint", "torch.utils.dlpack",
    "torch.utils.hooks", "torch.autograd", "torch.autograd.function", "torch.autograd.functional",
    "torch.autograd.forward_ad", "torch.autograd.graph", "torch.autograd.gradcheck", "torch.autograd.profiler",
    "torch.func", "torch.functional", "torch.linalg", "torch.fft", "torch.special", "torch.random", "torch.testing",
    "torch.masked", "torch.signal", "torch.signal.windows", "torch.sparse", "torch.types",
    "torch.storage", "torch.serialization", "torch.return_types", "torch.amp", "torch.backends", "torch.cpu",
    "torch.cuda", "torch.cuda.amp", "torch.mps", "torch.xpu", "torch.accelerator", "torch.distributed",
    "torch.multiprocessing", "torch.compiler", "torch.jit", "torch.overrides", "torch.profiler", "torch.version",
]  # fmt: skip
# Folders of PyTorch's whose files nobody imports from a model.
CLOSED = {
    f"torch.{name}" for name in (
        "_inductor", "ao", "bin", "contrib", "distributed", "export", "fx", "include", "lib", "nativert", "numa",
        "headeronly", "onnx", "package", "quantization", "share", "test", "testing", "utils.benchmark",
        "utils.data.datapipes", "utils.hipify", "utils.jit", "utils.model_dump", "utils.viz", "backends.xeon",
        "nn.quantized", "nn.intrinsic", "nn.qat", "nn.quantizable", "nn.backends", "nn.attention.experimental",
    )
}  # fmt: skip


def names_of(title: str) -> list[str]:
    """The public names of a module or of Tensor: all of `__all__`, and what else is PyTorch's own."""
    import torch

    owner: Any = torch.Tensor if title == "Tensor" else importlib.import_module(title)
    listed = set(getattr(owner, "__all__", ()))
    return sorted(
        name for name in {*listed, *dir(owner)}
        if not name.startswith("_") and (title == "Tensor" or name in listed or own(getattr(owner, name, None)))
    )  # fmt: skip


def own(value: Any) -> bool:
    """Whether a name that a module holds is PyTorch's, and not Python's or of a type alone."""
    if isinstance(value, ModuleType):
        return value.__name__.startswith("torch.")
    module = getattr(value, "__module__", None) or ""
    return not module or module.startswith(("torch", "builtins"))


def modules() -> list[str]:
    """Every public module that can be imported, but for the closed folders' files."""
    import torch

    found: list[str] = []

    def walk(title: str, path: Any) -> None:
        for each in pkgutil.iter_modules(path):
            name = f"{title}.{each.name}"
            if each.name.startswith("_") or name in CLOSED - {"torch.ao", "torch.onnx", "torch.fx", "torch.export"}:
                if name in CLOSED and not each.name.startswith("_"):
                    found.append(name)
                continue
            found.append(name)
            if each.ispkg and name not in CLOSED:
                walk(name, [str(Path(path[0], each.name))])

    walk("torch", torch.__path__)
    return sorted(found)


def text() -> str:
    """The whole file."""
    import torch

    release = torch.__version__.partition("+")[0].rpartition(".")[0]
    parts = [
        f"# The public names of PyTorch {release} by module: an error says whose a missing name is.\n"
        "# Written by `python -m tests.tools.list_pytorch_names`; "
        "`tests/unit/core/binding/test_names.py` compares it with PyTorch.\n"
    ]
    for title in [*SECTIONS, "Tensor"]:
        parts.append(f"\n[{title}]\n{textwrap.fill(' '.join(names_of(title)), 120)}\n")
    parts.append(f"\n[modules]\n{textwrap.fill(' '.join(name.removeprefix('torch.') for name in modules()), 120)}\n")
    return "".join(parts)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(10_000)
    Path(dyncore.__path__[0], "errors", "pytorch_names.txt").write_text(text(), encoding="utf-8")
