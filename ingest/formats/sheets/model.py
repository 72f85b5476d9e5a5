"""Sheets and their cells before they are drawn: what all kinds of spreadsheets share.

Values are those that were saved with the file, as its formats show them. A formula is never computed; a hidden sheet,
row or column is left out and told.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ingest.formats.model import counted_warnings
from ingest.rendition.flow import Block, BlockKind, Grid, in_line
from verify.domain.document import SourceWarning, WarningCode

COLUMNS = 16_384
"""The most that a sheet of any spreadsheet program has; what is wider is no sheet that anybody looked at."""


@dataclass(frozen=True, slots=True)
class SheetCell:
    """``row`` and ``column`` from 0. Spans from 1. ``struck``: its text is struck through."""

    row: int
    column: int
    text: str
    columns: int = 1
    rows: int = 1
    struck: bool = False


@dataclass(slots=True)
class Sheet:
    """``name`` is None for a file that has no sheets (CSV). ``notes`` are what stands beside the
    cells, labelled."""

    name: str | None
    cells: list[SheetCell] = field(default_factory=list)
    notes: list[Block] = field(default_factory=list)

    def address(self, cell: SheetCell) -> str:
        """``Sheet1!B4``; a name with other characters than letters, digits and _ is quoted, as spreadsheets do."""
        place = f"{column_name(cell.column)}{cell.row + 1}"
        if self.name is None:
            return place
        plain = self.name.replace("_", "a").isalnum() and not self.name[0].isdigit()
        quoted = self.name if plain else "'" + self.name.replace("'", "''") + "'"
        return f"{quoted}!{place}"


def column_name(index: int) -> str:
    """0 is A, 25 Z, 26 AA."""
    name = ""
    number = index + 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = chr(65 + rest) + name
    return name


def one_a_line(block: Block | Grid) -> Iterator[Block]:
    """A table's rows each on a line, its cells parted by strokes."""
    if isinstance(block, Block):
        yield block
        return
    for row in block.rows:
        yield Block(BlockKind.NOTE, tuple(in_line([Grid((row,))])))


class Said:
    """What was left out, counted."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def warnings(self) -> Iterator[SourceWarning]:
        hidden = [f"{self.counts[w]} {w}" for w in ("sheets", "rows", "columns") if self.counts[w]]
        if hidden:
            yield SourceWarning(WarningCode.HIDDEN_TEXT, None, f"hidden parts were left out: {', '.join(hidden)}")
        counts, lost = self.counts, WarningCode.TRUNCATED
        yield from counted_warnings((counts["formulas"], lost, "formulas were saved without a result and show nothing"))
        if counts["cells"]:
            yield SourceWarning(lost, None, "the file has more cells than are read; the rest was left out")
        yield from counted_warnings(
            (counts["far"], lost, "rows are wider than any sheet; the columns after XFD were left out"),
            (counts["unseen"], WarningCode.HIDDEN_TEXT, "cells whose text cannot be seen were left out"),
            (counts["struck"], WarningCode.HAS_STRUCK_TEXT, "cells are struck through; they are shown so"),
            (counts["drawn"], lost, "pictures are of a kind that is not read (EMF, WMF, SVG)"),
            (counts["outside"], lost, "pictures do not lie in the file and were left out"),
            (counts["lost"], lost, "drawings or charts cannot be read and were left out"),
            (counts["objects"], lost,
             "text boxes, charts or drawings of an old workbook are not read; save it as XLSX or PDF"),
            (counts["merged"], WarningCode.TABLE_UNCERTAIN,
             "ranges of merged cells are larger than is followed; they are shown apart"),
            (counts["comments"], WarningCode.HAS_ANNOTATIONS, "comments are shown and labelled"),
        )  # fmt: skip
