"""`torch.nn`: layers, containers, losses, and the Module they all are."""

from __future__ import annotations

import sys

from dyncore.nn import functional, init, parameter
from dyncore.nn.activation import *
from dyncore.nn.containers import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential
from dyncore.nn.dropout import *
from dyncore.nn.embedding import *
from dyncore.nn.flatten import *
from dyncore.nn.linear import *
from dyncore.nn.loss import *
from dyncore.nn.module import Module
from dyncore.nn.normalization import *
from dyncore.nn.parameter import Buffer, Parameter
from dyncore.nn.recurrent_cells import GRUCell, LSTMCell, RNNCell, RNNCellBase

for _name, _module in list(sys.modules.items()):
    if _name.startswith("dyncore.nn"):
        _module.__dict__["__dyncore__"] = True
