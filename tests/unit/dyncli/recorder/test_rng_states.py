"""The states of the three random number streams, put back."""

import random

import numpy as np

import dyncore as torch
from dyncli.recorder.settings import restore, rng_state, same_rng_state


def draw() -> tuple[float, float, float]:
    """Draw from each stream."""
    return torch.rand(1).item(), float(np.random.rand()), random.random()


def test_streams_that_are_restored_draw_the_same_again() -> None:
    """Those of the engine, of NumPy and of Python."""
    state = rng_state()
    first = draw()
    assert not same_rng_state(state, rng_state())
    restore(state)
    assert same_rng_state(state, rng_state())
    assert first == draw()


def test_no_state_leaves_the_streams_as_they_are() -> None:
    """A function that draws nothing has none."""
    state = rng_state()
    restore(None)
    assert same_rng_state(state, rng_state())
