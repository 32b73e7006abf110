"""What is no tensor and no number, given to an op, is told as such: never an error from inside the engine."""

import pytest

import dyncore

NAMES = ("remainder", "pow", "xlogy", "copysign", "clamp", "where", "outer", "dist", "kron", "take_along_dim")


@pytest.mark.parametrize("wrong", ["a", {}, [1, 2], int], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_an_operand_that_is_no_tensor(name, wrong):
    """The op and the class of what it got are named."""
    with pytest.raises(TypeError) as caught:
        getattr(dyncore, name)(dyncore.ones(2), wrong)
    assert type(wrong).__name__ in str(caught.value)
    assert str(caught.value).startswith((f"{name}()", f"{name.removesuffix('_dim')}"))


@pytest.mark.parametrize("wrong", ["a", None])
def test_a_tensor_is_filled_with_numbers(wrong):
    """None was NaN."""
    with pytest.raises(TypeError, match=f"fill\\(\\).*{type(wrong).__name__}"):
        dyncore.ones(2).fill_(wrong)
