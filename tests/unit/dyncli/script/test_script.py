"""MODEL -> the file it names and the callable that is run."""

import sys
from pathlib import Path

import pytest

from dyncli import errors
from dyncli.script.script import Loaded, find, load, names_forward_or_model, signature_of
from dyncli.script.vocabulary import unheard

NN = """
class Module:
    def __call__(self, *inputs):
        return self.forward(*inputs)
"""


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A function that writes a script into an empty working folder, which the run leaves as it found it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = dict(sys.modules)
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "nn.py").write_text(NN)

    def write(text: str, name: str = "net.py") -> str:
        (tmp_path / name).write_text(text)
        return name

    yield write
    for name in set(sys.modules) - set(before):
        del sys.modules[name]


def result(loaded: Loaded, *inputs: object) -> object:
    """What the entry returns."""
    assert loaded.function is not None
    return loaded.function(*inputs)


def test_forward_is_the_entry(write):
    """A function named `forward` is run, whatever else is there."""
    loaded = load(write("def helper(x): return 0\ndef forward(x): return x + 1"), with_inputs=True)
    assert ("forward", 3) == (loaded.entry, result(loaded, 2))


def test_model_instance_is_the_entry(write):
    """An object named `model` that can be called is run."""
    loaded = load(
        write("from fake.nn import Module\nclass Net(Module):\n def forward(self, x): return x * 2\nmodel = Net()"),
        with_inputs=True,
    )
    assert ("model", 6) == (loaded.entry, result(loaded, 3))


def test_forward_comes_before_model(write):
    """Of `forward` and `model`, the first is run."""
    assert "forward" == load(write("def model(x): pass\ndef forward(x): pass"), with_inputs=True).entry


def test_model_that_is_plain_data_is_no_entry(write):
    """A string called `model` takes no inputs."""
    with pytest.raises(errors.NoEntry):
        load(write("model = 'resnet'\nprint(model)"), with_inputs=True)


def test_forward_without_inputs_leaves_the_script_the_run(write):
    """A script with a `forward` is run itself while no inputs are given."""
    assert load(write("def forward(x): return x")).is_script


def test_the_entry_after_the_colon(write):
    """The name after the colon wins over `forward`."""
    write("def forward(x): return 1\ndef other(x): return 2")
    assert 2 == result(load("net.py:other"), 0)


def test_the_entry_option(write):
    """`--entry` says the same as the colon."""
    assert 2 == result(load(write("def forward(x): return 1\ndef other(x): return 2"), "other"), 0)


def test_entry_named_twice(write):
    """A colon and `--entry` that differ are refused."""
    write("def forward(x): return 1")
    with pytest.raises(errors.EntryTwice):
        load("net.py:forward", "other")
    assert "forward" == load("net.py:forward", "forward").entry


def test_a_method_of_an_instance(write):
    """A dotted entry reaches into an object."""
    write("class Net:\n def encode(self, x): return x + 5\nnet = Net()")
    assert 6 == result(load("net.py:net.encode"), 1)


def test_a_method_of_a_module_class(write):
    """The module is made as it is for an entry that names the class; a static method needs none."""
    text = "from fake.nn import Module\nclass Net(Module):\n def __init__(self{}): self.by = 5\n{}"
    methods = " def encode(self, x): return x + self.by\n @staticmethod\n def double(x): return x * 2"
    loaded = load(write(text.format("", methods)), "Net.encode")
    assert ("Net.encode", 6) == (loaded.entry, result(loaded, 1))
    assert ["x"] == signature_of(loaded.function, loaded.entry).names
    write(text.format(", by", methods))
    assert 8 == result(load("net.py", "Net.double"), 4)
    with pytest.raises(errors.EntryNeedsArguments, match=r"`Net\(by\)` needs arguments to be built"):
        load("net.py", "Net.encode")


def test_the_only_function_with_inputs(write):
    """With inputs the only public function is run; imported and private ones do not count."""
    text = "from math import sqrt\nfrom os.path import join\ndef _helper(x): return x\ndef energy(x): return x * 3"
    loaded = load(write(text), with_inputs=True)
    assert ("energy", 9) == (loaded.entry, result(loaded, 3))


def test_the_only_module_class_with_inputs(write):
    """With inputs an nn.Module class that needs no arguments is built and run."""
    loaded = load(
        write("from fake.nn import Module\nclass Net(Module):\n def forward(self, x): return x * 2"), with_inputs=True
    )
    assert ("Net", 8) == (loaded.entry, result(loaded, 4))


def test_a_module_class_that_needs_arguments_does_not_compete(write):
    """A layer that needs a width is no candidate beside a function."""
    text = "from fake.nn import Module\nclass Layer(Module):\n def __init__(self, width): pass\ndef net(x): return x"
    assert "net" == load(write(text), with_inputs=True).entry


