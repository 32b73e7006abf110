"""Samples for functions of one tensor."""

SAMPLES = {
    "exp": lambda x: [(x(2, 3),), (x(),), (x.complex(3),)],
    "tanh": lambda x: (x(3),),
}
