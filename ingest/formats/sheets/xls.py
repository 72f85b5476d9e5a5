"""Old Excel files (XLS, 1993-2007): their sheets as those of XLSX are read, saved values through their formats."""

import os
from collections.abc import Iterator
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from ingest.failures import Damaged, Locked
from ingest.formats.model import Opened
from ingest.formats.numbers import CellValue, shown
from ingest.formats.sheets.layout import drawn
from ingest.formats.sheets.model import Said, Sheet, SheetCell
from ingest.formats.sniff import Kind
from ingest.limits import Limits
from ingest.rendition.flow import note
from verify.domain.document import SpanKind

_OBJ = 0x005D
_DRAWN_TYPES = frozenset((0x02, 0x03, 0x05, 0x06, 0x07, 0x0E, 0x1E))
"""Rectangle, oval, chart, text, button, label, drawing of Office."""


def open_old_sheets(data: bytes, limits: Limits) -> Opened:
    """Raises Damaged, or Locked for a workbook that must be decrypted first."""
    import xlrd

    said = Said()
    try:
        with Path(os.devnull).open("w") as nowhere:  # it prints about what it trips over
            book = xlrd.open_workbook(file_contents=data, formatting_info=True, ragged_rows=True, logfile=nowhere)
        sheets = [_sheet(book, sheet, limits, said) for sheet in _visible(book, said)]
    except MemoryError:
        raise
    except Exception as error:  # xlrd raises whatever a damaged file makes it trip over
        if "encrypted" in str(error):
            raise Locked("the file needs a password") from None
        raise Damaged(f"the workbook is damaged ({type(error).__name__})") from None
    said.counts["objects"] += _count_drawn(data)
    return drawn(Kind.XLS, sheets, said)


def _count_drawn(data: bytes) -> int:
    """Text boxes, charts and drawings of the workbook (MS-XLS: an Obj record, its type at byte 4 of the first part);
    comments (25), pictures (8), and fields of lists (20) that filters draw are others' or nobody's to read."""
    import olefile

    try:
        with olefile.OleFileIO(BytesIO(data)) as ole:
            stream = ole.openstream("Workbook" if ole.exists("Workbook") else "Book").read()
    except MemoryError:
        raise
    except Exception:  # an old file without a container has no drawings of this form
        return 0
    count = at = 0
    while at + 4 <= len(stream):
        key, size = int.from_bytes(stream[at : at + 2], "little"), int.from_bytes(stream[at + 2 : at + 4], "little")
        if key == _OBJ and size >= 6:
            count += int.from_bytes(stream[at + 8 : at + 10], "little") in _DRAWN_TYPES
        at += 4 + size
    return count


def _visible(book: Any, said: Said) -> Iterator[Any]:
    for sheet in book.sheets():
        if sheet.visibility:
            said.counts["sheets"] += 1
        else:
            yield sheet


def _sheet(book: Any, source: Any, limits: Limits, said: Said) -> Sheet:
    sheet = Sheet(source.name)
    rows = {at for at, row in source.rowinfo_map.items() if row.hidden}
    columns = {at for at, column in source.colinfo_map.items() if column.hidden}
    said.counts["rows"] += len(rows)
    said.counts["columns"] += len(columns)
    spans = {(top, left): (right - left, bottom - top) for top, bottom, left, right in source.merged_cells}
    for row in range(source.nrows):
        for column, cell in enumerate(source.row(row)):
            if row in rows or column in columns:
                continue
            text = _text(book, cell)
            if text.strip() and _cannot_be_seen(book, cell):
                said.counts["unseen"] += 1
            elif text.strip():
                struck = _is_struck(book, cell)
                said.counts["struck"] += struck
                sheet.cells.append(SheetCell(row, column, text, *spans.get((row, column), (1, 1)), struck))
        if len(sheet.cells) > limits.cells:
            said.counts["cells"] += 1
            break
    for (row, column), said_there in sorted(source.cell_note_map.items()):
        said.counts["comments"] += 1
        place = sheet.address(SheetCell(row, column, "")).rpartition("!")[2]
        sheet.notes.append(note(f"Comment on {place}", " ".join(said_there.text.split()), SpanKind.COMMENT))
    return sheet


def _cannot_be_seen(book: Any, cell: Any) -> bool:
    """Letters of their cell's colour, white where it has none of its own."""
    if cell.xf_index is None:
        return False
    form = book.xf_list[cell.xf_index]
    colour = book.colour_map.get(book.font_list[form.font_index].colour_index)
    if form.background.fill_pattern == 0:
        return bool(colour == (255, 255, 255))
    ground = book.colour_map.get(form.background.pattern_colour_index)
    return form.background.fill_pattern == 1 and ground is not None and (colour or (0, 0, 0)) == ground


def _is_struck(book: Any, cell: Any) -> bool:
    return cell.xf_index is not None and bool(book.font_list[book.xf_list[cell.xf_index].font_index].struck_out)


def _text(book: Any, cell: Any) -> str:
    import xlrd

    code = book.format_map[book.xf_list[cell.xf_index].format_key].format_str if cell.xf_index is not None else None
    value: CellValue = cell.value
    match cell.ctype:
        case xlrd.XL_CELL_EMPTY | xlrd.XL_CELL_BLANK:
            return ""
        case xlrd.XL_CELL_ERROR:
            return str(xlrd.error_text_from_code.get(cell.value, "#ERROR"))
        case xlrd.XL_CELL_BOOLEAN:
            return shown(bool(cell.value), code)
        case xlrd.XL_CELL_DATE:
            value = _moment(cell.value, book.datemode)
    return shown(value, code)


def _moment(value: float, mode: int) -> CellValue:
    """The day and time, or the number itself where it names none."""
    import xlrd

    try:
        moment: datetime = xlrd.xldate_as_datetime(value, mode)
    except (xlrd.XLDateError, ValueError, OverflowError):
        return value
    return moment.time() if 0 <= value < 1 else moment
