"""Mails, archives and portfolios: which members a container has, and how much a family of files may hold."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.limits import Limits
from ingest.ports import BlobKind, Blobs
from verify.domain.canonical import canonical_json
from verify.domain.document import SourceRecord, WarningCode
from verify.domain.ids import Fingerprint


@dataclass(frozen=True, slots=True)
class FoundMember:
    """A file inside a source, its bytes kept as a blob. ``name`` is its path inside the container."""

    name: str
    fingerprint: Fingerprint
    size: int


@dataclass(slots=True)
class Family:
    """What one file on disk holds, however deep: a bomb is one that grows in many small steps."""

    count: int = 0
    size: int = 0

    def admit(self, member: FoundMember, limits: Limits) -> bool:
        """Counts the member; False once the family is larger than one may be."""
        self.count += 1
        self.size += member.size
        return self.count <= limits.members and self.size <= limits.family_bytes


def has_members(record: SourceRecord) -> bool:
    return any(warning.code is WarningCode.HAS_ATTACHMENTS for warning in record.warnings)


def members_key(container: Fingerprint) -> str:
    """The name of the list of a container's members among the blobs."""
    return f"{container}/members"


def keep_members(blobs: Blobs, container: Fingerprint, members: Sequence[FoundMember]) -> None:
    """Kept by content, before the container's record: a run that is ended goes on with the members from here."""
    listed = canonical_json([[m.name, m.fingerprint, m.size] for m in members])
    blobs.put(BlobKind.MEMBER, members_key(container), listed, container)


def kept_members(blobs: Blobs, container: Fingerprint) -> tuple[FoundMember, ...] | None:
    """What ``keep_members`` was given; None if nothing is kept."""
    data = blobs.get(BlobKind.MEMBER, members_key(container))
    if data is None:
        return None
    return tuple(FoundMember(str(name), Fingerprint(fp), int(size)) for name, fp, size in json.loads(data))
