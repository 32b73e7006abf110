"""Function transforms, as `torch.func`: grad, vjp, jvp, jacrev, jacfwd, hessian, linearize, functional_call.

Each differentiates by fresh views of its arguments, so transforms nest; nothing is vectorised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.explain import missing_in

from .autograd import grad as _gradients
from .grad_mode import enable_grad
from .registry import TABLE
from .tensor import Tensor
from .trees import flatten, unflatten

__dyncore__ = True

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "linearize",
    "vjp",
    "vmap",
]


def _lifted(tree: Any) -> tuple[Any, list[Any]]:
    """The tree with its tensors replaced by fresh ones to differentiate by, and these."""
    leaves, shape = flatten(tree)
    fresh = [
        leaf.view_as(leaf) if leaf.requires_grad else leaf.detach().requires_grad_() if _floating(leaf) else leaf
        for leaf in leaves
        if isinstance(leaf, Tensor)
    ]
    given = iter(fresh)
    return unflatten(shape, [next(given) if isinstance(leaf, Tensor) else leaf for leaf in leaves]), fresh


def _floating(leaf: Tensor) -> bool:
    return leaf._array.dtype.kind in "fc"


def _lowered(values: list[Any], outer: bool) -> list[Any]:
    """Results without the graph that only the transform needed."""
    return values if outer else [each.detach() if isinstance(each, Tensor) else each for each in values]


def _requires(tree: Any) -> bool:
    return any(isinstance(leaf, Tensor) and leaf.requires_grad for leaf in flatten(tree)[0])


def _recorded(tree: Any, results: list[Any], fresh: list[Any]) -> bool:
    """Whether results depend on more than the fresh inputs, so that an outer transform or backward may want them."""
    return _requires(tree) or _reaches_beyond(results, fresh)


def _reaches_beyond(results: list[Any], fresh: list[Any]) -> bool:
    own = {each._edge for each in fresh if each._edge is not None}
    seen: set[Any] = set()
    stack = [each._edge for each in results if isinstance(each, Tensor) and each._edge is not None]
    while stack:
        edge = stack.pop()
        if edge in seen or edge in own:
            continue
        seen.add(edge)
        if edge.title == "AccumulateGrad":
            return True
        stack.extend(e for e in edge.edges() if e is not None)
    return False


def grad_and_value(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns the gradient of a scalar `func` by its argument `argnums`, and its value."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        with enable_grad():
            chosen, fresh = _lifted(tuple(args[n] for n in numbers))
            given = list(args)
            for n, each in zip(numbers, chosen, strict=True):
                given[n] = each
            out = func(*given, **kwargs)
            aux = None
            if has_aux:
                if not isinstance(out, tuple) or len(out) != 2:
                    raise RuntimeError(
                        "grad_and_value(f)(*args): output of function f should be a tuple: (output, aux) if has_aux "
                        "is True"
                    )
                out, aux = out
            if not isinstance(out, Tensor):
                raise RuntimeError(f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(out)}")
            if out.dim() != 0:
                raise RuntimeError(
                    "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
                    f"{out.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            found = _back([out], fresh, [None])
            outer = _recorded((args, kwargs), [*found, out], fresh)
            found = _lowered(found, outer)
            tree = unflatten(flatten(chosen)[1], found)
            gradient = tree[0] if isinstance(argnums, int) else tree
            value = out if outer else out.detach()
            if not outer:
                leaves, shape = flatten(aux)
                aux = unflatten(shape, [each.detach() if isinstance(each, Tensor) else each for each in leaves])
        return (gradient, (value, aux)) if has_aux else (gradient, value)

    return wrapper


def _back(outs: list[Any], inputs: list[Any], cotangents: list[Any]) -> list[Any]:
    """Recorded gradients of `outs` by `inputs`, zeros where they do not depend."""
    pairs = [(o, c) for o, c in zip(outs, cotangents, strict=True) if o.requires_grad]
    if not pairs:
        return [each.new_zeros(each.shape) for each in inputs]
    found = _gradients(
        [o for o, _ in pairs], inputs, [c for _, c in pairs], create_graph=True, retain_graph=True, allow_unused=True
    )
    return [each.new_zeros(each.shape) if g is None else g for g, each in zip(found, inputs, strict=True)]


def grad(func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns the gradient of a scalar `func` by its argument `argnums`.

    >>> float(grad(lambda x: x.sin())(tensor(0.)))
    1.0
    """
    both = grad_and_value(func, argnums, has_aux)

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        gradient, value = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return wrapper


