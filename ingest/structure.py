"""What each block is: heading, list item, caption, footnote or paragraph; and under which headings it stands."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.layout import Block, Measure
from ingest.lines import TextLine
from ingest.numbering import Marker, follows, is_list_mark
from ingest.signatures import is_no_heading, is_signature_field
from verify.domain.document import ElementKind

_CAPTION = re.compile(
    r"(?:Table|Figure|Fig\.|TABLE|FIGURE|Chart|Plate)\s+(?:[0-9]{1,3}|[A-Z]|[IVX]{1,5})(?:[.:]|\s[-–—])"
)
_FOOTNOTE = re.compile(r"(?P<mark>\(?[0-9]{1,3}\)?|[*†‡§¶#]{1,3}|[a-z])(?:[.)]?\s|(?=[A-Z“\"]))")
_SMALL = 0.92  # of the body's size
_LARGE = 1.12
_LARGE_SCANNED = 1.4
_MAX_HEADING_WORDS = 16
_SENTENCE = re.compile(r"[a-z]\w*[.;]\s+[A-Z]")


@dataclass(frozen=True, slots=True)
class Shaped:
    """A block with its kind. ``title`` of a heading is its text on one line; ``mark`` as in ``Element.mark``."""

    block: Block
    kind: ElementKind
    mark: str | None
    title: str | None


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
    return _without_false_headings(shaped)


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
    small = [_size(block.lines) <= _SMALL * usual.size and block.lines[0].baseline >= 0.3 * height for block in found]
    notes: dict[int, str | None] = {}
    for i, block in enumerate(found):
        if not small[i] or not all(small[k] for k in _below(found, i)):
            continue
        match = _FOOTNOTE.match(block.lines[0].text)
        mark = match["mark"].strip("()") if match else None
        if mark is not None or i - 1 in notes or (marks and block.lines[0].baseline >= 0.5 * height):
            notes[i] = mark
    return notes


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
        kind = ElementKind.LIST_ITEM if block.mark and is_list_mark(block.mark) else ElementKind.PARAGRAPH
        return Shaped(block, kind, mark, None)
    text = " ".join([line.text for line in block.lines])
    if _CAPTION.match(text):
        return Shaped(block, ElementKind.CAPTION, None, None)
    if is_heading(block, text, usual):
        return Shaped(block, ElementKind.HEADING, mark, text)
    if block.mark and is_list_mark(block.mark):
        return Shaped(block, ElementKind.LIST_ITEM, mark, None)
    return Shaped(block, ElementKind.PARAGRAPH, mark, None)


def is_heading(block: Block, text: str, usual: Measure) -> bool:
    """Short, not a sentence, and set apart: by size, weight, capitals, or a division's number with a title."""
    first = block.lines[0]
    if text.count(" ") >= _MAX_HEADING_WORDS or not first.upright:
        return False
    words = text.split()
    letters = list(filter(str.isalpha, text))
    if len(letters) < 3 and not block.mark:
        return False
    if text.endswith((",", ";")) or _SENTENCE.search(text) or "____" in text or "....." in text:
        return False
    mark = block.mark
    if mark and mark.rank >= 11:
        return False
    if mark and len(letters) <= sum(c.isalpha() for c in mark.text):  # the number alone
        return mark.rank == 0
    if first.size >= (_LARGE if usual.typeset else _LARGE_SCANNED) * usual.size:
        return not text.endswith(".") or len(words) <= 8
    ends = text.endswith(".") and not (mark and text == mark.text)
    capitals = sum(c.isupper() for c in letters) >= 0.9 * len(letters)
    if mark and mark.rank == 0:
        return not ends and len(words) <= 12
    if usual.typeset and all(line.bold for line in block.lines):
        return not text.endswith(":") or len(words) <= 6
    if capitals and len(letters) >= 4:
        return not ends or mark is not None
    return bool(
        mark and mark.rank <= 2 and not ends and len(words) <= 10 and _title_case(words[1:]) and not text.endswith(":")
    )


def _title_case(words: Sequence[str]) -> bool:
    long = [word for word in words if len(word) > 3 and word[0].isalpha()]
    return bool(words) and words[0][:1].isupper() and sum(word[0].isupper() for word in long) >= 0.6 * len(long)


class HeadingPath:
    """The headings that a reader is under, carried from page to page.

    A numbered heading closes those of its rank and deeper; an unnumbered one closes others of its size and smaller.
    Clause numbers inside a section are the path's last step, put together as lawyers cite them: "7.2(b)".
    """

    def __init__(self) -> None:
        self._headings: list[tuple[int, int, str]] = []  # rank, size, text
        self._clause: list[Marker] = []
        self._runs: dict[int, tuple[Marker, ...]] = {}

    def enter(self, found: Shaped) -> tuple[str, ...]:
        """The path of this block; a heading's own path is what stands above it."""
        if found.kind is ElementKind.HEADING and found.title is not None:
            return self._enter_heading(found)
        mark = found.block.mark
        numbered = mark is not None and mark.rank < 20 and not found.block.entry
        if mark and numbered and found.kind in (ElementKind.PARAGRAPH, ElementKind.LIST_ITEM):
            self._enter_clause(mark)
        return self.path

    @property
    def path(self) -> tuple[str, ...]:
        clause = _clause_text(self._clause)
        return tuple(text for _, _, text in self._headings) + ((clause,) if clause else ())

    def _enter_heading(self, found: Shaped) -> tuple[str, ...]:
        title = found.title or ""
        size = _size(found.block.lines)
        rank = found.block.mark.rank if found.block.mark else 5
        self._clause, self._runs = [], {}
        while self._headings and not _above(self._headings[-1], rank, size):
            self._headings.pop()
        above = self.path
        self._headings.append((rank, size, title))
        return above

    def _enter_clause(self, mark: Marker) -> None:
        """Deeper marks stand inside, equal ones beside; one that continues an earlier run goes back to where it was."""
        before = self._runs.get(mark.rank)
        if before is not None and follows(before[-1], mark):
            above = before[:-1]
        elif mark.rank == 1 and self._clause and self._clause[-1].rank >= 10:
            above = tuple(self._clause)  # "1." inside "(c)"
        else:
            above = tuple(step for step in self._clause if step.rank < mark.rank)
        if mark.rank < 10 and not above:
            self._runs = {}
        self._clause = [*above, mark]
        self._runs[mark.rank] = tuple(self._clause)


def _above(heading: tuple[int, int, str], rank: int, size: int) -> bool:
    """True if ``heading`` stays open over a new one."""
    other_rank, other_size, _ = heading
    step = 1.3 if other_rank == 5 and rank < 5 else 1.08  # a numbered section is not part of what has no number
    if size > other_size * 1.08:
        return False
    if other_size > size * step:
        return True
    return other_rank < rank and other_rank != 5


def _clause_text(steps: Sequence[Marker]) -> str:
    """As lawyers cite it: "7.2(b)(ii)", "Section 4(c)(1)"."""
    text, last = "", ""
    for step in steps:
        bare = step.text.rstrip(".:") if step.rank < 10 else step.text.strip("().")
        if not text or (last and bare.startswith(last + ".")):
            text = bare if step.rank < 10 else f"({bare})"
        else:
            text += f"({bare})"
        last = bare if step.rank < 10 else ""
    return text
