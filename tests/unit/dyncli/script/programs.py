"""Random small programs for comparing a run with probes to one without: Hypothesis strategies that give source text."""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = ("a", "b", "c")
_value = st.sampled_from([*NAMES, "0", "1", "2", "-1", "''", "'s'", "[]", "[1]", "None", "Odd(0)", "Odd(1)"])
_number = st.sampled_from([*NAMES, "0", "1", "2", "3"])


def _both(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(children, children).map(lambda e: f"({e[0]} and {e[1]})"),
        st.tuples(children, children).map(lambda e: f"({e[0]} or {e[1]})"),
        st.tuples(children, children, children).map(lambda e: f"({e[0]} or {e[1]} and {e[2]})"),
        children.map(lambda e: f"(not {e})"),
        st.tuples(children, children, children).map(lambda e: f"({e[0]} if {e[1]} else {e[2]})"),
        st.tuples(children, st.sampled_from(["<", "==", "!=", "is", "is not", ">="]), children).map(
            lambda e: f"(say({e[0]}) {e[1]} {e[2]})"
        ),
        st.tuples(children, children, children).map(lambda e: f"({e[0]} == {e[1]} != {e[2]})"),
        st.tuples(children, children).map(lambda e: f"[x for x in span({e[0]}) if {e[1]}]"),
        st.tuples(children, children).map(lambda e: f"any(say(x) for x in span({e[0]}) if {e[1]} or x)"),
        st.tuples(st.sampled_from(NAMES), children).map(lambda e: f"({e[0]} := {e[1]})"),
        st.tuples(children, children).map(lambda e: f"(lambda v: v or {e[0]})({e[1]})"),
        children.map(lambda e: f"f'{{say({e})!s:.3}}'"),
        children.map(lambda e: f"f({e})"),
        children.map(lambda e: f"f(*[{e}])"),
        children.map(lambda e: f"f(**{{'{NAMES[0]}': {e}}})"),
        st.tuples(children, children).map(lambda e: f"[{e[0]}, {e[1]}][1:]"),
        st.sampled_from(["(0, 1)[1]", "(0, (1, 2))[1][0]", "'s'[0]", "[0, 1][1]", "'s'.upper"]),
    )


expressions = st.recursive(_value, _both, max_leaves=5)


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


_Lines = list[str]
_leaf = st.one_of(
    st.tuples(st.sampled_from(NAMES), expressions).map(lambda s: [f"{s[0]} = {s[1]}"]),
    expressions.map(lambda e: [f"say({e})"]),
    expressions.map(lambda e: [f"return {e}"]),
    st.just(["return"]),
    expressions.map(lambda e: [f"assert {e}, say('failed')"]),
    st.just(["pass"]),
    st.just(["raise Oops(1)"]),
    expressions.map(lambda e: [f"yielded = yield {e}"]),
)
_in_loop = st.one_of(_leaf, st.just(["break"]), st.just(["continue"]))


def _blocks(children: st.SearchStrategy[_Lines]) -> st.SearchStrategy[_Lines]:
    body = st.lists(children, min_size=1, max_size=3).map(lambda parts: [line for part in parts for line in part])
    orelse = st.one_of(st.just([]), body.map(lambda lines: ["else:", *_indented(lines)]))
    return st.one_of(
        st.tuples(expressions, body, orelse).map(lambda s: [f"if {s[0]}:", *_indented(s[1]), *s[2]]),
        st.tuples(expressions, body, expressions, body, orelse).map(
            lambda s: [f"if {s[0]}:", *_indented(s[1]), f"elif {s[2]}:", *_indented(s[3]), *s[4]]
        ),
        st.tuples(expressions, body, orelse).map(
            lambda s: [f"while tick() and {s[0]}:", *_indented(s[1]), *s[2]],
        ),
        body.map(lambda lines: ["while True:", "    if not tick(): break", *_indented(lines)]),
        st.tuples(st.sampled_from(NAMES), expressions, body, orelse).map(
            lambda s: [f"for {s[0]} in span({s[1]}):", *_indented(s[2]), *s[3]]
        ),
        st.tuples(body, body).map(lambda s: ["try:", *_indented(s[0]), "except (Oops, TypeError):", *_indented(s[1])]),
        st.tuples(body, body).map(lambda s: ["try:", *_indented(s[0]), "finally:", *_indented(s[1])]),
        st.tuples(body, body, orelse, body).map(
            lambda s: ["try:", *_indented(s[0]), "except Oops:", *_indented(s[1]), *s[2], "finally:", *_indented(s[3])]
        ),
        body.map(lambda lines: ["with Quiet():", *_indented(lines)]),
        st.tuples(expressions, _number, body, expressions, body).map(
            lambda s: [
                f"match {s[0]}:",
                f"    case {s[1]} if {s[3]}:" if s[1] not in NAMES else f"    case [{s[1]}, *_] if {s[3]}:",
                *_indented(_indented(s[2])),
                "    case int() | None:",
                *_indented(_indented(s[4])),
            ]
        ),
        st.tuples(st.sampled_from(NAMES), body).map(
            lambda s: [
                f"def g({s[0]}, f=f):",
                "    for once in span(2) if tick() else ():",
                *_indented(_indented(s[1])),
                "say(g)",
            ]
        ),
    )


_loops = st.recursive(_in_loop, _blocks, max_leaves=8)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A module that defines `f(a)` and calls it, with a `say` for everything that can be seen from outside."""
    lines = draw(st.lists(_loops, min_size=1, max_size=4).map(lambda parts: [line for part in parts for line in part]))
    body = ["b, c = 1, []", "for once in span(2) if tick() else ():", *_indented(lines)]
    return PRELUDE + "\n".join(["def f(a):", *_indented(body), "run()"]) + "\n"


PRELUDE = """\
events, left = [], [60]
class Oops(Exception): pass
class Odd:
    def __init__(self, truth): self.truth = truth
    def __bool__(self):
        events.append("bool")
        return bool(self.truth)
    def __repr__(self): return f"Odd({self.truth})"
class Quiet:
    def __enter__(self): events.append("enter")
    def __exit__(self, kind, error, traceback):
        events.append(("exit", kind and kind.__name__))
        return kind is Oops
def tick():
    left[0] -= 1
    return left[0] > 0
def say(value):
    text = repr(value)
    events.append(text if "0x" not in text else type(value).__name__)
    return value
def span(value):
    return range(value) if type(value) is int and value < 4 else value if isinstance(value, (list, str)) else [value, 0]
def run():
    for argument in (0, 2, "s"):
        try:
            result = f(argument)
            if hasattr(result, "send"):
                for item in result:
                    say(item)
                    if not tick(): break
            else:
                say(result)
        except Exception as error:
            events.append((type(error).__name__, str(error)))
"""
