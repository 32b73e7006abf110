"""`gradcheck` and `gradgradcheck`: derivatives against finite differences.

Jacobians are NumPy matrices (inputs x outputs) of real outputs; a complex output is checked by its real and imaginary
parts, a complex input by the derivative convention of PyTorch, dL/dx + i dL/dy.
`fast_mode` compares v^T J u for two random vectors.  u, v are drawn from PyTorch's own stream, are not negative, and
have length 1; differences and backward take two calls and one backward for each input, however large it is.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from dyncore.errors.explain import missing_in
from dyncore.rng.generator import Generator
from dyncore.tensors.tensor import Tensor, storage, wrap

from . import grad as _gradients
from .numerical import columns, differences, same_kind, sources_of, vector

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """A derivative differs from finite differences."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare the derivatives of `func` at `inputs` with finite differences.

    Returns True if they agree.  Raises GradcheckError if not, or returns False without `raise_exception`.
    inputs: double-precision tensors, those to check with requires_grad.  fast_mode: compares v^T J u for random vectors
    instead of every element of the Jacobian J.  check_batched_grad is accepted: rows are computed one by one.
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if check_batched_grad and not check_backward_ad:
        raise AssertionError("Setting check_batched_grad=True requires check_backward_ad to be True")
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True")
    try:
        given = _tuple(inputs)
        _check_inputs(given)
        outputs = _outputs(func(*given))
        if not outputs:
            _check_constant(func, given, eps)
            return True
        if check_backward_ad:
            for part, name in _parts(func, given):
                if fast_mode:
                    _must_be_none(_compare_fast(part, given, name, eps, atol, rtol, nondet_tol))
                else:
                    _compare(part, given, name, eps, atol, rtol, nondet_tol, check_grad_dtypes)
        if check_forward_ad:
            _check_forward(func, given, fast_mode, eps, atol, rtol, check_undefined_grad)
        if check_batched_forward_grad:
            from . import forward_gradcheck

            _must_be_none(forward_gradcheck.batched(_chosen(func, given), given))
        if check_backward_ad:
            _check_zero(func, given)
            if check_undefined_grad:
                _check_undefined(func, given)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Compare second derivatives: `gradcheck` of the gradients.

    They are differentiated by inputs and cotangents.
    """
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    given = _tuple(inputs)
    if grad_outputs is None:
        cotangents = tuple(_drawn(out) for out in _outputs(func(*given)))
    else:
        cotangents = _tuple(grad_outputs)
    count = len(cotangents)

    def gradients(*args: Any) -> Any:
        values, vectors = args[:-count], args[-count:]
        values = tuple(v.requires_grad_() if isinstance(v, Tensor) and not v.requires_grad and old.requires_grad else v
                       for v, old in zip(values, given, strict=True))  # fmt: skip
        outputs = _outputs(func(*values))
        sources = [v for v in values if isinstance(v, Tensor) and v.requires_grad]
        results = _gradients(outputs, sources, vectors, create_graph=True, allow_unused=True)
        return tuple(g for g in results if g is not None)

    return gradcheck(
        gradients, (*given, *cotangents), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception,
        nondet_tol=nondet_tol, check_undefined_grad=check_undefined_grad, check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad, check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev, fast_mode=fast_mode, masked=masked,
    )  # fmt: skip


def _drawn(out: Tensor) -> Tensor:
    """Return numbers of [-1, 1) from PyTorch's stream, in the shape of an output."""
    dtype, shape = out._array.dtype, out._array.shape
    real = dtype.type(0).real.dtype
    drawn: Any = wrap(np.empty((*shape, 2) if real != dtype else shape, real), None)
    drawn.uniform_(-1, 1)
    return wrap(drawn._array if real == dtype else drawn._array.view(dtype)[..., 0], None).requires_grad_()


def _tuple(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else tuple(value) if isinstance(value, list) else (value,)


def _outputs(value: Any) -> tuple[Any, ...]:
    """Return the differentiable outputs."""
    return tuple(each for each in _tuple(value) if each.requires_grad)


def _check_inputs(inputs: tuple[Any, ...]) -> None:
    for number, each in sources_of(inputs):
        if str(each._array.dtype) not in ("float64", "complex128"):
            warnings.warn(
                f"Input #{number} requires gradient and is not a double precision floating point or complex. This "
                "check will likely fail if all the inputs are not of double precision floating point or complex. ",
                stacklevel=3,
            )
        if any(stride == 0 and size > 1 for stride, size in zip(each.stride(), each._array.shape, strict=True)):
            raise RuntimeError(
                f"The {number}th input has a dimension with stride 0. gradcheck only supports inputs that are "
                "non-overlapping to be able to compute the numerical gradients correctly. You should call .contiguous "
                "on the input before passing it to gradcheck."
            )
    if not sources_of(inputs):
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )


