"""`dyncli run --sensitivity`: the table, the fields in JSON, a saved record."""

import json

NET = "def forward(x):\n    if x.sum() > 0:\n        return x * 2\n    return x - 2\n"


def test_table_and_json(tmp_path, dyncli):
    """The margin, the nearest change, whether it flips; in JSON the whole gradient."""
    (tmp_path / "net.py").write_text(NET)
    finished = dyncli("run", "net.py", "-i", "[1, -1, 2]", "--sensitivity")
    assert (0, "") == (finished.code, finished.err)
    assert "x + [-0.6667, -0.6667" in finished.out and "flips: -0.002 > 0" in finished.out
    (one,) = json.loads(dyncli("run", "net.py", "-i", "[1, -1, 2]", "--sensitivity", "--json").out)["sensitivities"]
    assert (0, 0, 2.0, True, None) == (one["decision"], one["condition"], one["margin"], one["flips"], one["reason"])
    (reach,) = one["inputs"]
    assert ("x", [1.0, 1.0, 1.0], [0], -2.0, True) == (
        reach["name"], reach["gradient"], reach["element"], reach["change"], reach["flips"],
    )  # fmt: skip


def test_a_saved_record_shows_it_and_cannot_make_it(tmp_path, dyncli):
    """What was saved is shown again; a saved record cannot be run."""
    (tmp_path / "net.py").write_text(NET)
    dyncli("run", "net.py", "-i", "[1, -1, 2]", "--sensitivity", "--save", "run.dyn")
    assert "flips: -0.002 > 0" in dyncli("run", "run.dyn").out
    finished = dyncli("run", "run.dyn", "--sensitivity")
    assert (2, True) == (finished.code, finished.err.startswith("error: `run.dyn` is a saved record, and `--sens"))
