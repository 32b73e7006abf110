"""Every message in `dyncli.errors`, read whole; they stand in `messages/`, one file per file of errors."""

import inspect

import pytest

from dyncli import errors
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
