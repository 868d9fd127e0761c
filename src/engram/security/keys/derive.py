"""Makes keys of keys (HKDF) and of passphrases (Argon2id), each for one purpose."""

from engram.security.keys.credentials import KEY_BYTES

_ITERATIONS = 3
_MEMORY_KIBIBYTES = 65_536  # with three iterations about half a second of work per guess


def expanded(secret: bytes, purpose: bytes, salt: bytes | None = None) -> bytes:
    """A key for one purpose; from it nothing is learned about the secret or the other keys."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=salt, info=purpose).derive(secret)


def stretched(passphrase: str, salt: bytes) -> bytes:
    """A key made of a passphrase, slowly, so that guessing is slow too."""
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    stretch = Argon2id(
        salt=salt,
        length=KEY_BYTES,
        iterations=_ITERATIONS,
        lanes=1,
        memory_cost=_MEMORY_KIBIBYTES,
    )
    return stretch.derive(passphrase.encode())
