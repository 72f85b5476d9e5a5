"""Deletes everything derived from a matter. The matter's own folder is not touched."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import InputMissing, StoreFault
from app.paths import matter_folder, matter_key, store_root
from app.store.lock import WriterLock
from app.store.matter_store import LOCK_FILE


@dataclass(frozen=True, slots=True)
class ForgetResult:
    """What was deleted, and ``remaining``: names found under the matter's key afterwards, which must be none."""

    matter: str
    files: int
    bytes: int
    remaining: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": "pincite.forget/1",
            "matter": self.matter,
            "deleted": {"files": self.files, "bytes": self.bytes},
            "remaining": list(self.remaining),
        }


def forget(root: Path, store_dir: Path | None = None) -> ForgetResult:
    """Works for a matter whose folder is gone as well. Raises InputMissing if nothing is kept of it, StoreFault if
    another process writes it or a file cannot be deleted."""
    folder = matter_folder(store_root(store_dir), root)
    if not folder.is_dir():
        raise InputMissing(f"nothing is kept of {root}")
    lock = WriterLock(folder / LOCK_FILE)
    lock.acquire()
    try:
        files = [path for path in folder.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
        doomed = folder.with_name(f"{folder.name}.forgotten.{os.getpid()}")
        folder.rename(doomed)  # at once unknown to every reader, even if the deletion below is interrupted
        shutil.rmtree(doomed)
    except OSError as error:
        raise StoreFault(f"the store cannot be deleted ({error.strerror})") from error
    finally:
        lock.release()
    return ForgetResult(matter_key(root), len(files), size, remains(root, store_dir))


def remains(root: Path, store_dir: Path | None = None) -> tuple[str, ...]:
    """Every file below the stores' folder that bears the matter's key."""
    base = store_root(store_dir)
    key = matter_key(root)
    return tuple(sorted(str(path.relative_to(base)) for path in base.glob(f"{key}*") if path.exists()))
