"""What each citation is offered for: its sentence, the clause before a string of citations, its parenthetical."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from models.citations.model import Mention
from verify.sentences import Span, sentences

FEWEST_WORDS = 3
"""A sentence or clause with fewer words beside its citations states nothing."""


class Offered(NamedTuple):
    """``text`` is the proposition, ``spans`` where it stands in the citation's block, ``earlier`` the sentences before
    it since the last citation, ``first`` whether this is the first citation of its string. Where nothing stands before
    the citation in its block ``spans`` is empty: the block before, a block quotation, is what it is offered for."""

    text: str
    spans: tuple[Span, ...]
    earlier: tuple[Span, ...]
    first: bool


_SIGNAL = re.compile(
    r"\b(?:see|but|also|cf|accord|e\.g|compare|with|contra|generally|citing|quoting|and|id|in|at|cited|quoted|by|the)\b|[\W\d_]+",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(r"(?P<lead>(?:held|[a-z]+ing)\b(?:\sthat\b)?)\s*(?P<rest>.+)", re.DOTALL)
_NO_PROPOSITION = re.compile(
    r"(?:citing|quoting|emphasis|citation|internal|footnote|alteration|omitted|hereinafter|per curiam|en banc|mem\.|"
    r"plurality|"
    r"collecting|overrul|abrogat|revers|affirm|superseded|cert\.|discussing|describing|second|first|original|cleaned)",
    re.IGNORECASE,
)


def offered(text: str, mentions: Sequence[Mention]) -> tuple[Offered, ...]:
    """For each of a block's citations, in order. The citations must be sorted by their start."""
    masked = _masked(text, mentions)
    parts = sentences(masked)
    return tuple(_one(text, masked, parts, mentions, at) for at in range(len(mentions)))


def _masked(text: str, mentions: Sequence[Mention]) -> str:
    """Citations as one word of the same length, so that their stops end no sentence and their names state nothing."""
    masked = text
    for m in mentions:
        masked = masked[: m.start] + "0" * (m.end - m.start) + masked[m.end :]
    return masked


def _words(masked: str) -> int:
    return len(_SIGNAL.sub(" ", masked).split())


def _one(text: str, masked: str, parts: Sequence[Span], mentions: Sequence[Mention], at: int) -> Offered:
    mention = mentions[at]
    outer = next((m for m in mentions[:at] if m.end >= mention.end and m.start < mention.start), None)
    if outer is not None:  # "(quoting ...)" inside another's parenthetical
        whole = _one(text, masked, parts, mentions, mentions.index(outer))
        return whole._replace(first=False)
    index = next((i for i, part in enumerate(parts) if part.start <= mention.start < part.end), len(parts) - 1)
    part = parts[index]
    inside = [m for m in mentions if part.start <= m.start < part.end and not _nested(m, mentions)]
    if _words(masked[part.start : part.end]) >= FEWEST_WORDS:
        spans, first = _clause(masked, part, inside, mention)
        earlier = _run(masked, parts, index, mentions) if inside[0] is mention else ()
    else:
        run = _run(masked, parts, index, mentions)
        spans, earlier, first = run[-1:], run[:-1], inside[0] is mention
    return Offered(_explained(mention) or _plain(text, spans, mentions), spans, _uncited(earlier, mentions), first)


def _nested(mention: Mention, mentions: Sequence[Mention]) -> bool:
    return any(m is not mention and m.start < mention.start and mention.end <= m.end for m in mentions)


def _clause(masked: str, part: Span, inside: Sequence[Mention], mention: Mention) -> tuple[tuple[Span, ...], bool]:
    """Groups of citations parted by words: each group takes the words before it, the last also those that follow. The
    words of a sentence that a citation leads ("In X v. Y, the Court held ...") are that citation's."""
    groups: list[list[Mention]] = []
    for m in inside:
        if groups and _words(masked[groups[-1][-1].end : m.start]) < FEWEST_WORDS:
            groups[-1].append(m)
        else:
            groups.append([m])
    number = next((i for i, group in enumerate(groups) if mention in group), 0)
    group = groups[number] if groups else [mention]
    leads = bool(groups) and _words(masked[part.start : groups[0][0].start]) < FEWEST_WORDS
    if leads:  # each takes what follows it
        start = part.start if number == 0 else group[0].start
        end = groups[number + 1][0].start if number + 1 < len(groups) else part.end
    else:
        start = groups[number - 1][-1].end if number else part.start
        end = part.end if number + 1 == len(groups) else group[-1].end
    return (Span(start, end),), group[0] is mention


def _run(masked: str, parts: Sequence[Span], index: int, mentions: Sequence[Mention]) -> tuple[Span, ...]:
    """The sentences before one, back to the last that holds a citation (itself, if it states something)."""
    found: list[Span] = []
    for part in reversed(parts[:index]):
        cites = any(part.start <= m.start < part.end for m in mentions)
        states = _words(masked[part.start : part.end]) >= FEWEST_WORDS
        if cites and not states:
            if found:
                break
            continue
        found.append(part)
        if cites:
            break
    return tuple(reversed(found))


def _uncited(spans: Sequence[Span], mentions: Sequence[Mention]) -> tuple[Span, ...]:
    return tuple(span for span in spans if not any(span.start <= m.start < span.end for m in mentions))


def _explained(mention: Mention) -> str:
    """A parenthetical that says what the authority holds."""
    found = _EXPLAINS.fullmatch(mention.parenthetical)
    if found is None or _NO_PROPOSITION.match(mention.parenthetical) or len(found["rest"].split()) < FEWEST_WORDS:
        return ""
    return found["rest"].strip()


_LEFT = re.compile(r"^(?:(?:In|Under|See|As|But|And|Accord)\s*)?,?\s*")
_RIGHT = re.compile(r",?\s*\b(?:[Ss]ee(?:\salso)?(?:,\se\.g\.)?|[Cc]f|[Aa]ccord|[Bb]ut\ssee)[\s.,;]*$")


def _plain(text: str, spans: Sequence[Span], mentions: Sequence[Mention]) -> str:
    """The words without the citations in them."""
    pieces = []
    for span in spans:
        at, piece = span.start, ""
        for m in mentions:
            if span.start <= m.start < span.end and m.start >= at:
                piece += text[at : m.start]
                at = m.end
        pieces.append(piece + text[at : span.end] if at < span.end else piece)
    plain = re.sub(r"\s+([,.;:)])", r"\1", " ".join(" ".join(pieces).split()))
    plain = re.sub(r"\(\s*\)|,\s*(?=[,.;])|;\s*(?=\.)", "", plain)
    return _RIGHT.sub("", _LEFT.sub("", plain)).strip(" ,;:")
