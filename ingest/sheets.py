"""Spreadsheets: XLSX, ODS and CSV as ruled tables, each cell with its sheet and address.

Values are those that were saved with the file, as its formats show them. A formula is never computed; a hidden sheet,
row or column is left out and told.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from io import BytesIO, StringIO
from typing import Any

from ingest.docx_parts import embedded_members
from ingest.failures import Damaged
from ingest.limits import Limits
from ingest.number_format import shown
from ingest.odt import TABLE, TEXT, declared_title, open_package, span_of
from ingest.opening import Opened
from ingest.safe_xml import Node, Package
from ingest.sheet_layout import draw_sheets
from ingest.sniff import Kind
from ingest.text import decode
from verify.domain.document import Metadata, SourceWarning, WarningCode

_NAMES = ",;\t|"
_MERGE = re.compile(
    rb"""<(?:\w+:)?mergeCell\s[^<>]*?ref=["']\$?([A-Za-z]{1,3})\$?(\d{1,7}):\$?([A-Za-z]{1,3})\$?(\d{1,7})["']"""
    rb"""[^<>]*?(?:/>|></(?:\w+:)?mergeCell>)"""
)
_EMPTY_RUN = 1000
"""A cell or row that is repeated more often than this is the empty rest of a sheet."""


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
        if self.counts["formulas"]:
            detail = f"{self.counts['formulas']} formulas were saved without a result and show nothing"
            yield SourceWarning(WarningCode.TRUNCATED, None, detail)
        if self.counts["cells"]:
            yield SourceWarning(
                WarningCode.TRUNCATED, None, "the file has more cells than are read; the rest was left out"
            )
        if self.counts["merged"]:
            detail = f"{self.counts['merged']} ranges of merged cells are larger than is followed; they are shown apart"
            yield SourceWarning(WarningCode.TABLE_UNCERTAIN, None, detail)
        if self.counts["comments"]:
            detail = f"{self.counts['comments']} comments are shown and labelled"
            yield SourceWarning(WarningCode.HAS_ANNOTATIONS, None, detail)


def open_sheets(kind: Kind, data: bytes, limits: Limits) -> Opened:
    """The rendition of a spreadsheet, with the address of every drawn cell. Raises Damaged or Locked."""
    said = Said()
    title = None
    if kind is Kind.CSV:
        sheets = [_csv(data, limits, said)]
    elif kind is Kind.ODS:
        sheets, title = _ods(data, limits, said)
    else:
        sheets, title = _xlsx(data, limits, said)
    opened = replace(drawn(kind, sheets, said), metadata=Metadata(title=title))
    return replace(opened, members=lambda: embedded_members(data, limits)) if kind is Kind.XLSX else opened


def drawn(kind: Kind, sheets: list[Sheet], said: Said) -> Opened:
    """The rendition of sheets that were read, with what is to be said of them."""
    pdf, addresses = draw_sheets(sheets)
    return Opened(kind, pdf, True, warnings=tuple(said.warnings()), addresses=addresses)


def _csv(data: bytes, limits: Limits, said: Said) -> Sheet:
    text = decode(data)
    sheet = Sheet(None)
    csv.field_size_limit(limits.flow_characters)
    try:
        for row, values in enumerate(csv.reader(StringIO(text, newline=""), delimiter=_delimiter(text))):
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


def _ods(data: bytes, limits: Limits, said: Said) -> tuple[list[Sheet], str | None]:
    package = open_package(data, limits)
    content = package.xml("content.xml")
    if content is None:
        raise Damaged("the file has no table part")
    sheets = []
    for table in content.iter(f"{TABLE}table"):
        sheet = Sheet(table.get(f"{TABLE}name") or "Sheet")
        _ods_rows(table, sheet, limits, said)
        sheets.append(sheet)
    return sheets, declared_title(package)


def _ods_rows(table: Node, sheet: Sheet, limits: Limits, said: Said) -> None:
    row = 0
    for node in table.iter(f"{TABLE}table-row"):
        repeat = _repeat(node, "rows")
        if node.get(f"{TABLE}visibility") in ("collapse", "filter"):
            said.counts["rows"] += repeat
        elif repeat <= _EMPTY_RUN:
            for _ in range(repeat):
                _ods_cells(node, row, sheet)
                row += 1
                if len(sheet.cells) > limits.cells:
                    said.counts["cells"] += 1
                    return
            continue
        row += repeat


def _ods_cells(node: Node, row: int, sheet: Sheet) -> None:
    column = 0
    for cell in node:
        if cell.tag not in (f"{TABLE}table-cell", f"{TABLE}covered-table-cell"):
            continue
        repeat = _repeat(cell, "columns")
        text = "\n".join(" ".join("".join(map(str, p.itertext())).split()) for p in cell.iterfind(f"{TEXT}p"))
        if text.strip() and cell.tag == f"{TABLE}table-cell" and repeat <= _EMPTY_RUN:
            columns, rows = (span_of(cell, f"{TABLE}number-{name}-spanned") for name in ("columns", "rows"))
            sheet.cells += [SheetCell(row, column + i, text, columns, rows) for i in range(repeat)]
        column += repeat


