"""Running text before it has pages: what every format without pages of its own is turned into.

Only characters and a few plain styles pass through here. No markup, link, script, picture address or field of the
original reaches the renderer, so nothing in it can be fetched or run.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from ingest.rendition.inks import NO_KINDS
from verify.domain.document import SpanKind

OWN_WORDS = frozenset({SpanKind.GENERATED})
"""What this program writes beside a document's words."""

_WHITE_SPACE = re.compile(r"\s+")


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    QUOTE = "quote"
    LITERAL = "literal"  # white space and line ends are kept, in a typewriter face
    HEADER_FIELD = "header_field"  # of an e-mail: "From: …"
    NOTE = "note"  # a footnote, comment or tracked change, labelled as such in its own words
    RULE = "rule"
    PAGE_BREAK = "page_break"


class Run(NamedTuple):
    """Characters in one style. A line feed in ``text`` is a line break.

    ``kinds`` are what the characters are beside text; what is only ``raised`` or ``lowered`` is told apart on the page.
    ``cut``: tracked changes took words out behind them.
    """

    text: str
    bold: bool = False
    italic: bool = False
    underlined: bool = False
    raised: bool = False
    lowered: bool = False
    kinds: frozenset[SpanKind] = NO_KINDS
    cut: bool = False

    def of(self, *kinds: SpanKind) -> "Run":
        """The same characters, of more kinds."""
        return self._replace(kinds=self.kinds | frozenset(kinds))


@dataclass(frozen=True, slots=True)
class Block:
    """``level`` is the heading's (1-6) or the item's depth (from 0). ``marker`` is an item's number or bullet.

    ``right_to_left`` is what the original declares of the paragraph.
    """

    kind: BlockKind
    runs: tuple[Run, ...]
    level: int = 0
    marker: str = ""
    right_to_left: bool = False

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


class GridCell(NamedTuple):
    """``blocks`` are the cell's paragraphs. Spans count columns and rows, from 1."""

    blocks: tuple[Block, ...]
    columns: int = 1
    rows: int = 1
    header: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of the original, drawn with rules."""

    rows: tuple[tuple[GridCell, ...], ...]


Flow = Sequence[Block | Grid]


def plain(kind: BlockKind, text: str, level: int = 0, marker: str = "") -> Block:
    """A block of one unstyled run."""
    return Block(kind, (Run(text),), level, marker)


def labelled(text: str) -> Block:
    """A line in brackets: it is said about the document, not by it."""
    return Block(BlockKind.NOTE, (Run(f"[{text}]", italic=True, kinds=OWN_WORDS),))


def note(label: str, text: str, kind: SpanKind | None = None) -> Block:
    """A labelled line for what stands beside the running text: "[Chart: Rents]", or "[Chart]" where it says nothing.
    The label is this program's own, the text the document's, of a ``kind``."""
    return note_of(label, (Run(text).of(*([] if kind is None else [kind])),))


def note_of(label: str, runs: Sequence[Run]) -> Block:
    """``note`` for runs that are of different kinds."""
    if not "".join(run.text for run in runs):
        return labelled(label)
    own = Run("", italic=True, kinds=OWN_WORDS)
    inside = [run._replace(italic=True) for run in runs]
    return Block(BlockKind.NOTE, (own._replace(text=f"[{label}: "), *inside, own._replace(text="]")))


def in_line(blocks: Iterable["Block | Grid"]) -> list[Run]:
    """All words on one line, a space between blocks and a stroke between the cells of a table."""
    out: list[Run] = []
    for block in blocks:
        if isinstance(block, Grid):
            for row in block.rows:
                cells = [in_line(cell.blocks) for cell in row]
                out += [Run(" ")] if out else []
                out += [
                    run
                    for n, cell in enumerate(cells)
                    for run in ([Run(" | ").of(SpanKind.GENERATED)] * (n > 0) + cell)
                ]
        else:
            out += [Run(" ")] if out else []
            out += block.runs
    return _single_spaced(out)


def _single_spaced(runs: Iterable[Run]) -> list[Run]:
    """White space as one space, none at the ends."""
    out: list[Run] = []
    for run in runs:
        text = _WHITE_SPACE.sub(" ", run.text)
        text = text.lstrip() if not out or out[-1].text.endswith(" ") else text
        out += [run._replace(text=text)] if text else []
    if out:
        out[-1] = out[-1]._replace(text=out[-1].text.rstrip())
    return [run for run in out if run.text]


def text_of(runs: Iterable[Run]) -> str:
    return "".join(run.text for run in runs)


def quoted(label: str, texts: Sequence[str], kind: SpanKind) -> Block:
    """A labelled line of the document's words, each piece in quotation marks that are not its own."""
    runs: list[Run] = []
    for n, text in enumerate(texts):
        runs += [Run("“" if n == 0 else ", “").of(SpanKind.GENERATED), Run(text).of(kind)]
        runs.append(Run("”").of(SpanKind.GENERATED))
    return note_of(label, runs)


def cut_behind(runs: list[Run]) -> None:
    """Notes at the last run that words were taken out behind it: at its last word, so that the place is known."""
    if not runs:
        return
    last = runs.pop()
    at = len(last.text.rstrip())
    at = max(last.text.rfind(" ", 0, at), last.text.rfind("\n", 0, at)) + 1
    runs += [last._replace(text=last.text[:at])] if at else []
    runs.append(last._replace(text=last.text[at:], cut=True))


LEFT_OUT = labelled("What lies deeper nested here was left out.")
"""Stands where a file nests more deeply than is followed; ``has_left_out`` finds it."""


def has_left_out(flow: Flow) -> bool:
    return any(
        any(has_left_out(cell.blocks) for row in block.rows for cell in row)
        if isinstance(block, Grid)
        else block == LEFT_OUT
        for block in flow
    )


def measured(flow: Flow) -> tuple[int, int]:
    """How many blocks and code points the flow holds, for caps."""
    blocks, characters = 0, 0
    for block in flow:
        inner = [(1, 0 if isinstance(block, Grid) else len(block.text))]
        if isinstance(block, Grid):
            inner += [measured(cell.blocks) for row in block.rows for cell in row]
        blocks += sum(count for count, _ in inner)
        characters += sum(count for _, count in inner)
    return blocks, characters
