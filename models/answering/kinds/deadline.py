"""The day on which a period ends: the clause's period counted from a day that the question or a document gives.

How it was counted is said. The day is the program's work and not a quotation, so its claim is for a person to review:
holidays and deemed service are not known here.
"""

import re
import tomllib
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from pathlib import Path

from models.answering.claiming import Claims
from models.answering.claims import extract_claim
from models.answering.documents.calendar_days import Period, counted, days_in, in_words, period_unit, rule, weekend
from models.answering.documents.changes import plain_day
from models.answering.documents.nature import Kind as Kinds
from models.answering.documents.nature import Nature
from models.answering.documents.speaking import head_of
from models.answering.documents.studied import Studied, claimed, statement_of, studied
from models.answering.documents.text import Quote
from models.answering.drafts import Answers, ClaimDraft
from models.answering.found import Found, State
from models.answering.library import Library, Statement
from models.answering.picking import pick
from models.answering.query import Query, in_scope
from models.language.kinds import Kind
from models.language.questions import read_question
from models.language.values import Value, ValueKind, values
from models.language.wording import rarity, stem, stem_set, stems, words
from verify.domain.claim import ClaimType, Support, SupportLabel

COUNTED = Support(SupportLabel.UNCLEAR, 500, "counted")
_WHEN = re.compile(r"\b(?:(?:by|on|until|before) )?(?:when|(?:what|which) (?:date|day))\b", re.I)
_ENDS = re.compile(
    r"\b(?:runs? out|expires?|laps(?:e|es)|ends?|falls? due|(?:be )?due|at the latest|deadline|last day)\b", re.I
)
_SENTENCE = re.compile(r"(?<=[.?!;])\s+")
_BINDS = re.compile(r"\b(?:shall|must|may|within|later than|at least|barred|due|expires?|lapses?|will)\b")
_TELL = frozenset({Kinds.OPINION, Kinds.EMAIL, Kinds.TRANSCRIPT, Kinds.WITNESS_STATEMENT, Kinds.MINUTES, Kinds.ERRATA})
"""Documents that tell what happened, and lay down no period."""
_NAMED = 0.5
"""Share of the question's words, by rarity, that the clause must have."""
_LOOKED_AT = 8
_TRIGGER = 0.5
"""Share of the words of what starts a period, by rarity, that the sentence which gives its day must have."""


@dataclass(frozen=True, slots=True)
class _Clause:
    """``said``: the period as the clause words it. ``trigger``: what it is counted from. ``back``: before that."""

    statement: Statement
    text: str
    said: str
    period: Period
    trigger: str
    back: bool


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[re.Pattern[str], ...], re.Pattern[str], re.Pattern[str]]:
    data = tomllib.loads(Path(__file__).with_name("deadline.toml").read_text(encoding="utf-8"))
    asked = tuple(re.compile(p, re.I) for p in data["asked"])
    return asked, re.compile(data["after"], re.I), re.compile(data["before"], re.I)


def asks_for_a_day(query: Query) -> bool:
    return any(pattern.search(query.text) for pattern in _table()[0])


def counts_from_a_day(query: Query) -> bool:
    """Whether the question itself gives a day from which a period runs."""
    return asks_for_a_day(query) and any(plain_day(v) for v in values(query.text))


class Deadline:
    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        study = studied(library)
        named = [(v, d) for v in values(query.text) if (d := plain_day(v))]
        clause = _clause(_without_days(query, named), library, study)
        if clause is None:
            return None
        told, first = (None, named[0][1]) if named else _start(clause, library, study) or (None, "")
        if not first:
            return None
        start = date.fromisoformat(first)
        try:
            day = counted(start, clause.period, back=clause.back)
        except OverflowError:
            return None
        return _found(library, claims, clause, day, start, told)


