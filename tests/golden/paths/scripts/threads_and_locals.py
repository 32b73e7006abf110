import threading, queue
q = queue.Queue()
def worker(n):
    for k in range(n):
        if k % 2: q.put((n, k))
threads = [threading.Thread(target=worker, args=(n,)) for n in (3, 4)]
for t in threads:
    t.start()
    t.join()
del t, threads
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
# 11 12:while `not q.empty()` -> body #0 [q.empty()=False F]
# 12 12:while `not q.empty()` -> body #1 [q.empty()=False F]
# 13 12:while `not q.empty()` -> body #2 [q.empty()=False F]
# 14 12:while `not q.empty()` -> exit #3 [q.empty()=True T]
# 15 14:comp `for n in sorted(vars())` -> loop x8 exhausted
# 16 14:compif `n in ("q", "out")` -> drop ['__builtins__' in ('q', 'out') F] | in 14.0 | under 15
# 17 14:compif `n in ("q", "out")` -> drop ['__file__' in ('q', 'out') F] | in 14.1 | under 15
# 18 14:compif `n in ("q", "out")` -> drop ['__name__' in ('q', 'out') F] | in 14.2 | under 15
# 19 14:compif `n in ("q", "out")` -> keep ['out' in ('q', 'out') T] | in 14.3 | under 15
# 20 14:compif `n in ("q", "out")` -> keep ['q' in ('q', 'out') T] | in 14.4 | under 15
# 21 14:compif `n in ("q", "out")` -> drop ['queue' in ('q', 'out') F] | in 14.5 | under 15
# 22 14:compif `n in ("q", "out")` -> drop ['threading' in ('q', 'out') F] | in 14.6 | under 15
# 23 14:compif `n in ("q", "out")` -> drop ['worker' in ('q', 'out') F] | in 14.7 | under 15
# 24 16:ifexp `a` -> then [a=1 T] m1 | names
# 25 17:comp `for n in dir()` -> loop x2 exhausted | names
# 26 17:compif `n != "b"` -> keep ['a' != 'b' T] | in 17.0 | names | under 25
# 27 17:compif `n != "b"` -> drop ['b' != 'b' F] | in 17.1 | names | under 25
