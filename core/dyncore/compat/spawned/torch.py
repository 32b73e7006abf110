"""`import torch` in a spawned process, which has its parent's `sys.path` and nothing else of it."""

import sys

import dyncore
from dyncore.errors.torch_names import rename_classes

sys.modules["torch"] = dyncore
rename_classes()
