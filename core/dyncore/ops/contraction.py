"""Sums of products over named or numbered dimensions: einsum, tensordot, inner, kron, cdist, trace, cross."""

import math
from functools import lru_cache
from string import ascii_letters, ascii_lowercase, ascii_uppercase

import numpy as np

from dyncore.dispatch.registry import op
from dyncore.dtypes import dtypes
from dyncore.errors.advice import advise
from dyncore.graph.names import named as called

from .arrange import diagonal
from .joining import joint_shape
from .matrix_checks import check_batches_dtype, check_equal_dtypes
from .reduction import axis_of, sum
from .shape import reshape

_LETTERS = ascii_uppercase + ascii_lowercase  # of subscripts that are given as numbers


@lru_cache(maxsize=1024)
def plan_of(equation, ranks):
    """Parse an equation: subscripts of each operand, subscripts of the result.

    Dots are replaced by letters.
    Raises RuntimeError for an equation that does not fit operands with so many dimensions.
    """
    text = equation.replace(" ", "")
    left, arrow, right = text.partition("->")
    operands = left.split(",")
    if len(operands) > len(ranks):
        raise RuntimeError("einsum(): fewer operands were provided than specified in the equation")
    if len(operands) < len(ranks):
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    for position, letter in enumerate(left + right):
        if letter not in ascii_letters and letter not in ".,":
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {position} in the equation string, subscripts must be in "
                "[a-zA-Z]"
            )
    spare = [letter for letter in ascii_letters[::-1] if letter not in text]
    widths = []
    for number, (subscripts, rank) in enumerate(zip(operands, ranks)):
        named = len(subscripts.replace("...", ""))
        if "..." in subscripts:
            if named > rank:
                raise RuntimeError(
                    f"einsum(): the number of subscripts in the equation ({named}) is more than the number of "
                    f"dimensions ({rank}) for operand {number}"
                )
            widths.append(rank - named)
        else:
            if named != rank:
                raise RuntimeError(
                    f"einsum(): the number of subscripts in the equation ({named}) does not match the number of "
                    f"dimensions ({rank}) for operand {number} and no ellipsis was given"
                )
            widths.append(0)
    width = max(widths, default=0)
    dots = "".join(spare[:width])
    inputs = tuple(s.replace("...", dots[width - w :]) for s, w in zip(operands, widths))
    joined = "".join(inputs)
    if arrow:
        output = right.replace("...", dots)
        if "." in output:
            raise RuntimeError("einsum(): found '.' for output that is not part of any ellipsis (...)")
        for letter in output:
            if output.count(letter) > 1:
                raise RuntimeError(f"einsum(): output subscript {letter} appears more than once in the output")
            if letter not in joined:
                raise RuntimeError(
                    f"einsum(): output subscript {letter} does not appear in the equation for any input operand"
                )
    else:
        output = dots + "".join(sorted(s for s in set(joined) - set(dots) if joined.count(s) == 1))
    return inputs, output


@op(composite=True, method=False)
def einsum(equation: str, *operands):
    """Sum of products of elements, over the subscripts that are not in the result.

    `"ij,jk->ik"` is a product of matrices, `"ii->i"` a diagonal, `"...ij->...ji"` a transpose of each matrix.
    """
    if not isinstance(equation, str):
        equation, operands = _spelled(equation, operands)
    elif len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    if not len(operands):
        raise RuntimeError("einsum(): must provide at least one operand")
    subscripts, output = plan_of(equation, tuple(len(each.shape) for each in operands))
    operands = _promoted(operands, subscripts, output)
    plain = [_once(each, letters) for each, letters in zip(operands, subscripts)]
    return contract([each for each, _ in plain], tuple(letters for _, letters in plain), output, True)


def _promoted(operands, subscripts, output):
    """Return the operands in one dtype.

    Raises RuntimeError where a sum is over subscripts of two operands of different dtypes: products of matrices do not
    promote, products of elements do.
    """
    kind = operands[0].dtype
    if all(each.dtype == kind for each in operands):
        return operands
    sizes = dict(zip(subscripts[0], operands[0].shape))
    for number, (operand, letters) in enumerate(zip(operands[1:], subscripts[1:]), 2):
        later = set(output).union(*subscripts[number:])
        summed = [s for s, n in zip(letters, operand.shape) if n != 1 != sizes.get(s, 1) and s not in later]
        if summed:
            check_equal_dtypes(kind, operand.dtype)
        kind = dtypes.promote_types(kind, operand.dtype)
        for letter, n in zip(letters, operand.shape):
            sizes[letter] = max(n, sizes.get(letter, 1))
    return [each.to(kind) for each in operands]


