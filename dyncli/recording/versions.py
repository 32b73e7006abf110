"""Versions of what runs a script, for the record."""

from __future__ import annotations

import sys

import numpy as np

from dyncli.instrument.runtime.importer import Importer
from dyncli.instrument.runtime.live_functions import LiveFunctions
from dyncli.version import __version__


def versions(importer: Importer | LiveFunctions) -> dict[str, str]:
    """Return the versions of what ran, and what `torch` was if the script imported it."""
    found = {"dyncli": __version__, "python": sys.version.split()[0], "numpy": np.__version__}
    return found | ({"torch": f"dyncore {__version__}"} if importer.imports_torch else {})
