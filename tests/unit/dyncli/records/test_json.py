"""A record saved and read back is the same record; a file that is not one is refused in one clear sentence."""

from __future__ import annotations

import json
import math
import zlib
from pathlib import Path
from typing import Any

import pytest

from dyncli.errors import RecordNewer, RecordUnreadable
from dyncli.records import json as record_json
from dyncli.records.codec import Malformed
from dyncli.records.model import (
    Choice,
    Decision,
    Failure,
    Notice,
    Op,
    Output,
    Reach,
    Record,
    Scope,
    Sensitivity,
    Site,
    TensorSummary,
)
from dyncli.records.validate import check
from tests import records


@pytest.mark.parametrize("build", records.ALL, ids=lambda build: build.__name__)
def test_round_trip_is_exact(build: Any) -> None:
    """Every field of every record comes back as it was, to the type and the last digit."""
    record = build()
    assert repr(record) == repr(record_json.parse(record_json.dump(record)))


def test_same_record_same_bytes() -> None:
    """Two writes of equal records give equal files, compressed ones too."""
    assert record_json.dump(records.newton()) == record_json.dump(records.newton())
    assert record_json.dump(records.long_loop(2000)) == record_json.dump(records.long_loop(2000))


def test_large_records_are_compressed(tmp_path: Path) -> None:
    """A large record is gzipped on disk, and reads back."""
    record = records.long_loop(2000)
    (tmp_path / "long.dyn").write_bytes(record_json.dump(record))
    assert (tmp_path / "long.dyn").read_bytes()[:2] == b"\x1f\x8b"
    assert record == record_json.load(tmp_path / "long.dyn")


def test_non_finite_numbers_and_their_look_alikes() -> None:
    """NaN and infinities are strings in the file, and strings that spell them stay strings."""
    values = (math.nan, math.inf, -math.inf, "NaN", "=Infinity", "=", -0.0, True, 1, 1.0, None, "", "\ud800\x00")
    record = Record("m.py", "f", outputs=(Output("o", None, values), Output("p", None, {"NaN": ("-Infinity",)})))
    text = record_json.dump(record)
    assert b'["NaN","Infinity","-Infinity","=NaN","==Infinity","=",-0.0,true,1,1.0,null,"","\\ud800\\u0000"]' in text
    assert repr(record) == repr(record_json.parse(text))


def test_deep_values_are_cut_when_written() -> None:
    """A value nested past all sense is cut at 100 levels instead of losing the record."""
    deep: Any = ()
    for _ in range(500):
        deep = (deep,)
    record = record_json.parse(record_json.dump(Record("m.py", "f", outputs=(Output("o", None, deep),))))
    assert repr(record).count("(") < 130


def broken(**changes: Any) -> bytes:
    """Return the file of the piecewise record with some of its top-level items replaced."""
    document = json.loads(record_json.dump(records.piecewise()))
    return json.dumps(document | changes).encode()


WHOLE = record_json.dump(records.piecewise())
NONE = [None, None, None]
PACKED = record_json.dump(records.long_loop(2000))

