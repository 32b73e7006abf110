"""Data sets of every kind, cut into chunks of every size, with some of it done already."""

import io
import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
import safetensors.numpy

from dyncli import errors
from dyncli.analysis.coverage import Settings, Tally
from dyncli.coverage.chunks import Chunk
from dyncli.coverage.data import DataSet
from dyncli.coverage.runner import Runner, Spec

SOURCE = "def forward(x, scale: float = 1.0):\n    if x.sum() > 2:\n        return x * scale\n    return x\n"


def run(paths: list[str], folder: Path, size: int = 2, done=None, source: str = SOURCE, **settings) -> Tally:
    """The tally of a data set, run chunk by chunk."""
    (folder / "net.py").write_text(source)
    runner = Runner(Spec(str(folder / "net.py"), settings=Settings(**settings)))
    data = DataSet(paths, done or {}, [each.name for each in runner.feed.signature.parameters])
    whole = Tally()
    while (chunk := data.take(size)) is not None:
        assert 0 < len(chunk) <= max(size, 1)
        whole.absorb(runner.run(chunk))
    if data.fraction is not None:
        assert 1 == data.fraction
    return whole


def write(folder: Path, name: str) -> str:
    """A data set of [1, 0], [2, 1], [0, 0], [3, 3] in that format; its path."""
    rows = np.array([[1, 0], [2, 1], [0, 0], [3, 3]], "float32")
    path = folder / name
    if name.endswith(".jsonl"):
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows.tolist()))
    elif name.endswith(".npy"):
        np.save(path, rows)
    elif name.endswith(".npz"):
        np.savez_compressed(path, x=rows)
    elif name.endswith(".safetensors"):
        safetensors.numpy.save_file({"x": rows}, path)
    elif name.endswith(".json"):
        path.write_text(json.dumps(rows.tolist()))
    elif name == "head.csv":
        path.write_text("a,b\n" + "".join(f"{a},{b}\n" for a, b in rows.tolist()))
    elif name.endswith(".csv"):
        path.write_text("".join(f"{a},{b}\r\n" for a, b in rows.tolist()))
    else:
        path.mkdir()
        for number, row in enumerate(rows):
            if number % 2:
                np.save(path / f"{number}.npy", row)
            else:
                (path / f"{number}.json").write_text(json.dumps(row.tolist()))
    return str(path)


@pytest.mark.parametrize(
    "name", ["a.jsonl", "a.npy", "a.npz", "a.safetensors", "a.json", "a.csv", "head.csv", "folder"]
)
def test_every_format(tmp_path: Path, name: str):
    """Each gives the same four inputs, two on each side, cut as one likes and gone on with in the middle."""
    path = write(tmp_path, name)
    for size in (1, 3, 100):
        tally = run([path], tmp_path, size)
        assert (4, 4) == (tally.inputs, tally.runs)
        assert {0: 2, 1: 2} == {arm: reach.inputs for (_, arm), reach in tally.arms.items()}
    ((source, ((first, last),)),) = tally.ranges.items()
    rest = run([path], tmp_path, 3, {source: [(first, first + 1), (first + 2, first + 3)]})
    assert {0: 2} == {arm: reach.inputs for (_, arm), reach in rest.arms.items()}
    assert {source: ((first + 1, first + 2), (first + 3, last))} == rest.ranges


def test_names_bind_parameters(tmp_path: Path):
    """Objects, columns and arrays are bound by name; what is not given has its default; `-i` is not needed for it."""
    (tmp_path / "a.jsonl").write_text('{"x": [1, 2], "scale": 2}\n{"x": [0, 0]}\n')
    (tmp_path / "a.csv").write_text('scale,x\n2,"[1, 2]"\n,"[0, 0]"\n')
    np.savez(tmp_path / "a.npz", x=np.array([[1.0, 2], [0, 0]]), scale=np.array([2.0, 1.0]))
    for name in ("a.jsonl", "a.csv", "a.npz"):
        tally = run([str(tmp_path / name)], tmp_path)
        assert (2, {0: 1, 1: 1}) == (tally.runs, {arm: reach.inputs for (_, arm), reach in tally.arms.items()})
        means = sorted(path.inputs.mean for path in tally.paths.values())
        assert [2**0.5, 2 * 2**0.5] == pytest.approx(means)


