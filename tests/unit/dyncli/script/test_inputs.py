"""`--input` -> the cases an entry is run on: names, order, cases, and every way they do not fit."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dyncli import errors
from dyncli.script.convert import Bound, Leaf
from dyncli.script.inputs import bind
from dyncli.script.script import signature_of


class Tensor:
    """Stands for the engine's, which is found by its name."""


def plain(leaf: Leaf) -> Any:
    """A leaf as nested lists."""
    return leaf.array.tolist()


def given(function: Any, *inputs: str, **options: Any) -> dict[str, Any]:
    """Name -> plain value of the only case."""
    (bound,) = bind(inputs, signature_of(function, function.__name__), **options)
    return values(bound)


def values(bound: Bound) -> dict[str, Any]:
    """Name -> plain value of one case."""
    positional, named = bound.map_leaves(plain)
    return dict(zip(bound.names, positional)) | named


def cases(function: Any, *inputs: str, **options: Any) -> dict[str | None, dict[str, Any]]:
    """Case -> its values."""
    bounds = bind(inputs, signature_of(function, function.__name__), **options)
    return {bound.case: values(bound) for bound in bounds}


def forward(x): ...


def two(x, y): ...


def tree_net(tree: dict): ...


def annotated(x: Tensor, steps: int = 3): ...


def test_a_list_for_the_only_parameter():
    """Numbers without a name are the first parameter; whole ones in a list become floats too."""
    assert {"x": [1.0, -1.0, 2.0]} == given(forward, "[1, -1, 2]")


def test_by_name():
    """`x=...` names its parameter; unnamed inputs fill the parameters in order."""
    assert {"x": [1.0], "y": 2.5} == given(two, "y=2.5", "x=[1]")
    assert {"x": [1.0], "y": [2.0]} == given(two, "[1]", "[2]")


def test_floats_have_the_dtype_asked_for():
    """float32 as in PyTorch, or what `--dtype` says."""
    (bound,) = bind(["[0.1]"], signature_of(forward, "forward"))
    (leaf,) = bound.leaves()
    assert ("x", "float32", True) == (leaf.name, str(leaf.array.dtype), leaf.is_floating)
    (bound,) = bind(["[0.1]"], signature_of(forward, "forward"), dtype="float64")
    assert [0.1] == next(bound.leaves()).array.tolist()


def test_nan_and_infinity_are_numbers():
    """JSON's words and Python's."""
    assert "[nan, inf, -inf, nan]" == str(given(forward, "[NaN, Infinity, -Infinity, nan]")["x"])


def test_an_empty_list_is_an_empty_tensor():
    """Shape (0,), and floating."""
    (bound,) = bind(["[]"], signature_of(forward, "forward"))
    (leaf,) = bound.leaves()
    assert ((0,), "float32") == (leaf.array.shape, str(leaf.array.dtype))


def test_an_integer_stays_one():
    """Without an annotation a lone integer, boolean, string or null reaches the entry as it is."""
    assert {"x": 3} == given(forward, "3")
    assert {"x": [1.0], "y": True} == given(two, "[1]", "y=true")
    assert {"x": "abc", "y": None} == given(two, "x='abc'", "y=null")


def test_a_tree_has_a_leaf_for_each_float():
    """Leaves are named by their way through the tree; integers in it stay integers."""
    tree = '{"left": {"value": 1.5, "rank": 2}, "right": {"value": [1, 2]}, "word": "and"}'
    (bound,) = bind([f"tree={tree}"], signature_of(tree_net, "tree_net"))
    assert ["tree.left.value", "tree.right.value"] == [leaf.name for leaf in bound.leaves()]
    expected = {"left": {"value": 1.5, "rank": 2}, "right": {"value": [1.0, 2.0]}, "word": "and"}
    assert {"tree": expected} == values(bound)


