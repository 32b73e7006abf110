"""Errors: one class per cause, each with its exit code, message and hint.

0 is fine; 1 the check failed; 2 usage or input; 3 the model script raised; 4 stopped by a limit; 130 interrupted.
Only `dyncli.cli.app` turns an error into an exit code.  A class stands in the file of its subject and is found here:
`errors.InputShape(...)`; the files are read when the first of them is asked for, which most commands never do.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from dyncli.errors.base import *

if TYPE_CHECKING:
    from dyncli.errors.api import *
    from dyncli.errors.check import *
    from dyncli.errors.comparing import *
    from dyncli.errors.coverage import *
    from dyncli.errors.export import *
    from dyncli.errors.forcing import *
    from dyncli.errors.inputs import *
    from dyncli.errors.pictures import *
    from dyncli.errors.run import *
    from dyncli.errors.script import *
    from dyncli.errors.stops import *
    from dyncli.errors.usage import *

_ABOUT = ("api", "check", "comparing", "coverage", "export", "forcing", "inputs", "pictures", "run", "script",
          "stops", "usage")  # fmt: skip


def __getattr__(name: str) -> Any:
    """Return an error class from the file of its subject."""
    if not name.startswith("__"):
        _load()
    try:
        return globals()[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None


def __dir__() -> list[str]:
    _load()
    return sorted(globals())


def _load() -> None:
    for about in _ABOUT:
        module = import_module(f"{__name__}.{about}")
        globals().update((name, value) for name, value in vars(module).items() if not name.startswith("_"))
