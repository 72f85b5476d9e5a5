"""Tables without a grid: rows of words whose phrases stand in columns, under a header, perhaps between rules.

Prose must never become a table, so a table needs values in columns (or rules above and below it), line after line.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ingest.raw import RawPage
from ingest.tables_grid import Sheet, Slot
from ingest.tables_text import Phrase, TextRow, has_leaders, is_year, phrases
from verify.domain.geometry import union


class Line(NamedTuple):
    """A visual row with its phrases."""

    row: TextRow
    phrases: tuple[Phrase, ...]

    @property
    def is_seed(self) -> bool:
        """A label (or nothing) and then values."""
        return len(self.phrases) >= 2 and any(p.is_value for p in self.phrases[1:])


class Column(NamedTuple):
    x0: int
    x1: int


_FEWEST_ROWS = 3
_NEAR_ROWS = 2.6
"""Rows of one block lie no farther apart than this many sizes of type."""


def lines_of(raw: RawPage, rows: Sequence[TextRow]) -> list[Line]:
    return [Line(row, tuple(phrases(raw.words, row))) for row in rows]


def seed_blocks(lines: Sequence[Line]) -> list[list[Line]]:
    """Runs of near lines that begin and end with a seed, with at most two other lines between seeds."""
    blocks: list[list[Line]] = []
    current: list[Line] = []
    pending: list[Line] = []
    for line in lines:
        last = (pending or current)[-1:]
        if last and not _near(last[0], line):
            blocks.append(current)
            current, pending = [], []
        if line.is_seed:
            current = [*current, *pending, line]
            pending = []
        elif current:
            pending.append(line)
            if len(pending) > 2 or not _may_interrupt(current, line):
                blocks.append(current)
                current, pending = [], []
    blocks.append(current)
    return [block for block in blocks if sum(line.is_seed for line in block) >= 2]


def _near(upper: Line, lower: Line) -> bool:
    size = max(upper.row.size, lower.row.size)
    return lower.row.baseline - upper.row.baseline <= _NEAR_ROWS * size


def _may_interrupt(block: Sequence[Line], line: Line) -> bool:
    """A section row or a wrapped label stays on the label's side of the values; a repeated header has phrases."""
    if len(line.phrases) > 1:
        return True
    firsts = [p.x0 for seed in block if seed.is_seed for p in seed.phrases[1:] if p.is_value]
    values_from = sorted(firsts)[len(firsts) // 4]
    return line.phrases[0].x1 <= values_from or len(line.phrases[0].words) <= 6


def open_sheets(raw: RawPage, lines: Sequence[Line]) -> list[Sheet]:
    """Tables found by their columns of values."""
    found = []
    for block in seed_blocks(lines):
        start = lines.index(block[0])
        sheet = _from_block(raw, block, lines[:start])
        if sheet is not None:
            found.append(sheet)
    return found


def _from_block(raw: RawPage, block: list[Line], above: Sequence[Line]) -> Sheet | None:
    seeds = [line for line in block if line.is_seed]
    columns = columns_of(seeds)
    if columns is None or len(columns) < 2:
        return None
    head = head_lines(block, above, columns)
    body = [line for line in block if line not in head]
    body_seeds = [line for line in body if line.is_seed]
    if len(body_seeds) < (_FEWEST_ROWS if not head else 2) or not _aligned(body_seeds, columns):
        return None
    if is_contents(body_seeds, head, columns):
        return None
    return build(raw, head, _wrapped(body, columns), columns, uncertain=len(body_seeds) < _FEWEST_ROWS)


def columns_of(lines: Sequence[Line]) -> list[Column] | None:
    """Extents that hang together over the lines, left to right; None if they run into one another.

    A phrase that joins two columns which other lines keep apart (a long label over a value) is left out of the count.
    """
    spans = sorted((p.x0, p.x1) for line in lines for p in line.phrases)
    merged = _merged(spans)
    typical = max((len(line.phrases) for line in lines), default=0)
    if len(merged) < typical:
        merged = _merged(
            sorted((p.x0, p.x1) for line in lines for p in line.phrases if p.is_value or p is line.phrases[0])
        )
    return [Column(*span) for span in merged]


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for x0, x1 in spans:
        if merged and x0 < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], x1))
        else:
            merged.append((x0, x1))
    return merged


def column_at(columns: Sequence[Column], x0: int, x1: int) -> int:
    """The column that shares most with an extent, else the nearest."""
    common = [min(x1, c.x1) - max(x0, c.x0) for c in columns]
    return max(range(len(columns)), key=lambda n: (common[n], -n))


