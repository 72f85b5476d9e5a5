"""The nearest true text to a quotation that failed, and how the two differ. For a reader; it decides nothing."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from verify.bodies import Body
from verify.currencies import PERCENT, currency
from verify.report import Difference, DifferenceKind
from verify.sentences import Span

_ALIKE = 0.5
"""Share of the quotation's words that a text must hold to count as near."""
_MAX_TOKENS = 600
"""A longer quotation is compared by this many of its first words."""
_MARGIN = 3


Code = tuple[str, int, int, int, int]
"""An operation of SequenceMatcher: tag, then half-open ranges of tokens of the quotation and of the page."""


class Near(NamedTuple):
    """Half-open offsets in the body, and the differences in the order of the text."""

    span: Span
    differences: tuple[Difference, ...]


def nearest(body: Body, ranges: Sequence[Span], quotation: str) -> Near | None:
    """The stretch of the ranges most like the quotation; None if none holds half of its words."""
    wanted = [m.group() for m in Body(quotation, ()).tokens[:_MAX_TOKENS]]
    shown = [m for span in ranges for m in _tokens_in(body, span)]
    if not shown:
        return None
    first = _best_window([w.lower() for w in wanted], [m.group().lower() for m in shown])
    if first is None:
        return None
    window = shown[max(0, first - _MARGIN) : first + len(wanted) + _MARGIN]
    return _aligned(wanted, window)


def _tokens_in(body: Body, span: Span) -> list[re.Match[str]]:
    low = bisect_left(body.tokens, span.start, key=re.Match.start)
    return body.tokens[low : bisect_left(body.tokens, span.end, key=re.Match.start)]


def _best_window(wanted: list[str], shown: list[str]) -> int | None:
    """Index of the window that shares most tokens with the quotation, by one sliding count."""
    size = min(len(wanted), len(shown))
    missing: dict[str, int] = Counter(wanted)
    held = [token if token in missing else None for token in shown]
    shared = best = first = 0
    for i, token in enumerate(held):
        if token is not None:
            shared += missing[token] > 0
            missing[token] -= 1
        left = held[i - size] if i >= size else None
        if left is not None:
            missing[left] += 1
            shared -= missing[left] > 0
        if shared > best:
            best, first = shared, i - size + 1
    return max(0, first) if best >= _ALIKE * len(wanted) else None


def _aligned(wanted: list[str], window: Sequence[re.Match[str]]) -> Near:
    shown = [m.group() for m in window]
    codes: list[Code] = list(SequenceMatcher(None, wanted, shown, autojunk=False).get_opcodes())
    if codes[0][0] == "insert":
        codes = codes[1:]
    if codes[-1][0] == "insert":
        codes = codes[:-1]
    codes = [_cut(code, codes[-1]) for code in codes]
    low, high = codes[0][3], max(codes[-1][4], codes[0][3] + 1)
    differences = tuple(_difference(wanted, shown, code) for code in codes if code[0] != "equal")
    return Near(Span(window[low].start(), window[high - 1].end()), differences)


def _cut(code: Code, last: Code) -> Code:
    """What replaces the end of the quotation is as long as that end, not as the margin beside the window."""
    tag, a, b, c, d = code
    return (tag, a, b, c, min(d, c + b - a)) if code is last and tag == "replace" else code


def _difference(wanted: list[str], shown: list[str], code: Code) -> Difference:
    _, a, b, c, d = code
    expected, found = wanted[a:b], shown[c:d]
    kind = _kind(expected, found, _context(wanted, a, b) + _context(shown, c, d))
    if kind is DifferenceKind.NEGATION and not (expected and found):
        expected, found = wanted[max(0, a - 1) : b], shown[max(0, c - 1) : d]
    return Difference(kind, " ".join(expected), " ".join(found))


def difference_of(expected: str, found: str) -> Difference:
    """How two readings of the same place differ."""
    return Difference(_kind(expected.split(), found.split(), []), expected, found)


def _context(tokens: list[str], start: int, end: int) -> list[str]:
    return tokens[max(0, start - 2) : start] + tokens[end : end + 2]


_NEGATIONS = frozenset(("no", "not", "never", "nor", "neither", "none", "without", "cannot", "nothing", "nobody"))
_MODALS = frozenset(("shall", "may", "must", "will", "should", "can", "could", "might", "would"))
_MONTHS = frozenset(
    (
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    )
)  # fmt: skip
_NUMBER_WORD = re.compile(
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty"
    r"(?:-\w+)?|hundred|thousand|million|billion|first|second|third|half|double|once|twice)",
    re.IGNORECASE,
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/\d{2,4}|\d{1,2}\.\d{1,2}\.\d{4}")


def _kind(expected: list[str], found: list[str], context: list[str]) -> DifferenceKind:
    both = expected + found
    if _negates(expected) != _negates(found):
        return DifferenceKind.NEGATION
    if any(_is_date(t) for t in both) or (any(_is_number(t) for t in both) and any(_is_month(t) for t in context)):
        return DifferenceKind.DATE
    if any(_is_number(t) for t in both):
        money = any(_is_unit(t) for t in context + both)
        return DifferenceKind.AMOUNT if money else DifferenceKind.NUMBER
    if any(_is_unit(t) for t in both):
        return DifferenceKind.UNIT
    return _kind_of_words(expected, found)


def _kind_of_words(expected: list[str], found: list[str]) -> DifferenceKind:
    if not any(c.isalnum() for token in expected + found for c in token):
        return DifferenceKind.PUNCTUATION
    if [t.lower() for t in expected] == [t.lower() for t in found]:
        return DifferenceKind.CASE
    if expected and found and all(t.lower() in _MODALS for t in expected + found):
        return DifferenceKind.MODAL
    if expected and found and all(t[0].isupper() for t in expected + found):
        return DifferenceKind.PARTY
    if not found:
        return DifferenceKind.WORD_ADDED
    return DifferenceKind.WORD_CHANGED if expected else DifferenceKind.WORD_MISSING


def _negates(tokens: list[str]) -> bool:
    return any(t.lower() in _NEGATIONS or t.lower().replace("’", "'").endswith("n't") for t in tokens)


def _is_number(token: str) -> bool:
    return token[0].isdigit() or _NUMBER_WORD.fullmatch(token) is not None


def _is_month(token: str) -> bool:
    return token.lower() in _MONTHS and token[0].isupper()


def _is_date(token: str) -> bool:
    return _DATE.fullmatch(token) is not None or (_is_month(token) and token.lower() != "may")


def _is_unit(token: str) -> bool:
    return token == PERCENT or currency(token) is not None
