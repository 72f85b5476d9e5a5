"""What rules leave together though it is apart: rows of values in one ruled row, column names in one header cell."""

from collections.abc import Sequence
from itertools import pairwise

from ingest.page.raw import RawPage
from ingest.tables.sheet import Slot
from ingest.tables.text import TextRow, is_value, rows_of, runs_upright, text_of, without_leaders
from verify.domain.geometry import Box


def split_rows(raw: RawPage, slots: list[Slot]) -> list[Slot]:
    """Rows of values that no rule parts ("Spain 268 / Germany 233") are rows of their own."""
    result: list[Slot] = []
    added = 0
    for row in sorted({s.row for s in slots}):
        band = [s for s in slots if s.row == row]
        groups = _line_groups(raw, band)
        for slot in band:
            if len(groups) < 2:
                result.append(slot._replace(row=row + added))
            else:
                result.extend(_cut(slot, groups, row + added))
        extra = max(len(groups) - 1, 0)
        result = [_taller(s, row + added, extra) if s.row < row + added else s for s in result]
        added += extra
    return result


def _taller(slot: Slot, row: int, extra: int) -> Slot:
    return slot._replace(row_span=slot.row_span + extra) if slot.row + slot.row_span > row else slot


def _line_groups(raw: RawPage, band: Sequence[Slot]) -> list[list[TextRow]]:
    """The lines of a ruled row as rows, a wrapped label with the line that it continues; empty where it is one row."""
    if any(s.row_span > 1 for s in band) or len(band) < 2:
        return []
    owner = {i: n for n, s in enumerate(band) for i in s.words}
    if runs_upright(raw, owner):
        return []
    groups: list[list[TextRow]] = []
    for line in rows_of(raw, owner):
        if len({owner[i] for i in line.words}) > 1:
            groups.append([line])
        elif groups and len(groups[-1]) < 3:
            groups[-1].append(line)
        else:
            return []
    return groups if len(groups) > 1 and _are_rows(raw, groups, owner, len(band)) else []


def _are_rows(raw: RawPage, groups: Sequence[Sequence[TextRow]], owner: dict[int, int], columns: int) -> bool:
    """True if some column has a value on each first line, or three lines and more fill all columns with short text."""
    firsts = [group[0].words for group in groups]
    texts = [
        [without_leaders(text_of(raw.words, (i for i in words if owner[i] == n))) for n in range(columns)]
        for words in firsts
    ]
    if any(all(is_value(row[n]) for row in texts) for n in range(columns)):
        return True
    full = all(all(row) for row in texts) and all(len(group) == 1 for group in groups)
    return full and len(groups) >= 3 and sum(map(len, firsts)) <= 2 * columns * len(groups)


def _cut(slot: Slot, groups: Sequence[Sequence[TextRow]], row: int) -> list[Slot]:
    between = [(a[-1].box.y1 + b[0].box.y0) // 2 for a, b in pairwise(groups)]
    edges = [slot.box.y0, *between, slot.box.y1]
    own = set(slot.words)
    return [
        Slot(
            row + n, slot.col, 1, slot.col_span, Box(slot.box.x0, edges[n], slot.box.x1, edges[n + 1]),
            tuple(i for line in group for i in line.words if i in own),
        )
        for n, group in enumerate(groups)
    ]  # fmt: skip


def split_heads(raw: RawPage, slots: list[Slot]) -> list[Slot]:
    """Names of columns that no rule parts in the header ("Permit  Handgun  Admin" in one cell) get cells of their own.

    The cells below show the columns. Lines over the last one stay a header over all of them.
    """
    for row in sorted({s.row for s in slots}):
        band = [s for s in slots if s.row == row]
        below = [s for s in slots if s.row == row + 1]
        parts = {s: found for s in band if (found := _names(raw, s, below))}
        if parts and all(s.row_span == 1 for s in band):
            return _with_names(slots, row, parts)
    return slots


def _names(raw: RawPage, slot: Slot, below: Sequence[Slot]) -> list[tuple[Slot, tuple[int, ...]]]:
    """The last line of a spanning cell by the columns under it; empty unless each of them gets words of its own."""
    under = [s for s in below if slot.col <= s.col and s.col + s.col_span <= slot.col + slot.col_span]
    if slot.col_span < 2 or len(under) != slot.col_span or not slot.words:
        return []
    lines = rows_of(raw, slot.words)
    line = lines[-1].words if lines else ()
    named = [(s, tuple(i for i in line if _under(raw.words[i].box, s.box))) for s in under]
    return named if all(words for _, words in named) and sum(len(w) for _, w in named) == len(line) else []


def _under(word: Box, column: Box) -> bool:
    return 2 * column.x0 <= word.x0 + word.x1 < 2 * column.x1


def _with_names(slots: list[Slot], row: int, parts: dict[Slot, list[tuple[Slot, tuple[int, ...]]]]) -> list[Slot]:
    result: list[Slot] = []
    for slot in slots:
        if slot.row < row:
            taller = slot.row + slot.row_span > row
            result.append(slot._replace(row_span=slot.row_span + 1) if taller else slot)
        elif slot.row > row:
            result.append(slot._replace(row=slot.row + 1))
        elif slot not in parts:
            result.append(slot._replace(row_span=2))
        else:
            own = {i for _, words in parts[slot] for i in words}
            middle = (slot.box.y0 + slot.box.y1) // 2
            rest = tuple(i for i in slot.words if i not in own)
            result.append(slot._replace(words=rest, box=slot.box._replace(y1=middle)))
            result.extend(
                Slot(row + 1, s.col, 1, 1, Box(s.box.x0, middle, s.box.x1, slot.box.y1), words)
                for s, words in parts[slot]
            )
    return result