def _aligned(seeds: Sequence[Line], columns: Sequence[Column]) -> bool:
    """True if values share an edge or a centre in the columns that hold them, and each line uses the columns."""
    held: list[list[Phrase]] = [[] for _ in columns]
    for line in seeds:
        places = [column_at(columns, p.x0, p.x1) for p in line.phrases]
        if len(set(places)) < len(places):
            return False
        for place, phrase in zip(places, line.phrases, strict=True):
            held[place].append(phrase)
    size = sorted(line.row.size for line in seeds)[len(seeds) // 2]
    valued = [column for column in held[1:] if column and 2 * sum(p.is_value for p in column) >= len(column)]
    if not valued or any(not _share_edge(column, size) for column in valued):
        return False
    return max(len(column) for column in valued) >= 0.6 * len(seeds)


def _share_edge(column: Sequence[Phrase], size: int) -> bool:
    def spread(places: list[int]) -> int:
        places.sort()
        cut = len(places) // 6
        return places[-1 - cut] - places[cut]

    return min(
        spread([p.x1 for p in column]), spread([p.x0 for p in column]), spread([(p.x0 + p.x1) // 2 for p in column])
    ) <= 0.7 * size  # fmt: skip


_PAGE_WORD = re.compile(r"(?:page|p\.|pages|seite|contents|no\.)", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"(?:[A-Z]-?)?\d{1,4}|[ivxlc]{1,6}")


def is_contents(seeds: Sequence[Line], head: Sequence[Line], columns: Sequence[Column]) -> bool:
    """A list of contents: labels, then page numbers that never fall."""
    lasts = [line.phrases[-1].text.strip() for line in seeds]
    numbers = [int(t) for t in lasts if t.isdigit()]
    if not all(_PAGE_NUMBER.fullmatch(t) for t in lasts) or numbers != sorted(numbers):
        return False
    if any(p.is_value for line in seeds for p in line.phrases[1:-1]):
        return False
    leaders = any(has_leaders(p.text) for line in seeds for p in line.phrases[:-1])
    headed = [p.text for line in head for p in line.phrases]
    return leaders or not headed or any(_PAGE_WORD.fullmatch(t.strip()) for t in headed)


def head_lines(block: Sequence[Line], above: Sequence[Line], columns: Sequence[Column]) -> list[Line]:
    """Lines that head the columns: years or words at the top of the block, and near lines over it."""
    head: list[Line] = []
    for line in block[:-1]:
        others = [p for p in line.phrases if column_at(columns, p.x0, p.x1) > 0]
        if not others or any(p.is_value and not is_year(p.text) for p in others):
            break
        head.append(line)
    below = block[0]
    for line in reversed(above[-5:]):
        if not _near(line, below) or not _heads(line, columns):
            break
        head.insert(0, line)
        below = line
    return head


def _heads(line: Line, columns: Sequence[Column]) -> bool:
    """Short phrases over the columns of values, none running from the labels across them like prose."""
    left, right = columns[0].x0, columns[-1].x1
    slack = 2 * line.row.size
    if line.row.box.x0 < left - slack or line.row.box.x1 > right + slack:
        return False
    over = [p for p in line.phrases if p.x1 > columns[1].x0]
    return bool(over) and all(p.x0 >= columns[0].x0 + (columns[1].x0 - columns[0].x0) // 3 for p in over)


def _wrapped(body: Sequence[Line], columns: Sequence[Column]) -> list[list[Line]]:
    """Body lines gathered into rows: a label that runs over two lines is one row."""
    gaps = sorted(b.row.baseline - a.row.baseline for a, b in pairwise(body))
    pitch = gaps[len(gaps) // 2] if gaps else 0
    rows: list[list[Line]] = []
    for n, line in enumerate(body):
        before = rows[-1][-1] if rows else None
        if before is not None and _continues(before, line, body[n + 1 :], pitch):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


_OPEN_END = re.compile(r"(?:[,\-–/&(]|\b(?:and|or|of|the|for|in|to|on|by|with|from|de|du|et|und|la))$")


def _continues(before: Line, line: Line, after: Sequence[Line], pitch: int) -> bool:
    if before.is_seed == line.is_seed:
        return False
    close = line.row.baseline - before.row.baseline < 0.85 * pitch
    first = line.phrases[0].text
    if line.is_seed:
        ends_open = _OPEN_END.search(before.phrases[0].text.strip()) is not None
        return close or ends_open or (first[:1].islower() and not before.phrases[0].text.strip().endswith(":"))
    if len(line.phrases) > 1:
        return False
    indented = line.row.box.x0 > before.row.box.x0 + line.row.size // 2
    returns = not after or after[0].row.box.x0 < line.row.box.x0 - line.row.size // 2
    return close or first[:1].islower() or (indented and returns and has_leaders(first))


def build(
    raw: RawPage, head: Sequence[Line], rows: Sequence[Sequence[Line]], columns: Sequence[Column], uncertain: bool
) -> Sheet:
    """Slots from lines: a header's phrases span the columns that they stand over."""
    levels, clear = _levels(raw, head, columns)
    slots: list[Slot] = []
    for r, level in enumerate(levels):
        slots.extend(_slot(raw, r, first, end - first, words) for (first, end), words in sorted(level.items()))
    top = len(levels)
    for r, group in enumerate(rows):
        held: dict[int, list[int]] = {}
        for line in group:
            for phrase in line.phrases:
                held.setdefault(column_at(columns, phrase.x0, phrase.x1), []).extend(phrase.words)
        if len(held) == 1 and len(group) == 1 and _crosses(group[0].phrases[0], columns):
            slots.append(_slot(raw, top + r, 0, len(columns), list(group[0].phrases[0].words)))
            continue
        slots.extend(_slot(raw, top + r, c, 1, words) for c, words in sorted(held.items()))
    box = union(s.box for s in slots)
    return Sheet(
        box, top + len(rows), len(columns), tuple(slots), ruled=False, uncertain=uncertain or not clear, head_rows=top
    )


def _crosses(phrase: Phrase, columns: Sequence[Column]) -> bool:
    return len(columns) > 1 and phrase.x1 > columns[1].x0


def _slot(raw: RawPage, row: int, col: int, span: int, words: list[int]) -> Slot:
    return Slot(row, col, 1, span, union(raw.words[i].box for i in words), tuple(words))


_Level = dict[tuple[int, int], list[int]]


def _levels(raw: RawPage, head: Sequence[Line], columns: Sequence[Column]) -> tuple[list[_Level], bool]:
    """Header rows from the outermost in, each with phrases by the columns (first, end) they cover.

    Lines of one-column phrases under one another are one header cell; a phrase over several columns starts a level.
    """
    levels: list[_Level] = []
    clear = True
    for line in head:
        covers = _covers(raw, line, columns)
        clear = clear and covers is not None
        spans = covers or [_own(p, columns) for p in line.phrases]
        level: _Level = {}
        for span, phrase in zip(spans, line.phrases, strict=True):
            level.setdefault(span, []).extend(phrase.words)
        if levels and all(end - first == 1 for first, end in (*levels[-1], *level)):
            for span, words in level.items():
                levels[-1].setdefault(span, []).extend(words)
        else:
            levels.append(level)
    return levels, clear


def _own(phrase: Phrase, columns: Sequence[Column]) -> tuple[int, int]:
    n = column_at(columns, phrase.x0, phrase.x1)
    return n, n + 1


def _covers(raw: RawPage, line: Line, columns: Sequence[Column]) -> list[tuple[int, int]] | None:
    """The columns under each phrase of a header line; None where neither rule nor place shows it."""
    spans = []
    for phrase in line.phrases:
        ruled = _under_rule(raw, phrase, line, columns)
        over = [n for n, c in enumerate(columns) if min(phrase.x1, c.x1) > max(phrase.x0, c.x0)]
        if ruled:
            spans.append(ruled)
        elif len(over) >= 1:
            spans.append((over[0], over[-1] + 1))
        else:
            spans.append((-1, -1))
    if all(first >= 0 for first, _ in spans) and all(a[1] <= b[0] for a, b in pairwise(spans)):
        return spans
    return _even_groups(line, columns)


def _under_rule(raw: RawPage, phrase: Phrase, line: Line, columns: Sequence[Column]) -> tuple[int, int] | None:
    """A rule close under a phrase, not much wider than its columns, shows what it spans."""
    for rule in raw.horizontals:
        below = rule.y0 - line.row.baseline
        wide = rule.x0 <= phrase.x0 + 200 and rule.x1 >= phrase.x1 - 200
        if wide and 0 <= below <= line.row.size:
            over = [n for n, c in enumerate(columns) if rule.x0 - 200 <= (c.x0 + c.x1) // 2 <= rule.x1 + 200]
            if over and (over[-1] - over[0] + 1 < len(columns) - 1 or len(line.phrases) == 1):
                return over[0], over[-1] + 1
    return None


def _even_groups(line: Line, columns: Sequence[Column]) -> list[tuple[int, int]] | None:
    """Phrases centred over equal groups of the columns of values ("2025", "2024" over two columns each)."""
    values = len(columns) - 1
    own = [p for p in line.phrases if p.x1 > columns[1].x0 or p.x0 > columns[0].x1]
    labels = [p for p in line.phrases if p not in own]
    if not own or values % len(own) or len(labels) > 1:
        return None
    each = values // len(own)
    spans = [(0, 1)] * len(labels)
    for n, phrase in enumerate(own):
        first, end = 1 + n * each, 1 + (n + 1) * each
        middle = (columns[first].x0 + columns[end - 1].x1) // 2
        if abs(middle - (phrase.x0 + phrase.x1) // 2) > 2 * line.row.size:
            return None
        spans.append((first, end))
    return spans
