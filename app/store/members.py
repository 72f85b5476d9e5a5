"""The bytes of a member as its container holds them now."""

from pathlib import Path

from ingest.failures import ReadFailure
from ingest.limits import Limits
from ingest.matter.ledger import MEMBER_MARK
from verify.domain.canonical import sha256_of
from verify.domain.ids import Fingerprint


def member_fingerprint(container: Path, member: str) -> Fingerprint | None:
    """Of ``member_bytes``."""
    data = member_bytes(container, member)
    return None if data is None else Fingerprint(sha256_of(data))


def member_bytes(container: Path, member: str) -> bytes | None:
    """``member`` is the path inside, ``!/`` before each further container. None if it is not there any more, or if
    the container cannot be opened. Raises OSError."""
    from ingest.formats.opening import open_file  # every reader of formats comes with it; most commands need none

    inside: Path | bytes = container
    name = container.name
    for part in member.split(MEMBER_MARK):
        try:
            found = next((m for m in open_file(inside, name, None, Limits()).members() if m.name == part), None)
        except (ReadFailure, MemoryError):
            return None
        if found is None or found.data is None:
            return None
        inside, name = found.data, part
    return inside if isinstance(inside, bytes) else None
