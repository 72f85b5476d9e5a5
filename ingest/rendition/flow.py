"""Running text before it has pages: what every format without pages of its own is turned into.

Only characters and a few plain styles pass through here. No markup, link, script, picture address or field of the
original reaches the renderer, so nothing in it can be fetched or run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


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
    """Characters in one style. A line feed in ``text`` is a line break."""

    text: str
    bold: bool = False
    italic: bool = False
    underlined: bool = False
    raised: bool = False


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
    return Block(BlockKind.NOTE, (Run(f"[{text}]", italic=True),))


def note(label: str, text: str) -> Block:
    """A labelled line for what stands beside the running text: "[Chart: Rents]", or "[Chart]" where it says nothing."""
    return labelled(f"{label}: {text}" if text else label)


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
