"""A whole document as answering reads it: its passages in order, and the blocks and sentences that stand in them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from models.answering.claim_text import one_line
from models.answering.drafts import ShownPassage, ShownSentence
from models.answering.evidence import cite, number_sentences
from verify.domain.claim import Citation
from verify.domain.ids import SourceId


class Block(NamedTuple):
    """One element's text, verbatim, with the headings that it stands under and the page it begins on."""

    text: str
    headings: tuple[str, ...]
    page_index: int
    shown: ShownPassage


class Quote(NamedTuple):
    """A sentence with the passage that holds it: what a claim cites."""

    shown: ShownPassage
    sentence: ShownSentence

    @property
    def text(self) -> str:
        return one_line(self.sentence.text)

    @property
    def source_id(self) -> SourceId:
        return self.shown.passage.source_id

    @property
    def page_index(self) -> int:
        return self.shown.passage.parts[self.sentence.first_part].page_index

    def citation(self) -> Citation:
        return cite(self.shown, self.sentence)


@dataclass(frozen=True)
class DocumentText:
    """``passages`` are all of the document, in order. ``path`` is relative to the matter; ``dated`` what the registry
    says (an e-mail's day), an ISO date or None."""

    source_id: SourceId
    path: str
    title: str
    passages: tuple[ShownPassage, ...]
    dated: str | None = None

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """Each element once; one that was cut into several passages gives a block for each piece."""
        return tuple(_blocks(self.passages))

    @cached_property
    def quotes(self) -> tuple[Quote, ...]:
        """All sentences in order."""
        by_handle = {shown.handle: shown for shown in self.passages}
        return tuple(Quote(by_handle[s.handle], s) for s in number_sentences(self.passages))

    @cached_property
    def opening(self) -> str:
        """The first blocks on one line each, up to some 1,500 characters: where a document says what it is."""
        return "\n".join(_up_to(self.blocks, OPENING))

    @cached_property
    def ending(self) -> str:
        """The last blocks, likewise: where it is signed."""
        return "\n".join(reversed(list(_up_to(self.blocks[::-1], OPENING))))


OPENING = 1500


def _blocks(passages: Sequence[ShownPassage]) -> Iterator[Block]:
    for shown in passages:
        passage = shown.passage
        for part in passage.parts:
            text = passage.text[part.at : part.at + part.end - part.start]
            yield Block(text, passage.heading_path, part.page_index, shown)


def _up_to(blocks: Sequence[Block], most: int) -> Iterator[str]:
    size = 0
    for block in blocks:
        if size >= most:
            return
        size += len(block.text)
        yield " ".join(block.text.split())
