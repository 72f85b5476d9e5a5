"""The one writer of JSON that is hashed: keys sorted, no insignificant white space, integers only, UTF-8."""

import hashlib
import json
from pathlib import Path
from typing import Any

from verify.domain.ids import Fingerprint


def canonical_json(value: Any) -> bytes:
    """Raises TypeError for a float anywhere, ValueError for what JSON cannot hold."""
    _refuse_floats(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


_PLAIN = frozenset({int, str, bool, type(None)})


def _refuse_floats(value: Any) -> None:
    """A page has thousands of numbers in a few lists: those are looked at by type, not one by one."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, float):
            raise TypeError("a float cannot be hashed: use an integer or a decimal string")
        if isinstance(item, dict):
            pending.extend(item.values())
        elif isinstance(item, list | tuple) and not _PLAIN.issuperset(map(type, item)):
            pending.extend(item)


def sha256_of(data: bytes) -> str:
    """``"sha256:"`` and 64 lower-case hex digits."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def fingerprint_file(path: Path) -> Fingerprint:
    """Hashes the bytes on disk now. Raises OSError."""
    with path.open("rb") as handle:
        return Fingerprint("sha256:" + hashlib.file_digest(handle, "sha256").hexdigest())
