"""Modules from one file of byte code are those that Python would have found."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from pathlib import Path

import numpy as np
import pytest

from dyncli.bytecode import Bytecode

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = """
import sys
from dyncli.bytecode import Bytecode
bytecode = Bytecode(sys.argv[1])
sys.meta_path.insert(0, bytecode)
import typer.said
print(typer.said.VALUE, type(typer.said.__loader__).__module__.partition(".")[0])
bytecode.keep()
"""


def _run(arguments: list[str], folder: Path, **environment: str) -> str:
    """What a Python prints that finds modules in `folder` first."""
    path = os.pathsep.join(map(str, (folder, ROOT, ROOT / "core")))
    settings = {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "", **environment}
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=os.environ | settings, cwd=folder
    )
    assert "" == done.stderr
    return done.stdout


@pytest.fixture
def said(tmp_path: Path) -> Path:
    """A module `typer.said`."""
    source = tmp_path / "typer" / "said.py"
    source.parent.mkdir()
    (source.parent / "__init__.py").touch()
    source.write_text("VALUE = 1\n")
    return source


def test_what_was_imported_once_comes_from_the_file(said: Path, tmp_path: Path) -> None:
    """The second process finds the module there, until its source is another."""
    arguments = ["-c", PROGRAM, str(tmp_path / "all")]
    found = [_run(arguments, tmp_path), _run(arguments, tmp_path)]
    said.write_text("VALUE = 'another'\n")
    found += [_run(arguments, tmp_path), _run(arguments, tmp_path)]
    said.unlink()
    said.with_suffix("").mkdir()
    (said.with_suffix("") / "__init__.py").write_text("VALUE = 3\n")
    found += [_run(arguments, tmp_path), _run(arguments, tmp_path)]
    python, kept = "_frozen_importlib_external", "dyncli"
    expected = [f"1 {python}", f"1 {kept}", f"another {python}", f"another {kept}", f"3 {python}", f"3 {kept}"]
    assert [f"{each}\n" for each in expected] == found
    assert ["all", "typer"] == sorted(each.name for each in tmp_path.iterdir())


def test_a_folder_before_the_standard_library_is_asked_first(tmp_path: Path) -> None:
    """What it has by the name of a module of Python's, also by now, is imported as without the file."""
    folder = tmp_path / "first"
    folder.mkdir()
    program = (
        "import sys\nfrom importlib.machinery import PathFinder\nfrom dyncli.bytecode import Bytecode\n"
        "bytecode = Bytecode(sys.argv[1])\nsys.meta_path.insert(0, bytecode)\nsys.path.remove('')\n"
        "import json.decoder, textwrap\nbytecode.keep()\n"
        "for module in (json, json.decoder, textwrap):\n"
        "    print(type(module.__loader__).__module__.partition('.')[0], getattr(module, 'HERE', ''))\n"
        f"open({str(folder / 'bisect.py')!r}, 'w').write('HERE = 1')\nimport bisect\nprint(bisect.HERE)"
    )
    arguments = ["-c", program, str(tmp_path / "all")]
    python, kept = "_frozen_importlib_external \n", "dyncli \n"
    assert python * 3 + "1\n" == _run(arguments, folder)
    (folder / "bisect.py").unlink()
    assert kept * 3 + "1\n" == _run(arguments, folder)
    (folder / "textwrap.py").write_text("HERE = 2")
    (folder / "json").mkdir()
    (folder / "json" / "__init__.py").write_text("HERE = 3")
    (folder / "json" / "decoder.py").write_text("HERE = 4")
    said = [line.split() for line in _run(arguments, folder).splitlines()]
    assert [["3"], ["4"], ["2"], ["1"]] == [words[-1:] for words in said]


@pytest.mark.parametrize("content", [b"", b"\0", b"\xff" * 40, b"N" + bytes(8), b"(\x02\0\0\0NN" + bytes(8)])
def test_a_file_of_anything_else_is_not_used(said: Path, tmp_path: Path, content: bytes) -> None:
    """It is written anew."""
    (tmp_path / "all").write_bytes(content)
    arguments = ["-c", PROGRAM, str(tmp_path / "all")]
    assert ["1 _frozen_importlib_external\n", "1 dyncli\n"] == [_run(arguments, tmp_path), _run(arguments, tmp_path)]


