"""Functions, methods, operators and module paths, bound from the table of ops."""
