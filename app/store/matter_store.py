"""Everything derived from one matter, in one folder of its own that is named by a hash of the matter's path."""

import copy
from pathlib import Path
from shlex import quote

from app.errors import ErrorCode, InputMissing, StoreFault
from app.paths import matter_folder, matter_key, private_folder
from app.store.answer_log import AnswerLog
from app.store.blobs import StoreBlobs, StoreIndexFiles
from app.store.database import Database
from app.store.lock import WriterLock
from app.store.passages import StorePassages
from app.store.registry import StoreRegistry
from app.store.sealed import SealedVault
from app.store.vault import IdentityVault, Vault

DATABASE_FILE = "matter.sqlite3"
LOCK_FILE = "writer.lock"
AUDIT_FILE = "audit.jsonl"
BLOB_FOLDER = "blobs"
INDEX_FOLDER = "index"
VECTOR_FOLDER = "vectors"


def not_read_yet(matter: Path) -> InputMissing:
    return InputMissing(f"{matter} was not read yet; run: pincite index {quote(str(matter))}")


class MatterStore:
    """Raises InputMissing if the matter was never read and the store may not be made, else StoreFault."""

    def __init__(self, root: Path, matter: Path, vault: Vault | None = None, *, writable: bool) -> None:
        self.key = matter_key(matter)
        self.folder = matter_folder(root, matter)
        self.writable = writable
        self._lock = WriterLock(self.folder / LOCK_FILE)
        self._make(matter)
        try:
            self.database = Database(self.folder / DATABASE_FILE, create=writable)
            self._check_owner()
        except BaseException:
            self._lock.release()
            raise
        self._read_through(vault or IdentityVault())

    def _read_through(self, vault: Vault) -> None:
        self.vault = vault
        self.registry = StoreRegistry(self.database, vault)
        self.passages = StorePassages(self.database, vault, self.registry)
        self.answers = AnswerLog(self.database, vault)
        self.blobs = StoreBlobs(self.folder / BLOB_FOLDER, vault, self.registry.classes_of_bytes)
        self.index_files = StoreIndexFiles(self.folder / INDEX_FOLDER, vault)

    def _make(self, matter: Path) -> None:
        if self.writable:
            try:
                private_folder(self.folder)
            except OSError as error:
                raise StoreFault(f"the store {self.folder} cannot be made ({error.strerror}); use --store") from error
            self._lock.acquire()
        elif not (self.folder / DATABASE_FILE).is_file():
            raise not_read_yet(matter)

    def _check_owner(self) -> None:
        """A store that was copied or renamed to another matter's name is refused: matters never mix."""
        owner = self.database.meta("matter")
        if owner is None and self.writable:
            with self.database.write():
                self.database.set_meta("matter", self.key)
        elif owner is not None and owner != self.key:
            raise StoreFault(f"the store {self.folder} belongs to another matter", ErrorCode.STORE_DAMAGED)

    def outside_classes(self) -> "MatterStore":
        """As those see it who gave the matter's passphrase alone; itself where no class was opened."""
        if not isinstance(self.vault, SealedVault) or not self.vault.open_classes:
            return self
        other = copy.copy(self)  # of the same open database; it is closed with this one
        other._read_through(self.vault.outside_classes())
        return other

    @property
    def vector_folder(self) -> Path:
        return self.folder / VECTOR_FOLDER

    @property
    def audit_path(self) -> Path:
        return self.folder / AUDIT_FILE

    def close(self) -> None:
        self.database.close()
        self._lock.release()