def _without_days(query: Query, named: list[tuple[Value, str]]) -> Query:
    """The question for the period: without its own days, which no clause holds."""
    text = query.text
    for value, _ in reversed(named):
        text = f"{text[: value.start]} {text[value.end :]}"
    asking = next((s for s in reversed(_SENTENCE.split(text)) if _WHEN.search(s)), text)
    text = _ENDS.sub(" ", _WHEN.sub("how long", " ".join(asking.split())))
    return replace(query, text=text, asked=read_question(text))


def _clause(query: Query, library: Library, study: Studied) -> _Clause | None:
    """The best sentence with a period that is counted from something, as it is in force."""
    binding = [d.source_id for d in in_scope(query, library.documents) if _lays_down(study.natures.get(d.source_id))]
    for one in pick(query, library, binding)[:_LOOKED_AT] if binding else ():
        if one.words < _NAMED or not _BINDS.search(one.statement.flat):
            continue
        quote = study.quote(one.statement)
        force = quote and study.amendments.in_force(quote)
        text = force.text if force else " ".join(one.statement.sentence.text.split())
        found = _period(one.statement, text)
        if found is not None:
            return found
    return None


def _lays_down(known: Nature | None) -> bool:
    return known is not None and known.kind not in _TELL


def _period(statement: Statement, text: str) -> _Clause | None:
    _, after, before = _table()
    for value in values(text):
        unit = next(iter(value.readings)).split()[-1] if value.kind is ValueKind.DURATION else ""
        if unit not in ("day", "week", "month", "year") or len(value.readings) != 1:
            continue
        for pattern, back in ((after, False), (before, True)):
            linked = pattern.match(text, value.end)
            if linked:
                count = next(iter(value.readings)).split()[0]
                said = text[value.start : value.end]
                trigger = re.split(r"[.;,]|\band shall\b", text[linked.end() :], maxsplit=1)[0]
                period = Period(int(count), period_unit(said, unit)) if count.isdigit() else None
                return None if period is None else _Clause(statement, text, said, period, trigger, back)
    return None


def _start(clause: _Clause, library: Library, study: Studied) -> tuple[Quote, str] | None:
    """The sentence that tells when what starts the period happened, with its day; None where none plainly does."""
    wanted = {stem(w): rarity(w) for w in words(clause.trigger) if stem(w) in stems(clause.trigger)}
    total = sum(wanted.values()) or 1.0
    best: tuple[float, Quote, str] | None = None
    for document in study.documents:
        if not study.natures[document.source_id].is_basis or document.source_id == clause.statement.source_id:
            continue
        day = head_of(document).day
        for quote in document.quotes:
            days = [d for d in days_in(quote.text, day) if len(d) == len("2020-01-01")]
            share = sum(w for t, w in wanted.items() if t in stem_set((quote.text,))) / total
            if len(days) == 1 and share >= _TRIGGER and (best is None or share > best[0]):
                best = share, quote, days[0]
    return None if best is None else (best[1], best[2])


def _found(library: Library, claims: Claims, clause: _Clause, day: date, start: date, told: Quote | None) -> Found:
    own = claims.extract(library, clause.statement, Answers.YES)
    event = None if told is None else claimed(library, claims, told)
    direction = "before" if clause.back else "after"
    on = f", {weekend(day)}" if weekend(day) else ""
    counting = rule(clause.period, start)
    text = f"{in_words(day)}{on} ({clause.said} {direction} {in_words(start)}; {counting})."
    made = claims.add(_worked(text, library, clause, told))
    ids = (made.claim_id, own.claim_id, *((event,) if event else ()))
    return Found(Kind.CALCULATION, State.STATED, text, ids)


def _worked(text: str, library: Library, clause: _Clause, told: Quote | None) -> ClaimDraft:
    statements = [clause.statement, *([s] if told and (s := statement_of(library, told)) else [])]
    drafts = [extract_claim(0, library.full(s), s.sentence) for s in statements]
    return replace(
        drafts[0], text=text, claim_type=ClaimType.SYNTHESIS, support=COUNTED,
        citations=tuple(c for d in drafts for c in d.citations),
        sentence_ids=tuple(i for d in drafts for i in d.sentence_ids),
    )  # fmt: skip
