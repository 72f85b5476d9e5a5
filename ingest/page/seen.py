"""A page on its way from what was seen on it to elements: words, lines, what is hidden, what has its own text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ingest.page.lines import TextLine
from ingest.page.raw import RawPage, RawWord, TableDraft
from ingest.page.words import TypeLine
from verify.domain.document import ElementKind, SourceWarning
from verify.domain.geometry import Box


@dataclass(slots=True)
class OwnText:
    """An annotation or form field: its text is its own. ``box`` is where it is shown. ``typed`` annotations are words
    put on the page itself; ``label`` is what is printed beside such a one."""

    kind: ElementKind
    text: str
    box: Box
    words: tuple[tuple[str, int, int, Box], ...] = ()  # text, start, end, box
    typed: bool = False
    label: str = ""


@dataclass(slots=True)
class Sheet:
    """A page on its way from words to elements. ``hidden`` holds a word and the raw word it follows (-1: none).

    ``lines`` lie on a page of ``frame`` (width, height): the displayed one, or where a scan was ``turned`` the one that
    is read. ``typed`` are the lines as the file sets them. Of a turned page ``upright`` holds the same words one for
    one, with the rules seen in the scan, as they are read; ``shown`` maps its boxes to the displayed page. ``written``
    are pictures beside native text that are to be recognised.
    """

    raw: RawPage
    lines: list[TextLine]
    hidden: list[tuple[RawWord, int]] = field(default_factory=list)
    own: list[OwnText] = field(default_factory=list)
    warnings: list[SourceWarning] = field(default_factory=list)
    ocr_confidence: int | None = None
    garbled: bool = False
    label: str | None = None
    tables: tuple[TableDraft, ...] = ()
    typed: Sequence[TypeLine] = ()
    frame: tuple[int, int] = (0, 0)
    turned: bool = False
    upright: RawPage | None = None
    shown: Callable[[Box], Box | None] | None = None
    written: tuple[Box, ...] = ()

    @property
    def read(self) -> RawPage:
        """The page as its lines lie on it."""
        return self.upright or self.raw
