"""Table cells: found by structure, compared by equality, unit and scale from the table's own words (rule 8)."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from verify.bodies import PageView, regions_of, source_of
from verify.currencies import DOLLAR, DOLLAR_CODES, PERCENT
from verify.domain.claim import CitedCell
from verify.domain.document import Cell, Page, Statement, StatementKind, Table, TextSource, Word
from verify.guards import doubt, limitations_of_text, lowest_confidence
from verify.match import Quotation
from verify.quotes import match_of
from verify.reader import Reader
from verify.report import CheckResult, Evidence, Match, Reason, Region, Role
from verify.request import Check
from verify.results import Settings, failed, verified
from verify.targets import Stop, page_of_id
from verify.units import Quantity, Stated, parse_quantity, parse_statement
from verify.values import off_by_power_of_ten, plain, unit_difference, unit_fault, value_difference


class Part(NamedTuple):
    """A table on its page; a continued table is several parts."""

    page: Page
    table: Table


class Context(NamedTuple):
    """What gives a cell's number its meaning.

    ``words`` are units as printed, ``header`` is the innermost column header, which may be the unit's word itself
    ("Nights"), ``regions`` are where unit and scale stand.
    """

    unit: str | None
    scale: int
    words: tuple[str, ...]
    header: str | None
    clash: bool
    regions: tuple[Region, ...]


def check_cell(check: Check, reader: Reader, view: PageView, settings: Settings) -> CheckResult:
    """Raises Stop if the table, the row, the column or the cell can't be told."""
    table = _table(check, reader, view)
    parts = [Part(view.page, table), *_earlier_parts(reader.page, table)]
    cell = _cell(check, table)
    quantity = parse_quantity(cell.text)
    context = _context(cell, quantity, parts)
    words = [(view.page, view.page.words[i]) for i in cell.words]
    if not any(word.visible for _, word in words) and words:
        raise Stop(Reason.TEXT_NOT_VISIBLE)
    evidence = _evidence(check, view.page, parts, cell, words, context)
    reason = doubt(words, settings.ocr_threshold)
    if reason is not None:
        return replace(failed(check, reason), evidence=evidence)
    match: Match | None = None
    if check.expected_text is not None:
        match = match_of(cell.text, Quotation(check.expected_text))
        if match is None:
            return failed(check, Reason.TEXT_MISMATCH)
    return _typed(check, reader, quantity, context) or verified(
        check, evidence, match, 1, list(limitations_of_text(words, ()))
    )


def _table(check: Check, reader: Reader, view: PageView) -> Table:
    found = _table_on(view.page, check.table_id)
    if found is not None:
        return found
    index = page_of_id(check.table_id or "")
    other = reader.view(index) if index is not None and index != check.page_index else None
    if other is not None and _table_on(other.page, check.table_id) is not None:
        raise Stop(Reason.LOCATOR_CONFLICT)
    scanned = not view.page.tables and view.page.text_source is TextSource.OCR
    raise Stop(Reason.NO_TABLE_STRUCTURE if scanned else Reason.TABLE_NOT_FOUND)


def _table_on(page: Page, table_id: str | None) -> Table | None:
    return next((t for t in page.tables if t.table_id == table_id), None)


PageAt = Callable[[int], Page | None]


def parts_of(page: Page, table: Table, page_at: PageAt) -> tuple[Part, ...]:
    """The table on its page, then what it continues. ``page_at`` gives a page of the same document by its index."""
    return (Part(page, table), *_earlier_parts(page_at, table))


def _earlier_parts(page_at: PageAt, table: Table) -> Iterator[Part]:
    """The parts that this one continues, nearest first; each lies on an earlier page."""
    while table.continued_from is not None:
        index, before = page_of_id(table.continued_from), page_of_id(table.table_id)
        page = page_at(index) if index is not None and before is not None and index < before else None
        earlier = None if page is None else _table_on(page, table.continued_from)
        if page is None or earlier is None:
            return
        yield Part(page, earlier)
        table = earlier


def _cell(check: Check, table: Table) -> Cell:
    if check.cell_id is None:
        return _cell_at_paths(table, check.row_path or (), check.column_path or ())
    cell = next((c for c in table.cells if c.cell_id == check.cell_id), None)
    if cell is None:
        raise Stop(Reason.CELL_NOT_FOUND)
    rows = check.row_path is None or _ends_with(cell.row_path, check.row_path)
    columns = check.column_path is None or _ends_with(cell.column_path, check.column_path)
    if not rows or not columns:
        raise Stop(_path_fault(table, check))
    return cell


def _path_fault(table: Table, check: Check) -> Reason:
    """Paths that name another cell conflict; paths that name no header at all mismatch."""
    named = [
        c
        for c in table.cells
        if (check.row_path is None or _ends_with(c.row_path, check.row_path))
        and (check.column_path is None or _ends_with(c.column_path, check.column_path))
    ]
    return Reason.LOCATOR_CONFLICT if named else Reason.HEADER_MISMATCH


