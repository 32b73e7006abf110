"""A captured program as one NumPy function."""
