"""Runs the one strategy that the kind of question asks for, then what other documents do to its answer."""

from dataclasses import replace

from models.answering.claiming import Claims
from models.answering.found import Found, Note, State
from models.answering.kinds.calculated import Calculated, must_be_worked_out
from models.answering.kinds.chronology import Chronology
from models.answering.kinds.clause import Clause
from models.answering.kinds.compare import Compare
from models.answering.kinds.definition import Definition, TermLed
from models.answering.kinds.fact import Fact
from models.answering.kinds.holding import Holding, only_of_opinions
from models.answering.kinds.measured import Measured
from models.answering.kinds.protocol import Reviser, Strategy
from models.answering.kinds.rows import Listed
from models.answering.kinds.statement import Says
from models.answering.kinds.summary import Summary
from models.answering.kinds.yes_no import YesNo
from models.answering.library import Library, Standing
from models.answering.query import Query, in_scope
from models.answering.revisers.amended import Amended
from models.answering.revisers.disputed import Disputed
from models.answering.revisers.struck import Struck
from models.language.kinds import Kind

STRATEGIES: dict[Kind, Strategy] = {
    Kind.YES_NO: YesNo(),
    Kind.LIST: Listed(Kind.LIST),
    Kind.COUNT: Listed(Kind.COUNT),
    Kind.COMPARE: Compare(),
    Kind.DEFINITION: Definition(),
    Kind.CLAUSE: Clause(),
    Kind.SUMMARY: Summary(),
    Kind.CALCULATION: Calculated(),
    Kind.CHRONOLOGY: Chronology(),
    Kind.STATEMENT: Says(),
    Kind.HOLDING: Holding(),
}
REVISERS: tuple[Reviser, ...] = (Amended(), Disputed(), Struck())
_FACT, _MEASURED, _TERM_LED = Fact(), Measured(), TermLed()


def found(query: Query, library: Library, claims: Claims) -> Found:
    """The answer that the documents give, its claims in ``claims``; a state of silence where they give none."""
    if query.outside:
        return Found(query.kind, State.SILENT, note=Note.OUTSIDE)
    result = _found(query, library, claims)
    if result.state is State.SILENT and not result.rows and not query.draft:
        result = _of_drafts(query, result, library, claims)
    for reviser in REVISERS:
        result = reviser.revise(query, result, library, claims)
    return _with_drafts_named(query, result, library, claims)


def _found(query: Query, library: Library, claims: Claims) -> Found:
    strategy = STRATEGIES.get(query.kind)
    if query.kind is Kind.FACT and must_be_worked_out(query):
        strategy = STRATEGIES[Kind.CALCULATION]
    elif query.kind is Kind.YES_NO and only_of_opinions(query, library):
        strategy = STRATEGIES[Kind.HOLDING]  # what the law is, by an opinion, is what its court held
    result = None
    if query.kind in (Kind.FACT, Kind.COUNT) and not must_be_worked_out(query):
        result = _MEASURED.find(query, library, claims)
    if result is None and query.kind is Kind.FACT:
        result = _TERM_LED.find(query, library, claims)
    if result is None and strategy is not None:
        result = strategy.find(query, library, claims)
    if result is None:
        result = _FACT.find(query, library, claims)
    if query.kind is Kind.YES_NO and result.state is State.SILENT:
        result = _TERM_LED.find(query, library, claims) or result
    return result


def _of_drafts(query: Query, silent: Found, library: Library, claims: Claims) -> Found:
    """What only a draft says; ``silent`` where none does."""
    if all(d.standing is Standing.DRAFT for d in in_scope(query, library.documents)):
        return silent  # they were read
    drafts = replace(query, only_drafts=True)
    if not in_scope(drafts, library.documents):
        return silent
    said = _found(drafts, library, Claims())  # first apart, so that what is not said leaves no claim
    if said.state is not State.STATED or said.rows or not said.claim_ids:
        return silent
    return _found(drafts, library, claims)


def _with_drafts_named(query: Query, said: Found, library: Library, claims: Claims) -> Found:
    """A line that rests on drafts alone names them, unless they were asked for."""
    wanted = {c.citations[0].source_id for c in claims.of(said.claim_ids) if c.citations}
    cited = [d for d in library.documents if d.source_id in wanted]
    if query.draft or said.rows or not said.text or any(d.standing is not Standing.DRAFT for d in cited) or not cited:
        return said
    names = ", ".join(d.path.rsplit("/", 1)[-1] for d in cited)
    return replace(said, text=f"{said.text} (a draft: {names})")
