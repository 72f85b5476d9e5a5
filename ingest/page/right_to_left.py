"""Hebrew and Arabic lines: words in logical order, what touches joined, brackets as they are read.

MuPDF gives the letters of a word in logical order, but parts punctuation from it wherever its own reordering ends, and
gives a bracket by its shape: of "(a)" set from right to left the first one read looks like ")". A reader types neither.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from ingest.page.raw import RawWord

_SCRIPTS = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_TOUCHING = 0.06
"""Of the size: the widest gap inside a word. A space in such fonts is 0.16 at least (corpus/unicode_ligature_rtl)."""
_OPENING, _CLOSING = "([{«‹", ")]}»›"
_OPEN = str.maketrans(_CLOSING, _OPENING)
_CLOSE = str.maketrans(_OPENING, _CLOSING)
_SWAP = str.maketrans(_OPENING + _CLOSING, _CLOSING + _OPENING)
_LEADING, _TRAILING = re.compile(r"\A[\W_]+"), re.compile(r"[\W_]+\Z")
_SEPARATORS = frozenset(".,:/-+")


def is_right_to_left(text: str) -> bool:
    """True if any of its characters is of a Hebrew or Arabic script block."""
    return _SCRIPTS.search(text) is not None


class _Run(NamedTuple):
    """One word, or words that stay from left to right, with the edges of them all."""

    words: tuple[int, ...]
    x0: int
    x1: int


def logical_order(words: Sequence[RawWord], indexes: Sequence[int]) -> list[int]:
    """Right to left, with runs of left-to-right words (and numbers between them) kept left to right. The same order
    for a line that is mostly not of such a script."""
    if not _is_set_right_to_left(words, indexes):
        return list(indexes)
    return [i for run in _runs(words, indexes) for i in run.words]


def _is_set_right_to_left(words: Sequence[RawWord], indexes: Sequence[int]) -> bool:
    """True if at least half of the words with letters are of such a script; numbers and signs are of none."""
    spelt = [i for i in indexes if any(map(str.isalpha, words[i].text))]
    return bool(spelt) and 2 * sum(is_right_to_left(words[i].text) for i in spelt) >= len(spelt)


def _is_spoken(text: str) -> bool:
    return any(c.isalnum() for c in text)


def _runs(words: Sequence[RawWord], indexes: Sequence[int]) -> list[_Run]:
    """From the right to the left edge."""
    groups: list[list[int]] = []
    between: list[int] = []  # separators inside a number: "19/09/2024"
    for i in sorted(indexes, key=lambda i: -words[i].box.x1):
        text = words[i].text
        goes_on = bool(groups) and _is_left_to_right(words[groups[-1][-1]].text)
        if goes_on and not between and text in _SEPARATORS and _gap(words, groups[-1][-1], i) <= 0:
            between.append(i)
            continue
        if goes_on and _is_left_to_right(text) and (not between or _gap(words, between[-1], i) <= 0):
            groups[-1] += [*between, i]
        else:
            groups += [*([b] for b in between), [i]]
        between = []
    groups += [[b] for b in between]
    return [_run(words, group[::-1]) for group in groups]


def _gap(words: Sequence[RawWord], right: int, left: int) -> float:
    return words[right].box.x0 - words[left].box.x1 - _TOUCHING * words[right].size


def _run(words: Sequence[RawWord], group: Sequence[int]) -> _Run:
    boxes = [words[i].box for i in group]
    return _Run(tuple(group), min(b.x0 for b in boxes), max(b.x1 for b in boxes))


def _is_left_to_right(text: str) -> bool:
    return _is_spoken(text) and not is_right_to_left(text)


def mended(words: Sequence[RawWord], indexes: Sequence[int]) -> dict[int, RawWord]:
    """Words of a line (in logical order) that change: joined to the one before, or with their brackets turned."""
    if not _is_set_right_to_left(words, indexes):
        return {}
    runs = _runs(words, indexes)
    touching = [b.words[0] for a, b in pairwise(runs) if _touch(words, a, b)]
    touching += [b for run in runs for a, b in pairwise(run.words) if _SEPARATORS & {words[a].text, words[b].text}]
    changed = {i: words[i]._replace(joined=True) for i in touching}
    now = {i: changed.get(i, words[i]) for i in indexes}
    for token in _tokens(now, [i for run in runs for i in run.words]):
        changed.update(_turned(now, token))
    return changed


def _touch(words: Sequence[RawWord], right: _Run, left: _Run) -> bool:
    """Letters of two directions are never joined: the space between them is often put down at the line's other end."""
    last, first = words[right.words[-1]].text, words[left.words[0]].text
    if unicodedata.combining(first[0]):
        return True  # MuPDF begins a word where a mark stands to the right of the next letter
    if _is_spoken(last) and _is_spoken(first) and is_right_to_left(last) != is_right_to_left(first):
        return False
    size = max(words[right.words[-1]].size, words[left.words[0]].size)
    return abs(right.x0 - left.x1) <= _TOUCHING * size


def _tokens(words: dict[int, RawWord], ordered: Sequence[int]) -> Iterator[list[int]]:
    token: list[int] = []
    for i in ordered:
        if token and not words[i].joined:
            yield token
            token = []
        token.append(i)
    yield token


def _turned(words: dict[int, RawWord], token: Sequence[int]) -> Iterator[tuple[int, RawWord]]:
    """A bracket before the letters opens and one behind them closes, whatever its shape; of brackets among letters the
    first opens."""
    spoken = [n for n, i in enumerate(token) if _is_spoken(words[i].text)]
    if not spoken:
        return
    shapes = "".join(c for i in token for c in words[i].text if c in _OPENING + _CLOSING)
    for n, i in enumerate(token):
        text = words[i].text
        if shapes[:1] in tuple(_CLOSING) and _is_paired(shapes.translate(_SWAP)):
            text = text.translate(_SWAP)
        elif n <= spoken[0] or n >= spoken[-1]:
            text = _at_ends(text, n <= spoken[0], n >= spoken[-1])
        if text != words[i].text:
            yield i, words[i]._replace(text=text)


def _at_ends(text: str, first: bool, last: bool) -> str:
    if not _is_spoken(text):
        return text.translate(_OPEN if first else _CLOSE)
    if first:
        text = _LEADING.sub(_opened, text)
    return _TRAILING.sub(_closed, text) if last else text


def _is_paired(brackets: str) -> bool:
    """True if each that opens is closed, in order."""
    open_ones: list[str] = []
    for bracket in brackets:
        if bracket in _OPENING:
            open_ones.append(bracket)
        elif not open_ones or open_ones.pop() != bracket.translate(_OPEN):
            return False
    return not open_ones


def _opened(found: re.Match[str]) -> str:
    return found[0].translate(_OPEN)


def _closed(found: re.Match[str]) -> str:
    return found[0].translate(_CLOSE)
