"""What cannot be taken as it is said: corrected by an errata sheet, taken back, said otherwise by somebody else, or
with words and figures that differ. Both sides are given, with who says so."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from models.answering.claiming import Claims
from models.answering.documents.calendar_days import in_words
from models.answering.documents.corrections import Correction, words_against_figures
from models.answering.documents.nature import Kind as Nature
from models.answering.documents.studied import Studied, claimed, studied
from models.answering.documents.text import Quote
from models.answering.found import Found, State
from models.answering.library import Library
from models.answering.line import joined
from models.answering.picking import Picked, pick, wanted_kinds
from models.answering.query import Query, in_scope
from models.language.kinds import Kind
from models.language.values import Value, ValueKind, values
from models.language.wording import stem_set
from verify.domain.ids import ClaimId

_SAID = frozenset(
    {Nature.EMAIL, Nature.LETTER, Nature.TRANSCRIPT, Nature.WITNESS_STATEMENT, Nature.EXPERT_REPORT, Nature.OTHER}
)
"""Documents in which somebody says how something was; what a contract or a rule lays down is not disputed so."""
_OF_ONE_ANSWER = frozenset({Kind.FACT, Kind.YES_NO, Kind.STATEMENT})
_AS_GOOD = 0.85
"""Share of the best sentence's score that another document's must reach to speak of the same."""
_SAME_WORDS = 0.4
"""Share of the question's words, of those that the one sentence has, that the other must have too."""


class Disputed:
    def revise(self, query: Query, found: Found, library: Library, claims: Claims) -> Found:
        if found.kind not in _OF_ONE_ANSWER or found.state is not State.STATED or not found.claim_ids:
            return found
        study = studied(library)
        cited = _cited(found, study, claims)
        for quote in cited:
            for correction in study.corrections:
                if _same(quote, correction.earlier) or any(_same(quote, q) for q in correction.later):
                    return _corrected(found, correction, library, claims)
        for quote in cited:
            differ = words_against_figures(quote.text)
            if differ:
                text = f"{found.text} The words say {differ[0]}, the figures {differ[1]}."
                return replace(found, state=State.CONFLICTING, text=text)
        other = _otherwise(query, cited[:1], study, library)
        return found if other is None else _both(found, cited[0], other, study, library, claims)


def _cited(found: Found, study: Studied, claims: Claims) -> list[Quote]:
    wanted = {i for claim in claims.of(found.claim_ids) for i in claim.sentence_ids}
    return [q for s in claims.statements if s.sentence.sentence_id in wanted and (q := study.quote(s))]


def _same(one: Quote, other: Quote) -> bool:
    return one.sentence.sentence_id == other.sentence.sentence_id


def _corrected(found: Found, one: Correction, library: Library, claims: Claims) -> Found:
    ids = _claimed([one.earlier, *one.later], library, claims)
    if one.errata:
        on = f", {in_words(date.fromisoformat(one.dated))}" if one.dated and len(one.dated) == len("2020-01-01") else ""
        text = f"“{one.new}” (errata sheet{on}); first, in testimony: “{one.old}”."
    else:
        text = f"{one.new or one.later[0].text} (corrected; first: “{one.earlier.text}”)"
    return replace(found, state=State.CONFLICTING, text=joined([text]), claim_ids=ids)


def _claimed(quotes: Sequence[Quote], library: Library, claims: Claims) -> tuple[ClaimId, ...]:
    return tuple(i for q in quotes if (i := claimed(library, claims, q)) is not None)


def _otherwise(query: Query, cited: Sequence[Quote], study: Studied, library: Library) -> Quote | None:
    """A sentence of another document that answers as well and with another value of the kind that is asked for."""
    kinds = wanted_kinds(query)
    if not kinds or not cited or study.natures[cited[0].source_id].kind not in _SAID:
        return None
    mine = _of(kinds, cited[0].text)
    asked = frozenset(query.asked.terms) & stem_set((cited[0].text,))
    if len(mine) != 1 or not asked:
        return None
    picked = pick(query, library, [d.source_id for d in in_scope(query, library.documents)])
    best = max((one.score for one in picked), default=0.0)
    for one in picked[:8]:
        quote = study.quote(one.statement)
        if quote is not None and _differs(quote, one, mine[0], asked, study, cited[0]) and one.score >= _AS_GOOD * best:
            return quote
    return None


def _differs(quote: Quote, one: Picked, mine: Value, asked: frozenset[str], study: Studied, cited: Quote) -> bool:
    other = [v for v in values(quote.text) if v.kind is mine.kind]
    return (
        quote.source_id != cited.source_id
        and study.natures[quote.source_id].kind in _SAID
        and len(other) == 1
        and not other[0].covers(mine)
        and not mine.covers(other[0])
        and len(asked & one.statement.stems) >= max(1.0, _SAME_WORDS * len(asked))
    )


def _of(kinds: frozenset[ValueKind], text: str) -> list[Value]:
    return [v for v in values(text) if v.kind in kinds]


def _both(found: Found, mine: Quote, other: Quote, study: Studied, library: Library, claims: Claims) -> Found:
    ids = _claimed([mine, other], library, claims)
    said = [f"{q.text.rstrip('.')} ({study.by_id[q.source_id].title})." for q in (mine, other)]
    return replace(found, state=State.CONFLICTING, text=joined(said), claim_ids=ids)
