"""TAR archives, packed with gzip or not, and single files packed with gzip: members only, under the limits of a ZIP."""

import gzip
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO

from ingest.failures import Damaged
from ingest.formats.archive import safe_name
from ingest.formats.model import Member, Opened
from ingest.formats.sniff import Kind, is_tar
from ingest.limits import Limits
from verify.domain.document import SourceWarning, WarningCode

_SMALL = 1 << 20
_BLOCK = 1 << 20
_FAULTS = (tarfile.TarError, OSError, EOFError, zlib.error, ValueError, UnicodeError)


class _TooMuch(Exception):
    pass


class _Bounded:
    """Reads on until more has come out than the packed file may hold, whatever its headers claim."""

    def __init__(self, stream: IO[bytes] | gzip.GzipFile, most: int) -> None:
        self._stream = stream
        self._left = most

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(min(size, self._left + 1) if size >= 0 else self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise _TooMuch
        return data


def open_tar(kind: Kind, file: Path | bytes, name: str, limits: Limits) -> Opened:
    """Raises Damaged for what cannot be begun; a fault further on ends the members and is told."""
    try:
        with _unpacked(kind, file, limits) as stream:
            start = stream.read(512)
    except _FAULTS as error:
        raise Damaged(f"the archive is damaged ({type(error).__name__})") from None
    if kind is Kind.GZIP and not is_tar(start):
        return Opened(kind, None, members=lambda: _single(file, name, limits))
    empty = not start.strip(b"\0")
    said = (SourceWarning(WarningCode.NO_TEXT, None, "the archive is empty"),) if empty else ()
    return Opened(kind, None, warnings=said, members=lambda: _members(kind, file, limits))


@contextmanager
def _unpacked(kind: Kind, file: Path | bytes, limits: Limits) -> Iterator[_Bounded]:
    """The archive's own bytes, as many as it may hold."""
    with BytesIO(file) if isinstance(file, bytes) else file.open("rb") as raw:
        if kind is not Kind.GZIP:
            yield _Bounded(raw, limits.family_bytes)
            return
        size = len(file) if isinstance(file, bytes) else file.stat().st_size
        most = min(limits.family_bytes, max(_SMALL, limits.expansion * size))
        with gzip.GzipFile(fileobj=raw) as stream:
            yield _Bounded(stream, most)


def _single(file: Path | bytes, name: str, limits: Limits) -> Iterator[Member]:
    inner = safe_name(name[:-3] if name.lower().endswith(".gz") else name + ".unpacked")
    data = bytearray()
    try:
        with _unpacked(Kind.GZIP, file, limits) as stream:
            while block := stream.read(_BLOCK):
                data += block
                if len(data) > limits.member_bytes:
                    raise _TooMuch
    except _TooMuch:
        yield Member(inner, None, "the file unpacks to more than is read; it was left out")
    except _FAULTS as error:
        yield Member(inner, None, f"the file cannot be unpacked ({type(error).__name__})")
    else:
        yield Member(inner, bytes(data))


def _members(kind: Kind, file: Path | bytes, limits: Limits) -> Iterator[Member]:
    last = "unnamed"
    try:
        with (
            _unpacked(kind, file, limits) as stream,
            tarfile.open(fileobj=stream, mode="r|", errors="surrogateescape") as archive,  # type: ignore[call-overload]
        ):
            count = 0
            for info in archive:
                last = safe_name(info.name)
                if info.isdir():
                    continue
                count += 1
                if count > limits.members:
                    yield Member(last, None, f"only the first {limits.members} files of the archive were read")
                    return
                yield _member(archive, info, last, limits)
    except _TooMuch:
        yield Member(last, None, "the archive unpacks to more than is read; its other files were left out")
    except _FAULTS as error:
        yield Member(last, None, f"the archive is damaged; its other files were left out ({type(error).__name__})")


def _member(archive: tarfile.TarFile, info: tarfile.TarInfo, name: str, limits: Limits) -> Member:
    source = archive.extractfile(info) if info.isreg() else None
    if source is None:
        return Member(name, None, "a link or device in the archive was left out")
    data = source.read(limits.member_bytes + 1)
    if len(data) > limits.member_bytes:
        return Member(name, None, "a file of the archive unpacks to more than is read; it was left out")
    return Member(name, data)
