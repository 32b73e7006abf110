"""Regular expressions that are kept with the byte code are those that Python compiles."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from types import ModuleType

import pytest

from dyncli.regexes import compiled, ready

ROOT = Path(__file__).resolve().parents[1]
SOURCE = r"""
import re

WORDS = re.compile(r"(?P<first>\w+)\s+(?P<second>\w+)", re.ASCII)
BYTES = re.compile(b"[\x80-\xff]+")


class Reader:
    NUMBER = re.compile("(?x) -? (\\d+) | (?i:inf)  # with a flag of its own")
"""
PROGRAM = """
import sys
from dyncli.bytecode import Bytecode
bytecode = Bytecode(sys.argv[1])
sys.meta_path.insert(0, bytecode)
from re import _compiler
python, asked = _compiler.compile, []
_compiler.compile = lambda *arguments: asked.append(arguments[0]) or python(*arguments)
import typer.said as said
print(len(asked), type(said.__loader__).__module__.partition(".")[0])
print(said.WORDS.match("one two").groupdict(), said.BYTES.findall(b"a\\xe9"), said.Reader.NUMBER.findall("-12 INF"))
print(said.WORDS, said.WORDS.flags, said.Reader.NUMBER.groups, said.WORDS == python(said.WORDS.pattern, 256))
_compiler.compile = python
bytecode.keep()
"""


def _module(**names: object) -> ModuleType:
    made = ModuleType("made")
    vars(made).update(names)
    return made


def test_a_module_that_was_started_once_has_its_expressions_at_hand(tmp_path: Path) -> None:
    """The second process compiles none, and its expressions find and say the same."""
    (tmp_path / "typer").mkdir()
    (tmp_path / "typer" / "__init__.py").touch()
    (tmp_path / "typer" / "said.py").write_text(SOURCE)
    path = os.pathsep.join(map(str, (tmp_path, ROOT, ROOT / "core")))
    told = [
        subprocess.run(
            [sys.executable, "-c", PROGRAM, str(tmp_path / "all")],
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": ""},
            check=True,
        ).stdout.splitlines()
        for _ in range(2)
    ]
    assert ["3 _frozen_importlib_external", "0 dyncli"] == [each[0] for each in told]
    assert told[0][1:] == told[1][1:]
    assert r"{'first': 'one', 'second': 'two'} [b'\xe9'] ['12', '']" == told[0][1]


@pytest.mark.parametrize("expression", [r"(a)(?P<n>b)\1", "[A-Z]+(?i:x)", "(?i)ſ|K", "é{2,}?", "(?s)^.*$"])
def test_what_is_kept_makes_an_equal_expression(expression: str) -> None:
    """With the same groups, flags and matches."""
    re.purge()
    first = re.compile(expression, re.MULTILINE)
    ((flags, made),) = kept = compiled(_module(first=first, again=first, other=1))
    assert (re.MULTILINE, expression) == (flags, made[0])
    re.purge()
    ready(kept)
    second = re.compile(expression, re.MULTILINE)
    assert first is not second
    assert (first, first.groupindex, first.flags) == (second, second.groupindex, second.flags)


def test_what_python_has_something_to_say_of_is_compiled_each_time() -> None:
    """A warning is heard, and what depends on the locale, or is not known to `re` any more, is left alone."""
    re.purge()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warned = re.compile("[[a]b]")
    local = re.compile(b"a", re.LOCALE)
    assert () == compiled(_module(warned=warned, local=local))
    forgotten = re.compile("forgotten")
    re.purge()
    assert () == compiled(_module(forgotten=forgotten))


def test_what_re_knows_stays() -> None:
    """An expression that somebody has compiled already is not replaced."""
    re.purge()
    kept = compiled(_module(known=re.compile("known")))
    re.purge()
    known = re.compile("known")
    ready(kept)
    assert known is re.compile("known")
