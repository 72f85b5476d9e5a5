"""What a draft cites, as plain text shows it. Offsets are code points, half-open, in the text of one block."""

from dataclasses import dataclass
from enum import StrEnum


class CitationKind(StrEnum):
    """The closed list of the contract, section 6 (cite-check)."""

    CASE = "case"
    STATUTE = "statute"
    RECORD = "record"
    EXHIBIT = "exhibit"
    TRANSCRIPT = "transcript"
    CLAUSE = "clause"
    BATES = "bates"
    DOCUMENT = "document"


class Form(StrEnum):
    """How a citation names its document: by itself, or by pointing back at an earlier citation."""

    FULL = "full"
    SHORT = "short"
    SUPRA = "supra"
    ID = "id"


@dataclass(frozen=True, slots=True)
class Pinpoint:
    """``pages`` are labels as written, a range written out ("464-65" is 464 and 465). ``paragraphs`` are numbers of
    paragraphs. ``lines`` are (page label, first line, last line) of a transcript. ``section`` is a clause's number."""

    as_written: str
    pages: tuple[str, ...] = ()
    paragraphs: tuple[int, ...] = ()
    lines: tuple[tuple[str, int, int], ...] = ()
    section: str = ""


@dataclass(frozen=True, slots=True)
class ReporterCite:
    """``page`` is "" where the draft leaves it blank ("581 U. S. ___")."""

    volume: str
    reporter: str
    page: str

    def __str__(self) -> str:
        return " ".join(filter(None, (self.volume, self.reporter, self.page)))


@dataclass(frozen=True, slots=True)
class Mention:
    """One citation of a draft. ``block`` is the index of its block, ``start``/``end`` its place in it.

    ``parties`` are the names of a case, one for "In re". ``key`` is what names a record: the number of an exhibit or a
    docket entry, a witness, a defined term, a Bates number; ``key_kind`` says what sort of name that is ("exhibit",
    "entry", "deposition", "pleading", "statement", "term", "bates", "record"). ``writer`` is the judge whose separate
    opinion is cited ("Thomas", "" for the court's own). ``refers_to`` is the index of the mention that id., supra or a
    short form points back to, None where it points at nothing that was found.
    """

    block: int
    start: int
    end: int
    text: str
    kind: CitationKind
    form: Form = Form.FULL
    parties: tuple[str, ...] = ()
    reporters: tuple[ReporterCite, ...] = ()
    docket: str = ""
    year: str = ""
    pin: Pinpoint | None = None
    parenthetical: str = ""
    writer: str = ""
    separate: str = ""
    slip: bool = False
    key: str = ""
    key_kind: str = ""
    last_key: str = ""
    refers_to: int | None = None
