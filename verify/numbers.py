"""The one reading of a number: where it begins and ends, and what it is (contract section 5, rule 13).

Quotations, values, cells, calculations and triage all read numbers here. Nothing is guessed: what can be read two ways
has both readings, what cannot be read has none. Values are exact decimals.

A comma or point before three digits parts thousands or decimals. The rest of the number decides ("1.240,50",
"1.240.500", "12,4"), then the other numbers of the text, then its language; without any of these it is read the English
way, and an amount of money that would get three decimals so is open.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from verify.currencies import CODES, DOLLAR, NAMES, PERCENT, SIGNS, currency
from verify.sentences import Span
from verify.wordlists import WORDS, either, phrases

__all__ = ["DOLLAR", "PERCENT", "Convention", "Quantity", "convention_of", "convention_of_cells", "currency", "extents",
           "parse_number", "parse_quantity", "quantities"]  # fmt: skip


class Quantity(NamedTuple):
    """A number as printed, with what touches or follows it.

    ``value`` is signed and after ``scale`` (the multiplier of the words beside the number, "million": 1000000, else 1).
    ``unit`` is an ISO 4217 code, ``DOLLAR``, ``PERCENT`` or None. ``word`` is what else follows the number as printed
    ("people", "°C"), without punctuation. ``start``/``end`` are half-open offsets of the whole. ``others`` are the
    values that it may as well be; ``bounded`` means that words or signs make it a limit ("less than 500", "≤ 5").
    """

    value: Decimal
    unit: str | None
    word: str | None
    scale: int
    start: int
    end: int
    others: tuple[Decimal, ...] = ()
    bounded: bool = False

    @property
    def readings(self) -> tuple[Decimal, ...]:
        return (self.value, *self.others)


class Convention(NamedTuple):
    """How a text writes numbers: ``decimal`` is "." or ",", None where nothing shows it. ``shown`` is True if its own
    numbers do. ``long_scale`` is True where a billion is a million millions."""

    decimal: str | None = None
    shown: bool = False
    long_scale: bool = False


ENGLISH = Convention(".", False)
UNKNOWN = Convention()

_BOUND_SPACE = "\u00a0\u2007\u2008\u2009\u202f"
"""No-break, figure, punctuation, thin and narrow spaces: they part groups of digits and never two numbers."""
_SP = rf"[ {_BOUND_SPACE}]"
_WS = rf"[ \n{_BOUND_SPACE}]"
_APOSTROPHES = "'’ʼ"
_MINUS = "-−–‐\u2011"
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_VULGAR = "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"

_SCALES: Mapping[str, int] = WORDS["scales"]
_LONG_SCALE: Mapping[str, int] = {k: v for k, v in WORDS["long_scale"].items() if isinstance(v, int)}
_LONG_SCALE_LANGUAGES = frozenset(WORDS["long_scale"]["languages"])
_LETTERS: Mapping[str, int] = WORDS["scale_letters"]

SIGN_OR_CODE = rf"(?:{either(SIGNS)}|\b(?:{either(CODES)})\b)"
NAME = rf"\b(?:{either(NAMES)})s?\b"
PERCENT_WORDS = r"(?:[%‰]|\bper\s?cent\b|\bper\scentum\b|\bpercentage\b|\bpct\b|\bprozent\b|\bpour\scent\b)"
PERCENT_SIGN = rf"(?i:{PERCENT_WORDS})(?!\s(?:points?|pts?)\b)"
SCALE_WORD = rf"\b(?i:{either([*_SCALES, *_LONG_SCALE])})\b"

_GROUPS = rf"\d{{1,3}}(?:{_SP}\d{{3}}(?!\d)|\n000(?!\d))+(?:[.,·]\d+(?![.,·]?\d))?"
_PLAIN = rf"\d+(?:[.,·{_APOSTROPHES}]\d+|{_SP}?[٫٬]{_SP}?\d+)*"
_DIGITS = rf"(?:(?<![\d.,·٫٬])(?:{_GROUPS}|{_PLAIN})|(?<![\w.])\.\d+|[{_VULGAR}])"
_TIMES = rf"{_SP}?[×x·∙*]{_SP}?10(?:\^[-−]?\d+|[⁻{_RAISED}]+)"

_QUANTITY = re.compile(
    rf"""(?P<outer>\({_SP}?)? (?P<bound>[<>≤≥≈~≠±∓⩽⩾]{_SP}?)?
    (?P<sign>(?:[{_MINUS}+]|−{_SP}))? (?P<before>{SIGN_OR_CODE}{_SP}?(?P<apart>[-–]{_SP})?)?
    (?P<inner>\({_SP}?)? (?P<sign2>[{_MINUS}+])? (?P<digits>{_DIGITS})
    (?P<fraction>{_SP}?[{_VULGAR}]|(?:{_SP}|-)\d{{1,2}}[/⁄]\d{{1,3}}(?![\d/])|⁄\d+)?
    (?P<times>{_TIMES})? (?P<raised>⁻?[{_RAISED}]+)?
    (?:(?P<letters>(?(before){_SP}?)(?i:{either(_LETTERS)})\b(?!['’])) | (?P<scale>(?:(?:{_WS}|-)?{SCALE_WORD}\.?)+))?
    (?P<closed>{_SP}?\))?
    (?P<after>{_WS}?(?:{PERCENT_SIGN}|(?i:{NAME})|{SIGN_OR_CODE}(?!\d)))?
    (?P<closed2>{_SP}?\))? (?P<trailing>[-−](?![\w]))?""",
    re.VERBOSE,
)
_WORD_AFTER = re.compile(r"[ \t\n\u00a0\u202f]*([^\s,;:.()\[\]\"“”]+)")
_MARKS = "*†‡§" + _RAISED

_GROUPED = re.compile(r"[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})*,\d{3}")
"""Thousands in threes, or the Indian way."""


def convention_of(text: str, language: str | None = None) -> Convention:
    """What the numbers of a text show of their separators, else what its language does (ISO 639-1; None: unknown)."""
    long_scale = (language or "")[:2].lower() in _LONG_SCALE_LANGUAGES
    shown = {mark for found in _SHOWN.finditer(text) if (mark := _decimal_mark(found.group()))}
    if len(shown) == 1:
        return Convention(shown.pop(), True, long_scale)
    usual = _OF_LANGUAGE.get((language or "")[:2].lower())
    return Convention(usual, False, long_scale)


def convention_of_cells(texts: Iterable[str], usual: Convention) -> Convention:
    """That of a table's own numbers: where every mark parts three digits, and numbers without one have at most three,
    the mark parts thousands, for decimals would be kept throughout."""
    numbers = [m.group() for text in texts for m in _SHOWN_OR_WHOLE.finditer(text)]
    marked = [n for n in numbers if not n.isdigit()]
    marks = {c for n in marked for c in n if c in ".,"}
    if len(marked) < 2 or len(marks) != 1 or not all(re.fullmatch(r"[1-9]\d{0,2}(?:[.,]\d{3})+", n) for n in marked):
        return usual
    if not any(n.isdigit() and len(n) <= 3 for n in numbers) or any(n.isdigit() and len(n) > 4 for n in numbers):
        return usual
    return usual._replace(decimal="," if "." in marks else ".", shown=True)


_SHOWN_OR_WHOLE = re.compile(r"(?<![\w.,/:])\d+(?:[.,]\d+)*(?![\w/:]|[.,]\d)")
_OF_LANGUAGE = {"en": "."} | dict.fromkeys(
    ("de", "fr", "es", "it", "nl", "pt", "da", "no", "sv", "pl", "fi", "cs"), ","
)
_SHOWN = re.compile(r"(?<![\w.,/:])\d{1,3}(?:[.,]\d+)+(?![\w/:]|[.,]\d)")


def _decimal_mark(number: str) -> str | None:
    """The decimal mark that a number gives away; None where it can be read both ways, or is a date or a section."""
    points, commas = number.count("."), number.count(",")
    if points and commas:
        return max(".,", key=number.rindex)
    mark, other = (".", ",") if points else (",", ".")
    if max(points, commas) > 1:
        return other if re.fullmatch(r"[1-9]\d{0,2}(?:[.,]\d{2,3})*[.,]\d{3}", number) else None
    whole, rest = number.split(mark)
    if whole == "0":
        return mark
    if mark == ".":
        return None if len(rest) == 3 else "." if len(rest) > 3 else None  # "7.3" and "7.12" may be sections
    return None if len(rest) == 3 else ","


def parse_number(token: str, convention: Convention = ENGLISH) -> Decimal | None:
    """Digits with separators ("1,240.5", "1.240,50", "4 200") as an unsigned decimal; None if they can't be read."""
    return next(iter(_readings(token, convention, money=False)), None)


def _readings(token: str, convention: Convention, money: bool) -> tuple[Decimal, ...]:
    """The likelier first; one where the number shows it, none where it cannot be read."""
    token = re.sub(rf"{_SP}?([٫٬]){_SP}?", r"\1", token)
    bare = re.sub(rf"(?<=\d)[ \n{_APOSTROPHES}{_BOUND_SPACE}٬](?=\d{{3}}(?!\d))", "", token)
    spaced = bare != token
    bare = bare.replace("٫", ".").replace("·", ".")
    if not re.fullmatch(r"\d+(?:[.,]\d+)*|\.\d+", bare):
        return ()
    points, commas = bare.count("."), bare.count(",")
    if points and commas:
        return _one(_two_separators(bare))
    if not points and not commas:
        return (Decimal(bare),)
    mark = "." if points else ","
    if max(points, commas) > 1:
        grouped = _GROUPED if commas else re.compile(r"[1-9]\d{0,2}(?:\.\d{3})+")
        return (Decimal(bare.replace(mark, "")),) if grouped.fullmatch(bare) else ()
    as_decimal = Decimal(bare.replace(",", "."))
    if spaced or not re.fullmatch(r"[1-9]\d{0,2}[.,]\d{3}", bare):
        return (as_decimal,)
    as_group = Decimal(bare.replace(mark, ""))
    return _open(as_decimal, as_group, mark, convention, money)


def _open(
    as_decimal: Decimal, as_group: Decimal, mark: str, convention: Convention, money: bool
) -> tuple[Decimal, ...]:
    decimal = mark == (convention.decimal or ".")
    first, second = (as_decimal, as_group) if decimal else (as_group, as_decimal)
    doubtful = money and decimal and not convention.shown  # money has no three decimals
    return (first, second) if doubtful else (first,)


def _one(value: Decimal | None) -> tuple[Decimal, ...]:
    return () if value is None else (value,)


def _two_separators(bare: str) -> Decimal | None:
    decimal = max(".,", key=bare.rindex)
    whole, _, rest = bare.rpartition(decimal)
    grouped = whole.replace(".", ",")
    if decimal in whole or not _GROUPED.fullmatch(grouped):
        return None
    return Decimal(grouped.replace(",", "") + "." + rest)


def parse_quantity(text: str, convention: Convention = ENGLISH) -> Quantity | None:
    """The one number that is all of ``text`` (a cell), footnote marks at its end aside; None for anything else.

    Parentheses make it negative.
    """
    body = text.strip().rstrip(_MARKS).rstrip()
    found = _QUANTITY.fullmatch(body)
    if found is None:
        shown = _WORD_TAIL.fullmatch(body)
        found = shown and _QUANTITY.fullmatch(shown[1])
    if found is None or bool(_opening(found)) != bool(_closing(found)):
        return None
    quantity = _read(found, bool(_opening(found)), convention)
    if quantity is None:
        return None
    word = body[found.end() :].strip() or None
    return quantity._replace(word=word, start=0, end=len(text))


_WORD_TAIL = re.compile(r"(.*\d\)?)[ \u00a0]?((?:°[A-Z]|[^\W\d_]{1,20})[²³]?(?:/[^\W\d_]{1,10})?)")


def _opening(found: re.Match[str]) -> str | None:
    return found["outer"] or found["inner"]


def _closing(found: re.Match[str]) -> str | None:
    return found["closed"] or found["closed2"]


def _read(found: re.Match[str], negative: bool, convention: Convention) -> Quantity | None:
    before = currency((found["before"] or "").rstrip("-– " + _BOUND_SPACE))
    after = _unit_after((found["after"] or "").strip())
    unit = before or after
    values = _values(found, convention, money=unit is not None and unit != PERCENT)
    if not values or (found["letters"] and not unit):
        return None
    scale = _scale_of(found["scale"], (found["letters"] or "").strip(), convention)
    signs = (found["sign"] or "").strip() + (found["sign2"] or "") + (found["trailing"] or "") + (found["apart"] or "")
    sign = -1 if negative or any(c in _MINUS for c in signs) else 1
    first, *others = (value * scale * sign for value in values)
    bound = (found["bound"] or "").strip()
    return Quantity(first, unit, None, scale, found.start(), found.end(), tuple(others), bound != "")


def _values(found: re.Match[str], convention: Convention, money: bool) -> tuple[Decimal, ...]:
    digits, fraction, raised = found["digits"], found["fraction"], found["raised"]
    if digits in _VULGAR:
        values = _one(_vulgar(digits))
    elif fraction and fraction[0] == "⁄":
        values = _one(_ratio(Decimal(digits), fraction[1:])) if digits.isdigit() else ()
    else:
        values = _readings(digits, convention, money)
        if fraction:
            part = _fraction(fraction)
            values = () if part is None else tuple(v + part for v in values)
    if found["times"]:
        power = _power(found["times"])
        values = tuple(v.scaleb(power) for v in values)
    if raised and values:
        return _powers(values[0], raised)
    return values


def _powers(value: Decimal, raised: str) -> tuple[Decimal, ...]:
    """A raised number behind digits is an exponent or the mark of a note: either way it is open."""
    shown = unicodedata.normalize("NFKC", raised).replace("−", "-")
    power = value ** int(shown) if value and len(shown) <= _LONGEST_POWER else value
    return (value, power) if power != value else (value, -value)


_LONGEST_POWER = 3
"""Digits of an exponent that is worked out."""


def _vulgar(char: str) -> Decimal | None:
    above, _, below = unicodedata.normalize("NFKC", char).partition("⁄")
    return _ratio(Decimal(above), below)


def _fraction(text: str) -> Decimal | None:
    text = text.strip("- " + _BOUND_SPACE)
    if text in _VULGAR:
        return _vulgar(text)
    above, below = re.split("[/⁄]", text)
    return _ratio(Decimal(above), below) if int(above) < int(below) else None


def _ratio(above: Decimal, below: str) -> Decimal | None:
    """Exact, or None: a third has no decimal form."""
    if not int(below):
        return None
    value = above / int(below)
    return value if value * int(below) == above and len(value.as_tuple().digits) < 20 else None


def _power(times: str) -> int:
    shown = unicodedata.normalize("NFKC", times.split("10", 1)[1]).replace("^", "").replace("−", "-")
    return max(-99, min(99, int(shown)))


def _unit_after(text: str) -> str | None:
    if not text:
        return None
    return currency(text) or PERCENT


def _scale_of(words: str | None, letters: str, convention: Convention) -> int:
    if letters:
        return int(10 ** _LETTERS[letters.lower()])
    power = 0
    for word in re.findall(r"[^\W\d_]+", (words or "").lower()):
        power += (_LONG_SCALE if convention.long_scale else _SCALES).get(word) or _SCALES.get(word) or _LONG_SCALE[word]
    return int(10**power)


_NUMBER_WORD = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|\w+ty(?:-\w+)?|hundred|thousand|"
    r"million|zero)\s*$",
    re.IGNORECASE,
)
_REFERENCE = re.compile(rf"(?:(?<!\w)(?:{phrases(WORDS['references']['words'])})\.?|\d|[)\]])\s*$", re.IGNORECASE)
_BOUND_BEFORE = re.compile(
    rf"(?<!\w)(?:{phrases(WORDS['bounds']['before'])})\.?\s+(?:a\s+|the\s+|of\s+)?$", re.IGNORECASE
)
_BOUND_AFTER = re.compile(rf"[\s]*(?:\w+\s+)?(?:{phrases(WORDS['bounds']['after'])})\b", re.IGNORECASE)
_DASH_BEFORE = re.compile(rf"[^\n\v]*\S{_SP}[-–]{_SP}$")


def quantities(text: str, convention: Convention | None = None) -> Iterator[Quantity]:
    """Every whole number in running text, in order. Digits inside a longer token ("A-3", "11:15", "7(3)") are none.

    A number in brackets after its own words ("thirty (30)") is positive; after "paragraph" it is a reference and none;
    alone in brackets it is negative in accounts and an aside elsewhere, so that it is open. ``convention`` is that of
    the text's own numbers unless given.
    """
    convention = convention or convention_of(text)
    for found in _expressions(text):
        if quantity := _in_text(text, found, convention):
            yield quantity


def extents(text: str) -> Iterator[Span]:
    """Where each number begins and ends for a reader, with all that belongs to it; a bracket only with its other."""
    for found in _expressions(text):
        start, end = found.span()
        opened, closed = bool(_opening(found)), bool(_closing(found))
        if opened and not closed and found["outer"]:
            start = found.end("outer")
        if closed and not opened:
            end = found.start("closed") if found["closed"] else found.start("closed2")
        yield Span(start, end)


def _expressions(text: str) -> Iterator[re.Match[str]]:
    return _QUANTITY.finditer(text)


def _in_text(text: str, found: re.Match[str], convention: Convention) -> Quantity | None:
    enclosed = bool(_opening(found)) and bool(_closing(found))
    if _inside_a_token(text, found):
        return None
    before = text[max(0, found.start() - 40) : found.start()]
    restated = enclosed and _NUMBER_WORD.search(before) is not None
    if enclosed and not restated and found["digits"].isdigit() and not found["before"] and _REFERENCE.search(before):
        return None
    quantity = _read(found, enclosed and not restated, convention)
    if quantity is None:
        return None
    others = list(quantity.others)
    if (enclosed and not restated) or _DASH_BEFORE.search(before) or found["apart"]:
        others.append(-quantity.value)
    follows = None if quantity.unit else _WORD_AFTER.match(text, found.end())
    limited = quantity.bounded or _BOUND_BEFORE.search(before) or _BOUND_AFTER.match(text, found.end())
    return quantity._replace(word=follows[1] if follows else None, others=tuple(others), bounded=bool(limited))


def _inside_a_token(text: str, found: re.Match[str]) -> bool:
    before, after = text[max(0, found.start() - 2) : found.start()], text[found.end() : found.end() + 2]
    first, last = text[found.start("digits")], text[found.end("digits") - 1]
    if before[-1:].isalnum() or before[-1:] == "_" or _joins(before[-1:], before[:1], first):
        return True
    return after[:1].isalnum() or after[:1] == "_" or _joins(after[:1], after[1:], last)


def _joins(mark: str, beyond: str, digit: str) -> bool:
    """A mark between a number and another letter or digit makes them one token: "11:15", "1/2", "12-month"."""
    return bool(mark) and mark in "-‐\u2011–/:.,’'(⁄" and bool(beyond) and beyond.isalnum() and digit.isdigit()
