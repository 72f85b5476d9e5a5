"""A matter under a passphrase: AES-256-GCM with a key of its own, which scrypt of the passphrase unlocks.

The data key is random and wrapped, so a passphrase can change without sealing everything again. An access class has a
key of its own, wrapped by its own passphrase: without it the class's documents are unknown to search and display.
"""

import hashlib
import json
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.errors import AccessDenied, StoreFault
from app.paths import write_private
from app.store.passphrase import KEY_BYTES, NONCE_BYTES, SALT_BYTES, SCRYPT, stretch
from app.store.vault import Classes, Damaged, IdentityVault

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

SEAL_FILE = "seal.json"
SEAL_SCHEMA = "pincite.seal/1"
MARK_BYTES = 8
CLASS_CLOSED = "this lies in an access class that was not opened; give its passphrase (--class-passphrase CLASS=F)"
NEW_SUFFIX, OLD_SUFFIX = ".resealing", ".replaced"
"""Beside a store's folder while it is sealed or unsealed: what it becomes, and what it was."""


@dataclass(frozen=True, slots=True)
class Passphrases:
    """What a person gave for this opening; held in memory only and never shown."""

    matter: str | None = field(default=None, repr=False)
    classes: Mapping[str, str] = field(default_factory=dict, repr=False)


NONE_GIVEN = Passphrases()


class SealedVault:
    """Binds each piece to its place: bytes that were altered, or moved to another row, do not open.

    A piece is: how many access classes it lies under, their 8-byte marks, nonce, ciphertext. Under none its key is the
    matter's; else one derived from the matter's and all of theirs, so that it takes every passphrase.
    """

    scheme = "aes-256-gcm"

    def __init__(self, key: bytes, class_keys: Mapping[str, bytes], locked_classes: frozenset[str]) -> None:
        self._key, self._class_keys, self.locked_classes = key, dict(class_keys), locked_classes
        self._names = {_mark(name): name for name in (*class_keys, *locked_classes)}
        self._ciphers: dict[Classes, AESGCM] = {}

    @property
    def has_classes(self) -> bool:
        return bool(self._names)

    @property
    def open_classes(self) -> Classes:
        return tuple(sorted(self._class_keys))

    def seal(self, data: bytes, context: str, classes: Classes = ()) -> bytes:
        head = bytes([len(classes)]) + b"".join(map(_mark, classes))
        nonce = secrets.token_bytes(NONCE_BYTES)
        return head + nonce + self._cipher(classes).encrypt(nonce, data, head + context.encode())

    def open(self, data: bytes, context: str) -> bytes:
        from cryptography.exceptions import InvalidTag

        classes = self.classes_of(data)
        size = _head_size(data)
        head, nonce, sealed = data[:size], data[size : size + NONCE_BYTES], data[size + NONCE_BYTES :]
        try:
            return self._cipher(classes).decrypt(nonce, sealed, head + context.encode())
        except (InvalidTag, ValueError) as error:
            raise _altered() from error

    def may_read(self, access_class: str | None) -> bool:
        return class_name(access_class) not in self.locked_classes

    def guarding(self, access_class: str | None) -> Classes:
        name = class_name(access_class)
        return (name,) if name in self._names.values() else ()

    def classes_of(self, sealed: bytes) -> Classes:
        marks = [sealed[at : at + MARK_BYTES] for at in range(1, _head_size(sealed), MARK_BYTES)]
        try:
            return tuple(self._names[mark] for mark in marks)
        except KeyError as error:
            raise _altered() from error

    def opens(self, sealed: bytes) -> bool:
        return self.locked_classes.isdisjoint(self.classes_of(sealed))

    def outside_classes(self) -> "SealedVault":
        """What the matter's passphrase alone opens."""
        return SealedVault(self._key, {}, self.locked_classes | self._class_keys.keys())

    def _cipher(self, classes: Classes) -> "AESGCM":
        if classes not in self._ciphers:
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM

            self._ciphers[classes] = AESGCM(self._key_for(classes))
        return self._ciphers[classes]

    def _key_for(self, classes: Classes) -> bytes:
        from cryptography.hazmat.primitives.hashes import SHA256
        from cryptography.hazmat.primitives.kdf.hkdf import HKDF

        if not classes:
            return self._key
        if not self._class_keys.keys() >= set(classes):
            raise AccessDenied(CLASS_CLOSED)
        secret = b"".join((self._key, *(self._class_keys[name] for name in classes)))
        return HKDF(SHA256(), KEY_BYTES, salt=None, info=b"pincite access classes").derive(secret)


def class_name(access_class: str | None) -> str:
    """A class as people write it is the same with other capitals or blanks around it."""
    return (access_class or "").strip().casefold()


def _mark(name: str) -> bytes:
    return hashlib.sha256(name.encode()).digest()[:MARK_BYTES]


def _head_size(sealed: bytes) -> int:
    size = 1 + MARK_BYTES * sealed[0] if sealed else 0
    if not sealed or len(sealed) < size:
        raise _altered()
    return size


def _altered() -> Damaged:
    return Damaged("a sealed part of the store was altered or moved; run: pincite forget, then index")


class ClosedVault:
    """A sealed matter whose passphrase was not given."""

    scheme = SealedVault.scheme
    has_classes = False
    open_classes: Classes = ()

    def seal(self, data: bytes, context: str, classes: Classes = ()) -> bytes:
        raise _closed()

    def open(self, data: bytes, context: str) -> bytes:
        raise _closed()

    def may_read(self, access_class: str | None) -> bool:
        return False

    def guarding(self, access_class: str | None) -> Classes:
        return ()

    def classes_of(self, sealed: bytes) -> Classes:
        raise _closed()

    def opens(self, sealed: bytes) -> bool:
        raise _closed()


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
        given_classes = {class_name(name): passphrase for name, passphrase in given.classes.items()}
        opened = {
            name: _unwrap(classes[name], passphrase, f"class:{name}")
            for name, passphrase in given_classes.items()
            if name in classes
        }
    except (KeyError, ValueError, TypeError) as error:
        raise StoreFault("the seal of this matter is damaged; restore it from a backup of the store") from error
    return SealedVault(key, opened, frozenset(classes) - frozenset(opened))


def no_passphrase() -> AccessDenied:
    return AccessDenied("a matter is sealed with a passphrase, and none was given; give one (--passphrase-file F)")


def make_seal(folder: Path, given: Passphrases) -> SealedVault:
    """Writes the seal of a new store. Raises AccessDenied without a passphrase."""
    if not given.matter:
        raise no_passphrase()
    key = secrets.token_bytes(KEY_BYTES)
    passphrases = {class_name(name): passphrase for name, passphrase in given.classes.items()}
    class_keys = {name: secrets.token_bytes(KEY_BYTES) for name in passphrases}
    seal = {
        "schema": SEAL_SCHEMA,
        "matter": _wrap(key, given.matter, "matter"),
        "classes": {n: _wrap(class_key, passphrases[n], f"class:{n}") for n, class_key in class_keys.items()},
    }
    write_private(folder / SEAL_FILE, json.dumps(seal, sort_keys=True).encode())
    return SealedVault(key, class_keys, frozenset())


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