def _spelled(first, rest):
    """Return the equation and the operands of `einsum(a, [0, 1], b, [1, 2], [0, 2])`."""
    given = [first, *rest]
    operands, lists = given[0::2], given[1::2]
    result = ""
    if len(operands) > len(lists):
        result = "->" + _letters(operands.pop())
    return ",".join(_letters(each) for each in lists) + result, operands


def _letters(numbers):
    if any(each is not Ellipsis and not 0 <= each < len(_LETTERS) for each in numbers):
        raise ValueError("einsum(): subscript in subscript list is not within the valid range [0, 52)")
    return "".join("..." if each is Ellipsis else _LETTERS[each] for each in numbers)


def _once(operand, letters):
    """Replace the dimensions of a repeated subscript by their diagonal."""
    while len(set(letters)) < len(letters):
        letter = next(each for each in letters if letters.count(each) > 1)
        first = letters.index(letter)
        second = letters.index(letter, first + 1)
        if operand.shape[first] != operand.shape[second]:
            raise RuntimeError(
                f"einsum(): subscript {letter} is repeated for operand {0} but the sizes don't match, "
                f"{operand.shape[second]} != {operand.shape[first]}"
            )
        operand = diagonal(operand, 0, first, second)
        letters = letters[:first] + letters[first + 1 : second] + letters[second + 1 :] + letter
    return operand, letters


def _lengths(subscripts, shapes):
    """Return the size of each subscript; 1 broadcasts.

    Raises RuntimeError where sizes differ.
    """
    lengths = {}
    for number, (letters, shape) in enumerate(zip(subscripts, shapes)):
        for letter, n in zip(letters, shape):
            length = lengths.get(letter, 1)
            if n != length and n != 1 and length != 1:
                raise RuntimeError(
                    f"einsum(): subscript {letter} has size {n} for operand {number} which does not broadcast with "
                    f"previously seen size {length}"
                )
            lengths[letter] = n if length == 1 else length

    return lengths


def _shares(g, tensors, subscripts, output, lined):
    return _parts(g, tensors, subscripts, output)


def _parts(g, tensors, subscripts, output):
    """Return the gradient of each operand.

    It is the gradient of the result contracted with all other operands.
    """
    result = []
    for k, (operand, letters) in enumerate(zip(tensors, subscripts)):
        others = [each.conj() for n, each in enumerate(tensors) if n != k]
        known = [output, *[s for n, s in enumerate(subscripts) if n != k]]
        reached = "".join(letter for letter in letters if any(letter in s for s in known))
        part = contract([g, *others], tuple(known), reached)
        for axis, letter in enumerate(letters):
            if letter not in reached:
                part = np.expand_dims(part, axis)
        result.append(np.broadcast_to(part, _wide(part.shape, operand.shape)))
    return result


def _shares_recorded(g, tensors, subscripts, output, lined):
    """Return the gradients of the operands for Tensors.

    einsum adds all subscripts to every operand, of size 1 where it lacks them, and they are removed.
    """
    result = _parts(g, tensors, subscripts, output)
    every = len(set("".join(subscripts)))
    return [
        called(each, "SqueezeBackward1" if lined and len(letters) < every else "PermuteBackward0")
        for each, letters in zip(result, subscripts)
    ]


_shares.recorded = _shares_recorded


def _wide(one, two):
    return tuple(a if b == 1 else b for a, b in zip(one, two))


def _title(tensors, subscripts, output):
    if set(output).issuperset("".join(subscripts)):
        return "MulBackward0" if len(tensors) > 1 else "PermuteBackward0"
    return "ViewBackward0" if len(tensors) > 1 else "SumBackward1"


