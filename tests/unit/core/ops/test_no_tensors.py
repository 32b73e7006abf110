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


@pytest.mark.parametrize("use", ["torch.exp(w)", "torch.cat([w])", "torch.zeros_like(w)", "w.sum()", "w[0]", "w == w"])
def test_a_parameter_without_a_shape_is_not_computed_with(use):
    """It counted as a tensor without elements, whose sum is 0."""
    with pytest.raises(ValueError, match="^Attempted to use an uninitialized parameter in "):
        eval(use, {"torch": dyncore, "w": dyncore.nn.LazyLinear(3).weight})


@pytest.mark.parametrize("operator", ["@", "**", "%", "+"])
def test_the_other_operand_answers_what_a_tensor_cannot(operator):
    """Ops that a compiled entry runs too."""
    names = {"@": "__rmatmul__", "**": "__rpow__", "%": "__rmod__", "+": "__radd__"}
    other = type("Other", (), {names[operator]: lambda self, tensor: "mine"})()
    x = dyncore.ones(2)
    for _ in range(40):
        eval(f"x {operator} x", {"x": x})
        assert eval(f"x {operator} other", {"x": x, "other": other}) == "mine"


def test_the_gradient_of_another_shape_is_not_kept():
    """Data set to another shape between forward and backward, whose gradient has to be copied into it."""
    weight = dyncore.ones(2, 3, requires_grad=True)
    total = (dyncore.ones(4, 2) @ weight).sum()
    weight.data = dyncore.ones(3, 2)
    with pytest.raises(RuntimeError, match="The size of tensor a"):
        total.backward()
    assert weight.grad is None
