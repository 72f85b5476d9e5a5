"""A bundle as one file: members stored without compression, in order, at ZIP's first date, so that the same members
are the same bytes on every machine; and the manifest that names them.
"""

import copy
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.errors import InputUnreadable
from app.services.custody.auditing import GENESIS
from verify.domain.canonical import canonical_json, sha256_of

BUNDLE_SCHEMA = "pincite.bundle/1"
MANIFEST = "manifest.json"
CONTAINER = "(container)"
"""Stands for the ZIP file itself where a member is named."""
MEMOS = ("memo.docx", "memo.pdf")
_EPOCH = (1980, 1, 1, 0, 0, 0)
MAX_BYTES = 2 << 30
MAX_MEMBERS = 50_000
_FIRST_BYTES = b"PK\x03\x04"
_DIRECTORY_ENTRY = b"PK\x01\x02"
_BROKEN = (
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
    OSError,
    zlib.error,
    struct.error,
)
"""What zipfile raises for damaged bytes."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """``core_sha256`` binds every member but the memo, which prints it. ``signature`` is over the rest."""

    answer_id: str
    core_sha256: str
    members: tuple[tuple[str, str, int], ...]
    audit_head: str
    signature: tuple[str, str] | None = None

    def unsigned(self) -> dict[str, Any]:
        return {
            "schema": BUNDLE_SCHEMA,
            "answer_id": self.answer_id,
            "core_sha256": self.core_sha256,
            "members": [{"name": name, "sha256": digest, "bytes": size} for name, digest, size in self.members],
            "audit_head": self.audit_head,
        }

    def to_json(self) -> dict[str, Any]:
        if self.signature is None:
            return self.unsigned()
        key, value = self.signature
        return {**self.unsigned(), "signature": {"algorithm": "ed25519", "public_key": key, "value": value}}


def core_hash(members: Mapping[str, bytes]) -> str:
    """Of the canonical list of [name, SHA-256] of all members but memo and manifest, by name."""
    core = sorted((name, sha256_of(data)) for name, data in members.items() if name not in (*MEMOS, MANIFEST))
    return sha256_of(canonical_json(core))


def manifest_of(answer_id: str, members: Mapping[str, bytes], audit_head: str) -> Manifest:
    rows = tuple((name, sha256_of(data), len(data)) for name, data in sorted(members.items()))
    return Manifest(answer_id, core_hash(members), rows, audit_head)


def manifest_from_json(d: dict[str, Any]) -> Manifest:
    """Raises KeyError, TypeError or ValueError for what ``Manifest.to_json`` did not make."""
    if d["schema"] != BUNDLE_SCHEMA:
        raise ValueError("not a bundle of this version")
    signature = d.get("signature")
    return Manifest(
        d["answer_id"],
        d["core_sha256"],
        tuple((m["name"], m["sha256"], m["bytes"]) for m in d["members"]),
        d["audit_head"],
        None if signature is None else (signature["public_key"], signature["value"]),
    )


def pack(manifest: Manifest, members: Mapping[str, bytes]) -> bytes:
    """The manifest first, then the members by name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr(_entry(MANIFEST), canonical_json(manifest.to_json()))
        for name, data in sorted(members.items()):
            archive.writestr(_entry(name), data)
    return packed.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _EPOCH)
    entry.create_system = 3  # the same on every platform
    entry.external_attr = 0o600 << 16
    return entry


@dataclass(frozen=True, slots=True)
class Unpacked:
    """``members`` has the manifest too, as far as it could be read. ``broken``: members, or ``CONTAINER``, and why."""

    members: dict[str, bytes]
    broken: tuple[tuple[str, str], ...]


def read_members(data: bytes) -> Unpacked:
    """Each member by itself, so that a broken one hides no other. Raises InputUnreadable for what is no ZIP at all.

    ZIP's own checksums decide nothing: the manifest's hashes do, and name the member. Nothing is written to disk, so a
    member's name can name no place there.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _members_of(archive)
    except _BROKEN as error:
        if not (data.startswith(_FIRST_BYTES) or _DIRECTORY_ENTRY in data):
            raise InputUnreadable("this is no bundle: it is no ZIP file") from error
        return Unpacked({}, ((CONTAINER, f"the list of its members is damaged ({type(error).__name__})"),))


def _members_of(archive: zipfile.ZipFile) -> Unpacked:
    entries = archive.infolist()
    if len(entries) > MAX_MEMBERS or sum(entry.file_size for entry in entries) > MAX_BYTES:
        return Unpacked({}, ((CONTAINER, "larger than a bundle can be; it was not opened"),))
    members: dict[str, bytes] = {}
    broken = []
    for entry in entries:
        name = entry.filename
        try:
            data = _bytes_of(archive, entry)
        except _BROKEN as error:
            broken.append((name, f"cannot be taken out of the ZIP file ({type(error).__name__})"))
            continue
        if name in members:
            broken.append((CONTAINER, f"holds two members of the name {name}"))
        if name == MANIFEST and zlib.crc32(data) != entry.CRC:  # the one member that no hash is kept of
            broken.append((name, "ZIP's checksum is of other bytes"))
        members[name] = data
    return Unpacked(members, tuple(broken))


def _bytes_of(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Without comparing ZIP's checksum, which zipfile leaves out where an entry has none."""
    unchecked = copy.copy(entry)
    del unchecked.CRC
    with archive.open(unchecked) as member:
        return member.read()


def load_json(data: bytes) -> Any:
    """Strict: UTF-8, no duplicate keys. Raises ValueError (RecursionError too, as one)."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("duplicate key")
        return found

    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=unique)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def audit_head(lines: bytes) -> str:
    """The hash of the last line, as the next line of the log would carry it."""
    last = lines.rstrip(b"\n").rpartition(b"\n")[2]
    return sha256_of(last) if last else GENESIS