def test_several_sources(tmp_path: Path):
    """One after the other; positions are those in each."""
    tally = run([write(tmp_path, "a.jsonl"), write(tmp_path, "b.npz")], tmp_path, 100)
    assert [((1, 5),), ((0, 4),)] == [ranges for _, ranges in sorted(tally.ranges.items())]
    assert 8 == tally.runs


def test_places(tmp_path: Path):
    """Where a person looks: the line of a table with a head, the index of an array, the file of a folder."""
    for name, place in (("a.jsonl", ":2"), ("a.npz", "[1]"), ("head.csv", ":3"), ("a.csv", ":2"), ("folder", "/1.npy")):
        path = write(tmp_path, name)
        tally = run([path], tmp_path)
        assert {path + place} == {reach.examples[0].place for (_, arm), reach in tally.arms.items() if arm == 0}


def test_named_cases_of_a_json_file(tmp_path: Path):
    """As `--input` takes them: an object of objects is a set of cases."""
    (tmp_path / "a.json").write_text('{"one": {"x": [1.0]}, "two": {"x": [5.0]}}')
    (tmp_path / "b.json").write_text('{"x": [1.0], "scale": 2}')
    assert 2 == run([str(tmp_path / "a.json")], tmp_path).runs
    assert 1 == run([str(tmp_path / "b.json")], tmp_path).runs


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Lines of JSON, as in a file."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[1, 2]\n[0, 0]\n\n[3")))
    tally = run(["-"], tmp_path)
    assert (2, 1, {"standard input": ((1, 5),)}) == (tally.runs, tally.count("broken"), tally.ranges)


def test_bytes_that_are_no_text(tmp_path: Path):
    """Such a line or row is broken, the others are not; a mark at the beginning of a file is no part of it."""
    (tmp_path / "a.jsonl").write_bytes(b"\xef\xbb\xbf[1, 2]\n[\xff]\n[3, 4]\n")
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbfx\n1\n\xff\n2\n")
    for name in ("a.jsonl", "a.csv"):
        tally = run([str(tmp_path / name)], tmp_path)
        assert {"ok": 2, "broken": 1} == {word: group.count for word, group in tally.outcomes.items()}
        assert "it is not UTF-8 text" == tally.outcomes["broken"].examples[0].note


def test_rows_of_another_length(tmp_path: Path):
    """They are broken; words where numbers should be do not fit."""
    (tmp_path / "a.csv").write_text("x,scale\n1,2\n1\n1,2,3\nabc,2\n")
    source = "from dyncore import Tensor\n\n\ndef forward(x: Tensor, scale: float = 1.0):\n    return x * scale\n"
    tally = run([str(tmp_path / "a.csv")], tmp_path, source=source)
    assert {"ok": 1, "broken": 2, "misfit": 1} == {word: group.count for word, group in tally.outcomes.items()}


def test_files_that_cannot_be_data(tmp_path: Path):
    """Each is refused for what it is."""
    np.savez(tmp_path / "uneven.npz", x=np.zeros(3), y=np.zeros(4))
    np.save(tmp_path / "single.npy", np.zeros(()))
    safetensors.numpy.save_file({"x": np.zeros(())}, tmp_path / "single.safetensors")
    np.save(tmp_path / "pickle.npy", np.array([None, 1], dtype=object), allow_pickle=True)
    np.save(tmp_path / "cut.npy", np.zeros((100, 100)))
    (tmp_path / "cut.npy").write_bytes((tmp_path / "cut.npy").read_bytes()[:5000])
    (tmp_path / "no.npz").write_text("no")
    (tmp_path / "no.npy").write_text("no")
    (tmp_path / "empty.npy").write_bytes(b"")
    np.savez(tmp_path / "none.npz")
    np.save(tmp_path / "columns.npy", np.asfortranarray(np.ones((2, 3))))
    with open(tmp_path / "plain.npy", "wb") as file:
        pickle.dump([1.0], file)
    (tmp_path / "a.txt").write_text("1")
    expected = {
        "missing.jsonl": errors.DataMissing, "a.txt": errors.InputFileKind, "uneven.npz": errors.InputBroken,
        "single.npy": errors.InputBroken, "pickle.npy": errors.InputRefused, "cut.npy": errors.InputBroken,
        "no.npz": errors.InputBroken, "single.safetensors": errors.InputBroken, "no.npy": errors.InputBroken,
        "empty.npy": errors.InputBroken, "none.npz": errors.InputBroken, "columns.npy": errors.InputBroken,
        "plain.npy": errors.InputRefused,
    }  # fmt: skip
    why = {
        "no.npy": "it is no .npy file", "empty.npy": "it is empty", "none.npz": "it holds no arrays",
        "columns.npy": "its rows do not lie together (Fortran order): save a copy in C order", "plain.npy": "a pickle",
    }  # fmt: skip
    for name, error in expected.items():
        with pytest.raises(error) as caught:
            run([str(tmp_path / name)], tmp_path)
        assert why.get(name, "") in caught.value.message


