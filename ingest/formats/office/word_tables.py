"""Tables of a Word file: rows and columns with their spans."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import NamedTuple

from ingest.formats.office.word_numbering import W
from ingest.formats.office.word_styles import is_on, number_of, value_of
from ingest.formats.office.word_tree import cells_of, rows_of, who_changed
from ingest.formats.safe_xml import Node
from ingest.rendition.flow import Block, BlockKind, Grid, GridCell, in_line
from verify.domain.document import SpanKind

_WIDEST = 63
"""Columns of a table that Word allows."""


class _Cell(NamedTuple):
    """``down`` and ``across`` are the cell's part in a merge: "restart", "continue" or None."""

    cell: GridCell
    down: str | None
    across: str | None


class RowChange(NamedTuple):
    """A row that was inserted or deleted as a whole."""

    deleted: bool
    who: str
    text: str


def grid_of(table: Node, blocks_of: Callable[[Node], tuple[Block, ...]], changed: Callable[[RowChange], None]) -> Grid:
    """The table as it reads now. Rows that were deleted are left out; these and inserted ones go to ``changed``."""
    rows: list[list[GridCell]] = []
    open_cells: dict[int, tuple[int, int]] = {}
    for row in rows_of(table):
        properties = row.find(f"{W}trPr")
        cells = [_cell(cell, blocks_of) for cell in cells_of(row)]
        deleted = None if properties is None else properties.find(f"{W}del")
        inserted = None if properties is None else properties.find(f"{W}ins")
        change = inserted if deleted is None else deleted
        if change is not None:
            text = " | ".join("\n".join(b.text for b in cell.cell.blocks) for cell in cells)
            changed(RowChange(deleted is not None, who_changed(change), text))
        if deleted is None:
            cells = cells if inserted is None else [cell._replace(cell=_inserted(cell.cell)) for cell in cells]
            rows.append([])
            _add_row(rows, cells, open_cells, properties)
    return Grid(tuple(map(tuple, rows)))


def _inserted(cell: GridCell) -> GridCell:
    blocks = (replace(b, runs=tuple(run.of(SpanKind.INSERTED) for run in b.runs)) for b in cell.blocks)
    return cell._replace(blocks=tuple(blocks))


def _add_row(
    rows: list[list[GridCell]], cells: list[_Cell], open_cells: dict[int, tuple[int, int]], properties: Node | None
) -> None:
    header = is_on(properties, "tblHeader")
    column = min((None if properties is None else number_of(properties, "gridBefore")) or 0, _WIDEST)
    if column:
        rows[-1].append(GridCell((), column))
    for cell, down, across in cells:
        above = open_cells.get(column)
        if across == "continue" and rows[-1]:
            left = rows[-1][-1]
            rows[-1][-1] = left._replace(columns=left.columns + cell.columns, blocks=left.blocks + cell.blocks)
        elif down == "continue" and above is not None:
            kept = rows[above[0]][above[1]]
            rows[above[0]][above[1]] = kept._replace(rows=len(rows) - above[0], blocks=kept.blocks + cell.blocks)
        else:
            open_cells[column] = (len(rows) - 1, len(rows[-1]))
            if down is None:
                del open_cells[column]
            rows[-1].append(cell._replace(header=header))
        column += cell.columns


def _cell(node: Node, blocks_of: Callable[[Node], tuple[Block, ...]]) -> _Cell:
    properties = node.find(f"{W}tcPr")
    span = (None if properties is None else number_of(properties, "gridSpan")) or 1
    cell = GridCell(blocks_of(node), min(span, _WIDEST))
    return _Cell(cell, _merge(properties, "vMerge"), _merge(properties, "hMerge"))


def _merge(properties: Node | None, name: str) -> str | None:
    if properties is None or properties.find(f"{W}{name}") is None:
        return None
    return value_of(properties, name) or "continue"


def in_one_column(blocks: Iterator[Block | Grid]) -> Iterator[Block]:
    """A table inside a cell becomes a paragraph for each of its rows."""
    for block in blocks:
        if isinstance(block, Grid):
            for row in block.rows:
                yield Block(BlockKind.PARAGRAPH, tuple(in_line([Grid((row,))])))
        else:
            yield block
