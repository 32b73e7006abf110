"""Every message in `dyncli.errors`, read whole; they stand in `messages/`, one file per file of errors."""

import inspect

import pytest

from dyncli import errors
from dyncli.errors.base import notes
from tests.unit.dyncli.errors.messages import (
    api,
    base,
    check,
    comparing,
    coverage,
    export,
    forcing,
    inputs,
    pictures,
    run,
    script,
    stops,
    usage,
)

ABOUT = (api, base, check, comparing, coverage, export, forcing, inputs, pictures, run, script, stops, usage)
MESSAGES = [message for about in ABOUT for message in about.MESSAGES]


@pytest.mark.parametrize(("error", "code", "message"), MESSAGES, ids=lambda value: type(value).__name__)
def test_message(error, code, message):
    """What happened, where, and the way out."""
    assert (code, message) == (error.exit_code, error.report())


def test_every_error_is_read():
    """A new class has its message among them."""
    defined = {each for _, each in inspect.getmembers(errors, inspect.isclass) if issubclass(each, errors.DyncliError)}
    assert set() == {each.__name__ for each in defined - {type(error) for error, _, _ in MESSAGES}}


def test_nearest():
    """Letters swapped, dropped or in another case; nothing when it is too far."""
    assert "piecewise" == errors.nearest("PieceWsie", ["newton", "piecewise"])
    assert None is errors.nearest("x", ["newton", "piecewise"])


class Secret:
    """An object that does not list its attributes."""

    def __dir__(self):
        raise ValueError


def raised(action, *more):
    """Return what an action raises, with notes."""
    with pytest.raises(Exception) as caught:
        action()
    for note in more:
        caught.value.add_note(note)
    return caught.value


INSTALL = "hint: install `a` into the Python that dyncli runs in, or put `a.py` beside the script"


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (ValueError("x"), []),
        (ModuleNotFoundError("x"), []),
        (ModuleNotFoundError(name="a"), [INSTALL]),
        (ModuleNotFoundError(name="a.b"), [INSTALL]),
        (ImportError("cannot import name 'joinn' from 'posixpath'", name="os.path"), ["hint: did you mean `join`?"]),
        (ImportError("cannot import name 'qqqqq' from 'posixpath'", name="os.path"), []),
        (raised(lambda: [].appendd), ["hint: did you mean `append`?"]),
        (raised(lambda: [].appendd, "a note"), ["a note"]),
        (raised(lambda: [].qqqqq), []),
        (raised(lambda: [].__appendd__), []),
        (raised(lambda: None.appendd), []),
        (raised(lambda: Secret().appendd), []),
        (raised(lambda: int("x"), "one", "two"), ["one", "two"]),
    ],
    ids=repr,
)
def test_exception_of_a_script_gets_a_hint(error, found):
    """Where a name is missing that may be meant, and no note says more."""
    assert found == notes(error)


def test_missing_module_with_a_hint_gets_no_other():
    """Other notes stand before it."""
    error = ModuleNotFoundError(name="a")
    error.add_note("first")
    assert ["first", INSTALL] == notes(error)
    error.add_note("hint: elsewhere")
    assert ["first", "hint: elsewhere"] == notes(error)