REFUSED = {
    "empty": (b"", "it is cut short"),
    "cut short": (WHOLE[: len(WHOLE) // 2], "it is cut short"),
    "cut short, packed": (PACKED[: len(PACKED) // 2], "it is cut short"),
    "damaged, packed": (PACKED[:200] + b"\xff" * 20 + PACKED[220:], "its compressed data are damaged"),
    "a pickle": (b"\x80\x04\x95\x00\x00", "it is not text"),
    "not json": (b"hello", "it is not JSON (line 1, column 1)"),
    "another json": (b'{"a": 1}', 'it has no `"format": "dyncli-record"`'),
    "a list": (b"[]", 'it has no `"format": "dyncli-record"`'),
    "nan": (b'{"format": NaN}', "it holds `NaN`, which JSON does not have"),
    "deep": (b"[" * 200_000, "it is nested too deeply"),
    "no schema": (broken(schema=None), "it has no schema version"),
    "status": (broken(status="fine"), "`status` is none of ok, error, timeout, limit, interrupted"),
    "type": (broken(seed="0"), "`seed` expected an integer, got '0'"),
    "column": (broken(fields={}), "`fields` does not list the columns of Site"),
    "no row": (broken(ops=["x" * len(Op._fields)]), f"`ops` [0] expected a list of {len(Op._fields)} for Op"),
    "row": (broken(ops=[[1]]), f"`ops` [0] expected a list of {len(Op._fields)} for Op"),
    "no site": (broken(scopes=[[0, None, "root", "f", 99, None, None]]), "`scopes` [0] `site`: there is no site 99"),
    "circle": (broken(scopes=[[0, 0, "root", "f", *NONE]]), "`scopes[0]`: only the first scope has no parent"),
    "no test": (broken(sensitivities=[[7, *NONE, [], *NONE, None]]), "`sensitivities[0]`: there is no decision 7"),
    "nowhere": (broken(edges=[[7, 0, 0]]), "`edges[0]`: there is no op 7"),
    "unrecorded, beyond the end": (broken(unrecorded=[[0, 9]]), "`unrecorded[0]`: 0 to 9 is no range of 3 ops"),
    "unrecorded, negative": (broken(unrecorded=[[0, 1], [-1, 2]]), "`unrecorded[1]`: -1 to 2 is no range of 3 ops"),
    "unrecorded, backwards": (broken(unrecorded=[[2, 1]]), "`unrecorded[0]`: 2 to 1 is no range of 3 ops"),
    "shares": (
        broken(tensors=[[0, [2], "float32", "input", "x", False, None, None, None, 0, None]]),
        "`tensors[0]` shares the memory of 0, which does not come before it",
    ),
    "nodes": (
        broken(backwards=[[0, None, None, "1", [], 0, 0, 0, [0], [], [], "backward", *NONE[:2]]]),
        "`backwards[0]`: not every node has its times",
    ),
    "after": (
        broken(backwards=[[0, None, None, "1", [], 0, 0, 9, [], [], [], "backward", *NONE[:2]]]),
        "`backwards[0]`: there is no op 9",
    ),
    "failed": (
        broken(backwards=[[0, None, None, "1", [], 0, 0, 0, [], [], [], "backward", 9, "too steep"]]),
        "`backwards[0]`: there is no op 9",
    ),
    "values": (
        broken(tensors=[[0, [2, 2], "float32", "input", "x", False, [1.0], None, None, None, None]], scopes=[]),
        "`tensors[0]` holds 1 values, its shape says 4",
    ),
}  # fmt: skip


def with_column(items: str, kind: str, **values: Any) -> bytes:
    """Return the file of the piecewise record whose first row of a list has other values in some columns."""
    document = json.loads(record_json.dump(records.piecewise()))
    for name, value in values.items():
        document[items][0][document["fields"][kind].index(name)] = value
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (with_column("ops", "Op", inputs=[99]), "`ops[0]`: there is no tensor 99"),
        (with_column("ops", "Op", outputs=[-1]), "`ops[0]`: there is no tensor -1"),
        (with_column("ops", "Op", saved=[99]), "`ops[0]`: there is no tensor 99"),
        (with_column("ops", "Op", under=99), "`ops[0]`: there is no decision 99"),
        (with_column("ops", "Op", scope=99), "`ops[0]`: there is no scope 99"),
        (with_column("ops", "Op", seq=1), "`ops[0]` is numbered 1"),
        (with_column("tensors", "TensorSummary", op=99), "`tensors[0]`: there is no op 99"),
        (with_column("tensors", "TensorSummary", id=1), "`tensors[0]` is numbered 1"),
        (with_column("tensors", "TensorSummary", shape=[-1]), "`tensors[0]` has an impossible shape"),
        (with_column("decisions", "Decision", seq=1), "`decisions[0]` is numbered 1"),
        (with_column("decisions", "Decision", predicate_op=99), "`decisions[0]`: there is no op 99"),
        (with_column("decisions", "Decision", scope=99), "`decisions[0]`: there is no scope 99"),
        (broken(written=[[99, 0, 0]]), "`written[0]`: there is no tensor 99"),
        (broken(written=[[0, 0, 99]]), "`written[0]`: there is no tensor 99"),
        (broken(written=[[0, 9, 0]]), "`written[0]`: there is no op 9"),
        (broken(edges=[[0, 0, 99]]), "`edges[0]`: there is no tensor 99"),
    ],
)
def test_reference_that_leads_nowhere_is_refused(data: bytes, why: str) -> None:
    """Each number that names an op, a tensor, a decision or a scope."""
    with pytest.raises(RecordUnreadable) as caught:
        record_json.parse(data, "run.dyn")
    assert f"`run.dyn` is not a record dyncli can read: {why}" == str(caught.value)


PLAIN = records.piecewise()
ROOT, ARM = PLAIN.scopes
PASS = PLAIN.backwards[0]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"scopes": (ROOT, ARM._replace(id=9))}, "`scopes[1]` is numbered 9"),
        ({"scopes": (ROOT, ARM._replace(parent=1))}, "`scopes[1]` has the parent 1, which does not come before it"),
        ({"scopes": (ROOT, ARM._replace(decision=9))}, "`scopes[1]`: there is no decision 9"),
        ({"choices": (Choice(9, "index", 2),)}, "`choices[0]`: there is no op 9"),
        ({"choices": (Choice(0, "index", 2, uses=(9,)),)}, "`choices[0]`: there is no op 9"),
        ({"choices": (Choice(0, "sample", 2, picked=(1,), probabilities=(0.5, 0.5)),)},
         "`choices[0]` has 2 probabilities of 1 picked"),
        ({"outputs": (Output("y", 99),)}, "`inputs` or `outputs`: there is no tensor 99"),
        ({"backwards": (PASS._replace(root=99),)}, "`backwards[0]`: there is no tensor 99"),
        ({"backwards": (PASS._replace(nodes=(9,), nodes_started_ns=(0,), nodes_elapsed_ns=(0,)),)},
         "`backwards[0]`: there is no op 9"),
        ({"backwards": (PASS._replace(nodes=(), nodes_started_ns=(), nodes_elapsed_ns=(), failed=3),)},
         "`backwards[0]`: there is no op 3"),
        ({"backwards": (PASS._replace(after=4),)}, "`backwards[0]`: there is no op 4"),
        ({"backwards": (PASS._replace(after=-1),)}, "`backwards[0]`: there is no op -1"),
        ({"written": ((0, 4, 0),)}, "`written[0]`: there is no op 4"),
        ({"loading": (PLAIN.decisions[0]._replace(predicate_op=0),)}, "`loading[0]`: there is no op 0"),
        ({"decisions": (PLAIN.decisions[0]._replace(under=0),)}, "`decisions[0]` runs under itself"),
        ({"sensitivities": (Sensitivity(0, 9),)}, "`sensitivities[0]`: there is no condition 9"),
        ({"sensitivities": (Sensitivity(0, 0, inputs=(Reach("x", 99, None, None, (), None, None),)),)},
         "`sensitivities[0]`: there is no tensor 99"),
        ({"sensitivities": (Sensitivity(0, 0, inputs=(Reach("x", 0, None, None, (0,) * 65, None, None),)),)},
         "`sensitivities[0]` has an impossible index"),
        ({"notices": (Notice("stop", "x", "m.py", 1, "f", op=9),)}, "`notices`: there is no op 9"),
        ({"failure": Failure("ValueError", "", op=9)}, "`failure`: there is no op 9"),
    ],
)  # fmt: skip
def test_number_that_leads_nowhere_is_refused(changes: dict[str, Any], why: str) -> None:
    """In every table of a record."""
    with pytest.raises(Malformed) as caught:
        check(PLAIN._replace(**changes))
    assert why == str(caught.value)


