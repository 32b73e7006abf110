from __future__ import annotations
import sys, traceback, inspect
out = []
def show(*a): out.append(a)
def tb(f):
    try: f()
    except BaseException as e:
        t = traceback.format_exc().split("\n", 1)[1]
        show(type(e).__name__, str(e), t.replace(__file__, "F"))
def f1(a):
    exec("b = a + 1 if a > 1 else a")
    show(sorted(locals()))
    return eval("a * 2 if a else 0"), eval("[a + i for i in range(3) if i]", {"a": a}), eval(" \t(lambda v: v if v > a else -v)(3)", {"a": a})
show(f1(2))
ns = {}
exec("def g(x):\n    'doc'\n    return x if x > 0 else g(x + 1)\nclass K:\n    y = 1 if True and g(1) else 2\n    def m(self): return super().__repr__ and (self.y or 3)\nz: int = 5 if g else 6", ns)
show(sorted(k for k in ns if k != "__builtins__"), ns["g"](-3), ns["g"].__doc__, ns["g"].__code__.co_varnames[:1], ns["g"].__code__.co_filename, ns["K"]().m(), ns.get("__annotations__") if sys.version_info < (3, 14) else None)
show(eval("1 if x else 2", {"__builtins__": {}, "x": 3}))
tb(lambda: eval("y if q else 2", {"__builtins__": {}, "x": 3}))
tb(lambda: exec("if 1\n  pass"))
tb(lambda: exec("def h(v):\n    if v > 1:\n        return 1 / 0\n    return 2\nh(3)"))
tb(lambda: exec("x = 1 if", {}, {}))
tb(lambda: exec("1 if 2 else 3", 5))
tb(lambda: eval("a if b else c"))
exec(compile("w = 3 if True else 4\nif w > 2: w += 1", "<made>", "exec"))
show(w)
exec("for k in range(3):\n    exec('if k == %d: show(k)' % k)\nelse:\n    show('end')")
def fact(n): return eval("1 if n <= 1 else n * fact(n - 1)")
show(fact(5))
def shadow(exec): return exec("a" if True else "b")
show(shadow(str.upper))
class C:
    exec("q = [i for i in range(4) if i % 2]")
    r = eval("q[0] if q else None")
show(C.q, C.r)
def gen(): 
    exec("def it(n):\n    for i in range(n):\n        if i != 1:\n            got = yield i\n            if got: return got", globals())
    return list(it(4))
show(gen())
code = b"u = 1 if 3 > 2 else 0"
exec(code)
show(u)
def loc():
    exec("t = 1 if 2 > 1 else 3", None, d := {})
    return d
show(loc())
exec("async def co(x):\n    return x if x else 0\nimport asyncio\nv = asyncio.run(co(4))")
show(v)
show(eval("(y := 5) if True or y else 0"), y)
show(eval("sum(i for i in (1, 2, 3) if i > 1)"))
exec("'''docstring'''\nif True: pass\nif out: e = __name__")
show(e)
show([eval("i if i > 0 else 9") for i in range(2)], *map(eval, ["1 if 1 else 2"]))
for o in out: print(o)
