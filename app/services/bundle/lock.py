"""Optional protection of a bundle: an Ed25519 signature over its manifest, and a passphrase over the whole file."""

import re
import secrets
from dataclasses import replace
from pathlib import Path

from app.errors import AccessDenied, InputMissing, InputUnreadable
from app.services.bundle.file import Manifest
from app.store.passphrase import NONCE_BYTES, SALT_BYTES, SCRYPT, stretch
from verify.domain.canonical import canonical_json

_HEX_KEY = re.compile("[0-9a-fA-F]{64}")
MAGIC = b"PINCITE-SEALED-BUNDLE-1\n"


def sign(manifest: Manifest, key_file: Path) -> Manifest:
    """``key_file``: an Ed25519 private key in PEM, without a passphrase of its own. Raises InputMissing/Unreadable."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(key_file.read_bytes(), password=None)
    except FileNotFoundError as error:
        raise InputMissing(f"there is no key file {key_file}") from error
    except (OSError, ValueError, TypeError) as error:
        raise InputUnreadable(f"{key_file} is no readable PEM key without a passphrase") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise InputUnreadable(f"{key_file} is no Ed25519 key; make one: openssl genpkey -algorithm ed25519")
    public = key.public_key().public_bytes_raw().hex()
    return replace(manifest, signature=(public, key.sign(canonical_json(manifest.unsigned())).hex()))


def public_key(named: str) -> str:
    """The public key (hex) that is given as such, or that is in a file: hex, or PEM of a public or private key. Raises
    InputMissing or InputUnreadable."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

    if _HEX_KEY.fullmatch(named):
        return named.lower()
    try:
        data = Path(named).read_bytes().strip()
    except OSError as error:
        raise InputMissing(f"{named} is neither a key of 64 hexadecimal digits nor a readable file") from error
    if _HEX_KEY.fullmatch(text := data.decode("ascii", "replace")):
        return text.lower()
    try:
        private = b"PRIVATE" in data
        key = load_pem_private_key(data, password=None) if private else load_pem_public_key(data)
    except (ValueError, TypeError) as error:
        raise InputUnreadable(f"{named} holds no key in hexadecimal digits or PEM") from error
    if isinstance(key, Ed25519PrivateKey):
        return key.public_key().public_bytes_raw().hex()
    if isinstance(key, Ed25519PublicKey):
        return key.public_bytes_raw().hex()
    raise InputUnreadable(f"{named} is no Ed25519 key")


def signature_holds(manifest: Manifest) -> bool:
    """True also for a manifest without a signature: then there is nothing that could fail."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    if manifest.signature is None:
        return True
    public, value = manifest.signature
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(value), canonical_json(manifest.unsigned()))
    except (InvalidSignature, ValueError):
        return False
    return True


def encrypt(bundle: bytes, passphrase: str) -> bytes:
    """AES-256-GCM under scrypt of the passphrase: magic line, salt, nonce, cipher text with its tag."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt, nonce = secrets.token_bytes(SALT_BYTES), secrets.token_bytes(NONCE_BYTES)
    return MAGIC + salt + nonce + AESGCM(stretch(passphrase, salt, SCRYPT)).encrypt(nonce, bundle, MAGIC)


def decrypt(data: bytes, passphrase: str | None) -> bytes:
    """What ``encrypt`` was given; data that is not encrypted comes back as it is. Raises AccessDenied."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    if not data.startswith(MAGIC):
        return data
    if passphrase is None:
        raise AccessDenied("this bundle is under a passphrase; give it (--bundle-passphrase-file F)")
    salt, rest = data[len(MAGIC) : len(MAGIC) + SALT_BYTES], data[len(MAGIC) + SALT_BYTES :]
    try:
        return AESGCM(stretch(passphrase, salt, SCRYPT)).decrypt(rest[:NONCE_BYTES], rest[NONCE_BYTES:], MAGIC)
    except (InvalidTag, ValueError) as error:
        raise AccessDenied("the passphrase does not open this bundle, or the bundle was altered") from error
