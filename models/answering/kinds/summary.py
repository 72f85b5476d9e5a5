"""All that documents say on a subject, in their order, a line each."""

from models.answering.claiming import Claims
from models.answering.found import Found, State
from models.answering.kinds.fact import answers
from models.answering.library import Library
from models.answering.line import clause_of, joined
from models.answering.picking import pick, wanted_kinds
from models.answering.query import Query, in_scope
from models.language.kinds import Kind

_MOST = 8
_NEAR = 0.5
"""Share of the best score that a sentence must reach to be a point of the summary."""
LONGEST_SUMMARY = 980


class Summary:
    kind = Kind.SUMMARY

    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        scope = in_scope(query, library.documents)
        picked = pick(query, library, [d.source_id for d in scope])
        able = [one for one in picked[:24] if answers(query, one)]
        if not able:
            return Found(self.kind, State.SILENT)
        chosen = [one.statement for one in able if one.score >= _NEAR * able[0].score][:_MOST]
        order = {d.source_id: n for n, d in enumerate(scope)}
        chosen.sort(key=lambda s: (order.get(s.source_id, 0), s.order))
        drafts = [claims.extract(library, s) for s in chosen]
        asked = frozenset(query.asked.terms) | query.asked.explained
        share = max(110, LONGEST_SUMMARY // len(chosen) - 4)
        text = joined([clause_of(s.sentence.text, asked, wanted_kinds(query), share) for s in chosen], LONGEST_SUMMARY)
        return Found(self.kind, State.STATED, text, tuple(d.claim_id for d in drafts))
