"""A bundle as one file: members stored without compression, in order, at ZIP's first date, so that the same members
are the same bytes on every machine; and the manifest that names them.
"""

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.errors import InputUnreadable
from app.services.auditing import GENESIS
from verify.domain.canonical import canonical_json, sha256_of

BUNDLE_SCHEMA = "pincite.bundle/1"
MANIFEST = "manifest.json"
MEMOS = ("memo.docx", "memo.pdf")
_EPOCH = (1980, 1, 1, 0, 0, 0)
MAX_BYTES = 2 << 30
MAX_MEMBERS = 50_000


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


def unpack(data: bytes) -> tuple[bytes, dict[str, bytes]]:
    """The manifest's bytes and the other members'. Raises InputUnreadable for what is no bundle or is too large.

    Nothing is written to disk, so a member's name can name no place there.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            names = [entry.filename for entry in entries]
            if len(entries) > MAX_MEMBERS or sum(entry.file_size for entry in entries) > MAX_BYTES:
                raise InputUnreadable("the bundle is larger than a bundle can be; it was not opened")
            if len(set(names)) != len(names):
                raise InputUnreadable("the bundle holds two members of one name; it was altered")
            members = {entry.filename: archive.read(entry) for entry in entries}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, OSError) as error:
        raise InputUnreadable(f"this is no bundle, or it is damaged ({type(error).__name__})") from error
    if MANIFEST not in members:
        raise InputUnreadable("this is no bundle: it has no manifest.json")
    return members.pop(MANIFEST), members


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
