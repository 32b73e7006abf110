"""Checks of `autograd.functional` with `strict=True`, with PyTorch's sentences."""

from __future__ import annotations

from typing import Any

_MISSING = {
    "back": "The output of the user-provided function is independent of input {}. This is not allowed in strict mode.",
    "back_trick": (
        "The gradient with respect to the input is independent of entry {} in the grad_outputs when using the double "
        "backward trick to compute forward mode gradients. This is not allowed in strict mode."
    ),
    "double_back": (
        "The jacobian of the user-provided function is independent of input {}. This is not allowed in strict mode."
    ),
    "double_back_trick": (
        "The hessian of the user-provided function is independent of entry {} in the grad_jacobian. This is not "
        "allowed in strict mode as it prevents from using the double backward trick to replace forward mode AD."
    ),
}
_REQUIRED = {
    "outputs": (
        "Output {} of the user-provided function does not require gradients. The outputs must be computed in a "
        "differentiable manner from the input when running in strict mode."
    ),
    "grad_inputs": (
        "The gradient with respect to input {} is independent of the inputs of the user-provided function. This is not "
        "allowed in strict mode."
    ),
    "jacobian": (
        "While computing the hessian, found that the jacobian of the user-provided function with respect to input {} "
        "is independent of the input. This is not allowed in strict mode. You should ensure that your function is "
        "twice differentiable and that the jacobian depends on the inputs (this would be violated by a linear function "
        "for example)."
    ),
    "hessian": (
        "The hessian of the user-provided function with respect to input {} is independent of the input. This is not "
        "allowed in strict mode. You should ensure that your function is thrice differentiable and that the hessian "
        "depends on the inputs."
    ),
}


def missing(stage: str, number: int) -> str:
    """Return the sentence for a missing gradient."""
    return _MISSING[stage].format(number)


def constant(stage: str, number: int) -> str:
    """Return the sentence for a gradient that cannot be differentiated again."""
    title = "hessian" if stage.startswith("double") else "jacobian"
    return (
        f"The {title} of the user-provided function is independent of input {number}. This is not allowed in strict "
        "mode when create_graph=True."
    )


def independent(output: int, number: int) -> str:
    """Return the sentence for a Jacobian that does not depend on an input."""
    return (
        f"Output {output} of the user-provided function is independent of input {number}. This is not allowed in "
        "strict mode."
    )


def constant_jacobian(number: int) -> str:
    """Return the sentence for a Jacobian that cannot be differentiated again."""
    return (
        f"The jacobian of the user-provided function is independent of input {number}. This is not allowed in strict "
        "mode when create_graph=True."
    )


def require(values: tuple[Any, ...], kind: str, strict: bool) -> None:
    """Raise RuntimeError, if `strict`, for values missing or without a graph."""
    if not strict:
        return
    for number, each in enumerate(values):
        if each is None:
            raise RuntimeError(_MISSING["back"].format(number))
        if not each.requires_grad:
            raise RuntimeError(_REQUIRED[kind].format(number))


def check_scalar(several: bool, outputs: tuple[Any, ...], name: str) -> None:
    """Raise RuntimeError unless there is one output with one element."""
    if several:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if outputs[0].numel() != 1:
        raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")


def check_strategy(strategy: str, strict: bool, vectorize: bool, create_graph: bool) -> None:
    """Raise for combinations of arguments that PyTorch's `jacobian` refuses."""
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs '
            'than inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "forward-mode":
        if create_graph:
            raise NotImplementedError(
                'torch.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are not '
                'supported together (yet). Please either set `create_graph=False` or `strategy="reverse-mode"`.'
            )
        if strict:
            raise RuntimeError(
                'torch.autograd.functional.jacobian: `strict=True` and `strategy="forward-mode"` are not supported '
                'together (yet). Please either set `strict=False` or `strategy="reverse-mode"`.'
            )
        if not vectorize:
            raise NotImplementedError(
                "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for "
                "`vectorize=True`."
            )
    elif vectorize and strict:
        raise RuntimeError(
            "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported together. "
            "Please either set `strict=False` or `vectorize=False`."
        )
