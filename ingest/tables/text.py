"""Words as tables see them: visual rows, phrases parted by wide gaps, and what looks like a value.

Everything here only decides about layout. What a number means is for ``verify.units``.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ingest.page.raw import RawPage, RawWord
from verify.domain.geometry import Box, union


class TextRow(NamedTuple):
    """Words on one baseline, left to right. ``words`` index into ``RawPage.words``."""

    words: tuple[int, ...]
    box: Box
    baseline: int
    size: int


class Phrase(NamedTuple):
    """Words of a row without a wide gap between them. ``leads``: dots lead the eye from it to a value."""

    words: tuple[int, ...]
    x0: int
    x1: int
    text: str
    leads: bool

    @property
    def is_value(self) -> bool:
        return is_value(self.text)


_CURRENCY = r"(?:US\$|C\$|A\$|HK\$|[$€£¥₹]|USD|EUR|GBP|CHF|JPY|CAD|AUD)"
_VALUE = re.compile(
    rf"""[(\[+\-−–]?\s*{_CURRENCY}?\s*[(+\-−–]?\s*(?:\d[\d.,'’\u00a0\ ]*|[.,]\d+)
    \s*(?:%|{_CURRENCY}|x|bps?)?\s*[)\]]?\s*%?[*†‡§]*""",
    re.VERBOSE,
)
_BLANK_VALUE = frozenset(
    {"-", "–", "—", "−", "*", "n/a", "N/A", "n.a.", "N.A.", "nil", "Nil", "..", "...", "$", "—%", "NM"}
)
_DATE_OR_RATIO = re.compile(r"\d{1,4}(?:[/.:–-]\d{1,4}){1,2}")
_WITHHELD = re.compile(r"[$€£]?\[\s?(?:\*+|[●•■_]+)\s?\]%?")
_IN_VALUES = re.compile(r"[\d\[]")
"""In whatever one of the three forms above matches; in few other words."""
_YEAR = re.compile(r"(?:FY|CY)?\s*(?:19|20)\d\d(?:\s*[-–/]\s*(?:\d\d|(?:19|20)\d\d))?\s*[AEF]?")
_LEADERS = re.compile(r"(?:\s*[.…·_\ufffd]){3,}\s*$")
_LEADER = re.compile(r"[.…·_\ufffd]+")
_LEADING = frozenset(".…·_\ufffd")
_CURRENCY_ONLY = re.compile(rf"[(\-−–]?{_CURRENCY}")
_CLOSING = re.compile(r"[)%]{1,2}")


def is_value(text: str) -> bool:
    """A number with its signs, a date in digits, or what stands for none ("–", "n/a") or one withheld ("[***]")."""
    text = text.strip()
    if text in _BLANK_VALUE:
        return True
    if _IN_VALUES.search(text) is None:
        return False
    return any(form.fullmatch(text) for form in (_VALUE, _DATE_OR_RATIO, _WITHHELD))


def is_year(text: str) -> bool:
    """A year or span of years, which heads a column as often as it is a value."""
    return _YEAR.fullmatch(text.strip()) is not None


_SIGNING = re.compile(
    r"(?:by|name|title|date|its|signature|signed|print name|witness|attest|in the presence of|attention|attn|tele\w+|"
    r"tel|fax|facsimile|e-?mail|address)\b\s*[.:]?$|(?:by|name|title|its|attn|attention|tel|telephone|fax|e-?mail)\s?[.:]",
    re.IGNORECASE,
)


def is_signing(text: str) -> bool:
    """True for what stands in a signature block or an address ("By: ____", "Title: President", "Fax:")."""
    return _SIGNING.match(text.strip()) is not None


def without_leaders(text: str) -> str:
    """A label without the dots that lead the eye to its value."""
    return _LEADERS.sub("", text).strip()


def is_leader(text: str) -> bool:
    """True for a word of nothing but leading dots (or of what a font without names gives for them)."""
    return text[:1] in _LEADING and _LEADER.fullmatch(text) is not None


def text_of(words: Sequence[RawWord], indexes: Iterable[int]) -> str:
    """Words parted by one space, joined ones by none; dots set one by one as leaders are left out."""
    chosen = [words[i] for i in indexes]
    if sum([is_leader(word.text) for word in chosen]) >= 3:
        chosen = [word for word in chosen if not is_leader(word.text)]
    return "".join([word.text if word.joined else f" {word.text}" for word in chosen]).removeprefix(" ")


def rows_of(raw: RawPage, indexes: Iterable[int]) -> list[TextRow]:
    """Visible words gathered by baseline, rows from the top. A raised small word belongs to the row beside it.

    Words that run up or down the page (taller than wide) stand in no row.
    """
    words = raw.words
    chosen = [i for i in indexes if words[i].visible and not _is_upright_run(words[i])]
    chosen.sort(key=lambda i: (words[i].baseline, words[i].box.x0))
    groups: list[list[int]] = []
    for i in chosen:
        word = words[i]
        if groups and _same_row(word, words[groups[-1][-1]], words[groups[-1][0]]):
            groups[-1].append(i)
        else:
            groups.append([i])
    return [_row(words, group) for group in _with_raised(words, groups)]


def in_order(raw: RawPage, indexes: Iterable[int]) -> tuple[int, ...]:
    """Words of a cell as they are read: its rows, then what runs up or down the page, line by line."""
    chosen = list(indexes)
    across = [i for row in rows_of(raw, chosen) for i in row.words]
    runs = [i for i in chosen if raw.words[i].visible and _is_upright_run(raw.words[i])]
    boxes = [raw.words[i].box for i in runs]
    one_line = bool(boxes) and max(b.x0 for b in boxes) < min(b.x1 for b in boxes)
    return (*across, *sorted(runs, key=lambda i: _along(raw.words[i], one_line)))


def _along(word: RawWord, one_line: bool) -> tuple[int, int]:
    """Text that runs up has its baseline point at the foot, and its lines follow to the right."""
    runs_up = word.baseline >= (word.box.y0 + word.box.y1) // 2
    line = 0 if one_line else word.box.x0 // 500
    return (line, -word.box.y1) if runs_up else (-line, word.box.y0)


def runs_upright(raw: RawPage, indexes: Iterable[int]) -> bool:
    return any(_is_upright_run(raw.words[i]) for i in indexes)


def _is_upright_run(word: RawWord) -> bool:
    """True for a tall word whose baseline point lies at its foot or head: a narrow word's ("its") lies inside it."""
    text, (x0, y0, x1, y1), baseline = word[:3]
    height = y1 - y0
    if height <= 1.2 * (x1 - x0) or len(text) <= 2:
        return False
    return not 0.4 * height < baseline - y0 < 0.96 * height


def _same_row(word: RawWord, last: RawWord, first: RawWord) -> bool:
    reach = 30 * min(word.size, last.size) // 100
    return word.baseline - last.baseline <= reach and word.baseline - first.baseline <= 2 * reach


def _with_raised(words: Sequence[RawWord], groups: list[list[int]]) -> list[list[int]]:
    """Rows that are only raised marks go into the row below whose height they share."""
    merged: list[list[int]] = []
    for group in groups:
        if merged and _raises(words, merged[-1], group):
            merged[-1] = merged[-1] + group
        else:
            merged.append(group)
    return merged


def _raises(words: Sequence[RawWord], upper: list[int], lower: list[int]) -> bool:
    size = max(words[i].size for i in lower)
    base = words[lower[0]].baseline
    return all(words[i].size <= 0.8 * size and base - words[i].baseline <= 0.6 * size for i in upper)


def _row(words: Sequence[RawWord], group: list[int]) -> TextRow:
    sizes = sorted([words[i].size for i in group])
    baselines = sorted([words[i].baseline for i in group if words[i].size >= 0.8 * sizes[-1]])
    ordered = tuple(sorted(group, key=lambda i: (words[i].box.x0, i)))
    return TextRow(
        _logical(words, ordered, group), union([words[i].box for i in group]), baselines[len(baselines) // 2],
        sizes[len(sizes) // 2],
    )  # fmt: skip


_RTL = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


def _logical(words: Sequence[RawWord], ordered: tuple[int, ...], group: list[int]) -> tuple[int, ...]:
    """Left to right, or for a row that is mostly right-to-left script right to left."""
    rtl = sum([not words[i].text.isascii() and _RTL.search(words[i].text) is not None for i in group])
    return ordered[::-1] if 2 * rtl > len(group) else ordered


def phrases(words: Sequence[RawWord], row: TextRow) -> list[Phrase]:
    """The row cut where the gap is wider than a word space can be: one size, or 0.6 of it beside two values.

    A currency sign set apart goes with the number after it, a closing sign with the number before.
    """
    parts: list[list[int]] = []
    for i in sorted(row.words, key=lambda i: words[i].box.x0):
        word = words[i]
        if parts and (word.joined or not _cuts(words, parts[-1][-1], i, row.size)):
            parts[-1].append(i)
        else:
            parts.append([i])
    return _with_signs([phrase_of(words, part) for part in parts], words)


def _cuts(words: Sequence[RawWord], left: int, right: int, size: int) -> bool:
    gap = words[right].box.x0 - words[left].box.x1
    if gap > size:
        return True
    return gap > 0.6 * size and is_value(words[left].text) and is_value(words[right].text)


def phrase_of(words: Sequence[RawWord], part: Sequence[int]) -> Phrase:
    """These words of a row as one phrase."""
    text = text_of(words, part)
    leads = _LEADERS.search(text) is not None or sum([is_leader(words[i].text) for i in part]) >= 3
    return Phrase(tuple(part), min([words[i].box.x0 for i in part]), max([words[i].box.x1 for i in part]), text, leads)


def _with_signs(found: list[Phrase], words: Sequence[RawWord]) -> list[Phrase]:
    merged: list[Phrase] = []
    for phrase in found:
        before = merged[-1] if merged else None
        opens = before is not None and _CURRENCY_ONLY.fullmatch(before.text) and phrase.is_value
        closes = before is not None and before.is_value and _CLOSING.fullmatch(phrase.text)
        if before is not None and (opens or closes):
            merged[-1] = phrase_of(words, before.words + phrase.words)
        else:
            merged.append(phrase)
    return merged