def _cell_at_paths(table: Table, row_path: Sequence[str], column_path: Sequence[str]) -> Cell:
    cells = [c for c in table.cells if not c.is_header]
    rows = {c.row for c in cells if _ends_with(c.row_path, row_path)}
    columns = {c.col for c in cells if _ends_with(c.column_path, column_path)}
    if not rows:
        raise Stop(Reason.ROW_NOT_FOUND)
    if not columns:
        raise Stop(Reason.COLUMN_NOT_FOUND)
    if len(rows) > 1 or len(columns) > 1:
        raise Stop(Reason.AMBIGUOUS_PATH)
    row, column = min(rows), min(columns)
    for cell in cells:
        if cell.row <= row < cell.row + cell.row_span and cell.col <= column < cell.col + cell.col_span:
            return cell
    raise Stop(Reason.CELL_NOT_FOUND)


def _ends_with(full: Sequence[str], suffix: Sequence[str]) -> bool:
    if len(suffix) > len(full):
        return False
    return all(map(_same_header, full[-len(suffix) :], suffix))


@lru_cache(4096)
def _same_header(shown: str, asked: str) -> bool:
    return match_of(shown, Quotation(asked)) is not None


_PER_SHARE = re.compile(r"(?:\bper\b[\s-]+(?:\w+\s+)?|/\s?)(?:share|unit|ad[rs])s?\b", re.IGNORECASE)
_PERCENT_HEADER = re.compile(r"(?:^|[^\d\s])\s?%|\bper\s?cent\b|\bpercentage\b(?!\s+point)", re.IGNORECASE)
"""A percent sign that is not part of a number ("Change %", but not "5% notes")."""


def _context(cell: Cell, quantity: Quantity | None, parts: Sequence[Part]) -> Context:
    """The cell's own sign first, then its headers, then the table's title, headers and notes."""
    headers = (*cell.column_path, *cell.row_path)
    said = [s for text in headers if (s := _header(text)) is not None]
    units = {s.unit for s in said if s.unit}
    scales = {s.scale for s in said if s.scale}
    table, regions = _table_statement(cell, parts)
    own = quantity.unit if quantity else None
    leaf = next(iter(cell.column_path[-1:]), None)
    unit = _unit(own, min(units, default=None), table.unit)
    clash = len(units) > 1 or len(scales) > 1 or any(s.clash for s in said)
    if quantity is not None and quantity.scale != 1:
        return Context(unit, 1, _words(said, quantity), leaf, clash and own is None, regions)
    exempt = PERCENT in {own, unit} or any(map(_PER_SHARE.search, headers))
    scale = min(scales, default=1 if exempt else table.scale or 1)
    told = not units and not scales and not exempt
    return Context(unit, scale, _words(said, quantity), leaf, clash or (table.clash and told), regions)


def cited_cell(cell: Cell, parts: Sequence[Part]) -> CitedCell:
    """The cell as a citation states it, with the value, unit and scale that ``check_cell`` reads. A number whose
    headers or notes clash has none: only its text can be proved."""
    quantity = parse_quantity(cell.text)
    value, unit, scale = None, None, None
    if quantity is not None:
        context = _context(cell, quantity, parts)
        if not context.clash:
            value, scale = plain(quantity.value * context.scale), context.scale * quantity.scale
            unit = context.unit or next(iter(context.words), None)
    table_id = parts[0].table.table_id
    title = next((part.table.title for part in parts if part.table.title), None)
    return CitedCell(table_id, cell.cell_id, cell.row_path, cell.column_path, value, unit, scale, title, cell.address)


def _header(text: str) -> Stated | None:
    stated = parse_statement(text)
    if stated.unit is None and _PERCENT_HEADER.search(text):
        stated = stated._replace(unit=PERCENT)
    return stated if any(stated) else None


def _unit(own: str | None, header: str | None, table: str | None) -> str | None:
    """A bare "$" in a cell is the dollar that its header or table names."""
    if own == DOLLAR:
        return next((u for u in (header, table) if u == "USD" or u in DOLLAR_CODES), DOLLAR)
    return own or header or table


def _words(said: Sequence[Stated], quantity: Quantity | None) -> tuple[str, ...]:
    """Units as printed: in the cell or in a header's brackets."""
    own = [quantity.word] if quantity and quantity.word else []
    return (*own, *(s.word for s in said if s.word))


def _table_statement(cell: Cell, parts: Sequence[Part]) -> tuple[Stated, tuple[Region, ...]]:
    """What the table says of this cell, by the first part that says anything; a marked note only of marked cells."""
    marks = _marks(cell, parts[0].table)
    for part in parts:
        table = part.table
        said = [(s, parse_statement(s.text)) for s in table.statements if _applies(s, table, marks)]
        telling = [(s, stated) for s, stated in said if stated.unit or stated.scale]
        merged = _merged([stated for _, stated in telling])
        merged = merged._replace(unit=merged.unit or table.unit, scale=merged.scale or table.scale)
        if merged.unit or merged.scale:
            return merged, tuple(Region(part.page.index, s.bbox, Role.UNIT) for s, _ in telling)
    return Stated(None, None, None, False), ()


