"""From lines and what is known about them to a page of the domain: elements in order, text, words with offsets."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate, groupby, pairwise, repeat
from operator import add, sub

from ingest.furniture.marking import PageLines
from ingest.page.language import guess_language
from ingest.page.lines import TextLine, joined_text
from ingest.page.raw import RawPage, RawWord, TableDraft
from ingest.page.seen import OwnText, Sheet
from ingest.page.words import made
from ingest.structure.drafted import Drafted
from ingest.structure.kinds import HeadingPath, shape
from ingest.structure.layout import blocks, measure
from ingest.structure.spans import kinds_of, spans_of
from verify.domain.document import (
    NO_CONFIDENCE,
    Element,
    ElementKind,
    LabelOrigin,
    Line,
    Origin,
    Page,
    TextSource,
    Word,
)
from verify.domain.geometry import union
from verify.domain.ids import ElementId

_NATIVE = (TextSource.NATIVE, None)
_FOOT = (ElementKind.FOOTER, ElementKind.PAGE_NUMBER, ElementKind.STAMP)


class PageWriter:
    """Lays elements one after another into one text: lines parted by a line feed, elements by a blank line.

    Words are laid in one go, column by column: a page has hundreds, and a loop over them costs what MuPDF does.
    """

    def __init__(self, raw: RawPage, drafts: Sequence[Drafted], turned: bool = False) -> None:
        self._raw = raw
        lines = [line for draft in drafts for line in draft.lines]
        order = [i for line in lines for i in line.words]
        self.place: dict[int, int] = dict(zip(order, range(len(order)), strict=True))
        """Raw word index to page word index."""
        self.words: list[Word] = _laid(raw.words, order, drafts)
        firsts = [0, *accumulate(len(line.words) for line in lines)]
        self.lines: list[Line] = [
            Line(union([raw.words[i].box for i in line.words]) if turned else line.box, first, end, line.number)
            for line, (first, end) in zip(lines, pairwise(firsts), strict=True)
        ]
        self.elements: list[Element] = []
        self._texts: list[str] = []
        self._kinds = kinds_of(raw.words, drafts)
        self._add_elements(drafts)

    @property
    def text(self) -> str:
        return "\n\n".join(self._texts)

    def _add_elements(self, drafts: Sequence[Drafted]) -> None:
        at, end_line = 0, 0
        origin = text_origin(self.words)
        for draft in drafts:
            first_line, end_line = end_line, end_line + len(draft.lines)
            lines = self.lines[first_line:end_line]
            first_word, end_word = lines[0].first_word, lines[-1].end_word
            text = "\n".join([line.text for line in draft.lines])
            # of a page whose words come from one place no element is asked again
            source, mean = origin if origin == _NATIVE else text_origin(self.words[first_word:end_word])
            self._texts.append(text)
            self.elements.append(
                Element(
                    ElementId(f"p{self._raw.index}-e{len(self.elements)}"),
                    draft.kind,
                    union([line.box for line in lines]),
                    text,
                    at,
                    at + len(text),
                    first_word,
                    end_word,
                    first_line,
                    end_line,
                    source,
                    mean,
                    draft.path,
                    draft.mark,
                    spans=spans_of(self.words[first_word:end_word], at, self._kinds, first_word) if self._kinds else (),
                )
            )
            at += len(text) + 2

    def add_own(self, own: OwnText) -> None:
        first, number = len(self.words), len(self.lines)
        for text, start, end, box in own.words:
            self.words.append(Word(text, start, end, box, number, NO_CONFIDENCE, Origin.NATIVE, True))
        if own.words:
            self.lines.append(Line(own.box, first, len(self.words), None))
        self.elements.append(
            Element(
                ElementId(f"p{self._raw.index}-e{len(self.elements)}"),
                own.kind,
                own.box,
                own.text,
                None,
                None,
                first,
                len(self.words),
                number,
                len(self.lines),
                TextSource.NATIVE,
                heading_path=(own.label,) if own.label else (),
            )
        )

    def add_hidden(self, hidden: Sequence[tuple[RawWord, int]]) -> None:
        """Words that no reader sees stand in no text; each keeps the offset where it would."""
        found = []
        for word, after in hidden:
            place = self.place.get(after)
            at, line = (self.words[place].end, self.words[place].line) if place is not None else (0, -1)
            on_line = line >= 0 and self.lines[line].box.overlaps(word.box)
            found.append(
                Word(word.text, at, at, word.box, line if on_line else -1, word.confidence, word.origin, False)
            )
        self.words.extend(sorted(found, key=lambda w: w.start))


def _laid(raw: Sequence[RawWord], order: Sequence[int], drafts: Sequence[Drafted]) -> list[Word]:
    """The words in their order, with their offsets in the text and their lines."""
    if not order:
        return []
    texts, boxes, _, _, _, origins, confidences, _, joined, *_ = zip(*[raw[i] for i in order], strict=True)
    before = [0 if touches else 1 for touches in joined]  # characters between a word and the one before
    lines: list[int] = []
    number = 0
    for draft in drafts:
        for n, line in enumerate(draft.lines):
            before[len(lines)] = 1 if n else 2
            lines += [number] * len(line.words)
            number += 1
    before[0] = 0
    lengths = list(map(len, texts))
    ends = list(accumulate(map(add, before, lengths)))
    starts = map(sub, ends, lengths)
    return made(Word, zip(texts, starts, ends, boxes, lines, confidences, origins, repeat(True)))


def text_origin(words: Sequence[Word]) -> tuple[TextSource, int | None]:
    """Where the words come from, and the mean confidence of recognised characters (0-1000)."""
    origins = {word[6] for word in words}
    if origins == {Origin.NATIVE}:
        return TextSource.NATIVE, None
    if not words:
        return TextSource.NONE, None
    sure = [(word.confidence, len(word.text)) for word in words if word.confidence != NO_CONFIDENCE]
    total = sum(length for _, length in sure)
    mean = round(sum(value * length for value, length in sure) / total) if total else None
    return (TextSource.MIXED if Origin.NATIVE in origins else TextSource.OCR), mean


def build_page(sheet: Sheet, found: PageLines, path: HeadingPath) -> tuple[Page, dict[int, int]]:
    """The page without its tables, and where each raw word went."""
    head, body, foot = _parts(sheet, found, path)
    writer = PageWriter(sheet.raw, (*head, *body, *foot), sheet.turned)
    text = writer.text
    source, confidence = text_origin(writer.words)
    for own in sheet.own:
        writer.add_own(own)
    writer.add_hidden(sheet.hidden)
    label, origin = _label(sheet.label, found)
    page = Page(
        sheet.raw.index, label, origin, found.printed, found.bates.text if found.bates else None,
        sheet.raw.width, sheet.raw.height, sheet.raw.rotation, source,
        sheet.ocr_confidence if sheet.ocr_confidence is not None else confidence,
        text, tuple(writer.words), tuple(writer.lines), tuple(writer.elements), (), tuple(sheet.warnings),
        sheet.garbled, guess_language(text),
    )  # fmt: skip
    return page, writer.place


def _label(declared: str | None, found: PageLines) -> tuple[str | None, LabelOrigin]:
    if declared is not None:
        return declared, LabelOrigin.DECLARED
    if found.printed is not None and not found.labels_declared:
        return found.printed, LabelOrigin.PRINTED
    return None, LabelOrigin.NONE


def _parts(sheet: Sheet, found: PageLines, path: HeadingPath) -> tuple[list[Drafted], list[Drafted], list[Drafted]]:
    """Elements before the running text, of it (with footnotes last), and after it."""
    top, foot = _furniture(sheet, found)
    in_tables = {i for table in sheet.tables for cell in table.cells for i in cell.words}
    body = [line for i, line in enumerate(sheet.lines) if i not in found.kinds]
    if in_tables:
        body = [piece for line in body for piece in _parted(sheet.read, line, in_tables)]
    running = [line for line in body if line.words[0] not in in_tables] if in_tables else body
    usual = replace(measure(running), typeset=_is_typeset(sheet.raw))
    shaped = shape(blocks(sheet.raw.words, running, usual), usual, sheet.frame[1], _raised_marks(sheet, running))
    drafts = [Drafted(item.kind, item.block.lines, item.mark, path.enter(item)) for item in shaped]
    notes = [draft for draft in drafts if draft.kind is ElementKind.FOOTNOTE]
    text = [draft for draft in drafts if draft.kind is not ElementKind.FOOTNOTE]
    if in_tables:
        text = _with_tables(sheet, body, in_tables, text)
    return top, text + notes, foot


def _parted(raw: RawPage, line: TextLine, in_tables: set[int]) -> list[TextLine]:
    """The line, cut where a table begins or ends on it: what stands beside a table is read with the running text."""
    runs = [tuple(run) for _, run in groupby(line.words, key=in_tables.__contains__)]
    if len(runs) == 1:
        return [line]
    return [
        line._replace(words=run, box=union([raw.words[i].box for i in run]), text=joined_text(raw.words, run))
        for run in runs
    ]


def _is_typeset(raw: RawPage) -> bool:
    return 2 * [word[5] for word in raw.words].count(Origin.NATIVE) >= len(raw.words)


def _furniture(sheet: Sheet, found: PageLines) -> tuple[list[Drafted], list[Drafted]]:
    top: list[Drafted] = []
    foot: list[Drafted] = []
    for i in sorted(found.kinds, key=lambda i: (sheet.lines[i].baseline, sheet.lines[i].box.x0)):
        line, kind = sheet.lines[i], found.kinds[i]
        above = kind is ElementKind.HEADER or (kind is not ElementKind.FOOTER and 2 * line.baseline < sheet.frame[1])
        (top if above else foot).append(Drafted(kind, [line]))
    return top, foot


def _raised_marks(sheet: Sheet, lines: Sequence[TextLine]) -> frozenset[str]:
    """Texts of small words that stand above their line's baseline."""
    words = sheet.raw.words
    smallest = min([word[3] for word in words], default=0)
    return frozenset(
        words[i].text.strip("()[]")
        for line in lines
        if smallest < 0.85 * line.size  # else none of its words is looked at
        for i in line.words
        if words[i].size < 0.85 * line.size and words[i].baseline < line.baseline - line.size // 10
    )


