"""What each block is: heading, list item, caption, footnote or paragraph; and under which headings it stands."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.page.captions import is_sign
from ingest.page.lines import TextLine
from ingest.structure.heading_path import HeadingPath as HeadingPath
from ingest.structure.headings import FORM_TITLE, cover_lines, is_form, is_heading
from ingest.structure.layout import Block, Measure
from ingest.structure.numbering import Marker, is_list_mark
from ingest.structure.signatures import begins_signing, is_no_heading, is_signature_field
from verify.domain.document import ElementKind

_CAPTION = re.compile(
    r"(?:Table|Figure|Fig\.|TABLE|FIGURE|Chart|Plate)\s+(?:[0-9]{1,3}|[A-Z]|[IVX]{1,5})(?:[.:]|\s[-–—])"
)
_FOOTNOTE = re.compile(r"(?P<mark>\(?[0-9]{1,3}\)?|[*†‡§¶#]{1,3}|[a-z])(?:[.)]?\s|(?=[A-Z“\"]))")
_SMALL = 0.92  # of the body's size
_ENTRIES = 4
"""So many numbered headings with nothing between are entries of a table of contents that began on an earlier page."""

_LOOSE = re.compile(r"[1-9][0-9]?(?=\s+[A-Z])")


@dataclass(frozen=True, slots=True)
class Shaped:
    """A block with its kind. ``title`` of a heading is its text on one line; ``mark`` as in ``Element.mark``."""

    block: Block
    kind: ElementKind
    mark: str | None
    title: str | None

    @property
    def marker(self) -> Marker | None:
        """The number that tells where the block stands; an entry of a table of contents stands nowhere."""
        return None if self.block.entry else self.block.mark

    @property
    def x0(self) -> int:
        return self.block.lines[0].box.x0

    @property
    def size(self) -> int:
        return _size(self.block.lines)

    @property
    def is_plain(self) -> bool:
        """Neither numbered nor in capitals."""
        return self.mark is None and not self.block.lines[0].text.isupper()

    @property
    def signs(self) -> bool:
        return begins_signing(self.block.lines[0].text)

    @property
    def word_count(self) -> int:
        return sum(line.text.count(" ") + 1 for line in self.block.lines)


def shape(found: Sequence[Block], usual: Measure, height: int, marks: frozenset[str]) -> list[Shaped]:
    """Kinds in reading order. ``marks`` are the raised marks that the page's running text carries."""
    notes = _footnotes(found, usual, height, marks)
    shaped: list[Shaped] = []
    for i, block in enumerate(found):
        one = Shaped(block, ElementKind.FOOTNOTE, notes[i], None) if i in notes else _shape_one(block, usual)
        if shaped and _one_title(shaped[-1], one):
            shaped[-1] = _joined(shaped[-1], one)
        else:
            shaped.append(one)
    return _without_entries(_without_false_headings(_without_labels(shaped, usual)))


def _without_labels(shaped: list[Shaped], usual: Measure) -> list[Shaped]:
    """Lines of a cover that are not its title, and a form's labels, are paragraphs."""
    heads = [one.kind is ElementKind.HEADING and not one.block.closed for one in shaped]
    labels = cover_lines([(one.block, head and one.mark is None) for one, head in zip(shaped, heads, strict=True)])
    labels |= _parties(shaped)
    if is_form([one.block for one in shaped]):
        labels |= {
            i for i, one in enumerate(shaped) if heads[i] and one.size < FORM_TITLE * usual.size and one.is_plain
        }
    return [_as_paragraph(one) if i in labels else one for i, one in enumerate(shaped)]


def _parties(shaped: Sequence[Shaped]) -> set[int]:
    """What stands beside a caption's column of signs, to the left: names of those who are in dispute."""
    out: set[int] = set()
    for n, one in enumerate(shaped):
        lines = one.block.lines
        if len(lines) > 1 and all(is_sign(line.text) for line in lines):
            top = lines[0].baseline - lines[0].size
            out |= {k for k in range(n) if shaped[k].block.lines[0].baseline >= top and shaped[k].mark is None}
    return out


def _as_paragraph(one: Shaped) -> Shaped:
    return Shaped(one.block, ElementKind.PARAGRAPH, one.mark, None)


def _without_entries(shaped: list[Shaped]) -> list[Shaped]:
    run: list[int] = []
    for i in range(len(shaped) + 1):
        if i < len(shaped) and shaped[i].kind is ElementKind.HEADING and shaped[i].mark is not None:
            run.append(i)
            continue
        for k in run if len(run) >= _ENTRIES else ():
            shaped[k].block.entry = True
            shaped[k] = Shaped(shaped[k].block, ElementKind.LIST_ITEM, shaped[k].mark, None)
        run = []
    return shaped


