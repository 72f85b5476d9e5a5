"""Tables of one page between the finder and the page: found among the running words, then named and linked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ingest.furniture import PageLines
from ingest.lines import text_gutters
from ingest.pages import Sheet
from ingest.raw import CellDraft, RawPage, TableDraft
from ingest.tables import find_tables, may_hold_table
from ingest.tables_model import to_table
from ingest.tables_text import is_leader
from verify.domain.document import ElementKind, Page, SourceWarning, Table, WarningCode
from verify.domain.geometry import Box
from verify.domain.ids import TableId


def draft_tables(sheet: Sheet, found: PageLines) -> tuple[TableDraft, ...]:
    """The tables among the words that are no furniture, found where the page is read, boxes on the displayed page."""
    if len(sheet.raw.words) < 4 or (sheet.garbled and _lost(sheet.raw)):
        return ()
    aside = {i for number in found.kinds for i in sheet.lines[number].words}
    running = [i for line in sheet.lines for i in line.words if i not in aside]
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