@pytest.mark.parametrize("name", ["tensor", "value", "held"])
def test_gradient_of_no_tensor_is_refused(name: str) -> None:
    """Whose it is, what came back, and what `.grad` held after it."""
    record = records.piecewise()
    (one,) = record.backwards
    gradient = one.gradients[0]._replace(**{name: 99})
    with pytest.raises(Malformed, match=r"`backwards\[0\]`: there is no tensor 99"):
        check(record._replace(backwards=(one._replace(gradients=(gradient,)),)))


@pytest.mark.parametrize(("data", "why"), REFUSED.values(), ids=REFUSED)
def test_bad_files_are_refused(data: bytes, why: str) -> None:
    """Each kind of damage has its own sentence, and a way out."""
    with pytest.raises(RecordUnreadable) as caught:
        record_json.parse(data, "run.dyn")
    assert f"`run.dyn` is not a record dyncli can read: {why}" == str(caught.value)
    assert caught.value.hint == "record the run again with `--save`"


def test_newer_schema_is_named() -> None:
    """A file of a later version says which version and what to do."""
    with pytest.raises(RecordNewer) as caught:
        record_json.parse(broken(schema=7), "run.dyn")
    assert str(caught.value) == "`run.dyn` was saved by a newer dyncli: its schema is 7, this one reads up to 2"
    assert caught.value.hint == "`pip install --upgrade dyncli`, or record the run again"


FIRST_SCHEMA = Path(__file__).parents[3] / "golden" / "records" / "version1.dyn"


def first_schema(**changes: Any) -> bytes:
    """Return a file of schema 1 with some of its top-level items replaced."""
    return json.dumps(json.loads(FIRST_SCHEMA.read_bytes()) | changes).encode()


