"""From a file of any kind to what the page reader takes: a PDF, its members, and what is to be said about it.

``READERS`` is the table of kinds. To add a format, write a reader (``model.FormatReader``), name its kind in ``sniff``
and add a line here.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import IO

from ingest.failures import Damaged, Locked, Unsupported
from ingest.formats.archive import open_zip, pdf_members
from ingest.formats.images import image_pdf
from ingest.formats.mail.message import open_mailbox, read_eml
from ingest.formats.mail.outlook import read_msg
from ingest.formats.mail.signed import open_signed
from ingest.formats.mail.tnef import read_tnef
from ingest.formats.model import FormatReader, FoundFile, Member, Opened, Read, unique_name
from ingest.formats.odf.documents import read_odt
from ingest.formats.odf.slides import read_odp
from ingest.formats.office.slides import read_slides
from ingest.formats.office.word import read_docx
from ingest.formats.plain.text import read_text
from ingest.formats.rtf.reader import read_rtf
from ingest.formats.sheets.opening import open_sheets
from ingest.formats.sheets.xls import open_old_sheets
from ingest.formats.sniff import IMAGES, Kind, sniff
from ingest.formats.tarballs import open_tar
from ingest.formats.web.html import read_html
from ingest.limits import Limits
from ingest.rendition.flow import Flow, has_left_out, measured
from ingest.rendition.render import render
from verify.domain.document import SourceWarning, WarningCode

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
    Kind.POINTER: "it only says where a document is kept (a link, or a document of a cloud service); put the document"
    " itself into the folder",
    Kind.PLACEHOLDER: "it is not downloaded yet: the folder holds its place only; download it in the cloud's program",
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
    if kind in _UNSUPPORTED:
        raise Unsupported(_UNSUPPORTED[kind])
    read = READERS[kind](FoundFile(kind, file, name, password, limits))
    opened = read if isinstance(read, Opened) else _rendered(kind, read, limits)
    return replace(opened, members=lambda: _told_apart(opened.members()))


def flow_of(data: bytes, name: str, limits: Limits, depth: int) -> Flow:
    """The text of a file that is laid into another's text (``model.InnerReader``)."""
    kind = kind_of(data, name)
    if kind is Kind.DOCX:
        return read_docx(data, limits, flow_of, depth).flow
    if kind not in (Kind.HTML, Kind.RTF, Kind.TEXT, Kind.EML):
        raise Unsupported("files of its kind are not laid into a text")
    read = READERS[kind](FoundFile(kind, data, name, None, limits))
    return read.flow if isinstance(read, Read) else []


def _told_apart(members: Iterator[Member]) -> Iterator[Member]:
    """Members of one name get a number, so that neither hides the other."""
    names: set[str] = set()
    for member in members:
        name = unique_name(member.name, names)
        names.add(name)
        yield member._replace(name=name)


def _empty(found: FoundFile) -> Opened:
    raise Damaged("the file is empty (0 bytes); of a cloud folder: it is not downloaded yet")


def _pdf(found: FoundFile) -> Opened:
    return Opened(found.kind, found.content, members=lambda: pdf_members(found.content, found.password, found.limits))


def _locked_office(found: FoundFile) -> Opened:
    return open_file(_unlocked(found.data(), found.password), found.name, None, found.limits)


def _old_sheets(found: FoundFile) -> Opened:
    data = found.data()
    try:
        return open_old_sheets(data, found.limits)
    except Locked:
        return open_old_sheets(_unlocked(data, found.password), found.limits)


READERS: Mapping[Kind, FormatReader] = {
    Kind.EMPTY: _empty,
    Kind.PDF: _pdf,
    **dict.fromkeys(IMAGES, lambda found: image_pdf(found.kind, found.content, found.limits)),
    Kind.ZIP: lambda found: open_zip(found.content, found.password, found.limits),
    **dict.fromkeys((Kind.TAR, Kind.GZIP), lambda found: open_tar(found.kind, found.content, found.name, found.limits)),
    Kind.SMIME: lambda found: open_signed(found.data(), found.name),
    Kind.LOCKED_OFFICE: _locked_office,
    **dict.fromkeys((Kind.XLSX, Kind.ODS, Kind.CSV), lambda found: open_sheets(found.kind, found.data(), found.limits)),
    Kind.XLS: _old_sheets,
    Kind.MBOX: lambda found: open_mailbox(found.data(), found.limits),
    Kind.DOCX: lambda found: read_docx(found.data(), found.limits, flow_of),
    Kind.PPTX: lambda found: read_slides(found.data(), found.limits),
    Kind.ODT: lambda found: read_odt(found.data(), found.limits),
    Kind.ODP: lambda found: read_odp(found.data(), found.limits),
    Kind.EML: lambda found: read_eml(found.data(), found.limits),
    Kind.MSG: lambda found: read_msg(found.data(), found.limits),
    Kind.TNEF: lambda found: read_tnef(found.data(), found.limits),
    Kind.HTML: lambda found: read_html(found.data()),
    Kind.RTF: lambda found: read_rtf(found.data()),
    **dict.fromkeys((Kind.TEXT, Kind.MARKDOWN), lambda found: read_text(found.kind, found.data())),
}


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
