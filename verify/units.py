"""What the title, header or note of a table states of its numbers: unit and scale. Nothing is guessed."""

import re
from typing import NamedTuple

from verify.currencies import currency
from verify.numbers import NAME, PERCENT, PERCENT_SIGN, SCALE_WORD, SIGN_OR_CODE
from verify.wordlists import WORDS

_SCALES: dict[str, int] = WORDS["scales"] | {k: v for k, v in WORDS["long_scale"].items() if isinstance(v, int)}
_LETTERS: dict[str, int] = WORDS["scale_letters"]


class Stated(NamedTuple):
    """What a title, header or note states of the numbers it governs; None where it is silent.

    ``word`` is a unit in brackets that is no currency ("kg"). ``clash`` is True where it states two units or scales.
    """

    unit: str | None
    scale: int | None
    word: str | None
    clash: bool


_EXCEPTION = re.compile(r"\b(?:except|other than|unless|excluding|save)\b.*", re.IGNORECASE | re.DOTALL)
_GROUP = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_THOUSAND = r"(?:['’]?000(?:['’]?s)?\b)"
_STATED_SCALE = re.compile(
    rf"(?P<word>{SCALE_WORD})\.?|(?P<zeros>(?<![\d,.]){_THOUSAND})|(?P<times>[x×]\s?1[,.  ]?000(?:[,.  ]?000)?)",
    re.IGNORECASE,
)
_STATED_UNIT = re.compile(rf"{SIGN_OR_CODE}|(?i:{NAME})")
_ATTACHED = re.compile(rf"(?P<unit>{SIGN_OR_CODE.replace(chr(92) + 'b', '')})\s?(?P<letters>k|m|mn|mm|mio|bn|b|tn)\b")
_LEADING = re.compile(r"\b(?P<letters>[kTM])\s?(?P<unit>€|EUR)(?![A-Za-z])")
_STATED_PERCENT = re.compile(PERCENT_SIGN)
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
        scales.add(int(10 ** {"T": 3, "M": 6, **_LETTERS}[m["letters"]]))
    if not units and not scales:
        return None
    clash = len(units) > 1 or len(scales) > 1
    return Stated(min(units, default=None), min(scales, default=None), None, clash)


def _stated_scale(found: re.Match[str]) -> int:
    if found["word"]:
        return int(10 ** _SCALES[found["word"].lower()])
    return 1000 if found["zeros"] else int(10 ** (found["times"].count("000") * 3))


def _nothing_else(text: str) -> bool:
    rest = _ATTACHED.sub("", text)
    for pattern in (_LEADING, _STATED_UNIT, _STATED_SCALE, _STATED_PERCENT):
        rest = pattern.sub("", rest)
    return not re.sub(r"\b(?:in|of|and)\b|[^\w]", "", rest)