def _check_constant(func: Callable[..., Any], inputs: tuple[Any, ...], eps: float) -> None:
    def floats(*args: Any) -> tuple[Any, ...]:
        return tuple(out for out in _tuple(func(*args)) if isinstance(out, Tensor))

    for _, source in sources_of(inputs):
        if any(np.any(block != 0) for block in columns(floats, inputs, source, eps)):
            raise GradcheckError("Numerical gradient for function expected to be zero")


def _must_be_none(problem: str | None) -> None:
    if problem is not None:
        raise GradcheckError(problem)


def _chosen(func: Callable[..., Any], inputs: tuple[Any, ...]) -> Callable[..., tuple[Any, ...]]:
    """Return the function with only its outputs that are differentiable at `inputs`.

    The choice holds where nothing is recorded, too.
    """
    outs = _tuple(func(*inputs))
    positions = [n for n, each in enumerate(outs) if isinstance(each, Tensor) and each.requires_grad]

    def function(*args: Any) -> tuple[Any, ...]:
        outputs = _tuple(func(*args))
        return tuple(outputs[position] for position in positions)

    return function


def _parts(func: Callable[..., Any], inputs: tuple[Any, ...]) -> list[tuple[Callable[..., Any], str]]:
    """Return the function, or its imaginary and real part if an output is complex."""
    chosen = _chosen(func, inputs)
    if not any(out.is_complex() for out in chosen(*inputs)):
        return [(chosen, "")]

    def taken(part: str) -> Callable[..., Any]:
        def function(*args: Any) -> tuple[Any, ...]:
            return tuple(getattr(out, part) if out.is_complex() else out for out in chosen(*args))

        return function

    return [
        (taken("imag"), "While considering the imaginary part of complex outputs only, "),
        (taken("real"), "While considering the real part of complex outputs only, "),
    ]


def _check_forward(
    func: Callable[..., Any], inputs: tuple[Any, ...], fast: bool, eps: float, atol: float, rtol: float, zeros: bool
) -> None:
    """Raise GradcheckError unless forward mode agrees with differences.

    zeros: check missing tangents too.
    """
    from . import forward_gradcheck

    chosen = _chosen(func, inputs)
    _must_be_none(forward_gradcheck.compare(chosen, inputs, fast, eps, atol, rtol))
    if zeros:
        _must_be_none(forward_gradcheck.undefined(chosen, inputs))


_NOT_REENTRANT = (
    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives different "
    "values, although analytical gradient matches numerical gradient.The tolerance for nondeterminism was {}."
)


def _compare(
    func: Callable[..., Any],
    inputs: tuple[Any, ...],
    prefix: str,
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float,
    check_dtypes: bool,
) -> None:
    sources = sources_of(inputs)
    numerical = [columns(func, inputs, source, eps) for _, source in sources]
    for number, out in enumerate(func(*inputs)):
        first = analytical_jacobian(out, [source for _, source in sources], check_dtypes)
        second = analytical_jacobian(out, [source for _, source in sources], check_dtypes)
        for index, (rows, again) in enumerate(zip(first, second, strict=True)):
            if not np.all(np.abs(rows - again) <= nondet_tol):
                raise GradcheckError(_NOT_REENTRANT.format(nondet_tol))
            expected = numerical[index][number]
            if not np.allclose(rows, expected, rtol, atol):
                raise GradcheckError(
                    f"{prefix}Jacobian mismatch for output {number:d} with respect to input {index:d},\n"
                    f"numerical:{wrap(expected, None)}\nanalytical:{wrap(rows, None)}\n"
                )


def analytical_jacobian(out: Tensor, sources: list[Tensor], check_dtypes: bool) -> list[Any]:
    """Return the Jacobian of one real output by every input.

    It takes one backward for each element.
    """
    blocks = [np.zeros((s.numel(), out.numel()), s._array.dtype) for s in sources]
    for column in range(out.numel()):
        cotangent = np.zeros(out.numel(), out._array.dtype)
        cotangent[column] = 1
        gradients = _gradients(
            [out], sources, [wrap(cotangent.reshape(out._array.shape), None)], retain_graph=True, allow_unused=True
        )
        for g, source, block in zip(gradients, sources, blocks, strict=True):
            if g is None:
                continue
            if check_dtypes and g._array.dtype != source._array.dtype:
                raise GradcheckError("Gradient has dtype mismatch")
            if g._array.shape != source._array.shape:
                raise GradcheckError("Analytical gradient has incorrect size")
            block[:, column] = g._array.reshape(-1)
    return blocks