def vjp(func: Callable[..., Any], *primals: Any, has_aux: bool = False) -> Any:
    """`func(*primals)`, and a function from cotangents of the output to those of the inputs."""
    with enable_grad():
        lifted, fresh = _lifted(primals)
        out = func(*lifted)
        aux = None
        if has_aux:
            out, aux = out
    outs, shape = flatten(out)
    outer = _recorded(primals, outs, fresh)

    def pullback(*cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        given, _ = flatten(cotangents[0] if len(cotangents) == 1 else cotangents)
        with enable_grad():
            found = _back(outs, fresh, given)
            found = _lowered(found, outer or _requires(given))
            return unflatten(flatten(lifted)[1], found)

    value = unflatten(shape, _lowered(outs, outer))
    return (value, pullback, aux) if has_aux else (value, pullback)


def jvp(func: Callable[..., Any], primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> Any:
    """`func(*primals)`, and its derivative in the direction `tangents`."""
    for what, value in (("primals", primals), ("tangents", tangents)):
        if not isinstance(value, (tuple, list)):
            raise RuntimeError(
                f"jvp(f, primals, tangents): Expected {what} to be a tuple. E.g. it should be valid to call f(*{what})."
            )
    with enable_grad():
        lifted, fresh = _lifted(tuple(primals))
        given, _ = flatten(tuple(tangents))
        out = func(*lifted)
        aux = None
        if has_aux:
            out, aux = out
        outs, shape = flatten(out)
        products = _push(outs, fresh, given)
    outer = _recorded((primals, tangents), [*outs, *products], fresh)
    value = unflatten(shape, _lowered(outs, outer))
    product = unflatten(shape, _lowered(products, outer))
    return (value, product, aux) if has_aux else (value, product)


def _push(outs: list[Any], inputs: list[Any], tangents: list[Any]) -> list[Any]:
    """Derivatives of `outs` in the direction `tangents` of `inputs`: a vjp differentiated by its cotangent."""
    dummies = [o.new_zeros(o.shape).requires_grad_() for o in outs]
    rows = _back(outs, inputs, dummies)
    return _back(rows, dummies, list(tangents))


def linearize(func: Callable[..., Any], *primals: Any) -> Any:
    """`func(*primals)`, and its derivative at `primals` as a function of tangents."""
    with enable_grad():
        lifted, fresh = _lifted(primals)
        outs, shape = flatten(func(*lifted))

    def pushed(*tangents: Any) -> Any:
        with enable_grad():
            return unflatten(shape, _lowered(_push(outs, fresh, flatten(tangents)[0]), False))

    return unflatten(shape, _lowered(outs, False)), pushed


def jacrev(
    func: Callable[..., Any], argnums: Any = 0, *, has_aux: bool = False, chunk_size: Any = None
) -> Callable[..., Any]:
    """A function that returns the Jacobian of `func` by its argument `argnums`, row by row."""
    return _jacobian(func, argnums, has_aux, forward=False)


def jacfwd(
    func: Callable[..., Any], argnums: Any = 0, has_aux: bool = False, *, randomness: str = "error"
) -> Callable[..., Any]:
    """The same column by column."""
    return _jacobian(func, argnums, has_aux, forward=True)


def _jacobian(func: Callable[..., Any], argnums: Any, has_aux: bool, forward: bool) -> Callable[..., Any]:
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        with enable_grad():
            chosen, fresh = _lifted(tuple(args[n] for n in numbers))
            given = list(args)
            for n, each in zip(numbers, chosen, strict=True):
                given[n] = each
            out = func(*given, **kwargs)
            aux = None
            if has_aux:
                out, aux = out
            outs, shape = flatten(out)
            blocks = _columns(outs, fresh) if forward else _rows(outs, fresh)
            outer = _recorded((args, kwargs), [each for row in blocks for each in row], fresh)
        _, inner = flatten(chosen)
        rows = []
        for row in blocks:
            tree = unflatten(inner, _lowered(row, outer))
            rows.append(tree[0] if isinstance(argnums, int) else tree)
        result = unflatten(shape, rows)
        return (result, aux) if has_aux else result

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
    """A function that returns the Hessian of `func` by its argument `argnums`."""
    return jacfwd(jacrev(func, argnums), argnums)


def vmap(
    func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *, chunk_size: Any = None
) -> Callable[..., Any]:
    """A function that calls `func` on each slice of its arguments and stacks the results, one call for each slice."""

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        dims = in_dims if isinstance(in_dims, tuple) else (in_dims,) * len(args)
        split = [_slices(each, dim) for each, dim in zip(args, dims, strict=True)]
        count = next((len(part) for part in split if part is not None), None)
        if count is None:
            raise ValueError("vmap: at least one input must have a dimension to map over")
        results = [
            func(*[each if part is None else part[n] for each, part in zip(args, split, strict=True)], **kwargs)
            for n in range(count)
        ]
        columns = zip(*(flatten(each)[0] for each in results), strict=True)
        dim = out_dims if isinstance(out_dims, int) else 0
        stack = TABLE["stack"].entry
        return unflatten(flatten(results[0])[1], [stack(list(column), dim) for column in columns])

    return wrapper


def _slices(tree: Any, dim: Any) -> list[Any] | None:
    """The slices of every tensor of a tree along `dim`, as trees; None for what is not mapped over."""
    if dim is None:
        return None
    leaves, shape = flatten(tree)
    columns = [leaf.unbind(dim) for leaf in leaves]
    return [unflatten(shape, list(parts)) for parts in zip(*columns, strict=True)]


def functional_call(
    module: Any, parameter_and_buffer_dicts: Any, args: Any = None, kwargs: Any = None, **options: Any
) -> Any:
    """`module(*args, **kwargs)` with its parameters and buffers replaced by those given by name, for this call only."""
    given: dict[str, Any] = {}
    several = parameter_and_buffer_dicts
    for each in (several,) if isinstance(several, dict) else several:
        given.update(each)
    places = []
    for name, value in given.items():
        if not isinstance(value, Tensor):
            raise TypeError(f"{value} is not an instance of torch.Tensor")
        path, _, last = name.rpartition(".")
        owner = module.get_submodule(path) if path else module
        table = owner._parameters if last in owner._parameters else owner._buffers if last in owner._buffers else None
        if table is None:
            continue
        places.append((table, last, table[last], value))
    try:
        for table, last, _, value in places:
            table[last] = value
        inputs = () if args is None else args if isinstance(args, tuple) else (args,)
        return module(*inputs, **(kwargs or {}))
    finally:
        for table, last, before, _ in places:
            table[last] = before


def stack_module_state(models: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters and buffers of several modules of one class, by name, each stacked over the modules."""
    if not len(models):
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({model.training for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    stack = TABLE["stack"].entry

    def stacked(tables: list[dict[str, Any]]) -> dict[str, Any]:
        found = {}
        for name, first in tables[0].items():
            whole = stack([table[name] for table in tables]).detach()
            found[name] = whole.requires_grad_(first.requires_grad)
        return found

    return stacked([dict(m.named_parameters()) for m in models]), stacked([dict(m.named_buffers()) for m in models])


def functionalize(func: Callable[..., Any], *, remove: str = "mutations") -> Callable[..., Any]:
    """`func` as it is: writes in place are followed anyway."""
    return func


def debug_unwrap(tensor: Tensor, *, recurse: bool = True) -> Tensor:
    """The tensor itself: no transform wraps it."""
    return tensor


def replace_all_batch_norm_modules_(root: Any) -> Any:
    """`root` with batch norms that keep no running statistics, as transforms want it."""
    for module in root.modules():
        if type(module).__name__.startswith("BatchNorm"):
            module.running_mean = module.running_var = module.num_batches_tracked = None
            module.track_running_stats = False
    return root


__getattr__ = missing_in(__name__)
