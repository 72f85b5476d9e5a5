"""From a file of any kind to what the page reader takes: a PDF, its members, and what is to be said about it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import IO, NamedTuple

from ingest.failures import Damaged, Unsupported
from ingest.flow import Flow, characters
from ingest.limits import Limits
from ingest.sniff import IMAGES, Kind, sniff
from verify.domain.document import Metadata, SourceWarning, WarningCode


class Member(NamedTuple):
    """A file inside another. ``name`` is a relative POSIX path without "..", NFC. ``data`` None was left out, and
    ``detail`` says why in words."""

    name: str
    data: bytes | None
    detail: str = ""


def _no_members() -> Iterator[Member]:
    return iter(())


@dataclass(frozen=True, slots=True)
class Opened:
    """``pages`` is the file itself, a rendition's bytes, or None for a container that has no text of its own.

    ``addresses`` are, for each page of a rendered sheet, the boxes of its cells with their names.
    """

    kind: Kind
    pages: Path | bytes | None
    rendered: bool = False
    metadata: Metadata = field(default_factory=Metadata)
    warnings: tuple[SourceWarning, ...] = ()
    members: Callable[[], Iterator[Member]] = _no_members
    addresses: tuple[tuple["CellPlace", ...], ...] = ()


class CellPlace(NamedTuple):
    """Where a cell of a sheet stands on a page of the rendition: 1/100 pt from the top left, and its address."""

    x0: int
    y0: int
    x1: int
    y1: int
    address: str


class Read(NamedTuple):
    """What a format's reader makes of a file: its text, what it declares, what is to be said."""

    flow: Flow
    metadata: Metadata = Metadata()
    warnings: tuple[SourceWarning, ...] = ()
    members: Callable[[], Iterator[Member]] = _no_members


_UNSUPPORTED = {
    Kind.DOC: "an old Word file (.doc); save it as DOCX or PDF",
    Kind.XLS: "an old Excel file (.xls); save it as XLSX or PDF",
    Kind.PPTX: "a presentation; save it as PDF",
    Kind.OLE: "an Office file of a kind that is not read; save it as PDF",
    Kind.OTHER: "a kind of file that is not read",
}
_TEXTS = frozenset({Kind.TEXT, Kind.MARKDOWN})


def open_file(file: Path | bytes, name: str, password: str | None, limits: Limits) -> Opened:
    """Raises ``ReadFailure`` (``Locked``, ``Unsupported``, ``Damaged``), OSError or MemoryError."""
    return open_kind(kind_of(file, name), file, name, password, limits)


def kind_of(file: Path | bytes, name: str) -> Kind:
    """Raises OSError."""
    with _stream(file) as stream:
        return sniff(stream, name)


def open_kind(kind: Kind, file: Path | bytes, name: str, password: str | None, limits: Limits) -> Opened:
    """As ``open_file``, for a file whose kind is known."""
    if kind is Kind.EMPTY:
        raise Damaged("the file is empty (0 bytes)")
    if kind in _UNSUPPORTED:
        raise Unsupported(_UNSUPPORTED[kind])
    if kind is Kind.PDF:
        return Opened(kind, file)
    if kind in IMAGES:
        from ingest.images import image_pdf

        return image_pdf(kind, file, limits)
    return _open_by_format(kind, file, name, password, limits)


def _open_by_format(kind: Kind, file: Path | bytes, name: str, password: str | None, limits: Limits) -> Opened:
    if kind in _TEXTS:
        return _rendered(kind, _read_text(kind, _bytes_of(file, limits)), limits)
    raise Unsupported(_UNSUPPORTED[Kind.OTHER])


def _read_text(kind: Kind, data: bytes) -> Read:
    from ingest.text import read_text

    return read_text(kind, data)


def _rendered(kind: Kind, read: Read, limits: Limits) -> Opened:
    from ingest.render import render

    size = characters(read.flow)
    if size > limits.flow_characters:
        raise Damaged(f"the file holds more text ({size} characters) than is read at once")
    return Opened(kind, render(read.flow), True, read.metadata, read.warnings, read.members)


def _stream(file: Path | bytes) -> IO[bytes]:
    return BytesIO(file) if isinstance(file, bytes) else file.open("rb")


def _bytes_of(file: Path | bytes, limits: Limits) -> bytes:
    if isinstance(file, bytes):
        return file
    if file.stat().st_size > limits.member_bytes:
        raise Damaged("the file is larger than is read of this kind")
    return file.read_bytes()


def with_warning(opened: Opened, code: WarningCode, detail: str) -> Opened:
    return replace(opened, warnings=(*opened.warnings, SourceWarning(code, None, detail)))
