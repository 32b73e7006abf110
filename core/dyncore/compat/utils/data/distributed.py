"""`torch.utils.data.distributed`: PyTorch's name for the file of one sampler."""

from .sampler import DistributedSampler as DistributedSampler