def test_map_leaves_calls_once_and_in_order():
    """The function sees each leaf once, in the order of the parameters."""
    (bound,) = bind(["y=[[1.0], {'a': 2.0}]", "x=0.5"], signature_of(two, "two"))
    seen: list[str] = []
    positional, named = bound.map_leaves(lambda leaf: seen.append(leaf.name))
    assert (["x", "y.0", "y.1.a"], [None, [None, {"a": None}]], {}) == (seen, positional, named)


def test_an_object_binds_by_name(tmp_path: Path):
    """A JSON object whose keys are parameters is one case without a name."""
    file = tmp_path / "both.json"
    file.write_text('{"x": [1, 2], "y": 3.5}')
    assert {None: {"x": [1.0, 2.0], "y": 3.5}} == cases(two, str(file))


def test_an_object_of_objects_is_a_set_of_cases(tmp_path: Path):
    """All of them in order, or the one that `--case` names; a named input goes into every case."""
    file = tmp_path / "cases.json"
    file.write_text('{"up": {"x": [1]}, "down": {"x": [-1]}}')
    assert {"up": {"x": [1.0]}, "down": {"x": [-1.0]}} == cases(forward, str(file))
    assert {"down": {"x": [-1.0]}} == cases(forward, str(file), case="down")
    assert {"up": {"x": [1.0], "y": 2}, "down": {"x": [-1.0], "y": 2}} == cases(two, str(file), "y=2")


def test_lines_are_cases(tmp_path: Path):
    """Each line of a `.jsonl` file is a case, numbered from 1; empty lines do not count."""
    file = tmp_path / "data.jsonl"
    file.write_text('{"x": [1]}\n\n[2, 3]\n')
    assert {"1": {"x": [1.0]}, "2": {"x": [2.0, 3.0]}} == cases(forward, str(file))


def test_a_tree_file_is_the_tree(tmp_path: Path):
    """An object of objects whose keys are no parameters is the value itself when the parameter can hold it."""
    file = tmp_path / "tree.json"
    file.write_text('{"left": {"value": 1.0}, "right": {"value": 2.0}}')
    assert {None: {"tree": {"left": {"value": 1.0}, "right": {"value": 2.0}}}} == cases(tree_net, str(file))


def test_standard_input(monkeypatch: pytest.MonkeyPatch):
    """`-` reads JSON, JSON lines, CSV or .npy, whichever comes."""
    buffer = io.BytesIO()
    np.save(buffer, np.array([1.0, 2.0]))
    for data in (b"[1, 2]", b"1,2\n", buffer.getvalue()):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert {"x": [1.0, 2.0]} == given(forward, "-")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[1]\n[2]\n")))
    assert {"1": {"x": [1.0]}, "2": {"x": [2.0]}} == cases(forward, "-")


def test_a_file_for_one_parameter(tmp_path: Path):
    """`x=@x.npy` is the file's value; integers of a file stay integers."""
    np.save(tmp_path / "x.npy", np.array([[1, 2]]))
    (bound,) = bind([f"x=@{tmp_path}/x.npy"], signature_of(forward, "forward"))
    (leaf,) = bound.leaves()
    assert ("int64", [[1, 2]], False) == (str(leaf.array.dtype), leaf.array.tolist(), leaf.is_floating)


def test_arrays_of_a_file_bind_by_name(tmp_path: Path):
    """The names in an `.npz` file are parameters; a single array of another name is the first."""
    np.savez(tmp_path / "both.npz", y=np.ones(1), x=np.zeros(2))
    assert {"x": [0.0, 0.0], "y": [1.0]} == given(two, f"{tmp_path}/both.npz")
    np.savez(tmp_path / "one.npz", np.ones(2, np.float32))
    assert {"x": [1.0, 1.0]} == given(forward, f"{tmp_path}/one.npz")


