"""Tables on a page: drawn with rules, or standing in columns. A cheap gate keeps prose from the dear search."""

from collections.abc import Sequence

from ingest.page.lines import Gutter
from ingest.page.raw import CellDraft, RawPage, TableDraft
from ingest.tables.columns import open_sheets, seed_blocks
from ingest.tables.grid import crossings, merged_rules, ruled_sheets
from ingest.tables.headed import headed_sheets, is_header
from ingest.tables.headers import Labelled, Reading, completed
from ingest.tables.lines import lines_of
from ingest.tables.notes import Marked, is_figure, is_scale, marked, marks_in, notes_below, title_above
from ingest.tables.rules import banded_sheets, rule_bands
from ingest.tables.sheet import Sheet
from ingest.tables.sides import by_column, near_column
from ingest.tables.text import TextRow, is_value, rows_of
from verify.domain.geometry import Box

_FEWEST_CROSSINGS = 2
_STEP = 400


def may_hold_table(raw: RawPage) -> bool:
    """Whether ``find_tables`` is worth its cost: crossing rules, equal rules above one another, or near rows of values.

    Costs about as much as reading the page's words once.
    """
    if _rules_cross(raw) or rule_bands(raw):
        return True
    if seed_blocks(lines_of(raw, rows_of(raw, _beside_values(raw)))):
        return True
    return bool(raw.words) and _stands_out(raw)


def _stands_out(raw: RawPage) -> bool:
    """Bold or underlined names of columns with texts under them. Rows with neither are not looked at first."""
    steps = {w.baseline // _STEP for w in raw.words if w.bold} | {rule.y0 // _STEP for rule in raw.horizontals}
    beside = {step + k for step in steps for k in (-1, 0, 1)}
    some = [i for i, w in enumerate(raw.words) if w.baseline // _STEP in beside]
    if not any(is_header(raw, line) for line in lines_of(raw, rows_of(raw, some))):
        return False
    return bool(headed_sheets(raw, lines_of(raw, rows_of(raw, range(len(raw.words))))))


def _beside_values(raw: RawPage) -> list[int]:
    """Words of rows that hold a value, roughly; none where there are too few values for a table."""
    heights = {
        step
        for word in raw.words
        if not word.text.isalpha() and is_value(word.text)
        for step in (word.baseline // _STEP - 1, word.baseline // _STEP, word.baseline // _STEP + 1)
    }
    if len(heights) < 4:  # one row marks three steps
        return []
    return [i for i, word in enumerate(raw.words) if word.baseline // _STEP in heights]


def _rules_cross(raw: RawPage) -> bool:
    if not raw.horizontals or not raw.verticals:
        return False
    horizontals = [r for r in merged_rules(raw.horizontals, vertical=False) if r.end - r.start >= 1500]
    verticals = [r for r in merged_rules(raw.verticals, vertical=True) if r.end - r.start >= 600]
    return len(crossings(horizontals[:200], verticals[:200])) >= _FEWEST_CROSSINGS


def find_tables(raw: RawPage, gutters: Sequence[Gutter] = ()) -> tuple[TableDraft, ...]:
    """The page's tables from the top, with cells, header paths, titles and notes.

    Words of one table are in no other. ``uncertain`` tables had rows, columns or headers that were not clear. What
    stands beside one of the ``gutters`` between the page's columns of text is no part of a table on its other side.
    """
    sheets = ruled_sheets(raw)
    for words, own in by_column(raw, _free(raw, sheets), gutters) if gutters else ():
        sheets += banded_sheets(own, lines_of(raw, rows_of(raw, words)))
    sheets += banded_sheets(raw, lines_of(raw, rows_of(raw, _free(raw, sheets))))
    for search in (open_sheets, headed_sheets):
        for words, own in by_column(raw, _free(raw, sheets), gutters):
            sheets += search(own, lines_of(raw, rows_of(raw, words)))
    free = _free(raw, sheets)
    sheets.sort(key=lambda s: (s.box.y0, s.box.x0))
    beside = [(sheet, rows_of(raw, near_column(raw, free, sheet.box, gutters))) for sheet in sheets]
    return tuple(
        _draft(raw, sheet, rows)
        for sheet, rows in beside
        if not is_figure(raw, sheet, rows) and not is_scale(raw, sheet)
    )


def _free(raw: RawPage, sheets: Sequence[Sheet]) -> list[int]:
    taken = {i for sheet in sheets for slot in sheet.slots for i in slot.words}
    return [i for i in range(len(raw.words)) if i not in taken]


def _draft(raw: RawPage, sheet: Sheet, rows: Sequence[TextRow]) -> TableDraft:
    sheet = completed(sheet)
    notes = notes_below(raw, sheet.box, rows, marks_in(raw, (s.words for s in sheet.slots)))
    noted = frozenset(mark for mark, _ in notes if mark)
    read = {slot: marked(raw, slot.words, noted) for slot in sheet.slots}
    reading = Reading(raw, sheet, [read[slot].text for slot in sheet.slots])
    cells = tuple(_cell(item, read[item.slot]) for item in reading.labelled())
    banners = [] if reading.sectioned else [s for row in range(reading.banners) for s in reading.row_slots(row)]
    return TableDraft(
        box=_page_part(sheet.box, raw),
        row_count=sheet.rows,
        col_count=sheet.cols,
        cells=cells,
        title_words=title_above(raw, sheet.box, rows) or tuple(i for s in banners for i in s.words),
        header_words=tuple(i for c in cells if c.is_header and c.row < reading.head_rows for i in c.words),
        notes=notes,
        header_rows=reading.head_rows,
        uncertain=sheet.uncertain or reading.unclear,
    )


def _cell(item: Labelled, read: Marked) -> CellDraft:
    slot = item.slot
    return CellDraft(
        slot.row, slot.col, slot.row_span, slot.col_span, slot.box, slot.words, item.is_header, item.row_path,
        item.column_path, read.marks, item.text,
    )  # fmt: skip


def _page_part(box: Box, raw: RawPage) -> Box:
    """Rules may be drawn over the page's edge; what is shown of the table is on the page."""
    return Box(max(box.x0, 0), max(box.y0, 0), min(box.x1, raw.width), min(box.y1, raw.height))