def test_a_module_class_that_needs_arguments_alone(write):
    """A class that cannot be built is named with its signature."""
    text = "from fake.nn import Module\nclass Net(Module):\n def __init__(self, width): pass"
    with pytest.raises(errors.EntryNeedsArguments, match=r"`Net\(width\)` needs arguments to be built: `width`"):
        load(write(text), with_inputs=True)


def test_several_entries(write):
    """Several candidates are listed."""
    with pytest.raises(errors.EntryAmbiguous, match="`net.py` has several entries: `first`, `second`"):
        load(write("def first(x): pass\ndef second(x): pass"), with_inputs=True)


def test_no_entry_for_inputs(write):
    """Inputs for a script that defines nothing are refused."""
    with pytest.raises(errors.NoEntry):
        load(write("x = 1"), with_inputs=True)


def test_the_script_itself_is_the_run(write):
    """Without entry and inputs nothing runs while loading; then it runs once, as `__main__`."""
    text = (
        "import sys\ndef helper(x): pass\nname, argv = __name__, sys.argv\nwith open('ran', 'a') as ran: ran.write('x')"
    )
    write(text)
    loaded = load("net.py")
    assert loaded.is_script and not Path("ran").exists()
    before, module = sys.argv, loaded.run_script()
    assert ("__main__", [str(Path("net.py").resolve())]) == (module.name, module.argv)
    assert "x" == Path("ran").read_text() and before is sys.argv
    assert sys.modules["__main__"] is not module


@pytest.mark.parametrize(
    ("source", "is_bound"),
    [
        ("def forward(x): pass", True), ("async def model(x): pass", True), ("class model: pass", True),
        ("def other(x): pass", False), ("from net import forward", True), ("import net as model", True),
        ("import model.parts", False), ("from net import forward as other", False), ("model = build()", True),
        ("a, (model, b) = build()", True), ("model = 3", False), ("model: Net = build()", True), ("model: Net", False),
        ("model: int = 3", False), ("if x:\n    pass\nelse:\n    model = f()", True),
        ("with x:\n    model = f()", True),
        ("for x in y:\n    pass\nelse:\n    model = f()", True), ("try:\n    pass\nexcept E:\n    model = f()", True),
        ("try:\n    pass\nfinally:\n    model = f()", True), ("while x:\n    model = f()", True),
        ("if __name__ == '__main__':\n    model = f()", False),
        ("if __name__ == '__main__':\n    pass\nelse:\n    model = f()", True), ("x.model = f()", False),
    ],
)  # fmt: skip
def test_script_names_a_model(source, is_bound):
    """Whatever binds the name at the top level, but for constants and a direct run."""
    assert is_bound is names_forward_or_model(source.encode())


def test_model_under_the_main_guard_is_no_entry(write):
    """What only a direct run builds takes no inputs."""
    with pytest.raises(errors.NoEntry):
        load(write("if __name__ == '__main__':\n    model = print\n    model('hello')"), with_inputs=True)


def test_the_script_itself_by_name(write):
    """`net.py:__main__` runs the script even if it has a `forward`."""
    write("def forward(x): pass")
    assert load("net.py:__main__").is_script


def test_a_script_imports_its_neighbour(write):
    """The script's folder is first on the path, wherever the tool was started."""
    write("def double(x): return x * 2", "neighbour_of_net.py")
    assert 4 == result(load(write("from neighbour_of_net import double as forward"), with_inputs=True), 2)


def test_dataclasses_and_pickles_work_in_a_script(write):
    """The module is registered, as `dataclasses` and `pickle` expect."""
    text = (
        "from __future__ import annotations\nimport dataclasses, pickle\n@dataclasses.dataclass\nclass Tree:\n"
        " left: Tree | None = None\ndef forward(x): return pickle.loads(pickle.dumps(Tree())).left"
    )
    assert None is result(load(write(text), with_inputs=True), 0)


def test_a_script_named_like_a_library_replaces_nothing(write):
    """`json.py` is run without becoming everybody's `json`."""
    import json

    loaded = load(write("def forward(x): return x", "json.py"), with_inputs=True)
    assert json is sys.modules["json"] and "script_json" == loaded.module.__name__


def test_bundled_name():
    """A bundled model is found by its file's name, and shown the same everywhere."""
    from dyncli.script import paths

    for model in paths.models():
        assert (model.path, f"models/{model.name}.py") == (find(model.name).path, find(model.name).display)


def test_a_file_comes_before_nothing(write):
    """An unknown name suggests a script that stands here."""
    write("x = 1", "my_network.py")
    with pytest.raises(errors.UnknownModel) as caught:
        find("my_netwrok.py".removesuffix(".py"))
    assert "did you mean `my_network.py`?" == caught.value.hint


