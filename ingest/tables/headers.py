"""Which cells of a table are headers, and the paths of headers that name every other cell, outermost in."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ingest.page.raw import RawPage
from ingest.tables.sheet import Sheet, Slot
from ingest.tables.text import is_leader, is_value, is_year
from verify.domain.geometry import Box


class Labelled(NamedTuple):
    """A slot with its text (marks and leaders taken out) and what it is called by."""

    slot: Slot
    text: str
    is_header: bool
    row_path: tuple[str, ...]
    column_path: tuple[str, ...]


class _Parent(NamedTuple):
    """A row that later rows may stand under. ``flat``: its children are not indented."""

    indent: int
    text: str
    is_section: bool
    flat: bool


_TOTAL = re.compile(r"(?:sub-?\s?totals?|totals?|grand totals?|net totals?)\b", re.IGNORECASE)
_ORDINAL = re.compile(r"(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]?|#\s?\d+)")
_INDENT_STEP = 300
_MOST_HEAD_ROWS = 5
_WIDE = -1


class Reading:
    """One table being read. ``texts`` are those of ``sheet.slots``, in their order."""

    def __init__(self, raw: RawPage, sheet: Sheet, texts: Sequence[str]) -> None:
        self.raw, self.sheet = raw, sheet
        self.text_of = dict(zip(sheet.slots, texts, strict=True))
        self.at: dict[tuple[int, int], Slot] = {}
        for slot in sheet.slots:
            for row in range(slot.row, slot.row + slot.row_span):
                for col in range(slot.col, slot.col + slot.col_span):
                    self.at[row, col] = slot
        self.unclear = False
        self.banners, self.head_rows = self._head()
        self.sectioned = any(self.is_wide(row) for row in range(self.head_rows, sheet.rows))
        self.carries = self._carries()
        self.label_cols = self._label_columns()
        self.shows_indents = [self._left_aligned(c) and not (c and self.carries) for c in range(self.label_cols)]

    def labelled(self) -> list[Labelled]:
        """Every slot in reading order."""
        paths = _RowPaths(self)
        columns = self._column_paths(self.banners, self.head_rows)
        result: list[Labelled] = []
        for row in range(self.sheet.rows):
            is_head = row < self.head_rows or self.repeats_head(row)
            if is_head and row >= self.head_rows:
                columns = self._column_paths(row, row + 1)
            path = () if is_head else paths.next(row)
            result.extend(self._label(slot, is_head, path, columns) for slot in self.row_slots(row))
        return result

    def row_slots(self, row: int) -> list[Slot]:
        """Slots that begin in a row, left to right."""
        return sorted((s for s in self.sheet.slots if s.row == row), key=lambda s: s.col)

    def filled(self, row: int, first: int = 0) -> list[Slot]:
        """Slots with text that begin in a row, from column ``first`` on."""
        return [s for s in self.row_slots(row) if s.col >= first and self.text_of[s]]

    def is_wide(self, row: int) -> bool:
        """True if one cell spans the whole row."""
        filled = self.filled(row)
        return len(filled) == 1 and filled[0].col == 0 and filled[0].col_span == self.sheet.cols > 1

    def is_section(self, row: int) -> bool:
        """True for a row that only names what follows: one cell across it, or a label without values.

        In a ruled table an empty value may be just that, so there the label must also look like a section's.
        """
        if self.is_wide(row):
            return True
        filled = self.filled(row)
        if len(filled) != 1 or filled[0].col >= self.label_cols or row + 1 >= self.sheet.rows:
            return False
        return not self.sheet.ruled or self._stands_out(filled[0], row)

    def _stands_out(self, slot: Slot, row: int) -> bool:
        if self.text_of[slot].endswith(":") or slot.col_span > 1:
            return True
        below = [s for r in range(row + 1, min(row + 3, self.sheet.rows)) for s in self.filled(r) if s.col == slot.col]
        if self.is_bold(slot) and not all(map(self.is_bold, below)):
            return True
        return bool(below) and self.indent(below[0]) > self.indent(slot) + _INDENT_STEP

    def is_bold(self, slot: Slot) -> bool:
        return bool(slot.words) and all(self.raw.words[i].bold for i in slot.words)

    def indent(self, slot: Slot) -> int:
        """Where a label begins; the same for all labels of a column that is centred or set to the right."""
        if slot.col >= self.label_cols or not self.shows_indents[slot.col]:
            return 0
        return min((self.raw.words[i].box.x0 for i in slot.words), default=slot.box.x0)

    def _left_aligned(self, col: int) -> bool:
        labels = [
            s for s in self.sheet.slots if s.col == col and s.row >= self.head_rows and s.words and s.col_span == 1
        ]
        lefts = Counter(min(self.raw.words[i].box.x0 for i in s.words) // 100 for s in labels)
        ends = [[i for i in s.words if not is_leader(self.raw.words[i].text)] for s in labels]
        rights = Counter(max(self.raw.words[i].box.x1 for i in end) // 100 for end in ends if end)
        middles = Counter(
            (min(self.raw.words[i].box.x0 for i in end) + max(self.raw.words[i].box.x1 for i in end)) // 200
            for end in ends
            if end
        )
        return max(lefts.values(), default=0) >= max(*rights.values(), *middles.values(), 0, 0)

    def repeats_head(self, row: int) -> bool:
        """True for a body row that repeats the header, or is a bold header of its own over values."""
        if row < self.head_rows or row + 1 >= self.sheet.rows or self.head_rows <= self.banners:
            return False
        others = self.filled(row, 1)
        if not others or 2 * len(others) < self.sheet.cols - 1 or self._has_values(row):
            return False
        head = [self.text_of[s] for s in self.filled(self.head_rows - 1)]
        if [self.text_of[s] for s in self.filled(row)] == head:
            return True
        years = any(is_year(self.text_of[s]) for s in others)
        return years and all(map(self.is_bold, self.filled(row))) and self._has_values(row + 1)

    def _has_values(self, row: int) -> bool:
        return any(is_value(self.text_of[s]) and not is_year(self.text_of[s]) for s in self.filled(row, 1))

    def _head(self) -> tuple[int, int]:
        """Rows of banners (a title inside the grid) and the end of the header rows."""
        if self.sheet.head_rows is not None:
            return 0, self.sheet.head_rows
        banners = self._leading(self.is_wide)
        end = self._head_end(banners)
        if end == banners:  # a spreadsheet's title stands in the first cell, and the cells beside it are empty
            alone = self._leading(self._is_alone)
            below = self._head_end(alone)
            if below > alone:
                return alone, below
        sectioned = any(self.is_wide(row) for row in range(banners, self.sheet.rows))
        return (banners, end) if end > banners or not sectioned else (0, 0)

    def _leading(self, banner: Callable[[int], bool]) -> int:
        """How many rows from the top on are banners; the last row is none."""
        return next((row for row in range(self.sheet.rows - 1) if not banner(row)), self.sheet.rows - 1)

    def _is_alone(self, row: int) -> bool:
        """True for a row of which the first cell alone is filled, or none."""
        return not self.filled(row, 1)

    def _head_end(self, start: int) -> int:
        if start >= self.sheet.rows - 1 or not self._heads(start):
            return start
        end = start + 1
        while end < self.sheet.rows - 1 and self._goes_on(start, end):
            end += 1
        if end - start > _MOST_HEAD_ROWS or (end - start > 2 and 2 * (end - start) > self.sheet.rows - start):
            self.unclear = True  # a form, whose boxes name themselves
            return start
        return end

    def _heads(self, row: int) -> bool:
        """True if the row heads what is below: words over values, bold over plain, merged, or short names."""
        others = self.filled(row, 1)
        if not others or self._has_values(row):
            return False
        below = range(row + 1, self.sheet.rows)
        if any(self._has_values(r) for r in below) or any(
            s.row_span > 1 or s.col_span > 1 for s in self.row_slots(row)
        ):
            return True
        filled = self.filled(row)
        if all(map(self.is_bold, filled)) and not all(all(map(self.is_bold, self.filled(r))) for r in below):
            return True
        if self.sheet.cols == 2:
            return False
        return len(filled) == self.sheet.cols and all(len(s.words) <= 6 for s in filled)

    def _goes_on(self, start: int, row: int) -> bool:
        """True if a row under a header row still belongs to it."""
        if any(s.row_span > 1 and start <= s.row < row < s.row + s.row_span for s in self.at_row(row)):
            return True
        others = self.filled(row, 1)
        if not others or self._has_values(row) or self.is_wide(row):
            return False
        if any(s.col_span > 1 for s in self.row_slots(row - 1)):
            return True
        bold = all(map(self.is_bold, self.filled(row)))
        return bold and all(map(self.is_bold, self.filled(row - 1))) and self._has_values(row + 1)

    def at_row(self, row: int) -> set[Slot]:
        return {self.at[row, c] for c in range(self.sheet.cols) if (row, c) in self.at}

    def _label_columns(self) -> int:
        """One, or two where the first column only numbers or groups the rows that the second names."""
        body = range(self.head_rows, self.sheet.rows)
        firsts = [self.at[r, 0] for r in body if (r, 0) in self.at and self.text_of[self.at[r, 0]]]
        seconds = [self.text_of[s] for r in body for s in self.filled(r, 1) if s.col == 1]
        if self.sheet.cols < 3 or not firsts or not seconds or 2 * sum(map(is_value, seconds)) >= len(seconds):
            return 1
        numbered = all(_ORDINAL.fullmatch(self.text_of[s]) for s in firsts)
        grouped = any(s.row_span > 1 and s.row >= self.head_rows for s in firsts)
        return 2 if numbered or grouped or self.carries else 1

    def _carries(self) -> bool:
        """True where a name in the first column goes for the rows below that leave it empty and name themselves."""
        if self.sheet.ruled or self.sheet.cols < 3:
            return False
        body = range(self.head_rows, self.sheet.rows)
        rows = [{s.col for s in self.filled(r)} for r in body if len(self.filled(r)) > 1]
        empty = [cols for cols in rows if 0 not in cols]
        return len(empty) > 1 and 0 in rows[0] and all({1} < cols for cols in empty) and all(1 in cols for cols in rows)

    def _column_paths(self, start: int, end: int) -> list[tuple[str, ...]]:
        """For each column the texts of the header cells over it, each cell once."""
        paths = []
        for col in range(self.sheet.cols):
            slots = dict.fromkeys(self.at[r, col] for r in range(start, end) if (r, col) in self.at)
            paths.append(tuple(self.text_of[s] for s in slots if self.text_of[s]))
        return paths

    def _label(self, slot: Slot, is_head: bool, path: tuple[str, ...], columns: Sequence[tuple[str, ...]]) -> Labelled:
        text = self.text_of[slot]
        if is_head:
            return Labelled(slot, text, True, (), ())
        column = _common([columns[c] for c in range(slot.col, slot.col + slot.col_span)])
        if slot.col < self.label_cols:
            return Labelled(slot, text, bool(text), (), column)
        rows = path if slot.row_span == 1 else ()
        return Labelled(slot, text, False, rows, column)


def _common(paths: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What the paths share from the outside in: a merged cell stands under no more than that."""
    shared: list[str] = []
    for parts in zip(*paths, strict=False):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return tuple(shared)


