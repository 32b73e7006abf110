"""`python -m dyncore script.py args...`: run a PyTorch script as `python` does, with `torch` as this package.

Also `-m module args...` and `-c code args...`. A traceback shows the user's own frames.
"""

from __future__ import annotations

import builtins
import io
import os
import sys
from importlib.machinery import SourceFileLoader
from types import ModuleType, TracebackType

import dyncore
from dyncore.errors.source import is_engine
from dyncore.errors.torch_names import rename_classes

__dyncore__ = True  # `python -m dyncore` gives this module another name

USAGE = "usage: python -m dyncore [-m module | -c code | script.py] [args...]"


def main(arguments: list[str]) -> int:
    """Run what the arguments name and return the exit code; what the script raises is printed as Python prints it."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE, file=sys.stdout if arguments else sys.stderr)
        return 0 if arguments else 2
    kind, rest = (arguments[0], arguments[1:]) if arguments[0] in ("-m", "-c") else ("", arguments)
    if not rest or rest[0].startswith("-") and kind != "-c":
        print(f"{USAGE}\nno option `{(rest or arguments)[0]}` here, or nothing after it", file=sys.stderr)
        return 2
    sys.modules["torch"] = dyncore
    rename_classes()
    sys.path.insert(1, os.path.join(os.path.dirname(dyncore.__file__), "compat", "spawned"))  # for its children
    dyncore.process.tune()
    try:
        _RUN[kind](*rest)
    except SystemExit:
        raise
    except BaseException as error:
        _hide_frames(error, set())
        sys.excepthook(type(error), error, error.__traceback__)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _script(path: str, *arguments: str) -> None:
    try:
        with io.open_code(path) as file:
            source = file.read()
    except OSError as error:
        print(f"{sys.executable}: can't open file {path!r}: [Errno {error.errno}] {error.strerror}", file=sys.stderr)
        raise SystemExit(2) from None
    absolute = os.path.abspath(path)
    module = _new_main([path, *arguments], os.path.dirname(os.path.realpath(path)))
    module.__dict__.update(__file__=absolute, __cached__=None, __loader__=SourceFileLoader("__main__", absolute))
    exec(compile(source, absolute, "exec", dont_inherit=True), module.__dict__)


def _code(source: str, *arguments: str) -> None:
    module = _new_main(["-c", *arguments], "")
    exec(compile(source, "<string>", "exec", dont_inherit=True), module.__dict__)


def _module(name: str, *arguments: str) -> None:
    import runpy

    sys.argv = [name, *arguments]
    runpy.run_module(name, run_name="__main__", alter_sys=True)


_RUN = {"": _script, "-c": _code, "-m": _module}


def _new_main(argv: list[str], folder: str) -> ModuleType:
    """Return an empty `__main__`, with `sys.argv` and the first entry of `sys.path` as Python sets them."""
    sys.argv = argv
    if not sys.flags.safe_path:
        sys.path[0] = folder
    module = sys.modules["__main__"] = ModuleType("__main__")
    module.__dict__.update(__builtins__=builtins, __annotations__={})
    return module


def _hide_frames(error: BaseException | None, seen: set[int]) -> None:
    """Take the frames of this package out of the traceback of an error, and of those that it came from."""
    if error is None or id(error) in seen:
        return
    seen.add(id(error))
    kept: TracebackType | None = None
    for trace in reversed(_links(error.__traceback__)):
        if not is_engine(trace.tb_frame.f_globals):
            trace.tb_next = kept
            kept = trace
    error.__traceback__ = kept
    for other in (error.__cause__, error.__context__, *getattr(error, "exceptions", ())):
        _hide_frames(other, seen)


def _links(trace: TracebackType | None) -> list[TracebackType]:
    links = []
    while trace is not None:
        links.append(trace)
        trace = trace.tb_next
    return links


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
