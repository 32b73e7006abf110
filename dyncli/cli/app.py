"""The `dyncli` program: sets up the process, runs a command line, and alone turns an error into an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from errno import ENOSPC
from io import TextIOWrapper

import dyncli.errors as errors
from dyncli.cli.output import wants_color
from dyncli.script import execute


def program() -> None:
    """Run the command line of this process and exit with its code."""
    _open_streams()
    # NumPy's BLAS starts a thread for each core, which small models never use.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    execute.collect_less()
    code = main()
    execute.freeze_imported()
    sys.exit(code)


def _open_streams() -> None:
    """Open streams closed by the caller (`dyncli ... >&-`); stdout writes `?` for what it cannot encode."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8", closefd=False))
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors in ("strict", "surrogateescape"):
        sys.stdout.reconfigure(errors="replace")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `dyncli` with these arguments, print errors on stderr and return the exit code."""
    try:
        from dyncli.cli import typer_app as typed

        code = typed.run(sys.argv[1:] if arguments is None else arguments)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except errors.DyncliError as error:
        return fail(error)
    except (KeyboardInterrupt, EOFError):
        return fail(errors.Interrupted())
    except BrokenPipeError:  # `dyncli run ... | head`: nobody reads any more
        _forget_stdout()
        return 0
    except Exception as error:
        if isinstance(error, OSError) and error.errno == ENOSPC:
            _forget_stdout()
            return fail(errors.OutputUnwritable(error.filename or "standard output", os.strerror(ENOSPC)))
        if os.environ.get("DYNCLI_TRACEBACK"):
            raise
        return fail(errors.InternalError(error))


def fail(error: errors.DyncliError) -> int:
    """Print the error on stderr and return its exit code."""
    with suppress(BrokenPipeError):
        sys.stdout.flush()
    word = "\x1b[1;31merror:\x1b[0m" if wants_color(None, sys.stderr) else "error:"
    print(word, error.report(), file=sys.stderr)
    return error.exit_code


def _forget_stdout() -> None:
    """Discard what is still to be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
