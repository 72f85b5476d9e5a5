"""Words that typography takes apart: "T E R M" with spaced letters, and a large initial beside the rest of its word."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ingest.page.lines import TextLine
from ingest.page.raw import RawWord
from verify.domain.geometry import Box

LEAST = 4
"""Letters in a row from which on they are one spaced word: "A B C" lists three things."""
_SPACED = 1.6
"""How much wider than between the letters the space between two spaced words is."""
_EVEN = 120
"""By how much, in 1/100 pt, spaces between letters differ that were set alike: letters have side bearings."""
_TALLER = 1.8
"""An initial is at least that many times as large as the text beside it."""


def spaced_letters(words: Sequence[RawWord], line: TextLine) -> Iterator[int]:
    """The words of a line, single letters, that belong to the letter before."""
    run: list[int] = []
    for index in (*line.words, None):
        if index is not None and len(words[index].text) == 1 and words[index].text.isalpha():
            run.append(index)
            continue
        if len(run) >= LEAST:
            yield from _joined(words, run)
        run = []


def _joined(words: Sequence[RawWord], run: Sequence[int]) -> Iterator[int]:
    gaps = [words[b].box.x0 - words[a].box.x1 for a, b in pairwise(run)]
    usual = sorted(gaps)[len(gaps) // 4]
    if usual <= 0:
        return
    for (_, index), gap in zip(pairwise(run), gaps, strict=True):
        if gap <= max(usual * _SPACED, usual + _EVEN):
            yield index


def with_initials(words: Sequence[RawWord], lines: Sequence[TextLine]) -> tuple[list[TextLine], frozenset[int]]:
    """The lines with each large initial at the head of the line that goes on with its word, and the words that it is
    joined to."""
    initials = [n for n, line in enumerate(lines) if _is_initial(words, line)]
    if not initials:
        return list(lines), frozenset()
    made, joined = list(lines), set()
    gone = set()
    for number in initials:
        initial = lines[number]
        near = range(number + 1, min(number + 4, len(lines)))
        after = next((n for n in near if _goes_on(words, initial, lines[n])), None)
        if after is None:
            continue
        line = lines[after]
        box = Box(initial.box.x0, line.box.y0, line.box.x1, line.box.y1)
        made[after] = line._replace(words=(*initial.words, *line.words), box=box)
        joined.add(line.words[0])
        gone.add(number)
    return [line for n, line in enumerate(made) if n not in gone], frozenset(joined)


def _is_initial(words: Sequence[RawWord], line: TextLine) -> bool:
    return line.upright and len(line.words) == 1 and len(line.text) == 1 and line.text.isupper()


def _goes_on(words: Sequence[RawWord], initial: TextLine, line: TextLine) -> bool:
    """Whether the line's first word stands at the initial's shoulder and begins small, in much smaller type."""
    first = words[line.words[0]]
    return (
        line.upright
        and first.text[:1].islower()
        and initial.size >= _TALLER * line.size
        and -line.size // 4 <= first.box.x0 - initial.box.x1 <= line.size
        and initial.box.y0 <= (first.box.y0 + first.box.y1) // 2 <= initial.box.y1
    )
