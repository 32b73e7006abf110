"""Runs dynamic models and shows which way they went and what gradient came back.

    record = dyncli.record(forward, [1, -1, 2])
    print(record)

The names below are loaded when they are first used: `import dyncli` alone loads neither NumPy nor the engine.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dyncli.version import __version__

if TYPE_CHECKING:
    from dyncli.api.assertions import assert_same_path
    from dyncli.api.checking import Gradcheck, gradcheck
    from dyncli.api.comparing import Diff, diff
    from dyncli.api.covering import Coverage, cover
    from dyncli.api.record import Record, load
    from dyncli.api.recording import record, recording

_PLACES = {
    "load_ipython_extension": "notebook",
    "unload_ipython_extension": "notebook",
    "Coverage": "covering",
    "Diff": "comparing",
    "Gradcheck": "checking",
    "Record": "record",
    "assert_same_path": "assertions",
    "cover": "covering",
    "diff": "comparing",
    "gradcheck": "checking",
    "load": "record",
    "record": "recording",
    "recording": "recording",
}

__all__ = [
    "Coverage",
    "Diff",
    "Gradcheck",
    "Record",
    "__version__",
    "assert_same_path",
    "cover",
    "diff",
    "gradcheck",
    "load",
    "record",
    "recording",
]


def __getattr__(name: str) -> Any:
    """Return a name of the Python API from where it is defined."""
    place = _PLACES.get(name)
    if place is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.api.{place}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
