"""`torch.nn.parameter`; its classes stand beside `Tensor`: who asks for their types need not load all of nn."""

from dyncore.parameter import Buffer as Buffer
from dyncore.parameter import Parameter as Parameter
from dyncore.parameter import UninitializedBuffer as UninitializedBuffer
from dyncore.parameter import UninitializedParameter as UninitializedParameter
