"""One process at a time writes a matter's store.

The lock is the operating system's on an open file, so that it ends with its owner, kill -9 included; the owner's
process id inside the file is for the message alone. Inside one process it is shared: SQLite orders those writers.
"""

import os
import sys
import threading
from pathlib import Path

from app.errors import ErrorCode, StoreFault, unwritable_store
from app.paths import PRIVATE_FILE

_LOCK_BYTE = 1 << 30  # Windows locks bytes, not files: one far beyond the process id keeps that readable


class WriterLock:
    """Raises StoreFault (store_locked) with the owner's process id from ``acquire``."""

    _held: dict[Path, tuple[int, int]] = {}  # noqa: RUF012 (one table for the process: path → descriptor, holders)
    _guard = threading.Lock()

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mine = False

    def acquire(self) -> None:
        with WriterLock._guard:
            descriptor, holders = WriterLock._held.get(self._path, (-1, 0))
            if holders == 0:
                descriptor = _take(self._path)
            WriterLock._held[self._path] = (descriptor, holders + 1)
        self._mine = True

    def release(self) -> None:
        if not self._mine:
            return
        self._mine = False
        with WriterLock._guard:
            descriptor, holders = WriterLock._held[self._path]
            if holders > 1:
                WriterLock._held[self._path] = (descriptor, holders - 1)
            else:
                del WriterLock._held[self._path]
                os.close(descriptor)


def _take(path: Path) -> int:
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
    except OSError as error:
        raise unwritable_store(error) from error
    try:
        _lock(descriptor)
    except OSError as error:
        owner = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() if hasattr(os, "pread") else ""
        os.close(descriptor)
        raise StoreFault(
            f"another process ({owner or 'unknown id'}) is writing this matter's store; wait for it or end it",
            ErrorCode.STORE_LOCKED,
        ) from error
    try:
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, str(os.getpid()).encode())
    except OSError as error:
        os.close(descriptor)
        raise unwritable_store(error) from error
    return descriptor


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        os.lseek(descriptor, _LOCK_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
