"""`backward()` inside the model, and `.grad` goes on as a number."""


def forward(x):
    (x**3).sum().backward()
    return (x.grad * x).sum()  # FAULT


# $ -i '[1.0, 2.0]' : detached x
