"""Records and passages as JSON bytes and back: the bodies of the store's rows."""

import json
import unicodedata
from dataclasses import replace
from typing import Any

from verify.domain.document import (
    Metadata,
    Parser,
    SourceRecord,
    SourceStatus,
    SourceWarning,
    WarningCode,
    pages_without_text,
)
from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId
from verify.domain.passage import Passage, PassageKind, PassagePart

METADATA_FIELDS: tuple[str, ...] = tuple(Metadata.__dataclass_fields__)


def _dump(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def record_to_json(record: SourceRecord) -> dict[str, Any]:
    """The entry of ``sources[]`` (contract, section 3), and ``unread_pages``, which the contract does not name."""
    return {
        "source_id": record.source_id,
        "path": record.path,
        "other_paths": list(record.other_paths),
        "fingerprint": record.fingerprint,
        "media_type": record.media_type,
        "page_count": record.page_count,
        "status": record.status.value,
        "ocr_pages": record.ocr_pages,
        "unread_pages": record.unread_pages,
        "chunk_count": record.chunk_count,
        "parser": {"name": record.parser.name, "version": record.parser.version, "profile": record.parser.profile},
        "parent": record.parent,
        "metadata": metadata_to_json(record.metadata),
        "warnings": [warning_to_json(w) for w in record.warnings],
    }


def metadata_to_json(metadata: Metadata) -> dict[str, str | None]:
    return {name: getattr(metadata, name) for name in METADATA_FIELDS}


def warning_to_json(warning: SourceWarning) -> dict[str, Any]:
    return {"code": warning.code.value, "page_index": warning.page_index, "detail": warning.detail}


def record_from_json(d: dict[str, Any]) -> SourceRecord:
    """Raises KeyError, TypeError or ValueError for what ``record_to_json`` did not make."""
    return SourceRecord(
        source_id=SourceId(d["source_id"]),
        path=d["path"],
        fingerprint=Fingerprint(d["fingerprint"]),
        media_type=d["media_type"],
        page_count=d["page_count"],
        status=SourceStatus(d["status"]),
        parser=Parser(**d["parser"]),
        other_paths=tuple(d["other_paths"]),
        ocr_pages=d["ocr_pages"],
        chunk_count=d["chunk_count"],
        parent=None if d["parent"] is None else SourceId(d["parent"]),
        metadata=Metadata(**d["metadata"]),
        warnings=tuple(SourceWarning(WarningCode(w["code"]), w["page_index"], w["detail"]) for w in d["warnings"]),
        unread_pages=d.get("unread_pages", 0),
    )


def encode_record(record: SourceRecord) -> bytes:
    return _dump(record_to_json(record))


def decode_record(data: bytes) -> SourceRecord:
    """Of a record that was kept without them, the unread pages are those that its warnings name."""
    body = json.loads(data)
    record = record_from_json(body)
    return record if "unread_pages" in body else replace(record, unread_pages=pages_without_text(record.warnings))


def encode_passage(p: Passage) -> bytes:
    return _dump([p.title, p.heading_path, p.text, p.parts, p.kind, p.bates])


def decode_passage(passage_id: str, source_id: str, fingerprint: str, ordinal: int, body: bytes) -> Passage:
    title, heading_path, text, parts, *more = json.loads(body)  # passages of older stores end here
    kind, bates = more or (PassageKind.TEXT, None)
    return Passage(
        PassageId(passage_id),
        SourceId(source_id),
        Fingerprint(fingerprint),
        ordinal,
        title,
        tuple(heading_path),
        text,
        tuple(PassagePart(index, ElementId(element), *places) for index, element, *places in parts),
        PassageKind(kind),
        bates,
    )


def path_key(path: str) -> str:
    """Paths sort by their NFC form, so that one order holds on every file system."""
    return unicodedata.normalize("NFC", path)
