"""The captured program: what it says of a function, and that a back end of its own computes the same with it."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import dyncore as torch
from dyncore.capture import programs_of
from dyncore.capture.program import Call, Program, ShapeRead, Value, Write, values_in
from dyncore.dispatch.registry import TABLE
from tests.unit.core.capture.check import bits, tensors_in
from tests.unit.core.capture.interpreter import interpreted, own_block
from tests.unit.core.capture.test_programs import interpret, programs
from tests.unit.core.ops.samples import calls_of, collect

SAMPLES, _ = collect()
NUMPY: dict[str, Callable[..., Any]] = {
    "add": lambda input, other, alpha=1: input + other,
    "sub": lambda input, other, alpha=1: input - other,
    "mul": lambda input, other: input * other,
    "div": lambda input, other, rounding_mode=None: input / other,
    "abs": lambda input: np.abs(input),
    "tanh": lambda input: np.tanh(input),
    "mm": lambda input, mat2: input @ mat2,
    "matmul": lambda input, other: input @ other,
    "linear": lambda input, weight, bias: input @ weight.T + bias,
    "sum": lambda input, dim, keepdim, dtype: input.sum(),
    "gt": lambda input, other: input > other,
    "__getitem__": lambda input, index: input[index],
    "t": lambda input: input.T,
}


def in_numpy(op: str, arguments: dict[str, Any]) -> Any:
    return NUMPY[op](**arguments)


def captured(function: Any, *calls: tuple[Any, ...]) -> Program:
    """The program of a function called with these tensors, each once."""
    compiled = torch.compile(function)
    for args in calls:
        compiled(*args)
    (program,) = programs_of(compiled)
    return program


def assert_same(program: Program, function: Any, *args: Any, run: Any = in_numpy) -> None:
    """The interpreter's numbers are the function's."""
    found = interpreted(program, [np.array(each.detach().numpy()) for each in args], run)
    expected = function(*args)
    given = found if isinstance(found, tuple) else (found,)
    assert [np.asarray(each).tolist() for each in given] == [each.tolist() for each in tensors_in([expected])]


def straight(x: Any, y: Any) -> Any:
    return (x @ y).tanh() * 2 - x.sum()


def branching(x: Any) -> Any:
    return x * 2 if x.sum() > 0 else (x.abs(), x - 1)


def looping(x: Any) -> Any:
    count = 0
    while x.abs().sum().item() < 20:
        x, count = x * 1.5, count + 1
    return x + count


def writing(x: Any) -> Any:
    y = x * 1
    row, column = y[0], y.t()[1]
    row += 10
    column *= 3
    return y, row + 1, column * 2


def test_program_of_straight_line_code_gives_the_same_numbers() -> None:
    """Fresh inputs of the same shapes."""
    x, y, z = (torch.tensor([[1.0, -2.0], [0.5, 0.25]]) * k for k in (1, 2, 3))
    program = captured(straight, (x, y))
    for args in ((x, y), (z, x)):
        assert_same(program, straight, *args)


def test_program_of_a_branch_follows_each_arm() -> None:
    """Both arms are in one program, found by the outcome."""
    up, down = torch.tensor([1.0, 2.0]), torch.tensor([-1.0, -3.0])
    program = captured(branching, (up,), (down,))
    assert {True, False} == {arm.outcome for arm in program.body.arms}
    for x in (up, down, up * 3, down * 3):
        assert_same(program, branching, x)


def test_program_of_a_loop_is_left_where_the_function_leaves_it() -> None:
    """Each number of iterations seen is a path; one that was not seen is a LookupError."""
    calls = [torch.tensor([2.0, size]) for size in (1.0, 4.0, 9.0, 25.0)]
    program = captured(looping, *[(x,) for x in calls])
    for x in (*calls, calls[1] * 1.1):
        assert_same(program, looping, x)
    with pytest.raises(LookupError, match=r"item\(v\d+\) < 20 was never True"):
        interpreted(program, [np.float32([0.1, 0.1])], in_numpy)


def test_sizes_of_expand_are_bound_to_its_sizes() -> None:
    """Keyword-only parameters take no argument given by position."""
    program = captured(lambda x: x.expand(3, -1) + 1, (torch.tensor([1.0, 2.0]),))
    (call,) = (node for node in program.body.nodes if isinstance(node, Call) and node.op == "expand")
    assert {"implicit": False, "size": (3, -1)} == {name: call.arguments[name] for name in ("implicit", "size")}


def test_write_through_views_makes_new_versions_of_the_whole_tensor() -> None:
    """The views read afterwards are called again on the version that has both writes."""
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    program = captured(writing, (x,))
    assert_same(program, writing, x)
    assert_same(program, writing, x * 7)
    first, second = (node for node in program.body.nodes if isinstance(node, Write))
    assert first.result == second.base and first.base.shape == first.result.shape == (2, 2)
    assert [["__getitem__"], ["t", "__getitem__"]] == [[view.op for view in node.path] for node in (first, second)]


def test_written_input_is_listed_with_its_last_version() -> None:
    """A back end can put it back."""

    def increment(x: Any) -> Any:
        x.add_(1)
        return x * 2

    program = captured(increment, (torch.zeros(2),))
    (each,) = program.body.written
    write = next(node for node in program.body.nodes if isinstance(node, Write))
    assert each == (program.inputs[0], write.result)
    assert_same(program, increment, torch.ones(2))


def test_inputs_carry_names_of_arguments_and_parameters() -> None:
    """By the parameter's name, its place in a container, and the Module's own names."""
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh())
    program = captured(net, (torch.ones(1, 2),))
    assert {"input": 0, "0.weight": None, "0.bias": None} == {each.name: each.argument for each in program.inputs}
    assert all(each.tensor is dict(net.named_parameters())[each.name] for each in program.inputs[1:])
    assert_same(program, net, torch.tensor([[0.5, -1.0]]))
    compiled = torch.compile(lambda pair, *, scale: pair[0] * scale + pair[1])
    compiled([torch.ones(2), torch.zeros(2)], scale=torch.ones(2))
    assert ["pair[0]", "pair[1]", "scale"] == [each.name for each in programs_of(compiled)[0].inputs]


def test_nodes_say_where_they_stand_and_what_python_read() -> None:
    """Sites are the user's, shapes are nodes, draws are marked, arguments have their names."""

    def function(x: Any) -> Any:
        noise = torch.randn(x.shape[0])
        return (x + noise).sum(dim=0)

    nodes = captured(function, (torch.ones(3),)).body.nodes
    read, draw, add, total = nodes
    line = function.__code__.co_firstlineno
    assert [line + 1, line + 1, line + 2, line + 2] == [node.site.line for node in nodes]
    assert {__file__} == {node.site.file for node in nodes}
    assert isinstance(read, ShapeRead) and ("shape", (3,)) == (read.how, tuple(read.result))
    assert isinstance(draw, Call) and ("randn", True) == (draw.op, draw.random)
    assert isinstance(add, Call) and list(draw.results) == [add.arguments["other"]] and not add.random
    assert isinstance(total, Call) and ["input", "dim", "keepdim", "dtype"] == list(total.arguments)
    assert 0 == total.arguments["dim"]


