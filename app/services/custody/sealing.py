"""Puts a matter's derived data under a passphrase, or takes it off: a whole new store beside the old, then a swap.

Killed at any moment, one of the two stores is whole and the next opening finds it; nothing is half sealed.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from pathlib import Path
from shlex import quote

from app.errors import AccessDenied, InputMissing, StoreFault, Usage
from app.paths import PART_SUFFIX, PRIVATE_FILE, matter_folder, matter_key, private_folder, store_root, write_private
from app.services.matter.matter import open_matter
from app.services.matter.settling import settle
from app.settings import Settings
from app.store.lock import WriterLock
from app.store.matter_store import AUDIT_FILE, BLOB_FOLDER, DATABASE_FILE, INDEX_FOLDER, LOCK_FILE
from app.store.registry import UNSETTLED
from app.store.remembering import drop, remember
from app.store.sealed import (
    NEW_SUFFIX,
    OLD_SUFFIX,
    Passphrases,
    SealedVault,
    is_sealed,
    make_seal,
    no_passphrase,
    recover,
    vault_of,
)
from app.store.settling import COLUMNS
from app.store.vault import Damaged, IdentityVault, Vault
from verify.domain.progress import Progress


def seal(
    root: Path, given: Passphrases, settings: Settings, store_dir: Path | None = None
) -> Generator[Progress, None, None]:
    """Raises Usage if the matter is sealed already, AccessDenied without a passphrase, InputMissing without a store,
    StoreFault."""
    folder = _folder(root, store_dir)
    if is_sealed(folder):
        raise Usage("this matter is sealed already; unseal it first to change its passphrase")
    if not given.matter:
        raise no_passphrase()
    yield from _remake(folder, IdentityVault(), lambda new: make_seal(new, given))
    with open_matter(root, settings, store_dir, writable=True, passphrases=given) as matter:
        settle(matter)  # what was tagged with one of the classes before


def unseal(root: Path, given: Passphrases, store_dir: Path | None = None) -> Generator[Progress, None, None]:
    """Raises Usage if the matter is not sealed, AccessDenied without its passphrase or that of a class in it."""
    folder = _folder(root, store_dir)
    if not is_sealed(folder):
        raise Usage("this matter is not sealed")
    vault = vault_of(folder, given)
    if not isinstance(vault, SealedVault):
        raise AccessDenied(
            "a matter is unsealed with its passphrase, and none was given; give it (--passphrase-file F)"
        )
    if vault.locked_classes:
        raise AccessDenied("a class of documents in this matter has a passphrase of its own; give it as well")
    yield from _remake(folder, vault, lambda _: IdentityVault())
    drop(matter_key(root))


def remember_passphrase(root: Path, given: Passphrases, store_dir: Path | None = None) -> bool:
    """Keeps the sealed matter's passphrase, which must open it, in the machine's keyring; False where there is none.
    Those of access classes are never kept. Raises AccessDenied."""
    folder = _folder(root, store_dir)
    if given.matter is None or not isinstance(vault_of(folder, Passphrases(given.matter)), SealedVault):
        raise AccessDenied("only the passphrase of a sealed matter is remembered; give it (--passphrase-file F)")
    return remember(matter_key(root), given.matter)


def _folder(root: Path, store_dir: Path | None) -> Path:
    folder = matter_folder(store_root(store_dir), root)
    recover(folder)
    if not (folder / DATABASE_FILE).is_file():
        raise InputMissing(f"{root} was not read yet; run: pincite index {quote(str(root))}")
    return folder


def _remake(folder: Path, before: Vault, made: Callable[[Path], Vault]) -> Generator[Progress, None, None]:
    lock = WriterLock(folder / LOCK_FILE)
    lock.acquire()
    new, old = folder.with_name(folder.name + NEW_SUFFIX), folder.with_name(folder.name + OLD_SUFFIX)
    try:
        shutil.rmtree(new, ignore_errors=True)
        private_folder(new)
        after = made(new)
        _copy_database(folder / DATABASE_FILE, new / DATABASE_FILE, before, after)
        yield from _copy_files(folder, new, before, after)
        folder.rename(old)
        new.rename(folder)
        shutil.rmtree(old)
    except (OSError, sqlite3.Error) as error:
        raise StoreFault(f"the store could not be remade ({error}); it stands as it was") from error
    finally:
        lock.release()


def _copy_database(source: Path, target: Path, before: Vault, after: Vault) -> None:
    """A snapshot, resealed row by row; the last VACUUM leaves nothing of the first form in free pages."""
    os.close(os.open(target, os.O_CREAT | os.O_WRONLY, PRIVATE_FILE))
    with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as old:
        old.execute("VACUUM INTO ?", (str(target),))
    with closing(sqlite3.connect(target, isolation_level=None)) as new:
        new.execute("PRAGMA secure_delete = ON")
        new.create_function("reseal", 2, lambda body, context: after.seal(before.open(body, context), context))
        new.execute("BEGIN")
        for table, (column, context) in COLUMNS.items():
            # Names and contexts come from that constant, never from input.
            new.execute(f"UPDATE {table} SET {column} = reseal({column}, {context})")  # noqa: S608
        if after.has_classes:
            new.execute("INSERT OR REPLACE INTO meta VALUES (?, '1')", (UNSETTLED,))
        new.execute("COMMIT")
        new.execute("VACUUM")
        new.execute("PRAGMA journal_mode = WAL")


def _copy_files(folder: Path, new: Path, before: Vault, after: Vault) -> Generator[Progress, None, None]:
    """Blobs and the common index; Chroma's files are left behind, for they cannot be sealed, and the indexes of those
    who opened access classes are made again as needed."""
    if (folder / AUDIT_FILE).exists():
        write_private(new / AUDIT_FILE, (folder / AUDIT_FILE).read_bytes())
    found = (folder / BLOB_FOLDER).rglob("*"), (folder / INDEX_FOLDER).glob("*")
    files = [path for paths in found for path in sorted(paths) if path.is_file() and path.suffix != PART_SUFFIX]
    for done, path in enumerate(files):
        yield Progress("seal", done, len(files), "files")
        relative = path.relative_to(folder)
        kind, *rest = relative.parts[1:] if relative.parts[0] == BLOB_FOLDER else ("index", *relative.parts[1:])
        context = f"{kind}:{rest[-1]}"
        with suppress(Damaged):  # what was damaged is left behind: it is made again as needed
            opened = before.open(path.read_bytes(), context)
            private_folder((new / relative).parent)
            write_private(new / relative, after.seal(opened, context))
    yield Progress("seal", len(files), len(files), "files")
