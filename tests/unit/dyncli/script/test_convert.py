"""A value and an annotation -> what the entry gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypedDict, TypeVar, Union

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings, strategies as st

from dyncli import errors
from dyncli.script.convert import Converter, Leaf, describe, leaves, map_tree, takes_mapping


class Tensor:
    """Stands for the engine's, which is found by its name."""


class LongTensor(Tensor): ...


class BoolTensor(Tensor): ...


class DoubleTensor(Tensor): ...


@dataclass
class Tree:
    """A node of a recursive model."""

    value: Tensor
    left: Tree | None = None
    right: Tree | None = None


class Pair(NamedTuple):
    first: float
    second: int = 2


OPTIONAL = Optional[Tensor]  # noqa: UP045  scripts still say it so
EITHER = Union[Tensor, str]  # noqa: UP007


@dataclass
class Made:
    scale: float
    many: list[int] = field(default_factory=list)
    total: int = field(init=False, default=0)


class Two(tuple):
    """No NamedTuple: it has no fields."""


class Options(TypedDict, total=False):
    scale: float


def converted(value: Any, annotation: Any, dtype: str = "float32") -> Any:
    """What the entry gets, tensors as arrays."""
    tree = Converter(dtype, "forward(x)").convert(value, annotation, "x")
    return map_tree(tree, lambda leaf: leaf.array)


def kind(value: Any, annotation: Any) -> str:
    """The dtype of the only tensor in it, or the name of its Python type."""
    got = converted(value, annotation)
    return str(got.dtype) if isinstance(got, np.ndarray) else type(got).__name__


KINDS = [
    (1.5, Any, "float32"),
    ([1, 2], Any, "float32"),
    ([True, False], Any, "bool"),
    ([True, 2], Any, "float32"),
    (1, Any, "int"),
    (True, Any, "bool"),
    ("a", Any, "str"),
    (None, Any, "NoneType"),
    ([], Any, "float32"),
    (1, Tensor, "float32"),
    ([1, 2], Tensor, "float32"),
    ([1, 2], LongTensor, "int64"),
    ([1.0, 2.0], LongTensor, "int64"),
    ([1, 0], BoolTensor, "bool"),
    ([1, 2], DoubleTensor, "float64"),
    (np.ones(2), Any, "float32"),
    (np.ones(2, np.int64), Any, "int64"),
    (np.ones(2, np.int64), Tensor, "int64"),
    (np.ones(2, np.int64), np.ndarray, "int64"),
    (np.ones(2), DoubleTensor, "float64"),
    (np.ones(2, np.float32), DoubleTensor, "float64"),
    (np.ones(2), LongTensor, "int64"),
    (np.ones(2, np.complex64), Any, "complex64"),
    (1 + 2j, Tensor, "complex64"),
    ([1, 2], "torch.Tensor", "float32"),
    ([1, 2], "torch.LongTensor", "int64"),
    (3, "SomethingUnknown", "int"),
    (3, int, "int"),
    (3.0, int, "int"),
    (np.array(3), int, "int"),
    (3, float, "float"),
    (2.5, float, "float"),
    (True, bool, "bool"),
    ("a", str, "str"),
    ([1, 2], list, "list"),
    ([1, 2], list[int], "list"),
    ([1, 2], Sequence[float], "list"),
    ([1, 2], tuple[int, ...], "tuple"),
    ([1, 2], tuple, "tuple"),
    ({"a": 1}, dict[str, int], "dict"),
    (None, OPTIONAL, "NoneType"),
    ([1], OPTIONAL, "float32"),
    ([1, 2], list | None, "list"),
    (1.5, Tensor | float, "float32"),
    (1, Tensor | int, "int"),
    (1, EITHER, "float32"),
    ("a", EITHER, "str"),
    ([[1.0], [2.0, 3.0]], list[Tensor] | Tensor, "list"),
    ([1], Annotated[Tensor, "(n,)"], "float32"),
    ("fast", Literal["fast", "slow"], "str"),
    (3, TypeVar("T"), "int"),
    (1 + 2j, complex, "complex"),
    ([1], tuple[int], "tuple"),
    (np.ones(2), npt.NDArray[np.float64], "float32"),
    (3.5, np.float64, "float32"),
    ([1, 2], Two, "float32"),
    ({"scale": 1}, Made, "Made"),
    ("fast", Literal["fast"] | None, "str"),
    (None, Literal["fast"] | None, "NoneType"),
    (True, bool | int, "bool"),
    (True, DoubleTensor | str, "float64"),
    (1 + 2j, complex | float, "complex"),
    (1 + 2j, Tensor | float, "complex64"),
    ({"a": 1}, object | None, "dict"),
    (np.ones(2), list[int] | Tensor, "float32"),
    (["a"], Tensor | list[str], "list"),
    ([1], int | tuple[int], "tuple"),
    ([1.0], np.ndarray | None, "float32"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "annotation", "expected"), KINDS)
