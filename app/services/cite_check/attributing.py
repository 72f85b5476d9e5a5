"""Which quotation of a draft goes with which citation, and what each citation is offered for."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.services.cite_check.draft_model import Block, BlockKind
from models.citations.model import Mention
from models.citations.offered import offered
from models.citations.quoted import quotations_in
from verify.sentences import sentences

MOST_BEFORE = 120
"""Words: a longer run of sentences without a citation is an argument of the draft's own."""


@dataclass(frozen=True, slots=True)
class QuotedAt:
    """Half-open offsets in the text of a block."""

    block: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Attributed:
    """For each citation, in order, its proposition, the same with the sentences before it since the last citation,
    and its quotations; and the quotations that go with none."""

    propositions: tuple[str, ...]
    arguments: tuple[str, ...]
    quotations: tuple[tuple[QuotedAt, ...], ...]
    loose: tuple[QuotedAt, ...]


def attribute(blocks: Sequence[Block], mentions: Sequence[Mention]) -> Attributed:
    """A quotation belongs to the citation whose sentence, clause or parenthetical holds it, else to the next citation
    of its paragraph; a block quotation to the citation that ends it, opens the next block, or led to it."""
    propositions = [""] * len(mentions)
    arguments = [""] * len(mentions)
    owned: list[list[QuotedAt]] = [[] for _ in mentions]
    free: list[QuotedAt] = []
    for index, block in enumerate(blocks):
        numbers = [n for n, m in enumerate(mentions) if m.block == index]
        quoted = [QuotedAt(index, q.start, q.end) for q in quotations_in(block.text)]
        if block.kind is BlockKind.BLOCK_QUOTE:
            _block_quotation(blocks, mentions, index, numbers, propositions, owned, free)
            continue
        taken: set[QuotedAt] = set()
        for number, what in zip(numbers, offered(block.text, [mentions[n] for n in numbers]), strict=True):
            propositions[number] = propositions[number] or what.text
            before = " ".join(block.text[a:b] for a, b in what.earlier)
            arguments[number] = f"{before} {what.text}" if what.text and len(before.split()) < MOST_BEFORE else ""
            mention = mentions[number]
            for q in quoted:
                if mention.start <= q.start and q.end <= mention.end and q not in taken:
                    owned[number].append(q)
                    taken.add(q)
        rows = list(zip(numbers, offered(block.text, [mentions[n] for n in numbers]), strict=True))
        for spans in ("spans", "earlier"):
            for number, what in rows:
                for q in quoted:
                    inside = any(a <= q.start and q.end <= b + 1 for a, b in getattr(what, spans))
                    if inside and what.first and q not in taken:
                        owned[number].append(q)
                        taken.add(q)
        free.extend(q for q in quoted if q not in taken)
    _from_before(blocks, mentions, propositions, owned, free)
    return Attributed(
        tuple(propositions),
        tuple(a.strip() or p for a, p in zip(arguments, propositions, strict=True)),
        tuple(tuple(sorted(row, key=lambda q: (q.block, q.start))) for row in owned),
        tuple(free),
    )


def _from_before(
    blocks: Sequence[Block], mentions: Sequence[Mention], propositions: list[str], owned: list[list[QuotedAt]],
    free: list[QuotedAt],
) -> None:  # fmt: skip
    """A note, or a block that is a citation alone, is offered for the sentence that its mark ends, else for the last
    sentence of the block before it."""
    for number, mention in enumerate(mentions):
        before = next((i for i in range(mention.block - 1, -1, -1) if not blocks[i].is_note), None)
        if propositions[number] or before is None or blocks[before].kind is BlockKind.HEADING:
            continue
        text, anchor = blocks[before].text, blocks[mention.block].anchor
        parts = sentences(text)
        span = next(
            (p for p in parts if anchor is not None and p.start < anchor <= p.end + 1), parts[-1] if parts else None
        )
        if span is None or any(m.block == before and span.start <= m.start < span.end for m in mentions):
            continue
        propositions[number] = text[span.start : span.end]
        for q in [q for q in free if q.block == before and span.start <= q.start < span.end]:
            owned[number].append(q)
            free.remove(q)


def _block_quotation(
    blocks: Sequence[Block], mentions: Sequence[Mention], index: int, numbers: Sequence[int], propositions: list[str],
    owned: list[list[QuotedAt]], free: list[QuotedAt],
) -> None:  # fmt: skip
    text = blocks[index].text
    last = mentions[numbers[-1]] if numbers else None
    end = last.start if last is not None and last.end >= len(text.rstrip()) - 3 else len(text)
    start = len(text) - len(text.lstrip(' “"‘'))
    while end > start and (text[end - 1].isspace() or text[end - 1] in '”"’([—–-'):
        end -= 1
    whole = QuotedAt(index, start, end)
    owner = numbers[-1] if end < len(text.rstrip(' ”"’')) and numbers else _near(blocks, mentions, index)
    if owner is None:
        free.append(whole)
        return
    owned[owner].append(whole)
    propositions[owner] = propositions[owner] or text[start:end]


def _near(blocks: Sequence[Block], mentions: Sequence[Mention], index: int) -> int | None:
    """The citation that opens the next block of text, else the last of the block that leads to the quotation."""
    following = next((i for i in range(index + 1, len(blocks)) if not blocks[i].is_note), None)
    if following is not None:
        first = next((n for n, m in enumerate(mentions) if m.block == following), None)
        if first is not None and len(blocks[following].text[: mentions[first].start].split()) <= 3:
            return first
    notes = [i for i in range(index + 1, following if following is not None else len(blocks)) if blocks[i].is_note]
    in_note = next((n for n, m in enumerate(mentions) if m.block in notes), None)
    if in_note is not None:
        return in_note
    before = next((i for i in range(index - 1, -1, -1) if not blocks[i].is_note), None)
    if before is not None and blocks[before].text.rstrip().endswith((":", ",", "that", "—")):
        return next((n for n in range(len(mentions) - 1, -1, -1) if mentions[n].block == before), None)
    return None
