"""The greatest is taken off before `exp` and put back after: cutting it off changes nothing."""


def forward(x):
    greatest = x.max().detach()
    return (x - greatest).exp().sum().log() + greatest


# $ -i '[1.0, 2.0, 0.5]' : right