@op(batching="contraction", tensors=_shares, private=True, node=_title)
def contract(tensors, subscripts: tuple, output: str, lined: bool = False):
    """Product of the operands, summed over the subscripts that are not in `output`.

    No subscript is repeated in an operand.
    lined: True if PyTorch adds a dimension to every operand for every subscript, as for `einsum`.
    """
    lengths = _lengths(subscripts, [each.shape for each in tensors])
    array, letters = tensors[0], subscripts[0]
    for number in range(1, len(tensors)):
        later = set(output).union(*subscripts[number + 1 :])
        array, letters = _product(array, letters, tensors[number], subscripts[number], later, lengths)
    extra = tuple(axis for axis, letter in enumerate(letters) if letter not in output)
    if extra:
        array = np.add.reduce(array, axis=extra, dtype=np.int64 if array.dtype.kind in "iub" else array.dtype)
        letters = "".join(letter for letter in letters if letter in output)
    if letters != output:
        array = array.transpose([letters.index(letter) for letter in output])
    return array.copy() if array is tensors[0] or array.base is not None else array


def _product(one, first, two, second, later, lengths):
    """Return the product of two operands, summed over the subscripts not in `later`.

    By one `dot` or `matmul`.
    """
    plan = _even_plan(first, second, frozenset(later), one.shape, two.shape)
    if plan is not None:
        order_a, order_b, shape_a, shape_b, shape, letters = plan
        a, b = one.transpose(order_a).reshape(shape_a), two.transpose(order_b).reshape(shape_b)
        return (a.dot(b) if len(shape_a) == 2 else np.matmul(a, b)).reshape(shape), letters
    one, first = _reduced(one, first, lambda letter: letter in second or letter in later)
    two, second = _reduced(two, second, lambda letter: letter in first or letter in later)
    shared = [letter for letter in first if letter in second]
    # A size of 1 broadcasts against another: such a subscript is multiplied, not contracted.
    uneven = [s for s in shared if one.shape[first.index(s)] != two.shape[second.index(s)]]
    if uneven:
        one, two = (_stretched(array, letters, uneven, lengths) for array, letters in ((one, first), (two, second)))
    batch = [s for s in shared if s in later]
    inner = [s for s in shared if s not in later]
    left = [s for s in first if s not in second]
    right = [s for s in second if s not in first]
    a = one.transpose([first.index(s) for s in (*batch, *left, *inner)])
    b = two.transpose([second.index(s) for s in (*batch, *inner, *right)])
    outer, keep = len(batch) + len(left), len(batch)
    rows, columns = math.prod(a.shape[keep:outer]), math.prod(b.shape[keep + len(inner) :])
    depth, count = math.prod(a.shape[outer:]), math.prod(a.shape[:keep])
    shape = (*a.shape[:outer], *b.shape[keep + len(inner) :])
    if batch:
        result = np.matmul(a.reshape(count, rows, depth), b.reshape(count, depth, columns))
    else:
        result = a.reshape(rows, depth).dot(b.reshape(depth, columns))
    return result.reshape(shape), "".join((*batch, *left, *right))


@lru_cache(maxsize=256)
def _even_plan(first, second, later, shape_one, shape_two):
    """Return the operands' orders and shapes, and the result's shape and letters.

    None if a size of 1 broadcasts, or a subscript is in one operand alone.
    """
    if any(s not in second and s not in later for s in first) or any(s not in first and s not in later for s in second):
        return None
    sizes = dict(zip(first, shape_one))
    if any(sizes.get(s, n) != n for s, n in zip(second, shape_two)):
        return None
    sizes.update(zip(second, shape_two))
    batch = [s for s in first if s in second and s in later]
    inner = [s for s in first if s in second and s not in later]
    left = [s for s in first if s not in second]
    right = [s for s in second if s not in first]
    rows, depth, columns = (math.prod([sizes[s] for s in part]) for part in (left, inner, right))
    lead = (math.prod([sizes[s] for s in batch]),) if batch else ()
    letters = "".join((*batch, *left, *right))
    return (
        tuple([first.index(s) for s in (*batch, *left, *inner)]),
        tuple([second.index(s) for s in (*batch, *inner, *right)]),
        (*lead, rows, depth), (*lead, depth, columns), tuple([sizes[s] for s in letters]), letters,
    )  # fmt: skip


def _reduced(array, letters, needed):
    """Sum the operand over the subscripts that only it has."""
    axes = tuple(axis for axis, letter in enumerate(letters) if not needed(letter))
    if not axes:
        return array, letters
    kind = np.int64 if array.dtype.kind in "iub" else array.dtype
    return np.add.reduce(array, axis=axes, dtype=kind), "".join(s for s in letters if needed(s))


def _stretched(array, letters, uneven, lengths):
    return np.broadcast_to(array, [lengths[s] if s in uneven else n for s, n in zip(letters, array.shape)])


