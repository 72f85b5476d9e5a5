"""What documents of a matter can be cited by: captions, reports, docket, exhibit and entry numbers, titles."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from app.services.matter.matter import Matter
from models.citations.authorities import DOCKET, find_authorities, plain_docket
from models.citations.model import CitationKind, ReporterCite
from models.citations.names import key_words, names_in
from verify.domain.document import ElementKind, Page, SourceRecord, SourceStatus

_READ = (SourceStatus.INDEXED, SourceStatus.PARTIAL)
_HEAD = 3000
"""Characters of the first page in which a document names itself."""
_OWN_CITE = 400
"""Characters of it in which a report prints its own citation."""
_EXHIBIT_NAME = re.compile(
    r"(?:^|[\W_])(?:ex|exs|exh|exhibit|tab|annex|att|attachment|schedule|appendix)[\W_]{0,3}(?P<key>[A-Z]{0,3}-?\d{1,4}[A-Z]?|[A-Z]{1,2})(?=$|[\W_])",
    re.IGNORECASE,
)
_EXHIBIT_STAMP = re.compile(
    r"^\W*(?:(?:plaintiff|defendant|joint|trial|government)[’']?s?[’']?\s)?(?:exhibit|ex\.|tab|annex|attachment|schedule)\s*(?:no\.?\s*)?(?P<key>[A-Z]{0,3}-?\d{1,4}[A-Z]?|[A-Z]{1,2})\W*$",
    re.IGNORECASE,
)
_ENTRY_STAMP = re.compile(
    r"\b(?:Document|Doc\.?|ECF No\.|Dkt\.?(?: Entry)?:?)\s+(?P<key>\d{1,4}(?:-\d{1,3})?)\s+(?:Filed|Page|Entered)",
    re.IGNORECASE,
)
_ENTRY_NAME = re.compile(
    r"(?:^|[\W_])(?:ecf|dkt|doc|docket|de)[\W_]*(?:no)?[\W_]*(?P<key>\d{1,4}(?:-\d{1,3})?)(?=$|[\W_])", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Card:
    """One document. ``captions`` are (first party's words, second party's words, as printed); the second set is empty
    for "In re". ``exhibits`` and ``entries`` are numbers in capitals. ``words`` are those of its name and head."""

    record: SourceRecord
    captions: tuple[tuple[frozenset[str], frozenset[str], str], ...]
    reporters: frozenset[ReporterCite]
    dockets: frozenset[str]
    exhibits: frozenset[str]
    entries: frozenset[str]
    name_words: frozenset[str]
    head_words: frozenset[str]

    @property
    def title(self) -> str:
        """How a person knows the document."""
        return self.record.metadata.title or (
            self.captions[0][2] if self.captions else PurePosixPath(self.record.path).stem
        )


class Catalogue:
    """``cards`` are of every document that was read and is current, in the order of the registry."""

    def __init__(self, matter: Matter) -> None:
        self.matter = matter
        view = matter.view()
        records = [r for r in matter.sources() if r.status in _READ and view.may_read(r)]
        self.cards = tuple(_card(matter, record) for record in records)

    @cached_property
    def by_id(self) -> dict[str, Card]:
        return {card.record.source_id: card for card in self.cards}

    @cached_property
    def listed_exhibits(self) -> dict[str, str]:
        """Exhibit number (in capitals) → what a list of exhibits in the matter says it is."""
        found: dict[str, str] = {}
        for card in self.cards:
            if {"exhibits", "exhibit", "index", "list"} & card.name_words or {"list", "exhibits"} <= card.head_words:
                for page in self.pages(card.record):
                    found |= dict(_listed(page))
        return found

    def pages(self, record: SourceRecord) -> Iterator[Page]:
        for index in range(record.page_count):
            page = self.matter.pages.get(record, index)
            if page is not None:
                yield page


def _card(matter: Matter, record: SourceRecord) -> Card:
    first = matter.pages.get(record, 0) if record.page_count else None
    stem = PurePosixPath(record.path.rpartition("!/")[2]).stem
    spoken = re.sub(
        r"(?<=\w)\.(?=\w)|_|(?<=\s)vs?\.?(?=\s)", lambda m: " v. " if m.group().startswith("v") else " ", stem
    )
    spoken = re.sub(r"\sv\s", " v. ", re.sub(r"(?<![A-Za-z])\d{4,}(?![A-Za-z])", "", " ".join(spoken.split())))
    title = record.metadata.title or ""
    text = " ".join(first.text[:_HEAD].split()) if first else ""
    heads = [e.text for e in first.elements if e.kind in (ElementKind.HEADER, ElementKind.STAMP)] if first else []
    dockets = {plain_docket(m["number"]) for m in DOCKET.finditer(", " + text)}
    return Card(
        record, tuple(_captions(spoken, title, text, heads)), frozenset(_own_cites(spoken, title, text, heads)),
        frozenset(dockets), frozenset(_exhibits(stem, first)), frozenset(_entries(stem, first)),
        _name_words(f"{re.sub(r'[^A-Za-z0-9]+', ' ', stem)} {title}"),
        _name_words(text[:_OWN_CITE * 2]),
    )  # fmt: skip


def _captions(*texts: object) -> Iterator[tuple[frozenset[str], frozenset[str], str]]:
    """From the file's name, the title, the running heads and the first page, in this order; names that a page cites
    with a report are other cases'."""
    spoken, title, text, heads = texts
    seen: set[tuple[frozenset[str], frozenset[str]]] = set()
    for piece in (spoken, title, *(heads if isinstance(heads, list) else ()), text):
        piece = " ".join(str(piece).split())
        cited = [(m.start, m.end) for m in find_authorities(piece, 0) if m.reporters and m.start > _OWN_CITE // 4]
        for parties, start, _ in names_in(piece):
            if any(a <= start < b for a, b in cited):
                continue
            sides = [_BEFORE.sub("", parties[0]), *(_AFTER.sub("", party) for party in parties[1:])]
            left, right = key_words(sides[0]), key_words(sides[1]) if len(sides) > 1 else frozenset[str]()
            if left and (left, right) not in seen:
                seen.add((left, right))
                yield left, right, " v. ".join(sides) if right else f"In re {sides[0]}"


_BEFORE = re.compile(
    r"^(?:.*\b(?:SUPREME COURT OF THE UNITED STATES|COURT OF APPEALS|CIRCUIT|DIVISION|DISTRICT OF [A-Z]+|Syllabus|"
    r"No\.\s\S+)\s)?"
    r"(?:\d+\s)?", re.DOTALL,
)  # fmt: skip
_AFTER = re.compile(r"(?:\s-\s|,?\s(?:ON (?:PETITION|APPEAL|WRIT)|CERTIORARI|APPEAL FROM|No\.|ET AL)).*$", re.DOTALL)
"""What a first page sets before and after the parties."""


def _own_cites(spoken: str, title: str, text: str, heads: Sequence[str]) -> Iterator[ReporterCite]:
    for piece in (spoken, title, text[:_OWN_CITE], *heads):
        for mention in find_authorities(" ".join(piece.split()), 0):
            if mention.kind is CitationKind.CASE and mention.start < _OWN_CITE // 2:
                yield from mention.reporters


def _exhibits(stem: str, first: Page | None) -> Iterator[str]:
    yield from (match["key"].upper() for match in _EXHIBIT_NAME.finditer(stem))
    for element in first.elements if first else ():
        for line in element.text.split("\n"):
            if match := _EXHIBIT_STAMP.match(line):
                yield match["key"].upper()


def _entries(stem: str, first: Page | None) -> Iterator[str]:
    yield from (match["key"] for match in _ENTRY_NAME.finditer(stem))
    if first is not None and (match := _ENTRY_STAMP.search(first.text)):
        yield match["key"]


def _name_words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower()))


_LISTED = re.compile(
    r"^\W*(?:(?:Ex\.|Exh\.|Exhibit|Tab)\s*)?(?P<key>[A-Z]{0,3}-?\d{1,4}[A-Z]?|[A-Z])[.:)\s–—-]+(?P<what>[A-Za-z][^\n]{4,200})$",
    re.MULTILINE,
)


def _listed(page: Page) -> Iterator[tuple[str, str]]:
    for table in page.tables:
        rows: dict[int, list[str]] = {}
        for cell in table.cells:
            rows.setdefault(cell.row, []).append(cell.text)
        for cells in rows.values():
            if len(cells) > 1 and (
                match := _EXHIBIT_STAMP.match(f"Exhibit {re.sub(r'^(?:Exhibit|Ex[.]|Tab) ', '', cells[0])}")
            ):
                yield match["key"].upper(), " ".join(cells[1:])
    for match in _LISTED.finditer(page.text):
        yield match["key"].upper(), match["what"]
