"""Run `dyncli` as a process forked from one that has imported it: real, with a state of its own, and without the start.

A start costs four times what most commands do.  `Starter` is the test's end; `serve` runs in the process that forks.
What depends on how Python starts (flags, warnings filters, hash seeds) needs `subprocess`.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import IO

TIMEOUT_SECONDS = 60
KEPT = ("__main__", "builtins", "sys")  # modules that Python's end clears as ever


@dataclass(frozen=True)
class Finished:
    """How a program ended."""

    code: int
    out: str
    err: str


class Starter:
    """Starts `dyncli` by forking."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self.environment = environment
        self._start()

    def _start(self) -> None:
        self.socket, theirs = socket.socketpair()
        self.process = subprocess.Popen(
            [sys.executable, str(Path(__file__)), str(theirs.fileno())],
            env=self.environment,
            pass_fds=[theirs.fileno()],
        )
        theirs.close()
        self.answers = self.socket.makefile("r")

    def close(self) -> None:
        """End the process that forks."""
        self.answers.close()
        self.socket.close()
        self.process.wait()

    def run(
        self,
        arguments: Sequence[str],
        stdin: bytes,
        folder: Path,
        environment: Mapping[str, str],
        *,
        in_one: bool = False,
    ) -> Finished:
        """Run `dyncli` with the given arguments in the folder; `in_one` writes errors where the output goes.

        Raises subprocess.TimeoutExpired after `TIMEOUT_SECONDS`.
        """
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(stdin)
            given.seek(0)
            request = json.dumps([list(arguments), str(folder), dict(environment)]).encode()
            files = [given.fileno(), out.fileno(), (out if in_one else err).fileno()]
            socket.send_fds(self.socket, [len(request).to_bytes(4)], files)
            self.socket.sendall(request)
            pid = int(self.answers.readline())
            self.socket.settimeout(TIMEOUT_SECONDS)
            try:
                status = int(self.answers.readline())
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                self.process.kill()
                self.close()
                self._start()  # what timed out cannot be read from any more
                raise subprocess.TimeoutExpired(list(arguments), TIMEOUT_SECONDS) from None
            self.socket.settimeout(None)
            return Finished(os.waitstatus_to_exitcode(status), _text(out), _text(err))


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode()


def serve(connection: socket.socket) -> bool:
    """Fork for each request; return True in a process that is to run `dyncli`, False when no more is asked for."""
    while True:
        length, files, *_ = socket.recv_fds(connection, 4, 3)
        if not length:
            return False
        request = b""
        while len(request) < int.from_bytes(length):
            request += connection.recv(1 << 20)
        arguments, folder, environment = json.loads(request)
        pid = os.fork()
        if not pid:
            connection.close()
            for descriptor, file in enumerate(files):
                os.dup2(file, descriptor)
                os.close(file)
            os.chdir(folder)
            os.environ.clear()
            os.environ.update(environment)
            sys.path[0] = folder
            sys.argv[1:] = arguments
            return True
        for file in files:
            os.close(file)
        connection.sendall(f"{pid}\n".encode())
        _, status = os.waitpid(pid, 0)
        connection.sendall(f"{status}\n".encode())


def import_what_commands_import() -> None:
    """Import what most commands would: 0.19 s of processor time for `run piecewise` become 0.06."""
    import dyncli

    modules = [module.name for module in pkgutil.walk_packages(dyncli.__path__, "dyncli.")]
    for name in ("dyncore", "rich.console", "rich.table", "graphviz", *modules):
        if name != "dyncli.__main__":
            importlib.import_module(name)


def hide_from_exit(modules: dict[str, ModuleType]) -> None:
    """Let Python's end spare these modules: to clear them copies every page of the process.

    What a command imports itself is cleared as ever, with the objects of its script.
    """
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(modules))
    for name in modules:
        sys.modules.pop(name, None)


if __name__ == "__main__":
    imported: dict[str, ModuleType] = {}
    atexit.register(hide_from_exit, imported)  # before all others, so that it is called last
    import_what_commands_import()
    imported |= {name: module for name, module in sys.modules.items() if name not in KEPT}
    gc.freeze()  # a collection in a forked process would copy every page

    if serve(socket.socket(fileno=int(sys.argv[1]))):
        runpy.run_module("dyncli", run_name="__main__", alter_sys=True)
