"""Hand-made pages and sources for the verifier's tests: text in, words and boxes out, on a fixed grid.

A page is 600 x 800 pt. A character is 5 pt wide, a line 12 pt high, the left margin 50 pt, the first line at 50 pt.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from verify.domain.document import (
    Cell,
    Element,
    ElementKind,
    LabelOrigin,
    Line,
    Origin,
    Page,
    Parser,
    SourceRecord,
    SourceStatus,
    Span,
    SpanKind,
    Statement,
    Table,
    TextSource,
    Word,
)  # fmt: skip
from verify.domain.geometry import Box, union
from verify.domain.ids import CellId, ElementId, Fingerprint, SourceId, TableId
from verify.ports import SourceView

WIDTH, HEIGHT = 60_000, 80_000
CHAR, LINE, LEFT, TOP = 500, 1200, 5000, 5000


@dataclass(frozen=True)
class Block:
    """One element: its lines of text. ``hidden`` words are drawn after it but not seen."""

    text: str
    kind: ElementKind = ElementKind.PARAGRAPH
    hidden: str = ""
    origin: Origin = Origin.NATIVE
    confidence: int | Mapping[str, int] = -1
    left: int = LEFT
    mark: str | None = None
    spans: Sequence[tuple[int, int, str]] = ()
    """Start, end and kind of each, in the block's own text."""


def para(text: str, **more: object) -> Block:
    return Block(text, **more)  # type: ignore[arg-type]


class _Maker:
    def __init__(self, index: int) -> None:
        self.index = index
        self.words: list[Word] = []
        self.lines: list[Line] = []
        self.elements: list[Element] = []
        self.text = ""
        self.y = TOP

    def add(self, block: Block) -> None:
        own = block.kind in (ElementKind.ANNOTATION, ElementKind.FORM_FIELD)
        if self.text and not own:
            self.text += "\n\n"
        base = 0 if own else len(self.text)
        first_word, first_line = len(self.words), len(self.lines)
        at = base
        for line in block.text.split("\n"):
            at = self._line(line, at, block) + 1
            self.y += LINE
        end_word = len(self.words)
        if not own:
            self.text += block.text
        self.elements.append(
            Element(
                ElementId(f"p{self.index}-e{len(self.elements)}"), block.kind,
                union(n.box for n in self.lines[first_line:]), block.text, None if own else base,
                None if own else base + len(block.text), first_word, end_word, first_line, len(self.lines),
                TextSource.NATIVE if block.origin is Origin.NATIVE else TextSource.OCR, mark=block.mark,
                spans=tuple(Span(start, end, SpanKind(kind)) for start, end, kind in block.spans),
            )
        )  # fmt: skip
        self._hidden(block)
        self.y += LINE

    def _line(self, line: str, at: int, block: Block) -> int:
        first = len(self.words)
        column = 0
        for word in line.split(" "):
            box = Box(block.left + column * CHAR, self.y, block.left + (column + len(word)) * CHAR, self.y + 1000)
            confidence = block.confidence if isinstance(block.confidence, int) else block.confidence.get(word, 900)
            self.words.append(
                Word(word, at + column, at + column + len(word), box, len(self.lines), confidence, block.origin, True)
            )
            column += len(word) + 1
        self.lines.append(Line(union(w.box for w in self.words[first:]), first, len(self.words), None))
        return at + len(line)

    def _hidden(self, block: Block) -> None:
        column = 0
        for word in block.hidden.split():
            box = Box(LEFT + column * CHAR, self.y, LEFT + (column + len(word)) * CHAR, self.y + 1000)
            place = len(self.text)
            self.words.append(Word(word, place, place, box, -1, -1, Origin.NATIVE, False))
            column += len(word) + 1


def make_page(index: int, *blocks: Block | str, label: str | None = None, bates: str | None = None,
              language: str | None = None, garbled: bool = False) -> Page:  # fmt: skip
    maker = _Maker(index)
    for block in blocks:
        maker.add(Block(block) if isinstance(block, str) else block)
    source = TextSource.NATIVE if maker.text else TextSource.NONE
    if any(w.origin is Origin.OCR for w in maker.words):
        source = TextSource.OCR
    return Page(
        index, label, LabelOrigin.DECLARED if label else LabelOrigin.NONE, label, bates, WIDTH, HEIGHT, 0, source, None,
        maker.text, tuple(maker.words), tuple(maker.lines), tuple(maker.elements), garbled=garbled, language=language,
    )  # fmt: skip


