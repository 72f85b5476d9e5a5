"""Where sentences end, after contract section 5, rule 5.

One rule for the whole program: the qualifier guard and the passages that a model is shown split the same way.
"""

import re
from typing import NamedTuple

from verify.abbreviations import ALWAYS, BEFORE_A_NUMBER, BEFORE_A_SECTION_NUMBER


class Span(NamedTuple):
    """Half-open code-point offsets."""

    start: int
    end: int


_CLOSERS = "\"'”’»)]"
_MARKS = "*†‡§¹²³⁴⁵⁶⁷⁸⁹⁰"

_MARK_NUMBER = r"(?:(?<=[^\W\d_]\.)|(?<=[)”’\"]))\d{1,3}(?=\s)"
"""A footnote's number set behind the stop or the closing mark of a word; digits around a point are a number."""

_END = re.compile(rf"(?P<stop>[.?!]+)(?:[{re.escape(_CLOSERS + _MARKS)}]|{_MARK_NUMBER})*(?=\s|$)")
"""A stop, then what closes with it (quotation marks, brackets, a footnote mark), then white space."""

_BREAK = re.compile(r"\n[ \t\r]*\n\s*")
_LAST_WORD = re.compile(r"[^\s(\[“‘\"']*$")
_INITIAL = re.compile(r"[^\W\d_]|(?:[^\W\d_]\.)+[^\W\d_]")
_NUMBER = re.compile(r"\(?[0-9IVXLCivxlc]+(?:\.[0-9]+)*(?:\([0-9A-Za-z]+\))*\)?")
_MARKER = re.compile(r"[(\[]?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlcIVXLC]{1,6})[)\]]?")
_WORD_BEFORE = re.compile(r"([^\s]+)\s+[^\s]*$")


def sentences(text: str) -> tuple[Span, ...]:
    """Spans of the sentences of ``text``, in order, without the white space around them.

    A blank line ends a sentence, a semicolon does not. Everything but white space lies in exactly one span.
    """
    spans: list[Span] = []
    start = 0
    for stop in _BREAK.finditer(text):
        spans.extend(_paragraph(text, start, stop.start()))
        start = stop.end()
    spans.extend(_paragraph(text, start, len(text)))
    return tuple(spans)


def _paragraph(text: str, start: int, end: int) -> list[Span]:
    spans = []
    start = _skip_space(text, start, end)
    begin = start
    for stop in _END.finditer(text, start, end):
        if _ends_here(text, begin, stop):
            spans.append(Span(begin, stop.end()))
            begin = _skip_space(text, stop.end(), end)
    while end > begin and text[end - 1].isspace():
        end -= 1
    if end > begin:
        spans.append(Span(begin, end))
    return spans


def _skip_space(text: str, start: int, end: int) -> int:
    while start < end and text[start].isspace():
        start += 1
    return start


def _ends_here(text: str, begin: int, stop: re.Match[str]) -> bool:
    """False after a section number, an initial, a known abbreviation or within a spaced ellipsis."""
    if stop["stop"] != ".":
        return True
    found = _LAST_WORD.search(text, max(begin, stop.start() - 40), stop.start())
    word = found.group() if found else ""
    if not word:
        return not _spaced_ellipsis(text, begin, stop)
    if word in ALWAYS or _INITIAL.fullmatch(word):
        return False
    following = text[stop.end() : stop.end() + 3].lstrip()[:1]
    if word in BEFORE_A_NUMBER and (following.isdigit() or following in {"§", "("}):
        return False
    return not _is_section_number(text, begin, found.start() if found else begin, word)


def _spaced_ellipsis(text: str, begin: int, stop: re.Match[str]) -> bool:
    """In ". . ." no full stop ends a sentence; nor does one that stands alone before more text."""
    return text[max(begin, stop.start() - 2) : stop.end() + 2].count(".") > 1


def _is_section_number(text: str, begin: int, at: int, word: str) -> bool:
    """ "7.3." that opens the sentence or follows "Section"; a number elsewhere may end one."""
    if text[begin:at].strip("([“‘\"' ") == "" and _MARKER.fullmatch(word):
        return True
    if not _NUMBER.fullmatch(word):
        return False
    before = _WORD_BEFORE.search(text, max(begin, at - 20), at + len(word))
    return before is not None and before[1].lower().rstrip(".") in BEFORE_A_SECTION_NUMBER
