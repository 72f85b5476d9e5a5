"""Numbers with their units and scales, as printed. Nothing is guessed: what cannot be read one way is not read.

Values are exact decimals. A comma or point before three digits is read the English way ("1,240" is 1240, "1.240" is
1.24) unless the rest of the number shows the other ("1.240,50", "1.240.500", "12,4").
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from verify.currencies import CODES, DOLLAR, NAMES, PERCENT, SIGNS, currency

__all__ = ["DOLLAR", "PERCENT", "Quantity", "Stated", "currency", "parse_number", "parse_quantity", "parse_statement",
           "quantities"]  # fmt: skip


class Quantity(NamedTuple):
    """A number as printed, with what touches or follows it.

    ``value`` is signed and after ``scale`` (the multiplier of a word beside the number, "million": 1000000, else 1).
    ``unit`` is an ISO 4217 code, ``DOLLAR``, ``PERCENT`` or None. ``word`` is what else follows the number as printed
    ("people", "°C"), without punctuation. ``start``/``end`` are half-open offsets of the whole.
    """

    value: Decimal
    unit: str | None
    word: str | None
    scale: int
    start: int
    end: int


class Stated(NamedTuple):
    """What a title, header or note states of the numbers it governs; None where it is silent.

    ``word`` is a unit in brackets that is no currency ("kg"). ``clash`` is True where it states two units or scales.
    """

    unit: str | None
    scale: int | None
    word: str | None
    clash: bool


_SPACES = "\u00a0\u202f\u2009"
_APOSTROPHES = "'’"
_MINUS = "-−–"
_DIGITS = rf"(?:\d+(?:[.,{_APOSTROPHES}{_SPACES}]\d+)*|\.\d+)"
_NUMBER_TOKEN = re.compile(_DIGITS)
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3}")
"""Thousands in threes, or the Indian way."""

_WORDS_OF_SCALE = {
    "hundred": 2, "thousand": 3, "thousands": 3, "million": 6, "millions": 6, "billion": 9, "billions": 9,
    "trillion": 12, "trillions": 12, "lakh": 5, "lakhs": 5, "crore": 7, "crores": 7, "hundreds": 2, "mio": 6, "mrd": 9,
}  # fmt: skip
_LETTERS_OF_SCALE = {"k": 3, "m": 6, "mn": 6, "mm": 6, "mio": 6, "b": 9, "bn": 9, "tn": 12}
"""Read as a scale only beside a currency: elsewhere "m" is metres."""


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(w) for w in sorted(words, key=lambda w: (-len(w), w)))


_SIGN_OR_CODE = rf"(?:{_either(SIGNS)}|\b(?:{_either(CODES)})\b)"
_NAME = rf"\b(?:{_either(NAMES)})s?\b"
_PERCENT = r"(?:%|\bper\s?cent\b|\bper\scentum\b|\bpercentage\b|\bpct\b)(?!\s(?:points?|pts?)\b)"
_SCALE_WORD = rf"\b(?:{_either(_WORDS_OF_SCALE)})\b"

_QUANTITY = re.compile(
    rf"""(?P<outer>\(\s?)? (?P<sign>[{_MINUS}+]\s?)? (?P<before>{_SIGN_OR_CODE}(?:[ {_SPACES}])?)?
    (?P<inner>\(\s?)? (?P<sign2>[{_MINUS}+])? (?P<digits>{_DIGITS})
    (?:(?P<letters>(?:k|mn|mm|m|bn|b|tn)\b) | [\s{_SPACES}]?(?P<scale>{_SCALE_WORD}))?
    (?P<closed>\s?\))?
    (?P<after>[\s{_SPACES}]?(?:{_PERCENT}|(?i:{_NAME})|{_SIGN_OR_CODE}))?
    (?P<closed2>\s?\))? (?P<trailing>[-−](?![\w]))?""",
    re.VERBOSE,
)
_WORD_AFTER = re.compile(r"[ \t\n\u00a0\u202f]*([^\s,;:.()\[\]\"“”]+)")
_MARKS = "*†‡§¹²³⁴⁵⁶⁷⁸⁹⁰"


def parse_number(token: str) -> Decimal | None:
    """Digits with separators ("1,240.5", "1.240,50", "4 200") as an unsigned decimal; None if they can't be read."""
    bare = re.sub(rf"(?<=\d)[ {_APOSTROPHES}{_SPACES}](?=\d{{3}}(?!\d))", "", token)
    if not re.fullmatch(r"\d+(?:[.,]\d+)*|\.\d+", bare, re.ASCII):
        return None
    points, commas = bare.count("."), bare.count(",")
    if points and commas:
        return _two_separators(bare)
    if commas:
        if _GROUPED.fullmatch(bare) and not bare.startswith("0"):
            return Decimal(bare.replace(",", ""))
        return Decimal(bare.replace(",", ".")) if commas == 1 else None
    if points > 1:
        return Decimal(bare.replace(".", "")) if re.fullmatch(r"[1-9]\d{0,2}(?:\.\d{3})+", bare) else None
    return Decimal(bare)


