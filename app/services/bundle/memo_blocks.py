"""A memo before it is a file: the same blocks become DOCX and PDF, so the two never say different things."""

from dataclasses import dataclass
from typing import NamedTuple


class Run(NamedTuple):
    """Words in one style. ``quiet`` is for what is read last: hashes, ids."""

    text: str
    bold: bool = False
    italic: bool = False
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """``level`` 1 is the title."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    runs: tuple[Run, ...]
    indented: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG shown ``width`` points wide; ``alt`` says in words what it shows."""

    png: bytes
    width: int
    alt: str


@dataclass(frozen=True, slots=True)
class Rows:
    """A table whose first row is its header."""

    rows: tuple[tuple[str, ...], ...]


Block = Heading | Paragraph | Picture | Rows


def plain(text: str, *, indented: bool = False, bold: bool = False, italic: bool = False) -> Paragraph:
    return Paragraph((Run(text, bold=bold, italic=italic),), indented)
