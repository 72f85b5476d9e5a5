"""Page furniture: running heads and feet, page numbers, Bates and court stamps, told from running text.

Running heads are lines near the top or foot that come back, digits and romans masked, on 30 % of the pages around
(design notes: 22 of 23 found, none false). They are learned from three neighbouring windows of pages.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

from ingest.bates import SURE_DIGITS, Bates, bates_number, is_court_stamp
from ingest.lines import TextLine
from ingest.romans import roman_value
from verify.domain.document import ElementKind
from verify.domain.geometry import Box

TOP_LINES = 4
FOOT_LINES = 3
SHARE = 0.3
_EDGE = 0.14  # of the page's height: stamps and lone numbers stand within this of an edge
_NUMBER = re.compile(
    r"(?:[-–—\[(|~·]\s?)*(?:(?:page|pg\.?|p\.|pag\.|seite|página|blatt)\s?)?"
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
    single: bool
    """True for the only piece of the first or last row, in type that is not display type."""


class Ends(NamedTuple):
    """What a page shows to its neighbours: the lines at its top and foot, what may be its number, its stamps."""

    top: list[int]
    foot: list[int]
    keys: dict[int, str]
    candidates: list["Candidate"]
    stamps: frozenset[str]


def ends_of(page: PageLines) -> Ends:
    """Found once a page; each page is looked at in three windows."""
    if page.ends is None:
        top, foot = top_and_foot(page)
        keys = {i: masked(page.lines[i].text) for i in top + foot}
        stamps = frozenset(n.text for n in page.lines if len(n.text) < 60 and bates_number(n.text))
        page.ends = Ends(top, foot, keys, _candidates(page), stamps)
    return page.ends


def top_and_foot(page: PageLines) -> tuple[list[int], list[int]]:
    """Line numbers of the first lines from the top and the last ones, by position; a line is in one of them only."""
    by_height = sorted(range(len(page.lines)), key=lambda i: page.lines[i].baseline)
    half = page.height // 2
    top = [i for i in by_height[: TOP_LINES + 2] if page.lines[i].baseline < half]
    foot = [i for i in by_height[-FOOT_LINES - 2 :] if page.lines[i].baseline >= half]
    return _rows(page, top, TOP_LINES), _rows(page, foot[::-1], FOOT_LINES)


def _rows(page: PageLines, numbers: list[int], rows: int) -> list[int]:
    """As many of the lines as stand in so many rows: pieces side by side count as one."""
    return [i for row in _by_row(page, numbers)[:rows] for i in row]


def masked(text: str) -> str:
    """The text with what changes from page to page taken out."""
    return _MASK.sub("#", text).casefold()


def mark_furniture(pages: Sequence[PageLines], context: Sequence[PageLines]) -> None:
    """Fills in ``kinds``, ``printed`` and ``bates`` of ``pages``, learning from ``context`` (which holds them)."""
    repeated = _repeated(context)
    steps = _number_steps(context)
    constant = _constant_stamps(context)
    for page in pages:
        _mark_stamps(page, constant)
        _mark_declared(page)
        if page.printed is None:
            _mark_number(page, steps)
        _mark_repeated(page, ends_of(page), repeated)
        if page.printed is None:
            page.printed = _number_in_head(page, steps)


def _mark_repeated(page: PageLines, ends: Ends, repeated: frozenset[str]) -> None:
    """Heads are what comes back above all that does not, feet below it: a form's own lines come back in between."""
    for numbers, kind in ((ends.top, ElementKind.HEADER), (ends.foot, ElementKind.FOOTER)):
        for row in _by_row(page, numbers):
            fresh = [i for i in row if i not in page.kinds]
            back = [i for i in fresh if ends.keys[i] in repeated and _in_margin(page.lines[i].box, page.height)]
            if fresh and not back:
                break
            page.kinds.update(dict.fromkeys(back, kind))


def _by_row(page: PageLines, numbers: list[int]) -> list[list[int]]:
    rows: list[list[int]] = []
    for i in numbers:
        if rows and abs(page.lines[i].baseline - page.lines[rows[-1][0]].baseline) <= page.lines[i].size // 2:
            rows[-1].append(i)
        else:
            rows.append([i])
    return rows