def test_columns_bind_by_name(tmp_path: Path):
    """A CSV's header names parameters; if it does not, the whole table is the first parameter."""
    file = tmp_path / "table.csv"
    file.write_text("y,x\n1,2\n3,4\n")
    assert {"x": [2.0, 4.0], "y": [1.0, 3.0]} == given(two, str(file))
    assert {"tree": [[1.0, 2.0], [3.0, 4.0]]} == given(lambda_of_tree, str(file))


def lambda_of_tree(tree): ...


def test_files_for_several_parameters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Tables are whole, in order and by name; `=` may stand in the name of a file; `@-` is standard input."""
    monkeypatch.chdir(tmp_path)
    Path("lr=1.csv").write_text("a,b\n1,2\n")
    Path("plain.csv").write_text("3,4\n")
    assert {"x": [1.0, 2.0], "y": [3.0, 4.0]} == given(two, "lr=1.csv", "plain.csv")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a,b\n5,6\n")))
    assert {"x": [1.0, 2.0], "y": [5.0, 6.0]} == given(two, "x=@lr=1.csv", "y=@-")


def test_object_that_could_be_cases_is_what_the_parameter_takes():
    """A dict may be empty inside, or have the name of its parameter; a default leaves the parameter a dict."""

    def optional(tree: dict | None = None, *, depth=1): ...

    assert {"tree": {"left": {}}} == given(tree_net, '{"left": {}}')
    assert {"tree": {"tree": 1, "y": 2}} == given(tree_net, '{"tree": 1, "y": 2}')
    assert {"tree": {"left": {"value": 1}}} == given(optional, '{"left": {"value": 1}}')


def test_text_needs_no_quotes_where_a_string_is_wanted():
    """A parameter annotated `str` takes its text as it is, digits too."""

    def entry(x, mode: str, note="none"): ...

    assert {"x": [1.0], "mode": "fast", "note": "a b"} == given(entry, "[1]", "mode=fast", "note=a b")
    assert "12" == given(entry, "[1]", "mode=12")["mode"]
    assert "12" == given(entry, "[1]", "mode='12'")["mode"]

    def only(mode: str): ...

    assert {"mode": "as it is"} == given(only, "as it is")


def test_rest_and_keywords():
    """`*args` takes unnamed inputs, `**kwargs` any name."""

    def entry(x, *rest, **options): ...

    (bound,) = bind(["[1]", "[2]", "[3]", "scale=2"], signature_of(entry, "entry"))
    assert ([[1.0], [2.0], [3.0]], {"scale": 2}) == bound.map_leaves(plain)
    assert ("x", "rest.0", "rest.1") == bound.names


def test_rest_by_its_name():
    """A list for `*args` is given after all that stand before it."""

    def entry(x, *rest): ...

    assert {"x": [1.0], "rest.0": 2, "rest.1": 3} == given(entry, "[1]", "2", "3")
    assert {"x": [1.0], "rest.0": 2, "rest.1": 3} == given(entry, "rest=[2, 3]", "x=[1]")


def test_keywords_alone_take_any_object(tmp_path: Path):
    """Whatever its names are, an object is what they bind."""

    def entry(**options): ...

    (tmp_path / "both.json").write_text('{"a": {"x": 1}, "b": {"x": 2}}')
    assert {"a": {"x": 1}, "b": {"x": 2}} == given(entry, str(tmp_path / "both.json"))


def test_positional_only():
    """A parameter before `/` is given by position, and may be named here."""

    def entry(x, /, y): ...

    (bound,) = bind(["x=[1]", "y=2"], signature_of(entry, "entry"))
    assert ([[1.0], 2], {}) == bound.map_leaves(plain)


def test_by_position_as_far_as_none_is_left_out():
    """Hooks and wrappers that take `*args` see what a call in a script would give them."""

    def entry(x, y=1, z=2, *, k=3): ...

    assert ([1, 5, 6], {"k": 7}) == bind(["x=1", "y=5", "k=7", "z=6"], signature_of(entry, "entry"))[0].map_leaves(
        plain
    )
    assert ([1], {"z": 6}) == bind(["x=1", "z=6"], signature_of(entry, "entry"))[0].map_leaves(plain)


def test_no_inputs_at_all():
    """An entry whose parameters all have defaults runs without inputs."""

    def entry(x=1.0): ...

    assert {} == given(entry)


def places(x=1, y=2, /, *rest): ...


WRONG = [
    (places, ["y=2"], "no input for `x`\n  the entry is `places(x=1, y=2, *rest)`\n\nhint: add `-i x=...`"),
    (places, ["rest=[3]", "x=1"], "no input for `y`\n  the entry is `places(x=1, y=2, *rest)`"),
    (places, ["1", "2", "rest=3"], "`rest` must be a list, got 3\n  the entry is `places(x=1, y=2, *rest)`"),
    (forward, ["z=as it is"], "`z`: cannot read `as it is`: unexpected `a` at column 1"),
    (forward, [__file__], f"cannot tell what `{__file__}` holds\n\nhint: an input file ends in "),
    (forward, ["y=[1]"], "no parameter `y`\n  the entry is `forward(x)`\n\nhint: it takes `x`"),
    (forward, ['{"x": [1], "y": [2]}'], "no parameter `y`\n  the entry is `forward(x)`\n\nhint: it takes `x`"),
    (two, ["[1]"], "no input for `y`\n  the entry is `two(x, y)`\n\nhint: add `-i y=...`"),
    (forward, [], "no input for `x`\n  the entry is `forward(x)`\n\nhint: add `-i x=...`"),
    (
        annotated,
        ["x=[1]", "setps=2"],
        "no parameter `setps`\n  the entry is `annotated(x: Tensor, steps: int = 3)`\n\nhint: did you mean `steps`?",
    ),
    (
        annotated,
        ["x=[1]", "steps=2.5"],
        "`steps` must be an integer, got 2.5\n  the entry is `annotated(x: Tensor, steps: int = 3)`",
    ),
    (
        annotated,
        ["x='a'"],
        '`x` must be a tensor, got the string "a"\n  the entry is `annotated(x: Tensor, steps: int = 3)`',
    ),
    (
        forward,
        ["[1]", "[2]"],
        "2 inputs for 1 parameter\n  the entry is `forward(x)`\n\n"
        "hint: several runs are cases: one JSON object of named objects, or a `.jsonl` file",
    ),
    (
        forward,
        ["[[1, 2], [3]]"],
        "`x` is not rectangular: [0] has 2 items and [1] has 1\n  the entry is `forward(x)`\n\n"
        "hint: for sequences of different lengths annotate the parameter: `x: list[Tensor]`, "
        "or `list[list[int]]` for indices; for a tree of numbers `int | list`",
    ),
    (
        forward,
        ["[1, [2]]"],
        "`x` is not rectangular: [1] is a list and [0] is a number\n  the entry is `forward(x)`\n\n"
        "hint: for sequences of different lengths annotate the parameter: `x: list[Tensor]`, "
        "or `list[list[int]]` for indices; for a tree of numbers `int | list`",
    ),
    (forward, ['[1, "a"]'], '`x[1]` must be a number, got the string "a"\n  the entry is `forward(x)`'),
    (forward, ["[[1, null]]"], "`x[0][1]` must be a number, got null\n  the entry is `forward(x)`"),
    (
        forward,
        [f"[{10**400}]"],
        "`x[0]` must be a number that a float can hold, got an integer of 1329 bits\n  the entry is `forward(x)`",
    ),
    (forward, ["x=[1]", "x=[2]"], "`x` is given twice\n\nhint: give each parameter one value"),
    (forward, ['{"x": 1, "x": 2}'], "`x` is given twice\n\nhint: give each parameter one value"),
    (
        forward,
        ["x=[1, 2"],
        "`x`: cannot read `[1, 2`: it ends too early\n\nhint: numbers, lists, strings in quotes and "
        "objects are written as in JSON; a file is `@name.npy`",
    ),
    (
        forward,
        ["hello"],
        "--input: cannot read `hello`: unexpected `hello`\n\nhint: numbers, lists, strings in quotes and "
        "objects are written as in JSON; a file is `@name.npy`",
    ),
    (
        forward,
        ["[1., tensor([2.])]"],
        "--input: cannot read `[1., tensor([2.])]`: unexpected `tensor([2.])`\n\nhint: numbers, lists, strings in "
        "quotes and objects are written as in JSON; a file is `@name.npy`",
    ),
    (
        forward,
        ["missing.npy"],
        "no input file `missing.npy`\n\nhint: paths begin in this folder, a literal with a digit, `[`, `{` or a quote",
    ),
    (forward, ["@missing.txt"], "cannot tell what `missing.txt` holds\n\nhint: an input file ends in " + (
        "`.json`, `.jsonl`, `.npy`, `.npz`, `.csv`, `.safetensors`"
    )),
    (
        forward,
        ["[" * 300 + "]" * 300],
        "--input is too large: it is nested too deep, the limit is 200 levels",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("function", "inputs", "message"), WRONG, ids=[str(case[1])[:20] for case in WRONG])
def test_what_does_not_fit(function, inputs, message, tmp_path, monkeypatch):
    """Each misfit is one clear error, with exit code 2."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(errors.DyncliError) as caught:
        given(function, *inputs)
    assert (True, 2) == (caught.value.report().startswith(message), caught.value.exit_code), caught.value.report()