def test_annotations_decide(value, annotation, expected):
    """Each annotation gives its kind of value."""
    assert expected == kind(value, annotation)


WRONG = [
    (2.5, int, "`x` must be an integer, got 2.5"),
    ("3", int, '`x` must be an integer, got the string "3"'),
    (True, int, "`x` must be an integer, got true"),
    (1, bool, "`x` must be true or false, got 1"),
    (1, str, "`x` must be a string, got 1"),
    ("a", Tensor, '`x` must be a tensor, got the string "a"'),
    (None, Tensor, "`x` must be a tensor, got null"),
    ({"a": 1}, Tensor, "`x` must be a tensor, got an object with `a`"),
    ([1.5], LongTensor, "`x` must be whole numbers (int64), got a list of 1"),
    (1, list[int], "`x` must be a list, got 1"),
    ([1, "a"], list[int], '`x.1` must be an integer, got the string "a"'),
    ([1], tuple[int, int], "`x` must be 2 values, got a list of 1"),
    (np.ones(2, np.complex64), DoubleTensor, "`x` must be real numbers (float64), got complex64 of shape (2,)"),
    ([1], dict[str, int], "`x` must be an object, got a list of 1"),
    ({"a": 1.5}, dict[str, int], "`x.a` must be an integer, got 1.5"),
    ("quick", Literal["fast", "slow"], "`x` must be one of 'fast', 'slow', got the string \"quick\""),
    ("a", Tensor | int, '`x` must be Tensor or int, got the string "a"'),
    ("a", OPTIONAL, '`x` must be Tensor or None, got the string "a"'),
    (1, None, "`x` must be null, got 1"),
    (np.ones(2), int, "`x` must be an integer, got float64 of shape (2,)"),
    (None, int, "`x` must be an integer, got null"),
    ([1], complex, "`x` must be a number, got a list of 1"),
    (np.array(3.0), list[int], "`x` must be a list, got float64 of shape ()"),
    (True, int | str, "`x` must be int or str, got true"),
    (1 + 2j, int | str, "`x` must be int or str, got (1+2j)"),
    ([1], Pair | int, "`x` must be an object with the fields of Pair, got a list of 1"),
    ([1], int | None, "`x` must be int or None, got a list of 1"),
    ({"scale": 1, "total": 2}, Made, "no parameter `x.total`"),
    ([[1], [2], [3, 4]], Tensor, "`x` is not rectangular: [0] has 1 items and [2] has 2"),
    ([1], Tree, "`x` must be an object with the fields of Tree, got a list of 1"),
    ({"left": None}, Tree, "`x` must be an object with `x.value`, got an object with `left`"),
    ({"value": 1, "lefd": None}, Tree, "no parameter `x.lefd`"),
    ({"value": {}}, Tree, "`x.value` must be a tensor, got an empty object"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "annotation", "message"), WRONG)
def test_what_an_annotation_refuses(value, annotation, message):
    """The message names the value, what was wanted and what came."""
    with pytest.raises(errors.InputError) as caught:
        converted(value, annotation)
    assert message == caught.value.message


def test_a_dataclass_is_built_from_its_fields():
    """A nested object becomes the script's own tree, its leaves named by their way."""
    value = {"value": 1.0, "left": {"value": [1, 2]}, "right": None}
    tree = Converter("float32", "").convert(value, Tree, "tree")
    assert ["tree.value", "tree.left.value"] == [leaf.name for leaf in leaves(tree)]
    built = map_tree(tree, lambda leaf: leaf.array.tolist())
    assert Tree(1.0, Tree([1.0, 2.0]), None) == built


def test_named_tuples_and_typed_dicts():
    """Both are made of objects; fields with defaults may be left out."""
    assert Pair(1.5, 2) == converted({"first": 1.5}, Pair)
    assert {"scale": 2.0} == converted({"scale": 2}, Options)