class _RowPaths:
    """Row paths from the top down. Sections and indents make parents; a total ends the flat section it sums."""

    def __init__(self, reading: Reading) -> None:
        self.reading = reading
        self.parents: list[_Parent] = []
        self.group: Slot | None = None
        if reading.sectioned and reading.banners:  # the banner over the header is the first of the sections
            banner = next(s for row in reversed(range(reading.banners)) for s in reading.filled(row))
            self.parents.append(_Parent(_WIDE, reading.text_of[banner].rstrip(": "), True, flat=True))

    def next(self, row: int) -> tuple[str, ...]:
        """The path of a row's values; call once for each body row in order."""
        reading = self.reading
        label = self._label(row)
        if label is None:
            return ()
        slot, own = label
        section = reading.is_section(row)
        indent = _WIDE if reading.is_wide(row) else reading.indent(slot)
        self._leave(indent, section)
        total = _TOTAL.match(own[-1]) is not None
        above = tuple(p.text for p in self.parents if p.is_section or not total)
        deeper = self._next_indent(row) > indent + _INDENT_STEP and indent != _WIDE
        if section or (deeper and not total):
            self.parents.append(_Parent(indent, own[-1].rstrip(": "), section, flat=not deeper))
        if total:
            self.parents = [p for p in self.parents if not (p.flat and p.indent >= indent - _INDENT_STEP)]
        return above + own

    def _label(self, row: int) -> tuple[Slot, tuple[str, ...]] | None:
        reading = self.reading
        slots = dict.fromkeys(reading.at[row, c] for c in range(reading.label_cols) if (row, c) in reading.at)
        named = [s for s in slots if reading.text_of[s]]
        if not named:
            return None
        if reading.carries and len(named) > 1:
            self.group = named[0]
        elif self.group is not None and named[0].col > 0:
            named.insert(0, self.group)
        return named[-1], tuple(reading.text_of[s].rstrip(": ") or reading.text_of[s] for s in named)

    def _leave(self, indent: int, section: bool) -> None:
        """Drops the parents that a row at this indent does not stand under."""
        while self.parents:
            last = self.parents[-1]
            under_flat = last.flat and last.is_section and not section and last.indent <= indent + _INDENT_STEP
            if under_flat or (last.indent < indent - _INDENT_STEP and not (last.flat and section)):
                return
            self.parents.pop()

    def _next_indent(self, row: int) -> int:
        reading = self.reading
        for r in range(row + 1, reading.sheet.rows):
            label = self._label(r)
            if label is not None and not reading.repeats_head(r):
                return _WIDE if reading.is_wide(r) else reading.indent(label[0])
        return _WIDE


def completed(sheet: Sheet) -> Sheet:
    """The sheet with an empty slot wherever a row and a column cross and nothing stands."""
    taken = {
        (r, c) for s in sheet.slots for r in range(s.row, s.row + s.row_span) for c in range(s.col, s.col + s.col_span)
    }
    rows = [
        _extent([(s.box.y0, s.box.y1) for s in sheet.slots if (s.row, s.row_span) == (r, 1)]) for r in range(sheet.rows)
    ]
    cols = [
        _extent([(s.box.x0, s.box.x1) for s in sheet.slots if (s.col, s.col_span) == (c, 1)]) for c in range(sheet.cols)
    ]
    empty = [
        Slot(r, c, 1, 1, Box(col[0], row[0], col[1], row[1]), ())
        for r, row in enumerate(rows)
        for c, col in enumerate(cols)
        if (r, c) not in taken and row and col
    ]
    slots = tuple(sorted((*sheet.slots, *empty), key=lambda s: (s.row, s.col)))
    return Sheet(sheet.box, sheet.rows, sheet.cols, slots, sheet.ruled, sheet.uncertain, sheet.head_rows)


def _extent(spans: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    return (min(a for a, _ in spans), max(b for _, b in spans)) if spans else None