def _check_zero(func: Callable[..., Any], inputs: tuple[Any, ...]) -> None:
    """Raise GradcheckError unless zero cotangents make zero gradients."""
    sources = [source for _, source in sources_of(inputs)]
    outputs = _outputs(func(*inputs))
    gradients = _gradients(outputs, sources, [out.new_zeros(out._array.shape) for out in outputs], allow_unused=True)
    for g, source in zip(gradients, sources, strict=True):
        if g is None:
            continue
        if np.any(g._array != 0):
            raise GradcheckError("backward not multiplied by grad_output")
        if not same_kind(g, source):
            raise GradcheckError("grad is incorrect " + ("type" if g.dtype != source.dtype else "size"))


def _check_undefined(func: Callable[..., Any], inputs: tuple[Any, ...]) -> None:
    """Raise GradcheckError unless missing cotangents count as zeros.

    All are missing, then one at a time.
    """
    from .private import UndefinedGrad

    sources = [source for _, source in sources_of(inputs)]
    count = len(_outputs(func(*inputs)))
    for missing in [set(range(count)), *({n} for n in range(count) if count > 1)]:
        outputs = [UndefinedGrad.apply(o) if n in missing else o for n, o in enumerate(_outputs(func(*inputs)))]
        try:
            gradients = _gradients(outputs, sources, [o.new_zeros(o._array.shape) for o in outputs], allow_unused=True)
        except RuntimeError as error:
            _warn_undefined()
            raise GradcheckError(
                'Expected backward function to handle undefined output grads. Please look at "Notes about undefined '
                'output gradients" in "tools/autograd/derivatives.yaml"'
            ) from error
        if any(g is not None and np.any(g._array != 0) for g in gradients):
            _warn_undefined()
            raise GradcheckError(
                "Expected all input grads to be undefined or zero when all output grads are undefined or zero. "
                "Please look at "
                '"Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
            )


def _warn_undefined() -> None:
    warnings.warn(
        "Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it may "
        "break "
        "existing callers of this function. If this is true for you, you can call this function with "
        '"check_undefined_grad=False" to disable the feature',
        stacklevel=4,
    )


def get_numerical_jacobian(fn: Any, inputs: Any, target: Any = None, eps: float = 1e-3, grad_out: float = 1.0) -> Any:
    """Return the Jacobians of `fn(inputs)` by finite differences.

    One for each input, or for `target`; an old private name.
    """
    _old("get_numerical_jacobian", grad_out)
    sources = [
        each for each in _tuple(inputs if target is None else target) if isinstance(each, Tensor) and each.requires_grad
    ]
    if not sources:
        raise ValueError("expected an input that requires grad")

    def called(*args: Any) -> tuple[Any, ...]:
        return _tuple(fn(args))[:1]

    return [wrap(columns(called, _tuple(inputs), source, eps)[0], None) for source in sources]


def get_analytical_jacobian(inputs: Any, output: Tensor, nondet_tol: float = 0.0, grad_out: float = 1.0) -> Any:
    """Return the Jacobians by backward, and checks of them.

    The checks are whether it repeats, and whether sizes and types fit.  An old private name.
    """
    _old("get_analytical_jacobian", grad_out)
    if output.is_complex():
        raise ValueError(
            "Expected output to be non-complex. get_analytical_jacobian no longer supports functions that return "
            "complex outputs."
        )
    sources = [each for each in _tuple(inputs) if isinstance(each, Tensor) and each.requires_grad]
    first, second = analytical_jacobian(output, sources, False), analytical_jacobian(output, sources, False)
    reentrant = all(np.all(np.abs(a - b) <= nondet_tol) for a, b in zip(first, second, strict=True))
    return [wrap(block, None) for block in first], reentrant, True, True


def _old(name: str, grad_out: float) -> None:
    warnings.warn(
        f"`{name}` was part of PyTorch's private API and not meant to be exposed. We are deprecating it and it will be "
        "removed in a future version of PyTorch. If you have a specific use for this or feature request for this to be "
        "a stable API, please file us an issue at https://github.com/pytorch/pytorch/issues/new",
        FutureWarning,
        stacklevel=3,
    )
    if grad_out != 1.0:
        raise ValueError(f"Expected grad_out to be 1.0. {name} no longer supports values of grad_out != 1.0.")


