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
    if pinned and any(q.elsewhere and not _stands(q) for q in facts.quotations):
        return Verdict.NOT_ON_PAGE, (Advice.QUOTATION_ELSEWHERE,)
    if any(not _stands(q) for q in facts.quotations):
        return Verdict.CHECK_BY_EYE, (Advice.LOOK_AT_PAGE,)
    if facts.other_voice:
        return Verdict.CHECK_BY_EYE, (Advice.ANOTHER_VOICE,)
    return _of_support(facts, pinned)


def _stands(quotation: QuotationFound) -> bool:
    return quotation.check is not None and quotation.check.status is Status.VERIFIED


def _differs(quotation: QuotationFound) -> bool:
    return quotation.check is not None and quotation.check.status is Status.MISMATCH and not quotation.elsewhere


def _of_support(facts: Facts, pinned: bool) -> Judged:
    remarks = _remarks(facts, pinned)
    quoted = any(len(q.text.split()) >= LEAST_QUOTED for q in facts.quotations)
    support = facts.support
    if support is None or support.label is SupportLabel.NOT_EVALUATED:
        if quoted:
            return Verdict.STANDS, (Advice.STANDS, *remarks)
        return Verdict.UNCLEAR, (Advice.NOTHING_TO_COMPARE, *remarks)
    if support.label is SupportLabel.CONTRADICTED:
        return Verdict.NOT_SUPPORTED, (Advice.SPEAKS_AGAINST, *remarks)
    if quoted or support.label is SupportLabel.SUPPORTED:
        return Verdict.STANDS, (Advice.STANDS, *remarks)
    if pinned and support.better_pages:
        return Verdict.NOT_ON_PAGE, (Advice.BETTER_PAGE, *remarks)
    if support.score < HARDLY:
        return Verdict.NOT_SUPPORTED, (Advice.NOTHING_OF_IT, *remarks)
    return Verdict.UNCLEAR, (Advice.COMPARE, *remarks)


def _remarks(facts: Facts, pinned: bool) -> tuple[Advice, ...]:
    found = []
    if not pinned:
        found.append(Advice.NO_PINPOINT)
    if any(q.over for q in facts.quotations):
        found.append(Advice.RUNS_OVER)
    if facts.quoted_there:
        found.append(Advice.QUOTED_THERE)
    return tuple(found)
