"""What a file is, told by its content. The name decides only between kinds of plain text."""

import re
import zipfile
from enum import StrEnum
from io import BytesIO
from typing import IO


class Kind(StrEnum):
    """The value is the media type."""

    PDF = "application/pdf"
    DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    PPTX = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
    ODT = "application/vnd.oasis.opendocument.text"
    ODS = "application/vnd.oasis.opendocument.spreadsheet"
    ODP = "application/vnd.oasis.opendocument.presentation"
    ODF = "application/vnd.oasis.opendocument"
    XLSB = "application/vnd.ms-excel.sheet.binary.macroenabled.12"
    OOXML = "application/vnd.openxmlformats-package"
    OFFICE_XML = "application/vnd.ms-office.xml"
    ZIP = "application/zip"
    TAR = "application/x-tar"
    GZIP = "application/gzip"
    RTF = "application/rtf"
    HTML = "text/html"
    MARKDOWN = "text/markdown"
    CSV = "text/csv"
    TEXT = "text/plain"
    EML = "message/rfc822"
    MBOX = "application/mbox"
    MSG = "application/vnd.ms-outlook"
    DOC = "application/msword"
    XLS = "application/vnd.ms-excel"
    PPT = "application/vnd.ms-powerpoint"
    OLE = "application/x-ole-storage"
    LOCKED_OFFICE = "application/x-encrypted-office"
    TNEF = "application/ms-tnef"
    SMIME = "application/pkcs7-mime"
    PGP = "application/pgp-encrypted"
    PST = "application/vnd.ms-outlook-pst"
    ARCHIVE = "application/x-archive"
    PNG = "image/png"
    JPEG = "image/jpeg"
    TIFF = "image/tiff"
    GIF = "image/gif"
    BMP = "image/bmp"
    WEBP = "image/webp"
    AVIF = "image/avif"
    JP2 = "image/jp2"
    HEIC = "image/heic"
    SVG = "image/svg+xml"
    METAFILE = "image/emf"
    EMPTY = "application/x-empty"
    POINTER = "application/x-pointer"
    PLACEHOLDER = "application/x-placeholder"
    OTHER = "application/octet-stream"


IMAGES = frozenset(
    {Kind.PNG, Kind.JPEG, Kind.TIFF, Kind.GIF, Kind.BMP, Kind.WEBP, Kind.AVIF, Kind.JP2}
)  # fmt: skip

HEAD = 8192
"""How many bytes at the start of a file the rules below look at."""

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", Kind.PNG), (b"\xff\xd8\xff", Kind.JPEG), (b"II*\x00", Kind.TIFF), (b"MM\x00*", Kind.TIFF),
    (b"II+\x00", Kind.TIFF), (b"MM\x00+", Kind.TIFF), (b"GIF87a", Kind.GIF), (b"GIF89a", Kind.GIF), (b"BM", Kind.BMP),
    (b"{\\rtf", Kind.RTF), (b"\x1f\x8b\x08", Kind.GZIP),
    (b"\x00\x00\x00\x0cjP  \r\n\x87\n", Kind.JP2), (b"\xff\x4f\xff\x51", Kind.JP2), (b"!BDN", Kind.PST),
    (b"-----BEGIN PGP MESSAGE-----", Kind.PGP), (b"\xd7\xcd\xc6\x9a", Kind.METAFILE),
    (b"-----BEGIN PKCS7-----", Kind.SMIME), (b"-----BEGIN CMS-----", Kind.SMIME),
    (b"\x78\x9f\x3e\x22", Kind.TNEF), (b"7z\xbc\xaf'\x1c", Kind.ARCHIVE), (b"Rar!\x1a\x07", Kind.ARCHIVE),
)  # fmt: skip
_PKCS7 = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07"
"""The object identifier that every signed or encrypted message of S/MIME begins with (RFC 5652)."""
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_STREAMS = (
    ("EncryptedPackage", Kind.LOCKED_OFFICE), ("__properties_version1.0", Kind.MSG), ("WordDocument", Kind.DOC),
    ("Workbook", Kind.XLS), ("Book", Kind.XLS), ("PowerPoint Document", Kind.PPT),
)  # fmt: skip
_ODF = {
    b"text": Kind.ODT, b"text-template": Kind.ODT, b"text-master": Kind.ODT, b"spreadsheet": Kind.ODS,
    b"spreadsheet-template": Kind.ODS, b"presentation": Kind.ODP, b"presentation-template": Kind.ODP,
}  # fmt: skip
_BRANDS = {b"avif": Kind.AVIF, b"avis": Kind.AVIF} | dict.fromkeys(
    (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"), Kind.HEIC
)
"""The kinds of picture that a file of boxes (ISO/IEC 14496-12) names first."""
_HTML_START = re.compile(
    rb"(?:<\?xml[^>]*+>|<!--(?:(?!-->).)*-->|\s++)*<(?:!doctype\s+html|html|head|body|meta|title)\b", re.I | re.S
)
_HEADER = re.compile(rb"([!-9;-~]+):[ \t]")
_MAIL_HEADERS = frozenset(b"from to cc subject date".split())
_MACHINE_HEADERS = frozenset(
    b"received return-path message-id mime-version content-type delivered-to x-mailer x-originating-ip".split()
)
_XML_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml|<svg|<!DOCTYPE\s+svg)")
_SVG_START = re.compile(rb"<(?:svg:)?svg[\s>]")
_OFFICE_XML = (
    b'progid="Word.Document"', b'progid="Excel.Sheet"', b"schemas.microsoft.com/office/word/2003/wordml",
    b"schemas.microsoft.com/office/2006/xmlPackage", b"urn:oasis:names:tc:opendocument:xmlns:office:1.0",
)  # fmt: skip
_TEXT_NAMES = {
    ".md": Kind.MARKDOWN, ".markdown": Kind.MARKDOWN, ".csv": Kind.CSV, ".tsv": Kind.CSV, ".htm": Kind.HTML,
    ".html": Kind.HTML, ".eml": Kind.EML, ".p7m": Kind.SMIME,
}  # fmt: skip


