"""Pages that tests write and rule on, and the tables found there."""

from collections.abc import Sequence

from ingest.mupdf import pymupdf
from ingest.page.raw import RawPage, TableDraft
from ingest.page.visibility import read_paint
from ingest.page.words import TEXT_FLAGS, read_words
from ingest.tables.finding import find_tables, may_hold_table
from verify.domain.geometry import to_units


def raw_of(page: "pymupdf.Page") -> RawPage:
    width, height = to_units(page.rect.width), to_units(page.rect.height)
    shown = page.get_displaylist(annots=0)
    words = read_words(pymupdf.TextPage(shown.get_textpage(TEXT_FLAGS)), width, height)
    flags = TEXT_FLAGS | pymupdf.TEXT_COLLECT_VECTORS | pymupdf.TEXT_PRESERVE_IMAGES
    paint = read_paint(pymupdf.TextPage(shown.get_textpage(flags)), width, height)
    rules = paint.horizontals, paint.verticals
    return RawPage(page.number, width, height, page.rotation, tuple(words.words), *rules, paint.pictures)


class DrawnSheet:
    """A page to write and rule on, in points."""

    def __init__(self, width: float = 595, height: float = 842) -> None:
        self.document = pymupdf.open()
        self.page = self.document.new_page(width=width, height=height)

    def text(self, x: float, y: float, text: str, size: float = 10, bold: bool = False, right: bool = False) -> None:
        font = "hebo" if bold else "helv"
        if right:
            x -= pymupdf.get_text_length(text, fontname=font, fontsize=size)
        self.page.insert_text((x, y), text, fontsize=size, fontname=font)

    def rows(self, x: Sequence[float], y: float, rows: Sequence[Sequence[str]], step: float = 18) -> None:
        """Labels at the first place, values ending at the others."""
        for n, row in enumerate(rows):
            for place, text in zip(x, row, strict=True):
                if text:
                    self.text(place, y + n * step, text, right=place != x[0])

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.page.draw_line((x0, y0), (x1, y1), width=0.6)

    def grid(self, xs: Sequence[float], ys: Sequence[float]) -> None:
        for x in xs:
            self.line(x, ys[0], x, ys[-1])
        for y in ys:
            self.line(xs[0], y, xs[-1], y)

    def tables(self) -> tuple[TableDraft, ...]:
        self.raw = raw_of(self.page)
        return find_tables(self.raw)

    def table(self) -> TableDraft:
        tables = self.tables()
        assert len(tables) == 1
        assert may_hold_table(self.raw)
        return tables[0]


def values(table: TableDraft) -> dict[tuple[tuple[str, ...], tuple[str, ...]], str]:
    """Cells with text by row path and column path."""
    return {(c.row_path, c.column_path): c.text for c in table.cells if not c.is_header and c.text}


def grid_of(table: TableDraft) -> list[list[str]]:
    """Texts by row, left to right."""
    return [[c.text for c in table.cells if c.row == row] for row in range(table.row_count)]