def test_a_folder_with_other_files(tmp_path: Path):
    """What has no known suffix is left out, and can be told."""
    path = Path(write(tmp_path, "folder"))
    (path / "notes.txt").write_text("no data")
    (path / "more.jsonl").write_text("[1, 1]\n[2, 2]\n")
    (path / ".hidden.json").write_text("[3, 3]")
    (path / "more.json").mkdir()
    data = DataSet([str(path)], {}, ["x"])
    assert [str(path / "notes.txt")] == data.skipped
    assert 6 == run([str(path)], tmp_path).runs


def test_the_same_source_twice(tmp_path: Path):
    """Its inputs would be counted twice."""
    path = write(tmp_path, "a.jsonl")
    with pytest.raises(errors.UsageError):
        DataSet([path, path], {}, ["x"])


def test_part_of_a_chunk_keeps_its_own_places():
    """What is left of a chunk after a kill is found where it was."""
    whole = Chunk("data", 5, 9, "lines", ["1", "2", "3", "4"], places=["a", "b", "c", "d"])
    rest = list(whole.rest([(6, 8)]))
    assert [(5, 6, ["1"], ["a"]), (8, 9, ["4"], ["d"])] == [(x.first, x.last, x.items, x.places) for x in rest]
    assert ["a", "d"] == [part.place(part.first) for part in rest]
    assert [] == list(whole.rest([(0, 20)]))


@pytest.mark.parametrize("name", ["d.jsonl", "d.npy", "d.npz", "d.json", "d.csv", "d.safetensors", "folder"])
def test_progress_is_the_share_that_was_handed_out(name: str, tmp_path: Path) -> None:
    """Take four inputs of one size, whatever holds them."""
    data, found = DataSet([write(tmp_path, name)], {}, ["x"]), []
    while data.take(1) is not None:
        found.append(data.fraction)
    assert [0.25, 0.5, 0.75, 1.0] == found


SAID = """\
import dyncore as torch


def said(value):
    if isinstance(value, torch.Tensor):
        return f"{str(value.dtype)[6:]}{' grad' * value.requires_grad} {value.tolist()}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(said, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{name}: {said(each)}' for name, each in value.items())}}}"
    return repr(value)


"""


