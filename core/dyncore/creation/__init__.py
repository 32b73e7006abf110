"""Factories, random tensors, conversion, printing, copying and serialization."""
