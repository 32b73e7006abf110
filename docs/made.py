"""Pictures and references (of commands, API and engine) that `make docs` makes before Sphinx reads the pages.

python docs/made.py     makes all of it without Sphinx
"""

from __future__ import annotations

import inspect
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PICTURES = (".svg", ".png")
MODULES = {  # of the engine, with what a reader finds there
    "dyncore": "Tensors, functions and modes",
    "dyncore.Tensor": "Methods of tensors",
    "dyncore.autograd": "Gradients, custom functions, hooks",
    "dyncore.func": "Functions that differentiate functions",
    "dyncore.nn": "Layers and losses",
    "dyncore.nn.functional": "Layers as functions",
    "dyncore.nn.init": "First values of parameters",
    "dyncore.optim": "Optimizers",
    "dyncore.optim.lr_scheduler": "Schedules of the learning rate",
    "dyncore.distributions": "Probability distributions",
    "dyncore.linalg": "Linear algebra",
    "dyncore.fft": "Fourier transforms",
    "dyncore.special": "Special functions",
    "dyncore.utils.checkpoint": "Recomputing instead of saving",
    "dyncore.utils.data": "Data sets and loaders",
}


def everything(folder: Path) -> None:
    """Make pictures and generated pages below a folder of pages."""
    pictures(folder)
    commands(folder / "reference" / "commands.md")
    python(folder / "reference" / "python.md")
    engine(folder / "reference" / "engine")


def pictures(folder: Path) -> None:
    """Run the commands of every page that write a picture, and keep the pictures that the page shows."""
    from tests import transcripts

    kept = folder / "pictures"
    kept.mkdir(exist_ok=True)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "core")])}
    for page in sorted(folder.rglob("*.md")):
        text = page.read_text("utf-8")
        with tempfile.TemporaryDirectory() as place:
            for name, contents in transcripts.files_of_page(text).items():
                Path(place, name).write_text(contents, "utf-8")
            for step in transcripts.steps_of_page(text):
                written = step.command.rpartition(" -o ")[2]
                if not written.endswith(PICTURES) or f"pictures/{written})" not in text:
                    continue
                command = step.command.replace("dyncli", f"{sys.executable} -m dyncli", 1)
                subprocess.run(command, shell=True, cwd=place, env=environment, check=True, capture_output=True)
                shutil.move(Path(place, written), kept / written)


def commands(page: Path) -> None:
    """Write the help of every command, as the command prints it."""
    from dyncli.cli.commands import COMMANDS

    parts = ["# Commands", "What `dyncli COMMAND --help` prints. See also the [exit codes](exit-codes.md)."]
    for name in COMMANDS:
        asked = [sys.executable, "-m", "dyncli", name, "--help"]
        environment = os.environ | {"COLUMNS": "100", "NO_COLOR": "1", "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT}/core"}
        printed = subprocess.run(asked, capture_output=True, text=True, check=True, env=environment).stdout
        parts += [f"## dyncli {name}", f"```text\n{printed.strip()}\n```"]
    _write(page, parts)


def python(page: Path) -> None:
    """Write every name of `dyncli`, the methods of its classes below it."""
    parts = [
        "# The Python API",
        "Functions first, then the classes of what they return. `import dyncli` loads nothing until one is used.",
    ]
    values = [(name, getattr(_object("dyncli"), name)) for name in _object("dyncli").__all__ if name[0] != "_"]
    for name, value in sorted(values, key=lambda each: (inspect.isclass(each[1]), each[0])):
        parts.append(_described(name, value))
        if inspect.isclass(value):
            members = [(each, inspect.getattr_static(value, each)) for each in _own_names(value)]
            parts += [_described(f"{name}.{each}", member, 3) for each, member in members if inspect.getdoc(member)]
    _write(page, parts)


def engine(folder: Path) -> None:
    """Write one page for each module of the engine: every public name with its docstring."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [
        "# The engine",
        "`import dyncore as torch`, or `import torch` in a script that dyncli runs: the names, arguments and results"
        " are PyTorch's. `(*)` in a docstring is any shape.",
        "\n".join(f"- [{_torch(title)}]({title}.md): {subject.lower()}" for title, subject in MODULES.items()),
        "```{toctree}\n:hidden:\n\n" + "\n".join(MODULES) + "\n```",
    ]
    _write(folder / "index.md", parts)
    for title, subject in MODULES.items():
        _write(folder / f"{title}.md", [f"# {_torch(title)}", f"{subject}.", *_entries(title)])


def _torch(title: str) -> str:
    return "torch" + title.removeprefix("dyncore")


def _entries(title: str) -> Iterator[str]:
    """Yield one block for each public name of a module or class: the signature, then the docstring as it is."""
    owner = _object(title)
    for name in sorted(getattr(owner, "__all__", None) or _own_names(owner), key=str.lower):
        value = getattr(owner, name, None)
        if not callable(value) or not inspect.getdoc(value) or inspect.ismodule(value):
            continue
        yield _entry(name, value)


def _entry(name: str, value: Any, level: int = 2) -> str:
    signature = _signature(value) if callable(value) else ""
    return f"{'#' * level} {name}\n\n````text\n{name}{signature}\n\n{inspect.getdoc(value)}\n````"


def _described(name: str, value: Any, level: int = 2) -> str:
    """Return an entry with its docstring as prose: those of the API are Markdown; classes are not called by users."""
    signature = "" if inspect.isclass(value) or not callable(value) else _signature(value).replace("(self, ", "(")
    called = f"```python\n{name}{signature.replace('(self)', '()')}\n```\n\n" if signature else ""
    text = re.sub(r"(?m)(^|\.  )((?:\w+, )*\w+): ", _arguments, inspect.getdoc(value) or "")
    return f"{'#' * level} {name}\n\n{called}{text}"


def _arguments(found: re.Match[str]) -> str:
    """Write the names of arguments before their description as code."""
    return f"{found[1]}{', '.join(f'`{name}`' for name in found[2].split(', '))}: "


def _object(title: str) -> Any:
    owner, _, last = title.rpartition(".")
    return getattr(import_module(owner), last) if last == "Tensor" else import_module(title)


def _own_names(owner: Any) -> list[str]:
    return [name for name in dir(owner) if name[0] != "_" and getattr(owner, name, None) is not None]


def _signature(value: Any) -> str:
    """Return the arguments without annotations, which in the engine are mostly `Any`."""
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return "(...)"
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in signature.parameters.values()]
    return str(signature.replace(parameters=bare, return_annotation=inspect.Signature.empty))


def _write(page: Path, parts: list[str]) -> None:
    page.write_text("\n\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT), str(ROOT / "core")]
    everything(Path(__file__).resolve().parent)