def _dims_of(dims, ndim):
    if hasattr(dims, "tolist"):
        dims = dims.tolist()
    if isinstance(dims, int):
        dims = (dims,)
    return [axis_of(d, ndim) for d in dims]


@op(composite=True, method=False, node="ViewBackward0")
def tensordot(a, b, dims: object = 2):
    """Sum of products over the last `dims` dimensions of `a` and the first of `b`.

    dims: or two lists of dimensions.
    """
    if hasattr(dims, "tolist"):
        dims = dims.tolist()
    n, m = len(a.shape), len(b.shape)
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(n, m):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        one, two = list(range(-dims, 0)), list(range(dims))
    else:
        one, two = _dims_of(dims[0], n), _dims_of(dims[1], m)
    if len(one) != len(two):
        raise RuntimeError("both dimension lists should have same length")
    if a.dtype != b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    for x, y in zip(one, two):
        if a.shape[x] != b.shape[y] and 1 not in (a.shape[x], b.shape[y]):
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {a.shape[x]} in dim {x} and second has size "
                f"{b.shape[y]} in dim {y}"
            )
    for x, y in zip(one, two):  # a dimension of size 1 is multiplied with the sum over the other
        if a.shape[x] != b.shape[y]:
            kind = a.dtype
            a, b = (a, sum(b, (y,), True, dtype=kind)) if a.shape[x] == 1 else (sum(a, (x,), True, dtype=kind), b)
    first = list(ascii_letters[:n])
    second = list(ascii_letters[n : n + m])
    for x, y in zip(one, two):
        second[y] = first[x]
    spent = [x % n for x in one]
    kept = [s for k, s in enumerate(first) if k not in spent] + [s for k, s in enumerate(second) if k not in two]
    return contract([a, b], ("".join(first), "".join(second)), "".join(kept))


@op(composite=True)
def inner(input, other):
    """Sums of products over the last dimensions of both; of a number, the product."""
    if not len(input.shape) or not len(other.shape):
        return input * other
    if input.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            f"inner() the last dimension must match on both input tensors but got shapes {list(input.shape)} and "
            f"{list(other.shape)}"
        )
    return tensordot(input, other, [[-1], [-1]])


@op(composite=True, node="UnsafeViewBackward0")
def kron(input, other):
    """Kronecker product: every element of `input` times all of `other`, in blocks."""
    n = max(len(input.shape), len(other.shape))
    one = (1,) * (n - len(input.shape)) + tuple(input.shape)
    two = (1,) * (n - len(other.shape)) + tuple(other.shape)
    spread = reshape(input, tuple(size for pair in zip(one, (1,) * n) for size in pair))
    filled = reshape(other, tuple(size for pair in zip((1,) * n, two) for size in pair))
    return reshape(spread * filled, tuple(a * b for a, b in zip(one, two)))


@op(batching="traced", input=lambda g, input_shape: _on_diagonal(g, tuple(input_shape)))
def trace(input):
    """Sum of a matrix's diagonal."""
    if input.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input.ndim}")
    return np.trace(input, dtype=np.int64 if input.dtype.kind in "iub" else None)


@op(input=lambda g: trace(g), private=True)
def _on_diagonal(input, shape: tuple):
    result = np.zeros(shape, input.dtype)
    size = min(shape)
    result.reshape(-1)[: size * shape[1] : shape[1] + 1] = input
    return result


@op(
    input=lambda g, other, dim: linalg_cross(other.conj(), g, dim=dim),
    other=lambda g, input, dim: linalg_cross(g, input.conj(), dim=dim),
    strict=("input", "other"),
    private=True,
    batching="dims",
    node="LinalgCrossBackward0",
)
def linalg_cross(input, other, *, dim: int = -1):
    """Cross products of vectors of three elements along `dim`."""
    if input.ndim != other.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    joint_shape([input.shape, other.shape])
    axis = axis_of(dim, input.ndim)
    if input.shape[axis] != 3 or other.shape[axis] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {input.shape[axis]} and {other.shape[axis]}"
        )
    check_batches_dtype(input, other)
    return np.cross(input, other, axis=axis).astype(input.dtype, order="C")


@op(composite=True)
def cross(input, other, dim: int = None):
    """Cross products of vectors of three elements along `dim`.

    The default `dim` is the first dimension of size 3.
    """
    if dim is None:
        advise("cross")
        dim = next((axis for axis, n in enumerate(input.shape) if n == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return linalg_cross(input, other, dim=dim)
