"""Comparisons: one search for each thing compared, the answers side by side."""

import re
from dataclasses import replace

from models.answering.claiming import Claims
from models.answering.found import Found, Row, State
from models.answering.kinds.fact import answering, answers
from models.answering.kinds.rows import name_of
from models.answering.library import Library
from models.answering.line import clause_of
from models.answering.naming import called_alone, documents_named
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
_TRIED = 3


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
            named = [
                documents_named(match[side], scope, library.mentions) or called_alone(match[side], scope)
                for side in ("one", "two")
            ]
            if all(named) and set(named[0]) != set(named[1]):
                own = [tuple(i for i in mine if i not in other) or mine for mine, other in (named, named[::-1])]
                return [(query, sources) for sources in own]
            everywhere = query.named or tuple(d.source_id for d in scope)
            texts = [f"{topic} {match[side]}".strip() for side in ("one", "two")]
            return [
                (replace(query, text=text, asked=read_question(text)), sources or everywhere)
                for text, sources in zip(texts, named, strict=True)
            ]
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
        chosen = answering(asked, picked) or [p for p in picked[:_TRIED] if answers(asked, p)]
        if not chosen and len(sources) == 1:  # the document is named: what lies nearest in it is its side
            chosen = [p for p in picked[:_TRIED] if p.valued or not wanted_kinds(asked)][:1]
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
