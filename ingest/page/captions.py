"""The caption of a court's paper: the parties on the left, a column of brackets or colons, the number on the right.

Read across, "MICHAEL VANE, ) Case No. 12-345" would tear the parties' names apart; so the left side is read to its end,
then the signs, then the right side.
"""

from collections.abc import Sequence
from itertools import groupby

from ingest.page.lines import TextLine, joined_text
from ingest.page.raw import RawWord
from verify.domain.geometry import union

_SURE = frozenset((")", "]", "}", "§", "§§", ")(", "|"))
_LIKELY = frozenset((":", "*", "x", "X"))
"""Stand between labels and what is filled in as well: only a column that most lines leave open on one side counts."""

_FEWEST = 4  # signs under one another
_ALIGNED = 300  # 1/100 pt
_FARTHEST = 6  # times the type's size between two signs
_OPEN = 0.4  # of the signs: only one side has text there


def with_captions(words: Sequence[RawWord], lines: list[TextLine]) -> list[TextLine]:
    """The lines, those of a caption parted at its column of signs and put side after side."""
    signs = [i for line in lines if line.upright for i in line.words if is_sign(words[i].text)]
    if len(signs) < _FEWEST:
        return lines
    column = _column(words, signs)
    if not column:
        return lines
    inside = [n for n, line in enumerate(lines) if line.upright and _beside(words, column, line)]
    parted = [_parted(words, lines[n], frozenset(column)) for n in inside]
    if not _is_caption(words, column, parted):
        return lines
    rest = [line for n, line in enumerate(lines) if n not in inside]
    at = sum(n < inside[0] for n in range(len(lines)) if n not in inside)
    sides = [piece for side in range(3) for parts in parted for piece in parts[side]]
    return rest[:at] + sides + rest[at:]


def is_sign(text: str) -> bool:
    """One of a caption's signs, on a line of its own."""
    return text in _SURE or text in _LIKELY


def _column(words: Sequence[RawWord], signs: Sequence[int]) -> list[int]:
    """The longest run of signs under one another."""
    best: list[int] = []
    for first in signs:
        here = [i for i in signs if abs(words[i].box.x0 - words[first].box.x0) <= _ALIGNED]
        run: list[int] = []
        for i in sorted(here, key=lambda i: words[i].baseline):
            if run and words[i].baseline - words[run[-1]].baseline > _FARTHEST * words[i].size:
                best, run = max(best, run, key=len), []
            run.append(i)
        best = max(best, run, key=len)
    return best if len(best) >= _FEWEST else []


def _beside(words: Sequence[RawWord], column: Sequence[int], line: TextLine) -> bool:
    top, foot = words[column[0]].baseline, words[column[-1]].baseline
    return top - line.size <= line.baseline <= foot + line.size


def _parted(words: Sequence[RawWord], line: TextLine, column: frozenset[int]) -> tuple[list[TextLine], ...]:
    """What stands left of the signs, the sign, what stands right of them."""
    middle = min(words[i].box.x0 for i in column)
    sides: tuple[list[TextLine], ...] = ([], [], [])
    for side, run in groupby(line.words, lambda i: 1 if i in column else 0 if words[i].box.x0 < middle else 2):
        own = tuple(run)
        box = union([words[i].box for i in own])
        sides[side].append(line._replace(words=own, box=box, text=joined_text(words, own)))
    return sides


def _is_caption(words: Sequence[RawWord], column: Sequence[int], parted: Sequence[tuple[list[TextLine], ...]]) -> bool:
    """Nothing runs across the column, both sides hold text, and colons leave room that labels would not."""
    left, middle = min(words[i].box.x0 for i in column), max(words[i].box.x1 for i in column)
    pieces = [piece for parts in parted for piece in (*parts[0], *parts[2])]
    if any(piece.box.x0 < left and piece.box.x1 > middle for piece in pieces):
        return False
    if not any(parts[0] for parts in parted) or not any(parts[2] for parts in parted):
        return False
    signed = {words[i].baseline for i in column}
    beside = [[p for p in pieces if abs(p.baseline - height) <= p.size // 2] for height in signed]
    half = sum(not (any(p.box.x1 <= middle for p in row) and any(p.box.x0 >= left for p in row)) for row in beside)
    return all(words[i].text in _SURE for i in column) or half >= _OPEN * len(beside)
