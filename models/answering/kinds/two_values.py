"""A sum, a difference, a ratio or the days between two values that two sentences state."""

from models.answering.calculation import calculated, other_operand
from models.answering.claiming import Claims
from models.answering.claims import extract_claim
from models.answering.drafts import Answers
from models.answering.found import Found, State
from models.answering.kinds.fact import answering
from models.answering.library import Library
from models.answering.picking import pick
from models.answering.query import Query, in_scope
from models.language.kinds import Kind

_OPERANDS = 12
"""Among how many of the best sentences the second value is sought."""


class TwoValues:
    kind = Kind.CALCULATION

    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        picked = pick(query, library, [d.source_id for d in in_scope(query, library.documents)])
        chosen = answering(query, picked)
        if not chosen:
            return None
        for one in chosen:
            claims.extract(library, one.statement, Answers.PERHAPS)
        others = [p.statement for p in picked[:_OPERANDS] if p not in chosen]
        drafts = {extract_claim(0, library.full(s), s.sentence): s for s in others}
        operand = other_operand(query.asked, claims.made, drafts)
        if operand is not None:
            claims.extract(library, drafts[operand], Answers.PERHAPS)
        result = calculated(query.text, claims.made)
        if result is None:
            return None
        added = claims.add(result)
        return Found(self.kind, State.STATED, added.text, (added.claim_id,))