def _two_separators(bare: str) -> Decimal | None:
    decimal = max(".,", key=bare.rindex)
    whole, _, rest = bare.rpartition(decimal)
    grouped = whole.replace(".", ",")
    if decimal in whole or not _GROUPED.fullmatch(grouped):
        return None
    return Decimal(grouped.replace(",", "") + "." + rest)


def parse_quantity(text: str) -> Quantity | None:
    """The one number that is all of ``text`` (a cell), footnote marks at its end aside; None for anything else.

    Parentheses make it negative. Thousands may be parted by plain spaces here.
    """
    body = text.strip().rstrip(_MARKS).rstrip()
    body = re.sub(r"(?<=\d) (?=\d{3}(?!\d))", "\u00a0", body)
    found = _QUANTITY.fullmatch(body)
    if found is None:
        shown = _WORD_TAIL.fullmatch(body)
        found = shown and _QUANTITY.fullmatch(shown[1])
    if found is None or bool(_opening(found)) != bool(_closing(found)):
        return None
    quantity = _read(found, bool(_opening(found)))
    if quantity is None:
        return None
    word = body[found.end() :].strip() or None
    return quantity._replace(word=word, start=0, end=len(text))


_WORD_TAIL = re.compile(r"(.*\d\)?)[ \u00a0]?((?:°[A-Z]|[^\W\d_]{1,20})[²³]?(?:/[^\W\d_]{1,10})?)")


def _opening(found: re.Match[str]) -> str | None:
    return found["outer"] or found["inner"]


def _closing(found: re.Match[str]) -> str | None:
    return found["closed"] or found["closed2"]


def _read(found: re.Match[str], negative: bool) -> Quantity | None:
    number = parse_number(found["digits"])
    if number is None:
        return None
    before = currency((found["before"] or "").strip(" " + _SPACES))
    after = _unit_after((found["after"] or "").strip())
    if found["letters"] and not (before or after):
        return None
    scale = _scale_of(found["scale"], found["letters"])
    signs = (found["sign"] or "").strip() + (found["sign2"] or "") + (found["trailing"] or "")
    if negative or any(c in _MINUS for c in signs):
        number = -number
    return Quantity(number * scale, before or after, None, scale, found.start(), found.end())


def _unit_after(text: str) -> str | None:
    if not text:
        return None
    return currency(text) or PERCENT


def _scale_of(word: str | None, letters: str | None) -> int:
    if word:
        return int(10 ** _WORDS_OF_SCALE[word.lower()])
    return int(10 ** _LETTERS_OF_SCALE[letters]) if letters else 1


_NUMBER_WORD = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty(?:-\w+)?|hundred|thousand|"
    r"million|zero)\s*$",
    re.IGNORECASE,
)


def quantities(text: str) -> Iterator[Quantity]:
    """Every whole number in running text, in order. Digits inside a longer token ("A-3", "11:15", "7(3)") are none.

    A number in brackets after its own words ("thirty (30)") is positive; alone in brackets it is negative.
    """
    at = 0
    while found := _QUANTITY.search(text, at):
        at = found.end()
        if quantity := _in_text(text, found):
            yield quantity


def _in_text(text: str, found: re.Match[str]) -> Quantity | None:
    enclosed = bool(_opening(found)) and bool(_closing(found))
    if _inside_a_token(text, found):
        return None
    restated = enclosed and _NUMBER_WORD.search(text, max(0, found.start() - 30), found.start()) is not None
    quantity = _read(found, enclosed and not restated)
    if quantity is None:
        return None
    follows = None if quantity.unit else _WORD_AFTER.match(text, found.end())
    return quantity._replace(word=follows[1] if follows else None)


def _inside_a_token(text: str, found: re.Match[str]) -> bool:
    before, after = text[: found.start()][-2:], text[found.end() : found.end() + 2]
    first, last = text[found.start("digits")], text[found.end("digits") - 1]
    if before[-1:].isalnum() or before[-1:] == "_" or _joins(before[-1:], before[:1], first):
        return True
    return after[:1].isalnum() or after[:1] == "_" or _joins(after[:1], after[1:], last)