def with_table(page: Page, element: int, headers: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], *,
               table_id: str | None = None, statements: Sequence[Statement] = (), unit: str | None = None,
               scale: int | None = None, continued_from: str | None = None,
               marks: Mapping[tuple[int, int], tuple[str, ...]] | None = None,
               column_paths: Sequence[Sequence[str]] | None = None) -> Page:  # fmt: skip
    """Adds a table over an element whose lines are its rows, cells parted by " | "; first column is the row header.

    ``headers`` are the texts of the header rows; each column's path is its texts from the top, unless given.
    """
    block = page.elements[element]
    identifier = table_id or f"p{page.index}-t{len(page.tables)}"
    grid = [*headers, *rows]
    cells = []
    for r, row in enumerate(grid):
        spans = _cell_words(page, block, r, row)
        for c, text in enumerate(row):
            header = r < len(headers) or c == 0
            path = tuple(column_paths[c]) if column_paths else tuple(h[c] for h in headers if h[c])
            box = union(page.words[i].box for i in spans[c]) if spans[c] else Box(1, 1, 2, 2)
            cells.append(
                Cell(
                    CellId(f"{identifier}-r{r}-c{c}"), r, c, 1, 1, box, text, spans[c], header,
                    () if header else (row[0],), () if header else path, (marks or {}).get((r, c), ()),
                )
            )  # fmt: skip
    table = Table(
        TableId(identifier), block.element_id, block.bbox, None, unit, scale,
        TableId(continued_from) if continued_from else None, len(grid), len(grid[0]), tuple(cells), tuple(statements),
    )  # fmt: skip
    return replace(page, tables=(*page.tables, table))


def _cell_words(page: Page, block: Element, row: int, texts: Sequence[str]) -> list[tuple[int, ...]]:
    line = page.lines[block.first_line + row]
    groups: list[list[int]] = [[]]
    for i in range(line.first_word, line.end_word):
        if page.words[i].text == "|":
            groups.append([])
        elif page.words[i].text != "~":
            groups[-1].append(i)
    assert len(groups) == len(texts), (groups, texts)
    return [tuple(g) for g in groups]


def table_block(headers: Sequence[Sequence[str]], rows: Sequence[Sequence[str]], **more: object) -> Block:
    """The block that ``with_table`` reads; an empty cell is drawn as "~"."""
    lines = [" | ".join(text or "~" for text in row) for row in (*headers, *rows)]
    return Block("\n".join(lines), ElementKind.TABLE, **more)  # type: ignore[arg-type]


GOOD = Fingerprint("sha256:" + "ab" * 32)
OTHER = Fingerprint("sha256:" + "cd" * 32)
PARSER = Parser("test", "1", "grid")


@dataclass
class FakeSource:
    """A source in memory that counts how often it is hashed."""

    pages: Sequence[Page | None]
    record: SourceRecord
    readable_by_user: bool = True
    now: Fingerprint | None = GOOD
    hashed: int = field(default=0)

    def bytes_now(self) -> Fingerprint | None:
        self.hashed += 1
        return self.now

    def page(self, index: int) -> Page | None:
        return self.pages[index]


def source(
    *pages: Page | None,
    source_id: str = "deed",
    status: SourceStatus = SourceStatus.INDEXED,
    media_type: str = "application/pdf",
    now: Fingerprint | None = GOOD,
    readable: bool = True,
) -> FakeSource:
    record = SourceRecord(SourceId(source_id), f"{source_id}.pdf", GOOD, media_type, len(pages), status, PARSER)
    return FakeSource(pages, record, readable, now)


class FakeSources:
    def __init__(self, *sources: FakeSource) -> None:
        self.by_id = {s.record.source_id: s for s in sources}

    def find(self, source_id: SourceId) -> SourceView | None:
        return self.by_id.get(source_id)
