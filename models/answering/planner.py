"""Runs the one strategy that the kind of question asks for, then what other documents do to its answer."""

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
from models.answering.library import Library
from models.answering.query import Query
from models.answering.revisers.amended import Amended
from models.answering.revisers.disputed import Disputed
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
REVISERS: tuple[Reviser, ...] = (Amended(), Disputed())
_FACT, _MEASURED, _TERM_LED = Fact(), Measured(), TermLed()


def found(query: Query, library: Library, claims: Claims) -> Found:
    """The answer that the documents give, its claims in ``claims``; a state of silence where they give none."""
    if query.outside:
        return Found(query.kind, State.SILENT, note=Note.OUTSIDE)
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
    for reviser in REVISERS:
        result = reviser.revise(query, result, library, claims)
    return result
