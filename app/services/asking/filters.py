"""What the filters of a search let through: ``type: from: to: author: date: bates: in:`` and the options of that name.

``from:`` and ``to:`` with a date bound the documents' dates, with a name they are the sender and the recipients of a
message. Documents and messages are selected by what they declare and by the head that a message prints; a document that
declares no date or author is outside every date and author.
"""

import calendar
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from verify.domain.document import SourceRecord
from verify.domain.ids import SourceId
from verify.domain.passage import PassageKind

if TYPE_CHECKING:
    from retrieval.query.operators import Filter

_ENDINGS = {
    "pdf": ("pdf",),
    "word": ("docx", "docm", "doc", "rtf", "odt"),
    "docx": ("docx", "docm"),
    "mail": ("eml", "msg", "p7m"),
    "email": ("eml", "msg", "p7m"),
    "sheet": ("xlsx", "xlsm", "xls", "ods", "csv", "tsv"),
    "spreadsheet": ("xlsx", "xlsm", "xls", "ods", "csv", "tsv"),
    "excel": ("xlsx", "xlsm", "xls"),
    "slides": ("pptx", "pptm", "odp"),
    "presentation": ("pptx", "pptm", "odp"),
    "text": ("txt", "md", "log"),
    "html": ("html", "htm", "mht", "mhtml"),
    "image": ("png", "jpg", "jpeg", "tif", "tiff", "gif", "bmp", "webp"),
    "event": ("ics",),
}
"""Names of kinds of files; any other ending stands for itself."""
_KINDS = {kind.value: kind for kind in PassageKind if kind is not PassageKind.TEXT}
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_HEAD = re.compile(r"^(from|to|cc|bcc|organizer|attendees?):[ \t]*(.*(?:\n[ \t]+.*)*)", re.IGNORECASE | re.MULTILINE)
_SENT, _RECEIVED = ("from", "organizer"), ("to", "cc", "bcc", "attendee", "attendees")


class UnknownFilter(ValueError):
    """``at`` is the offset in the query of the value that is no date, or no type that there is; None of an option."""

    def __init__(self, kind: str, value: str, at: int | None) -> None:
        super().__init__(value)
        self.kind, self.value, self.at = kind, value, at


@dataclass(frozen=True, slots=True)
class Selection:
    """``sources`` None for all documents, ``kinds`` empty for all passages."""

    sources: frozenset[SourceId] | None = None
    kinds: tuple[PassageKind, ...] = ()
    bates: tuple[tuple[str, str], ...] = ()

    def only(self, sources: Iterable[SourceId]) -> "Selection":
        """Of the documents so far those that are among ``sources`` too."""
        wanted = frozenset(sources)
        return replace(self, sources=wanted if self.sources is None else self.sources & wanted)


EVERYTHING = Selection()


class Filtering:
    """Filters over one matter's records. ``opening`` gives the text that a document begins with."""

    def __init__(self, records: Sequence[SourceRecord], opening: Callable[[SourceId], str]) -> None:
        self._records, self._opening = records, cache(opening)

    def narrowed(self, selection: Selection, filters: Iterable["Filter"]) -> Selection:
        """Raises UnknownFilter."""
        for one in filters:
            selection = self.by(selection, one.kind.value, one.value, one.at)
        return selection

    def by(self, selection: Selection, kind: str, value: str, at: int | None = None) -> Selection:
        """Raises UnknownFilter."""
        if kind == "type":
            return self._of_type(selection, value, at)
        if kind == "bates":
            first, _, last = value.partition("..")
            return replace(selection, bates=(*selection.bates, (first, last or first)))
        if kind == "in":
            wanted = value.casefold()
            return selection.only(r.source_id for r in self._records if _is_named(r, wanted))
        if kind == "date" or (kind in ("from", "to") and _DATE.fullmatch(value)):
            return selection.only(self._dated(*_bounds(kind, value, at)))
        return selection.only(r.source_id for r in self._records if self._names(r, kind, value.casefold()))

    def _of_type(self, selection: Selection, value: str, at: int | None) -> Selection:
        wanted = value.casefold().replace(" ", "_").replace("-", "_")
        if kind := _KINDS.get(wanted):
            return replace(selection, kinds=(*selection.kinds, kind))
        endings = _ENDINGS.get(wanted, (wanted,))
        declared = value.casefold()
        found = [r.source_id for r in self._records if _ending(r) in endings or _type(r) == declared]
        if not found and wanted not in _ENDINGS:
            raise UnknownFilter("type", value, at)
        return selection.only(found)

    def _dated(self, first: str, last: str) -> list[SourceId]:
        return [r.source_id for r in self._records if r.metadata.dated and first <= r.metadata.dated[:10] <= last]

    def _names(self, record: SourceRecord, kind: str, wanted: str) -> bool:
        fields = _RECEIVED if kind == "to" else _SENT
        head = self._opening(record.source_id) if _ending(record) in (*_ENDINGS["mail"], *_ENDINGS["event"]) else ""
        said = [match[2] for match in _HEAD.finditer(head[: _head_end(head)]) if match[1].lower() in fields]
        if kind == "author":
            said.append(record.metadata.issuer or "")
        return any(wanted in one.casefold() for one in said)


def _head_end(text: str) -> int:
    """Where a message's head ends: what it quotes further down is another's."""
    end = text.find("\n\n")
    return len(text) if end < 0 else end


def _ending(record: SourceRecord) -> str:
    return PurePosixPath(record.path).suffix.lower().removeprefix(".")


def _type(record: SourceRecord) -> str:
    return (record.metadata.document_type or "").casefold()


def _is_named(record: SourceRecord, wanted: str) -> bool:
    names = (record.path, *record.other_paths, record.metadata.title or "")
    return any(wanted in name.casefold() for name in names)


def _bounds(kind: str, value: str, at: int | None) -> tuple[str, str]:
    """The first and the last day, ISO; ``date:2024-03`` is that month, ``date:2024..`` from then on."""
    first, dots, last = value.partition("..")
    if not dots:
        last = first
    low = "" if (kind == "to" or (dots and not first)) else _day(kind, first, at, value, last=False)
    high = "9999" if (kind == "from" or (dots and not last)) else _day(kind, last, at, value, last=True)
    return low, high


def _day(kind: str, text: str, at: int | None, value: str, *, last: bool) -> str:
    match = _DATE.fullmatch(text)
    if match is None:
        raise UnknownFilter(kind, value, at)
    year, month = int(match[1]), int(match[2] or (12 if last else 1))
    if not (1 <= month <= 12 and year):
        raise UnknownFilter(kind, value, at)
    longest = calendar.monthrange(year, month)[1]
    day = int(match[3] or (longest if last else 1))
    if not 1 <= day <= longest:
        raise UnknownFilter(kind, value, at)
    return f"{year:04}-{month:02}-{day:02}"
