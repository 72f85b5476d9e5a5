"""What lies in a matter folder: its regular files in a fixed order, and whether each is still what it was.

The folder is only ever read. A symbolic link is not followed, wherever it points, and nothing but regular files is
opened, so that a pipe or a device cannot hang the walk.
"""

import hashlib
import os
import stat
import unicodedata
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ingest.ports import FileStamp
from verify.domain.ids import Fingerprint

_CLUTTER_NAMES = frozenset({".ds_store", "thumbs.db", "desktop.ini", ".directory"})
_CLUTTER_STARTS = ("~$", "._", ".~lock.")
_CLUTTER_FOLDERS = frozenset({"__macosx", ".git", ".svn", "$recycle.bin", ".trash", ".spotlight-v100", ".fseventsd"})
_BLOCK = 4 << 20
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class FoundFile:
    """``path`` is relative to the matter, POSIX, NFC; ``on_disk`` is the name as the file system has it.

    ``error`` says in words why the file could not be looked at; then size and time are 0.
    """

    path: str
    on_disk: Path
    size: int
    mtime_ns: int
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """``files`` sorted by path. ``skipped`` counts links, devices and pipes; litter of the system is passed over."""

    files: tuple[FoundFile, ...]
    skipped: int


def walk(root: Path) -> Generator[int, None, Listing]:
    """Yields the count of files so far now and then. Raises OSError if the folder itself cannot be read."""
    files: list[FoundFile] = []
    skipped = 0
    pending = [(root, "")]
    while pending:
        folder, prefix = pending.pop()
        entries = _entries(folder, files, prefix)
        for entry in entries:
            path = prefix + unicodedata.normalize("NFC", os.fsencode(entry.name).decode("utf-8", "replace"))
            if entry.is_symlink():
                skipped += 1
            elif _is_clutter(entry):
                continue
            elif entry.is_dir(follow_symlinks=False):
                pending.append((Path(entry.path), path + "/"))
            else:
                found = _look(entry, path)
                files += [found] if found else []
                skipped += found is None
        yield len(files)
    return Listing(tuple(_told_apart(sorted(files, key=_in_order))), skipped)


def _entries(folder: Path, files: list[FoundFile], prefix: str) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError as error:
        if not prefix:
            raise
        files.append(FoundFile(prefix.rstrip("/"), folder, 0, 0, f"the folder cannot be opened ({error.strerror})"))
        return []


def _is_clutter(entry: "os.DirEntry[str]") -> bool:
    name = entry.name.lower()
    if entry.is_dir(follow_symlinks=False):
        return name in _CLUTTER_FOLDERS
    return name in _CLUTTER_NAMES or name.startswith(_CLUTTER_STARTS)


def _look(entry: "os.DirEntry[str]", path: str) -> FoundFile | None:
    try:
        status = entry.stat(follow_symlinks=False)
    except OSError as error:
        return FoundFile(path, Path(entry.path), 0, 0, f"the file cannot be opened ({error.strerror})")
    if not stat.S_ISREG(status.st_mode):
        return None
    return FoundFile(path, Path(entry.path), status.st_size, status.st_mtime_ns)


def _in_order(file: FoundFile) -> tuple[str, bool, bytes]:
    """By path; of names that differ in normal form only, the one in NFC first."""
    name = file.on_disk.name
    return file.path, name != unicodedata.normalize("NFC", name), os.fsencode(name)


def _told_apart(files: list[FoundFile]) -> Iterator[FoundFile]:
    """Two names that differ on disk but not in NFC get a number, so that neither hides the other."""
    seen: dict[str, int] = {}
    for file in files:
        count = seen[file.path] = seen.get(file.path, 0) + 1
        yield file if count == 1 else FoundFile(f"{file.path}#{count}", file.on_disk, file.size, file.mtime_ns)


def locate(root: Path, path: str) -> Path | None:
    """The file on disk that a relative NFC path names, whatever normalisation its file system uses; None if gone.

    Never leaves the matter and never follows a link.
    """
    folder = root
    for part in path.split("/"):
        if part in ("", ".", ".."):
            return None
        direct = folder / part
        found = direct if direct.exists() else _by_normal_form(folder, part)
        if found is None or found.is_symlink():
            return None
        folder = found
    return folder if folder.is_file() else None


def _by_normal_form(folder: Path, part: str) -> Path | None:
    try:
        with os.scandir(folder) as entries:
            names = sorted(e.name for e in entries)
    except OSError:
        return None
    base, mark, number = part.rpartition("#")
    alike = sorted((n for n in names if unicodedata.normalize("NFC", n) == part), key=os.fsencode)
    if alike:
        return folder / alike[0]
    same = (n for n in names if mark and unicodedata.normalize("NFC", n) == base)
    twins = sorted(same, key=lambda n: (n != base, os.fsencode(n)))
    return folder / twins[int(number) - 1] if number.isdecimal() and 2 <= int(number) <= len(twins) else None


def open_regular(path: Path) -> int:
    """A read-only descriptor of a regular file. Raises OSError for a link, a device or a pipe."""
    handle = os.open(path, os.O_RDONLY | _NO_FOLLOW)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError("not a regular file")
    return handle


def hash_file(path: Path) -> Generator[int, None, Fingerprint]:
    """Yields the bytes hashed so far after each block, so that a large file can be cancelled. Raises OSError."""
    digest = hashlib.sha256()
    done = 0
    with os.fdopen(open_regular(path), "rb") as handle:
        while block := handle.read(_BLOCK):
            digest.update(block)
            done += len(block)
            if len(block) == _BLOCK:
                yield done
    return Fingerprint("sha256:" + digest.hexdigest())


def unchanged(file: FoundFile, stamps: Mapping[str, FileStamp]) -> Fingerprint | None:
    """The fingerprint kept for a file whose size and time are the same, else None."""
    stamp = stamps.get(file.path)
    if stamp is None or (stamp.size, stamp.mtime_ns) != (file.size, file.mtime_ns):
        return None
    return stamp.fingerprint


def still_as_hashed(file: FoundFile) -> bool:
    """False if the file was written or replaced since it was listed, so that its pages may be of other bytes."""
    try:
        status = file.on_disk.lstat()
    except OSError:
        return False
    return (status.st_size, status.st_mtime_ns) == (file.size, file.mtime_ns) and stat.S_ISREG(status.st_mode)