_CLOUD_NAMES = (".gdoc", ".gsheet", ".gslides", ".gform", ".gdraw", ".gnote")
_LINK_STARTS = (b"L\x00\x00\x00\x01\x14\x02\x00", b"[InternetShortcut]")
"""Of a Windows shortcut (MS-SHLLINK, 2.1) and of an internet shortcut."""
_PROBES = 16
"""Places at which a file that begins with zeros is looked at, its end among them."""


def _is_pointer(head: bytes, name: str) -> bool:
    """Whether the file only says where a document is kept."""
    lowered = name.lower()
    if lowered.endswith(_CLOUD_NAMES) and head.lstrip()[:1] == b"{":
        return True
    if lowered.endswith(".webloc") and b"URL" in head:
        return True
    return head.startswith(_LINK_STARTS) or (lowered.endswith(".url") and b"[InternetShortcut]" in head)


def _is_placeholder(file: IO[bytes], head: bytes, name: str) -> bool:
    """Whether a cloud's program has left only the place of a file: zeros throughout, or a note with its name."""
    if name.lower().endswith(".icloud") and (head.startswith(b"bplist") or b"NSURL" in head):
        return True
    if any(head):
        return False
    size = file.seek(0, 2)
    for number in range(1, _PROBES + 1):
        file.seek(max(size * number // _PROBES - HEAD, 0))
        if any(file.read(HEAD)):
            return False
    return True


def sniff(file: IO[bytes], name: str) -> Kind:
    """The kind of a seekable file, whose position is then undefined. Raises OSError."""
    file.seek(0)
    head = file.read(HEAD)
    if not head:
        return Kind.EMPTY
    if _is_placeholder(file, head, name):
        return Kind.PLACEHOLDER
    if _is_pointer(head, name):
        return Kind.POINTER
    kind = _by_magic(file, head)
    if kind in (None, Kind.BMP) and b"%PDF-" in head[:1024] and not _is_mail(head):
        return Kind.PDF  # readers accept it anywhere in the first kilobyte
    if kind is not None:
        return kind
    kind = _text_kind(head, name)
    return Kind.MBOX if kind is Kind.EML and head.startswith(b"From ") and _holds_several(file) else kind


def _by_magic(file: IO[bytes], head: bytes) -> Kind | None:
    """By the bytes that a file begins with: an archive or signed file goes before the PDF that lies first in it."""
    if head.startswith(b"%PDF-"):
        return Kind.PDF
    if head.startswith(_OLE):
        return _ole_kind(file)
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _zip_kind(file)
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return Kind.WEBP
    if head[4:8] == b"ftyp" and head[8:12] in _BRANDS:
        return _brand(head)
    if head[:4] == b"\x01\x00\x00\x00" and head[40:44] == b" EMF":
        return Kind.METAFILE
    for magic, kind in _MAGIC:
        if head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(magic) if kind is Kind.RTF else head.startswith(magic):
            return kind
    if is_tar(head):
        return Kind.TAR
    return Kind.SMIME if head[:1] == b"0" and _PKCS7 in head[:40] else None


def _brand(head: bytes) -> Kind:
    """By the first brand, or where that one is general by those that the file says it goes with."""
    size = min(int.from_bytes(head[:4], "big"), 256)
    others = (head[at : at + 4] for at in range(16, size, 4))
    return Kind.AVIF if Kind.AVIF in (_BRANDS[head[8:12]], *(_BRANDS.get(name) for name in others)) else Kind.HEIC


def is_tar(head: bytes) -> bool:
    """By the mark of POSIX and GNU archives, in their first 512 bytes."""
    return head[257:262] == b"ustar"


def _holds_several(file: IO[bytes]) -> bool:
    """A mailbox parts its messages by lines that begin with "From "."""
    file.seek(0)
    before = b"x"
    count = 0
    for line in file:
        count += line.startswith(b"From ") and (not before.strip() or count == 0)
        if count > 1:
            return True
        before = line
    return False


def _zip_kind(file: IO[bytes]) -> Kind:
    """Looks at the directory only; no member of a foreign archive is unpacked but ODF's ``mimetype``, 100 bytes."""
    try:
        with zipfile.ZipFile(file) as archive:
            names = set(archive.namelist())
            if "mimetype" in names:
                with archive.open("mimetype") as member:
                    declared = member.read(100)
                if b"opendocument." in declared:
                    return _ODF.get(declared.rpartition(b"opendocument.")[2].strip(), Kind.ODF)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, ValueError, EOFError):
        return Kind.ZIP
    if "[Content_Types].xml" in names:
        if "xl/workbook.bin" in names:
            return Kind.XLSB
        for folder, kind in (("word/", Kind.DOCX), ("xl/", Kind.XLSX), ("ppt/", Kind.PPTX)):
            if any(name.startswith(folder) for name in names):
                return kind
        return Kind.OOXML
    return Kind.ZIP


def _ole_kind(file: IO[bytes]) -> Kind:
    import olefile

    file.seek(0)
    try:
        with olefile.OleFileIO(BytesIO(file.read())) as ole:
            streams = {entry[0] for entry in ole.listdir()}
    except Exception:  # olefile raises whatever a damaged file makes it trip over
        return Kind.OLE
    return next((kind for stream, kind in _OLE_STREAMS if stream in streams), Kind.OLE)


def _text_kind(head: bytes, name: str) -> Kind:
    if not is_text(head):
        return Kind.OTHER
    suffix = name[name.rfind(".") :].lower() if "." in name else ""
    if suffix == ".eml" or _is_mail(head):
        return Kind.EML
    if _HTML_START.match(head.removeprefix(b"\xef\xbb\xbf")):
        return Kind.HTML
    if _XML_START.match(head):
        if _SVG_START.search(head[:2000]):
            return Kind.SVG
        if any(mark in head for mark in _OFFICE_XML):
            return Kind.OFFICE_XML
    return _TEXT_NAMES.get(suffix, Kind.TEXT)


def is_text(head: bytes) -> bool:
    """UTF-16 or UTF-32 by their mark; else no zero byte and at most 2 % other control characters."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        return True
    if b"\x00" in head:
        return False
    odd = sum(byte < 32 and byte not in (9, 10, 12, 13, 27) for byte in head)
    return odd * 50 <= len(head)


def _is_mail(head: bytes) -> bool:
    """The file begins with headers, among them one that people write and one that only programs do: a typed memo with
    "To:" and "From:" is no mail."""
    start = head.removeprefix(b"\xef\xbb\xbf")
    found = set()
    for number, line in enumerate(start.splitlines()):
        if number == 0 and line.startswith((b"From ", b">From ")):
            continue
        if not line.strip():
            break
        if line[:1] in b" \t" and number:
            continue
        match = _HEADER.match(line + b" ")
        if match is None:
            return False
        found.add(match[1].lower())
    return bool(found & _MAIL_HEADERS) and bool(found & _MACHINE_HEADERS)
