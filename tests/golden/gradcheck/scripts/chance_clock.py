"""Depends on the time of day."""

import time


def forward(x):
    return x * (time.perf_counter_ns() % 1000003)  # FAULT


# $ -i '[1.0, 2.0]' : nondeterministic x
