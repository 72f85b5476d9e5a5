"""From a drafted table to the domain's: ids, text, the unit and scale that the table states, and what states them."""

from collections.abc import Iterable, Mapping

from ingest.page.raw import CellDraft, RawPage, TableDraft
from ingest.tables.text import text_of
from verify.domain.document import Cell, Statement, StatementKind, Table
from verify.domain.geometry import Box, union
from verify.domain.ids import CellId, ElementId, TableId
from verify.units import Stated, parse_statement


def to_table(
    draft: TableDraft, raw: RawPage, table_id: TableId, element_id: ElementId, word_of: Mapping[int, int]
) -> Table:
    """The table with its words named as the page names them. ``word_of`` maps raw word indexes to the page's.

    ``unit`` and ``scale`` are set only by what covers all cells: the title, a header over all columns, the corner, or
    a note without a mark. Two that differ set nothing.
    """
    statements = tuple(_statements(draft, raw))
    unit, scale = _stated_for_all(draft, statements)
    return Table(
        table_id=table_id,
        element_id=element_id,
        bbox=draft.box,
        title=text_of(raw.words, draft.title_words) or None,
        unit=unit,
        scale=scale,
        continued_from=None,
        row_count=draft.row_count,
        col_count=draft.col_count,
        cells=tuple(_cell(cell, table_id, word_of) for cell in draft.cells),
        statements=statements,
    )


def _cell(cell: CellDraft, table_id: TableId, word_of: Mapping[int, int]) -> Cell:
    return Cell(
        cell_id=CellId(f"{table_id}-r{cell.row}-c{cell.col}"),
        row=cell.row,
        col=cell.col,
        row_span=cell.row_span,
        col_span=cell.col_span,
        bbox=cell.box,
        text=cell.text,
        words=tuple(word_of[i] for i in cell.words if i in word_of),
        is_header=cell.is_header,
        row_path=cell.row_path,
        column_path=cell.column_path,
        marks=cell.marks,
    )


def _statements(draft: TableDraft, raw: RawPage) -> Iterable[Statement]:
    """Title, header cells and notes, in this order."""
    if draft.title_words:
        yield Statement(
            StatementKind.TITLE, text_of(raw.words, draft.title_words), _around(raw, draft.title_words), None
        )
    for cell in draft.cells:
        if cell.is_header and cell.row < draft.header_rows and cell.text:
            yield Statement(StatementKind.HEADER, cell.text, cell.box, None)
    for mark, words in draft.notes:
        yield Statement(StatementKind.NOTE, text_of(raw.words, words), _around(raw, words), mark)


def _around(raw: RawPage, words: Iterable[int]) -> Box:
    return union(raw.words[i].box for i in words)


def _stated_for_all(draft: TableDraft, statements: Iterable[Statement]) -> tuple[str | None, int | None]:
    covering = {c.box for c in draft.cells if c.is_header and c.row < draft.header_rows and _covers_all(c, draft)}
    said = [
        parse_statement(s.text)
        for s in statements
        if s.kind is StatementKind.TITLE
        or (s.kind is StatementKind.NOTE and s.mark is None)
        or (s.kind is StatementKind.HEADER and s.bbox in covering)
    ]
    return agreed(said)


def agreed(said: Iterable[Stated]) -> tuple[str | None, int | None]:
    """Unit and scale that all statements allow; None for one that they state in two ways."""
    clear = [s for s in said if not s.clash]
    units = {s.unit for s in clear if s.unit}
    scales = {s.scale for s in clear if s.scale}
    return (units.pop() if len(units) == 1 else None), (scales.pop() if len(scales) == 1 else None)


def _covers_all(cell: CellDraft, draft: TableDraft) -> bool:
    """A header over every column of values, or the corner, which heads the table as a whole."""
    return cell.col == 0 or (cell.col == 1 and cell.col_span >= draft.col_count - 1 > 1)
