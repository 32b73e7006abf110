"""Draws from three streams that a seed governs."""

import random

import numpy as np

import dyncore as torch


def forward(x):
    return x * torch.rand(2) + x.sin() * random.random() * np.random.rand()


# $ -i '[1.0, 2.0]' : right
