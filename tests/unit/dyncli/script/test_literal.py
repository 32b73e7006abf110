"""Texts -> plain values."""

import json
import math

import pytest
from hypothesis import given, strategies as st

from dyncli import errors
from dyncli.script.readers import DEEPEST, depth, parse

NAN = parse("nan", "here")  # one object, so that it equals itself in a list
VALUES = [
    ("1", 1),
    (" -2.5e3 ", -2500.0),
    ("[1, 2.5, true, null]", [1, 2.5, True, None]),
    ('{"x": [1], "y": {}}', {"x": [1], "y": {}}),
    ("(1, (2,))", [1, [2]]),
    ("{'x': True, 'y': None}", {"x": True, "y": None}),
    ("[inf, -inf, +1, -Infinity]", [math.inf, -math.inf, 1, -math.inf]),
    ("1_000", 1000),
    ("'a b'", "a b"),
    ("[1+2j, -1.5-2e-3j, +3j, (1+0j)]", [1 + 2j, -1.5 - 2e-3j, 3j, 1 + 0j]),
    ("[nan, inf-1j]", [NAN, complex(math.inf, -1)]),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_json_and_python_spellings(text, value):
    """Both are read; tuples are lists."""
    assert value == parse(text, "here")


@pytest.mark.parametrize(
    "text", ["", "hello", "[1, 2", "1 +", "f(1)", "[x for x in y]", "1 + 2", "-'a'", "{**a}", "-true"]
)
def test_what_is_no_literal(text):
    """Nothing is called, added or looked up."""
    with pytest.raises(errors.InputSyntax):
        parse(text, "here")


@pytest.mark.parametrize("text", ["1+2i", "[0, 1+j]", "1+2*j", "2j*2", "j", "1+2j+3j", "[1+2jj]"])
def test_what_is_no_complex_number(text):
    """The error says how one is written."""
    with pytest.raises(errors.InputSyntax) as raised:
        parse(text, "here")
    assert raised.value.message.endswith("is no complex number, which is written `1+2j`")


@pytest.mark.whole
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
def test_any_json_is_read_back(value):
    """What JSON writes is what comes back, and so is what Python writes."""
    assert value == parse(json.dumps(value), "here")


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text):
    """Never anything but a value or one of our errors."""
    try:
        parse(text, "here")
    except errors.InputError as error:
        assert error.message


def test_depth():
    """Nested levels, bounded so that what walks the value needs no stack."""
    assert (0, 1, 3) == (depth(1), depth([]), depth({"a": [[1]]}))
    assert DEEPEST == depth(parse("[" * DEEPEST + "]" * DEEPEST, "here"))
    for text in ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "[" * 100_000, '{"a":' * 5000 + "1" + "}" * 5000):
        with pytest.raises(errors.InputError):
            parse(text, "here")
