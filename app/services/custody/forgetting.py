"""Deletes everything derived from a matter, and proves it. The matter's own folder is not touched."""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import InputMissing, StoreFault
from app.paths import log_folder, matter_key, settings_file, store_root
from app.store.lock import WriterLock
from app.store.matter_store import DATABASE_FILE, LOCK_FILE, MatterStore
from app.store.remembering import drop
from app.viewmodels.remembered import load_remembered, save_remembered, window_file

_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Proof:
    """What was looked for afterwards and where: ``query`` is what opening the matter says now; the matter's key, its
    path and the ids of its answers were looked for in every byte of ``files`` files (``bytes``), and found in
    ``found``, which must be none."""

    query: str
    files: int
    bytes: int
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ForgetResult:
    """What was deleted (``reports``: crash reports that named the matter), and ``remaining``: names found under the
    matter's key afterwards, and files that still name it, which must be none."""

    matter: str
    files: int
    bytes: int
    reports: int
    passphrase: bool
    proof: Proof
    remaining: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": "pincite.forget/1",
            "matter": self.matter,
            "deleted": {
                "files": self.files, "bytes": self.bytes, "reports": self.reports,
                "remembered_passphrase": self.passphrase,
            },
            "proof": {
                "query": self.proof.query,
                "searched": {"files": self.proof.files, "bytes": self.proof.bytes},
                "found": list(self.proof.found),
            },
            "remaining": list(self.remaining),
        }  # fmt: skip


def forget(root: Path, store_dir: Path | None = None, chroma_url: str | None = None) -> ForgetResult:
    """Works for a matter whose folder is gone, for a sealed and for a damaged store as well. Vectors on a Chroma server
    are deleted there too. Raises InputMissing if nothing is kept of it, StoreFault if another process writes it or
    something cannot be deleted."""
    base, key = store_root(store_dir), matter_key(root)
    if not remains(root, store_dir) and chroma_url is None:
        raise InputMissing(f"nothing is kept of {root}")
    traces = _traces(root, base / key)
    files, size = _delete(base, key)
    reports = _delete_reports(traces)
    dropped = drop(key)
    _leave_recent(root)
    proof = _prove(root, base, traces)
    remaining = (*remains(root, store_dir), *proof.found, *_on_server(key, chroma_url))
    return ForgetResult(key, files, size, reports, dropped, proof, remaining)


def _on_server(key: str, chroma_url: str | None) -> tuple[str, ...]:
    from app.bootstrap import forget_on_server

    if chroma_url is None or forget_on_server(key, chroma_url):
        return ()
    return (f"vectors on {chroma_url}, which does not answer; forget again when it does",)


def remains(root: Path, store_dir: Path | None = None) -> tuple[str, ...]:
    """Everything directly below the stores' folder that bears the matter's key, also what an interrupted sealing or
    forgetting left beside the store."""
    base = store_root(store_dir)
    return tuple(sorted(str(path.relative_to(base)) for path in base.glob(f"{matter_key(root)}*")))


def _traces(root: Path, folder: Path) -> tuple[bytes, ...]:
    """Byte strings that name this matter and no other. Its documents' words and hashes may be another matter's too."""
    paths = {os.path.realpath(root), str(root.absolute())}
    found = [matter_key(root), *paths, *(json.dumps(path).strip('"') for path in paths)]
    with suppress(sqlite3.Error, OSError), closing(_read_only(folder / DATABASE_FILE)) as database:
        found += [row[0] for row in database.execute("SELECT answer_id FROM answers")]
    return tuple(dict.fromkeys(os.fsencode(trace) for trace in found))


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _delete(base: Path, key: str) -> tuple[int, int]:
    """Renamed first, so that it is at once unknown to every reader, even if the deletion is interrupted."""
    folder = base / key
    lock = WriterLock(folder / LOCK_FILE)
    if folder.is_dir():
        lock.acquire()
    try:
        if folder.is_dir():
            folder.rename(folder.with_name(f"{key}.forgotten.{os.getpid()}"))
        doomed = sorted(base.glob(f"{key}*"))
        sizes = [path.stat().st_size for part in doomed for path in part.rglob("*") if path.is_file()]
        for part in doomed:
            shutil.rmtree(part)
    except OSError as error:
        raise StoreFault(f"the store cannot be deleted ({error.strerror}); run the command again") from error
    finally:
        lock.release()
    return len(sizes), sum(sizes)


def _delete_reports(traces: tuple[bytes, ...]) -> int:
    """Reports and logs hold no path and no text by rule; one that names the matter all the same goes with it."""
    named = [path for path in _files(log_folder()) if _holds(path, traces)]
    for path in named:
        path.unlink(missing_ok=True)
    return len(named)


def _leave_recent(root: Path) -> None:
    """The window lists the matters that were open last."""
    kept = load_remembered()
    paths = [path for path in kept.recent if matter_key(Path(path)) == matter_key(root)]
    for path in paths:
        kept = kept.without_matter(Path(path))
    try:
        if paths:
            save_remembered(kept)
    except OSError as error:
        raise StoreFault(f"the list of recent matters cannot be written ({error.strerror})") from error


def _prove(root: Path, base: Path, traces: tuple[bytes, ...]) -> Proof:
    searched = [path for place in (base, log_folder(), settings_file(), window_file()) for path in _files(place)]
    size = sum(path.stat().st_size for path in searched)
    found = tuple(str(path) for path in searched if _holds(path, traces))
    return Proof(_query(root, base), len(searched), size, found)


def _query(root: Path, base: Path) -> str:
    try:
        MatterStore(base, root, writable=False).close()
    except InputMissing as error:
        return error.code.value
    return "it opens"


def _files(place: Path) -> Iterator[Path]:
    if place.is_file():
        yield place
    yield from (path for path in place.rglob("*") if path.is_file())


def _holds(path: Path, traces: tuple[bytes, ...]) -> bool:
    """Read in pieces that overlap by the longest trace."""
    overlap = max(map(len, traces)) - 1
    before = b""
    try:
        with path.open("rb") as file:
            while piece := file.read(_CHUNK):
                window = before + piece
                if any(trace in window for trace in traces):
                    return True
                before = window[-overlap:]
    except OSError:
        return False
    return False