def _with_tables(sheet: Sheet, body: Sequence[TextLine], in_tables: set[int], text: list[Drafted]) -> list[Drafted]:
    """Puts each table where its first line stood in reading order, under the path of the element before it."""
    order = {line.words[0]: i for i, line in enumerate(body)}
    first_line: list[tuple[int, Drafted]] = [(order[d.lines[0].words[0]], d) for d in text]
    for number, table in enumerate(sheet.tables):
        members = {i for cell in table.cells for i in cell.words}
        at = [i for i, line in enumerate(body) if members.intersection(line.words)]
        rows = table_lines(sheet, table)
        if at and rows:
            first_line.append((at[0], Drafted(ElementKind.TABLE, rows, table=number)))
    first_line.sort(key=lambda item: item[0])
    out: list[Drafted] = []
    above: tuple[str, ...] = ()
    for _, draft in first_line:
        if draft.kind is ElementKind.TABLE:
            draft.path = above
        elif draft.kind is ElementKind.HEADING:
            above = (*draft.path, " ".join(line.text for line in draft.lines))
        else:
            above = draft.path
        out.append(draft)
    return out


def table_lines(sheet: Sheet, table: TableDraft) -> list[TextLine]:
    """One line for each row of one-line cells; a cell that runs over several lines has lines of its own."""
    out: list[TextLine] = []
    for row in range(table.row_count):
        cells = [_cell_lines(sheet.read, cell.words) for cell in table.cells if cell.row == row and cell.words]
        if cells and all(len(lines) == 1 for lines in cells):
            out.append(_line_of(sheet.read, [i for lines in cells for i in lines[0]]))
        else:
            out.extend(_line_of(sheet.read, line) for lines in cells for line in lines)
    return out


def _cell_lines(raw: RawPage, indexes: Sequence[int]) -> list[list[int]]:
    lines: list[list[int]] = []
    for i in indexes:
        word = raw.words[i]
        if lines and abs(raw.words[lines[-1][0]].baseline - word.baseline) <= max(word.size, 400) * 0.6:
            lines[-1].append(i)
        else:
            lines.append([i])
    return lines


def _line_of(raw: RawPage, indexes: Sequence[int]) -> TextLine:
    words = [raw.words[i] for i in indexes]
    return TextLine(
        tuple(indexes), union(w.box for w in words), words[0].baseline, words[0].size, False, True, -1,
        joined_text(raw.words, indexes),
    )  # fmt: skip
