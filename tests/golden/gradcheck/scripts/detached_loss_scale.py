"""A running scale in a number that depends on the input: a mean over the batch."""


def forward(x):
    mean = x.mean().item()
    spread = x.std().detach()  # FAULT
    return (x - mean + mean) / spread


# $ -i '[1.0, 2.0, 4.0]' : detached x