def _repeat(node: Node, what: str) -> int:
    value = node.get(f"{TABLE}number-{what}-repeated", "1")
    return int(value) if value.isdecimal() and len(value) < 9 else 1


def _xlsx(data: bytes, limits: Limits, said: Said) -> tuple[list[Sheet], str | None]:
    import warnings

    import openpyxl

    data, formulas = _checked_parts(data, limits, said)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # openpyxl warns of extensions that it leaves out
        try:
            book = openpyxl.load_workbook(BytesIO(data), data_only=True, keep_links=False)
            written = openpyxl.load_workbook(BytesIO(data), keep_links=False) if formulas else None
        except MemoryError:
            raise
        except Exception as error:  # openpyxl raises whatever a damaged file makes it trip over
            raise Damaged(f"the workbook is damaged ({type(error).__name__})") from None
    sheets = []
    for source in book.worksheets:
        if source.sheet_state != "visible":
            said.counts["sheets"] += 1
            continue
        formula_sheet = None if written is None else written[source.title]
        sheets.append(_xlsx_sheet(source, formula_sheet, limits, said))
    return sheets, (book.properties.title or "").strip() or None


def _checked_parts(data: bytes, limits: Limits, said: Said) -> tuple[bytes, bool]:
    """The file without merged ranges that are too large, and whether any sheet has formulas. Raises Damaged for a file
    that unpacks to too much or declares entities."""
    package = Package(data, limits)
    formulas = False
    changed: dict[str, bytes] = {}
    left = limits.merged_cells
    for name in package.names():
        if not name.endswith((".xml", ".rels")):
            continue
        part = package.read(name) or b""
        if b"<!DOCTYPE" in part or b"<!ENTITY" in part:
            raise Damaged("a part of the file declares entities of its own, which are not read")
        if name.startswith("xl/worksheets/"):
            formulas = formulas or b"<f" in part
            bounded, left, dropped = _bounded_merges(part, left)
            if dropped:
                said.counts["merged"] += dropped
                changed[name] = bounded
    return Package(data, limits).with_parts(changed) if changed else data, formulas


def _bounded_merges(part: bytes, left: int) -> tuple[bytes, int, int]:
    """A sheet's XML without the merged ranges that pass ``left`` cells in all, which openpyxl would make one by one;
    what is left, and how many it lost."""
    dropped = 0

    def kept(match: re.Match[bytes]) -> bytes:
        nonlocal left, dropped
        columns = _column_number(match[3]) - _column_number(match[1]) + 1
        size = abs(columns * (int(match[4]) - int(match[2]) + 1))
        if size > left:
            dropped += 1
            return b""
        left -= size
        return match[0]

    bounded = _MERGE.sub(kept, part) if b"mergeCell" in part else part
    return bounded, left, dropped


def _column_number(name: bytes) -> int:
    number = 0
    for letter in name.upper():
        number = number * 26 + letter - 64
    return number


def _xlsx_sheet(source: Any, written: Any, limits: Limits, said: Said) -> Sheet:
    sheet = Sheet(source.title)
    hidden_rows = {n for n, d in source.row_dimensions.items() if d.hidden}
    hidden_columns = _hidden_columns(source)
    said.counts["rows"] += len(hidden_rows)
    said.counts["columns"] += len(hidden_columns)
    spans = {(r.min_row, r.min_col): (r.size["columns"], r.size["rows"]) for r in source.merged_cells.ranges}
    # Only cells that the file holds: one stray cell in the last row spans 17 thousand million that it does not.
    for place in sorted(source._cells):
        cell = source._cells[place]
        if cell.row in hidden_rows or cell.column in hidden_columns:
            continue
        if cell.value is None:
            said.counts["formulas"] += written is not None and written[cell.coordinate].data_type == "f"
            continue
        columns, rows = spans.get((cell.row, cell.column), (1, 1))
        text = shown(cell.value, cell.number_format)
        if text.strip():
            sheet.cells.append(SheetCell(cell.row - 1, cell.column - 1, text, columns, rows))
        if getattr(cell, "comment", None) is not None:
            said.counts["comments"] += 1
            sheet.notes.append(f"[Comment on {cell.coordinate}: {' '.join(cell.comment.text.split())}]")
        if len(sheet.cells) > limits.cells:
            said.counts["cells"] += 1
            break
    return sheet


def _hidden_columns(source: Any) -> set[int]:
    hidden: set[int] = set()
    for dimension in source.column_dimensions.values():
        if dimension.hidden and dimension.min and dimension.max:
            hidden |= set(range(dimension.min, min(dimension.max, dimension.min + 16384) + 1))
    return hidden