def _repeated(context: Sequence[PageLines]) -> frozenset[str]:
    """Masked texts that come back at about the same height."""
    places: dict[str, list[int]] = {}
    for page in context:
        for key, height in {(key, page.lines[i].baseline // 100) for i, key in ends_of(page).keys.items()}:
            if any(c.isalpha() for c in key):
                places.setdefault(key, []).append(height)
    needed = max(2, SHARE * len(context))
    return frozenset(key for key, heights in places.items() if _at_one_height(heights) >= needed)


def _at_one_height(heights: list[int]) -> int:
    """How many lie within two lines of type of the usual one."""
    middle = Counter(height // 12 for height in heights).most_common(1)[0][0] * 12 + 6
    return sum(abs(height - middle) <= 24 for height in heights)


def _constant_stamps(context: Sequence[PageLines]) -> frozenset[str]:
    """Numbers that look like Bates numbers but are the same on every page: a document's own number."""
    if len(context) < 3:
        return frozenset()
    counts = Counter(text for page in context for text in ends_of(page).stamps)
    return frozenset(text for text, count in counts.items() if count >= max(3, 0.5 * len(context)))


def _in_margin(box: Box, height: int) -> bool:
    return box.y1 <= _EDGE * height or box.y0 >= (1 - _EDGE) * height


def _mark_stamps(page: PageLines, constant: frozenset[str]) -> None:
    found: list[tuple[Box, Bates]] = []
    for i, line in enumerate(page.lines):
        if not _in_margin(line.box, page.height) and line.upright:
            continue
        if is_court_stamp(line.text):
            page.kinds[i] = ElementKind.STAMP
        bates = bates_number(line.text)
        if bates is not None and line.text not in constant and bates.width >= SURE_DIGITS:
            page.kinds[i] = ElementKind.STAMP
            found.append((line.box, bates))
    for text, box in page.notes:
        bates = bates_number(text)
        if bates is not None and bates.width >= SURE_DIGITS and _in_margin(box, page.height):
            found.append((box, bates))
    if found:  # of several, the one that was stamped last stands furthest to the right
        page.bates = max(found, key=lambda item: (item[0].x0, item[0].y1))[1]


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
        at_edge = i in edge and _near_edge(line, page.height)
        if not at_edge and (rows[line.baseline // 300] > 1 or not label.isdigit()):
            continue
        value, style = _value(label)
        single = i in (by_height[0], by_height[-1]) and rows[line.baseline // 300] == 1 and line.size <= 1.3 * usual
        out.append(Candidate(i, label, value, style, at_edge, single and value <= 999))
    return out


def _near_edge(line: TextLine, height: int) -> bool:
    return line.box.y1 <= 0.2 * height or line.box.y0 >= 0.8 * height


def _value(label: str) -> tuple[int, str]:
    if label.isdigit():
        return int(label), "D"
    number = roman_value(label)
    if number is not None:
        return number, "r"
    head, _, tail = re.sub(r"[–.]", "-", label).rpartition("-")
    return (int(tail), head) if tail.isdigit() else (0, label)


def _number_steps(context: Sequence[PageLines]) -> Counter[tuple[str, int]]:
    """How many pages agree on "printed value minus page index", by style of number."""
    steps: Counter[tuple[str, int]] = Counter()
    for page in context:
        steps.update({(c.style, c.value - page.index) for c in ends_of(page).candidates})
    return steps


def _mark_number(page: PageLines, steps: Counter[tuple[str, int]]) -> None:
    """The number that fits its neighbours; a lone one only at the very edge, or where it is the declared label."""
    best: tuple[int, Candidate] | None = None
    alone = max(steps.values(), default=0) < 2
    for candidate in ends_of(page).candidates:
        if candidate.line in page.kinds:
            continue
        agree = steps[candidate.style, candidate.value - page.index]
        lone = alone and candidate.single and _in_margin(page.lines[candidate.line].box, page.height)
        if candidate.label == page.declared and candidate.at_edge:
            agree += 100
        elif (agree < 2 and not lone) or (not candidate.at_edge and agree < 3):
            continue
        if best is None or (agree, candidate.line) > (best[0], best[1].line):
            best = (agree, candidate)
    if best is not None:
        page.kinds[best[1].line] = ElementKind.PAGE_NUMBER
        page.printed = best[1].label


def _number_in_head(page: PageLines, steps: Counter[tuple[str, int]]) -> str | None:
    """A number at either end of a running head ("2 SMITH v. JONES"), if it fits its neighbours'."""
    for i, kind in sorted(page.kinds.items()):
        if kind not in (ElementKind.HEADER, ElementKind.FOOTER):
            continue
        words = page.lines[i].text.split()
        for word in (words[0], words[-1]):
            if word.isdecimal() and len(word) <= 6 and steps["D", int(word) - page.index] >= 2:
                return word
    return None


def _mark_declared(page: PageLines) -> None:
    """A line at the edge that is the declared label itself ("Exhibit II", "b")."""
    if page.declared is None:
        return
    for i, line in enumerate(page.lines):
        if i not in page.kinds and line.text.strip(" -–—") == page.declared and _near_edge(line, page.height):
            page.kinds[i] = ElementKind.PAGE_NUMBER
            page.printed = page.declared
            return