def _marks(cell: Cell, table: Table) -> frozenset[str]:
    """Footnote marks at the cell and at the headers of its row and column."""
    heads = (c for c in table.cells if c.is_header and (c.row == cell.row or _covers(c, cell)))
    return frozenset(mark for c in (cell, *heads) for mark in c.marks)


def _covers(header: Cell, cell: Cell) -> bool:
    return header.row < cell.row and header.col <= cell.col < header.col + header.col_span


def _applies(statement: Statement, table: Table, marks: frozenset[str]) -> bool:
    """A column's header speaks of its column alone, and is read with the cell's path; the corner speaks of all."""
    if statement.mark is not None:
        return statement.mark in marks
    heads = [c for c in table.cells if c.is_header and c.bbox == statement.bbox]
    return statement.kind is not StatementKind.HEADER or not heads or any(c.col == 0 for c in heads)


def _merged(said: Sequence[Stated]) -> Stated:
    units = {s.unit for s in said if s.unit}
    scales = {s.scale for s in said if s.scale}
    clash = len(units) > 1 or len(scales) > 1 or any(s.clash for s in said)
    return Stated(min(units, default=None), min(scales, default=None), None, clash)


def _typed(check: Check, reader: Reader, quantity: Quantity | None, context: Context) -> CheckResult | None:
    """The fault of unit, scale or value, in this order; None if there is none."""
    asked = check.expected_value is not None or check.unit is not None or check.scale is not None
    if asked and context.clash:
        return failed(check, Reason.UNIT_UNKNOWN)
    fault = unit_fault(check.unit, context.unit, context.words, reader)
    if check.unit is not None and check.unit == context.header:
        fault = None
    if fault is not None:
        shown = context.unit or next(iter(context.words), None)
        return replace(failed(check, fault), difference=unit_difference(check.unit, shown))
    if check.scale is not None and check.scale != context.scale * (quantity.scale if quantity else 1):
        return failed(check, Reason.SCALE_MISMATCH)
    if check.expected_value is None:
        return None
    if quantity is None:
        return failed(check, Reason.VALUE_MISMATCH)
    value = quantity.value * context.scale
    if value == check.expected_value:
        return None
    shifted = off_by_power_of_ten(value, check.expected_value)
    reason = Reason.SCALE_MISMATCH if shifted else Reason.VALUE_MISMATCH
    found = quantity._replace(value=value, unit=context.unit)
    return replace(failed(check, reason), difference=value_difference(check.expected_value, found))


def _evidence(
    check: Check, page: Page, parts: Sequence[Part], cell: Cell, words: Sequence[tuple[Page, Word]], context: Context
) -> Evidence:
    """The cell with all that gives it its meaning: headers, unit statement and footnotes, each with its role."""
    own = regions_of(words, Role.CELL) or (Region(page.index, cell.bbox, Role.CELL),)
    regions = (
        *own,
        *_headers(parts, cell, cell.row_path, Role.ROW_HEADER),
        *_headers(parts, cell, cell.column_path, Role.COLUMN_HEADER),
        *context.regions,
        *_footnotes(parts, cell),
    )
    span = [(w.start, w.end) for _, w in words]
    table = parts[0].table
    return Evidence(
        check.source_id, check.fingerprint, page.index, page.label, (table.element_id,), cell.text, None,
        min(s for s, _ in span) if span else None, max(e for _, e in span) if span else None,
        tuple(dict.fromkeys(regions)), source_of(words) if words else page.text_source, lowest_confidence(words),
    )  # fmt: skip


def _headers(parts: Sequence[Part], cell: Cell, path: Sequence[str], role: Role) -> Iterator[Region]:
    """The nearest cell that reads as each part of the path, in the cell's row or column or before it."""
    by_row = role is Role.ROW_HEADER
    for text in path:
        for i, part in enumerate(parts):
            found = [c for c in part.table.cells if c.text == text and _leads_to(c, cell, by_row, i == 0)]
            if found:
                nearest = max(found, key=lambda c: (c.row, c.col))
                yield Region(part.page.index, nearest.bbox, role)
                break


def _leads_to(header: Cell, cell: Cell, by_row: bool, same_part: bool) -> bool:
    if by_row:
        return header.row <= cell.row and (header.row, header.col) != (cell.row, cell.col) and same_part
    return _covers(header, cell) if same_part else header.col <= cell.col < header.col + header.col_span


def _footnotes(parts: Sequence[Part], cell: Cell) -> Iterator[Region]:
    marks = _marks(cell, parts[0].table)
    for part in parts:
        for statement in part.table.statements:
            if statement.mark is not None and statement.mark in marks:
                yield Region(part.page.index, statement.bbox, Role.FOOTNOTE)
