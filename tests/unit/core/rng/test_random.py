"""Random numbers are PyTorch's for a seed: the stream, every distribution, the state."""

from __future__ import annotations

import copy
import importlib.util
import pickle
from typing import Any

import numpy as np
import pytest

import dyncore
from dyncore.rng import samplers as sampling
from dyncore.rng.generator import Generator
from dyncore.rng.mersenne import Twister

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")

DRAWS = [
    "t.rand({n})",
    "t.rand({n}, dtype=t.float16)",
    "t.rand({n}, dtype=t.float64)",
    "t.rand({n}, dtype=t.complex64)",
    "t.randn({n})",
    "t.randn({n}, dtype=t.float16)",
    "t.randn({n}, dtype=t.complex64)",
    "t.randperm({n})",
    "t.randint(1000, ({n},))",
    "t.randint(-7, 2**28, ({n},))",
    "t.randint(-(2**62), 2**62, ({n},))",
    "t.rand_like(t.zeros({n}))",
    "t.randn_like(t.zeros({n}, 2))",
    "t.randint_like(t.zeros({n}), 3, 9)",
    "t.empty({n}).normal_(2.5, 0.3)",
    "t.empty({n}).uniform_(-0.123, 4.7)",
    "t.empty({n}, dtype=t.float64).uniform_(-0.123, 4.7)",
    "t.empty({n}).bernoulli_(0.3)",
    "t.empty({n}, dtype=t.int64).bernoulli_(t.full(({n},), 0.25))",
    "t.bernoulli(t.full(({n},), 0.3))",
    "t.bernoulli(t.full(({n},), 0.3, dtype=t.float64))",
    "t.empty({n}).exponential_(0.3)",
    "t.empty({n}).cauchy_(0.3, 2)",
    "t.empty({n}).geometric_(0.3)",
    "t.empty({n}).log_normal_()",
    "t.empty({n}).random_()",
    "t.empty({n}, dtype=t.int8).random_()",
    "t.empty({n}, dtype=t.int64).random_()",
    "t.empty({n}, dtype=t.int64).random_(3, 90)",
    "t.normal(t.full(({n},), 0.3), t.full(({n},), 2.0))",
    "t.normal(0.3, t.full(({n},), 2.0))",
    "t.normal(0.3, 2.0, ({n},))",
    "t.poisson(t.full(({n},), 0.3))",
    "t.poisson(t.full(({n},), 30.3))",
    "t.binomial(t.full(({n},), 30.0), t.full(({n},), 0.2))",
    "t.binomial(t.full(({n},), 300.0), t.full(({n},), 0.7))",
    "t.multinomial(t.rand({n}, 5), 3)",
    "t.multinomial(t.rand({n}, 5), 1)",
    "t.multinomial(t.rand({n}, 5), 9, replacement=True)",
    "t.empty({n}, 7).t().normal_()",
    "t.empty(3, {n}, 2).permute(1, 2, 0).uniform_()",
    "t.empty(2 * {n}, 3)[::2].normal_()",
    "t.nn.functional.dropout(t.ones({n}), 0.3)",
    "t.nn.init.trunc_normal_(t.empty({n}))",
    "t.nn.init.trunc_normal_(t.empty({n}), mean=0.0, std=1.0, a=1.5, b=2.0)",
    "t.nn.init.sparse_(t.empty({n}, 3), 0.4)",
    "t.nn.init.xavier_uniform_(t.empty({n}, 3))",
    "t.nn.init.kaiming_normal_(t.empty({n}, 3))",
]


def drawn(t: Any, expression: str, seed: int) -> tuple[np.ndarray[Any, Any], float]:
    """What the expression gives after `manual_seed(seed)`, and the next number, which tells how much it drew."""
    t.manual_seed(seed)
    return np.asarray(eval(expression, {"t": t})), t.rand(1).item()


@needs_torch
@pytest.mark.parametrize("expression", DRAWS)
def test_draws_are_bit_for_bit_those_of_pytorch(expression: str) -> None:
    """Below, at and above the block of sixteen, and over several blocks of the Mersenne Twister."""
    import torch

    for number, n in enumerate((1, 2, 15, 16, 17, 31, 33, 700, 1600)):
        expected, expected_next = drawn(torch, expression.format(n=n), 11 + number)
        found, found_next = drawn(dyncore, expression.format(n=n), 11 + number)
        assert expected.dtype == found.dtype
        np.testing.assert_array_equal(expected, found, err_msg=f"n={n}")
        assert expected_next == found_next


@needs_torch
@pytest.mark.parametrize(
    "expression", ["t.randn({n}, dtype=t.float64)", "t.empty({n}, dtype=t.float64).exponential_()"]
)
def test_doubles_agree_to_the_last_digits(expression: str) -> None:
    """NumPy's float64 logarithm, sine and cosine may differ from the C library's in the last bit."""
    import torch

    for n in (1, 15, 16, 40, 1000):
        expected, expected_next = drawn(torch, expression.format(n=n), n)
        found, found_next = drawn(dyncore, expression.format(n=n), n)
        np.testing.assert_allclose(expected, found, rtol=1e-13, atol=1e-15)
        assert expected_next == found_next


