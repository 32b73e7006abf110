"""`torch.multiprocessing` runs functions in this process, and refuses what needs two at the same time."""

from __future__ import annotations

import queue
import sys
from typing import Any

import dyncore.multiprocessing as mp
import pytest

import dyncore


def test_spawn_calls_the_function_with_its_rank() -> None:
    shared, ranks = dyncore.zeros(2), []

    def work(rank: int, tensor: Any) -> None:
        ranks.append(rank)
        tensor.add_(1)

    assert mp.spawn(work, args=(shared,), nprocs=1) is None
    context = mp.spawn(work, args=(shared,), join=False)
    assert context is not None and context.join()
    assert [0, 0] == ranks
    assert [2.0, 2.0] == shared.tolist()


def test_a_process_runs_when_it_is_started_and_leaves_the_generator_alone() -> None:
    dyncore.manual_seed(3)
    expected = dyncore.rand(1).item()
    dyncore.manual_seed(3)
    drawn: list[float] = []
    process = mp.Process(target=lambda count: drawn.extend(dyncore.rand(count).tolist()), args=(2,))
    process.start()
    process.join()
    assert (2, 0, False) == (len(drawn), process.exitcode, process.is_alive())
    assert expected == dyncore.rand(1).item()


def test_sys_exit_of_a_process_is_its_exit_code() -> None:
    process = mp.Process(target=sys.exit, args=(3,))
    process.start()
    assert 3 == process.exitcode


def test_a_pool_maps_here() -> None:
    with mp.Pool(4) as pool:
        assert [1, 2] == pool.map(abs, [-1, 2])
        assert [3] == pool.starmap(max, [(1, 3)])
        assert 5 == pool.apply_async(abs, (-5,)).get()


def test_a_queue_hands_on_and_refuses_to_wait_for_ever() -> None:
    tasks = mp.get_context("spawn").Queue()
    tasks.put(3)
    assert 3 == tasks.get()
    with pytest.raises(queue.Empty):
        tasks.get(timeout=5)
    with pytest.raises(NotImplementedError, match=r"get\(\) of an empty queue needs another process"):
        tasks.get()


@pytest.mark.parametrize("call", ["spawn(print, nprocs=2)", "Pipe()", "Manager()", "Barrier(2)"])
def test_what_needs_two_processes_is_refused(call: str) -> None:
    with pytest.raises(NotImplementedError, match="needs another process that runs at the same time"):
        eval(f"mp.{call}", {"mp": mp})


def test_locks_and_values_are_pythons() -> None:
    value = mp.Value("i", 0)
    with mp.Lock(), value.get_lock():
        value.value += 1
    assert 1 == value.value
