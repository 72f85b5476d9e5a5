"""Tables of one page between the finder and the page: found among the running words, then named and linked."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ingest.furniture.marking import PageLines
from ingest.page.lines import text_gutters
from ingest.page.raw import CellDraft, RawPage, TableDraft
from ingest.page.seen import Sheet
from ingest.tables.finding import find_tables, may_hold_table
from ingest.tables.model import to_table
from ingest.tables.text import is_leader
from verify.domain.document import ElementKind, Page, SourceWarning, Table, WarningCode
from verify.domain.geometry import Box
from verify.domain.ids import TableId

_MANY_HEADS = 3
"""So many heads and feet on a page without a table may be rows of one: an account has the same rows each month."""


def draft_tables(sheet: Sheet, found: PageLines) -> tuple[TableDraft, ...]:
    """The tables among the words that are no furniture, found where the page is read, boxes on the displayed page.

    Lines that were taken for heads and feet since they come back, but are rows of a table that goes on in the running
    text, are taken out of ``found.kinds``.
    """
    if len(sheet.raw.words) < 4 or (sheet.garbled and _lost(sheet.raw)):
        return ()
    drafts = _drafts(sheet, frozenset(found.kinds))
    heads = {n for n, kind in found.kinds.items() if kind in (ElementKind.HEADER, ElementKind.FOOTER)}
    if not heads or (not drafts and len(heads) < _MANY_HEADS):
        return drafts
    rows = _rows_among(sheet, frozenset(found.kinds), heads)
    if not rows:
        return drafts
    for n in rows:
        del found.kinds[n]
    return _drafts(sheet, frozenset(found.kinds))


def _rows_among(sheet: Sheet, aside: frozenset[int], heads: set[int]) -> set[int]:
    """Which of the heads and feet are rows, of two cells or more, of a table that has more rows of running text."""
    out: set[int] = set()
    for draft in _drafts(sheet, aside - heads):
        row_of = {i: cell.row for cell in draft.cells for i in cell.words}
        filled = Counter(cell.row for cell in draft.cells if cell.words)
        inside = {n for n in heads if all(i in row_of for i in sheet.lines[n].words)}
        running = {row_of[i] for n, line in enumerate(sheet.lines) if n not in aside for i in line.words if i in row_of}
        both = all(filled[row_of[i]] > 1 for n in inside for i in sheet.lines[n].words)
        if inside and both and len(running) > 1 and not draft.uncertain:
            out |= inside
    return out


def _drafts(sheet: Sheet, aside: frozenset[int]) -> tuple[TableDraft, ...]:
    """Tables among the lines that are not set aside."""
    without = {i for n in aside for i in sheet.lines[n].words}
    running = [i for line in sheet.lines for i in line.words if i not in without]
    running.sort()
    raw = replace(sheet.read, words=tuple(sheet.read.words[i] for i in running))
    if not may_hold_table(raw):
        return ()
    gutters = text_gutters(sheet.typed, sheet.frame[0])
    drafts = (_renumbered(draft, running) for draft in find_tables(raw, gutters))
    if sheet.shown is None:
        return tuple(drafts)
    return tuple(shown for draft in drafts if (shown := _shown(draft, sheet.shown)))


def _lost(raw: RawPage) -> bool:
    """True where most words are single signs: of text whose letters are lost the rest stands apart by chance."""
    words = [word.text for word in raw.words if not is_leader(word.text)]
    return 2 * sum(sum(map(str.isalnum, text)) > 1 for text in words) < len(words)


def _shown(draft: TableDraft, shown: Callable[[Box], Box | None]) -> TableDraft | None:
    """The draft with its boxes on the displayed page; cells that do not lie there are left out."""
    box = shown(draft.box)
    if box is None:
        return None
    cells = (cell._replace(box=there) for cell in draft.cells if (there := shown(cell.box)))
    return replace(draft, box=box, cells=tuple(cells))


def _renumbered(draft: TableDraft, names: Sequence[int]) -> TableDraft:
    def named(words: Iterable[int]) -> tuple[int, ...]:
        return tuple(names[i] for i in words)

    cells: tuple[CellDraft, ...] = tuple(cell._replace(words=named(cell.words)) for cell in draft.cells)
    notes = tuple((mark, named(words)) for mark, words in draft.notes)
    return replace(
        draft, cells=cells, title_words=named(draft.title_words), header_words=named(draft.header_words), notes=notes
    )


def add_tables(page: Page, sheet: Sheet, place: Mapping[int, int]) -> Page:
    """The page with its tables: each belongs to the table element that holds its first word."""
    elements = [element for element in page.elements if element.kind is ElementKind.TABLE]
    tables: list[Table] = []
    uncertain = 0
    for draft in sheet.tables:
        words = [place[i] for cell in draft.cells for i in cell.words if i in place]
        owner = next((e for e in elements if words and e.first_word <= words[0] < e.end_word), None)
        if owner is None:
            continue
        table_id = TableId(f"p{page.index}-t{len(tables)}")
        tables.append(to_table(draft, sheet.raw, table_id, owner.element_id, place))
        uncertain += draft.uncertain
    if not tables:
        return page
    warnings = page.warnings
    if uncertain:
        detail = f"rows, columns or headers of {uncertain} tables were not clear"
        warnings = (*warnings, SourceWarning(WarningCode.TABLE_UNCERTAIN, page.index, detail))
    return replace(page, tables=tuple(tables), warnings=warnings)
