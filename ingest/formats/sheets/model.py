"""Spreadsheets as ruled tables, each cell with its sheet and address: what all kinds share, and CSV.

Values are those that were saved with the file, as its formats show them. A formula is never computed; a hidden sheet,
row or column is left out and told.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from io import StringIO

from ingest.failures import Damaged
from ingest.formats.office.embedded import embedded_members
from ingest.formats.opening import Opened, counted_warnings
from ingest.formats.plain.text import decode
from ingest.formats.sheets.layout import draw_sheets
from ingest.formats.sniff import Kind
from ingest.limits import Limits
from verify.domain.document import Metadata, SourceWarning, WarningCode

_NAMES = ",;\t|"
COLUMNS = 16_384
"""The most that a sheet of any spreadsheet program has; what is wider is no sheet that anybody looked at."""
_NAMED_MARK = re.compile(r"sep=([^\n])\n", re.IGNORECASE)
"""A first line by which Excel is told what parts the columns."""


@dataclass(frozen=True, slots=True)
class SheetCell:
    """``row`` and ``column`` from 0. Spans from 1."""

    row: int
    column: int
    text: str
    columns: int = 1
    rows: int = 1


@dataclass(slots=True)
class Sheet:
    """``name`` is None for a file that has no sheets (CSV). ``notes`` are labelled comments."""

    name: str | None
    cells: list[SheetCell] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

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
            (counts["struck"], WarningCode.HAS_REVISIONS, "cells are struck through; they are shown and labelled"),
            (counts["drawn"], lost, "pictures are of a kind that is not read (EMF, WMF, SVG)"),
            (counts["outside"], lost, "pictures do not lie in the file and were left out"),
            (counts["lost"], lost, "drawings or charts cannot be read and were left out"),
            (counts["objects"], lost,
             "text boxes, charts or drawings of an old workbook are not read; save it as XLSX or PDF"),
            (counts["merged"], WarningCode.TABLE_UNCERTAIN,
             "ranges of merged cells are larger than is followed; they are shown apart"),
            (counts["comments"], WarningCode.HAS_ANNOTATIONS, "comments are shown and labelled"),
        )  # fmt: skip


def open_sheets(kind: Kind, data: bytes, limits: Limits) -> Opened:
    """The rendition of a spreadsheet, with the address of every drawn cell. Raises Damaged or Locked."""
    said = Said()
    title = None
    if kind is Kind.CSV:
        sheets = [_csv(data, limits, said)]
    elif kind is Kind.ODS:
        from ingest.formats.odf.sheets import read_ods

        sheets, title = read_ods(data, limits, said)
    else:
        from ingest.formats.sheets.xlsx import read_xlsx

        sheets, title = read_xlsx(data, limits, said)
    opened = replace(drawn(kind, sheets, said), metadata=Metadata(title=title))
    return opened if kind is Kind.CSV else replace(opened, members=lambda: embedded_members(data, limits))


def drawn(kind: Kind, sheets: list[Sheet], said: Said) -> Opened:
    """The rendition of sheets that were read, with what is to be said of them."""
    pdf, addresses = draw_sheets(sheets)
    return Opened(kind, pdf, True, warnings=tuple(said.warnings()), addresses=addresses)


def _csv(data: bytes, limits: Limits, said: Said) -> Sheet:
    text = decode(data)
    named = _NAMED_MARK.match(text)
    text = text[named.end() :] if named else text
    sheet = Sheet(None)
    first = 1 if named else 0  # the line that only names the mark is a row to every program
    csv.field_size_limit(limits.flow_characters)
    try:
        mark = named[1] if named else _delimiter(text)
        for row, values in enumerate(csv.reader(StringIO(text, newline=""), delimiter=mark), first):
            said.counts["far"] += any(map(str.strip, values[COLUMNS:]))
            values = values[:COLUMNS]
            sheet.cells += [SheetCell(row, column, value) for column, value in enumerate(values) if value.strip()]
            if len(sheet.cells) > limits.cells:
                said.counts["cells"] += 1
                break
    except csv.Error as error:
        raise Damaged(f"the table cannot be read ({error})") from None
    return sheet


def _delimiter(text: str) -> str:
    """The separator that parts the first lines into most columns."""
    lines = text.split("\n", 20)[:20]
    return max(
        _NAMES, key=lambda mark: (min((line.count(mark) for line in lines if line.strip()), default=0), mark == ",")
    )
