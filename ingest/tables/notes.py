"""What stands around a table and belongs to it: its title above, its notes below, and marks that tie them to cells."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from ingest.page.raw import RawPage, RawWord
from ingest.tables.sheet import Sheet
from ingest.tables.text import TextRow, text_of, without_leaders
from verify.domain.geometry import Box
from verify.units import parse_statement

Notes = tuple[tuple[str | None, tuple[int, ...]], ...]

_MARK = re.compile(r"\(?(?:\d{1,2}|[a-z]|[ivx]{1,4}|[*†‡§¶#]{1,3})[).]?(?:,(?:\d{1,2}|[a-z]))*")
_SYMBOLS = "*†‡§¶"
_RAISED_DIGITS = str.maketrans("¹²³⁴⁵⁶⁷⁸⁹⁰", "1234567890")
_TAIL_SYMBOLS = re.compile(r"(?<=[\w)%.])\s?([*†‡§¶]+|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,8})$")
_TAIL_GROUP = re.compile(r"(?<=[\w)%])\s?\(([a-z]|\d{1,2}|[ivx]{2,4})\)$")
_HEAD_SYMBOLS = re.compile(r"[*†‡]+\s?(?=[^\W\d_]{2})")
_NOTE_START = re.compile(r"\(?([a-z]|\d{1,2}|[ivx]{2,4}|[*†‡§¶]{1,3}|[¹²³⁴⁵⁶⁷⁸⁹⁰]{1,2})[).:]?")
_NOTE_WORD = re.compile(r"(?:notes?|sources?|n\.b\.)\b[:.]?", re.IGNORECASE)
_TITLE = re.compile(
    r"(?:table|schedule|exhibit|annex|appendix|figure|statement|tableau|tabelle|tabla|chart)\b\s*[\dA-Z(]",
    re.IGNORECASE,
)
_NUMBERED_TITLE = re.compile(r"(?:table|schedule|exhibit|annex|tableau|tabelle)\s+[\w-]{1,6}\s?[.:–—]", re.IGNORECASE)
_FIGURE = re.compile(r"(?:figure|fig\.|abbildung|abb\.)\s*\d", re.IGNORECASE)
_PLAIN_NUMBER = re.compile(r"[-−]?\d{1,6}(?:\.\d{1,4})?")
_FEWEST_TICKS = 4
_MOST = 0.8
_NEAR_TITLE, _FAR_TITLE = 2.4, 5
_NEAR_NOTE = 3.2
_MOST_NOTE_ROWS = 30


def is_figure(raw: RawPage, sheet: Sheet, rows: Sequence[TextRow]) -> bool:
    """True for a lattice with empty squares right over "Figure 2": boxes of a drawing. A full one is a table all the
    same."""
    if not sheet.ruled or sum(bool(slot.words) for slot in sheet.slots) >= 0.8 * len(sheet.slots):
        return False
    below = [
        row
        for row in rows
        if 0 < row.baseline - sheet.box.y1 <= _NEAR_NOTE * row.size
        and row.box.x0 < sheet.box.x1
        and sheet.box.x0 < row.box.x1
    ]
    words = [[i for i in row.words if raw.words[i].box.x1 > sheet.box.x0 - 3 * row.size] for row in below]
    return any(_FIGURE.match(text_of(raw.words, chosen)) for chosen in words)


def is_scale(raw: RawPage, sheet: Sheet) -> bool:
    """True for numbers that rise or fall by one step in every column and name nothing: the ticks of a chart's axes."""
    if sheet.ruled:
        return False
    columns: dict[int, list[str]] = {}
    for slot in sorted(sheet.slots):
        columns.setdefault(slot.col, []).append(text_of(raw.words, slot.words))
    return all(_steps_evenly(texts) for texts in columns.values())


def _steps_evenly(texts: Sequence[str]) -> bool:
    numbers = [float(text.replace("−", "-")) for text in texts if _PLAIN_NUMBER.fullmatch(text)]
    steps = Counter(round(b - a, 6) for a, b in pairwise(numbers))
    if len(numbers) < _FEWEST_TICKS or len(numbers) < _MOST * len(texts):
        return False
    step, count = steps.most_common(1)[0]
    return step != 0 and count >= _MOST * (len(numbers) - 1)


class Marked(NamedTuple):
    """A cell's text without its marks, and the marks."""

    text: str
    marks: tuple[str, ...]


def is_raised(words: Sequence[RawWord], i: int, size: int, baseline: int) -> bool:
    """True for a small word above the baseline of text of that size."""
    word = words[i]
    return word.size <= 0.8 * size and baseline - word.baseline >= 0.1 * size


def marked(raw: RawPage, indexes: Sequence[int], noted: Collection[str]) -> Marked:
    """Raised marks and symbols go at once; "(a)" only where a note explains it, for it may be part of the text."""
    marks: list[str] = []
    kept: list[int] = []
    size = max((raw.words[i].size for i in indexes), default=0)
    for i in indexes:
        beside = [raw.words[j].baseline for j in kept[-1:]] or [
            raw.words[j].baseline for j in indexes if raw.words[j].size == size
        ]
        if len(indexes) > 1 and is_raised(raw.words, i, size, beside[0]) and _MARK.fullmatch(raw.words[i].text):
            marks.extend(_bare(raw.words[i].text))
        else:
            kept.append(i)
    text = without_leaders(text_of(raw.words, kept))
    text, symbols = _without_tail(text, _TAIL_SYMBOLS)
    marks.extend(_bare(symbols))
    head = _HEAD_SYMBOLS.match(text)
    if head:
        text = text[head.end() :]
        marks.extend(_bare(head.group().strip()))
    shorter, group = _without_tail(text, _TAIL_GROUP)
    if group and group in noted:
        text = shorter
        marks.append(group)
    return Marked(without_leaders(text), tuple(dict.fromkeys(marks)))