@pytest.mark.parametrize(
    ("signature", "data", "settings", "expected"),
    [
        (
            "x, n: int = 1", [{"x": 1.5, "n": 2}, {"x": [1, 2], "n": 3.0}, {"x": 2, "n": 2.5}], {},
            ["misfit `n` must be an integer, got 2.5", "{x: float32 grad 1.5, n: 2}",
             "{x: float32 grad [1.0, 2.0], n: 3}"],
        ),
        (
            "x, n: float = 1.0, flag=None", [{"x": 1, "n": 2, "flag": True}, {"x": None, "flag": 3}, {"x": True}], {},
            ["{x: 1, n: 2.0, flag: True}", "{x: None, n: 1.0, flag: 3}", "{x: True, n: 1.0, flag: None}"],
        ),
        (
            "x: torch.Tensor, n=1", [[1, 2], 3, "word"], {},
            ['misfit `x` must be a tensor, got the string "word"', "{x: float32 grad [1.0, 2.0], n: 1}",
             "{x: float32 grad 3.0, n: 1}"],
        ),
        (
            "x, y", [[1.0], {"x": 1.0}, {"x": 1.0, "y": [[1], [2, 3]]}], {},
            ["misfit no input for `y`", "misfit no input for `y`",
             "misfit `y` is not rectangular: [0] has 1 items and [1] has 2"],
        ),
        (
            "x, /, *rest", [[1.0], {"x": 1.0, "rest": [1, 2]}], {},
            ["{x: float32 grad [1.0], rest: []}", "{x: float32 grad 1.0, rest: [1, 2]}"],
        ),
        ("*, x", [{"x": [1.0]}, [2.0]], {}, ["misfit 1 inputs for 0 parameters", "{x: float32 grad [1.0]}"]),
        ("**more", [{"x": [1.0]}, {}], {}, ["{more: {x: float32 grad [1.0]}}", "{more: {}}"]),
        ("x", [{"x": {"a": [1.0], "b": "c"}}], {}, ["{x: {a: float32 grad [1.0], b: 'c'}}"]),
        ("x, n: int = 1", [{"x": 1.5}], {"given": ("n=7",)}, ["{x: float32 grad 1.5, n: 7}"]),
        (
            "x, n: bool = False, s: str = 'a'",
            [{"x": 1.5, "n": True, "s": "b"}, {"n": 1, "x": 1.0}, {"x": 1.5, "s": 2}], {},
            ["misfit `n` must be true or false, got 1", "misfit `s` must be a string, got 2",
             "{x: float32 grad 1.5, n: True, s: 'b'}"],
        ),
        (
            "x, n: int = 1", {"x": [[1.0, 2.0], [3.0, 4.0]], "n": [1, 2]}, {},
            ["{x: float32 grad [1.0, 2.0], n: 1}", "{x: float32 grad [3.0, 4.0], n: 2}"],
        ),
        (
            "x, n: int = 1", {"x": [[1.0, 2.0], [3.0, 4.0]], "n": [1.5, 2.0]}, {"no_grad": True},
            ["misfit `n` must be an integer, got 1.5", "{x: float32 [3.0, 4.0], n: 2}"],
        ),
        ("x", {"x": [[1.0, 2.0]]}, {"no_grad": True}, ["{x: float32 [1.0, 2.0]}"]),
        ("x, n: int = 1", {"x": [[True]], "m": [1]}, {}, ["misfit no parameter `m`"]),
        ("x, y", {"z": [1.0]}, {}, ["misfit no input for `y`"]),
        ("x, y", {"x": [1.0]}, {}, ["misfit no input for `y`"]),
        ("x", {"z": [1, 2]}, {"dtype": "float64"}, ["{x: 1}", "{x: 2}"]),
        (
            "x, n=2", "1.5,2\nword,3\n,4\n", {},
            ["broken `word` is not a number", "broken it has an empty cell", "{x: float32 grad [1.5, 2.0], n: 2}"],
        ),
        (
            "x, n: int = 2", "x,n\n1.5,3\n\n , \n2.5,\n", {},
            ["{x: float32 grad 1.5, n: 3}", "{x: float32 grad 2.5, n: 2}"],
        ),
        ("x, y", "a,b\n1.5,2\n", {}, ["misfit no parameter `a`"]),
    ],
)  # fmt: skip
def test_arguments_of_each_form_of_data(signature: str, data, settings, expected: list[str], tmp_path: Path) -> None:
    """Write a list as JSON lines, an object as arrays, a text as a table; the model raises what it was given."""
    path = tmp_path / ("data.jsonl" if isinstance(data, list) else "data.csv" if isinstance(data, str) else "data.npz")
    if isinstance(data, dict):
        np.savez(path, **{name: np.array(value) for name, value in data.items()})
    else:
        path.write_text(data if isinstance(data, str) else "".join(f"{json.dumps(value)}\n" for value in data))
    source = f"{SAID}def forward({signature}):\n    raise ValueError(said(locals()))\n"
    outcomes = sorted(run([str(path)], tmp_path, 9, source=source, **settings).outcomes.items())
    notes = [f"{word} {example.note}" for word, group in outcomes for example in group.examples]
    assert expected == [note.removeprefix("raised ValueError: ") for note in notes]


def test_input_beside_data_needs_a_name(tmp_path: Path) -> None:
    """Refuse it: which parameter it is for cannot be told."""
    with pytest.raises(errors.UsageError, match="`--input` beside `--inputs` needs a name"):
        run([], tmp_path, given=("3",))
