"""From a file of any kind to what the page reader takes: a PDF, its members, and what is to be said about it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import IO, NamedTuple

from ingest.failures import Damaged, Locked, Unsupported
from ingest.formats.sniff import IMAGES, Kind, sniff
from ingest.limits import Limits
from ingest.matter.family import unique_name
from ingest.rendition.flow import Flow, has_left_out, measured
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
    """Where a cell of a sheet stands on a page of the rendition: 1/100 pt from the top left, its address, and the title
    of its table where rows above the header give one."""

    x0: int
    y0: int
    x1: int
    y1: int
    address: str
    title: str | None = None


SMALL_PICTURE = 8_000
"""Bytes under which a picture inside a text is a logo, a rule or a smiley; a scanned page is larger."""


class Read(NamedTuple):
    """What a format's reader makes of a file: its text, what it declares, what is to be said."""

    flow: Flow
    metadata: Metadata = Metadata()
    warnings: tuple[SourceWarning, ...] = ()
    members: Callable[[], Iterator[Member]] = _no_members


def counted_warnings(*said: tuple[int, WarningCode, str]) -> Iterator[SourceWarning]:
    """A warning for each count that is not 0, which stands before its words ("3", "hidden slides were left out")."""
    for count, code, words in said:
        if count:
            yield SourceWarning(code, None, f"{count} {words}")


_UNSUPPORTED = {
    Kind.DOC: "an old Word file (.doc); save it as DOCX or PDF",
    Kind.PPT: "an old presentation (.ppt); save it as PPTX or PDF",
    Kind.PGP: "it is encrypted (OpenPGP); open it in a mail program and save it without, or as PDF",
    Kind.PST: "a mailbox of Outlook (.pst, .ost); open it in Outlook and save its mails as MSG, or as PDF",
    Kind.XLSB: "a workbook in Excel's binary form (.xlsb); save it as XLSX",
    Kind.ODF: "an OpenDocument file of a kind that is not read (a drawing, formula or database); save it as PDF",
    Kind.OOXML: "an Office file of a kind that is not read (Visio, XPS); save it as PDF",
    Kind.OFFICE_XML: "a document saved as a single XML file; save it as DOCX, XLSX, ODT or PDF",
    Kind.HEIC: "a picture of a kind that is not read (HEIC); save it as JPEG or PDF",
    Kind.SVG: "a drawing of a kind that is not read (SVG); save it as PDF",
    Kind.METAFILE: "a drawing of a kind that is not read (EMF, WMF); save it as PDF",
    Kind.ARCHIVE: "an archive of a kind that is not unpacked (7z, RAR); unpack it into the folder",
    Kind.OLE: "an Office file of a kind that is not read; save it as PDF",
    Kind.OTHER: "its kind is not known; save it as PDF if it is to be read",
}


def open_file(file: Path | bytes, name: str, password: str | None, limits: Limits) -> Opened:
    """Raises ``ReadFailure`` (``Locked``, ``Unsupported``, ``Damaged``), OSError or MemoryError."""
    return open_kind(kind_of(file, name), file, name, password, limits)


def kind_of(file: Path | bytes, name: str) -> Kind:
    """Raises OSError."""
    with _stream(file) as stream:
        return sniff(stream, name)


def open_kind(kind: Kind, file: Path | bytes, name: str, password: str | None, limits: Limits) -> Opened:
    """As ``open_file``, for a file whose kind is known."""
    opened = _open_kind(kind, file, name, password, limits)
    return replace(opened, members=lambda: _told_apart(opened.members()))


def _told_apart(members: Iterator[Member]) -> Iterator[Member]:
    """Members of one name get a number, so that neither hides the other."""
    names: set[str] = set()
    for member in members:
        name = unique_name(member.name, names)
        names.add(name)
        yield member._replace(name=name)


def _open_kind(kind: Kind, file: Path | bytes, name: str, password: str | None, limits: Limits) -> Opened:
    if kind is Kind.EMPTY:
        raise Damaged("the file is empty (0 bytes)")
    if kind in _UNSUPPORTED:
        raise Unsupported(_UNSUPPORTED[kind])
    if kind is Kind.PDF:
        from ingest.formats.archive import pdf_members

        return Opened(kind, file, members=lambda: pdf_members(file, password, limits))
    if kind in IMAGES:
        from ingest.formats.images import image_pdf

        return image_pdf(kind, file, limits)
    return _open_by_format(kind, file, name, password, limits)


