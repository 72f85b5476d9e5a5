"""Page furniture: running heads and feet, page numbers, Bates and court stamps, told from running text.

Running heads are lines near the top or foot that come back, digits and romans masked, on 30 % of the pages around
(design notes: 22 of 23 found, none false). They are learned from three neighbouring windows of pages.
"""

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from ingest.furniture.bates import SURE_DIGITS, Bates, bates_number, is_court_stamp, is_filing_mark
from ingest.furniture.lines import EDGE, Candidate, by_row, ends_of, in_margin, near_edge
from ingest.furniture.lines import PageLines as PageLines
from ingest.furniture.mid_page import mark_breaks
from ingest.page.lines import TextLine
from verify.domain.document import ElementKind
from verify.domain.geometry import Box

SHARE = 0.3
_DEEP = 0.06  # of the page's height: how far heads and feet reach into what a page shows
_FEWEST = 3
_MOST_CLOSING = 2
_SHORT = 8  # words
_TEXT = 6  # lines


class _Learned(NamedTuple):
    """What the pages around say. Texts are masked; ``steps`` counts "printed value minus page index" by style."""

    repeated: frozenset[str]
    """At about one height on many pages."""
    opening: frozenset[str]
    """First words of a first row that goes on in one of few ways."""
    closing: frozenset[str]
    """In the last rows, at whatever height a page ends."""
    top: int
    """Where heads end (1/100 pt): below what pages that are smaller than their sheet begin with."""
    steps: Counter[tuple[str, int]]
    constant: frozenset[str]
    prefixes: Counter[str]


def mark_furniture(pages: Sequence[PageLines], context: Sequence[PageLines]) -> None:
    """Fills in ``kinds``, ``printed`` and ``bates`` of ``pages``, learning from ``context`` (which holds them)."""
    learned = _learned(context)
    for page in pages:
        _mark_stamps(page, learned)
        _mark_declared(page)
        if page.printed is None:
            _mark_number(page, learned.steps)
        _mark_heads(page, learned)
        _mark_feet(page, learned)
        if page.printed is None:
            page.printed = _number_in_head(page, learned.steps)
    mark_breaks(pages, context)


def _learned(context: Sequence[PageLines]) -> _Learned:
    filled = [page for page in context if page.lines]
    height = max((page.height for page in filled), default=0)
    first = median([ends_of(page).begins for page in filled]) if filled else 0
    repeated = _repeated(context)
    stamps = _constant_stamps(context)
    prefixes = [
        {b.prefix for text in ends_of(page).stamps - stamps if (b := bates_number(text)) and b.width >= SURE_DIGITS}
        for page in context
    ]
    return _Learned(
        repeated, _few_forms(context), _closing(context),
        int(max(EDGE * height, first + _DEEP * height)), _number_steps(context, repeated), stamps,
        Counter(prefix for found in prefixes for prefix in found),
    )  # fmt: skip


def _few_forms(context: Sequence[PageLines]) -> frozenset[str]:
    """Openings on many pages that go on in few ways ("Smith v. Jones - Opinion"), not in another on each page as titles
    do."""
    forms: dict[str, list[str]] = {}
    for page in context:
        ends = ends_of(page)
        for i, opening in ends.openings.items():
            forms.setdefault(opening, []).append(ends.keys[i])
    needed = max(_FEWEST, SHARE * len(context))
    return frozenset(o for o, found in forms.items() if len(found) >= needed and 2 * len(set(found)) <= len(found))


def _closing(context: Sequence[PageLines]) -> frozenset[str]:
    ends = [ends_of(page) for page in context]
    counts = Counter(key for shown in ends for key in {shown.keys[i] for i in shown.foot})
    needed = max(_FEWEST, SHARE * len(context))
    return frozenset(key for key, count in counts.items() if count >= needed and any(map(str.isalpha, key)))


def _mark_heads(page: PageLines, learned: _Learned) -> None:
    """Heads are what comes back above all that does not: a form's own lines come back in between."""
    ends = ends_of(page)
    for row in by_row(page, ends.top):
        fresh = [i for i in row if i not in page.kinds]
        back = [
            i
            for i in fresh
            if page.lines[i].box.y1 <= learned.top
            and (ends.keys[i] in learned.repeated or ends.openings.get(i) in learned.opening)
        ]
        others = (page.lines[i].text for i in fresh if i not in back)
        figures = [word for text in others if not any(map(str.isalpha, text)) for word in text.split()]
        if (fresh and not back) or len(figures) > 1:  # years beside a name: a table's header, on each of its pages
            return
        page.kinds.update(dict.fromkeys(back, ElementKind.HEADER))


def _mark_feet(page: PageLines, learned: _Learned) -> None:
    """Feet are what comes back below all that does not. Where a page ends early, two rows of them at most: more that
    comes back there is a form."""
    keys = ends_of(page).keys
    closing: list[int] = []
    rows = 0
    for row in by_row(page, ends_of(page).foot):
        fresh = [i for i in row if i not in page.kinds]
        back = [i for i in fresh if keys[i] in learned.repeated and in_margin(page.lines[i].box, page.height)]
        also = [i for i in fresh if i not in back and keys[i] in learned.closing]
        if fresh and not back and not also:
            break
        page.kinds.update(dict.fromkeys(back, ElementKind.FOOTER))
        closing += also
        rows += bool(also)
    if rows <= _MOST_CLOSING:
        page.kinds.update(dict.fromkeys(closing, ElementKind.FOOTER))


def _repeated(context: Sequence[PageLines]) -> frozenset[str]:
    """Masked texts that come back at about the same height on other pages."""
    places: dict[str, list[tuple[int, int]]] = {}
    for page in context:
        for key, height in ends_of(page).places:
            places.setdefault(key, []).append((page.index, height))
    needed = max(2, SHARE * len(context))
    return frozenset(key for key, found in places.items() if len(found) >= needed and _at_one_height(found) >= needed)