def test_numbers_that_leave_are_decisions_by_value() -> None:
    """`tolist`, `item` and `equal` carry what Python got."""

    def function(x: Any) -> Any:
        total = x.sum().item()
        return x * total if torch.equal(x, x) and x.tolist() != [0.0] else x

    block, seen = captured(function, (torch.tensor([1.5, 2.0]),)).body, []
    while block.decision is not None:
        (arm,) = block.arms
        seen.append((block.decision.how, arm.outcome))
        block = arm.block
    assert [("item", 3.5), ("equal", True), ("tolist", [1.5, 2.0])] == seen


def test_each_kind_of_arguments_is_a_program() -> None:
    """Other shapes, other program."""
    compiled = torch.compile(lambda x: x * 2)
    for size in (2, 3, 2):
        compiled(torch.ones(size))
    assert [(2,), (3,)] == [program.inputs[0].value.shape for program in programs_of(compiled)]


def test_program_cannot_be_changed() -> None:
    """Neither the nodes nor the arguments nor the constants."""
    program = captured(straight, (torch.ones(1, 1), torch.ones(1, 1)))
    call = program.body.nodes[0]
    assert isinstance(call, Call)
    with pytest.raises(FrozenInstanceError):
        call.op = "other"
    with pytest.raises(TypeError):
        call.arguments["input"] = None
    with pytest.raises(ValueError, match="read-only"):
        program.constants[0].array[...] = 0


