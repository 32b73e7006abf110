"""MODEL: which file it names, and which callable in it is run.

loaded = load("nets/tree.py:forward", with_inputs=True, execute=importer.execute)
loaded.function(...)            # or, when the script itself is the run: loaded.run_script()
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from dyncli import errors
from dyncli.script import paths
from dyncli.script.entry import choose, choose_named
from dyncli.script.execute import Execute, execute_plain
from dyncli.script.files import READERS
from dyncli.script.paths import beside, display, is_file, is_record

SCRIPT_ITSELF = "__main__"
LARGEST_SCRIPT_BYTES = 10_000_000
_COLON = r"(?P<file>.+):(?P<entry>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)"


class Target(NamedTuple):
    """File that MODEL names, its shown name, the entry, and a bundled model's sample.

    typed: the file as the user wrote it; None for a bundled model.
    """

    path: Path
    display: str
    entry: str | None = None
    sample: Path | None = None
    typed: str | None = None


class Loaded(NamedTuple):
    """A script ready to run.

    entry: the name of what is run, `__main__` when the script itself is.  function, module: the callable and the
    executed module; both None when the script itself is the run, because it has not run yet.
    """

    target: Target
    entry: str
    function: Callable[..., Any] | None
    module: ModuleType | None
    execute: Execute

    @property
    def is_script(self) -> bool:
        """True if the script itself is the run, as under `python script.py`."""
        return self.function is None

    def run_script(self) -> ModuleType:
        """Run the script as `__main__` and return its module.

        Its exceptions pass through, SystemExit too.
        """
        return self.execute(self.target.path, self.target.display, SCRIPT_ITSELF)


def load(
    model: str, entry: str | None = None, *, with_inputs: bool = False, execute: Execute = execute_plain
) -> Loaded:
    """Load the script that `model` names, and resolve its entry.

    It is executed unless it is itself the run.
    with_inputs: the user gave inputs; with none and no entry the script itself is the run.
    Raises ScriptNotFound, UnknownModel, ScriptUnreadable, ScriptSyntax, ScriptRaised, ScriptExited, and the errors of
    `dyncli.script.entry`.
    """
    target = find(model)
    if entry and target.entry and entry != target.entry:
        raise errors.EntryTwice(target.entry, entry)
    name = entry or target.entry
    read_source(target)
    with_inputs = with_inputs or target.sample is not None
    if name == SCRIPT_ITSELF or (name is None and not with_inputs):
        return Loaded(target, SCRIPT_ITSELF, None, None, execute)
    with _users_errors(target):
        module = execute(target.path, target.display, module_name(target.path))
        if name is not None:
            return Loaded(target, name, choose_named(module, name, target.display), module, execute)
        entry, function = choose(module, target.display)
    return Loaded(target, entry, function, module, execute)


def find(model: str) -> Target:
    """Return the file that MODEL names: a path, `path:entry`, or a bundled name.

    A bundled name is found even if a folder of that name stands here; a file of that very name comes first.
    """
    for file, entry in _splits(model):
        path = Path(file)
        if is_file(file):
            _refuse_data(file)
            return Target(path.resolve(), display(str(path.absolute()), {}), entry, typed=file)
        known = paths.find(file)
        if known is not None:
            return Target(known.path, known.display, entry, known.sample, file if known.is_script else None)
    file = _splits(model)[-1][0]
    if os.path.isdir(file):
        raise errors.ScriptUnreadable(file, "it is a folder")
    names = [known.name for known in paths.models()]
    here = beside(file, [".py"])
    if file.endswith(".py") or "/" in file or "\\" in file:
        raise errors.ScriptNotFound(file, [*names, *here])
    raise errors.UnknownModel(file, [*names, *here])


def argv(model: str, arguments: Sequence[str]) -> list[str]:
    """Return the `sys.argv` of the script that `model` names, as under `python script.py arguments`.

    Raises ArgumentsUnused for a bundled model, which reads none, and the errors of `find`.
    """
    target = find(model)
    if target.typed is None and arguments:
        raise errors.ArgumentsUnused(target.display, "a bundled model", arguments)
    return [target.typed or str(target.path), *arguments]


def _refuse_data(file: str) -> None:
    """Raise ScriptUnreadable for a notebook, a record or inputs, by the suffix."""
    if file.endswith(".ipynb"):
        hint = f"write its cells into a script: `jupyter nbconvert --to script {file}`"
        raise errors.ScriptUnreadable(file, "it is a notebook", hint)
    if is_record(file):
        raise errors.ScriptUnreadable(file, "it is a saved record, which holds no code to run")
    if Path(file).suffix.lower() in READERS:
        raise errors.ScriptUnreadable(file, "it holds inputs, not a model")


def read_source(target: Target) -> bytes:
    """Return the script's bytes, if they are Python that compiles."""
    try:
        if target.path.stat().st_size > LARGEST_SCRIPT_BYTES:
            raise errors.ScriptUnreadable(target.display, "it is larger than 10 MB")
        source = target.path.read_bytes()
    except OSError as error:
        raise errors.ScriptUnreadable(target.display, error.strerror or str(error)) from None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are shown when the script is compiled to be run
            compile(source, str(target.path), "exec", dont_inherit=True)
    except SyntaxError as error:
        raise syntax_error(error, target.display) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise errors.ScriptUnreadable(target.display, str(error) or type(error).__name__) from None
    return source


def module_name(path: Path) -> str:
    """Return the name that a script is imported by.

    That of its file, unless another module has it (`random.py`, `numpy.py`).
    """
    name = path.stem
    if name.isidentifier() and name not in sys.stdlib_module_names:
        known = sys.modules.get(name)
        spec = None if known else find_spec(name)
        file = getattr(known, "__file__", None) if known else spec and spec.origin
        if file == str(path) or not (known or spec):
            return name
    return f"script_{re.sub(r'[^0-9A-Za-z_]', '_', name)}"


def syntax_error(error: SyntaxError, file: str) -> errors.ScriptSyntax:
    """Convert the user's syntax error to one of ours."""
    line = error.text.strip() if error.text else None
    return errors.ScriptSyntax(f"{file}:{error.lineno}" if error.lineno else file, error.msg, line)


def _splits(model: str) -> list[tuple[str, str | None]]:
    match = re.fullmatch(_COLON, model) if ":" in model else None
    whole: tuple[str, str | None] = (model, None)
    return [whole, (match["file"], match["entry"])] if match else [whole]


@contextmanager
def _users_errors(target: Target) -> Iterator[None]:
    """Convert exceptions of a script that is loaded, with the user's own frames."""
    names = {str(target.path): target.display}
    try:
        yield
    except errors.DyncliError:
        raise
    except SystemExit as error:
        raise errors.ScriptExited(error.code, _frame_lines(error, names)) from None
    except SyntaxError as error:  # of a module that the script imports
        raise syntax_error(error, display(error.filename or target.display, names)) from None
    except Exception as error:
        raise errors.ScriptRaised(error, _frame_lines(error, names)) from error
    finally:
        sys.stdout.flush()


def _frame_lines(error: BaseException, names: dict[str, str]) -> list[str]:
    from dyncli.script.frames import frame_line, user_frames

    return list(map(frame_line, user_frames(error.__traceback__, names)))