def _joins(mark: str, beyond: str, digit: str) -> bool:
    """A mark between a number and another letter or digit makes them one token: "11:15", "1/2", "12-month"."""
    return bool(mark) and mark in "-‐/:.,’'(" and bool(beyond) and beyond.isalnum() and digit.isdigit()


_EXCEPTION = re.compile(r"\b(?:except|other than|unless|excluding|save)\b.*", re.IGNORECASE | re.DOTALL)
_GROUP = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_THOUSAND = r"(?:['’]?000(?:['’]?s)?\b)"
_STATED_SCALE = re.compile(
    rf"(?P<word>{_SCALE_WORD})\.?|(?P<zeros>(?<![\d,.]){_THOUSAND})|(?P<times>[x×]\s?1[,.  ]?000(?:[,.  ]?000)?)",
    re.IGNORECASE,
)
_STATED_UNIT = re.compile(rf"{_SIGN_OR_CODE}|(?i:{_NAME})")
_ATTACHED = re.compile(rf"(?P<unit>{_SIGN_OR_CODE.replace(chr(92) + 'b', '')})\s?(?P<letters>k|m|mn|mm|mio|bn|b|tn)\b")
_LEADING = re.compile(r"\b(?P<letters>[kTM])\s?(?P<unit>€|EUR)(?![A-Za-z])")
_STATED_PERCENT = re.compile(_PERCENT, re.IGNORECASE)
_INTRODUCED = re.compile(r"\b(?:in|expressed in|stated in|figures in|amounts in)\s+(?P<rest>[^.;]*)", re.IGNORECASE)
_UNIT_WORD = re.compile(r"(?:in\s+)?(°?[^\W\d_]{1,20}[²³]?(?:\s?/\s?[^\W\d_]{1,10}|\s[^\W\d_]{1,12})?)")


def parse_statement(text: str) -> Stated:
    """Unit and scale that a title, header or note states: "(USD in thousands)", "€ million", "in %", "£’000", "(kg)".

    What stands in brackets decides; then a text that is nothing but unit and scale, then what follows "in" ("Amounts
    in thousands of euros"). What follows "except" is left out.
    """
    said = [*_in_brackets(text), *_alone(text), *_introduced(text)]
    if not said:
        words = [w[1] for group in _GROUP.finditer(text) if (w := _UNIT_WORD.fullmatch(group[1].strip()))]
        return Stated(None, None, words[-1] if words else None, False)
    unit = next((s.unit for s in said if s.unit), None)
    scale = next((s.scale for s in said if s.scale), None)
    return Stated(unit, scale, None, any(s.clash for s in said))


def _in_brackets(text: str) -> list[Stated]:
    """One statement for all brackets together, so that two that disagree clash."""
    inside = " | ".join(_EXCEPTION.sub("", group[1]) for group in _GROUP.finditer(text))
    return [s for s in [_stated(inside)] if s]


def _alone(text: str) -> list[Stated]:
    stated = _stated(_EXCEPTION.sub("", text))
    return [stated] if stated and _nothing_else(_EXCEPTION.sub("", text)) else []


def _introduced(text: str) -> list[Stated]:
    outside = _GROUP.sub(" ", _EXCEPTION.sub("", text))
    return [s for m in _INTRODUCED.finditer(outside) if (s := _stated(m["rest"]))]


def _stated(text: str) -> Stated | None:
    """Units and scales anywhere in ``text``; None if there are none."""
    units = {u for m in _STATED_UNIT.finditer(text) if (u := currency(m.group()))}
    if _STATED_PERCENT.search(text):
        units.add(PERCENT)
    scales = {_stated_scale(m) for m in _STATED_SCALE.finditer(text)}
    for m in (*_ATTACHED.finditer(text), *_LEADING.finditer(text)):
        units.add(str(currency(m["unit"])))
        scales.add(int(10 ** {"T": 3, "M": 6, **_LETTERS_OF_SCALE}[m["letters"]]))
    if not units and not scales:
        return None
    clash = len(units) > 1 or len(scales) > 1
    return Stated(min(units, default=None), min(scales, default=None), None, clash)


def _stated_scale(found: re.Match[str]) -> int:
    if found["word"]:
        return int(10 ** _WORDS_OF_SCALE[found["word"].lower()])
    return 1000 if found["zeros"] else int(10 ** (found["times"].count("000") * 3))


def _nothing_else(text: str) -> bool:
    rest = _ATTACHED.sub("", text)
    for pattern in (_LEADING, _STATED_UNIT, _STATED_SCALE, _STATED_PERCENT):
        rest = pattern.sub("", rest)
    return not re.sub(r"\b(?:in|of|and)\b|[^\w]", "", rest)
