"""The one gate of a cite-check: what was found of a citation → its verdict. A pure function."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.services.cite_check.findings import Advice, QuotationFound, Verdict
from app.services.cite_check.places import Fault, Pinned
from app.services.cite_check.resolving import Doubt, Resolved
from models.triage.support import SupportResult
from verify.domain.claim import SupportLabel
from verify.report import Status

LEAST_QUOTED = 4
"""Words of a verified quotation from which it carries its citation where triage is not sure."""
PHRASE = 9
"""Words from which a quotation that several pages hold is no repeated phrase."""
LEAST_SCORE = 400
"""Score of support (0-1000) under which another page fits clearly better, whatever the words of this one support. On
the half of the opinions that it was taken from 10 % of right citations score less, and 85 % of wrong pages
(``tests/benchmarks/bench_cite_check.py``)."""
FEW_WORDS = 400
"""Share of the proposition's words, and of their weight (0-1000), that a page must have some of."""
FITS = 500
"""Score of support (0-1000) from which a page fits better than any other, though it is worded otherwise."""
HARDLY = 250
"""Score of support (0-1000) under which the page has next to nothing of the proposition."""

_UNRESOLVED = {
    Doubt.NOT_FOUND: (Verdict.NOT_IN_MATTER, Advice.NOT_THERE),
    Doubt.STATUTE: (Verdict.NOT_IN_MATTER, Advice.STATUTE_NOT_IN_MATTER),
    Doubt.SEVERAL: (Verdict.CHECK_BY_EYE, Advice.SEVERAL_DOCUMENTS),
    Doubt.NAME_AND_CITATION: (Verdict.NOT_IN_MATTER, Advice.NAME_AND_CITATION),
    Doubt.NOTHING_BEFORE: (Verdict.CHECK_BY_EYE, Advice.NOTHING_BEFORE),
    Doubt.OTHER_CITATION: (Verdict.CHECK_BY_EYE, Advice.OTHER_CITATION),
}
_FAULTS = {
    Fault.BEYOND: (Verdict.NO_SUCH_PAGE, Advice.BEYOND_END),
    Fault.NO_LINE: (Verdict.NO_SUCH_PAGE, Advice.NO_LINE),
    Fault.NO_PARAGRAPH: (Verdict.NO_SUCH_PAGE, Advice.NO_PARAGRAPH),
    Fault.NO_SECTION: (Verdict.NO_SUCH_PAGE, Advice.NO_SECTION),
    Fault.OTHER_PAGING: (Verdict.CHECK_BY_EYE, Advice.OTHER_PAGING),
}


@dataclass(frozen=True, slots=True)
class Facts:
    """``other_voice`` is true where the cited words are not the court's own; ``quoted_there`` where the page quotes
    them from elsewhere."""

    resolved: Resolved
    pinned: Pinned
    quotations: Sequence[QuotationFound]
    support: SupportResult | None
    other_voice: bool = False
    quoted_there: bool = False


Judged = tuple[Verdict, tuple[Advice, ...]]


def judge(facts: Facts) -> Judged:
    """The first that applies decides; remarks that change nothing are added."""
    if facts.resolved.card is None:
        verdict, advice = _UNRESOLVED[facts.resolved.doubt or Doubt.NOT_FOUND]
        return verdict, (advice,)
    verdict, advices = _of_the_page(facts)
    if facts.resolved.doubt is Doubt.OTHER_CITATION:
        worst = verdict if _ORDER[verdict] < _ORDER[Verdict.CHECK_BY_EYE] else Verdict.CHECK_BY_EYE
        return worst, (Advice.OTHER_CITATION, *advices)
    return verdict, advices


_ORDER = {verdict: number for number, verdict in enumerate(Verdict)}


def severity(verdict: Verdict) -> int:
    """0 is the worst."""
    return _ORDER[verdict]