def test_the_script_is_offered_when_inputs_are_missing():
    """A script with a `model` that is meant to be run directly can be."""
    with pytest.raises(errors.InputMissing) as caught:
        given(forward, script="net.py")
    assert "add `-i x=...`, or run the script itself: `net.py:__main__`" == caught.value.hint


def test_an_error_names_its_case(tmp_path: Path):
    """Of many cases the wrong one is named, and a misspelled parameter in it is found."""
    file = tmp_path / "cases.json"
    file.write_text(json.dumps({"up": {"x": [1]}, "down": {"x": ["?"]}}))
    with pytest.raises(errors.InputType) as caught:
        cases(annotated, str(file))
    assert f"in case `down` of {file}" == caught.value.detail[-1]
    file.write_text(json.dumps({"up": {"x": [1]}, "down": {"z": [1]}}))
    with pytest.raises(errors.InputUnknown, match="no parameter `z`"):
        cases(annotated, str(file))


def test_unknown_case(tmp_path: Path):
    """The nearest case is suggested; without cases the error says what they are."""
    file = tmp_path / "cases.json"
    file.write_text('{"positive": {"x": [1]}, "negative": {"x": [-1]}}')
    with pytest.raises(errors.UnknownCase) as caught:
        cases(forward, str(file), case="postive")
    assert "no case `postive`\n\nhint: did you mean `positive`?" == caught.value.report()
    with pytest.raises(errors.UnknownCase) as caught:
        cases(forward, str(file), case="zero")
    assert "no case `zero`\n\nhint: the cases are `positive`, `negative`" == caught.value.report()
    with pytest.raises(errors.UnknownCase, match="the input has no named cases"):
        cases(forward, "[1]", case="zero")


def test_a_file_without_its_at_sign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """`x=data.npy` is told how to be written."""
    monkeypatch.chdir(tmp_path)
    Path("data.npy").write_bytes(b"")
    with pytest.raises(errors.InputSyntax, match="for the file write `x=@data.npy`"):
        given(forward, "x=data.npy")


def test_a_misspelled_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A file that is not there suggests one that is."""
    monkeypatch.chdir(tmp_path)
    Path("digits.json").write_text("[]")
    with pytest.raises(errors.InputFileMissing) as caught:
        given(forward, "digit.json")
    assert "did you mean `digits.json`?" == caught.value.hint