def _without_tail(text: str, pattern: re.Pattern[str]) -> tuple[str, str]:
    found = pattern.search(text)
    return (text[: found.start()].rstrip(), found.group(1)) if found else (text, "")


def _bare(mark: str) -> list[str]:
    plain = mark.translate(_RAISED_DIGITS).strip("().,")
    return [part for part in plain.split(",") if part] if plain else []


def names_table(text: str) -> bool:
    """True for "Table 3. …" and for a line in brackets ("(in thousands)"), which stand over a table's columns."""
    return _TITLE.match(text) is not None or (text.startswith("(") and text.endswith(")"))


def marks_in(raw: RawPage, cells: Iterable[Sequence[int]]) -> set[str]:
    """All that might be a mark in these cells, "(a)" at the end of one included."""
    found: set[str] = set()
    for indexes in cells:
        found.update(marked(raw, indexes, ()).marks)
        group = _TAIL_GROUP.search(text_of(raw.words, indexes))
        if group:
            found.add(group.group(1))
    return found


def title_above(raw: RawPage, box: Box, rows: Sequence[TextRow]) -> tuple[int, ...]:
    """Words of the title: up to four near rows above that name the table, are bold or bracketed, or state its unit."""
    over = [r for r in rows if r.box.y1 <= box.y0 + r.size // 3 and _beside(r.box, box)]
    chosen = _named(raw, box, over)
    below = box.y0
    for row in [] if chosen else reversed(over):
        text = text_of(raw.words, row.words)
        far = _FAR_TITLE if _TITLE.match(text) else _NEAR_TITLE
        if below - row.box.y1 > far * row.size or len(chosen) == 4:
            break
        if not _is_title(raw, row, text):
            break
        chosen.insert(0, row)
        below = row.box.y0
        if _TITLE.match(text):
            break
    return tuple(i for row in chosen for i in row.words)


def _named(raw: RawPage, box: Box, over: Sequence[TextRow]) -> list[TextRow]:
    """A title over two or three rows that begins with the table's number ("Table 3. …"), whatever its type."""
    chosen: list[TextRow] = []
    below = box.y0
    for row in reversed(over[-3:]):
        if below - row.box.y1 > (_NEAR_TITLE if not chosen else 1) * row.size:
            break
        chosen.insert(0, row)
        below = row.box.y0
        if _NUMBERED_TITLE.match(text_of(raw.words, row.words)):
            return chosen
    return []


def _beside(row: Box, table: Box) -> bool:
    """True if a row stands over the table, not in another column of the page."""
    return row.x0 >= table.x0 - 6000 and min(row.x1, table.x1) - max(row.x0, table.x0) >= (row.x1 - row.x0) // 3


def _is_title(raw: RawPage, row: TextRow, text: str) -> bool:
    if _TITLE.match(text):
        return True
    if len(row.words) > 25:
        return False
    bold = 2 * sum(raw.words[i].bold for i in row.words) > len(row.words)
    if bold or (text.startswith("(") and text.endswith(")")):
        return True
    stated = parse_statement(text)
    return not text.endswith(".") and len(row.words) <= 8 and bool(stated.unit or stated.scale)


def notes_below(raw: RawPage, box: Box, rows: Sequence[TextRow], candidates: Collection[str]) -> Notes:
    """Notes under a table, each with its mark (None for "Note:", "Source:" or a statement of the unit) and words.

    A letter or number opens a note only if a cell carries it, for clauses begin so too.
    """
    notes: list[tuple[str | None, list[int]]] = []
    above, pitch = box.y1, 0
    under = [r for r in rows if r.box.y0 >= box.y1 - r.size // 3 and _under(r.box, box)]
    for row in under[:_MOST_NOTE_ROWS]:
        gap = row.box.y0 - above
        if gap > (_NEAR_NOTE if not notes else 1.9) * row.size:
            break
        opened = _opens_note(raw, row, candidates)
        if opened is not None:
            notes.append((opened[0], list(row.words[opened[1] :])))
        elif notes and gap <= max(0.6 * row.size, pitch + row.size // 5):
            notes[-1][1].extend(row.words)
        else:
            break
        pitch = gap if notes and above != box.y1 else pitch
        above = row.box.y1
    return tuple((mark, tuple(words)) for mark, words in notes if words)


def _under(row: Box, table: Box) -> bool:
    return row.x0 >= table.x0 - 3000 and row.x0 < table.x1


def _opens_note(raw: RawPage, row: TextRow, candidates: Collection[str]) -> tuple[str | None, int] | None:
    """The mark that opens a note in this row and the number of words that it takes; None for no note."""
    first = raw.words[row.words[0]]
    if len(row.words) > 1:
        start = _NOTE_START.fullmatch(first.text)
        mark = start.group(1).translate(_RAISED_DIGITS) if start else ""
        if mark and (mark in candidates or (mark[0] in _SYMBOLS and not candidates)):
            return mark, 1
        glued = "".join(takewhile(_SYMBOLS.__contains__, first.text))
        if glued and glued in candidates:
            return glued, 0
    text = text_of(raw.words, row.words)
    if _TITLE.match(text):
        return None
    if _NOTE_WORD.match(text):
        return None, 0
    stated = parse_statement(text)
    return (None, 0) if stated.scale and len(row.words) <= 16 else None
