"""BLAKE2, by which sites, sources and paths are named, and SHA-256, by which a page names its script."""

# `hashlib` loads OpenSSL, 4 ms of every start, to offer the same functions.
try:
    from _blake2 import blake2b as blake2b
except ImportError:
    from hashlib import blake2b as blake2b


def sha256(data: bytes) -> bytes:
    """Return the digest, 32 bytes."""
    try:
        from _sha2 import sha256 as made  # type: ignore[import-not-found]
    except ImportError:  # Python 3.11 calls it otherwise
        try:
            from _sha256 import sha256 as made  # type: ignore[import-not-found]
        except ImportError:
            from hashlib import sha256 as made
    found: bytes = made(data).digest()
    return found