def test_ragged_lists_of_tensors():
    """Sequences of different lengths are a list of tensors, each with its number."""
    tree = Converter("float32", "").convert([[1.0], [2.0, 3.0]], list[Tensor], "xs")
    assert [("xs.0", (1,)), ("xs.1", (2,))] == [(leaf.name, leaf.array.shape) for leaf in leaves(tree)]


def test_rows_of_an_array_are_a_list_of_tensors():
    """An array fits `list[Tensor]` row by row, and `list[int]` as numbers."""
    assert [(2,), (2,)] == [row.shape for row in converted(np.ones((2, 2)), list[Tensor])]
    assert [1, 2] == converted(np.array([1, 2]), list[int])


def test_half_precision_and_overflow():
    """A number too large for the dtype is infinite, as in PyTorch, and no warning is made."""
    assert np.isinf(converted([1e6], Tensor, "float16"))[0]


NUMBERS = st.floats(width=32) | st.integers(-(2**20), 2**20).map(float)


@pytest.mark.whole
@given(st.integers(0, 4).flatmap(lambda width: st.lists(st.lists(NUMBERS, min_size=width, max_size=width), max_size=4)))
def test_rectangles_keep_their_numbers(rows):
    """Any rectangle of numbers arrives as it was written."""
    (leaf,) = leaves(Converter("float32", "").convert(rows, Tensor, "x"))
    expected = np.array(rows, np.float32)
    np.testing.assert_array_equal(leaf.array, expected, strict=True)


PLAIN = st.none() | st.booleans() | st.integers() | NUMBERS | st.text(max_size=3)
JSON = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner), max_leaves=12
)
ANNOTATIONS = [Any, Tensor, LongTensor, int, str, list, list[Tensor], dict, Tree, Pair, Tensor | None]


@pytest.mark.whole
@settings(max_examples=50)
@given(JSON, st.sampled_from(ANNOTATIONS))
def test_any_value_fits_or_is_refused(value, annotation):
    """Whatever JSON holds, it is converted or refused with one of our errors."""
    try:
        converted(value, annotation)
    except errors.InputError as error:
        assert error.message


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [(Any, True), (dict, True), (dict[str, Any], True), (Tree, True), (Tree | None, True), ("Unknown", True),
     (Tensor, False), (int, False), (list[Tensor], False), (OPTIONAL, False)],
)  # fmt: skip
def test_what_an_object_may_be_given_to(annotation, expected):
    """Decides whether an object in a file is a value or a set of cases."""
    assert expected == takes_mapping(annotation)


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        (int | list, [1, [2, [3, 4]]]),
        (Optional[int | list], [1, [2, [3, 4]]]),  # noqa: UP045
        (float | tuple, (1.0, (2.0, (3.0, 4.0)))),
    ],
)
def test_a_bare_list_in_a_union_is_a_tree_of_the_others(annotation, expected):
    """Any depth, whole numbers or floats."""
    assert repr(expected) == repr(converted([1, [2, [3, 4]]], annotation))


def test_a_bare_dict_in_a_union_is_a_tree_of_the_others():
    """As of an expression: `{"add": {"mul": 3}}`."""
    assert {"a": {"b": 2.0}} == converted({"a": {"b": 2}}, float | dict)
    with pytest.raises(errors.InputError, match="`x.a` must be float or dict"):
        converted({"a": "word"}, float | dict)


def test_leaves_say_whether_they_are_floating():
    """Only those can require a gradient."""
    assert Leaf("x", np.ones(1)).is_floating and not Leaf("n", np.ones(1, int)).is_floating


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "an empty list"), ([1], "a list of 1"), ((1, 2), "a list of 2"), ({}, "an empty object"),
        (dict.fromkeys("abcdef"), "an object with `a`, `b`, `c`, `d`, `e`"), ("x" * 50, f'the string "{"x" * 40}"'),
        (None, "null"), (True, "true"), (False, "false"), (10**40, "1" + "0" * 40), (2.5, "2.5"),
        (10**40 + 1, "an integer of 133 bits"), (-(10**41), "an integer of 137 bits"),
        (np.ones((2, 3), "float32"), "float32 of shape (2, 3)"),
    ],
    ids=str,
)  # fmt: skip
def test_value_in_a_message(value: Any, words: str) -> None:
    """Say what it is in JSON's words, as far as it is short."""
    assert words == describe(value)
