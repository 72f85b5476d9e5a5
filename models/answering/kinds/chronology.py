"""What happened, in order of time: dated statements and mails, with who says so."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from models.answering.claim_text import states
from models.answering.claiming import Claims
from models.answering.documents.amendments import InForce, made_on
from models.answering.documents.calendar_days import days_in, in_words
from models.answering.documents.changes import plain_day
from models.answering.documents.nature import Kind as Nature
from models.answering.documents.speaking import Head, head_of, sayings
from models.answering.documents.studied import Studied, claimed, studied
from models.answering.documents.text import DocumentText, Quote
from models.answering.found import Found, Row, State
from models.answering.library import Library
from models.answering.line import clause_of
from models.answering.picking import pick
from models.answering.query import Query, in_scope
from models.language.kinds import Kind
from models.language.values import ValueKind, values
from models.language.wording import STOP_WORDS, rarity, stem, stem_set, stems, words

_LONGEST_EVENT = 220
MOST_EVENTS = 40
_ABOUT = 0.34
"""Share of the topic's weight, by rarity, that an event's sentence with its subject and heading must hold."""
_TIME = re.compile(
    r"\b(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?\s?(?P<half>[ap])\.?\s?m\b\.?|\b(?P<word>noon|midnight)\b", re.I
)
_FEW = 2


@dataclass(frozen=True, slots=True)
class Event:
    """``day`` is ISO; ``time`` "08:15" or empty. ``quotes``: what says so, a mail's header first."""

    day: str
    time: str
    text: str
    quotes: tuple[Quote, ...]
    document: DocumentText
    about: frozenset[str]


@lru_cache(maxsize=1)
def _table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("chronology.toml").read_text(encoding="utf-8"))


class Chronology:
    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        study = studied(library)
        if any(re.search(pattern, query.flat) for pattern in _table()["term"]) and (
            history := _history(query, library, claims, study)
        ):
            return history
        documents = [d for d in study.documents if query.draft or study.natures[d.source_id].is_basis]
        every = [e for d in documents for e in events(d, study)]
        bounds = _bounds(query.text, every)
        if bounds is None:
            scope = {d.source_id for d in in_scope(query, library.documents)}
            every = [e for e in every if e.document.source_id in scope]
        chosen = _chosen(query, every, bounds)
        if not chosen:
            return None
        rows = tuple(_row(event, library, claims) for event in chosen[:MOST_EVENTS])
        first, last = rows[0].date or "", rows[-1].date or ""
        line = f"{len(rows)} dated events, from {_said(first)} to {_said(last)}."
        state = State.PARTIAL if len(chosen) > MOST_EVENTS else State.STATED
        return Found(Kind.CHRONOLOGY, state, line, rows[0].claim_ids[:1], rows)


def _history(query: Query, library: Library, claims: Claims, study: Studied) -> Found | None:
    """How a term of an agreement changed: as it first was, then each amendment; None where none changed it."""
    sources = [d.source_id for d in in_scope(query, library.documents)]
    for picked in pick(query, library, sources):
        quote = study.quote(picked.statement)
        bases = quote and (
            [b for c in study.amendments.made_by(quote) for b in study.amendments.changed_by(c)] or [quote]
        )
        for base in bases or ():
            force = study.amendments.in_force(base)
            if force is not None and force.applied:
                return _steps(library, claims, study, base, force)
    return None


def _steps(library: Library, claims: Claims, study: Studied, base: Quote, force: InForce) -> Found:
    document = study.by_id[base.source_id]
    own = claimed(library, claims, base)
    rows = [
        Row(document.source_id, document.title, made_on(document), State.STATED, force.before, (own,) if own else ())
    ]
    for one in force.applied:
        changed = study.by_id[one.change.quotes[0].source_id]
        ids = tuple(i for q in one.change.quotes if (i := claimed(library, claims, q)) is not None)
        said = f"{one.change.name}: {one.old}, now {one.new}"
        rows.append(Row(changed.source_id, changed.title, one.change.since, State.STATED, said, ids))
    line = f"{force.applied[-1].new} now ({force.applied[-1].change.name}); first {force.applied[0].old}."
    return Found(Kind.CHRONOLOGY, State.STATED, line, tuple(i for r in rows for i in r.claim_ids), tuple(rows))


def _row(event: Event, library: Library, claims: Claims) -> Row:
    ids = tuple(i for q in event.quotes if (i := claimed(library, claims, q)) is not None)
    return Row(event.document.source_id, event.document.title, event.day, State.STATED, event.text, ids)


def _said(day: str) -> str:
    """ "4 May 2021"; of a month "May 2021"."""
    if len(day) == len("2020-01"):
        return in_words(date.fromisoformat(f"{day}-01")).split(" ", 1)[1]
    return in_words(date.fromisoformat(day))