def _open_by_format(kind: Kind, file: Path | bytes, name: str, password: str | None, limits: Limits) -> Opened:
    if kind is Kind.ZIP:
        from ingest.formats.archive import open_zip

        return open_zip(file, password, limits)
    if kind in (Kind.TAR, Kind.GZIP):
        from ingest.formats.tarballs import open_tar

        return open_tar(kind, file, name, limits)
    data = _bytes_of(file, limits)
    if kind is Kind.SMIME:
        from ingest.formats.mail.signed import open_signed

        return open_signed(data, name)
    if kind is Kind.LOCKED_OFFICE:
        return open_file(_unlocked(data, password), name, None, limits)
    if kind in (Kind.XLSX, Kind.ODS, Kind.CSV):
        from ingest.formats.sheets.model import open_sheets

        return open_sheets(kind, data, limits)
    if kind is Kind.XLS:
        return _open_old_sheets(data, password, limits)
    if kind is Kind.MBOX:
        from ingest.formats.mail.message import open_mailbox

        return open_mailbox(data, limits)
    return _rendered(kind, _read(kind, data, limits), limits)


def _open_old_sheets(data: bytes, password: str | None, limits: Limits) -> Opened:
    from ingest.formats.sheets.xls import open_old_sheets

    try:
        return open_old_sheets(data, limits)
    except Locked:
        return open_old_sheets(_unlocked(data, password), limits)


def _read(kind: Kind, data: bytes, limits: Limits) -> Read:
    """Each format's reader is imported where it is needed: a worker that reads PDFs never loads them."""
    if kind is Kind.DOCX:
        from ingest.formats.office.word import read_docx

        return read_docx(data, limits)
    if kind is Kind.PPTX:
        from ingest.formats.office.slides import read_slides

        return read_slides(data, limits)
    if kind is Kind.ODT:
        from ingest.formats.odf.documents import read_odt

        return read_odt(data, limits)
    if kind is Kind.EML:
        from ingest.formats.mail.message import read_eml

        return read_eml(data, limits)
    if kind is Kind.MSG:
        from ingest.formats.mail.outlook import read_msg

        return read_msg(data, limits)
    if kind is Kind.TNEF:
        from ingest.formats.mail.tnef import read_tnef

        return read_tnef(data, limits)
    if kind is Kind.ODP:
        from ingest.formats.odf.slides import read_odp

        return read_odp(data, limits)
    if kind is Kind.HTML:
        from ingest.formats.web.html import read_html

        return read_html(data)
    if kind is Kind.RTF:
        from ingest.formats.rtf.reader import read_rtf

        return read_rtf(data)
    from ingest.formats.plain.text import read_text

    return read_text(kind, data)


def flow_of(data: bytes, name: str, limits: Limits, chunks: int) -> Flow:
    """The text of a file that stands inside another's text; ``chunks`` counts how deep. Raises ``ReadFailure``."""
    kind = kind_of(data, name)
    if kind is Kind.DOCX:
        from ingest.formats.office.word import read_docx

        return read_docx(data, limits, chunks).flow
    if kind not in (Kind.HTML, Kind.RTF, Kind.TEXT, Kind.EML):
        raise Unsupported("its kind does not stand inside a text")
    return _read(kind, data, limits).flow


def _unlocked(data: bytes, password: str | None) -> bytes:
    """An Office file without its password. Raises Locked or Damaged."""
    if not password:
        raise Locked("the file needs a password")
    import msoffcrypto

    plain = BytesIO()
    try:
        office = msoffcrypto.OfficeFile(BytesIO(data))
        office.load_key(password=password, verify_password=True)
        office.decrypt(plain)
    except msoffcrypto.exceptions.InvalidKeyError:
        raise Locked("the password does not fit") from None
    except Exception as error:  # msoffcrypto raises whatever a damaged file makes it trip over
        raise Damaged(f"the file cannot be decrypted ({type(error).__name__})") from None
    return plain.getvalue()


def _rendered(kind: Kind, read: Read, limits: Limits) -> Opened:
    from ingest.rendition.render import render

    blocks, size = measured(read.flow)
    if size > limits.flow_characters or blocks > limits.flow_blocks:
        raise Damaged(f"the file holds more text ({blocks} paragraphs, {size} characters) than is read at once")
    warnings = read.warnings
    if has_left_out(read.flow):
        detail = "what lies nested deeper than is followed was left out"
        warnings = (*warnings, SourceWarning(WarningCode.TRUNCATED, None, detail))
    return Opened(kind, render(read.flow), True, read.metadata, warnings, read.members)


def _stream(file: Path | bytes) -> IO[bytes]:
    return BytesIO(file) if isinstance(file, bytes) else file.open("rb")


def _bytes_of(file: Path | bytes, limits: Limits) -> bytes:
    if isinstance(file, bytes):
        return file
    if file.stat().st_size > limits.member_bytes:
        raise Damaged("the file is larger than is read of this kind")
    return file.read_bytes()
