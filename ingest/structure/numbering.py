"""Clause numbers, list marks and headings as the page prints them."""

import re
from typing import NamedTuple

from ingest.numerals import roman_value


class Marker(NamedTuple):
    """``text`` as printed ("7.2", "(b)", "Article IV"); ``rank`` orders depth, lower is further out.

    Ranks: -1 what is attached to a document ("Schedule A"), 0 its named divisions ("Article IV"), 1 "7", 2 "7.2",
    3 "7.2.1" ..., 10 upper-case letters and romans in parentheses or with a full stop, 11 "(a)", 12 "(i)", 13 "(1)",
    20 bullets. A single "(i)" is 11 until its neighbours are known (``as_roman``).
    """

    text: str
    rank: int


_NAMED = re.compile(
    r"(?:ARTICLE|Article|SECTION|Section|CLAUSE|Clause|SCHEDULE|Schedule|ANNEX|Annex|EXHIBIT|Exhibit|APPENDIX|Appendix|PART|Part|"
    r"CHAPTER|Chapter|ATTACHMENT|Attachment)\s+(?:[0-9]{1,3}(?:\.[0-9]{1,3})*|[IVXLC]{1,7}|[A-Z](?:-?[0-9]{1,2})?)(?=[\s.:,;–—-]|$)[.:]?"
)
_DIVISIONS = frozenset(
    ("Article", "Section", "Clause", "Schedule", "Annex", "Exhibit", "Appendix", "Part", "Chapter", "Attachment",
     "ii", "iii", "iv", "vi", "vii", "viii", "ix", "xi", "xii", "xiii", "xiv", "xv")
)  # fmt: skip
_REFERRED = re.compile(r"\s(?:of|and|or|hereof|above|below|shall|is|are|may|will|in|by|as|with|which|that|has|have)\b")
_ATTACHED = re.compile(r"(?:schedule|annex|exhibit|appendix|attachment)\b", re.IGNORECASE)
_SIGN = re.compile(r"§{1,2}\s?[0-9]{1,4}(?:\.[0-9]{1,3})*[.:]?(?=\s|$)")
_DECIMAL = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,3})+\.?(?=\s|\(|$)")
_LETTERED = re.compile(r"[A-Z]\.?[0-9]{1,3}(?:\.[0-9]{1,3})*\.?(?=\s|$)")
_PLAIN = re.compile(r"[0-9]{1,3}\.(?=\s|$)")
_LETTER = re.compile(r"(?:[A-Z]|[IVXLC]{1,6})\.(?=\s|$)")
_PARENS = re.compile(r"\(?([A-Za-z]{1,2}|[ivxlc]{1,6}|[IVXLC]{1,6}|[0-9]{1,3})\)\.?(?=\s|\(|$)")
_LOWER = re.compile(r"(?:[a-uw-z]|[ivx]{2,5})\.(?=\s|$)")  # "v." stands between two parties
_BULLET = re.compile(r"[•●○▪■□◦‣⁃∙·\uf0b7\uf0a7–—-](?=\s[^-–—\s](?!.*\s[–—-]$)|$)")  # "- and -" is none


def marker(text: str) -> Marker | None:
    """The number or bullet that a line begins with; None where it begins with a word."""
    if text[1:2].islower() and text[0].isalpha() and text.split(" ", 1)[0].rstrip(".:)") not in _DIVISIONS:
        return None
    for pattern, rank in ((_NAMED, 0), (_SIGN, 0), (_PLAIN, 1), (_LETTER, 10), (_LOWER, 11), (_BULLET, 20)):
        match = pattern.match(text)
        if match and not (rank == 0 and _REFERRED.match(text, match.end())):  # "Section 4 of the ..." is a reference
            return Marker(match.group(), _narrower(rank, match.group()))
    match = _DECIMAL.match(text)
    if match:
        number = match.group().rstrip(".")
        return Marker(match.group(), 1 + number.count(".") - number.endswith(".0"))  # "12.0" is section 12 itself
    match = _PARENS.match(text)
    if match:
        return Marker(match.group(), _parens_rank(match.group(1)))
    match = _LETTERED.match(text)
    return Marker(match.group(), 2) if match else None


def _narrower(rank: int, text: str) -> int:
    if rank == 0 and _ATTACHED.match(text):
        return -1
    return 12 if rank == 11 and len(text) > 2 else rank


def _parens_rank(inner: str) -> int:
    if inner.isdigit():
        return 13
    if inner.isupper():
        return 10
    return 12 if len(inner) > 1 and set(inner) <= set("ivxlc") else 11


def is_list_mark(found: Marker) -> bool:
    """True for bullets and for letters and romans in a list; a decimal clause number opens a paragraph instead."""
    return found.rank >= 10


def as_roman(mark: Marker, letters: Marker | None, romans: Marker | None) -> Marker:
    """A single letter in parentheses as the roman number that it is after "(iv)", or where no "(h)" came before "(i)".

    ``letters`` and ``romans`` are the last of their runs.
    """
    if mark.rank != 11 or bare(mark) not in ("i", "v", "x"):
        return mark
    goes_on = romans is not None and follows(romans, mark)
    begins = bare(mark) == "i" and (letters is None or bare(letters) != "h")
    return mark._replace(rank=12) if goes_on or begins else mark


def bare(mark: Marker) -> str:
    """The number alone: "7.2" of "Section 7.2.", "b" of "(b)"."""
    return mark.text.rsplit(" ", 1)[-1].strip("()[]. :§")


def value_of(mark: Marker) -> int | None:
    """The first number of a figure or roman: 7 of "7.2" and of "Article VII"; None for letters."""
    first = bare(mark).split(".", 1)[0]
    return int(first) if first.isdecimal() else roman_value(first)


def follows(last: Marker, mark: Marker) -> bool:
    """True if ``mark`` is the next of its kind after ``last``: (b) after (a), (ii) after (i), 7.3 after 7.2."""
    one, two = bare(last), bare(mark)
    if "." in one and "." in two:
        (head, _, tail), (other, _, next_tail) = one.rpartition("."), two.rpartition(".")
        return head == other and tail.isdecimal() and next_tail.isdecimal() and int(next_tail) == int(tail) + 1
    if one.isdigit() and two.isdigit():
        return int(two) == int(one) + 1
    if len(one) == len(two) == 1 and one.isalpha() and two.isalpha():
        return ord(two) == ord(one) + 1
    first, second = roman_value(one), roman_value(two)
    return first is not None and second is not None and second == first + 1
