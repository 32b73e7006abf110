"""PyTorch's messages, warnings, and the place in the user's source."""
