"""Blocks of a draft that was read as any document is: from the elements of its pages."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from app.services.cite_check.draft_model import Block, BlockKind, Piece
from verify.domain.document import Element, ElementKind, Page, SpanKind
from verify.sentences import sentences

_KINDS = {
    ElementKind.PARAGRAPH: BlockKind.PARAGRAPH,
    ElementKind.LIST_ITEM: BlockKind.PARAGRAPH,
    ElementKind.CAPTION: BlockKind.PARAGRAPH,
    ElementKind.HEADING: BlockKind.HEADING,
    ElementKind.FOOTNOTE: BlockKind.NOTE,
    ElementKind.TABLE: BlockKind.CELL,
}
_INDENT = 1800
"""1/100 pt (a quarter of an inch) on both sides: the least that sets a block quotation off."""
_LEFT_OUT = frozenset({SpanKind.DELETED, SpanKind.COMMENT, SpanKind.GENERATED, SpanKind.NOTE_MARK})
_RUNNING = (ElementKind.PARAGRAPH, ElementKind.LIST_ITEM)
_LEADING = 500
"""1/100 pt: the most white between two lines of one paragraph."""
_ENDED = re.compile(r"[.?!:;][\"”’')\]]*\d{0,3}\s*$")


def blocks_of(pages: Sequence[Page]) -> tuple[Block, ...]:
    """In reading order, a paragraph that runs over a page break as one."""
    left, right = _margins(pages)
    hyphenated = _kept_hyphens(pages)
    open_block: list[tuple[Page, Element]] = []
    found: list[Block] = []
    notes: list[Block] = []
    for page in pages:
        for element in page.elements:
            kind = _KINDS.get(element.kind)
            if kind is None or element.start is None:
                continue
            if kind is BlockKind.NOTE:
                notes.append(_block([(page, element)], kind, hyphenated))
                continue
            if open_block and not _runs_on(open_block[-1], page, element):
                found.append(_closed(open_block, left, right, hyphenated))
                found.extend(notes)
                open_block, notes = [], []
            open_block.append((page, element))
    if open_block:
        found.append(_closed(open_block, left, right, hyphenated))
    return (*found, *notes)


def _runs_on(last: tuple[Page, Element], page: Page, element: Element) -> bool:
    """True of a paragraph's rest: on the next page, or set apart by a number that opens its line ("15-1262")."""
    if last[1].kind not in _RUNNING or element.kind not in _RUNNING:
        return False
    before = " ".join(last[1].text.split())
    if any(end == len(before) for _, end in sentences(f"{before} {' '.join(element.text.split())}")):
        return False
    if page.index == last[0].index:
        return 0 <= element.bbox.y0 - last[1].bbox.y1 <= _LEADING and not before.endswith((":", ";"))
    return page.index == last[0].index + 1 and not _ENDED.search(before)


def _closed(parts: Sequence[tuple[Page, Element]], left: int, right: int, hyphenated: frozenset[str]) -> Block:
    kind = _KINDS[parts[0][1].kind]
    box = parts[0][1].bbox
    page_left, page_right = _page_margins(parts[0][0])
    left, right = min(left, page_left), max(right, page_right)
    if kind is BlockKind.PARAGRAPH and box.x0 >= left + _INDENT and box.x1 <= right - _INDENT:
        lines = sum(e.end_line - e.first_line for _, e in parts)
        kind = BlockKind.BLOCK_QUOTE if lines >= 2 else kind
    return _block(parts, kind, hyphenated)


def _margins(pages: Sequence[Page]) -> tuple[int, int]:
    """The left and right edges that most paragraphs' lines share."""
    lefts: Counter[int] = Counter()
    rights: list[int] = []
    for page in pages:
        for element in page.elements:
            if element.kind is ElementKind.PARAGRAPH:
                for line in page.lines[element.first_line : element.end_line]:
                    lefts[round(line.box.x0 / 200) * 200] += 1
                    rights.append(line.box.x1)
    rights.sort()
    return (lefts.most_common(1)[0][0] if lefts else 0), (rights[int(len(rights) * 0.8)] if rights else 0)


def _page_margins(page: Page) -> tuple[int, int]:
    """Those of the widest of the page's paragraphs, so that a page that is set in is not one quotation."""
    boxes = [e.bbox for e in page.elements if e.kind in _RUNNING]
    return min((b.x0 for b in boxes), default=0), max((b.x1 for b in boxes), default=0)


def _kept_hyphens(pages: Sequence[Page]) -> frozenset[str]:
    """Words that the draft writes with a hyphen in the middle of a line."""
    return frozenset(word.lower() for page in pages for word in re.findall(r"[^\W\d_]+-[^\W\d_]+", page.text))


def _block(parts: Sequence[tuple[Page, Element]], kind: BlockKind, hyphenated: frozenset[str]) -> Block:
    text, pieces = "", []
    for page, element in parts:
        if text and not text.endswith(" "):
            text += " "
        for start, end in _shown(element):
            for piece, offset in _lines(element.text, start, end, hyphenated):
                assert element.start is not None
                pieces.append(Piece(len(text), page.index, element.element_id, element.start + offset, element.start))
                text += piece
    page, element = parts[0]
    return Block(text, kind, page.index, element.element_id, tuple(pieces))


def _shown(element: Element) -> Iterator[tuple[int, int]]:
    """The element's text without what is deleted, a comment or a note's mark."""
    at = 0
    for span in element.spans:
        if span.kind in _LEFT_OUT and span.end > at:
            if span.start > at:
                yield at, span.start
            at = span.end
    if at < len(element.text):
        yield at, len(element.text)


_BREAK = re.compile(r"(?P<before>[^\W\d_]+)-\n(?P<after>[^\W\d_]+)")


def _lines(text: str, start: int, end: int, hyphenated: frozenset[str]) -> Iterator[tuple[str, int]]:
    """Stretches of running text with their offsets: a line feed becomes a space, a word parted at a line end is joined,
    but where the draft writes it with a hyphen elsewhere, or a capital follows, the hyphen stays."""
    at = start
    for found in _BREAK.finditer(text, start, end):
        hyphen = found.end("before")
        keep = f"{found['before']}-{found['after']}".lower() in hyphenated or found["after"][0].isupper()
        yield text[at : hyphen + keep].replace("\n", " "), at
        at = found.start("after")
    yield text[at:end].replace("\n", " "), at
