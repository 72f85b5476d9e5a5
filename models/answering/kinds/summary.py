"""All that documents say on a subject, in their order, a line each: the section on it, and what else tells it."""

import re
from collections.abc import Sequence

from models.answering.claim_text import one_line
from models.answering.claiming import Claims
from models.answering.found import Found, State
from models.answering.kinds.fact import answers
from models.answering.library import Library, Statement
from models.answering.line import clause_of, joined
from models.answering.picking import Picked, pick, told_in, wanted_kinds
from models.answering.query import Query, in_scope
from models.language.kinds import Kind

_MOST = 9
_READ = 24
_NEAR = 0.6
"""Share of the best score that a sentence outside the section must reach to be a point of the summary."""
_RANKED_WEIGHT, _SOME = 0.5, 0.3
_SHORTEST_POINT = 25
LONGEST_SUMMARY = 980
_NUMBER = re.compile(r"^\W*(?:section|article|clause)?\s*(\d+)[.\s]", re.I)


class Summary:
    kind = Kind.SUMMARY

    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        scope = in_scope(query, library.documents)
        picked = pick(query, library, [d.source_id for d in scope])
        plain = [one for one in picked if one.statement.sentence.cell is None]
        able = [one for one in plain[:_READ] if answers(query, one)] or [p for p in plain[:1] if p.words >= _SOME]
        if not able:
            return Found(self.kind, State.SILENT)
        section = _section(able, library)
        told = told_in(query, library, [d for d in scope if d.source_id == section[0].source_id])
        near = [one.statement for one in able if one.score >= _NEAR * able[0].score]
        chosen = _distinct([*section, *told, *near])[:_MOST]
        order = {d.source_id: n for n, d in enumerate(scope)}
        chosen.sort(key=lambda s: (order.get(s.source_id, 0), s.order))
        drafts = [claims.extract(library, s) for s in chosen]
        asked = frozenset(query.asked.terms) | query.asked.explained
        share = max(90, LONGEST_SUMMARY // len(chosen) - 6)
        text = joined([clause_of(s.sentence.text, asked, wanted_kinds(query), share) for s in chosen], LONGEST_SUMMARY)
        return Found(self.kind, State.STATED, text, tuple(d.claim_id for d in drafts))


def _distinct(statements: Sequence[Statement]) -> list[Statement]:
    """Each once, in the order given; scraps are left out."""
    kept: dict[tuple[str, int], Statement] = {}
    for statement in statements:
        if len(statement.sentence.text) >= _SHORTEST_POINT:
            kept.setdefault((statement.source_id, statement.order), statement)
    return list(kept.values())


def _section(able: Sequence[Picked], library: Library) -> list[Statement]:
    """The sentences of the section that holds most of what answers, each counted by how high it ranks."""
    worth: dict[tuple[str, str], float] = {}
    for rank, one in enumerate(able):
        place = _place(one.statement)
        worth[place] = worth.get(place, 0.0) + one.score / (1 + _RANKED_WEIGHT * rank)
    best = max(worth, key=lambda place: worth[place])
    first = next(one.statement for one in able if _place(one.statement) == best)
    if first.sentence.cell is not None:
        return [first]
    within = [s for s in library.statements(first.source_id) if _place(s) == best]
    return within if len(within) <= 2 * _MOST else [one.statement for one in able if _place(one.statement) == best]


def _place(statement: Statement) -> tuple[str, str]:
    """Document and section: the top number of the clause, else the nearest heading."""
    headings = [h for h in statement.passage.passage.heading_path if h.strip()]
    number = _NUMBER.match(one_line(statement.sentence.text) + " ") or (
        _NUMBER.match(headings[-1]) if headings else None
    )
    where = number[1] if number else (headings[-1] if headings else str(statement.passage.passage.ordinal))
    return statement.source_id, where
