"""Checks of the operands of products of matrices, with PyTorch's sentences."""

import math

import numpy as np

from dyncore.dtypes import dtypes


def check_inner(first, second):
    """Raise RuntimeError unless the matrices' inner sizes are equal."""
    if first.shape[-1] != second.shape[-2]:
        if second.ndim > 2:
            count, k = math.prod(np.broadcast_shapes(first.shape[:-2], second.shape[:-2])), first.shape[-1]
            raise _inner_sizes(count, k, (count, second.shape[-2]))
        (m, k), (n, p) = first.shape[-2:], second.shape[-2:]
        m *= math.prod(first.shape[:-2]) if second.ndim == 2 else 1  # the rows of a batch are one matrix's
        error = RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({m}x{k} and {n}x{p})")
        if k == p:
            error.add_note(f"hint: the inner sizes are {k} and {n}; the second transposed (`.T`) would fit")
        raise error


def check_same_dtype(first, second):
    """Raise RuntimeError unless both have one dtype.

    Products of matrices do not promote.
    """
    if first.dtype != second.dtype:
        one, two = dtypes.in_c(first.dtype), dtypes.in_c(second.dtype)
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {one} != {two}")


def check_batches(first, second):
    """Raise RuntimeError unless both are batches of matrices that can be multiplied."""
    for name, each in (("batch1", first), ("batch2", second)):
        if each.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if first.shape[0] != second.shape[0] or first.shape[2] != second.shape[1]:
        raise _inner_sizes(first.shape[0], first.shape[2], second.shape[:2])
    check_batches_dtype(first, second)


def _inner_sizes(count, size, got):
    return RuntimeError(
        f"Expected size for first two dimensions of batch2 tensor to be: [{count}, {size}] but got: {list(got)}."
    )


def check_batches_dtype(first, second):
    """Raise RuntimeError unless both have one dtype, with the sentence of kernels.

    For products of batches, and distances.
    """
    check_equal_dtypes(first.dtype, second.dtype)


def check_equal_dtypes(first, second):
    """Raise RuntimeError unless two dtypes are equal, with the sentence of kernels."""
    if first != second:
        raise RuntimeError(f"expected scalar type {dtypes.title_of(first)} but found {dtypes.title_of(second)}")


def check_chain_dtype(tensors):
    """Raise RuntimeError unless all have one dtype, with the sentence of `multi_dot`."""
    first = tensors[0].dtype
    for number, each in enumerate(tensors):
        if each.dtype != first:
            one, two = (dtypes.in_c(dtypes.to_numpy(kind)) for kind in (first, each.dtype))
            raise RuntimeError(
                f"multi_dot(): all tensors must have be the same dtype but tensor 0 is {one} and tensor {number} {two}"
            )


def check_mixed_dtype(input, mat1, mat2):
    """Raise RuntimeError unless all have one dtype, with the sentence of `addmm`."""
    for name, each in (("self", input), ("mat1", mat1)):
        if each.dtype != mat2.dtype:
            one, two = dtypes.of(each.dtype).title, dtypes.of(mat2.dtype).title
            raise RuntimeError(f"{name} and mat2 must have the same dtype, but got {one} and {two}")


def check_three_dtypes(input, batch1, batch2):
    """Raise RuntimeError unless the first two have one dtype, with the sentence of `baddbmm`."""
    if input.dtype != batch1.dtype:
        one, two, three = (dtypes.in_c(each.dtype) for each in (input, batch1, batch2))
        raise RuntimeError(f"Input dtypes must be the same, got: input {one}, batch1: {two}, batch2: {three}")


def check_vector(mat, vec, input):
    """Raise RuntimeError unless a matrix and a vector fit.

    The matrix has as many columns as the vector elements, and all have one dtype.
    """
    n, m = mat.shape
    if m != vec.shape[0]:
        raise RuntimeError(f"size mismatch, got input ({n}), mat ({n}x{m}), vec ({vec.shape[0]})")
    if not input.dtype == mat.dtype == vec.dtype:
        one, two, three = (dtypes.of(each.dtype).title for each in (input, mat, vec))
        raise RuntimeError(f"addmv input tensors must have the same dtype, but got {one}, {two}, and {three}")


def check_vectors(first, second):
    """Raise RuntimeError unless both are vectors of one length and dtype."""
    if first.ndim != 1 or second.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {first.ndim}D and {second.ndim}D tensors")
    if first.dtype != second.dtype:
        one, two = (dtypes.of(each.dtype).title for each in (first, second))
        raise RuntimeError(f"dot : expected both vectors to have same dtype, but found {one} and {two}")
    if first.shape != second.shape:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{first.size}] and src [{second.size}] to have the same number "
            f"of elements, but got {first.size} and {second.size} elements respectively"
        )


def check_product(input, other):
    """Raise RuntimeError for two dtypes.

    The sentence is that of the product that `matmul` is for these dimensions.
    """
    if input.dtype is other.dtype:
        return
    if other.ndim == input.ndim == 1:
        check_vectors(input, other)
    elif other.ndim == 1 and input.ndim == 2:
        check_vector(input, other, other)
    elif input.ndim > 2 and other.ndim > 2:
        check_batches_dtype(input, other)
    check_same_dtype(input, other)