def _at_one_height(found: Sequence[tuple[int, int]]) -> int:
    """On how many pages a text lies within two lines of type of its usual height."""
    middle = Counter(height // 12 for _, height in found).most_common(1)[0][0] * 12 + 6
    return len({index for index, height in found if abs(height - middle) <= 24})


def _constant_stamps(context: Sequence[PageLines]) -> frozenset[str]:
    """Numbers that look like Bates numbers but are the same on every page: a document's own number."""
    if len(context) < 3:
        return frozenset()
    counts = Counter(text for page in context for text in ends_of(page).stamps)
    return frozenset(text for text, count in counts.items() if count >= max(3, 0.5 * len(context)))


def _mark_stamps(page: PageLines, learned: _Learned) -> None:
    found: list[tuple[Box, Bates]] = []
    slanted = {i for i, line in enumerate(page.lines) if not line.upright and _is_slanted(line)}
    if len(slanted) >= _TEXT and 2 * len(slanted) > len(page.lines):
        slanted = set()  # the page's own text is written so
    for i, line in enumerate(page.lines):
        if i in slanted or is_filing_mark(line.text):
            page.kinds[i] = ElementKind.STAMP
        if not in_margin(line.box, page.height) and line.upright:
            continue
        if is_court_stamp(line.text):
            page.kinds[i] = ElementKind.STAMP
        bates = bates_number(line.text)
        if bates is not None and line.text not in learned.constant and bates.width >= SURE_DIGITS:
            page.kinds[i] = ElementKind.STAMP
            found.append((line.box, bates))
    for text, box in page.notes:
        bates = bates_number(text)
        if bates is not None and bates.width >= SURE_DIGITS and in_margin(box, page.height):
            found.append((box, bates))
    if found:  # of several, the one of the run; of two runs the one that was stamped last, furthest to the right
        page.bates = max(found, key=lambda item: (learned.prefixes[item[1].prefix], item[0].x0, item[0].y1))[1]


def _is_slanted(line: TextLine) -> bool:
    """Written across the page at an angle, over or under its text: "COPY"."""
    box = line.box
    return min(box.x1 - box.x0, box.y1 - box.y0) > 1.6 * line.size


def _number_steps(context: Sequence[PageLines], repeated: frozenset[str]) -> Counter[tuple[str, int]]:
    """How many pages agree on "printed value minus page index", by style of number; numbers in running heads count."""
    steps: Counter[tuple[str, int]] = Counter()
    for page in context:
        ends = ends_of(page)
        heads = [page.lines[i].text for i, key in ends.keys.items() if key in repeated]
        found = {(c.style, c.value - page.index) for c in ends.candidates}
        steps.update(found | {("D", value - page.index) for text in heads for value in _outer_numbers(text)})
    return steps


def _outer_numbers(head: str) -> list[int]:
    words = head.split()
    return [int(word) for word in (words[0], words[-1]) if word.isdecimal() and len(word) <= 6]


def _mark_number(page: PageLines, steps: Counter[tuple[str, int]]) -> None:
    """The number that fits its neighbours; a lone one only at the very edge, or where it is the declared label."""
    best: tuple[int, Candidate] | None = None
    alone = max(steps.values(), default=0) < 2
    for candidate in ends_of(page).candidates:
        if candidate.line in page.kinds:
            continue
        agree = steps[candidate.style, candidate.value - page.index]
        margin = in_margin(page.lines[candidate.line].box, page.height)
        lone = margin and ((alone and candidate.single) or (candidate.named and candidate.at_edge))
        if candidate.label == page.declared and candidate.at_edge:
            agree += 100
        elif (agree < 2 and not lone) or (not candidate.at_edge and agree < 3):
            continue
        if best is None or (agree, candidate.line) > (best[0], best[1].line):
            best = (agree, candidate)
    if best is not None:
        page.kinds[best[1].line] = ElementKind.PAGE_NUMBER
        page.printed = best[1].label
        _mark_beside(page, page.lines[best[1].line])


def _mark_beside(page: PageLines, number: TextLine) -> None:
    """Short pieces on a page number's row are head or foot as it is, if the row is the outermost in its margin."""
    if not in_margin(number.box, page.height):
        return
    above = 2 * number.baseline < page.height
    for i, line in enumerate(page.lines):
        outer = line.baseline < number.baseline if above else line.baseline > number.baseline
        near = abs(line.baseline - number.baseline) <= number.size // 2
        if outer and not near and i not in page.kinds:
            return
    for i, line in enumerate(page.lines):
        near = line.upright and abs(line.baseline - number.baseline) <= number.size // 2
        if near and i not in page.kinds and line.text.count(" ") < _SHORT:
            page.kinds[i] = ElementKind.HEADER if above else ElementKind.FOOTER


def _number_in_head(page: PageLines, steps: Counter[tuple[str, int]]) -> str | None:
    """A number at either end of a running head ("2 SMITH v. JONES"), if it fits its neighbours'."""
    for i, kind in sorted(page.kinds.items()):
        if kind not in (ElementKind.HEADER, ElementKind.FOOTER):
            continue
        for number in _outer_numbers(page.lines[i].text):
            if steps["D", number - page.index] >= _FEWEST:
                return str(number)
    return None


def _mark_declared(page: PageLines) -> None:
    """A line at the edge that is the declared label itself ("Exhibit II", "b")."""
    if page.declared is None:
        return
    for i, line in enumerate(page.lines):
        if i not in page.kinds and line.text.strip(" -–—") == page.declared and near_edge(line, page.height):
            page.kinds[i] = ElementKind.PAGE_NUMBER
            page.printed = page.declared
            return