def test_function_that_reads_its_own_program_is_not_captured() -> None:
    """What it returns depends on the calls before."""
    other = torch.compile(lambda x: x * 2)
    compiled = torch.compile(lambda x: x * len(programs_of(other)))
    assert 0 == compiled(torch.ones(1)).item()
    other(torch.ones(1))
    assert 1 == compiled(torch.ones(1)).item()
    assert compiled.explain().refused and not compiled.explain().paths


def test_program_of_something_else_is_refused() -> None:
    """With the class of what was given."""
    with pytest.raises(TypeError, match=r"programs_of\(\) expected what compile\(\) returns, but got function"):
        programs_of(straight)


def test_text_reads_like_the_function() -> None:
    """One line a node, indented under the outcomes that lead there."""
    program = captured(branching, (torch.ones(2),), (-torch.ones(2),))
    text = str(program)
    assert "branching(v0: x)" == text.splitlines()[0]
    for line in ("  if bool(v3) is True:", "   return v5", "  if bool(v3) is False:", "   return (v6, v8)"):
        assert line in text.splitlines(), text


def defined_once(program: Program) -> bool:
    """Whether each value is defined once, and before it is used."""
    outside = [*(each.value for each in program.inputs), *(each.value for each in program.constants)]
    made: Counter[Value] = Counter(outside)
    known = set(outside)
    for block in program.body.walk():
        for node in block.nodes:
            used = values_in(node.arguments) if isinstance(node, Call) else []
            used += [node.base, node.target, node.source] if isinstance(node, Write) else []
            results = [node.result] if isinstance(node, Write) else getattr(node, "results", ())
            assert known.issuperset(used), str(program)
            made.update(each for each in results if each is not None)
            known.update(each for each in results if each is not None)
    return set(made.values()) <= {1}


@pytest.mark.whole
@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(programs, st.lists(st.integers(0, 3), min_size=2, max_size=4))
def test_random_programs_give_the_same_bits_by_the_interpreter(steps: list[Any], inputs: list[int]) -> None:
    """Branches, loops, views and writes, each input that was recorded."""
    compiled = torch.compile(lambda a, b: interpret(steps, a, b))
    calls = [np.random.default_rng(seed).standard_normal((2, 3, 3)).astype(np.float32) for seed in inputs]
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        results = [compiled(*map(torch.tensor, values.tolist())) for values in calls]
        for values, expected in zip(calls, results, strict=True):
            for program in programs_of(compiled):
                assert defined_once(program)
                found = interpreted(program, [np.array(each) for each in values], own_block)
                assert [bits(e)[3] for e in expected] == [np.asarray(e).tobytes() for e in found], str(program)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_calls_of_every_op_say_enough_to_compute_it(name: str) -> None:
    """Name and arguments of the calls are what the op's block needs."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for *args, kwargs in list(calls_of(name, SAMPLES[name]))[:4]:
            compiled = torch.compile(partial(TABLE[name].entry, **kwargs))
            expected = compiled(*args)
            for program in programs_of(compiled):
                nodes = [node for block in program.body.walk() for node in block.nodes]
                if any(isinstance(node, Call) and node.random for node in nodes):
                    continue
                arrays = {id(each): np.asarray(each.detach()._array) for each in tensors_in([args, kwargs])}
                given = list(arrays.values())
                found = interpreted(program, given, own_block)
                expected_arrays = [np.asarray(each._array) for each in tensors_in([expected])]
                found_arrays = [np.asarray(each) for each in (found if isinstance(found, (tuple, list)) else [found])]
                assert [e.tobytes() for e in expected_arrays] == [f.tobytes() for f in found_arrays], str(program)
