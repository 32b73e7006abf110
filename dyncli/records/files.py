"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from dyncli import errors


def write(path: Path, data: bytes) -> None:
    """Write all of a file or nothing; through a link, or into a pipe or device.  Raises OutputUnwritable."""
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            _replace(path.resolve(), data)
    except OSError as error:
        raise errors.OutputUnwritable(str(path), errors.reason(error)) from None


def _replace(path: Path, data: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        beside.write_bytes(data)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
