"""The version of the tool and of the engine in it, and of what else runs a script."""

import sys

__version__ = "0.1.0"


def versions(*, torch: bool) -> dict[str, str]:
    """Return the versions for a record.  torch: whether the script imported `torch`, and so the engine under it."""
    import numpy as np

    found = {"dyncli": __version__, "python": sys.version.split()[0], "numpy": np.__version__}
    return found | ({"torch": f"dyncore {__version__}"} if torch else {})
