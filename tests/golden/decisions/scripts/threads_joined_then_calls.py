import dyncore as torch, threading  # input: [1.0, -2.0, 3.0]
from concurrent.futures import ThreadPoolExecutor
threading.excepthook = lambda _: None
def sign(n):
    return 1 if n else 0
def work(n):
    if n > 1:
        raise ValueError(n)
    return sign(n)
class Half(threading.Thread):
    def run(self):
        self.got = 2 if sign(1) else 3
def forward(x):
    y = 0
    for k in range(0, 4, 2):
        other = threading.Thread(target=work, args=(k,))
        other.start()
        other.join()
        y = y + x * sign(k)
        if y.sum() > 1:
            y = y - 1
    def middle():
        inner = threading.Thread(target=work, args=(1,))
        inner.start()
        inner.join()
        sign(0)
    between = threading.Thread(target=middle)
    between.start()
    between.join()
    half = Half()
    half.start()
    half.join()
    with ThreadPoolExecutor(1) as pool:
        failed = [pool.submit(work, k).exception() is not None for k in (2, 0)]
    return y * (half.got if sign(sum(failed)) else 5)

# ----
# 0 15 for loop x2 exhausted @forward
# 1 7 if else @work | 0 > 1 F m-1
# 2 5 ifexp else @work>sign u1 | 0 F m0
# 3 5 ifexp else in 15.0 @forward>sign u0 | 0 F m0
# 4 20 if else tensor in 15.0 @forward u0 <gt | 0.0 > 1 F m-1
# 5 7 if then @work | 2 > 1 T m1
# 6 5 ifexp then in 15.1 @forward>sign u0 | 2 T m2
# 7 20 if then tensor in 15.1 @forward u0 <gt | 2.0 > 1 T m1
# 8 7 if else @work | 1 > 1 F m0
# 9 5 ifexp then @work>sign u8 | 1 T m1
# 10 5 ifexp else @forward.<locals>.middle>sign | 0 F m0
# 11 5 ifexp then @Half.run>sign | 1 T m1
# 12 12 ifexp then @Half.run | 1 T m1
# 13 34 comp loop x2 exhausted @forward
# 14 7 if then @work | 2 > 1 T m1
# 15 7 if else @work | 0 > 1 F m-1
# 16 5 ifexp else @work>sign u15 | 0 F m0
# 17 5 ifexp then @forward>sign | 1 T m1
# 18 35 ifexp then @forward | 1 T m1
