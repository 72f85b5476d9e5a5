"""From a passphrase to a key."""

import hashlib
from collections.abc import Mapping
from typing import Any

KEY_BYTES = 32
SALT_BYTES = 16
NONCE_BYTES = 12  # what AES-GCM is specified for (NIST SP 800-38D, section 8.2)
SCRYPT = {"n": 2**17, "r": 8, "p": 1}  # 128 MiB a guess: the least that OWASP's password storage sheet names
_MOST_MEMORY = 160 * 1024 * 1024


def stretch(passphrase: str, salt: bytes, cost: Mapping[str, Any]) -> bytes:
    """scrypt (RFC 7914). Raises ValueError for a cost that would take more than 160 MiB."""
    return hashlib.scrypt(
        passphrase.encode(), salt=salt, n=cost["n"], r=cost["r"], p=cost["p"], maxmem=_MOST_MEMORY, dklen=KEY_BYTES
    )
