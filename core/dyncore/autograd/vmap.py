"""`torch.vmap`: a function of one slice for all of them, called once where each op has a rule for batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dyncore.creation.trees import LEAF, flatten, spec, unflatten
from dyncore.dispatch.registry import TABLE
from dyncore.errors.explain import no_dimension
from dyncore.graph.handlers import handlers
from dyncore.rng.generator import default_generator
from dyncore.tensors.tensor import Tensor

Whole = dict[tuple[Any, ...], Any]


def vmap(
    func: Callable[..., Any], in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *, chunk_size: Any = None
) -> Callable[..., Any]:
    """Return a function that calls `func` on each slice and stacks the results.

    in_dims: the dimension to slice, for all tensors or in the structure of the arguments; None: passed whole.
    out_dims: where the results are stacked, for all or in their structure.
    randomness: "same" draws the same numbers for each slice.
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and not chunk_size > 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    def wrapper(*args: Any, **kwargs: Any) -> Any:
        leaves, shape, dims = _inputs(func, in_dims, args)
        count = _count(leaves, dims)
        once = count > 1 and randomness != "same"
        found = handlers.once(func, leaves, dims, shape, kwargs) if once else NotImplemented
        if found is not NotImplemented:
            return _placed(func, out_dims, *found)
        slices = [_slice(leaves, dims, n) for n in range(count)]
        results, state = [], default_generator.get_state() if randomness == "same" else None
        for each in slices:
            if state is not None:
                default_generator.set_state(state)
            results.append(func(*unflatten(shape, each), **kwargs))
        if results:
            return _outputs(func, out_dims, results, _whole(leaves, dims, slices))
        return _outputs(func, out_dims, [func(*unflatten(shape, _nothing(leaves, dims)), **kwargs)], {}, empty=True)

    return wrapper


def _placed(func: Any, out_dims: Any, results: list[Any], shape: Any, whole: Whole) -> Any:
    """Return results that have the slices first with the slices where `out_dims` says."""
    moved = []
    for each, dim in zip(results, _dims(func, out_dims, shape), strict=True):
        if dim is None:
            raise _no_dim(func)
        key = (_axis(dim, each.dim()), id(each))
        if key not in whole:
            whole[key] = each.movedim(0, dim) if key[0] else each
        moved.append(whole[key])
    return unflatten(shape, moved)


def _dims(func: Any, out_dims: Any, shape: Any) -> list[Any]:
    """Return where the slices of each result are stacked.

    Raises ValueError if `out_dims` does not have the structure of the results.
    """
    alone = shape is LEAF and isinstance(out_dims, tuple) and len(out_dims) == 1
    dims = list(out_dims) if alone else _spread(out_dims, shape)
    if dims is None:
        raise ValueError(
            f"vmap({_name(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure "
            f"of `outputs`. out_dims has structure {spec(flatten(out_dims)[1])} but outputs has structure "
            f"{spec(shape)}."
        )
    if not all(each is None or isinstance(each, int) for each in dims):
        raise ValueError(
            f"vmap({_name(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a python collection of "
            "ints representing where in the outputs the vmapped dimension should appear."
        )
    return dims


def _axis(dim: int, rank: int) -> int:
    if not -rank <= dim < rank:
        raise no_dimension(dim, rank)
    return dim % rank