def first_columns(**changes: Any) -> dict[str, Any]:
    """Return the columns of a file of schema 1, some replaced."""
    fields: dict[str, Any] = json.loads(FIRST_SCHEMA.read_bytes())["fields"]
    return fields | changes


def test_record_of_schema_1_reads_as_schema_2() -> None:
    """Atoms become conditions; everything else is as it was."""
    record = record_json.load(FIRST_SCHEMA)
    assert 2 == record.schema
    whole = next(each for each in record.decisions if each.site.kind == "while")
    assert ["x.sum() > 10", "steps < 3"] == [condition.text for condition in whole.conditions]
    assert (48.0, 10, True, 38.0) == (
        whole.conditions[0].lhs, whole.conditions[0].rhs, whole.conditions[0].outcome, whole.conditions[0].margin
    )  # fmt: skip
    assert [(0, 0), (1, 0), (2, 0), (3, 0)] == [(one.decision, one.condition) for one in record.sensitivities[:4]]
    assert record == record_json.parse(record_json.dump(record))


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (first_schema(fields=None), "`fields` does not list the columns of Site"),
        (first_schema(fields=[1]), "`fields` does not list the columns of Site"),
        (first_schema(fields=first_columns(Atom=None)), "`fields` does not list the columns of Condition"),
        (first_schema(fields=first_columns(Decision="atoms")), "`fields` does not list the columns of Decision"),
        (
            first_schema(fields=first_columns(Decision=["atoms", "conditions"])),
            "`fields` does not list the columns of Decision",
        ),
        (
            first_schema(fields=first_columns(Sensitivity=[[], {}])),
            "`fields` has an unknown column `[]` of Sensitivity",
        ),
        (first_schema(decisions=[[1]]), "`decisions` [0] expected a list of 20 for Decision"),
        (first_schema(decisions=3), "`decisions` expected a list, got 3"),
        (first_schema(schema=0), "it has no schema version"),
        (FIRST_SCHEMA.read_bytes()[:3000], "it is cut short"),
    ],
)
def test_damaged_record_of_schema_1_is_refused(data: bytes, why: str) -> None:
    """The old names do not open a way past the checks."""
    with pytest.raises(RecordUnreadable) as caught:
        record_json.parse(data, "old.dyn")
    assert f"`old.dyn` is not a record dyncli can read: {why}" == str(caught.value)


def test_decompression_bombs_are_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file that unpacks without end is not unpacked."""
    monkeypatch.setattr(record_json, "MAX_BYTES", 1 << 20)
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = packer.compress(b" " * (8 << 20)) + packer.flush()
    with pytest.raises(RecordUnreadable, match="it unpacks to more than 1 MiB"):
        record_json.parse(bomb)


def test_missing_file(tmp_path: Path) -> None:
    """A path that leads nowhere is said to."""
    with pytest.raises(RecordUnreadable, match=r"none.dyn. is not a record dyncli can read: no such file or directory"):
        record_json.load(tmp_path / "none.dyn")


def test_decisions_in_a_circle_are_refused() -> None:
    """Decisions that run under each other would never end a walk upwards."""
    site = Site("0" * 12, "m.py", 1, 0, 1, 1, "if", "x", "f", ("then", "else"))
    circle = (Decision(0, site, "then", True, under=1), Decision(1, site, "then", True, under=0))
    record = Record("m.py", "f", scopes=(Scope(0, None, "root", ""),), decisions=circle)
    with pytest.raises(RecordUnreadable, match="runs under itself"):
        record_json.parse(record_json.dump(record))


def test_a_record_without_its_scopes_is_refused() -> None:
    """The picture needs the outermost scope."""
    record = records.piecewise()._replace(scopes=(), decisions=())
    with pytest.raises(RecordUnreadable, match=r"`ops\[0\]`: there is no scope 0"):
        record_json.parse(record_json.dump(record))


def test_an_older_file_without_a_column_still_reads() -> None:
    """A column that was added later takes its default."""
    document = json.loads(record_json.dump(records.piecewise()))
    place = document["fields"]["Op"].index("inplace")
    del document["fields"]["Op"][place]
    for row in document["ops"]:
        del row[place]
    assert records.piecewise() == record_json.parse(json.dumps(document).encode())


def test_every_annotation_has_a_codec() -> None:
    """A new kind of field in the data model cannot be forgotten."""
    from dyncli.records.rows import CLASSES, codecs, layout

    table = codecs(id, lambda place: None, layout())
    for kind in (*CLASSES, Record):
        for annotation in kind.__annotations__.values():
            assert annotation in table
    assert {Op, Scope, TensorSummary} <= set(CLASSES)
