"""OpenDocument spreadsheets (ODS): the text that the program saved for each cell, its comments and drawings."""

from collections.abc import Iterator

from ingest.failures import Damaged
from ingest.formats.odf.documents import OFFICE, TABLE, TEXT, OpenDocument, declared_title, open_package, span_of
from ingest.formats.odf.drawings import DRAW
from ingest.formats.odf.styles import styles_with
from ingest.formats.safe_xml import Node
from ingest.formats.sheets.model import COLUMNS, Said, Sheet, SheetCell, one_a_line
from ingest.limits import Limits
from ingest.rendition.flow import Block, BlockKind, note_of

_CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
_ROW_GROUPS = frozenset(
    f"{TABLE}{name}" for name in ("table-row-group", "table-header-rows", "table-rows", "table-columns",
                                  "table-column-group", "table-header-columns")
)  # fmt: skip
_OFF = ("collapse", "filter")


def read_ods(data: bytes, limits: Limits, said: Said) -> tuple[list[Sheet], str | None]:
    """The shown sheets and the declared title. Raises Damaged or Locked."""
    package = open_package(data, limits)
    content = package.xml("content.xml")
    body = None if content is None else content.find(f"{OFFICE}body/{OFFICE}spreadsheet")
    if content is None or body is None:
        raise Damaged("the file has no table part")
    document = OpenDocument(package, content, package.xml("styles.xml"))
    hidden = styles_with(content, "table", f"{TABLE}display", "false")
    sheets = []
    for table in body.iterfind(f"{TABLE}table"):
        if table.get(f"{TABLE}style-name", "") in hidden or table.get(f"{TABLE}display") == "false":
            said.counts["sheets"] += 1
            continue
        reader = _Table(table, document, limits, said)
        reader.read()
        sheets.append(reader.sheet)
    for name in ("drawn", "outside", "lost"):
        said.counts[name] += document.counts[name]
    return sheets, declared_title(package)


class _Table:
    def __init__(self, table: Node, document: OpenDocument, limits: Limits, said: Said) -> None:
        self.sheet = Sheet(table.get(f"{TABLE}name") or "Sheet")
        self._table, self._document, self._limits, self._said = table, document, limits, said
        self._hidden = self._hidden_columns()

    def _hidden_columns(self) -> frozenset[int]:
        found: set[int] = set()
        at = 0
        for node in _inside(self._table, f"{TABLE}table-column"):
            count = _repeat(node, "columns")
            if node.get(f"{TABLE}visibility") in _OFF:
                found |= set(range(at, min(at + count, COLUMNS)))
            at += count
        self._said.counts["columns"] += len(found)
        return frozenset(found)

    def read(self) -> None:
        row = 0
        for node in _inside(self._table, f"{TABLE}table-row"):
            repeat = _repeat(node, "rows")
            if node.get(f"{TABLE}visibility") in _OFF:
                self._said.counts["rows"] += repeat
            elif any(self._is_written(cell) for cell in node):
                for number in range(repeat):
                    self._row(node, row + number, first=number == 0)
                    if len(self.sheet.cells) > self._limits.cells:
                        self._said.counts["cells"] += 1
                        return
            row += repeat
        for shapes in self._table.iterfind(f"{TABLE}shapes"):
            for shape in shapes:
                self._drawing(shape)

    def _is_written(self, cell: Node) -> bool:
        return cell.tag in _CELLS and len(cell) > 0

    def _row(self, node: Node, row: int, *, first: bool) -> None:
        column = 0
        for cell in node:
            if cell.tag not in _CELLS:
                continue
            repeat = _repeat(cell, "columns")
            if cell.tag == _CELLS[0] and len(cell):
                self._cell(cell, row, range(column, min(column + repeat, COLUMNS)), first)
            column += repeat

    def _cell(self, node: Node, row: int, columns: range, first: bool) -> None:
        text = "\n".join(_text(p) for p in node.iterfind(f"{TEXT}p"))
        columns_across, rows_down = (span_of(node, f"{TABLE}number-{name}-spanned") for name in ("columns", "rows"))
        shown = [column for column in columns if column not in self._hidden]
        if text.strip():
            struck = self._document.is_struck(node)
            self._said.counts["struck"] += struck
            self.sheet.cells += [SheetCell(row, column, text, columns_across, rows_down, struck) for column in shown]
        if not shown or not first:
            return
        place = self.sheet.address(SheetCell(row, shown[0], "")).rpartition("!")[2]
        for child in node:
            if child.tag == f"{OFFICE}annotation":
                self._said.counts["comments"] += 1
                self.sheet.notes += self._document.comment(child, f" on {place}")
            elif isinstance(child.tag, str) and child.tag.startswith(DRAW):
                self._drawing(child)

    def _drawing(self, node: Node) -> None:
        for block in self._document.drawn.read(node, 0):
            if isinstance(block, Block) and block.kind is not BlockKind.NOTE:
                self.sheet.notes.append(note_of("Text box", block.runs))
            else:
                self.sheet.notes += one_a_line(block)


def _inside(table: Node, tag: str) -> Iterator[Node]:
    """Rows or columns of a table, those in groups too."""
    for child in table:
        if child.tag == tag:
            yield child
        elif child.tag in _ROW_GROUPS:
            yield from _inside(child, tag)


def _text(paragraph: Node) -> str:
    return " ".join("".join(map(str, paragraph.itertext())).split())


def _repeat(node: Node, what: str) -> int:
    value = node.get(f"{TABLE}number-{what}-repeated", "1")
    return int(value) if value.isdecimal() and len(value) < 9 else 1
