"""What a worker says to its parent: JSON and raw bytes, never pickles.

A worker parses files that may be hostile. If one took it over, a pickle from it would take over the parent too.
"""

import json
from typing import Any, NamedTuple

from verify.domain.ids import ElementId, Fingerprint, PassageId, SourceId
from verify.domain.passage import Passage, PassageKind, PassagePart


class Message(NamedTuple):
    """``kind`` is "ready", "kind", "opened", "page", "pages", "carried", "rendition", "member", "passages", "failed" or
    "done"; of a look "look" or "read"; "blob?" and "blob" ask for a recognition and keep one, "kept?" asks for pages
    of an earlier run; "answer" goes the other way.

    ``fields`` is what JSON holds; ``blobs`` are bytes that come along, in order.
    """

    kind: str
    fields: dict[str, Any]
    blobs: tuple[bytes, ...] = ()


def encode(message: Message) -> bytes:
    """A 4-byte length, that many bytes of JSON, and the blobs one after another."""
    head = json.dumps([message.kind, message.fields, [len(b) for b in message.blobs]]).encode()
    return b"".join((len(head).to_bytes(4, "big"), head, *message.blobs))


def decode(data: bytes) -> Message:
    """Raises ValueError for what ``encode`` does not make."""
    size = int.from_bytes(data[:4], "big")
    kind, fields, lengths = json.loads(data[4 : 4 + size])
    if not (isinstance(kind, str) and isinstance(fields, dict)) or 4 + size + sum(lengths) != len(data):
        raise ValueError("a message from a worker is malformed")
    blobs = []
    at = 4 + size
    for length in lengths:
        blobs.append(data[at : at + length])
        at += length
    return Message(kind, fields, tuple(blobs))


def passage_row(passage: Passage) -> list[Any]:
    return [
        passage.passage_id, passage.source_id, passage.fingerprint, passage.ordinal, passage.title,
        passage.heading_path, passage.text, passage.parts, passage.kind, passage.bates,
    ]  # fmt: skip


def passage_of(row: list[Any]) -> Passage:
    """Raises ValueError or TypeError for a row that ``passage_row`` does not make."""
    passage_id, source_id, fingerprint, ordinal, title, path, text, parts, kind, bates = row
    return Passage(
        PassageId(passage_id), SourceId(source_id), Fingerprint(fingerprint), ordinal, title, tuple(path), text,
        tuple(PassagePart(page, ElementId(element), *places) for page, element, *places in parts),
        PassageKind(kind), bates,
    )  # fmt: skip
