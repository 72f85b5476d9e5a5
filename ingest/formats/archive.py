"""Files that hold files: ZIP archives and the embedded files of a PDF (portfolios, attachments)."""

import re
import unicodedata
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from ingest.failures import Damaged, Locked
from ingest.formats.model import Member, Opened
from ingest.formats.sniff import Kind
from ingest.limits import Limits
from verify.domain.document import SourceWarning, WarningCode

if TYPE_CHECKING:
    from ingest.mupdf import pymupdf

_LITTER = re.compile(r"(?:^|/)(?:__MACOSX/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._|~\$)", re.IGNORECASE)
_SMALL = 1 << 20
_BLOCK = 1 << 20
_ENCRYPTED = 0x1
_UTF8_NAME = 0x800


def open_zip(file: Path | bytes, password: str | None, limits: Limits) -> Opened:
    """Raises Damaged, or Locked if nothing in the archive can be read without a password."""
    try:
        with _archive(file) as archive:
            infos = _files(archive)
    except (zipfile.BadZipFile, OSError, ValueError, EOFError, NotImplementedError) as error:
        raise Damaged(f"the archive is damaged ({type(error).__name__})") from None
    locked = sum(bool(info.flag_bits & _ENCRYPTED) for info in infos)
    if infos and locked == len(infos) and not password:
        raise Locked("the archive needs a password")
    said = () if infos else (SourceWarning(WarningCode.NO_TEXT, None, "the archive is empty"),)
    return Opened(Kind.ZIP, None, warnings=said, members=lambda: _zip_members(file, password, limits))


def _archive(file: Path | bytes) -> zipfile.ZipFile:
    return zipfile.ZipFile(BytesIO(file) if isinstance(file, bytes) else file)


def _files(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    return [info for info in archive.infolist() if not info.is_dir() and not _LITTER.search(info.filename)]


def _zip_members(file: Path | bytes, password: str | None, limits: Limits) -> Iterator[Member]:
    left = limits.family_bytes
    with _archive(file) as archive:
        for number, info in enumerate(_files(archive)):
            name = safe_name(_name(info))
            if number == limits.members:
                yield Member(name, None, f"only the first {limits.members} files of the archive were read")
                return
            member = _unpacked(archive, info, name, password, limits)
            left -= len(member.data or b"")
            if left < 0:
                yield Member(name, None, "the archive unpacks to more than is read; its other files were left out")
                return
            yield member


def _unpacked(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, password: str | None, limits: Limits
) -> Member:
    """Reads block by block and stops at the limits: what the directory claims of sizes is not believed."""
    most = min(limits.member_bytes, max(_SMALL, limits.expansion * max(info.compress_size, 1)))
    data = bytearray()
    try:
        with archive.open(info, pwd=password.encode() if password else None) as member:
            while block := member.read(_BLOCK):
                data += block
                if len(data) > most:
                    return Member(name, None, "a file of the archive unpacks to more than is read; it was left out")
    except RuntimeError:
        return Member(name, None, "a file of the archive needs a password, or the one given does not fit")
    except Exception as error:  # zlib, lzma and bz2 errors have no common base
        return Member(name, None, f"a file of the archive cannot be unpacked ({type(error).__name__})")
    return Member(name, bytes(data))


def _name(info: zipfile.ZipInfo) -> str:
    """Programs that write UTF-8 without saying so are common; else the name is in code page 437."""
    if info.flag_bits & _UTF8_NAME:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except (UnicodeEncodeError, UnicodeDecodeError):
        return info.filename


def safe_name(name: str) -> str:
    """A relative path that leads nowhere else: no root, drive, "..", control character or the mark of a member."""
    clean = "".join(c if c.isprintable() else "_" for c in name.replace("\\", "/"))
    parts = [
        p for p in PurePosixPath(clean).parts if p not in ("/", ".", "..", "//") and not re.fullmatch("[A-Za-z]:", p)
    ]
    path = "/".join(part[:200].rstrip("!") or "_" for part in parts)
    return unicodedata.normalize("NFC", path) or "unnamed"


def pdf_members(file: Path | bytes, password: str | None, limits: Limits) -> Iterator[Member]:
    """Embedded files of a PDF, those of file annotations and associated files too, in the order of their objects."""
    from ingest.mupdf import pymupdf

    seen: set[bytes] = set()
    left = limits.family_bytes
    try:
        with pymupdf.open(stream=file) if isinstance(file, bytes) else pymupdf.open(file) as document:
            if document.needs_pass and not (password and document.authenticate(password)):
                return
            for member in chain(_named(document), _referred(document)):
                data = member.data
                if data is not None and (digest := sha256(data).digest()) in seen:
                    continue
                if len(seen) == limits.members or len(data or b"") > min(left, limits.member_bytes):
                    yield Member(member.name, None, "more is embedded than is read; the rest was left out")
                    return
                if data is not None:
                    seen.add(digest)
                    left -= len(data)
                yield member
    except MemoryError:
        raise
    except Exception as error:  # MuPDF raises many kinds for damaged objects
        yield Member("unnamed", None, f"the embedded files cannot be listed ({type(error).__name__})")


def _named(document: "pymupdf.Document") -> Iterator[Member]:
    """What the document's name tree lists."""
    for number in range(document.embfile_count()):
        try:
            info = document.embfile_info(number)
            name = safe_name(info.get("ufilename") or info.get("filename") or info.get("name") or "")
            yield Member(name, document.embfile_get(number))
        except Exception as error:
            yield Member("unnamed", None, f"an embedded file cannot be read ({type(error).__name__})")


def _referred(document: "pymupdf.Document") -> Iterator[Member]:
    """File specifications anywhere else: of annotations (/FS) and associated files (/AF). An object that is damaged is
    passed over: most files have one, and nothing says that it would embed anything."""
    for xref in range(1, document.xref_length()):
        for path in ("EF", "FS/EF"):
            if not _has_files(document, xref, path):
                continue
            keys = (document.xref_get_key(xref, f"{path}/{key}") for key in ("UF", "F", "Unix", "DOS", "Mac"))
            stream = next((int(value.split()[0]) for kind, value in keys if kind == "xref"), None)
            if stream is None:
                continue
            spec = path.removesuffix("EF")
            names = (document.xref_get_key(xref, spec + key) for key in ("UF", "F"))
            name = next((value for kind, value in names if kind == "string" and value), "")
            try:
                yield Member(safe_name(name), document.xref_stream(stream))
            except Exception as error:
                yield Member(safe_name(name), None, f"an embedded file cannot be read ({type(error).__name__})")


def _has_files(document: "pymupdf.Document", xref: int, path: str) -> bool:
    try:
        return document.xref_get_key(xref, path)[0] in ("dict", "xref")
    except Exception:  # MuPDF raises many kinds for damaged objects
        return False
