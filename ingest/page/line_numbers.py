"""Numbers printed beside the lines of transcripts and pleading paper: kept out of the text, recorded per line."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ingest.page.raw import RawWord
from verify.domain.geometry import Box

_MIN_RUN = 8
_MAX_NUMBER = 60
_ALIGNED = 900  # 1/100 pt


class LineNumbers(NamedTuple):
    """``words`` are the numbers' places among the page's words; ``at`` maps a baseline to its number, from the top."""

    words: frozenset[int]
    at: tuple[tuple[int, int], ...]

    def of(self, baseline: int, size: int) -> int | None:
        """The number beside a line with this baseline, if one stands within half a line's height."""
        best = min(self.at, key=lambda item: abs(item[0] - baseline), default=None)
        return best[1] if best is not None and abs(best[0] - baseline) <= max(size, 800) * 0.6 else None


NONE = LineNumbers(frozenset(), ())


def find_line_numbers(words: Sequence[RawWord], width: int) -> LineNumbers:
    """A column of numbers that rise by one from line to line at one margin. ``NONE`` where there is none."""
    numbers = [i for i, word in enumerate(words) if word.text.isdecimal() and len(word.text) <= 2]
    if len(numbers) < _MIN_RUN:
        return NONE
    for edge in (_right_edge, _left_edge):
        run = _longest_run(words, numbers, edge)
        if len(run) >= _MIN_RUN and _at_margin(words, run, width):
            at = tuple((words[i].baseline, int(words[i].text)) for i in run)
            return LineNumbers(frozenset(run), at)
    return NONE


def _right_edge(box: Box) -> int:
    return box.x1


def _left_edge(box: Box) -> int:
    return box.x0


def _longest_run(words: Sequence[RawWord], numbers: Sequence[int], edge: Callable[[Box], int]) -> list[int]:
    best: list[int] = []
    for anchor in numbers:
        if words[anchor].text not in {"1", "2", "01"}:
            continue
        column = [i for i in numbers if abs(edge(words[i].box) - edge(words[anchor].box)) <= _ALIGNED]
        run = [anchor]
        for i in sorted(column, key=lambda i: words[i].baseline):
            follows = int(words[i].text) == int(words[run[-1]].text) + 1
            if words[i].baseline > words[run[-1]].baseline and follows and int(words[i].text) <= _MAX_NUMBER:
                run.append(i)
        best = max(best, run, key=len)
    return best


def _at_margin(words: Sequence[RawWord], run: Sequence[int], width: int) -> bool:
    """The numbers stand left of all text on their lines, or right of it, and on most lines there is text."""
    numbers = set(run)
    left = max(words[i].box.x1 for i in run)
    right = min(words[i].box.x0 for i in run)
    beside = 0
    for i in run:
        line = [w.box for j, w in enumerate(words) if j not in numbers and _on_line(w, words[i])]
        if any(box.x0 < left - 200 and box.x1 > right + 200 for box in line):
            return False
        beside += bool(line)
    outer = left < 0.25 * width or right > 0.75 * width
    return outer and beside >= min(4, len(run) // 3) and _clear(words, numbers, left, right)


def _on_line(word: RawWord, number: RawWord) -> bool:
    return abs(word.baseline - number.baseline) < number.size * 0.5


def _clear(words: Sequence[RawWord], numbers: set[int], left: int, right: int) -> bool:
    """Nearly no other word stands in the numbers' own column."""
    strip = Box(right, 0, left, 1)
    inside = sum(word.box.x0 < strip.x1 and word.box.x1 > strip.x0 for i, word in enumerate(words) if i not in numbers)
    return inside <= max(3, len(numbers) // 4)
