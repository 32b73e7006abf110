"""Newton's method, until it is near enough: only approximately a square root, its derivative exactly its own."""


def forward(a, tol=1e-3):
    x = a
    error = 1.0
    while error > tol:  # NEAR
        better = (x + a / x) / 2
        error = (better - x).abs().item()
        x = better
    return x


# $ -i 2.0 : right
# $ -i a=2.0 -i tol=0.4 : right
# $ -i a=2.0 -i tol=0.5 : jump a,tol
# $ -i a=1e8 -i tol=1e-3 : right
# $ -i a=1e-8 -i tol=1e-12 : right