def _of_the_page(facts: Facts) -> Judged:
    if facts.pinned.fault in _FAULTS:
        verdict, advice = _FAULTS[facts.pinned.fault]
        elsewhere = (Advice.QUOTATION_ELSEWHERE,) if any(q.elsewhere for q in facts.quotations) else ()
        if any(_differs(q) for q in facts.quotations):
            return (Verdict.QUOTATION_DIFFERS if verdict is Verdict.CHECK_BY_EYE else verdict), (
                advice,
                Advice.CORRECT_QUOTATION,
            )
        return verdict, (advice, *elsewhere)
    if any(_differs(q) for q in facts.quotations):
        return Verdict.QUOTATION_DIFFERS, (Advice.CORRECT_QUOTATION,)
    pinned = facts.pinned.fault is None
    if pinned and any(q.elsewhere and not _stands(q) and not _is_term(q) for q in facts.quotations):
        return Verdict.NOT_ON_PAGE, (Advice.QUOTATION_ELSEWHERE,)
    if any(not _stands(q) and not (q.elsewhere and _is_term(q)) for q in facts.quotations):
        return Verdict.CHECK_BY_EYE, (Advice.LOOK_AT_PAGE,)
    if facts.other_voice:
        return Verdict.CHECK_BY_EYE, (Advice.ANOTHER_VOICE,)
    return _of_support(facts, pinned)


def _stands(quotation: QuotationFound) -> bool:
    return quotation.check is not None and quotation.check.status is Status.VERIFIED


def _is_term(quotation: QuotationFound) -> bool:
    """A word or two in marks, which a draft may borrow from anywhere in the document."""
    return len(quotation.text.split()) < LEAST_QUOTED


def _tells_the_page(quotation: QuotationFound) -> bool:
    """True of words that stand on this page alone, or are long enough not to be a phrase that the document repeats."""
    words = len(quotation.text.split())
    return words >= LEAST_QUOTED and (not quotation.common or words >= PHRASE)


def _differs(quotation: QuotationFound) -> bool:
    return quotation.check is not None and quotation.check.status is Status.MISMATCH and not quotation.elsewhere


def _of_support(facts: Facts, pinned: bool) -> Judged:
    remarks = _remarks(facts, pinned)
    quoted = any(_stands(q) and _tells_the_page(q) for q in facts.quotations)
    support = facts.support
    if support is None or support.label is SupportLabel.NOT_EVALUATED:
        if quoted:
            return Verdict.STANDS, (Advice.STANDS, *remarks)
        return Verdict.UNCLEAR, (Advice.NOTHING_TO_COMPARE, *remarks)
    if support.label is SupportLabel.CONTRADICTED:
        return Verdict.NOT_SUPPORTED, (Advice.SPEAKS_AGAINST, *remarks)
    if quoted or _is_supported(support, pinned):
        return Verdict.STANDS, (Advice.STANDS, *remarks)
    if support.score >= FITS and not _speaks_against(support):
        return Verdict.STANDS, (Advice.STANDS, Advice.WORDED_FREELY, *remarks)
    if pinned and support.better_pages:
        return Verdict.NOT_ON_PAGE, (Advice.BETTER_PAGE, *remarks)
    if support.score < HARDLY:
        return Verdict.NOT_SUPPORTED, (Advice.NOTHING_OF_IT, *remarks)
    return Verdict.UNCLEAR, (Advice.COMPARE, *remarks)


def _is_supported(support: SupportResult, pinned: bool) -> bool:
    """A page that has few of the words supports a general sentence no better than any page of any document."""
    signals = dict(support.signals)
    shares = [score for name, score in support.signals if name.startswith("page_") and name[5:].isdigit()]
    little = signals.get("words", 1000) < FEW_WORDS and max(shares, default=1000) < FEW_WORDS
    return support.label is SupportLabel.SUPPORTED and not little and (support.score >= LEAST_SCORE or not pinned)


_FREELY = frozenset({"other_words", "left_out", "who_and_what", "who_says", "subject", "page_fit", "page_contrast"})
"""Signals that fail wherever a sentence is worded in the writer's own way; every other one names a fault."""


def _speaks_against(support: SupportResult) -> bool:
    return any(score < 500 and name not in _FREELY and not name.startswith("page_") for name, score in support.signals)


def _remarks(facts: Facts, pinned: bool) -> tuple[Advice, ...]:
    found = []
    if not pinned:
        found.append(Advice.NO_PINPOINT)
    if any(q.over for q in facts.quotations):
        found.append(Advice.RUNS_OVER)
    if facts.quoted_there:
        found.append(Advice.QUOTED_THERE)
    return tuple(found)