def events(document: DocumentText, study: Studied) -> Iterator[Event]:
    """A mail is one event, of its moment; elsewhere each sentence with a plain day is one, of its first day."""
    head = head_of(document)
    if study.natures[document.source_id].kind is Nature.EMAIL and head.day and head.quote:
        yield _sent(document, head)
    before = ""
    for saying in sayings(document):
        quote = saying.quote
        if saying.quoted or quote is head.quote or quote.text.endswith("?") or not states(quote.sentence.text):
            continue
        around = stem_set((*quote.shown.passage.heading_path[-1:], head.subject, before))
        before = quote.text
        for day in days_in(quote.text, head.day):
            yield _stated(document, quote, day, around)


def _sent(document: DocumentText, head: Head) -> Event:
    body = [s.quote for s in sayings(document) if not s.quoted]
    assert head.quote is not None and head.day is not None
    told = " ".join(q.text for q in body)
    text = told if len(told) <= _LONGEST_EVENT else told[:_LONGEST_EVENT].rsplit(" ", 1)[0] + " …"
    time = "" if head.moment is None else f"{head.moment.hour:02d}:{head.moment.minute:02d}"
    to = f" to {head.to}" if head.to else ""
    said = f"{_said(head.day)}{', ' + time if time else ''}: {head.speaker}{to}: {text}"
    return Event(head.day, time, said, (head.quote, *body[:4]), document, stem_set((told, head.subject)))


def _stated(document: DocumentText, quote: Quote, day: str, around: frozenset[str]) -> Event:
    time = _clock(quote.text)
    told = clause_of(quote.text, frozenset(), frozenset({ValueKind.DATE}), _LONGEST_EVENT)
    text = f"{_said(day)}: {told}"
    return Event(day, time, text, (quote,), document, stem_set((quote.text,)) | around)


def _clock(text: str) -> str:
    """The time of day where the sentence gives one and only one."""
    found = list(_TIME.finditer(text))
    if len(found) != 1:
        return ""
    if found[0]["word"]:
        return "12:00" if found[0]["word"].lower() == "noon" else "00:00"
    hour = int(found[0]["hour"]) % 12 + (12 if found[0]["half"].lower() == "p" else 0)
    return f"{hour:02d}:{int(found[0]['minute'] or 0):02d}"


def _chosen(query: Query, every: Sequence[Event], bounds: tuple[str, str] | None) -> list[Event]:
    """Those of the topic. Where the question names a beginning and an end, every mail of the time between, and what has
    something to do with it; of one or two documents that it names, every event."""
    weights = {w: _weight(w, every) for w in _topic(query.text)}
    alone = bounds is None and 0 < len(query.named) <= _FEW and len({e.document.source_id for e in every}) == 1
    total = sum(weights.values())
    kept = []
    for event in sorted(every, key=lambda e: (e.day, e.time or "99", e.document.path)):
        if bounds is not None and not bounds[0] <= event.day <= bounds[1]:
            continue
        share = 1.0 if alone else sum(w for t, w in weights.items() if t in event.about) / (total or 1.0)
        letter = bounds is not None and len(event.quotes) > 1
        if share >= (_ABOUT if bounds is None else _ABOUT / 3) or letter:
            kept.append(event)
    return _once(kept)


def _weight(term: str, every: Sequence[Event]) -> float:
    having = sum(term in e.about for e in every)
    return 0.0 if not having else 1.0 / (1 + having / 8)


def _topic(text: str) -> frozenset[str]:
    generic = stem_set(_table()["generic"])
    return frozenset(s for s in stems(text) if s not in generic)


def _bounds(text: str, every: Sequence[Event]) -> tuple[str, str] | None:
    """The days from which and until which, by a day that is named or by the event that fits the words best."""
    for pattern in _table()["between"]:
        found = re.search(pattern, text, re.I)
        if found:
            first, last = (_moment(found[part], every) for part in ("first", "last"))
            if first and last and first[0] <= last[-1]:
                return first[0], last[-1]
    return None


def _moment(said: str, every: Sequence[Event]) -> list[str]:
    """The days of the events that fit the words best, in order."""
    named = [d for v in values(said) if v.kind is ValueKind.DATE and (d := plain_day(v))]
    if named:
        return named
    wanted = {stem(w): rarity(w) for w in words(said) if w not in STOP_WORDS}
    wanted = {w: r for w, r in wanted.items() if w not in stem_set(_table()["generic"])}
    fits = [(sum(r for w, r in wanted.items() if w in e.about), e.day) for e in every]
    best = max((fit for fit, _ in fits), default=0.0)
    return sorted(day for fit, day in fits if best and fit >= 0.8 * best)


def _once(found: Sequence[Event]) -> list[Event]:
    """The same said of the same day twice is one event, by whoever says it first."""
    out: list[Event] = []
    for event in found:
        same = (o for o in out if o.day == event.day)
        if not any(len(event.about & o.about) >= 0.7 * min(len(event.about), len(o.about)) for o in same):
            out.append(event)
    return out
