import threading

def work(n):
    for k in range(n):
        if k == 1:
            break

def main():
    thread = threading.Thread(target=work, args=(3,))
    thread.start()
    thread.join()
    if not thread.is_alive():
        return 1

main()

# ----
# 0 4:for `for k in range(n)` -> loop x2 break | work
# 1 5:if `k == 1` -> else [0 == 1 F] m-1 | in 4.0 | work | under 0
# 2 5:if `k == 1` -> then [1 == 1 T] m0 | in 4.1 | work | under 0
# 3 12:if `not thread.is_alive()` -> then [thread.is_alive()=False F] | main
