"""The `dyncli` program and `python -m dyncli`: settles what only a whole process may, then hands over to the app."""

import os
import sys
from io import TextIOWrapper

from dyncli import collector


def main() -> None:
    """Runs the app and leaves with its exit code."""
    _open_streams()
    # 45 ms of every start: NumPy's BLAS starts a thread for each core, which small models never use.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # 6 ms of a start and 1.8x on a graph of a million nodes: a recorded graph is live data, collecting it is idle work.
    collector.begin()
    # 12 ms of a run: Python looks for its three hundred modules one by one.
    from dyncli.bytecode import asked_first

    bytecode = asked_first()
    from dyncli.app import main as app

    code = app()
    bytecode.keep()
    # 50 ms of every run: at its end Python collects garbage several times, through all that was imported.
    # Where a script ran, all that was there before it is set apart already; what it left is freed as without us.
    collector.set_apart()
    sys.exit(code)


def _open_streams() -> None:
    """Opens what the process was started without (`dyncli ... >&-`); what stdout cannot encode is written as `?`."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8", closefd=False))
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors in ("strict", "surrogateescape"):
        sys.stdout.reconfigure(errors="replace")


if __name__ == "__main__":
    main()
