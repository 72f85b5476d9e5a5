"""Where a quotation stands in a text, and whether it stands there whole.

A match is whole if both its ends lie on word boundaries (contract section 5, rule 4). Within a word are: letters and
digits side by side; a hyphen or apostrophe between letters (after UAX #29, so that "exclusive" is not in
"non-exclusive" nor "can" in "can't"); points, commas, colons and slashes between digits; and a sign, currency, percent
sign or parenthesis that touches a number. A footnote mark that touches a word or number is outside it.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from verify.normalize import IGNORED, NOTHING, QUOTATION_MARKS, Normal, normalize


class Place(NamedTuple):
    """Half-open offsets in the source text. ``whole`` as above."""

    start: int
    end: int
    whole: bool


class Quotation:
    """A quotation with its normal forms; the typographic one is made only when it is asked for."""

    __slots__ = ("_typographic", "normal", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.normal = normalize(text)
        self._typographic: Normal | None = None

    def form(self, typographic: bool) -> Normal:
        if not typographic:
            return self.normal
        if self._typographic is None:
            self._typographic = normalize(self.text, typographic=True)
        return self._typographic


def loosened(text: str) -> str:
    """With one quotation mark for all, of the same length. Behind a digit a mark is a measure and stays."""
    return _ANY_MARK.sub('"', text)


_ANY_MARK = re.compile(rf"(?<!\d)[{QUOTATION_MARKS}]")


def places(page: Normal, query: Normal, start: int, end: int, inside: Callable[[int], bool]) -> Iterator[Place]:
    """Every place of ``query`` between two source offsets of ``page``, in order; overlapping places count apart.

    ``inside`` says of an offset whether it lies inside a word or number.
    """
    if not query.skeleton:
        return
    low, high = page.position(start), page.position(end)
    for at in _occurrences(page.skeleton, query.skeleton, low, high):
        stop = at + len(query.skeleton)
        if _gaps_agree(page, at, stop, query):
            place = _place(page, at, stop, query, inside)
            if start <= place.start and place.end <= end:  # a hyphen that is asked for may lie outside
                yield place


_MANY = 16


def _occurrences(text: str, query: str, low: int, high: int) -> Iterator[int]:
    """Every occurrence, in time linear in both, however often the query holds its own beginning.

    Two occurrences that overlap by half or more are apart by a multiple of the query's period (Fine and Wilf), so that
    after one only the next period has to be looked at, or what lies beyond half of the query.
    """
    size, period, found = len(query), 0, 0
    at = text.find(query, low, high)
    while at >= 0:
        yield at
        found += 1
        if found == _MANY:
            period = _period(query)
        if 0 < period <= size // 2:
            run = text[at + size : at + size + period] == query[size - period :] and at + size + period <= high
            at = at + period if run else text.find(query, at + size - period + 1, high)
        else:
            at = text.find(query, at + 1, high)


def _period(text: str) -> int:
    """The shortest shift under which a text agrees with itself (Knuth, Morris and Pratt's failure function)."""
    border = [0] * (len(text) + 1)
    border[0] = length = -1
    for i, char in enumerate(text):
        while length >= 0 and text[length] != char:
            length = border[length]
        length += 1
        border[i + 1] = length
    return len(text) - border[-1]


def equal(a: Normal, b: Normal) -> bool:
    """True if two texts are the same under their profile. Nothing equals a text without content."""
    if not a.skeleton or a.skeleton != b.skeleton:
        return False
    ours, theirs = ({g.at: g.options for g in n.gaps} for n in (a, b))
    return all(
        _meet(ours.get(p, NOTHING), theirs.get(p, NOTHING), last=p == len(a.skeleton))
        for p in ours.keys() | theirs.keys()
    )


def _meet(a: frozenset[str], b: frozenset[str], last: bool = False) -> bool:
    """True if something stands in both; at the end of a text the white space behind a hyphen is no part of it."""
    return not {o.rstrip() for o in a}.isdisjoint(o.rstrip() for o in b) if last else not a.isdisjoint(b)


def _gaps_agree(page: Normal, at: int, stop: int, query: Normal) -> bool:
    """Every gap inside, and those at the ends that the quotation claims, allow the same on both sides."""
    ours, theirs = page.between(at + 1, stop - 1), query.gaps
    if not ours and not theirs:
        return True
    wanted = {g.at + at: g.options for g in theirs}
    shown = {g.at: g.options for g in ours}
    for end in (at, stop):
        gap = page.gap(end)
        if end in wanted and not _meet(gap.options if gap else NOTHING, wanted.pop(end), last=end == stop):
            return False
    return all(_meet(wanted.get(p, NOTHING), shown.get(p, NOTHING)) for p in wanted.keys() | shown.keys())


def _place(page: Normal, at: int, stop: int, query: Normal, inside: Callable[[int], bool]) -> Place:
    start, first = page.offsets[at], page.gap(at)
    cut = at > 0 and page.offsets[at - 1] == start
    if first is not None and query.gap(0) is not None:
        start = first.start
    end, last = page.offsets[stop], page.gap(stop)
    cut = cut or page.offsets[stop - 1] == end
    if last is not None:
        end = last.end if query.gap(len(query.skeleton)) is not None else min(end, last.start)
    least = page.offsets[stop - 1] + 1
    while end > least and (page.source[end - 1] in IGNORED or page.source[end - 1].isspace()):
        end -= 1
    end = max(end, least)
    return Place(start, end, not cut and not inside(end) and not inside(start))


_SOFT_BREAK = re.compile(r"\u00ad[ \t]*[\r\n]\s*")
_HARD_BREAK = re.compile(r"(?<![-‐])([-‐])[ \t]*[\r\n]\s*")  # one hyphen; a row of them is a rule or a dash
_NEW_PARAGRAPH = re.compile(r"[-‐][ \t]*\n\s*\n\s*$")
_PAGE_NUMBER = re.compile(r"(?:^|\s)[-‐] ?\d+ ?[-‐][ \t]*\n\s*\n\s*$")
"""A number between two hyphens, a paragraph of its own: the second hyphen ends no part of a word."""
_DROP = str.maketrans("", "", IGNORED)
_WINDOW = 12

_MARKS = "*†‡¹²³⁴⁵⁶⁷⁸⁹⁰"
_HYPHENS = "-‐\u2011\u2012"
_PREFIX = re.compile(r"(?<![^\W_])(?:non|quasi|semi|pseudo|anti)\s$", re.IGNORECASE)
"""Set apart from their word they still belong to it: "exclusive" is not in "non exclusive"."""
_EXPONENT = re.compile(r"\d[  ]?(?:[kcmdµ]?m|in|ft|yd|mi|s|kg|°)$")
_NUMBER_MARKS = "%‰()+-−±‐"


def raised_unit(text: str, at: int) -> bool:
    """True if what is raised at ``at`` belongs to a unit behind a number ("120 m²")."""
    return _EXPONENT.search(text[max(0, at - _WINDOW) : at]) is not None


def glued(text: str, at: int) -> bool:
    """True if ``at`` lies inside a word or number of ``text``."""
    left, right = text[max(0, at - _WINDOW) : at], text[at : at + _WINDOW]
    if right[:1] in {" ", "", "\n"} and left[-1:] not in "-‐\u00ad":
        return False
    if _PREFIX.search(left):
        return True
    if _NEW_PARAGRAPH.search(left) and (not right[0].isalpha() or _PAGE_NUMBER.search(left)):
        return False  # a word may run on in the next paragraph's column, a number never does
    left, right = (_HARD_BREAK.sub(r"\1", _SOFT_BREAK.sub("", side)).translate(_DROP) for side in (left, right))
    if not left or not right:
        return False
    a, b = left[-1], right[0]
    if a in _MARKS or (b in _MARKS and not _EXPONENT.search(left)):
        return False
    if _wordish(a) and _wordish(b):
        return True
    return _joined_words(left, right) or _joined_numbers(left, right)


def _wordish(char: str) -> bool:
    return char.isalnum() or char == "_" or unicodedata.category(char).startswith("M")


def _joined_words(left: str, right: str) -> bool:
    """A hyphen or apostrophe with a letter or digit on both sides; an en dash with a letter on both."""
    if right[0] in _JOINERS:
        return _joins(right[0], left[-1:], right[1:2])
    return left[-1] in _JOINERS and _joins(left[-1], left[-2:-1], right[0])


_JOINERS = _HYPHENS + "–'’ʼ"


def _joins(mark: str, before: str, after: str) -> bool:
    test = str.isalpha if mark == "–" else _wordish
    return test(before or " ") and test(after or " ")


def _joined_numbers(left: str, right: str) -> bool:
    a, b = left[-1], right[0]
    if b in ".,:/" and a.isdigit():
        return right[1:2].isdigit()
    if a in ".,:/" and b.isdigit():
        return left[-2:-1].isdigit() or (a == "." and not _wordish(left[-2:-1] or " "))
    if _belongs(a) and (b.isdigit() or (_belongs(b) and right[1:2].isdigit())):
        return True
    return _belongs(b) and (a.isdigit() or (_belongs(a) and left[-2:-1].isdigit()))


def _belongs(char: str) -> bool:
    return char in _NUMBER_MARKS or unicodedata.category(char) == "Sc"
