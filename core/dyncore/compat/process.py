"""Settings of a whole process for an engine of many small or large arrays.

Importing dyncore sets none of it: a library does not decide for the program it is part of.  A program of one's own asks
for all of it with one call, as the `dyncli` command does:

    import dyncore as torch
    torch.process.tune()
"""

from __future__ import annotations

import gc

from dyncore.tensors.settings import set_num_threads

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3  # of glibc's malloc.h
GREATEST = (1 << 31) - 1


def tune(*, memory: bool = True, collector: bool = True, threads: int | None = 1) -> None:
    """Settle the allocator, the garbage collector and BLAS's threads for the rest of the process.

    memory: keep freed memory, see `keep_memory`.  collector: look for garbage less often, see `collect_less`.
    threads: of NumPy's BLAS; more than 1 pays for matrices of 512 x 512 and more on cores nobody else uses.  None
    leaves them as they are.
    """
    if memory:
        keep_memory()
    if collector:
        collect_less()
    if threads is not None:
        set_num_threads(threads)


def keep_memory() -> bool:
    """Make C's allocator keep freed memory; return whether it can.

    An array of a megabyte is otherwise mapped anew each time, and its pages are touched for the first time each time
    (tests/bench, `1e6 elementwise`).  The process stays as large as it was at its peak.  glibc on Linux only; elsewhere
    nothing happens.
    """
    import ctypes

    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # another C library, or Windows
        return False
    return bool(mallopt(M_MMAP_THRESHOLD, 1 << 30)) and bool(mallopt(M_TRIM_THRESHOLD, GREATEST))


def collect_less() -> None:
    """Make Python look for cyclic garbage after 100,000 allocations, not 700.

    And seldom through all of them: a recorded graph is live data.
    """
    gc.set_threshold(100_000, 20, 50)
