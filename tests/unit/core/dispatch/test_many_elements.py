"""Ops on many elements take ways of their own, which give what few elements, or the plain formulas, give."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import dyncore as torch
from dyncore.ops.normal import MANY

UNUSUAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 1e-45, -1e-45, 3.4e38, -3.4e38, 4.3, -4.3, 3.9, 1e-20]


def _numbers(count: int, dtype: Any = np.float32) -> Any:
    made = np.concatenate([UNUSUAL, np.random.default_rng(0).normal(size=count) * 2])
    return made.astype(dtype)


def test_the_error_function_of_many_is_within_three_units_of_the_last_place() -> None:
    x = np.concatenate([_numbers(20_000), np.linspace(-5, 5, 20_001, dtype=np.float32)])
    expected = np.array([math.erf(each) for each in x.tolist()])
    found = torch.erf(torch.tensor(x)).numpy()
    away = np.abs(found - expected)
    assert np.nanmax(away / np.spacing(np.abs(expected).astype(np.float32))) <= 3.5
    assert np.nanmax(away) < 1.3e-7
    assert np.nanmax(np.abs(found)) == 1.0
    assert found[:5].tobytes() == np.array([0.0, -0.0, 1.0, -1.0, math.nan], np.float32).tobytes()


@pytest.mark.parametrize("shape", [(MANY,), (40, 17), (3, 2, 20_001)])
def test_gelu_of_many_and_its_gradient_are_those_of_float64(shape: tuple[int, ...]) -> None:
    values = np.random.default_rng(1).normal(size=shape) * 2
    found = []
    for dtype in (torch.float32, torch.float64):
        x = torch.tensor(values, dtype=dtype).mT if len(shape) == 2 else torch.tensor(values, dtype=dtype)
        x.requires_grad_()
        y = torch.nn.functional.gelu(x)
        (y * y).sum().backward()
        found.append((y, x.grad))
    for one, two in zip(*found, strict=True):
        assert one.shape == two.shape
        assert one.stride() == two.stride()
        torch.testing.assert_close(one.double(), two, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_limits_keep_nan_and_the_sign_of_zero(dtype: Any) -> None:
    x = _numbers(40, np.float64).clip(-6e4, 6e4).astype(dtype).astype(np.float64)  # of two zeros the second
    given, functional = torch.tensor(x.astype(dtype)), torch.nn.functional
    zero, six, one = (np.array(each, np.float64) for each in (0, 6, 1))
    for found, expected in (
        (torch.relu(given), np.maximum(zero, x)),
        (functional.relu6(given), np.minimum(six, np.maximum(zero, x))),
        (functional.hardtanh(given, -1.0, 1.0), np.minimum(one, np.maximum(-one, x))),
        (given.clamp(min=0), np.maximum(zero, x)),
        (given.clamp(max=1), np.minimum(one, x)),
        (given.clamp(1, 0), np.minimum(zero, np.maximum(one, x))),
        (given.clamp_min(0), np.maximum(zero, x)),
        (given.clamp(torch.tensor(-1.0, dtype=given.dtype), torch.tensor(1.0, dtype=given.dtype)),
         np.minimum(one, np.maximum(-one, x))),
    ):  # fmt: skip
        assert found.numpy().tobytes() == expected.astype(dtype).tobytes()
    narrow = x.astype(dtype)
    sloped = np.where(narrow > 0, narrow, narrow * dtype(0.01))
    assert functional.leaky_relu(given).numpy().tobytes() == sloped.tobytes()
    infinite = torch.tensor([math.inf, -1.0], dtype=given.dtype)
    assert functional.leaky_relu(infinite, 0.0).tolist() == [math.inf, 0.0]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(100, 64), (3, 50, 200), (2, 20_001)])
def test_sums_of_many_rows_are_those_of_float64(shape: tuple[int, ...], dtype: Any) -> None:
    values = np.random.default_rng(2).normal(size=shape).astype(dtype)
    given = torch.tensor(values)
    wide = values.astype(np.float64)
    for keepdim in (False, True):
        for dim in (-1, len(shape) - 1):
            found = given.sum(dim, keepdim=keepdim).numpy()
            np.testing.assert_allclose(found, wide.sum(dim, keepdims=keepdim), rtol=1e-4, atol=2e-4)
    assert abs(given.sum().item() - wide.sum()) <= 1e-3
    assert torch.tensor(np.full(100_003, 0.1, dtype)).sum().item() == pytest.approx(10_000.3, rel=1e-6)


@pytest.mark.parametrize("added", [0.0, 90.0, -90.0, 1e4, -1e4, math.inf, math.nan])
def test_softmax_of_many_rows_is_that_of_float64_however_large_they_are(added: float) -> None:
    values = np.random.default_rng(3).normal(size=(40, 50)).astype(np.float32)
    values[7] += np.float32(added)
    values[8, 3:] = -math.inf
    for dim in (1, 0):
        x = torch.tensor(values, requires_grad=True)
        wide = torch.tensor(values.astype(np.float64), requires_grad=True)
        for name in ("softmax", "log_softmax"):
            found, expected = getattr(torch, name)(x, dim), getattr(torch, name)(wide, dim)
            torch.testing.assert_close(found.double(), expected, rtol=1e-5, atol=1e-6, equal_nan=True)
        (torch.softmax(x, dim) * torch.arange(50.0)).sum().backward()
        (torch.softmax(wide, dim) * torch.arange(50.0)).sum().backward()
        torch.testing.assert_close(x.grad.double(), wide.grad, rtol=1e-4, atol=1e-5, equal_nan=True)