@needs_torch
@pytest.mark.parametrize("seed", [0, 1, 42, 2**31, 2**40 + 3, -1, -12345, 2**64 - 1])
def test_every_seed_means_what_it_means_in_pytorch(seed: int) -> None:
    import torch

    torch.manual_seed(seed)
    dyncore.manual_seed(seed)
    assert torch.initial_seed() == dyncore.initial_seed()
    assert torch.rand(3).tolist() == dyncore.rand(3).tolist()


@needs_torch
@pytest.mark.parametrize("count", [0, 1, 5, 623, 624, 625, 1000])
def test_state_can_be_given_to_pytorch_and_taken_from_it(count: int) -> None:
    """The bytes are the same, after any number of draws and with a kept half of a pair of normal numbers."""
    import torch

    for t in (torch, dyncore):
        t.manual_seed(3)
        t.rand(count)
    assert torch.get_rng_state().tolist() == dyncore.get_rng_state().tolist()
    torch.randn(1), dyncore.randn(1)
    state = torch.get_rng_state()
    assert state.tolist() == dyncore.get_rng_state().tolist()
    dyncore.manual_seed(0)
    dyncore.set_rng_state(dyncore.from_numpy(state.numpy()))
    assert torch.randn(3).tolist() == dyncore.randn(3).tolist()


def test_golden_numbers_of_seed_zero() -> None:
    """What the first line of many a tutorial prints."""
    dyncore.manual_seed(0)
    assert "tensor([ 1.5410, -0.2934, -2.1788])" == repr(dyncore.randn(3))
    assert "tensor([0.4556, 0.6323])" == repr(dyncore.rand(2, 2)[0])
    dyncore.manual_seed(42)
    assert "tensor([0.8823, 0.9150, 0.3829])" == repr(dyncore.rand(3))
    dyncore.manual_seed(0)
    assert [-1.1258398294448853, -1.152360200881958, -0.2505785822868347] == dyncore.randn(16)[:3].tolist()
    dyncore.manual_seed(0)
    assert "tensor([4, 9, 3, 0, 3])" == repr(dyncore.randint(10, (5,)))


def test_long_draws_continue_short_ones() -> None:
    """One stream, whether its words come from blocks made here or from NumPy's."""
    short, long = Twister(7), Twister(7)
    pieces = np.concatenate([short.words(n) for n in [1000] * 151])
    words = np.concatenate([long.words(500), long.words(150_000), long.words(500)])
    np.testing.assert_array_equal(pieces, words)


def test_generators_are_independent_and_can_be_copied() -> None:
    """A generator of one's own leaves the default one alone; a copy goes on with the same numbers."""
    dyncore.manual_seed(1)
    expected = dyncore.rand(2).tolist()
    dyncore.manual_seed(1)
    own = Generator().manual_seed(5)
    first = dyncore.rand(3, generator=own).tolist()
    assert expected == dyncore.rand(2).tolist()
    assert first == dyncore.rand(3, generator=Generator().manual_seed(5)).tolist()
    twin = pickle.loads(pickle.dumps(own))
    assert dyncore.randn(5, generator=own).tolist() == dyncore.randn(5, generator=twin).tolist()
    assert dyncore.randn(5, generator=own).tolist() == dyncore.randn(5, generator=copy.deepcopy(twin)).tolist()


def test_poisson_of_rate_zero_is_zero() -> None:
    assert [0.0, 0.0] == dyncore.poisson(dyncore.zeros(2)).tolist()


def test_fork_rng_restores_the_state() -> None:
    dyncore.manual_seed(1)
    with dyncore.random.fork_rng():
        inside = dyncore.rand(1).item()
    assert inside == dyncore.rand(1).item()


def test_seed_changes_the_numbers_and_is_the_initial_seed() -> None:
    before = dyncore.initial_seed()
    try:
        assert dyncore.seed() == dyncore.initial_seed()
    finally:
        dyncore.manual_seed(before)


def test_filling_counts_as_writing() -> None:
    """A value saved for backward and then filled with new numbers is noticed."""
    x = dyncore.ones(3, requires_grad=True)
    y = x.exp()
    y.detach().normal_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        x.uniform_()
    with dyncore.no_grad():
        assert x.uniform_() is x


