"""Command lines that are read without typer mean what typer would make of them."""

import inspect
import os
from importlib import import_module
from pathlib import Path

import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dyncli.commands import COMMANDS, plain
from dyncli.commands.declare import for_typer, parameters

WORDS = (
    *("net.py", "a b", "0", "1", "7", "-1", "2.5", "-", "--", "", "nan", "1e400", " 3", "1_000", "٣", "[1, -2]", "x=1"),
    *("-i=1", "-i1", "-hq", "--help", "--seed=3", "--no-such", "--se", "out.svg", "$HOME", "@file"),
)


def function_of(name):
    return getattr(import_module(f"dyncli.commands.{name}"), name)


def defaults(function):
    given = inspect.signature(function).parameters.values()
    return {each.name: each.default for each in given if each.default is not each.empty}


def by_typer(function, words):
    """The keyword arguments typer would call the function with, or None where it complains or leaves."""
    seen = []

    def stand_in(**given):
        seen.append(given)

    declared = for_typer(function)
    stand_in.__signature__ = inspect.signature(declared)
    stand_in.__annotations__ = declared.__annotations__
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command("stand-in")(stand_in)
    try:
        typer.main.get_command(single).main(words, "dyncli", standalone_mode=False)
    except typer.BadParameter.__mro__[2]:
        return None
    return seen[0] if seen else None


def names(name):
    """Every spelling of every option of a command."""
    found = []
    for parameter in parameters(function_of(name)):
        found += [each for spelling in parameter.declared.names for each in spelling.split("/")]
        found.append("--" + parameter.name.replace("_", "-"))
    return found


def lines(name):
    """Words at random, more often than not an option with something behind it."""
    option, word = st.sampled_from(names(name)), st.sampled_from(WORDS)
    good = st.sampled_from(WORDS[:4] + WORDS[-3:])
    pieces = st.one_of(good.map(lambda w: [w]), word.map(lambda w: [w]), option.map(lambda o: [o]),
                       st.tuples(option, good).map(list), st.tuples(option, word).map(list))  # fmt: skip
    return st.lists(pieces, max_size=5).map(lambda found: [each for piece in found for each in piece])


LINES = {name: lines(name) for name in COMMANDS}


@pytest.fixture(autouse=True)
def _environment(monkeypatch):
    """`--threads` sets a variable of the process: put it back."""
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")


@pytest.mark.parametrize("name", COMMANDS)
@settings(
    max_examples=150,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_what_is_read_is_what_typer_reads(name, data):
    """On random words; whatever is left to typer is right by itself."""
    words = data.draw(LINES[name])
    function = function_of(name)
    try:
        read = plain.read(function, words)
    except plain.Unusual:
        return
    expected = by_typer(function, words)
    assert expected is not None, words
    assert repr(expected) == repr({**dict.fromkeys(expected), **defaults(function), **read}), words


READ = [
    (["models"], {}),
    (["models", "--json", "--no-color"], {"json": True, "color": False}),
    (["run", "net.py", "-i", "[1, -1]", "-i", "x=2"], {"model": "net.py", "inputs": ["[1, -1]", "x=2"]}),
    (["run", "--seed", "3", "net.py", "--seed", "4"], {"seed": 4, "model": "net.py"}),
    (["graph", "a.dyn", "b.dyn", "-o", "x.svg"], {"model": "a.dyn", "other": "b.dyn", "output": Path("x.svg")}),
    (["cover", "a", "b", "c"], {"model": "a", "others": ["b", "c"]}),
    (["trace", "net.py", "--huge", "1e4", "--max-ops", "9"], {"model": "net.py", "huge": 1e4, "max_ops": 9}),
]
LEFT = [
    ["run"], ["run", "net.py", "other"], ["run", "net.py", "--seed"], ["run", "net.py", "--seed", "x"],
    ["run", "net.py", "--max-ops", "0"], ["run", "net.py", "-i", "-1"], ["run", "--help"],
    ["run", "net.py", "--input=1"], ["run", "net.py", "-qi", "1"], ["run", "--", "net.py"],
    ["run", "net.py", "--sed", "1"], ["run", ""],
]  # fmt: skip


@pytest.mark.parametrize(("words", "expected"), READ, ids=[" ".join(words) for words, _ in READ])
def test_read_without_typer(words, expected):
    """Flags, options by either name, repeated ones, numbers, paths, words."""
    called = plain.call(words)
    assert (function_of(words[0]), expected) == (called.func, called.keywords)


@pytest.mark.parametrize("words", [[], ["-h"], ["modles"], *LEFT], ids=" ".join)
def test_left_to_typer(words):
    """Mistakes, help, and ways of writing that need more than a table."""
    assert plain.call(words) is None


def test_completion_is_left_to_typer(monkeypatch):
    """The shell asks by a variable."""
    monkeypatch.setenv("_DYNCLI_COMPLETE", "complete_bash")
    assert plain.call(["models"]) is None


def test_threads_are_told_before_numpy_is_loaded(monkeypatch):
    """The option's own function sees its value, and the command does not."""
    assert {"model": "net.py"} == plain.read(function_of("run"), ["net.py", "--threads", "2"])
    assert "2" == os.environ["OPENBLAS_NUM_THREADS"]
