"""Dtypes, promotion, Python numbers as operands, and which dtypes an op supports."""
