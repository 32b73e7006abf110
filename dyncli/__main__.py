"""The `dyncli` program and `python -m dyncli`: sets up the process, then runs the app."""

import os
import sys
from io import TextIOWrapper

from dyncli.script import execute


def main() -> None:
    """Run the app and exit with its code."""
    _open_streams()
    # NumPy's BLAS starts a thread for each core, which small models never use.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    execute.collect_less()
    from dyncli.cli.app import main as app

    code = app()
    execute.freeze_imported()
    sys.exit(code)


def _open_streams() -> None:
    """Open streams closed by the caller (`dyncli ... >&-`); stdout writes `?` for what it cannot encode."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8", closefd=False))
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors in ("strict", "surrogateescape"):
        sys.stdout.reconfigure(errors="replace")


if __name__ == "__main__":
    main()
