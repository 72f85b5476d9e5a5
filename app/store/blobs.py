"""Derived bytes as private files, sealed where the matter is, for ``ingest.ports.Blobs`` and an index."""

import hashlib
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from app.errors import PinciteError, StoreFault, unwritable_store
from app.paths import private_folder, write_private
from app.store.database import store_gone
from app.store.vault import LONGEST_HEAD, Classes, Damaged, Vault
from ingest.ports import BlobKind
from verify.domain.ids import Fingerprint

_DIGEST_BYTES = 32
"""Before each blob's bytes stands their SHA-256."""


class StoreBlobs:
    """``classes_of`` tells under which access classes what is derived from a source's bytes belongs."""

    def __init__(self, folder: Path, vault: Vault, classes_of: Callable[[Fingerprint], Classes]) -> None:
        self._folder, self._vault, self._classes_of = folder, vault, classes_of

    def get(self, kind: BlobKind, key: str) -> bytes | None:
        """None as well for bytes that were damaged: all of it can be derived again. Raises AccessDenied, StoreFault."""
        path = self._path(kind, key)
        data = _read(path)
        return None if data is None else self._whole(data, _context(kind, path))

    def _whole(self, data: bytes, context: str) -> bytes | None:
        try:
            opened = self._vault.open(data, context)
        except Damaged:
            return None
        digest, body = opened[:_DIGEST_BYTES], opened[_DIGEST_BYTES:]
        return body if hashlib.sha256(body).digest() == digest else None

    def put(self, kind: BlobKind, key: str, data: bytes, of: Fingerprint | None = None) -> None:
        path = self._path(kind, key)
        classes = () if of is None else self._classes_of(of)
        body = hashlib.sha256(data).digest() + data
        self._write(path, self._vault.seal(body, _context(kind, path), classes))

    def _path(self, kind: BlobKind, key: str) -> Path:
        name = blob_name(key)
        return self._folder / kind.value / name[:2] / name

    def settle(self, kind: BlobKind, wanted: Mapping[str, Classes]) -> None:
        """Brings each blob that opens under the classes that ``wanted`` has for its name; deletes what has no name
        there, as nothing current needs it, and what was damaged. Raises StoreFault, OSError."""
        for path in sorted((self._folder / kind.value).glob("*/*")):
            try:
                self._settle_one(kind, path, wanted.get(path.name))
            except Damaged:
                path.unlink(missing_ok=True)

    def _settle_one(self, kind: BlobKind, path: Path, classes: Classes | None) -> None:
        head = _head(path)
        if not self._vault.opens(head):
            return
        if classes is None:
            path.unlink(missing_ok=True)
        elif self._vault.classes_of(head) != classes:
            data = self._vault.open(path.read_bytes(), _context(kind, path))
            self._write(path, self._vault.seal(data, _context(kind, path), classes))

    def _write(self, path: Path, sealed: bytes) -> None:
        _write(self._folder.parent, path, sealed)


def blob_name(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(LONGEST_HEAD)


def _context(kind: BlobKind, path: Path) -> str:
    """By the file's name, which is the hash of its key, so that a file can be resealed without knowing the key."""
    return f"{kind.value}:{path.name}"


class StoreIndexFiles:
    """What an index can be made from anew: bytes that do not open are as good as none.

    A reader who opened access classes has an index of their own, in a folder and under keys of those classes. What it
    does not hold yet is taken from the one that the matter's passphrase opens, and brought up to date from there.
    """

    def __init__(self, folder: Path, vault: Vault) -> None:
        self._common, self._vault = folder, vault
        view = vault.open_classes
        self._folder = folder / blob_name("/".join(view))[:16] if view else folder

    def read(self, name: str) -> bytes | None:
        data = _read(self._folder / name)
        if data is None:
            data = _read(self._common / name)
        try:
            return None if data is None else self._vault.open(data, f"index:{name}")
        except PinciteError:
            return None

    def write(self, name: str, data: bytes) -> None:
        sealed = self._vault.seal(data, f"index:{name}", self._vault.open_classes)
        _write(self._common.parent, self._folder / name, sealed)

    def names(self) -> tuple[str, ...]:
        """Of this reader's own files."""
        return tuple(sorted(path.name for path in self._folder.glob("*") if path.is_file()))

    def remove(self, name: str) -> None:
        (self._folder / name).unlink(missing_ok=True)

    def drop_views(self) -> None:
        """Deletes the indexes of those who opened access classes; they are made again from the common one."""
        for folder in self._common.glob("*/"):
            shutil.rmtree(folder)


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreFault(f"the store cannot be read ({error.strerror})") from error


def _write(store: Path, path: Path, data: bytes) -> None:
    """A store that was taken away is not begun anew in its place."""
    if not store.is_dir():
        raise store_gone(store)
    try:
        private_folder(path.parent)
        write_private(path, data)
    except OSError as error:
        raise unwritable_store(error) from error
