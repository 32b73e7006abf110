"""Run one command line: the one place where an error becomes an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from errno import ENOSPC

from dyncli import errors
from dyncli.cli.console import wants_color


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
