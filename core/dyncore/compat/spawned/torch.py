"""`import torch` in a spawned process, which has its parent's `sys.path` and nothing else of it."""

import sys

import dyncore

sys.modules["torch"] = dyncore
