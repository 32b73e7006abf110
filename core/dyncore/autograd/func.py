"""`torch.func`: grad, vjp, jvp, jacrev, jacfwd, hessian, linearize.

Each differentiates by fresh views of its arguments, so transforms nest; nothing is vectorised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.creation.trees import flatten, spec, unflatten
from dyncore.dispatch.registry import TABLE
from dyncore.errors.explain import missing_in
from dyncore.graph.modes import current, enable_grad
from dyncore.tensors.tensor import Tensor

from . import grad as _gradients
from .forward_ad import reaches_beyond
from .functional_call import (
    debug_unwrap,
    functional_call,
    functionalize,
    replace_all_batch_norm_modules_,
    stack_module_state,
)
from .transform_checks import check_cotangents, check_outputs, check_real, check_tangents, chosen_numbers, with_aux
from .vmap import vmap

__all__ = [
    "debug_unwrap", "functional_call", "functionalize", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp",
    "linearize", "replace_all_batch_norm_modules_", "stack_module_state", "vjp", "vmap",
]  # fmt: skip


def _lifted(tree: Any) -> tuple[Any, list[Any]]:
    """Replace the tensors of a tree by fresh ones to differentiate by.

    Returns the tree, and the fresh tensors.
    """
    leaves, shape = flatten(tree)
    fresh = [leaf.view_as(leaf) if _floating(leaf).requires_grad else leaf.detach().requires_grad_() for leaf in leaves]
    return unflatten(shape, fresh), fresh


def _floating(leaf: Any) -> Tensor:
    if not isinstance(leaf, Tensor):
        raise ValueError(f"Thing passed to transform API must be Tensor, got {type(leaf)}")
    if leaf._array.dtype.kind not in "fc":
        raise RuntimeError("only Tensors of floating point dtype can require gradients")
    return leaf


def _lowered(values: list[Any], outer: bool) -> list[Any]:
    """Return results without the graph that only the transform needed."""
    return values if outer else [each.detach() if isinstance(each, Tensor) else each for each in values]


def _lowered_tree(tree: Any, outer: bool) -> Any:
    leaves, shape = flatten(tree)
    return unflatten(shape, _lowered(leaves, outer))


def _requires(tree: Any) -> bool:
    return any(isinstance(leaf, Tensor) and leaf.requires_grad for leaf in flatten(tree)[0])


def _recorded(tree: Any, results: list[Any], fresh: list[Any]) -> bool:
    """Return True if results depend on more than the fresh inputs.

    An outer transform or backward may need them then.
    """
    return _requires(tree) or reaches_beyond(results, fresh)


def grad_and_value(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Return a function for the gradient of a scalar `func`, and its value.

    argnums: position, or positions, of the arguments to differentiate by.
    """

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        numbers = chosen_numbers(argnums, len(args))
        graded = current().grad
        with enable_grad():
            chosen, fresh = _lifted(tuple(args[n] for n in numbers))
            given = _replaced(args, numbers, chosen)
            out, aux = with_aux(func(*given, **kwargs), has_aux, "grad_and_value(f)(*args)")
            if not isinstance(out, Tensor):
                raise RuntimeError(f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(out)}")
            if out.dim() != 0:
                raise RuntimeError(
                    "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
                    f"{out.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            gradients = _back([out], fresh, [None])
            outer = graded and _recorded((args, kwargs), [*gradients, out], fresh)
            gradients = _lowered(gradients, outer)
            tree = unflatten(flatten(chosen)[1], gradients)
            gradient = tree[0] if isinstance(argnums, int) else tree
            value = out if outer else out.detach()
            if not outer:
                aux = _lowered_tree(aux, False)
        return (gradient, (value, aux)) if has_aux else (gradient, value)

    return wrapper


def _replaced(args: tuple[Any, ...], numbers: tuple[int, ...], values: Any) -> list[Any]:
    """Return the arguments with other values at the positions `numbers`."""
    given = list(args)
    for n, each in zip(numbers, values, strict=True):
        given[n] = each
    return given


def _back(outs: list[Any], inputs: list[Any], cotangents: list[Any]) -> list[Any]:
    """Return recorded gradients of `outs` by `inputs`, zeros where independent."""
    pairs = [(o, c) for o, c in zip(outs, cotangents, strict=True) if o.requires_grad]
    if not pairs:
        return [each.new_zeros(each.shape) for each in inputs]
    gradients = _gradients(
        [o for o, _ in pairs], inputs, [c for _, c in pairs], create_graph=True, retain_graph=True, allow_unused=True
    )
    return [each.new_zeros(each.shape) if g is None else g for g, each in zip(gradients, inputs, strict=True)]


def grad(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """Return a function for the gradient of a scalar `func` by argument `argnums`.

    >>> float(grad(lambda x: x.sin())(tensor(0.)))
    1.0
    """
    both = grad_and_value(func, argnums, has_aux)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        gradient, value = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return wrapper


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """Return `func(*primals)`, and a function from output to input cotangents."""
    with enable_grad():
        lifted, fresh = _lifted(primals)
        out, aux = with_aux(func(*lifted), has_aux, "vjp(f, *primals)")
    outs, shape = flatten(out)
    check_outputs(outs, "vjp(f, *primals)", integers=False)
    outer = current().grad and _recorded(primals, outs, fresh)

    def pullback(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        given, structure = flatten(cotangents)
        check_cotangents(structure, shape)
        with enable_grad():
            gradients = _back(outs, fresh, given)
            gradients = _lowered(gradients, outer or _requires(given))
            return unflatten(flatten(lifted)[1], gradients)

    value = unflatten(shape, _lowered(outs, outer))
    return (value, pullback, _lowered_tree(aux, outer)) if has_aux else (value, pullback)


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> Any:
    """Return `func(*primals)`, and its derivative in the direction `tangents`."""
    check_tangents(primals, tangents)
    with enable_grad():
        lifted, fresh = _lifted(tuple(primals))
        given, _ = flatten(tuple(tangents))
        out, aux = with_aux(func(*lifted), has_aux, "jvp(f, primals, tangents)")
        outs, shape = flatten(out)
        check_outputs(outs, "jvp(f, primals, tangents)")
        products = _push(outs, fresh, given)
    outer = current().grad and _recorded((primals, tangents), [*outs, *products], fresh)
    value = unflatten(shape, _lowered(outs, outer))
    product = unflatten(shape, _lowered(products, outer))
    return (value, product, _lowered_tree(aux, outer)) if has_aux else (value, product)


def _push(outs: list[Any], inputs: list[Any], tangents: list[Any]) -> list[Any]:
    """Return derivatives of `outs` in the direction `tangents` of `inputs`.

    They are a vjp differentiated by its cotangent.
    """
    floating = [o for o in outs if o._array.dtype.kind in "fc"]
    dummies = [o.new_zeros(o.shape).requires_grad_() for o in floating]
    rows = _back(floating, inputs, dummies)
    products = iter(_back(rows, dummies, list(tangents)))
    return [next(products) if o._array.dtype.kind in "fc" else o.new_zeros(o.shape) for o in outs]


def linearize(func: Callable[..., Any], *primals: Any) -> Any:
    """Return `func(*primals)`, and its derivative there as a function of tangents."""
    with enable_grad():
        lifted, fresh = _lifted(primals)
        outs, shape = flatten(func(*lifted))

    def pushed(*tangents: Any) -> Any:
        given, wanted = flatten(tangents)[1], flatten(primals)[1]
        if given != wanted:
            raise RuntimeError(
                f"Expected the tangents {spec(given)} to have the same argspec as the primals {spec(wanted)}"
            )
        with enable_grad():
            return unflatten(shape, _lowered(_push(outs, fresh, flatten(tangents)[0]), False))

    return unflatten(shape, _lowered(outs, False)), pushed


def jacrev(
    func: Callable[..., Any], argnums: Any = 0, *, has_aux: bool = False, chunk_size: Any = None
) -> Callable[..., Any]:
    """Return a function for the Jacobian of `func` by `argnums`, row by row."""
    if chunk_size is not None and not chunk_size > 0:
        raise ValueError("jacrev: `chunk_size` should be greater than 0.")
    return _jacobian(func, argnums, has_aux, forward=False)


def jacfwd(
    func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable[..., Any]:
    """Return a function for the Jacobian of `func` by `argnums`, column by column."""
    return _jacobian(func, argnums, has_aux, forward=True)


def _jacobian(func: Callable[..., Any], argnums: Any, has_aux: bool, forward: bool) -> Callable[..., Any]:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        numbers = chosen_numbers(argnums, len(args))
        graded = current().grad
        with enable_grad():
            chosen, fresh = _lifted(tuple(args[n] for n in numbers))
            check_real(fresh, "input", forward)
            given = _replaced(args, numbers, chosen)
            name = "jvp(f, primals, tangents)" if forward else "vjp(f, *primals)"
            out, aux = with_aux(func(*given, **kwargs), has_aux, name)
            outs, shape = flatten(out)
            check_outputs(outs, name, integers=forward)
            check_real(outs, "output", forward)
            blocks = _columns(outs, fresh) if forward else _rows(outs, fresh)
            outer = graded and _recorded((args, kwargs), [each for row in blocks for each in row], fresh)
        _, inner = flatten(chosen)
        rows = []
        for row in blocks:
            tree = unflatten(inner, _lowered(row, outer))
            rows.append(tree[0] if isinstance(argnums, int) else tree)
        result = unflatten(shape, rows)
        return (result, _lowered_tree(aux, outer)) if has_aux else result

    return wrapper


def _rows(outs: list[Any], inputs: list[Any]) -> list[list[Any]]:
    stack = TABLE["stack"].entry
    blocks = []
    for out in outs:
        flat = out.reshape(-1)
        rows = [_back([flat[k]], inputs, [None]) for k in range(flat.numel())]
        blocks.append(
            [
                stack([row[n] for row in rows], 0).reshape(out.shape + each.shape)
                if rows
                else out.new_zeros(out.shape + each.shape)
                for n, each in enumerate(inputs)
            ]
        )
    return blocks


def _columns(outs: list[Any], inputs: list[Any]) -> list[list[Any]]:
    stack = TABLE["stack"].entry
    blocks: list[list[Any]] = [[] for _ in outs]
    for number, each in enumerate(inputs):
        columns: list[list[Any]] = [[] for _ in outs]
        for k in range(each.numel()):
            basis = each.new_zeros((each.numel(),))
            basis[k] = 1
            tangents = [
                basis.reshape(each.shape) if n == number else i.new_zeros(i.shape) for n, i in enumerate(inputs)
            ]
            for column, product in zip(columns, _push(outs, inputs, tangents), strict=True):
                column.append(product)
        for out, column, block in zip(outs, columns, blocks, strict=True):
            block.append(
                stack(column, -1).reshape(out.shape + each.shape) if column else out.new_zeros(out.shape + each.shape)
            )
    return blocks


def hessian(func: Callable[..., Any], argnums: Any = 0) -> Callable[..., Any]:
    """Return a function for the Hessian of `func` by argument `argnums`."""
    return jacfwd(jacrev(func, argnums), argnums)


__getattr__ = missing_in(__name__)
