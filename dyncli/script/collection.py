"""Settings of Python's garbage collector for the command line."""

import gc

#: The first threshold in a process of the command line.
COLLECTED_AFTER = 100_000
_is_frozen = False


def collect_less() -> None:
    """Collect less often: a recorded graph is live data."""
    gc.set_threshold(COLLECTED_AFTER, 20, 50)


def freeze_imported() -> None:
    """Freeze all live objects, once per process of the command line.

    Called before the script runs, so that objects the script leaves are still finalized at exit, and the collections
    at exit skip everything that was imported.
    """
    global _is_frozen
    if gc.get_threshold()[0] == COLLECTED_AFTER and not _is_frozen:
        _is_frozen = True
        gc.freeze()
