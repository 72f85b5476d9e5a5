"""Table rows that are taller than a page, cut into rows that are not: MuPDF would draw no more of them than fits."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import zip_longest

from ingest.rendition.flow import Block, Grid, GridCell, Run

_LINES = 24
"""Lines of a cell that surely fit: a page has 47, and a column may be half as wide as an equal share."""
_CHARACTERS_ACROSS = 90


def bounded(grid: Grid) -> Grid:
    """The same table if every row surely fits on a page; else with tall rows cut and row spans dissolved."""
    columns = max((sum(cell.columns for cell in row) for row in grid.rows), default=1)
    across = max(8, _CHARACTERS_ACROSS // max(columns, 1))
    if all(_lines(cell, across) <= _LINES for row in grid.rows for cell in row):
        return grid
    return Grid(tuple(piece for row in _without_row_spans(grid) for piece in _cut(row, across)))


def _lines(cell: GridCell, across: int) -> int:
    return sum(_block_lines(block.text, across * cell.columns) for block in cell.blocks)


def _block_lines(text: str, across: int) -> int:
    return sum(len(line) // across + 1 for line in text.split("\n"))


def _without_row_spans(grid: Grid) -> Iterator[tuple[GridCell, ...]]:
    """An empty cell stands where a span covered a row, so that columns stay columns."""
    covered: dict[int, int] = {}
    for row in grid.rows:
        cells: list[GridCell] = []
        column = 0
        waiting = list(row)
        while waiting or any(at >= column and left for at, left in covered.items()):
            if covered.get(column):
                covered[column] -= 1
                cells.append(GridCell(()))
                column += 1
                continue
            if not waiting:
                column += 1
                continue
            cell = waiting.pop(0)
            for at in range(column, column + cell.columns):
                covered[at] = cell.rows - 1
            cells.append(cell._replace(rows=1))
            column += cell.columns
        yield tuple(cells)


def _cut(row: tuple[GridCell, ...], across: int) -> Iterator[tuple[GridCell, ...]]:
    pieces = [list(_pieces(cell, across * cell.columns)) for cell in row]
    for slices in zip_longest(*pieces, fillvalue=()):
        yield tuple(cell._replace(blocks=blocks) for cell, blocks in zip(row, slices, strict=True))


def _pieces(cell: GridCell, across: int) -> Iterator[tuple[Block, ...]]:
    """Runs of blocks of at most so many lines; a long block is cut between words."""
    piece: list[Block] = []
    lines = 0
    for block in cell.blocks:
        for part in _parts(block, across):
            size = _block_lines(part.text, across)
            if piece and lines + size > _LINES:
                yield tuple(piece)
                piece, lines = [], 0
            piece.append(part)
            lines += size
    if piece:
        yield tuple(piece)


def _parts(block: Block, across: int) -> Iterator[Block]:
    if _block_lines(block.text, across) <= _LINES:
        yield block
        return
    at = 0
    for text in cut_text(block.text, across, _LINES):
        at = block.text.index(text, at)
        yield replace(block, runs=tuple(_between(block, at, at + len(text))))
        at += len(text)


def _between(block: Block, start: int, end: int) -> Iterator[Run]:
    """The runs of a block from one character to another."""
    at = 0
    for run in block.runs:
        text = run.text[max(start - at, 0) : max(end - at, 0)]
        at += len(run.text)
        if text:
            yield run._replace(text=text, cut=run.cut and at <= end)


def cut_text(text: str, across: int, lines: int) -> Iterator[str]:
    """Pieces of at most so many lines of so many characters, cut at white space where there is any."""
    while _block_lines(text, across) > lines:
        at = _fitting(text, across, lines)
        yield text[:at].rstrip()
        text = text[at:].lstrip()
    if text:
        yield text


def _fitting(text: str, across: int, lines: int) -> int:
    """How many characters fit; at least one."""
    used = at = 0
    for line in text.split("\n"):
        size = len(line) // across + 1
        if used + size > lines:
            room = (lines - used) * across
            break_at = line.rfind(" ", 1, room)
            at += break_at if break_at > 0 else min(room, len(line)) if used == 0 else 0
            break
        used += size
        at += len(line) + 1
    return max(1, min(at, len(text)))
