"""A table of questions by documents as a workbook or as plain rows, with every citation's place and words.

What comes from documents and models is data there too: no cell is ever a formula.
"""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app import messages
from app.errors import InputUnreadable, Usage
from app.paths import refuse_inside, write_private
from app.services.custody import auditing
from app.services.matter.matter import Matter
from app.services.table.asking import kept_cells, table_sources
from app.services.table.cells import Cell, CellCitation, CellClaim, CellState, questions_of
from verify.domain.canonical import sha256_of
from verify.domain.document import SourceRecord
from verify.domain.ids import SourceId

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

COLUMNS = (
    "Document", "Question", "Answer", "Result", "Citation", "Why", "Page label", "PDF page", "Quotation", "Passage",
    "Remarks", "Decision", "Privilege", "Answered by", "Answer id", "Fingerprint",
)  # fmt: skip
STATES: dict[CellState, str] = {
    CellState.ANSWERED: "Passage verified; legal conclusion pending review",
    CellState.LOOK: "Needs review before it is relied on",
    CellState.NOT_FOUND: "Not found in what was read",
    CellState.NOT_SUPPORTED: "Not supported",
    CellState.FAILED: "Could not be asked",
}
NOT_ASKED = "Not asked yet"
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet may take for the beginning of a formula (OWASP, CSV Injection), full-width forms too."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""What XML 1.0 cannot hold."""
_LONGEST_CELL = 32_767
"""Characters that Excel keeps in a cell."""
_WIDTHS = {"Document": 34, "Question": 34, "Answer": 60, "Quotation": 60, "Result": 26, "Why": 26, "Remarks": 34}
_ANSWER_WIDTH = 46


@dataclass(frozen=True, slots=True)
class Row:
    """One citation of one claim, or one cell without any; texts in the order of ``COLUMNS``."""

    values: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Table:
    questions: tuple[str, ...]
    sources: tuple[SourceRecord, ...]
    cells: dict[tuple[str, SourceId], Cell]


def export_table(matter: Matter, questions: Sequence[str], only: Sequence[SourceId], target: Path) -> int:
    """Writes .xlsx or .csv by the name of ``target``, from the saved answers as they stand now; returns the number of
    answered cells. Raises Usage for another name or no questions, InputUnreadable where it cannot be written."""
    asked, sources = questions_of(questions), table_sources(matter, only)
    cells = {(c.question, c.source_id): c for c in kept_cells(matter, asked, sources)}
    table = Table(asked, sources, cells)
    kinds = {".xlsx": workbook, ".csv": plain_rows}
    refuse_inside(target, matter.root)
    if target.suffix.lower() not in kinds:
        raise Usage("A table is written as .xlsx or .csv.")
    data = kinds[target.suffix.lower()](table)
    subject = {"table_sha256": sha256_of(data), "cells": str(len(cells))}
    auditing.record(matter, auditing.AuditEvent.EXPORTED, subject)
    try:
        write_private(target, data)
    except OSError as error:
        raise InputUnreadable(f"The table cannot be written to {target} ({error.strerror}).") from error
    return len(cells)


