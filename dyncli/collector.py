"""What the command line asks of Python's garbage collector."""

import gc

#: The first threshold in a process of the command line.
COLLECTED_AFTER = 100_000
#: Python 3.12 sets some hundred objects apart before anything runs; what a script needs is fifty thousand.
FEW = 10_000


def begin() -> None:
    """Makes it rarer: a recorded graph is live data, collecting it is idle work."""
    gc.set_threshold(COLLECTED_AFTER, 20, 50)


def set_apart() -> None:
    """Tells it, in a process of ours and once, that what is there is no garbage.

    Asked before a script, it frees what the script leaves at the end of the process, such as a file that is still to be
    written, and looks through little else.
    """
    if gc.get_threshold()[0] == COLLECTED_AFTER and gc.get_freeze_count() < FEW:
        gc.freeze()
