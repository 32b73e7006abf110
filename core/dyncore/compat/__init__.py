"""The rest of PyTorch's public modules: `compat/x.py` is `dyncore.x`."""
