"""Draws sheets as ruled tables on pages as wide as they need, and notes where each cell stands."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import Any, NamedTuple

from ingest.formats.model import CellPlace, Opened
from ingest.formats.sheets.blocks import TableRows, table_blocks
from ingest.formats.sheets.model import Said, Sheet, SheetCell
from ingest.formats.sniff import Kind
from ingest.mupdf import pymupdf
from ingest.rendition.flow import OWN_WORDS, Run
from ingest.rendition.inks import NO_KINDS
from ingest.rendition.render import run_html, with_subset_fonts
from ingest.rendition.tall_rows import cut_text
from verify.domain.document import SpanKind
from verify.domain.geometry import to_units

_MARGIN = 40.0
_PAGE_HEIGHT = 842.0
_NARROWEST, _WIDEST = 595.0, 2400.0
_PER_CHARACTER = 6.2
_COLUMN = (34.0, 230.0)
_PADDING = 4.0
_RIM = 8.0
"""Padding and rules of a cell, side to side."""
_ROWS_AT_ONCE = 200
_ACROSS, _LINES = 32, 40
"""Characters that surely fit across the widest column, and lines of a cell that surely fit on a page of 60."""
_STRUCK = frozenset({SpanKind.STRUCK})
_STYLE = """
body { font-family: sans-serif; font-size: 9pt } h2 { font-size: 12pt; margin: 0 0 6pt 0 }
p { margin: 0 } .note { font-size: 8pt; margin: 4pt 0 0 0 }
table { border-collapse: collapse; margin: 0 0 14pt 0 }
td { border: 0.6pt solid black; padding: 3pt; vertical-align: top }
"""


class _Named(NamedTuple):
    address: str
    title: str | None


def drawn(kind: Kind, sheets: list[Sheet], said: Said) -> Opened:
    """The rendition of sheets that were read, with what is to be said of them."""
    pdf, addresses = draw_sheets(sheets)
    return Opened(kind, pdf, True, warnings=tuple(said.warnings()), addresses=addresses)


def draw_sheets(sheets: "Sequence[Sheet]") -> tuple[bytes, tuple[tuple[CellPlace, ...], ...]]:
    """The PDF, and for each page the places of its cells. A sheet begins on a new page; one that is wider than the
    widest page goes on, columns and all, on pages of its own."""
    buffer = BytesIO()
    writer = pymupdf.DocumentWriter(buffer, "compress")
    pages: list[tuple[CellPlace, ...]] = []
    for sheet in sheets:
        for band, body, width in _parts(sheet):
            pages += _place(writer, body, width, band)
    if not pages:
        writer.begin_page(pymupdf.Rect(0, 0, _NARROWEST, _PAGE_HEIGHT))
        writer.end_page()
        pages.append(())
    writer.close()
    return with_subset_fonts(buffer.getvalue()), tuple(pages)


def _place(
    writer: "pymupdf.DocumentWriter", body: str, width: float, names: dict[str, _Named]
) -> Iterator[tuple[CellPlace, ...]]:
    story = pymupdf.Story(body, user_css=_STYLE, em=9)
    more = 1
    while more:
        device = writer.begin_page(pymupdf.Rect(0, 0, width, _PAGE_HEIGHT))
        more, _ = story.place(pymupdf.Rect(_MARGIN, _MARGIN, width - _MARGIN, _PAGE_HEIGHT - _MARGIN))
        found = _boxes(story)
        story.draw(device)
        writer.end_page()
        yield tuple(_cell_place(rect, names[name]) for name, rect in found.items() if name in names)


def _boxes(story: "pymupdf.Story") -> dict[str, Any]:
    """Where the elements with an id were laid on the page that was placed last."""
    found: dict[str, Any] = {}

    def note(position: Any) -> None:
        if position.id and position.open_close & 1:
            found[position.id] = position.rect

    story.element_positions(note, {})
    return found


def _cell_place(rect: Any, named: _Named) -> CellPlace:
    x0, y0, x1, y1 = rect
    return CellPlace(
        to_units(x0 - _PADDING), to_units(y0 - _PADDING), to_units(x1 + _PADDING), to_units(y1 + _PADDING), *named
    )


def _parts(sheet: Sheet) -> Iterator[tuple[dict[str, _Named], str, float]]:
    """Names of the cells by HTML id, HTML and page width: some hundred rows of a band of columns at a time."""
    by_row: dict[int, dict[int, SheetCell]] = {}
    for cell in sheet.cells:
        by_row.setdefault(cell.row, {})[cell.column] = cell
    title = f"<h2>{run_html(Run(sheet.name, kinds=OWN_WORDS))}</h2>" if sheet.name else ""
    notes = "".join(f'<p class="note">{"".join(map(run_html, note.runs))}</p>' for note in sheet.notes)
    blocks = list(table_blocks({row: {at: c.text for at, c in cells.items()} for row, cells in by_row.items()}))
    for columns in _bands(sheet):
        width = max(_NARROWEST, sum(columns.values()) + _RIM * len(columns) + 2 * _MARGIN + 20)
        pages = list(_pages(blocks)) or [[]]
        for at, page in enumerate(pages):
            names: dict[str, _Named] = {}
            tables = "".join(_table(sheet, block, by_row, columns, names) for block in page)
            body = (title if at == 0 else "") + tables
            last = at == len(pages) - 1
            if body or (last and notes):
                yield names, body + (notes if last else ""), width


def _pages(blocks: list[TableRows]) -> Iterator[list[TableRows]]:
    """Some hundred rows at a time, of one table or several."""
    held: list[TableRows] = []
    count = 0
    for block in blocks:
        for at in range(0, len(block.rows), _ROWS_AT_ONCE):
            piece = block._replace(rows=block.rows[at : at + _ROWS_AT_ONCE])
            if held and count + len(piece.rows) > _ROWS_AT_ONCE:
                yield held
                held, count = [], 0
            held.append(piece)
            count += len(piece.rows)
    if held:
        yield held


def _table(
    sheet: Sheet,
    block: TableRows,
    by_row: "dict[int, dict[int, SheetCell]]",
    columns: dict[int, float],
    names: dict[str, _Named],
) -> str:
    rows = "".join(_row(sheet, block.title, by_row[row], columns, names) for row in block.rows)
    return f"<table>{rows}</table>" if rows else ""


def _bands(sheet: Sheet) -> Iterator[dict[int, float]]:
    """Columns with their widths in points, as many as fit side by side. Empty columns are left out."""
    widths: dict[int, float] = {}
    last = max((cell.column for cell in sheet.cells), default=0)
    for cell in sheet.cells:
        if cell.columns == 1:
            longest = max(map(len, cell.text.split("\n")))
            wanted = min(max(longest * _PER_CHARACTER, _COLUMN[0]), _COLUMN[1])
            widths[cell.column] = max(widths.get(cell.column, 0.0), wanted)
        else:
            for column in range(cell.column, min(cell.column + cell.columns, last + 1)):
                widths.setdefault(column, _COLUMN[0])
    band: dict[int, float] = {}
    total = 0.0
    for column in sorted(widths):
        if band and total + widths[column] + _RIM > _WIDEST:
            yield band
            band, total = {}, 0.0
        band[column] = widths[column]
        total += widths[column] + _RIM
    yield band


def _row(
    sheet: Sheet,
    title: str | None,
    cells: "dict[int, SheetCell]",
    columns: dict[int, float],
    names: dict[str, _Named],
) -> str:
    """The row's HTML: several table rows where a cell holds more than a page can show."""
    pieces = {at: list(cut_text(cells[at].text, _ACROSS, _LINES)) for at in columns if at in cells}
    return "".join(
        _table_row(
            sheet, title, cells, {at: texts[n] for at, texts in pieces.items() if n < len(texts)}, n, columns, names
        )
        for n in range(max(map(len, pieces.values()), default=0))
    )


def _table_row(
    sheet: Sheet,
    title: str | None,
    cells: "dict[int, SheetCell]",
    texts: dict[int, str],
    number: int,
    columns: dict[int, float],
    names: dict[str, _Named],
) -> str:
    parts = []
    covered = -1
    for column, width in columns.items():
        if column <= covered:
            continue
        cell = cells.get(column)
        if cell is None or column not in texts:
            parts.append(f'<td style="width:{width:.0f}pt"></td>')
            continue
        name = f"r{cell.row}c{cell.column}n{number}"
        names[name] = _Named(sheet.address(cell), title)
        inside = [c for c in columns if cell.column <= c < cell.column + cell.columns]
        covered = cell.column + cell.columns - 1
        span = f' colspan="{len(inside)}"' if len(inside) > 1 else ""
        style = "" if span else f' style="width:{width:.0f}pt"'
        text = run_html(Run(texts[column], kinds=_STRUCK if cell.struck else NO_KINDS))
        parts.append(f'<td id="{name}"{span}{style}><p>{text}</p></td>')
    return "<tr>" + "".join(parts) + "</tr>"
