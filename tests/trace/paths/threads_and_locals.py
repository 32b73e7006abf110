import threading, queue
q = queue.Queue()
def worker(n):
    for k in range(n):
        if k % 2: q.put((n, k))
threads = [threading.Thread(target=worker, args=(n,)) for n in (3, 4)]
for t in threads:
    t.start()
    t.join()
out = []
while not q.empty():
    out.append(q.get())
print(sorted(out), [n for n in sorted(vars()) if n in ("q", "out")])
def names(a):
    b = a if a else 0
    return sorted(locals()), sorted(vars()), [n for n in dir() if n != "b"]
print(names(1))

# ----
# 0 6:comp `for n in (3, 4)` -> loop x2 exhausted
# 1 7:for `for t in threads` -> loop x2 exhausted
# 2 4:for `for k in range(n)` -> loop x3 exhausted | worker
# 3 5:if `k % 2` -> else [k % 2=0 F] m0 | in 4.0 | worker | under 2
# 4 5:if `k % 2` -> then [k % 2=1 T] m1 | in 4.1 | worker | under 2
# 5 5:if `k % 2` -> else [k % 2=0 F] m0 | in 4.2 | worker | under 2
# 6 4:for `for k in range(n)` -> loop x4 exhausted | worker
# 7 5:if `k % 2` -> else [k % 2=0 F] m0 | in 4.0 | worker | under 6
# 8 5:if `k % 2` -> then [k % 2=1 T] m1 | in 4.1 | worker | under 6
# 9 5:if `k % 2` -> else [k % 2=0 F] m0 | in 4.2 | worker | under 6
# 10 5:if `k % 2` -> then [k % 2=1 T] m1 | in 4.3 | worker | under 6
# 11 11:while `not q.empty()` -> body #0 [q.empty()=False F]
# 12 11:while `not q.empty()` -> body #1 [q.empty()=False F]
# 13 11:while `not q.empty()` -> body #2 [q.empty()=False F]
# 14 11:while `not q.empty()` -> exit #3 [q.empty()=True T]
# 15 13:comp `for n in sorted(vars())` -> loop x10 exhausted
# 16 13:compif `n in ("q", "out")` -> drop ['__builtins__' in ('q', 'out') F] | in 13.0 | under 15
# 17 13:compif `n in ("q", "out")` -> drop ['__file__' in ('q', 'out') F] | in 13.1 | under 15
# 18 13:compif `n in ("q", "out")` -> drop ['__name__' in ('q', 'out') F] | in 13.2 | under 15
# 19 13:compif `n in ("q", "out")` -> keep ['out' in ('q', 'out') T] | in 13.3 | under 15
# 20 13:compif `n in ("q", "out")` -> keep ['q' in ('q', 'out') T] | in 13.4 | under 15
# 21 13:compif `n in ("q", "out")` -> drop ['queue' in ('q', 'out') F] | in 13.5 | under 15
# 22 13:compif `n in ("q", "out")` -> drop ['t' in ('q', 'out') F] | in 13.6 | under 15
# 23 13:compif `n in ("q", "out")` -> drop ['threading' in ('q', 'out') F] | in 13.7 | under 15
# 24 13:compif `n in ("q", "out")` -> drop ['threads' in ('q', 'out') F] | in 13.8 | under 15
# 25 13:compif `n in ("q", "out")` -> drop ['worker' in ('q', 'out') F] | in 13.9 | under 15
# 26 15:ifexp `a` -> then [a=1 T] m1 | names
# 27 16:comp `for n in dir()` -> loop x2 exhausted | names
# 28 16:compif `n != "b"` -> keep ['a' != 'b' T] | in 16.0 | names | under 27
# 29 16:compif `n != "b"` -> drop ['b' != 'b' F] | in 16.1 | names | under 27
