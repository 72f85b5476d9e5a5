"""Derived bytes as private files, sealed where the matter is, for ``ingest.ports.Blobs`` and an index."""

import hashlib
from pathlib import Path

from app.errors import PinciteError, StoreFault
from app.paths import private_folder, write_private
from app.store.vault import Vault
from ingest.ports import BlobKind


class StoreBlobs:
    def __init__(self, folder: Path, vault: Vault) -> None:
        self._folder, self._vault = folder, vault

    def get(self, kind: BlobKind, key: str) -> bytes | None:
        path = self._path(kind, key)
        data = _read(path)
        return None if data is None else self._vault.open(data, _context(kind, path))

    def put(self, kind: BlobKind, key: str, data: bytes) -> None:
        path = self._path(kind, key)
        _write(path, self._vault.seal(data, _context(kind, path)))

    def _path(self, kind: BlobKind, key: str) -> Path:
        name = hashlib.sha256(key.encode()).hexdigest()
        return self._folder / kind.value / name[:2] / name


def _context(kind: BlobKind, path: Path) -> str:
    """By the file's name, which is the hash of its key, so that a file can be resealed without knowing the key."""
    return f"{kind.value}:{path.name}"


class StoreIndexFiles:
    """What an index can be made from anew: bytes that do not open are as good as none."""

    def __init__(self, folder: Path, vault: Vault) -> None:
        self._folder, self._vault = folder, vault

    def read(self, name: str) -> bytes | None:
        data = _read(self._folder / name)
        try:
            return None if data is None else self._vault.open(data, f"index:{name}")
        except PinciteError:
            return None

    def write(self, name: str, data: bytes) -> None:
        _write(self._folder / name, self._vault.seal(data, f"index:{name}"))


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreFault(f"the store cannot be read ({error.strerror})") from error


def _write(path: Path, data: bytes) -> None:
    try:
        private_folder(path.parent)
        write_private(path, data)
    except OSError as error:
        raise StoreFault(f"the store cannot be written ({error.strerror}); free some space or use --store") from error
