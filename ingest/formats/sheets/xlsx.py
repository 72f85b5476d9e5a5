"""Workbooks (XLSX): saved values through their formats, with what stands beside the cells labelled below them."""

import re
from io import BytesIO
from typing import Any

from ingest.failures import Damaged
from ingest.formats.grounds import are_alike, is_light
from ingest.formats.numbers import shown
from ingest.formats.safe_xml import Package, as_transitional
from ingest.formats.sheets.model import Said, Sheet, SheetCell
from ingest.formats.sheets.xlsx_beside import BesideCells, page_heads
from ingest.limits import Limits
from ingest.rendition.flow import Block, note
from verify.domain.document import SpanKind

_MERGE = re.compile(rb"""<(?:\w+:)?mergeCell\s[^<>]*+>(?:\s*+</(?:\w+:)?mergeCell>)?""")
_RANGE = re.compile(rb"""\sref\s*+=\s*+["']\s*+\$?([A-Za-z]{1,3})\$?(\d{1,7}):\$?([A-Za-z]{1,3})\$?(\d{1,7})\s*+["']""")


def read_xlsx(data: bytes, limits: Limits, said: Said) -> tuple[list[Sheet], str | None]:
    """The shown sheets and the declared title. Raises Damaged."""
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
    beside = BesideCells(Package(data, limits), said.counts)
    sheets = {}
    for source in book.worksheets:
        if source.sheet_state != "visible":
            said.counts["sheets"] += 1
            continue
        formula_sheet = None if written is None else written[source.title]
        sheet = sheets[source.title] = _sheet(source, formula_sheet, beside.threads(source.title), limits, said)
        sheet.notes += [*beside.drawings(source.title), *page_heads(source)]
    sheets |= {name: Sheet(name, notes=notes) for name, notes in beside.chart_sheets()}
    order = {name: at for at, name in enumerate(beside.order())}
    shown_sheets = sorted(sheets.values(), key=lambda sheet: order.get(sheet.name or "", len(order)))
    return shown_sheets, (book.properties.title or "").strip() or None


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
        written = package.read(name) or b""
        part = as_transitional(written)
        if part is not written:
            changed[name] = part
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
        found = _RANGE.search(match[0])
        if found is None:
            return match[0]
        columns = _column_number(found[3]) - _column_number(found[1]) + 1
        size = abs(columns * (int(found[4]) - int(found[2]) + 1))
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


def _sheet(source: Any, written: Any, threads: dict[str, list[Block]], limits: Limits, said: Said) -> Sheet:
    sheet = Sheet(source.title)
    hidden_rows = {n for n, d in source.row_dimensions.items() if d.hidden or d.height == 0}
    hidden_columns = _hidden_columns(source)
    said.counts["rows"] += len(hidden_rows)
    said.counts["columns"] += len(hidden_columns)
    spans = {(r.min_row, r.min_col): (r.size["columns"], r.size["rows"]) for r in source.merged_cells.ranges}
    # Only cells that the file holds: one stray cell in the last row spans 17 thousand million that it does not.
    for place in sorted(source._cells):
        cell = source._cells[place]
        if cell.row in hidden_rows or cell.column in hidden_columns:
            continue
        _comments(sheet, cell, threads, said)
        if cell.value is None:
            said.counts["formulas"] += written is not None and written[cell.coordinate].data_type == "f"
            continue
        text = shown(cell.value, cell.number_format)
        if not text.strip() or _cannot_be_seen(cell):
            said.counts["unseen"] += cell.value != 0 and bool(str(cell.value).strip())
            continue
        struck = cell.font is not None and bool(cell.font.strike)
        said.counts["struck"] += struck
        span = spans.get((cell.row, cell.column), (1, 1))
        sheet.cells.append(SheetCell(cell.row - 1, cell.column - 1, text, *span, struck))
        if len(sheet.cells) > limits.cells:
            said.counts["cells"] += 1
            break
    return sheet


def _comments(sheet: Sheet, cell: Any, threads: dict[str, list[Block]], said: Said) -> None:
    """A thread of comments goes before the note that only says in words that there is one."""
    lines = threads.get(cell.coordinate, [])
    comment = getattr(cell, "comment", None)
    if comment is not None and not lines:
        who = " ".join((comment.author or "").split())
        text = " ".join(comment.text.split()).removeprefix(f"{who}:").strip() if who else comment.text
        label = f"Comment on {cell.coordinate}{f' by {who}' if who else ''}"
        lines = [note(label, " ".join(text.split()), SpanKind.COMMENT)]
    said.counts["comments"] += len(lines)
    sheet.notes += lines


def _cannot_be_seen(cell: Any) -> bool:
    """Letters of their cell's colour, white where it has none of its own. Conditions are not followed."""
    colour = _colour(None if cell.font is None else cell.font.color, "000000")
    if cell.fill is None or cell.fill.fill_type is None:
        return is_light(colour)
    return cell.fill.fill_type == "solid" and are_alike(colour, _colour(cell.fill.fgColor, ""))


def _colour(colour: Any, otherwise: str) -> str:
    """ "rrggbb"; of a theme's colours only the first two are known, white and black."""
    if colour is None:
        return otherwise
    if colour.type == "theme":
        return {0: "FFFFFF", 1: "000000"}.get(colour.theme, "") if not colour.tint else ""
    return (
        str(colour.rgb)[-6:]
        if colour.type == "rgb"
        else {8: "000000", 9: "FFFFFF", 64: otherwise}.get(colour.indexed, "")
    )


def _hidden_columns(source: Any) -> set[int]:
    hidden: set[int] = set()
    for dimension in source.column_dimensions.values():
        if (dimension.hidden or dimension.width == 0) and dimension.min and dimension.max:
            hidden |= set(range(dimension.min, min(dimension.max, dimension.min + 16384) + 1))
    return hidden
