"""A step that is cut off from the one before, on the edge of a test; the cut above it takes nothing away."""


def forward(s):
    idle = s.detach()
    total = s.sum() + (idle > 0).sum() * 0
    for _ in range(2):
        s = s.detach() * 1.5  # FAULT
        total = total + (s * s).sum() * (2.0 if s.sum() < 3 else 1.0)
    return total


# $ -i '[0.5, 1.5]' : detached s
# $ -i '[0.25, 1.0]' : detached s
