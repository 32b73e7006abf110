"""A script's own trace and profile functions hear what they hear without probes."""

import io
import sys
from contextlib import redirect_stdout

from tests.load.test_same_results import plainly
from tests.trace.playing import play

TRACES = """\
import asyncio, bdb, sys, threading
heard = []
def trace(frame, event, arg):
    file = frame.f_code.co_filename
    if "dyncli" in file or file == trace.__code__.co_filename and frame.f_code is not hearing.__code__:
        heard.append((frame.f_code.co_name, event, frame.f_lineno))
    return trace
def f(a, b):
    total = 0
    for n in range(a):
        if n % 2 and b:
            total += n if n > 2 else 1
    with open("/dev/null") as null:
        return [m for m in (total, b) if m] or 0
async def g(n):
    if n: await asyncio.sleep(0)
    return f(n, 1) if n else 0
class Steps(bdb.Bdb):
    def user_line(self, frame):
        heard.append((frame.f_code.co_name, frame.f_lineno))
        self.set_step()
def whole():
    f(3, 2)
    return asyncio.run(g(1))
def hearing(begin, ask):
    before = ask()
    begin(trace)
    heard.append(ask() is trace)
    f(5, 0)
    begin(before)
    heard.append(ask() is before)
hearing(sys.settrace, sys.gettrace)
hearing(sys.setprofile, sys.getprofile)
threading.settrace(trace)
running = threading.Thread(target=f, args=(2, 2))
running.start()
running.join()
threading.settrace(None)
before = sys.gettrace()
Steps(skip=["asyncio*", "selectors", "bdb", "codecs", "contextlib", "dyncli*"]).runcall(f, 3, 1)
sys.settrace(trace)
whole()
sys.settrace(before)
for each in heard: print(each)
"""


def test_a_script_that_traces_itself() -> None:
    """Calls, lines and returns with `sys.settrace`, `sys.setprofile`, threads, and a debugger of its own."""
    settrace, setprofile = sys.settrace, sys.setprofile
    _, printed = plainly(TRACES)
    out = io.StringIO()
    with redirect_stdout(out):
        played = play(TRACES)
    assert played.error is None
    assert printed == out.getvalue()
    assert printed.count("\n") > 90 and printed.count("True") == 4
    assert (settrace, setprofile) == (sys.settrace, sys.setprofile)
