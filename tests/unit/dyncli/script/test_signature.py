"""What an entry takes, and the line that shows it."""

import typing

import pytest

from dyncli.script.script import signature_of

T = typing.TypeVar("T")


class Tensor: ...


class Module:
    """Calls `forward`, as the engine's does."""

    def __call__(self, *inputs):
        return self.forward(*inputs)


class Net(Module):
    def forward(self, x: Tensor, steps: int = 3): ...


def plain(x, y=1.5, *rest, mode="fast", **options): ...


def annotated(x: "Tensor", xs: "list[Tensor]", n: typing.Optional[int] = None, big=tuple(range(100))): ...  # noqa: UP045


def odd(x: 3, y: T, z: "int | None" = None): ...


def unknown(x: "NotHere", n: "int"): ...  # noqa: F821


TEXTS = [
    (plain, "f(x, y=1.5, *rest, mode='fast', **options)"),
    (annotated, "f(x: Tensor, xs: list[Tensor], n: Optional[int] = None, big=...)"),
    (Net(), "f(x: Tensor, steps: int = 3)"),
    (Net().forward, "f(x: Tensor, steps: int = 3)"),
    (odd, "f(x: 3, y: ~T, z: int | None = None)"),
    (unknown, "f(x: NotHere, n: int)"),
    (lambda *xs: None, "f(*xs)"),
    (print, None),
]


@pytest.mark.parametrize(("function", "expected"), TEXTS)
def test_the_line(function, expected):
    """Names, short annotations and plain defaults; `self` is not one of them."""
    text = signature_of(function, "f").text
    assert text.startswith("f(") if expected is None else expected == text


def test_annotations_are_types():
    """Text is evaluated; what cannot be stays text, and does not spoil the others."""
    parameters = {each.name: each.annotation for each in signature_of(unknown, "f").parameters}
    assert {"x": "NotHere", "n": int} == parameters
    assert [Tensor, list[Tensor]] == [each.annotation for each in signature_of(annotated, "f").parameters[:2]]


def test_what_can_be_given():
    """By name, by position, and through `*rest` and `**options`."""
    signature = signature_of(plain, "f")
    assert ["x", "y", "mode"] == signature.names
    assert ["x", "y"] == [each.name for each in signature.positional]
    assert signature.takes("anything") and "rest" == signature.rest.name and "options" == signature.keywords.name
    assert ["x"] == [each.name for each in signature.parameters if each.is_required]