def plain_rows(table: Table) -> bytes:
    """UTF-8 with a byte order mark, by which Excel knows it; CRLF (RFC 4180)."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, quoting=csv.QUOTE_ALL)
    writer.writerow(COLUMNS)
    writer.writerows([harmless(v) if isinstance(v, str) else v for v in row.values] for row in rows_of(table))
    return text.getvalue().encode("utf-8-sig")


def harmless(text: str) -> str:
    """With an apostrophe before what a spreadsheet would take for a formula."""
    bare = _CONTROLS.sub("", text)
    return f"'{bare}" if bare.lstrip(" ").startswith(_FORMULA_STARTS) else bare


def workbook(table: Table) -> bytes:
    """Two sheets: the table as it is seen, and every citation."""
    from openpyxl import Workbook

    book = Workbook()
    grid, citations = book.active, book.create_sheet("Citations")
    grid.title = "Table"
    lines = [("Document", *table.questions)]
    lines += [(r.path, *(summary(table.cells.get((q, r.source_id))) for q in table.questions)) for r in table.sources]
    _fill(grid, lines, [_WIDTHS["Document"], *[_ANSWER_WIDTH] * len(table.questions)])
    grid.freeze_panes = "B2"
    _fill(citations, [COLUMNS, *(row.values for row in rows_of(table))], [_WIDTHS.get(c, 14) for c in COLUMNS])
    citations.freeze_panes = "C2"
    citations.auto_filter.ref = citations.dimensions
    held = io.BytesIO()
    book.save(held)
    return held.getvalue()


def _fill(sheet: "Worksheet", lines: Sequence[Sequence[str | int]], widths: Sequence[int]) -> None:
    from openpyxl.styles import Alignment, Font
    from openpyxl.utils import get_column_letter

    for at, line in enumerate(lines, start=1):
        for column, value in enumerate(line, start=1):
            cell = sheet.cell(at, column)
            if isinstance(value, str):
                cell.value = _CONTROLS.sub("", value)[:_LONGEST_CELL]
                cell.data_type, cell.quotePrefix = "s", True  # text, whatever it begins with
            else:
                cell.value = value
            cell.alignment = Alignment(wrap_text=True, vertical="top")
            if at == 1:
                cell.font = Font(bold=True)
    for column, width in enumerate(widths, start=1):
        sheet.column_dimensions[get_column_letter(column)].width = width


def summary(cell: Cell | None) -> str:
    """The first claim with its place, and how it stands."""
    if cell is None:
        return NOT_ASKED
    if not cell.claims or cell.state is CellState.NOT_SUPPORTED:
        return STATES[cell.state]
    claim = cell.claims[0]
    places = dict.fromkeys(filter(None, map(_place, claim.citations)))
    more = len(cell.claims) - 1
    tail = f"\nand {more} more on the sheet “Citations”" if more else ""
    return f"{cell.text or claim.text}\n[{'; '.join(places)}] {STATES[cell.state]}{tail}"


def _place(citation: CellCitation) -> str:
    if citation.page_index is None:
        return ""
    return ", ".join(filter(None, (messages.page_name(citation.page_label, citation.page_index), citation.place)))


def rows_of(table: Table) -> Iterator[Row]:
    """Document by document, question by question, claims that stand first."""
    for record in table.sources:
        for question in table.questions:
            cell = table.cells.get((question, record.source_id))
            if cell is None:
                yield _row(record, question, NOT_ASKED)
            elif not cell.claims:
                yield _row(record, question, STATES[cell.state], cell, why=messages.UNANSWERED.get(cell.reason, ""))
            else:
                yield from _claim_rows(record, question, cell)


def _claim_rows(record: SourceRecord, question: str, cell: Cell) -> Iterator[Row]:
    for claim in cell.claims:
        result = messages.RELEASES[claim.release]
        if not claim.citations:
            yield _row(record, question, result, cell, claim)
        for citation in claim.citations:
            yield _row(record, question, result, cell, claim, citation)


def _row(
    record: SourceRecord,
    question: str,
    result: str,
    cell: Cell | None = None,
    claim: CellClaim | None = None,
    citation: CellCitation | None = None,
    why: str = "",
) -> Row:
    reason = citation.reason if citation is not None else None
    limits, place = ((), "") if citation is None else (citation.limitations, citation.place)
    page = None if citation is None else citation.page_index
    return Row(
        (
            record.path,
            question,
            "" if claim is None else claim.text,
            result,
            "" if citation is None else messages.STATUSES[citation.status],
            messages.REASONS[reason] if reason else why,
            "" if citation is None else citation.page_label or "",
            "" if page is None else page + 1,
            "" if citation is None else citation.quotation,
            "" if claim is None else messages.SUPPORT_LABELS[claim.support],
            " ".join([*([f"{place}."] if place else []), *(messages.LIMITATIONS[code] for code in limits)]),
            "" if claim is None or claim.decision is None else messages.DECISIONS[claim.decision],
            record.metadata.privilege or "",
            "" if cell is None else cell.model,
            "" if cell is None else cell.answer_id or "",
            record.fingerprint,
        )
    )
