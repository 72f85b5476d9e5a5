"""Printed pages that end in the middle of a page: a filing turned into another format keeps their numbers and heads.

Such numbers rise by one from break to break, at about even distances; what comes back beside them heads or ends a
printed page.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from ingest.furniture.lines import Candidate, PageLines, ends_of, masked
from verify.domain.document import ElementKind

_FEWEST = 5
_FARTHEST = 2.5  # times the usual distance between two breaks
_PAGES_APART = 2
_ROWS = 2
_SHARE = 0.3
_FEWEST_HEADS = 3


class _Break(NamedTuple):
    page: PageLines
    candidate: Candidate
    place: int
    """Down the pages laid end to end, 1/100 pt."""


def mark_breaks(pages: Sequence[PageLines], context: Sequence[PageLines]) -> None:
    """Adds to ``kinds`` of ``pages`` the numbers in mid-page and the lines that come back beside them."""
    numbers: dict[int, set[int]] = {page.index: set(_numbers(page)) for page in context}
    for one in _in_runs(context):
        numbers[one.page.index].add(one.candidate.line)
    beside = [(page, line, kind) for page in context for line, kind in _beside(page, numbers[page.index])]
    counts = Counter(masked(page.lines[line].text) for page, line, _ in beside)
    needed = max(_FEWEST_HEADS, _SHARE * sum(map(len, numbers.values())))
    own = {page.index for page in pages}
    for page in pages:
        for line in numbers[page.index]:
            page.kinds.setdefault(line, ElementKind.PAGE_NUMBER)
    for page, line, kind in beside:
        if page.index in own and counts[masked(page.lines[line].text)] >= needed:
            is_number = any(candidate.line == line for candidate in ends_of(page).candidates)
            page.kinds.setdefault(line, ElementKind.PAGE_NUMBER if is_number else kind)


def _in_runs(context: Sequence[PageLines]) -> Iterator[_Break]:
    """Members of long, even runs of numbers."""
    breaks = [
        _Break(page, candidate, page.index * page.height + page.lines[candidate.line].baseline)
        for page in context
        for candidate in ends_of(page).candidates
        if candidate.style == "D" and page.kinds.get(candidate.line) in (None, ElementKind.PAGE_NUMBER)
    ]
    runs: list[list[_Break]] = []
    for one in sorted(breaks, key=lambda b: b.place):
        for run in runs:
            last = run[-1]
            near = one.page.index - last.page.index <= _PAGES_APART
            if one.candidate.value == last.candidate.value + 1 and near:
                run.append(one)
                break
        else:
            runs.append([one])
    for run in runs:
        steps = [b.place - a.place for a, b in pairwise(run)]
        if len(run) >= _FEWEST and max(steps) <= _FARTHEST * median(steps):
            yield from run


def _numbers(page: PageLines) -> list[int]:
    """Page numbers that stand in mid-page."""
    return [
        i
        for i, kind in page.kinds.items()
        if kind is ElementKind.PAGE_NUMBER and 0.14 * page.height < page.lines[i].baseline < 0.86 * page.height
    ]


def _beside(page: PageLines, numbers: set[int]) -> Iterator[tuple[int, ElementKind]]:
    """The rows right above and below such a number, with what they are if they come back."""
    if not numbers:
        return
    by_height = sorted(range(len(page.lines)), key=lambda i: page.lines[i].baseline)
    for number in numbers:
        at = by_height.index(number)
        for i in by_height[max(0, at - _ROWS) : at]:
            yield i, ElementKind.FOOTER
        for i in by_height[at + 1 : at + 1 + _ROWS]:
            yield i, ElementKind.HEADER
