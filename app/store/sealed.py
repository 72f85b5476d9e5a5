"""A matter under a passphrase: AES-256-GCM with a key of its own, which scrypt of the passphrase unlocks.

The data key is random and wrapped, so a passphrase can change without sealing everything again. An access class has a
key of its own, wrapped by its own passphrase: without it the class's documents are unknown to search and display.
"""

import json
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.errors import AccessDenied, InputMissing, StoreFault
from app.paths import write_private
from app.store.passphrase import KEY_BYTES, NONCE_BYTES, SALT_BYTES, SCRYPT, stretch
from app.store.vault import IdentityVault

SEAL_FILE = "seal.json"
SEAL_SCHEMA = "pincite.seal/1"
NEW_SUFFIX, OLD_SUFFIX = ".resealing", ".replaced"
"""Beside a store's folder while it is sealed or unsealed: what it becomes, and what it was."""


@dataclass(frozen=True, slots=True)
class Passphrases:
    """What a person gave for this opening; held in memory only and never shown."""

    matter: str | None = field(default=None, repr=False)
    classes: Mapping[str, str] = field(default_factory=dict, repr=False)


NONE_GIVEN = Passphrases()


class SealedVault:
    """Binds each piece to its place: bytes that were altered, or moved to another row, do not open."""

    scheme = "aes-256-gcm"

    def __init__(self, key: bytes, locked_classes: frozenset[str]) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        self._cipher = AESGCM(key)
        self.locked_classes = locked_classes

    def seal(self, data: bytes, context: str) -> bytes:
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, data, context.encode())

    def open(self, data: bytes, context: str) -> bytes:
        from cryptography.exceptions import InvalidTag

        try:
            return self._cipher.decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], context.encode())
        except (InvalidTag, ValueError) as error:
            raise StoreFault(
                "a sealed part of the store was altered or moved; run: pincite forget, then index"
            ) from error

    def may_read(self, access_class: str | None) -> bool:
        return access_class not in self.locked_classes


class ClosedVault:
    """A sealed matter whose passphrase was not given."""

    scheme = SealedVault.scheme

    def seal(self, data: bytes, context: str) -> bytes:
        raise _closed()

    def open(self, data: bytes, context: str) -> bytes:
        raise _closed()

    def may_read(self, access_class: str | None) -> bool:
        return False


def _closed() -> AccessDenied:
    return AccessDenied("this matter is sealed; give its passphrase (--passphrase-file F)")


def is_sealed(folder: Path) -> bool:
    return (folder / SEAL_FILE).is_file()


def vault_of(folder: Path, given: Passphrases) -> IdentityVault | SealedVault | ClosedVault:
    """The vault of the store in ``folder``. Raises AccessDenied for a wrong passphrase, StoreFault for a bad file."""
    if not is_sealed(folder):
        return IdentityVault()
    if given.matter is None:
        return ClosedVault()
    try:
        seal: dict[str, Any] = json.loads((folder / SEAL_FILE).read_bytes())
        classes: dict[str, Any] = seal["classes"]
        key = _unwrap(seal["matter"], given.matter, "matter")
        for name, passphrase in given.classes.items():
            if name in classes:
                _unwrap(classes[name], passphrase, f"class:{name}")
    except (KeyError, ValueError, TypeError) as error:
        raise StoreFault("the seal of this matter is damaged; restore it from a backup of the store") from error
    return SealedVault(key, frozenset(classes) - frozenset(given.classes))


def make_seal(folder: Path, given: Passphrases) -> SealedVault:
    """Writes the seal of a new store. Raises InputMissing without a passphrase."""
    if not given.matter:
        raise InputMissing("a matter is sealed with a passphrase; give one (--passphrase-file F)")
    key = secrets.token_bytes(KEY_BYTES)
    seal = {
        "schema": SEAL_SCHEMA,
        "matter": _wrap(key, given.matter, "matter"),
        "classes": {
            name: _wrap(secrets.token_bytes(KEY_BYTES), passphrase, f"class:{name}")
            for name, passphrase in given.classes.items()
        },
    }
    write_private(folder / SEAL_FILE, json.dumps(seal, sort_keys=True).encode())
    return SealedVault(key, frozenset())


def _wrap(key: bytes, passphrase: str, context: str) -> dict[str, Any]:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt, nonce = secrets.token_bytes(SALT_BYTES), secrets.token_bytes(NONCE_BYTES)
    wrapped = AESGCM(stretch(passphrase, salt, SCRYPT)).encrypt(nonce, key, context.encode())
    return {"kdf": "scrypt", **SCRYPT, "salt": salt.hex(), "nonce": nonce.hex(), "key": wrapped.hex()}


def _unwrap(entry: Mapping[str, Any], passphrase: str, context: str) -> bytes:
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    salt, nonce, wrapped = (bytes.fromhex(entry[name]) for name in ("salt", "nonce", "key"))
    try:
        return AESGCM(stretch(passphrase, salt, entry)).decrypt(nonce, wrapped, context.encode())
    except InvalidTag as error:
        raise AccessDenied("that passphrase does not open this matter; nothing was read") from error


def recover(folder: Path) -> None:
    """Ends what an interrupted sealing began. Called before a store is opened; raises StoreFault.

    The old store is moved away only once the new one is whole, so a new one without an old in its place is whole.
    """
    new, old = folder.with_name(folder.name + NEW_SUFFIX), folder.with_name(folder.name + OLD_SUFFIX)
    try:
        if not folder.exists() and old.exists():
            (new if new.exists() else old).rename(folder)
        if old.exists():
            shutil.rmtree(old)
    except OSError as error:
        raise StoreFault(f"an interrupted sealing cannot be ended ({error.strerror}); run the command again") from error