def test_missing_file(write):
    """A path that is not there suggests the nearest script beside it."""
    write("x = 1", "newton.py")
    with pytest.raises(errors.ScriptNotFound, match="no file `./netwon.py`") as caught:
        find("./netwon.py")
    assert "did you mean `./newton.py`?" == caught.value.hint


@pytest.mark.parametrize("name", ["", "x" * 5000, "a/" * 3000 + "b.py"], ids=["empty", "long", "deep"])
def test_names_that_are_no_names(write, name):
    """Nonsense is an unknown model, not a crash."""
    with pytest.raises((errors.UnknownModel, errors.ScriptNotFound)):
        find(name)


def test_a_folder_is_no_script(write):
    """A folder is told as such."""
    with pytest.raises(errors.ScriptUnreadable, match="cannot read `fake`: it is a folder"):
        find("fake")


def test_syntax_error(write):
    """A script that is no Python is one line with its place; its exit code is the script's."""
    with pytest.raises(errors.ScriptSyntax) as caught:
        load(write("x = 1\nif x >\n    pass"))
    assert caught.value.report().startswith("SyntaxError: invalid syntax\n  at net.py:2: `if x >`\n")
    assert 3 == caught.value.exit_code


def test_syntax_error_that_only_the_compiler_sees(write):
    """`return` at the top level is a syntax error too."""
    with pytest.raises(errors.ScriptSyntax, match="'return' outside function"):
        load(write("return 1"))


def test_syntax_error_in_a_neighbour(write):
    """A broken import is told at its own place."""
    write("def f(:", "broken_neighbour.py")
    with pytest.raises(errors.ScriptSyntax) as caught:
        load(write("import broken_neighbour\ndef forward(x): pass"), with_inputs=True)
    assert ("at broken_neighbour.py:1: `def f(:`",) == caught.value.detail


def test_binary_file(write, tmp_path):
    """Bytes that are no text are refused."""
    (tmp_path / "net.py").write_bytes(b"\x00\x01\xff")
    with pytest.raises((errors.ScriptUnreadable, errors.ScriptSyntax)):
        load("net.py")


def test_a_script_that_raises_while_it_is_loaded(write):
    """The user's frames only, the error's type and message, exit code 3."""
    text = "import json\ndef forward(x): pass\ndef check(n):\n    return json.loads(n)\ncheck('{')"
    with pytest.raises(errors.ScriptRaised) as caught:
        load(write(text), with_inputs=True)
    frames = ("at net.py:5: `check('{')`", "at net.py:4 in check: `return json.loads(n)`")
    assert frames == caught.value.detail
    assert caught.value.message.startswith("JSONDecodeError: ") and 3 == caught.value.exit_code


def test_notes_of_an_error_are_kept(write):
    """`add_note` lines stand below the frames."""
    text = "def forward(x): pass\nerror = ValueError('no')\nerror.add_note('in log at net.py:2')\nraise error"
    with pytest.raises(errors.ScriptRaised) as caught:
        load(write(text), with_inputs=True)
    assert "in log at net.py:2" == caught.value.detail[-1]


def test_a_script_that_exits(write):
    """`sys.exit` while loading is an error with the way out."""
    with pytest.raises(errors.ScriptExited, match=r"the script called `sys.exit\(2\)` while it was loaded"):
        load(write("import sys\ndef forward(x): pass\nsys.exit(2)"), with_inputs=True)


def test_endless_recursion_while_loading(write):
    """Of a thousand equal frames a few are shown."""
    with pytest.raises(errors.ScriptRaised, match="RecursionError") as caught:
        load(write("def forward(x): return forward(x)\nforward(1)"), with_inputs=True)
    assert 20 == len(caught.value.detail)


def test_unknown_entry(write):
    """A misspelled entry suggests the nearest function."""
    write("def forward(x): pass\ndef backwards(x): pass")
    with pytest.raises(errors.EntryNotFound, match="`net.py` has no `forwrad`") as caught:
        load("net.py:forwrad")
    assert "did you mean `forward`?" == caught.value.hint


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("width = 3", "an int"),
        ("class width: pass", "a class that is no nn.Module"),
        ("import os as width", "a module"),
    ],
)
def test_an_entry_that_cannot_be_called(write, text, kind):
    """A number, a plain class or a module is no entry."""
    write(text)
    with pytest.raises(errors.EntryNotCallable, match=f"`width` is {kind}, which cannot be run"):
        load("net.py:width")


def test_annotations_of_a_script_are_values(write):
    """No future import of the tool's own modules reaches it."""
    assert {"x": int} == load(write("def forward(x: int): pass"), with_inputs=True).function.__annotations__


def test_pattern_in_place_of_a_name_may_fit_one(write):
    """A word that is cut short may occur somewhere for all that is known."""
    path = Path(write("def forward(x): return x"))
    assert ("forwrad", None) == (unheard(["forwrad"], path)[0], unheard(["forwr*"], path))