def test_nothing_is_written_where_python_writes_no_byte_code(said: Path, tmp_path: Path) -> None:
    """As `PYTHONDONTWRITEBYTECODE` and a folder that is not there ask for."""
    _run(["-c", PROGRAM, str(tmp_path / "all")], tmp_path, PYTHONDONTWRITEBYTECODE="1")
    _run(["-c", PROGRAM, str(tmp_path / "nowhere" / "all")], tmp_path)
    assert ["typer"] == [each.name for each in tmp_path.iterdir()]


def test_modules_are_described_as_python_describes_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their file, their source, their `.pyc` and their code are the same."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = str(tmp_path / "all")
    Bytecode(path).keep()
    modules = ("numpy.lib._format_impl", np.lib.__path__), ("numpy.lib", np.__path__), ("json.decoder", json.__path__)
    for name, where in (*modules, ("textwrap", None), ("json", None)):
        kept, found = Bytecode(path).find_spec(name, where), PathFinder.find_spec(name, where)
        assert kept is not None and found is not None and kept.loader is not None and found.loader is not None
        assert (found.origin, found.cached, found.has_location) == (kept.origin, kept.cached, kept.has_location)
        assert found.submodule_search_locations == kept.submodule_search_locations
        assert inspect.getattr_static(found.loader, "path") == inspect.getattr_static(kept.loader, "path")
        described = [dict(vars(module_from_spec(spec))) for spec in (found, kept)]
        for each in described:
            assert each.pop("__spec__") in (found, kept) and each.pop("__loader__") in (found.loader, kept.loader)
        assert list(described[0].items()) == list(described[1].items())
        for ask in ("get_source", "get_code"):
            assert getattr(found.loader, ask)(name) == getattr(kept.loader, ask)(name)


@pytest.mark.slow
def test_the_program_keeps_its_own(tmp_path: Path) -> None:
    """A command says the same without the file, with it, and without the right to write one."""
    environment = {"PYTHONPYCACHEPREFIX": str(tmp_path / "cache")}
    said = [_run(["-m", "dyncli", "models"], tmp_path, **environment) for _ in range(2)]
    (kept,) = (tmp_path / "cache").rglob("kept.*")
    kept.unlink()
    kept.parent.chmod(0o500)
    assert [said[0]] * 2 == [said[1], _run(["-m", "dyncli", "models"], tmp_path, **environment)]


def test_processes_of_cover_take_it_from_there_too(tmp_path: Path) -> None:
    """The first run writes what its processes import, the second imports it from there."""
    script = tmp_path / "net.py"
    script.write_text(
        "import sys\nloader = type(sys.modules['dyncore.tensor'].__loader__)\n\ndef model(x):\n"
        "    raise ValueError(loader.__module__)\n"
    )
    (tmp_path / "data.jsonl").write_text('{"x": 1.0}\n')
    arguments = ["-m", "dyncli", "cover", "net.py", "--inputs", "data.jsonl"]
    told = [_run(arguments, tmp_path, PYTHONPYCACHEPREFIX=str(tmp_path / "cache")) for _ in range(2)]
    assert "ValueError: _frozen_importlib_external" in told[0] and "ValueError: dyncli.bytecode" in told[1]


def test_the_file_lies_where_pip_looks_for_the_byte_code_of_a_module() -> None:
    """What an installation brought is removed with its `.pyc`: nothing is left in `__pycache__`."""
    code = "import importlib.util, dyncli.bytecode as b, dyncli\n"
    code += "print(b.asked_first().path == importlib.util.cache_from_source(dyncli.__path__[0] + '/kept.py'))\n"
    assert "True\n" == _run(["-c", code], ROOT)
    assert (ROOT / "dyncli" / "kept.py").is_file()
