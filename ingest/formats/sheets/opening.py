"""Spreadsheets as ruled tables, each cell with its sheet and address: XLSX, ODS and CSV."""

import csv
import re
from dataclasses import replace
from io import StringIO

from ingest.failures import Damaged
from ingest.formats.model import Opened
from ingest.formats.odf.sheets import read_ods
from ingest.formats.office.embedded import embedded_members
from ingest.formats.plain.text import decode
from ingest.formats.sheets.layout import drawn
from ingest.formats.sheets.model import COLUMNS, Said, Sheet, SheetCell
from ingest.formats.sheets.xlsx import read_xlsx
from ingest.formats.sniff import Kind
from ingest.limits import Limits
from verify.domain.document import Metadata

_NAMES = ",;\t|"
_NAMED_MARK = re.compile(r"sep=([^\n])\n", re.IGNORECASE)
"""A first line by which Excel is told what parts the columns."""


def open_sheets(kind: Kind, data: bytes, limits: Limits) -> Opened:
    """The rendition of a spreadsheet, with the address of every drawn cell. Raises Damaged or Locked."""
    said = Said()
    title = None
    if kind is Kind.CSV:
        sheets = [_csv(data, limits, said)]
    elif kind is Kind.ODS:
        sheets, title = read_ods(data, limits, said)
    else:
        sheets, title = read_xlsx(data, limits, said)
    opened = replace(drawn(kind, sheets, said), metadata=Metadata(title=title))
    return opened if kind is Kind.CSV else replace(opened, members=lambda: embedded_members(data, limits))


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
