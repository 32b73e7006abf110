"""Code that runs on the workers of a cluster: the tasks that run a chunk and that merge tallies; texts in, texts out.

Each thread of a worker has a process of its own for each model, which is kept for the next chunk.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
from pathlib import Path
from typing import Any

from dyncli import errors
from dyncli.analysis.coverage import Settings, merged
from dyncli.analysis.coverage.coding import tally_in, tally_out
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.local import LOOK_SECONDS, served
from dyncli.coverage.process import Died, Process
from dyncli.version import __version__

_processes: dict[tuple[str, int], Process] = {}
_folders: dict[str, Any] = {}
_lock = threading.Lock()
_watching = False


def version() -> str:
    """Return the worker's version of dyncli."""
    return __version__


def run(spec: str, chunk: str) -> str:
    """Run a chunk on the worker; return JSON, the tally or an `error`."""
    try:
        process = _process(spec)
        chunks = iter([Chunk(*json.loads(chunk))])
        tallies = [tally_in(tally) for tally, _ in served(process, lambda most: next(chunks, None))]
    except errors.DyncliError as error:
        return json.dumps({"error": [error.message, error.hint, list(error.detail), error.exit_code]})
    return json.dumps(tally_out(merged(tallies)))


def merge(tallies: list[str]) -> str:
    """Several tallies as one."""
    values = list(map(json.loads, tallies))
    for value in values:
        if "error" in value:
            return json.dumps(value)
    return json.dumps(tally_out(merged(map(tally_in, values))))


def forget(spec: str) -> None:
    """End the child processes of a model, and delete its script's copy."""
    with _lock:
        for key in [key for key in _processes if key[0] == spec]:
            _processes.pop(key).close()
        if spec in _folders:
            _folders.pop(spec).cleanup()


def _process(spec: str) -> Process:
    key = spec, threading.get_ident()
    with _lock:
        known = _processes.get(key)
    if known is not None:
        return known
    values = json.loads(spec)
    path, folder = _place(spec, values)
    lists = {name: tuple(values["settings"][name]) for name in ("given", "arguments")}
    settings = Settings(**{**values["settings"], **lists})
    process = Process(path, values["entry"], settings, display=values["display"], folder=folder)
    try:
        process.handshake()
    except Died as died:
        process.close()
        raise errors.ModelLost(values["display"], died.words) from None
    except BaseException:
        process.close()
        raise
    with _lock:
        _processes[key] = process
    _watch()
    return process


def _place(spec: str, values: dict[str, Any]) -> tuple[str, str | None]:
    """Return the script's path on this worker and the folder to run it in.  A script that differs here is copied."""
    path, main = Path(values["model"]), values["display"]
    folder = values["folder"] if os.path.isdir(values["folder"]) else None
    try:
        if path.read_text("utf-8") == values["sources"][main]:
            return str(path), folder
    except (OSError, UnicodeError):
        pass
    with _lock:
        if spec not in _folders:
            _folders[spec] = tempfile.TemporaryDirectory(prefix="dyncli-cover-")
            root = Path(_folders[spec].name)
            for file, text in values["sources"].items():
                target = (root / os.path.relpath(file, os.path.dirname(main) or ".")).resolve()
                if target.is_relative_to(root.resolve()):
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_text(text, "utf-8", newline="")
        return str(Path(_folders[spec].name) / os.path.basename(main)), folder


def _watch() -> None:
    """Start the thread that kills processes which hang, once per worker."""
    global _watching
    with _lock:
        if _watching:
            return
        _watching = True

    def look() -> None:
        pause = threading.Event()
        while not pause.wait(LOOK_SECONDS):
            with _lock:
                processes = list(_processes.values())
            for process in processes:
                process.look()

    threading.Thread(target=look, daemon=True).start()
