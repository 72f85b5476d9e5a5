"""Comparisons: one search for each thing compared, the answers side by side."""

import re
from dataclasses import replace

from models.answering.claiming import Claims
from models.answering.found import Found, Row, State
from models.answering.kinds.fact import answering, answers
from models.answering.kinds.rows import name_of
from models.answering.library import Library
from models.answering.line import clause_of
from models.answering.naming import documents_named
from models.answering.picking import pick, wanted_kinds
from models.answering.query import Query, in_scope
from models.language.kinds import Kind
from models.language.questions import read_question
from verify.domain.ids import SourceId

_SIDES = (
    re.compile(r"\b(?:compare|contrast|comparison of|comparing)\s+(?P<one>.{3,160}?)\s+(?:with|to|against|and|versus|vs\.?)\s+(?P<two>.{3,160}?)[.?]*$", re.I),  # noqa: E501
    re.compile(r"\b(?:put|set|hold)\s+(?P<one>.{3,160}?)\s+(?:beside|next to|against|side by side with)\s+(?P<two>.{3,160}?)[.?]*$", re.I),  # noqa: E501
    re.compile(r"\bhow (?:do|does|did)\s+(?P<one>.{3,120}?)\s+and\s+(?P<two>.{3,120}?)\s+differ(?:\s+(?:on|in|about|over|as to)\s+(?P<topic>.{3,160}?))?[.?]*$", re.I),  # noqa: E501
    re.compile(r"\b(?P<topic>.{3,160}?)\s+(?:between|in|of)\s+(?:both\s+)?(?P<one>.{3,100}?)\s+(?:and|or)\s+(?P<two>.{3,100}?)[.?]*$", re.I),  # noqa: E501
)  # fmt: skip
_LONGEST_SIDE = 190


class Compare:
    kind = Kind.COMPARE

    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        sides = self._sides(query, library)
        if len(sides) < 2:
            return None
        rows: list[Row] = []
        taken: set[tuple[SourceId, int]] = set()
        for asked, sources in sides:
            row = self._row(asked, query, library, claims, sources, taken)
            if row is not None:
                rows.append(row)
        stated = [row for row in rows if row.state is State.STATED]
        if not stated:
            return Found(self.kind, State.SILENT, rows=tuple(rows))
        state = State.STATED if len(stated) == len(rows) and len(rows) > 1 else State.PARTIAL
        text = " | ".join(row.text for row in stated)
        return Found(self.kind, state, text[:398], tuple(i for row in stated for i in row.claim_ids), tuple(rows))

    def _sides(self, query: Query, library: Library) -> list[tuple[Query, tuple[SourceId, ...]]]:
        scope = in_scope(query, library.documents)
        for pattern in _SIDES:
            match = pattern.search(query.text)
            if match is None:
                continue
            topic = (match.groupdict().get("topic") or "").strip()
            sides = []
            for side in (match["one"], match["two"]):
                named = documents_named(side, scope, library.mentions)
                text = f"{topic} {side}".strip()
                other = match["two"] if side == match["one"] else match["one"]
                if not topic and len(side.split()) < 5:
                    text = f"{text} ({other})"
                sides.append(
                    (replace(query, text=text, asked=read_question(text)), named or tuple(d.source_id for d in scope))
                )
            if sides[0][1] != sides[1][1] or match.groupdict().get("topic") is None:
                return sides
        if 2 <= len(query.named) <= 6:
            return [(query, (source_id,)) for source_id in query.named]
        return []

    def _row(
        self,
        asked: Query,
        query: Query,
        library: Library,
        claims: Claims,
        sources: tuple[SourceId, ...],
        taken: "set[tuple[SourceId, int]]",
    ) -> Row | None:
        documents = {d.source_id: d for d in library.documents}
        picked = [p for p in pick(asked, library, sources) if (p.statement.source_id, p.statement.order) not in taken]
        chosen = answering(asked, picked) or [p for p in picked[:1] if answers(asked, p)]
        if not chosen:
            if len(sources) > 1:
                return None
            return Row(sources[0], name_of(documents[sources[0]]), documents[sources[0]].dated, State.SILENT, "")
        best = chosen[0].statement
        taken.add((best.source_id, best.order))
        draft = claims.extract(library, best)
        terms = frozenset(query.asked.terms) | query.asked.explained
        text = clause_of(best.sentence.text, terms, wanted_kinds(query), _LONGEST_SIDE)
        document = documents[best.source_id]
        return Row(best.source_id, name_of(document), document.dated, State.STATED, text, (draft.claim_id,))