def _without_false_headings(shaped: list[Shaped]) -> list[Shaped]:
    """From the foot up: names of parties above a signature's fields are paragraphs, and so is a lone number that
    nothing follows (a page's own, where no neighbour tells)."""
    if shaped and shaped[-1].block.closed and shaped[-1].kind is ElementKind.HEADING:
        shaped[-1] = Shaped(shaped[-1].block, ElementKind.PARAGRAPH, None, None)
    signing = False
    for i in range(len(shaped) - 1, -1, -1):
        text = shaped[i].block.lines[0].text
        named = shaped[i].kind is ElementKind.HEADING and shaped[i].mark is None
        if named and is_no_heading(text, signing):
            shaped[i] = Shaped(shaped[i].block, ElementKind.PARAGRAPH, None, None)
        else:
            named = False
        signing = is_signature_field(text) or (signing and named)
    return shaped


def _one_title(above: Shaped, below: Shaped) -> bool:
    """True for a title that runs over two lines: alike in type and centred alike, the second without a number."""
    if (
        above.block.closed
        or above.kind is not ElementKind.HEADING
        or below.kind is not ElementKind.HEADING
        or below.mark is not None
    ):
        return False
    last, first = above.block.lines[-1], below.block.lines[0]
    alike = last.bold == first.bold and abs(last.size - first.size) <= 0.05 * last.size
    near = 0 < first.baseline - last.baseline <= 1.75 * first.size and len(above.block.lines) < 4
    centred = abs(last.box.x0 + last.box.x1 - first.box.x0 - first.box.x1) <= 800
    return alike and near and (centred or above.mark is not None) and last.text.isupper() == first.text.isupper()


def _joined(above: Shaped, below: Shaped) -> Shaped:
    block = Block([*above.block.lines, *below.block.lines], above.block.mark)
    return Shaped(block, above.kind, above.mark, f"{above.title} {below.title}")


def _footnotes(found: Sequence[Block], usual: Measure, height: int, marks: frozenset[str]) -> dict[int, str | None]:
    """Small type at the foot of its column: it begins with a mark, or goes on from a note above or the page before."""
    small = [_may_be_note(block, usual, height) for block in found]
    notes: dict[int, str | None] = {}
    for i, block in enumerate(found):
        if not small[i] or not all(small[k] for k in _below(found, i)):
            continue
        match = _FOOTNOTE.match(block.lines[0].text)
        mark = match["mark"].strip("()") if match else None
        if mark is not None or i - 1 in notes or (marks and block.lines[0].baseline >= 0.5 * height):
            notes[i] = mark
    return notes


def _may_be_note(block: Block, usual: Measure, height: int) -> bool:
    """Small type, or type of any size behind a raised mark, not at the head of the page."""
    if block.raised and block.lines[0].baseline >= 0.5 * height:
        return True
    return _size(block.lines) <= _SMALL * usual.size and block.lines[0].baseline >= 0.3 * height


def _below(found: Sequence[Block], i: int) -> list[int]:
    """The blocks that stand lower in the same column."""
    left, right = min(n.box.x0 for n in found[i].lines), max(n.box.x1 for n in found[i].lines)
    foot = found[i].lines[-1].baseline
    return [
        k
        for k, other in enumerate(found)
        if other.lines[0].baseline > foot and any(n.box.x0 < right and left < n.box.x1 for n in other.lines)
    ]


def _size(lines: Sequence[TextLine]) -> int:
    return max(lines, key=lambda line: len(line.text)).size


def _shape_one(block: Block, usual: Measure) -> Shaped:
    mark = block.mark.text if block.mark else None
    if block.entry:
        return Shaped(block, ElementKind.LIST_ITEM, mark, None)
    if block.closed and block.mark:
        return Shaped(block, ElementKind.HEADING, mark, block.lines[0].text)
    if len(block.lines) > 3:
        if _CAPTION.match(block.lines[0].text):
            return Shaped(block, ElementKind.CAPTION, None, None)
        kind = ElementKind.LIST_ITEM if block.mark and is_list_mark(block.mark) else ElementKind.PARAGRAPH
        return Shaped(block, kind, mark, None)
    text = " ".join([line.text for line in block.lines])
    if _CAPTION.match(text):
        return Shaped(block, ElementKind.CAPTION, None, None)
    if is_heading(block, text, usual):
        loose = _LOOSE.match(text) if mark is None else None
        if loose:  # "3 Implementation", told from "3 barrels" by its type
            block.mark = Marker(loose.group(), 1)
        return Shaped(block, ElementKind.HEADING, loose.group() if loose else mark, text)
    if block.mark and is_list_mark(block.mark):
        return Shaped(block, ElementKind.LIST_ITEM, mark, None)
    return Shaped(block, ElementKind.PARAGRAPH, mark, None)
