"""Whether small raised characters call a note or belong to the word that they touch.

A note mark is no digit of the amount before it. Exponents, ordinals, fractions and trademark signs are parts of the
word. Where both can be meant, a note of that mark on the page decides (what is known of the page is ``notes``), then
what stands before: after money, years, figures with separators, words and stops a mark calls a note.
"""

import re
from collections.abc import Collection, Sequence

from ingest.page.raw import RawWord

_CALLS = re.compile(
    r"[\[(]?(?:\d{1,3}|[a-z]|[ivx]{1,5}|[*†‡§¶#‖]{1,4})[\])]?(?:\s?[,;–-]\s?(?:\d{1,3}|[a-z*†‡§]))*[,;.]?",
    re.IGNORECASE,
)
_SIGN = re.compile(r"[*†‡§¶#‖\[(,;]")
_LETTERS = re.compile("[^\\W\\d_]+")
_ORDINAL = re.compile(r"\d{1,2}[eoa]", re.IGNORECASE)
_UNIT = re.compile(r"(?:[\d.,]*\d[\s\xa0]?|.*/)?(?:[kcdmµμ]?m|ft|in|yd|mi|ha|kg|s|sec|dm)", re.IGNORECASE)
_SURE_UNIT = re.compile(r"[kcdmµμ]m|m|ft|yd", re.IGNORECASE)
_PER = frozenset({"per", "sq", "je", "pro", "par", "al", "por", "a", "cubic", "square"})
_VARIABLE = re.compile(r".*(?:^|[(=+−*/×·-])[^\W\d_]|\)", re.DOTALL)
_BASE = re.compile(r"(?:.*[(=+−×·*x/^-])?\d{1,2}", re.IGNORECASE)
_OPERATOR = re.compile(r"[=+−×·*x/<>≤≥≈-]|times|by", re.IGNORECASE)
_NAMED = re.compile(
    r"(?:exhibit|schedule|annex|appendix|part|section|class|series|party|table|figure|note|item|anlage)s?",
    re.IGNORECASE,
)


def is_note_mark(around: Sequence[RawWord], mark: RawWord, notes: Collection[str]) -> bool:
    """``around`` are up to two words before the mark, the mark and the word after it, in reading order; ``notes`` the
    marks of the page's notes, without brackets."""
    at = next(n for n, word in enumerate(around) if word is mark)
    before = around[at - 1].text if at else ""
    earlier = around[at - 2].text if at > 1 else ""
    if at > 1 and around[at - 1].joined:
        before = earlier + before
    after = around[at + 1] if at + 1 < len(around) else None
    text = mark.text
    if not _CALLS.fullmatch(text) or not before:
        return not before and _CALLS.fullmatch(text) is not None
    if after is not None and after.joined and after.text.startswith(("/", "⁄", "∕")):
        return False
    if _SIGN.match(text):
        return True
    if _LETTERS.fullmatch(text):
        return _letter_calls(text, before, notes)
    return _number_calls(text.strip("()[].,;"), before, earlier, notes)


def _letter_calls(text: str, before: str, notes: Collection[str]) -> bool:
    if text in notes:
        return True
    if _ORDINAL.fullmatch(before + text) or (before[-1].isdigit() and text in "nxkNXK"):
        return False
    return not _VARIABLE.fullmatch(before)


def _number_calls(number: str, before: str, earlier: str, notes: Collection[str]) -> bool:
    last = before.rstrip(".,;:)]”’\"'")
    if last != before or not last:
        return number in notes or not _VARIABLE.fullmatch(before)  # after a stop or a bracket
    if number in ("2", "3") and _UNIT.fullmatch(before) and _measures(before, earlier):
        return False
    if number in notes:
        return True
    if _BASE.fullmatch(before):
        return not (before.endswith("10") or _OPERATOR.fullmatch(earlier) or not before.isdigit())
    return not (_VARIABLE.fullmatch(before) and not _NAMED.fullmatch(earlier))


def _measures(before: str, earlier: str) -> bool:
    """Whether the letters are a unit of length, of which a second or third power is an area or a volume."""
    if _SURE_UNIT.fullmatch(before) or any(map(str.isdigit, before)) or "/" in before:
        return True
    return earlier[-1:].isdigit() or earlier.lower().rstrip(".") in _PER
