"""Who said what, and when: mails by their authors, testimony by its witness, and what others report of them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from models.answering.claiming import Claims
from models.answering.documents.calendar_days import in_words
from models.answering.documents.nature import Kind as Nature
from models.answering.documents.speaking import Head, Saying, head_of, sayings
from models.answering.documents.studied import Studied, claimed, studied
from models.answering.documents.text import DocumentText, Quote
from models.answering.found import Found, State
from models.answering.kinds.holding import Holding, asks_for_the_lineup
from models.answering.library import Library
from models.answering.query import Query, in_scope
from models.language.kinds import Kind
from models.language.wording import STOP_WORDS, rarity, stem, stem_set, words

_VERB = (
    r"(?:say|said|tell|told|write|wrote|written|testif(?:y|ied)|state[ds]?|claim(?:ed)?|answer(?:ed)?|admit(?:ted)?|repl(?:y|ied)|"
    r"report(?:ed)?|swear|sworn|swore|respond(?:ed)?|react(?:ed)?|explain(?:ed)?|ask(?:ed)?|mention(?:ed)?|promise[d]?|warn(?:ed)?)"
)
_ASKED = re.compile(
    rf"\b(?:did|does|do|had|has|have)\s+(?P<who>[^?,]{{2,60}}?)\s+(?:\w+ly\s+)?(?P<verb>{_VERB})\b", re.I
)
_REPORTED = re.compile(rf"\b{_VERB}\b", re.I)
_WRITES = re.compile("write|wrote|written", re.I)
_CAPITAL = re.compile(r"\b[A-Z][\w’'-]+")
_WRITTEN = frozenset({Nature.EMAIL, Nature.LETTER})
_PERSONAL = frozenset(
    {
        Nature.EMAIL,
        Nature.LETTER,
        Nature.TRANSCRIPT,
        Nature.WITNESS_STATEMENT,
        Nature.EXPERT_REPORT,
        Nature.MINUTES,
        Nature.OTHER,
    }
)
_LONGEST = 330
_ANSWERS = 0.6
"""What the share of the question's words and the likeness must reach together."""
_CONTEXT = 4
_LIKENED = 24
_TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof", "the"})


class Says:
    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        if asks_for_the_lineup(query):
            return Holding().find(query, library, claims)
        study = studied(library)
        scope = {d.source_id for d in in_scope(query, library.documents)}
        asked = _ASKED.search(query.text)
        kinds = _WRITTEN if asked and _WRITES.fullmatch(asked["verb"]) else _PERSONAL
        documents = [d for d in study.documents if d.source_id in scope and study.natures[d.source_id].kind in kinds]
        said = list(_candidates(documents, query.text, asked["who"] if asked else ""))
        best = _best(query, library, said)
        return None if best is None else _found(library, claims, study, best)


@dataclass(frozen=True, slots=True)
class _Heard:
    """What is said, with the sentences before it in the same passage, which say of what."""

    saying: Saying
    before: str
    own: bool


def _candidates(documents: Sequence[DocumentText], question: str, who: str) -> Iterator[_Heard]:
    """What those who are asked of say themselves, and what others report that they said. A description ("the driver")
    names nobody: then what is reported, first by those whom the question names otherwise."""
    heard = [one for d in documents for one in _heard(d)]
    speakers = {w for one in heard for w in words(one.saying.speaker)} - _TITLES
    asked = _names(who) & (speakers | {w for one in heard for w in words(one.saying.quote.text)})
    if asked:
        for one in heard:
            own = bool(asked & set(words(one.saying.speaker)))
            reported = _REPORTED.search(one.saying.quote.text) and asked & set(
                words(one.before + " " + one.saying.quote.text)
            )
            if own or reported:
                yield replace(one, own=own)
        return
    others = _names(question) & speakers
    for one in heard:
        if _REPORTED.search(one.saying.quote.text):
            yield replace(one, own=bool(others & set(words(one.saying.speaker))))


def _names(text: str) -> frozenset[str]:
    return frozenset(w for found in _CAPITAL.findall(text) for w in words(found)) - STOP_WORDS - _TITLES


def _heard(document: DocumentText) -> Iterator[_Heard]:
    before: list[Quote] = []
    for saying in sayings(document):
        if saying.quoted:
            continue
        near = [q.text for q in before[-_CONTEXT:] if q.shown.handle == saying.quote.shown.handle]
        if not saying.quote.text.endswith("?") and len(saying.quote.text.split()) > 2:
            yield _Heard(saying, " ".join(near), False)
        before.append(saying.quote)


def _best(query: Query, library: Library, heard: Sequence[_Heard]) -> Saying | None:
    """By the question's words, by rarity, in the sentence and, for half, in those before it; then by likeness."""
    terms = {stem(w): rarity(w) + 0.5 for w in words(query.text) if w not in STOP_WORDS and not re.fullmatch(_VERB, w)}
    total = sum(terms.values()) or 1.0
    scored = []
    for one in heard:
        own = sum(w for t, w in terms.items() if t in stem_set((one.saying.quote.text,)))
        near = sum(w for t, w in terms.items() if t in stem_set((one.before, one.saying.speaker)))
        scored.append((min(1.0, (own + 0.5 * near) / total) + 0.1 * one.own, one))
    scored.sort(key=lambda pair: -pair[0])
    best = scored[:_LIKENED]
    if library.encoder is not None and best:
        texts = [f"{one.before[-200:]} {one.saying.quote.text}"[-600:] for _, one in best]
        vectors = library.encoder.embed([query.text, *texts])
        best = sorted(
            ((s + float(v @ vectors[0]), one) for (s, one), v in zip(best, vectors[1:], strict=True)),
            key=lambda p: -p[0],
        )
    enough = _ANSWERS if library.encoder is not None else _ANSWERS / 2
    return best[0][1].saying if best and best[0][0] >= enough else None


def _found(library: Library, claims: Claims, study: Studied, saying: Saying) -> Found:
    document = study.by_id[saying.quote.source_id]
    head = head_of(document)
    run = _run(document, saying.quote)
    ids = [i for q in (*run, *((head.quote,) if head.quote else ())) if (i := claimed(library, claims, q)) is not None]
    text = _who(head, saying) + " ".join(q.text for q in run)
    return Found(Kind.STATEMENT, State.STATED, text, tuple(ids))


def _run(document: DocumentText, quote: Quote) -> list[Quote]:
    """The sentence with those of its paragraph, as many as fit: first what follows, then what leads to it."""
    same = [
        q
        for q in document.quotes
        if q.shown.handle == quote.shown.handle and q.sentence.first_part == quote.sentence.first_part
    ]
    at = same.index(quote)
    run, size = [quote], len(quote.text)
    for other in (*same[at + 1 :], *reversed(same[:at])):
        if size + len(other.text) > _LONGEST:
            break
        size += len(other.text) + 1
        run.append(other)
    return sorted(run, key=lambda q: q.sentence.start)


def _who(head: Head, saying: Saying) -> str:
    """ "3 June 2024, Ravi Castellan to Corin Ashdown: "; of a document without an author nothing."""
    if not saying.speaker:
        return ""
    day = f"{in_words(date.fromisoformat(head.day))}, " if head.day else ""
    to = f" to {head.to}" if head.to and saying.speaker == head.speaker else ""
    return f"{day}{saying.speaker}{to}: "
