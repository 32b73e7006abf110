"""BLAKE2, by which sites, sources and paths are named."""

# `hashlib` loads OpenSSL, 4 ms of every start, to offer the same function.
try:
    from _blake2 import blake2b as blake2b
except ImportError:
    from hashlib import blake2b as blake2b
