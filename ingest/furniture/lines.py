"""What a page shows to its neighbours: the lines at its top and foot, and what may be its number or a stamp on it."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

from ingest.furniture.bates import Bates, bates_number
from ingest.numerals import roman_value
from ingest.page.lines import TextLine
from verify.domain.document import ElementKind
from verify.domain.geometry import Box

TOP_LINES = 4
FOOT_LINES = 3
EDGE = 0.14  # of the page's height: stamps and lone numbers stand within this of an edge
_NUMBER = re.compile(
    r"(?:[-–—\[(|~·]\s?)*(?P<named>(?:page|pg\.?|p\.|pag\.|seite|página|blatt)\s?)?"
    r"(?P<label>\d{1,6}|[ivxlcdm]{1,8}|[IVXLCDM]{1,8}|[A-Z]{1,3}[-.–]\d{1,3}(?:[-.]\d{1,3})?|\d{1,2}[-–]\d{1,3})"
    r"(?:\s?(?:of|/|von|de|sur)\s?(?P<total>\d{1,4}))?(?:\s?[-–—\])|~·])*",
    re.IGNORECASE,
)
_MASK = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)


@dataclass(slots=True)
class PageLines:
    """The lines of one page with what is found out about them: ``kinds`` by line number. ``labels_declared`` says
    that the document declares labels at all: then a printed number is no label where it declares none. ``notes`` are
    texts of annotations: some programs stamp Bates numbers as such."""

    index: int
    height: int
    lines: Sequence[TextLine]
    declared: str | None
    labels_declared: bool
    notes: Sequence[tuple[str, Box]] = ()
    kinds: dict[int, ElementKind] = field(default_factory=dict)
    ends: "Ends | None" = None
    printed: str | None = None
    bates: Bates | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    line: int
    label: str
    value: int
    style: str
    at_edge: bool
    """Near the top or foot of the sheet, or the last row on it."""
    single: bool
    """True for the only piece of the first or last row, in type that is not display type."""
    named: bool
    """True for "Page 3" and "3/34": it says what it is, whatever its neighbours show."""


class Ends(NamedTuple):
    """What a page shows to its neighbours: the lines at its top and foot, what may be its number, its stamps."""

    top: list[int]
    foot: list[int]
    keys: dict[int, str]
    candidates: list["Candidate"]
    stamps: frozenset[str]
    places: list[tuple[str, int]]
    """The texts with letters among them, masked, with their baselines in points."""
    openings: dict[int, str]
    """First words of lines of the first row that leave room beside them, by line number."""
    begins: int
    """Where the page's first line begins (1/100 pt)."""


def ends_of(page: PageLines) -> Ends:
    """Found once a page; each page is looked at in three windows."""
    if page.ends is None:
        top, foot = top_and_foot(page)
        keys = {i: masked(page.lines[i].text) for i in top + foot}
        stamps = frozenset(n.text for n in page.lines if len(n.text) < 60 and bates_number(n.text))
        places = [(key, page.lines[i].baseline // 100) for i, key in keys.items() if any(map(str.isalpha, key))]
        first = min([line.box.y0 for line in page.lines], default=0)
        page.ends = Ends(top, foot, keys, _candidates(page), stamps, places, _openings(page, top), first)
    return page.ends


def top_and_foot(page: PageLines) -> tuple[list[int], list[int]]:
    """Line numbers of the first lines from the top and the last ones, by position; a line is in one of them only.

    On a page of some lines the last ones are at its foot even if they end in the sheet's upper half.
    """
    by_height = sorted(range(len(page.lines)), key=lambda i: page.lines[i].baseline)
    half = page.height // 2
    some = len(by_height) > TOP_LINES + FOOT_LINES + 4
    top = [i for i in by_height[: TOP_LINES + 2] if page.lines[i].baseline < half]
    foot = [i for i in by_height[-FOOT_LINES - 2 :] if some or page.lines[i].baseline >= half]
    return _rows(page, top, TOP_LINES), _rows(page, foot[::-1], FOOT_LINES)


def _rows(page: PageLines, numbers: list[int], rows: int) -> list[int]:
    """As many of the lines as stand in so many rows: pieces side by side count as one."""
    return [i for row in by_row(page, numbers)[:rows] for i in row]


def masked(text: str) -> str:
    """The text with what changes from page to page taken out."""
    return _MASK.sub("#", text).casefold()


def _openings(page: PageLines, top: list[int]) -> dict[int, str]:
    right = max((line.box.x1 for line in page.lines), default=0)
    found = {}
    for i in (i for row in by_row(page, top)[:1] for i in row):
        line, words = page.lines[i], page.lines[i].text.split()
        if len(words) >= 4 and line.box.x1 <= line.box.x0 + 0.8 * (right - line.box.x0):
            found[i] = masked(" ".join(words[:3]))
    return found


def by_row(page: PageLines, numbers: list[int]) -> list[list[int]]:
    """Lines, given in order of height, that stand on one baseline."""
    rows: list[list[int]] = []
    for i in numbers:
        if rows and abs(page.lines[i].baseline - page.lines[rows[-1][0]].baseline) <= page.lines[i].size // 2:
            rows[-1].append(i)
        else:
            rows.append([i])
    return rows


def in_margin(box: Box, height: int) -> bool:
    """True where a page has margins, whatever it holds."""
    return box.y1 <= EDGE * height or box.y0 >= (1 - EDGE) * height


def _candidates(page: PageLines) -> list[Candidate]:
    rows = Counter(line.baseline // 300 for line in page.lines)
    by_height = sorted(range(len(page.lines)), key=lambda i: page.lines[i].baseline)
    usual = median([line.size for line in page.lines]) if page.lines else 0
    edge = {*by_height[:TOP_LINES], *by_height[-FOOT_LINES - 1 :]}
    out = []
    for i, line in enumerate(page.lines):
        if len(line.text) > 24:
            continue
        match = _NUMBER.fullmatch(line.text.strip())
        if match is None:
            continue
        label = match["label"]
        ends = i == by_height[-1] and rows[line.baseline // 300] == 1
        at_edge = i in edge and (ends or near_edge(line, page.height))
        if not at_edge and (rows[line.baseline // 300] > 1 or not label.isdigit()):
            continue
        value, style = _value(label)
        single = i in (by_height[0], by_height[-1]) and rows[line.baseline // 300] == 1 and line.size <= 1.3 * usual
        named = match["named"] is not None or match["total"] is not None
        out.append(Candidate(i, label, value, style, at_edge, single and value <= 999, named))
    return out


def near_edge(line: TextLine, height: int) -> bool:
    """Within a fifth of the page's height of its top or foot."""
    return line.box.y1 <= 0.2 * height or line.box.y0 >= 0.8 * height


def _value(label: str) -> tuple[int, str]:
    if label.isdigit():
        return int(label), "D"
    number = roman_value(label)
    if number is not None:
        return number, "r"
    head, _, tail = re.sub(r"[–.]", "-", label).rpartition("-")
    return (int(tail), head) if tail.isdigit() else (0, label)
