"""What is taken back: errata sheets that change a transcript, and witnesses or writers who correct themselves."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from models.answering.documents.amendments import find
from models.answering.documents.changes import Does, instructions
from models.answering.documents.nature import Kind, nature
from models.answering.documents.text import DocumentText, Quote
from models.language.values import ValueKind, spelled_number, values
from models.language.wording import stem_set

_SAME_MATTER = 0.5
"""Share of the content words of "I said that ..." that the statement taken back must have."""
_SPOKEN = (Kind.TRANSCRIPT, Kind.WITNESS_STATEMENT, Kind.EMAIL, Kind.LETTER, Kind.MINUTES)
_GOES_ON = 3
"""How many sentences after a retraction may say what is right."""
_WORDS_AND_FIGURES = re.compile(
    r"\b(?P<words>[a-z]+(?:[\s-](?:and\s)?[a-z]+){0,5})\s?\(\s?[$€£]?\s?(?P<figures>\d[\d,]*)\s?%?\)", re.I
)


@dataclass(frozen=True, slots=True)
class Correction:
    """``earlier`` says ``old``; ``later`` are the sentences that take it back and say ``new`` (empty where nothing is
    put in its place). ``errata``: by an errata sheet, of the ISO day ``dated``; else by whoever said it."""

    earlier: Quote
    later: tuple[Quote, ...]
    old: str
    new: str
    errata: bool
    dated: str | None


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    data = tomllib.loads(Path(__file__).with_name("corrections.toml").read_text(encoding="utf-8"))
    lists = {k: [re.compile(p, re.I) for p in v] for k, v in data.items() if isinstance(v, list)}
    return {**lists, "refers": re.compile(data["refers"], re.I)}


def corrections(documents: Sequence[DocumentText]) -> tuple[Correction, ...]:
    """Every correction whose earlier statement is found; what cannot be placed is no correction of anything."""
    return tuple(c for document in documents for c in (*_errata(document, documents), *_retractions(document)))


def _errata(document: DocumentText, documents: Sequence[DocumentText]) -> Iterator[Correction]:
    sheet = _sheet(document)
    if not sheet:
        return
    dated = next((d for q in reversed(sheet) if (d := _only_day(q.text))), None)
    for quote in sheet:
        for one in instructions(quote.text):
            if one.does is not Does.REPLACE:
                continue
            earlier = _placed(quote.text, one.old, sheet, [document, *(d for d in documents if d is not document)])
            if earlier is not None:
                yield Correction(earlier, (quote,), one.old, one.new, True, dated)


def _sheet(document: DocumentText) -> list[Quote]:
    """The sentences of an errata sheet: all of a document that is one, else those after its heading."""
    if nature(document).kind is Kind.ERRATA:
        return list(document.quotes)
    headed = (at for at, q in enumerate(document.quotes) if any(p.search(q.text) for p in _table()["sheet"]))
    start = next(headed, None)
    return [] if start is None else list(document.quotes[start:])


def _only_day(text: str) -> str | None:
    found = [v for v in values(text) if v.kind is ValueKind.DATE and len(v.readings) == 1]
    return next(iter(found[-1].readings)) if found else None


def _placed(said: str, old: str, sheet: Sequence[Quote], documents: Sequence[DocumentText]) -> Quote | None:
    """The transcript's sentence that has the words, on the page that is named; anywhere in a transcript where no page
    is named and they stand once."""
    place = next((m for p in _table()["place"] if (m := p.search(said))), None)
    apart = {q.sentence.sentence_id for q in sheet}
    for document in documents:
        if nature(document).kind is not Kind.TRANSCRIPT:
            continue
        having = [q for q in document.quotes if q.sentence.sentence_id not in apart and find(old, q.text)]
        if place is not None:
            having = [q for q in having if place["page"] in _pages(q)]
        if len(having) == 1 or (having and place is not None):
            return having[0]
    return None


def _pages(quote: Quote) -> set[str]:
    """By the page's label; by its place in the file where it has none."""
    parts = quote.shown.passage.parts[quote.sentence.first_part : quote.sentence.last_part + 1]
    return {quote.shown.label_of(p.page_index) or str(p.page_index + 1) for p in parts}


def _retractions(document: DocumentText) -> Iterator[Correction]:
    if nature(document).kind not in _SPOKEN:
        return
    quotes = document.quotes
    table = _table()
    for at, (before, quote) in enumerate(pairwise(quotes), start=1):
        if not any(p.search(quote.text) for p in table["takes_back"]) or "?" in quote.text:
            continue
        said = table["refers"].search(f"{before.text} {quote.text}")
        what = said["what"] if said else before.text
        earlier = _said_before(stem_set((what,)), quotes[: at - 1])
        if earlier is not None:
            later = tuple(_right(quotes[at + 1 : at + 1 + 2 * _GOES_ON]))
            yield Correction(
                earlier, (before, quote, *later), earlier.text, " ".join(q.text for q in later), False, None
            )


def _said_before(what: frozenset[str], quotes: Sequence[Quote]) -> Quote | None:
    """The sentence that has most of the words, with the question that it answers; the last of equals."""
    best, found = 0.0, None
    for before, quote in zip((None, *quotes), quotes, strict=False):
        if quote.text.endswith("?"):
            continue
        asked = before.text if before is not None and before.text.endswith("?") else ""
        share = len(what & stem_set((quote.text, asked))) / max(2, len(what))
        own = len(what & stem_set((quote.text,)))
        if share >= _SAME_MATTER and own and (share, own) >= (best, 0):
            best, found = share, quote
    return found


def _right(quotes: Sequence[Quote]) -> Iterator[Quote]:
    """The sentences that say what is right: statements, questions between them left out."""
    given = 0
    for quote in quotes:
        if quote.text.endswith("?"):
            if given:
                return
            continue
        given += 1
        yield quote
        if given == _GOES_ON:
            return


def words_against_figures(text: str) -> tuple[str, str] | None:
    """A number that its own figures contradict: "sixty (90) days" gives "sixty", "90"; None where they agree."""
    for found in _WORDS_AND_FIGURES.finditer(text):
        pieces = found["words"].split()
        for start in range(len(pieces)):
            said = " ".join(pieces[start:])
            number = spelled_number(said)
            if number is not None:
                figures = found["figures"].replace(",", "")
                if str(number) != figures:
                    return said, found["figures"]
                break
    return None