def _no_dim(func: Any) -> ValueError:
    name = _name(func)
    return ValueError(f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None")


def _name(func: Any) -> str:
    return getattr(func, "__name__", repr(func))


def _inputs(func: Any, in_dims: Any, args: tuple[Any, ...]) -> tuple[list[Any], Any, list[Any]]:
    """Return the leaves of the arguments, their structure, and the dimension of each.

    Raises ValueError if they do not fit.
    """
    begin = f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>): "
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"{begin}expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, "
            f"got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({_name(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap "
            "over a function with no inputs. The latter is unsupported."
        )
    leaves, shape = flatten(args)
    dims = _spread(in_dims, shape)
    if dims is None:
        raise ValueError(
            f"{begin}in_dims is not compatible with the structure of `inputs`. in_dims has structure "
            f"{spec(flatten(in_dims)[1])} but inputs has structure {spec(shape)}."
        )
    for leaf, dim in zip(leaves, dims, strict=True):
        if dim is None:
            continue
        if not isinstance(dim, int):
            raise ValueError(
                f"{begin}Got in_dim={dim} for an input but in_dim must be either an integer dimension or None."
            )
        if not isinstance(leaf, Tensor):
            raise ValueError(
                f"{begin}Got in_dim={dim} for an input but the input is of type {type(leaf)}. We cannot vmap over "
                "non-Tensor arguments, please use None as the respective in_dim"
            )
        if not -leaf.dim() <= dim < leaf.dim():
            raise ValueError(
                f"{begin}Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {leaf.dim()} so "
                f"expected in_dim to satisfy -{leaf.dim()} <= in_dim < {leaf.dim()}."
            )
    return leaves, shape, dims


def _count(leaves: list[Any], dims: list[Any]) -> int:
    sizes = [leaf.size(dim) for leaf, dim in zip(leaves, dims, strict=True) if dim is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if len(set(sizes)) > 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return int(sizes[0])


def _slice(leaves: list[Any], dims: list[Any], number: int) -> list[Any]:
    return [leaf if dim is None else leaf.select(dim, number) for leaf, dim in zip(leaves, dims, strict=True)]


def _whole(leaves: list[Any], dims: list[Any], slices: list[list[Any]]) -> Whole:
    """Return the sliced arguments by the ids of their slices.

    If `func` returns the slices themselves, the result is the argument itself.
    """
    columns = zip(*slices, strict=True)
    return {
        (dim % leaf.dim(), *map(id, column)): leaf
        for leaf, dim, column in zip(leaves, dims, columns, strict=True)
        if dim is not None
    }


def _nothing(leaves: list[Any], dims: list[Any]) -> list[Any]:
    """Return slices of zeros, to learn what the function would return."""
    return [leaf if dim is None else leaf.sum(dim) for leaf, dim in zip(leaves, dims, strict=True)]


def _outputs(func: Any, out_dims: Any, results: list[Any], whole: Whole, empty: bool = False) -> Any:
    """Stack the results."""
    shape = flatten(results[0])[1]
    dims = _dims(func, out_dims, shape)
    columns = zip(*(flatten(each)[0] for each in results), strict=True)
    return unflatten(shape, [_stacked(func, list(c), dim, whole, empty) for c, dim in zip(columns, dims, strict=True)])


def _stacked(func: Any, column: list[Any], dim: Any, whole: Whole, empty: bool) -> Any:
    first, name = column[0], _name(func)
    if dim is None:
        if isinstance(first, Tensor) and any(each is not first for each in column):
            raise _no_dim(func)
        return first
    if not isinstance(first, Tensor):
        raise ValueError(
            f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(first)}. Did you mean to set "
            "out_dims= to None for output?"
        )
    key = (_axis(dim, first.dim() + 1), *map(id, column))
    if key not in whole:
        stacked = TABLE["stack"].entry(column, dim)
        whole[key] = stacked.narrow(dim, 0, 0) if empty else stacked
    return whole[key]


def _spread(dims: Any, shape: Any) -> list[Any] | None:
    """Return one entry of `dims`, which may stop early, for each leaf of a tree.

    None if the structures differ.
    """
    if dims is None or not isinstance(dims, (tuple, list, dict)):
        return [dims] * _leaves(shape)
    if shape is LEAF:
        return None
    kind, keys, parts = shape
    if isinstance(dims, dict):
        if keys is None or list(dims) != keys:
            return None
        given = list(dims.values())
    elif keys is not None or type(dims) is not kind:
        return None
    else:
        given = list(dims)
    if len(given) != len(parts):
        return None
    spread: list[Any] = []
    for each, part in zip(given, parts, strict=True):
        inner = _spread(each, part)
        if inner is None:
            return None
        spread.extend(inner)
    return spread


def _leaves(shape: Any) -> int:
    return 1 if shape is LEAF else sum(_leaves(part) for part in shape[2])
