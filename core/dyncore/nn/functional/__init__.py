"""`torch.nn.functional`: layers and losses as functions."""

from dyncore.explain import missing_in
from dyncore.nn.functional.activation import *
from dyncore.nn.functional.attention import multi_head_attention_forward
from dyncore.nn.functional.classes import *
from dyncore.nn.functional.conv import *
from dyncore.nn.functional.layers import *
from dyncore.nn.functional.loss import *
from dyncore.nn.functional.pool import *
from dyncore.nn.functional.resample import *

__getattr__ = missing_in(__name__)
