"""What a reader of a format is given and what it makes: values that ``opening`` and every format share."""

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol

from ingest.failures import Damaged
from ingest.formats.sniff import Kind
from ingest.limits import Limits
from ingest.rendition.flow import Flow
from verify.domain.document import Metadata, SourceWarning, WarningCode

SMALL_PICTURE = 8_000
"""Bytes under which a picture inside a text is a logo, a rule or a smiley; a scanned page is larger."""


class Member(NamedTuple):
    """A file inside another. ``name`` is a relative POSIX path without "..", NFC. ``data`` None was left out, and
    ``detail`` says why in words."""

    name: str
    data: bytes | None
    detail: str = ""


def no_members() -> Iterator[Member]:
    return iter(())


class CellPlace(NamedTuple):
    """Where a cell of a sheet stands on a page of the rendition: 1/100 pt from the top left, its address, and the title
    of its table where rows above the header give one."""

    x0: int
    y0: int
    x1: int
    y1: int
    address: str
    title: str | None = None


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
    members: Callable[[], Iterator[Member]] = no_members
    addresses: tuple[tuple[CellPlace, ...], ...] = ()


class Read(NamedTuple):
    """What a reader makes of a file that has no pages: its text, what it declares, what is to be said of it."""

    flow: Flow
    metadata: Metadata = Metadata()
    warnings: tuple[SourceWarning, ...] = ()
    members: Callable[[], Iterator[Member]] = no_members


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file whose kind is known. ``content`` is where it is on disk, or the bytes of a member."""

    kind: Kind
    content: Path | bytes
    name: str
    password: str | None
    limits: Limits

    def data(self) -> bytes:
        """All its bytes. Raises Damaged for a file on disk that is larger than is read whole."""
        if isinstance(self.content, bytes):
            return self.content
        if self.content.stat().st_size > self.limits.member_bytes:
            raise Damaged("the file is larger than is read of this kind")
        return self.content.read_bytes()


class FormatReader(Protocol):
    """Reads files of one kind. A reader that makes running text returns ``Read``, and ``opening`` sets it as pages.

    Raises ``ReadFailure`` (``Locked``, ``Unsupported``, ``Damaged``), OSError or MemoryError."""

    def __call__(self, found: FoundFile, /) -> Opened | Read: ...


class InnerReader(Protocol):
    """Reads a file that is laid into another's text; ``depth`` counts the files around it. Raises ``ReadFailure``."""

    def __call__(self, data: bytes, name: str, limits: Limits, depth: int, /) -> Flow: ...


def counted_warnings(*said: tuple[int, WarningCode, str]) -> Iterator[SourceWarning]:
    """A warning for each count that is not 0, which stands before its words ("3", "hidden slides were left out")."""
    for count, code, words in said:
        if count:
            yield SourceWarning(code, None, f"{count} {words}")


def unique_name(name: str, taken: Set[str]) -> str:
    """The name, with a number if another member has it."""
    number = 1
    unique = name
    while unique in taken:
        number += 1
        unique = f"{name}#{number}"
    return unique
