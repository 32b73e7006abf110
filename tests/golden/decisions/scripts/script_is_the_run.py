import dyncore as torch
def step(w):
    loss = (w * 2 - 6) ** 2
    if loss < 1e-3:
        return None
    loss.backward()
    return loss
if __name__ == "__main__":
    w = torch.tensor(1.0, requires_grad=True)
    for epoch in range(5):
        if (loss := step(w)) is None:
            break
        with torch.no_grad():
            w -= 0.125 * w.grad
            w.grad.zero_()
    else:
        raise SystemExit("did not converge")
    print("done" if epoch < 4 else "late")

# ----
# 0 8 if then | "__main__" == "__main__" T
# 1 10 for loop x2 break u0
# 2 4 if else tensor in 10.0 @step u1 <lt | 16.0 < 0.001 F m-16
# 3 11 if else in 10.0 u1 | 16.0 is null F
# 4 4 if then tensor in 10.1 @step u1 <lt | 0.0 < 0.001 T m0.001
# 5 11 if then in 10.1 u1 | null is null T
# 6 18 ifexp then u0 | 1 < 4 T m3
