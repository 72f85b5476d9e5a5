"""Tables without a grid: rows of words whose phrases stand in columns, under a header, perhaps between rules.

Prose must never become a table, so a table needs values in columns (or rules above and below it), line after line.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from ingest.page.raw import RawPage
from ingest.tables.lines import SECTION_GAP, Column, Line, column_at, near
from ingest.tables.open_heads import head_lines, levels_of
from ingest.tables.sheet import Sheet, Slot
from ingest.tables.text import Phrase, TextRow, is_signing
from verify.domain.geometry import union

_FEWEST_ROWS = 3


def seed_blocks(lines: Sequence[Line]) -> list[list[Line]]:
    """Runs of near lines that begin and end with a seed, with at most two other lines between seeds."""
    blocks: list[list[Line]] = []
    current: list[Line] = []
    pending: list[Line] = []
    for line in lines:
        last = (pending or current)[-1:]
        if last and not near(last[0], line):
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


def _may_interrupt(block: Sequence[Line], line: Line) -> bool:
    """A section row or a wrapped label stays on the label's side of the values; a repeated header has phrases."""
    if len(line.phrases) > 1:
        return True
    firsts = [p.x0 for seed in block if seed.is_seed for p in seed.phrases[1:] if p.is_value]
    values_from = sorted(firsts)[len(firsts) // 4]
    return line.phrases[0].x1 <= values_from or len(line.phrases[0].words) <= 6


def open_sheets(raw: RawPage, lines: Sequence[Line]) -> list[Sheet]:
    """Tables found by their columns of values."""
    place = {line.row: n for n, line in enumerate(lines)}
    found = []
    free = 0
    for block in _joined(seed_blocks(lines), lines, place):
        end = place[block[-1].row] + 1
        sheet = _from_block(raw, block, lines[free : place[block[0].row]], lines[end : end + _MOST_TAIL + 1])
        if sheet is not None:
            found.append(sheet)
            free = end
    return found


def _joined(blocks: Sequence[list[Line]], lines: Sequence[Line], place: dict[TextRow, int]) -> list[list[Line]]:
    """Blocks with the same columns and only the name of a section between them are one table."""
    merged: list[list[Line]] = []
    for block in blocks:
        if merged:
            last = merged[-1]
            between = list(lines[place[last[-1].row] + 1 : place[block[0].row]])
            if _one_table(last, between, block):
                merged[-1] = [*last, *between, *block]
                continue
        merged.append(block)
    return merged


def _one_table(upper: Sequence[Line], between: Sequence[Line], lower: Sequence[Line]) -> bool:
    chain = [upper[-1], *between, lower[0]]
    if len(between) > 2 or any(len(line.phrases) > 1 for line in between):
        return False
    if any(b.row.baseline - a.row.baseline > SECTION_GAP * a.row.size for a, b in pairwise(chain)):
        return False
    ours, theirs = columns_of(_seeds(upper)), columns_of(_seeds(lower))
    both = columns_of([*_seeds(upper), *_seeds(lower)])
    return ours is not None and theirs is not None and len(ours) > 2 and len(ours) == len(theirs) == len(both or ())


def _seeds(block: Sequence[Line]) -> list[Line]:
    return [line for line in block if line.is_seed]


def _from_block(raw: RawPage, block: list[Line], above: Sequence[Line], below: Sequence[Line]) -> Sheet | None:
    whole = block
    block, strays = _without_strays(block)
    columns = columns_of(_seeds(block))
    if columns is None or len(columns) < 2:
        return None
    named = _named_beside(columns, above, block[0])
    if named:
        columns = sorted([*columns, *named])
        block, strays = _within(whole, columns[0].x0, columns[-1].x1), False
    head, section = head_lines(block, above, columns)
    body = [*section, *(line for line in block if line not in head)]
    body_seeds = _seeds(body)
    if len(body_seeds) < (_FEWEST_ROWS if not head else 2) or not _aligned(body_seeds, columns):
        return None
    if is_contents(body_seeds, head):
        return None
    if is_signature_block(body):
        return None
    rows = _wrapped(body)
    tail = _tail(body, below, columns)
    rows[-1] += tail
    rows += [[line] for line in below[len(tail) : len(tail) + 1] if _is_sum(line, body_seeds, columns)]
    return build(raw, head, rows, columns, strays or len(body_seeds) < _FEWEST_ROWS)


_MOST_TAIL = 4


def _tail(body: Sequence[Line], below: Sequence[Line], columns: Sequence[Column]) -> list[Line]:
    """Lines that go on with the text of the last row, as lines of the same column did in rows above it."""
    steps = [
        (line.row.baseline - above.row.baseline, column_at(columns, line.phrases[0].x0, line.phrases[0].x1))
        for above, line in pairwise(body)
        if not line.is_seed and len(line.phrases) == 1
    ]
    found: list[Line] = []
    above = body[-1]
    for line in below[:_MOST_TAIL]:
        phrase = line.phrases[0]
        column = column_at(columns, phrase.x0, phrase.x1)
        step = line.row.baseline - above.row.baseline
        goes_on = any(column == other and abs(step - pitch) <= line.row.size // 5 for pitch, other in steps)
        set_in = abs(phrase.x0 - columns[column].x0) <= line.row.size // 2 and phrase.x1 <= columns[column].x1 + 200
        if len(line.phrases) != 1 or phrase.is_value or column == 0 or not (goes_on and set_in):
            break
        found.append(line)
        above = line
    return found


def _is_sum(line: Line, seeds: Sequence[Line], columns: Sequence[Column]) -> bool:
    """A value alone under a column of values, set to the same edge: their sum, which often has no label."""
    if len(line.phrases) != 1 or not line.phrases[0].is_value or not near(seeds[-1], line):
        return False
    value = line.phrases[0]
    n = column_at(columns, value.x0, value.x1)
    over = [p for p in seeds[-1].phrases if p.is_value and column_at(columns, p.x0, p.x1) == n]
    return n > 0 and any(abs(p.x1 - value.x1) <= line.row.size // 2 for p in over)


def _without_strays(block: list[Line]) -> tuple[list[Line], bool]:
    """The block without text beside the table (another column of the page): phrases in outer columns few lines have."""
    seeds = _seeds(block)
    columns = columns_of(seeds) or []
    held: list[list[Phrase]] = [[] for _ in columns]
    for line in seeds:
        for phrase in line.phrases:
            held[column_at(columns, phrase.x0, phrase.x1)].append(phrase)
    kept = [
        n
        for n, column in enumerate(held)
        if (any(p.is_value for p in column) and not (n == 0 and len(column) * _LONE < len(seeds)))
        or (2 * len(column) > len(seeds) and not _is_prose(column))
    ]
    if not kept or (kept[0], kept[-1]) == (0, len(columns) - 1):
        return block, False
    return _within(block, columns[kept[0]].x0, columns[kept[-1]].x1), True


_PROSE_WORDS = 5
_LONE = 8
"""A value left of the labels on one line of so many is no part of the table: a page's number in the margin."""


def _is_prose(column: Sequence[Phrase]) -> bool:
    """Long lines that mostly end at one edge: running text of the column beside, set to both margins."""
    long = [p for p in column if len(p.words) >= _PROSE_WORDS and not p.leads]
    edge = max(p.x1 for p in column)
    return len(long) > 2 and len(long) >= 0.8 * len(column) and sum(edge - p.x1 <= 150 for p in long) > 0.6 * len(long)


def _within(block: Sequence[Line], left: int, right: int) -> list[Line]:
    """The lines with only what lies between two edges, 12 pt over at most."""
    lines = [
        Line(line.row, tuple(p for p in line.phrases if left - 1200 <= p.x0 and p.x1 <= right + 1200)) for line in block
    ]
    return [line for line in lines if line.phrases]


def _named_beside(columns: Sequence[Column], above: Sequence[Line], first: Line) -> list[Column]:
    """Columns that hold little or nothing, but have a name beside the names of the others."""
    below = first
    for line in reversed(above[-3:]):
        if not near(line, below):
            break
        beside = [p for p in line.phrases if p.x1 < columns[0].x0 or p.x0 > columns[-1].x1]
        others = len(line.phrases) - len(beside)
        if 0 < len(beside) <= 2 and others >= max(2, len(columns) - 1) and all(len(p.words) <= 3 for p in line.phrases):
            return [Column(p.x0, p.x1) for p in beside]
        below = line
    return []


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


def _aligned(seeds: Sequence[Line], columns: Sequence[Column]) -> bool:
    """True if values share an edge or a centre in the columns that hold them, and each line uses the columns: most
    one of them, or nearly all one of several ("paid in", "paid out")."""
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
    several = [len(column) for column in valued if len(column) >= _FEWEST_ROWS]
    return max(map(len, valued)) >= 0.6 * len(seeds) or (len(several) > 1 and sum(several) >= 0.8 * len(seeds))


def _share_edge(column: Sequence[Phrase], size: int) -> bool:
    def spread(places: list[int]) -> int:
        places.sort()
        cut = len(places) // 6
        return places[-1 - cut] - places[cut]

    return min(
        spread([p.x1 for p in column]), spread([p.x0 for p in column]), spread([(p.x0 + p.x1) // 2 for p in column])
    ) <= 0.7 * size  # fmt: skip


def is_signature_block(body: Sequence[Line]) -> bool:
    """Lines that mostly name who signs."""
    return 2 * sum(any(is_signing(p.text) for p in line.phrases) for line in body) >= len(body)


_PAGE_WORD = re.compile(r"(?:page|p\.|pages|seite|contents|no\.)", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"(?:[A-Z]-?)?\d{1,4}|[ivxlc]{1,6}")


def is_contents(seeds: Sequence[Line], head: Sequence[Line]) -> bool:
    """A list of contents: labels, then page numbers that never fall."""
    lasts = [line.phrases[-1].text.strip() for line in seeds]
    numbers = [int(t) for t in lasts if t.isdigit()]
    if not all(_PAGE_NUMBER.fullmatch(t) for t in lasts) or numbers != sorted(numbers):
        return False
    if any(p.is_value for line in seeds for p in line.phrases[1:-1]):
        return False
    leaders = any(p.leads for line in seeds for p in line.phrases[:-1])
    headed = [p.text for line in head for p in line.phrases]
    return leaders or not headed or any(_PAGE_WORD.fullmatch(t.strip()) for t in headed)


def _wrapped(body: Sequence[Line]) -> list[list[Line]]:
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


_COLON_END = re.compile(r":\s*[\d*†‡,]{0,3}$")


def _continues(before: Line, line: Line, after: Sequence[Line], pitch: int) -> bool:
    if before.is_seed == line.is_seed:
        return False
    close = line.row.baseline - before.row.baseline < 0.85 * pitch
    first = line.phrases[0].text
    if line.is_seed:
        label = before.phrases[0].text.strip()
        ends_open = _OPEN_END.search(label) is not None
        return not _COLON_END.search(label) and (close or ends_open or first[:1].islower())
    if len(line.phrases) > 1:
        return False
    indented = line.row.box.x0 > before.row.box.x0 + line.row.size // 2
    returns = not after or after[0].row.box.x0 < line.row.box.x0 - line.row.size // 2
    return close or first[:1].islower() or (indented and returns and line.phrases[0].leads)


def build(
    raw: RawPage, head: Sequence[Line], rows: Sequence[Sequence[Line]], columns: Sequence[Column], uncertain: bool
) -> Sheet:
    """Slots from lines: a header's phrases span the columns that they stand over."""
    levels, clear = levels_of(raw, head, columns)
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
