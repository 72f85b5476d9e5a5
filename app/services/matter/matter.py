"""A matter while it is open: its folder, which is only ever read, and its store."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from shlex import quote

from app.errors import AccessDenied, InputMissing
from app.paths import matter_folder, matter_key, store_root
from app.settings import Settings
from app.store.matter_store import DATABASE_FILE, MatterStore, not_read_yet
from app.store.members import member_fingerprint
from app.store.remembering import recall
from app.store.sealed import NONE_GIVEN, ClosedVault, Passphrases, is_sealed, recover, vault_of
from app.store.vault import Vault
from app.store.views import MatterSources, PageCache, PageLooks
from verify.domain.document import SourceRecord
from verify.domain.ids import SourceId


@dataclass(frozen=True, slots=True)
class Matter:
    """One thread's. ``pages`` is shared by all requests of this opening; hashes of files are not."""

    root: Path
    settings: Settings
    store: MatterStore
    pages: PageCache

    @property
    def key(self) -> str:
        return self.store.key

    @property
    def is_closed(self) -> bool:
        """True of a sealed matter whose passphrase was not given: nothing of it can be read."""
        return isinstance(self.store.vault, ClosedVault)

    def sources(self) -> tuple[SourceRecord, ...]:
        return self.store.registry.records()

    def source(self, source_id: SourceId) -> SourceRecord:
        """Raises InputMissing for an id of no source of this matter."""
        record = self.store.registry.record(source_id)
        if record is None:
            raise InputMissing(f"no document has the id {source_id}; run: pincite sources {quote(str(self.root))}")
        return record

    def outside_classes(self) -> "Matter":
        """As those see it who gave the matter's passphrase alone; itself where no access class was opened."""
        store = self.store.outside_classes()
        return self if store is self.store else replace(self, store=store, pages=PageCache(store.registry))

    def view(self, looks: PageLooks | None = None) -> MatterSources:
        """A fresh view for one request: every file that it needs is hashed again. Without ``looks`` nothing in it is
        compared with what its pages show: for a verdict take ``services.evidence.looking.view``."""
        return MatterSources(self.root, self.store.registry, self.store.vault, member_fingerprint, self.pages, looks)


@contextmanager
def open_matter(
    root: Path,
    settings: Settings,
    store_dir: Path | None = None,
    *,
    writable: bool = False,
    make: bool = True,
    passphrases: Passphrases = NONE_GIVEN,
) -> Iterator[Matter]:
    """``writable`` takes the writer lock, which one process holds at a time (its threads share it, each with a Matter
    of its own), and makes the store when there is none, unless ``make`` is False.

    Raises InputMissing if the folder is not there, or was never read and no store may be made; AccessDenied for a
    wrong passphrase; StoreFault for the store's faults. A sealed matter without its passphrase, given or in the
    keyring, opens, but nothing in it can be read.
    """
    if not root.is_dir():
        raise InputMissing(f"there is no folder {root}")
    folder = matter_folder(store_root(store_dir), root)
    recover(folder)
    if not make and not (folder / DATABASE_FILE).is_file():
        raise not_read_yet(root)
    store = MatterStore(store_root(store_dir), root, _vault(folder, matter_key(root), passphrases), writable=writable)
    try:
        yield Matter(root.absolute(), settings, store, PageCache(store.registry))
    finally:
        store.close()


def _vault(folder: Path, key: str, given: Passphrases) -> Vault:
    """With what the machine's keyring has where nothing was given; a passphrase that is no longer right is as none."""
    if given.matter is None and is_sealed(folder) and (remembered := recall(key)) is not None:
        with suppress(AccessDenied):
            vault_of(folder, Passphrases(remembered))
            given = Passphrases(remembered, given.classes)
    return vault_of(folder, given)


def matter_size(root: Path, store_dir: Path | None = None) -> int:
    """Bytes on disk of everything derived from the matter."""
    folder = matter_folder(store_root(store_dir), root)
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
