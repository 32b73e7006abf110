"""Tensor, Size, device, memory layout, views and Parameter."""