__getattr__ = missing_in(__name__)


Vectors = list[tuple[Any, Any]]


def _compare_fast(
    func: Callable[..., tuple[Any, ...]],
    inputs: tuple[Any, ...],
    prefix: str,
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float,
) -> str | None:
    """Return what is wrong with the derivatives of real outputs; None if correct."""
    generator = Generator()
    sources = [each for each in inputs if isinstance(each, Tensor) and each.requires_grad]
    along = [_vectors(source, generator) for source in sources]
    outputs = func(*inputs)
    across = [vector(out, generator) for out in outputs]
    for index, (source, pair) in enumerate(zip(sources, along, strict=True)):
        numerical = _differences(func, inputs, source, pair, eps)
        for number, (v, out) in enumerate(zip(across, outputs, strict=True)):
            one, again = (_backward(out, source, pair, v) for _ in range(2))
            if not abs(one - again) <= nondet_tol:
                return _NOT_REENTRANT.format(nondet_tol)
            expected = v @ numerical[number]
            if not np.allclose(one, expected, rtol, atol * _sum(pair) * float(v.sum())):
                return _mismatch(prefix, number, index, expected, one) + _slowly(
                    func, inputs, source, out, number, (eps, atol, rtol)
                )
    return None


def _vectors(source: Tensor, generator: Any) -> tuple[Any, Any]:
    """Return a random vector for the real parts, and one for imaginary parts or None."""
    return vector(source, generator), vector(source, generator) if source.is_complex() else None


def _sum(pair: tuple[Any, Any]) -> float:
    """Return the factor of an absolute tolerance per element along the directions."""
    return float(sum(each.sum() for each in pair if each is not None))


def _differences(func: Any, inputs: tuple[Any, ...], source: Tensor, pair: tuple[Any, Any], eps: float) -> list[Any]:
    """Return J u of each output by a central difference.

    Of a complex input, the real part is that along the real direction, the imaginary part that along the imaginary one.
    """
    total: list[Any] = []
    for direction, unit in zip(pair, (1.0, 1j), strict=True):
        if direction is None:
            continue
        step = (eps * unit * direction).reshape(source._array.shape)
        outputs = differences(func, inputs, storage(source), step, eps)
        total = outputs if not total else [a + 1j * b for a, b in zip(total, outputs, strict=True)]
    return total


def _backward(out: Tensor, source: Tensor, pair: tuple[Any, Any], v: Any) -> complex:
    """Return v^T J u by backward.

    Of a complex input, real and imaginary part belong to those of the input.
    """
    cotangent = wrap(v.reshape(out._array.shape).astype(out._array.dtype), None)
    (gradient,) = _gradients([out], [source], [cotangent], retain_graph=True, allow_unused=True)
    if gradient is None:
        return 0.0
    array = np.asarray(gradient._array).reshape(-1)
    real, imaginary = pair
    by_real = float(array.real @ real)
    return by_real if imaginary is None else complex(by_real, float(array.imag @ imaginary))


def _mismatch(prefix: str, output: int, index: int, numerical: Any, analytical: Any) -> str:
    return (
        f"{prefix}Jacobian mismatch for output {output:d} with respect to input {index:d},\n"
        f"numerical:{numerical}\nanalytical:{analytical}\n"
    )


def _slowly(
    func: Any, inputs: tuple[Any, ...], source: Tensor, out: Tensor, number: int, tolerance: tuple[float, float, float]
) -> str:
    """Return both Jacobians element by element, as text for the error."""
    eps, atol, rtol = tolerance
    numerical = columns(func, inputs, source, eps)[number]
    (analytical,) = analytical_jacobian(out, [source], False)
    text = (
        "\nThe above quantities relating the numerical and analytical jacobians are computed \n"
        "in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background \n"
        "about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:\n\n"
        f"Numerical:\n {wrap(numerical, None)}\nAnalytical:\n{wrap(analytical, None)}\n\n"
        f"The max per-element difference (slow mode) is: {np.abs(numerical - analytical).max()}.\n"
    )
    if np.allclose(analytical, numerical, rtol, atol):
        text += (
            "\nFast gradcheck failed but element-wise differences are small. This means that the\n"
            "test might've passed in slow_mode!\n"
        )
    return text
