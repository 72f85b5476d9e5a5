"""From a pinpoint to the pages of a document: by labels, star pages, paragraphs, lines, sections, Bates numbers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from app.services.cite_check.resolving import bates_pages
from models.citations.model import CitationKind, Form, Mention, Pinpoint
from verify.domain.document import Element, ElementKind, Page


class Fault(StrEnum):
    """Why a pinpoint names no page. ``OTHER_PAGING`` is a document that does not carry the numbering that is cited."""

    NONE_GIVEN = "none_given"
    BEYOND = "beyond"
    OTHER_PAGING = "other_paging"
    NO_PARAGRAPH = "no_paragraph"
    NO_SECTION = "no_section"
    NO_LINE = "no_line"


class Part(StrEnum):
    OPINION = "opinion"
    SYLLABUS = "syllabus"
    SEPARATE = "separate"
    APPENDIX = "appendix"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Pinned:
    """``pages`` are machine indexes, in order. ``lines`` are (page index, first, last) of a transcript."""

    pages: tuple[int, ...] = ()
    lines: tuple[tuple[int, int, int], ...] = ()
    fault: Fault | None = None


@dataclass(frozen=True, slots=True)
class PageFacts:
    index: int
    label: str
    printed: str
    part: Part
    writer: str


_SYLLABUS = re.compile(r"\bSyllabus\b")
_COURT = re.compile(r"\bOpinion of the Court\b|\bPer Curiam\b|\bPER CURIAM\b")
_SEPARATE = re.compile(
    r"(?P<writer>[A-Z][A-Za-z’']+),\s(?:C\.\s?)?J\.,?\s?(?:concurring|dissenting)"
    r"|(?:Opinion|Statement) of (?P<other>[A-Z][A-Za-z’']+),\s(?:C\.\s?)?J\."
)
_HEAD = 170
"""Characters of a page in which its running head stands."""


@dataclass
class PageMap:
    """The numbering of one document."""

    pages: Sequence[Page]
    facts: tuple[PageFacts, ...] = field(init=False)
    stars: dict[str, tuple[int, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.facts = tuple(_facts(page) for page in self.pages)
        self.stars = _star_pages(self.pages)

    def part_of(self, index: int) -> PageFacts | None:
        return next((f for f in self.facts if f.index == index), None)

    def pin(self, mention: Mention) -> Pinned:
        if mention.kind is CitationKind.BATES:
            found = bates_pages(mention, self.pages)
            return Pinned(found) if found else Pinned(fault=Fault.BEYOND)
        pin = mention.pin
        if pin is None or not (pin.pages or pin.paragraphs or pin.lines or pin.section):
            return Pinned(fault=Fault.NONE_GIVEN)
        if pin.lines:
            return self._lines(pin)
        if pin.pages:
            return self._pages(mention, pin)
        if pin.paragraphs:
            return self._paragraphs(pin)
        return self._section(pin)

    def _pages(self, mention: Mention, pin: Pinpoint) -> Pinned:
        first = next((int(c.page) for c in mention.reporters if c.page.isdigit()), None)
        by_report = first is not None and not mention.slip and all(p.isdigit() and int(p) >= first for p in pin.pages)
        if (by_report and mention.form is Form.FULL) or (mention.form is Form.SHORT and mention.reporters):
            if self.stars:
                return _gathered([self.stars.get(label, ()) for label in pin.pages])
            if first is not None and str(first) not in {f.label for f in self.facts} | {f.printed for f in self.facts}:
                return Pinned(fault=Fault.OTHER_PAGING)
        if self.stars and any(label in self.stars for label in pin.pages):
            return _gathered([self.stars.get(label, ()) for label in pin.pages])
        if not any(f.label or f.printed for f in self.facts):
            return _gathered([_by_count(label, self.pages) for label in pin.pages])
        return _gathered([self._labelled(label, mention) for label in pin.pages])

    def _labelled(self, label: str, mention: Mention) -> tuple[int, ...]:
        """The pages that bear the number, of the part that the citation names: the court's own opinion unless it names
        another (Bluebook rule 10.6.1). Without parts every page that bears it is meant."""
        found = [f for f in self.facts if label in (f.label, f.printed)]
        if mention.separate or mention.writer:
            apart = [f for f in self.facts if _is_by(f, mention)]
            if apart and not any(f.label or f.printed for f in apart) and label.isdigit():
                return tuple(f.index for f in apart[int(label) - 1 : int(label)])  # an opinion of a page or two
            return tuple(f.index for f in found if f in apart)
        court = [f for f in found if f.part is Part.OPINION]
        if any(f.part is Part.OPINION for f in self.facts):
            return tuple(f.index for f in court)
        plain = [f for f in found if f.part is not Part.SYLLABUS]
        return tuple(f.index for f in plain or found)

    def _paragraphs(self, pin: Pinpoint) -> Pinned:
        numbered = _numbered_paragraphs(self.pages)
        found = _gathered([numbered.get(number, ()) for number in pin.paragraphs])
        return found if found.pages else Pinned(fault=Fault.NO_PARAGRAPH)

    def _lines(self, pin: Pinpoint) -> Pinned:
        lines: list[tuple[int, int, int]] = []
        for label, first, last in pin.lines:
            pages = [f.index for f in self.facts if label in (f.label, f.printed)]
            pages = pages or list(_by_count(label, self.pages) if not any(f.label for f in self.facts) else ())
            if not pages:
                return Pinned(fault=Fault.BEYOND)
            page = next(p for p in self.pages if p.index == pages[0])
            numbers = [line.number for line in page.lines if line.number is not None]
            if numbers and first > max(numbers):
                return Pinned(fault=Fault.NO_LINE)
            lines.append((pages[0], first, min(last, max(numbers)) if numbers else last))
        return Pinned(tuple(dict.fromkeys(page for page, _, _ in lines)), tuple(lines))

    def _section(self, pin: Pinpoint) -> Pinned:
        found = section_pages(self.pages, pin.section)
        return Pinned(found) if found else Pinned(fault=Fault.NO_SECTION)


def _is_by(facts: PageFacts, mention: Mention) -> bool:
    if mention.separate.lower() in ("syllabus", "headnote"):
        return facts.part is Part.SYLLABUS
    if mention.separate.lower() in ("plurality", "for the court"):
        return facts.part is Part.OPINION
    if mention.writer:
        return facts.part is Part.SEPARATE and facts.writer.lower() == mention.writer.lower()
    return facts.part is Part.SEPARATE


def _gathered(groups: Sequence[Sequence[int]]) -> Pinned:
    """All pages of a list or range; one that is not there means that the pinpoint runs beyond."""
    if not all(groups):
        return Pinned(fault=Fault.BEYOND)
    return Pinned(tuple(sorted({index for group in groups for index in group})))


def _by_count(label: str, pages: Sequence[Page]) -> tuple[int, ...]:
    """Of a document that prints no numbers, its pages counted from 1."""
    return (int(label) - 1,) if label.isdigit() and any(p.index == int(label) - 1 for p in pages) else ()


def _facts(page: Page) -> PageFacts:
    head = " ".join(page.text[:_HEAD].split())
    part, writer = Part.UNKNOWN, ""
    if separate := _SEPARATE.search(head):
        part, writer = Part.SEPARATE, separate["writer"] or separate["other"]
    elif _COURT.search(head):
        part = Part.OPINION
    elif _SYLLABUS.search(head):
        part = Part.SYLLABUS
    elif re.search(r"\bappendix\b", head, re.IGNORECASE):
        part = Part.APPENDIX
    return PageFacts(page.index, page.label or "", page.printed_label or "", part, writer)


_STAR = re.compile(
    r"\[p?\s?\*?(?P<a>\d{1,4})\]|(?<![\w*])\*{1,2}(?P<b>\d{1,4})\b|\bPage \d{1,3} U\. ?S\. (?P<c>\d{1,4})\b"
)
_FEWEST_STARS = 3


def _star_pages(pages: Sequence[Page]) -> dict[str, tuple[int, ...]]:
    """Page of the report → pages of this document on which it is printed, where markers rise one by one."""
    marks: list[tuple[int, int]] = []
    for page in pages:
        for found in _STAR.finditer(page.text):
            number = int(found["a"] or found["b"] or found["c"])
            if not marks or 0 < number - marks[-1][0] <= 2:
                marks.append((number, page.index))
            elif len(marks) < _FEWEST_STARS:
                marks = [(number, page.index)]
    if len(marks) < _FEWEST_STARS:
        return {}
    ends = [index for _, index in marks[1:]] + [pages[-1].index]
    found_pages = {str(n): tuple(range(begin, end + 1)) for (n, begin), end in zip(marks, ends, strict=True)}
    before = str(marks[0][0] - 1)
    return {before: tuple(range(pages[0].index, marks[0][1] + 1)), **found_pages}


_PARAGRAPH = re.compile(r"^(?:¶\s?)?\[?(?P<number>\d{1,4})(?:\]|\.|\))?(?=\s)")
_BODY = (ElementKind.PARAGRAPH, ElementKind.LIST_ITEM, ElementKind.HEADING)


def _numbered_paragraphs(pages: Sequence[Page]) -> dict[int, tuple[int, ...]]:
    """Number → the pages that the paragraph stands on. Numbers rise by one, so that a number that opens a line by
    chance, or a list inside a paragraph, is not taken for one."""
    starts: list[tuple[int, int]] = []
    for page in pages:
        for element in page.elements:
            for number in _opening_numbers(element):
                if number == (starts[-1][0] + 1 if starts else number) and (starts or number <= 2):
                    starts.append((number, page.index))
    found = {}
    for at, (number, index) in enumerate(starts):
        end = starts[at + 1][1] if at + 1 < len(starts) else index
        found[number] = tuple(range(index, end + 1)) if end > index and _runs_over(pages, end) else (index,)
    return found


def _opening_numbers(element: Element) -> list[int]:
    if element.kind not in _BODY:
        return []
    lines = [element.text.split("\n")[0]] if element.kind is ElementKind.HEADING else element.text.split("\n")
    return [int(found["number"]) for line in lines if (found := _PARAGRAPH.match(line + " "))]


def _runs_over(pages: Sequence[Page], index: int) -> bool:
    """True if the page begins with the rest of a paragraph: its first body element bears no number."""
    page = next(p for p in pages if p.index == index)
    first = next((e for e in page.elements if e.kind in _BODY), None)
    return first is not None and not _PARAGRAPH.match(first.text + " ")


_SPLIT = re.compile(r"[A-Za-z]?\d+(?:\.\d+)*|\([A-Za-z0-9]+\)")


def section_pages(pages: Sequence[Page], section: str) -> tuple[int, ...]:
    """Where the clause of that number begins; with "(b)" the item of that mark that follows it. A table of contents
    names a clause too, so the last place that opens with the number and goes on in words is preferred."""
    number, *items = _SPLIT.findall(section)
    opening = re.compile(
        rf"^(?:(?:Section|Sec\.|§|Clause|Article|ARTICLE|SECTION|CLAUSE)\s?)?{re.escape(number)}(?![\d])\.?(?!\.\d)[\s.:)]",
        re.MULTILINE,
    )
    places = [
        (page.index, at, element)
        for page in pages
        for at, element in enumerate(page.elements)
        if element.kind in (*_BODY, ElementKind.TABLE) and opening.search(element.text + " ")
    ]
    if not places:
        return ()
    worded = [place for place in places if not re.search(r"\.{4,}|\s\d{1,3}$", place[2].text.strip())]
    index, at, element = (worded or places)[0]
    for item in items:
        nxt = _item_after(pages, index, at, item)
        if nxt is None:
            return (index,) if item in element.text else ()
        index, at = nxt
    return (index,)


_ITEM_REACH = 40


def _item_after(pages: Sequence[Page], index: int, at: int, item: str) -> tuple[int, int] | None:
    seen = 0
    for page in pages:
        if page.index < index:
            continue
        for position, element in enumerate(page.elements):
            if page.index == index and position < at:
                continue
            if element.text.lstrip().startswith(item) or (
                position == at and page.index == index and f" {item}" in element.text
            ):
                return page.index, position
            seen += 1
            if seen > _ITEM_REACH:
                return None
    return None