ERRORS = [
    ("t.empty(3).uniform_(1, 0)", RuntimeError),
    ("t.empty(3, dtype=t.long).uniform_()", NotImplementedError),
    ("t.empty(3).normal_(0, -1)", RuntimeError),
    ("t.empty(3, dtype=t.long).normal_()", NotImplementedError),
    ("t.empty(3).bernoulli_(2)", RuntimeError),
    ("t.bernoulli(t.tensor([2.]))", RuntimeError),
    ("t.bernoulli(t.tensor([1]))", NotImplementedError),
    ("t.empty(3).exponential_(-1)", RuntimeError),
    ("t.empty(3, dtype=t.long).exponential_()", RuntimeError),
    ("t.empty(3).geometric_(2)", RuntimeError),
    ("t.empty(3).cauchy_(0, -1)", RuntimeError),
    ("t.empty(3).log_normal_(0, -1)", RuntimeError),
    ("t.multinomial(t.ones(2, 2, 2), 1)", RuntimeError),
    ("t.multinomial(t.ones(2), 0)", RuntimeError),
    ("t.multinomial(t.ones(2), 3)", RuntimeError),
    ("t.multinomial(-t.ones(2), 1)", RuntimeError),
    ("t.multinomial(t.zeros(2), 1)", RuntimeError),
    ("t.multinomial(t.ones(2).long(), 1)", RuntimeError),
    ("t.randint(5, 2, (2,))", RuntimeError),
    ("t.randint(-5, (2,))", RuntimeError),
    ("t.randint(300, (2,), dtype=t.uint8)", RuntimeError),
    ("t.randperm(-1)", RuntimeError),
    ("t.rand(2, dtype=t.long)", NotImplementedError),
    ("t.randn(2, dtype=t.long)", NotImplementedError),
    ("t.rand(-1)", RuntimeError),
    ("t.normal(t.zeros(2), -t.ones(2))", RuntimeError),
    ("t.empty(3).random_(5, 2)", RuntimeError),
    ("t.empty(3, dtype=t.uint8).random_(300)", RuntimeError),
    ("t.poisson(t.tensor([-1.]))", RuntimeError),
    ("t.poisson(t.tensor([1]))", NotImplementedError),
    ("t.manual_seed('a')", ValueError),
    ("t.manual_seed(2**64)", ValueError),
]


@pytest.mark.parametrize(("expression", "kind"), ERRORS)
def test_errors_are_those_of_pytorch(expression: str, kind: type[Exception]) -> None:
    """The kind everywhere; the sentence where torch is installed to compare."""
    with pytest.raises(kind) as found:
        eval(expression, {"t": dyncore})
    if importlib.util.find_spec("torch") is not None:
        import torch

        with pytest.raises(kind) as expected:
            eval(expression, {"t": torch})
        assert str(expected.value) == str(found.value)


def test_normal_numbers_made_ahead_are_those_of_single_draws() -> None:
    """Small draws from one block of the twister, with others between them and across its end, and a state put back."""
    sizes = [64, 64, 16, 3, 64, 64, 128, 17, 48, 64, 256, 64, 64, 100, 64]
    generator = dyncore.Generator().manual_seed(5)
    for size in sizes:
        state = generator.get_state()
        found = dyncore.randn(size, generator=generator)
        fresh = dyncore.Generator()
        fresh.set_state(state)
        assert found.tolist() == dyncore.randn(size, generator=fresh).tolist()
        assert generator.get_state().tolist() == fresh.get_state().tolist()
    found[...] = 0  # what was given is the caller's
    again = dyncore.Generator().manual_seed(5)
    assert [dyncore.randn(64, generator=again).tolist() for _ in range(2)][1] != [0.0] * 64


@pytest.mark.parametrize("counts", [(64,), (16, 64, 256), (64, 48, 17), (256, 3, 64)])
def test_what_is_made_several_blocks_ahead_is_what_single_draws_give(counts: tuple[int, ...]) -> None:
    """Thousands of small draws, others in between: the numbers and the state are those of draws one at a time."""
    dyncore.manual_seed(11)
    ahead = []
    for turn in range(120):
        for count in counts:
            ahead.append(dyncore.randn(count).tolist())
            if turn % 17 == 3:
                ahead.append(dyncore.rand(count).tolist())
    state = dyncore.get_rng_state()
    dyncore.manual_seed(11)
    alone = []
    for turn in range(120):
        for count in counts:
            dyncore.set_rng_state(dyncore.get_rng_state())  # forgets what was made
            alone.append(dyncore.randn(count).tolist())
            if turn % 17 == 3:
                alone.append(dyncore.rand(count).tolist())
    assert alone == ahead
    assert dyncore.get_rng_state().tolist() == state.tolist()


@pytest.mark.parametrize("p", [0.5, 0.1, 0.9, 1 / 3, 1e-9, 0.0, 1.0])
def test_a_probability_decides_as_doubles_do(p: float) -> None:
    """The upper bits tell, and the lower ones where those are equal."""
    one, other = Generator().manual_seed(3), Generator().manual_seed(3)
    assert (one.doubles(5000) < p).tolist() == sampling.bernoulli(5000, p, other).tolist()


def test_a_probability_whose_upper_bits_are_drawn() -> None:
    """Words beside a limit, on both sides of it and on it."""
    words = np.array([(1 << 20) | 0xFFE00000, 5, 1 << 20, 6, 1 << 20, 7, 1 << 19, 9], np.uint32)
    limit = ((1 << 52) + 6) * 2.0**-53
    assert [True, False, False, True] == sampling._below(words, limit).tolist()
