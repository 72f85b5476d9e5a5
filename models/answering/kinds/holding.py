"""What a court held: syllabus and majority are told from dissent, the court below and what was argued."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from models.answering.claiming import Claims
from models.answering.documents.nature import Kind as Nature
from models.answering.documents.studied import studied
from models.answering.drafts import Answers
from models.answering.found import Found, State
from models.answering.library import Library, Statement
from models.answering.line import clause_of, joined
from models.answering.naming import names_of
from models.answering.picking import Picked, order
from models.answering.query import Query, in_scope
from models.language.kinds import Kind
from models.language.questions import read_question
from models.language.wording import stems, words
from verify.domain.ids import SourceId

_HOLDS, _SYLLABUS, _OTHERS = 0.3, 0.15, 0.5
"""What the words of a holding, and a syllabus, add to a sentence's score, and what another's words take from it."""
_SECOND = 0.85
_LONGEST = 300


class Part(StrEnum):
    CAPTION = "caption"
    SYLLABUS = "syllabus"
    MAJORITY = "majority"
    CONCURRENCE = "concurrence"
    DISSENT = "dissent"


_Signs = dict[str, tuple[re.Pattern[str], ...]]


def _data() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(Path(__file__).with_name("holding.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _generic() -> tuple[str, ...]:
    return tuple(_data()["asked"]["generic"])


@lru_cache(maxsize=1)
def _table() -> dict[str, _Signs]:
    return {
        name: {key: tuple(re.compile(p, re.I) for p in patterns) for key, patterns in rows.items()}
        for name, rows in _data().items()
    }


def _fits(table: str, key: str, text: str) -> bool:
    return any(pattern.search(text) for pattern in _table()[table][key])


class Holding:
    """Of opinions alone; None where none is in the question's scope, or nothing in them is about it."""

    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        natures = studied(library).natures
        scope = [d.source_id for d in in_scope(query, library.documents)]
        opinions = [s for s in scope if s in natures and natures[s].kind is Nature.OPINION]
        told = [one for s in opinions for one in parted(library.statements(s))]
        if asks_for_the_lineup(query):
            return _lineup(query, library, claims, [s for part, s in told if part is Part.CAPTION])
        wanted = _wanted(query.flat)
        own = [s for part, s in told if part in wanted]
        if not own:
            return None
        if _fits("asked", "disposition", query.flat) and Part.MAJORITY in wanted and (last := _disposition(own)):
            return _found(query, library, claims, [last])
        about = _about(query, library)
        parts = {(s.source_id, s.order): part for part, s in told}
        ranked = sorted(order(about, library, own), key=lambda one: -_score(one, query, parts))
        return _found(query, library, claims, _best(ranked)) if ranked else None


def _about(query: Query, library: Library) -> Query:
    """The question without the court's and the case's names and the words of deciding: what was decided about."""
    names = {w for d in library.documents if d.source_id in query.named for w in names_of(d)}
    generic = {w for line in _generic() for w in line.split()}
    kept = [w for w in query.text.split() if not set(words(w)) & (names | generic)]
    text = " ".join(kept)
    return replace(query, text=text, asked=read_question(text)) if stems(text) else query


def only_of_opinions(query: Query, library: Library) -> bool:
    """Whether the question names documents, and all of them are opinions."""
    natures = studied(library).natures
    return bool(query.named) and all(s in natures and natures[s].kind is Nature.OPINION for s in query.named)


def asks_for_the_lineup(query: Query) -> bool:
    """ "Who dissented?" is a question of statements by its words, and of an opinion's by what it asks."""
    return _fits("asked", "lineup", query.flat)


def _lineup(query: Query, library: Library, claims: Claims, caption: Sequence[Statement]) -> Found | None:
    """The sentences that say who wrote and who joined what; those of the part that is asked for."""
    said = [s for s in caption if _fits("parts", "lineup", s.flat) and re.search(r"\bj(?:j)?\.|justice|judge", s.flat)]
    wanted = [s for s in said for stem_of in ("dissent", "concur") if stem_of in query.flat and stem_of in s.flat]
    chosen = list(dict.fromkeys(wanted or said))[:2]
    return _found(query, library, claims, chosen, Kind.STATEMENT) if chosen else None


def _wanted(flat: str) -> frozenset[Part]:
    for part in (Part.DISSENT, Part.CONCURRENCE):
        if _fits("asked", part.value, flat):
            return frozenset({part})
    return frozenset({Part.SYLLABUS, Part.MAJORITY})


def parted(statements: Sequence[Statement]) -> Iterator[tuple[Part, Statement]]:
    """Each sentence with the part of the opinion that it stands in; who wrote and joined what is caption."""
    part, place = Part.CAPTION, None
    for statement in statements:
        text = " ".join(statement.sentence.text.split())
        begins = (statement.passage.handle, statement.sentence.first_part)
        lineup = _fits("parts", "lineup", text)
        if begins != place and not lineup:
            for candidate in (Part.SYLLABUS, Part.MAJORITY, Part.CONCURRENCE, Part.DISSENT):
                if _fits("parts", candidate.value, text):
                    part = candidate
        place = begins
        yield Part.CAPTION if lineup else part, statement


def _score(one: Picked, query: Query, parts: dict[tuple[SourceId, int], Part]) -> float:
    text = " ".join(one.statement.sentence.text.split())
    score = one.score + _HOLDS * _fits("words", "holds", text)
    score += _SYLLABUS * (parts[one.statement.source_id, one.statement.order] is Part.SYLLABUS)
    if _fits("words", "others", text) and not _fits("asked", "others", query.flat):
        score -= _OTHERS
    return score


def _disposition(own: Sequence[Statement]) -> Statement | None:
    """The last sentence of the opinion itself that disposes of the case, and is not another court's."""
    said = [s for s in own if _fits("words", "disposition", " ".join(s.sentence.text.split()))]
    final = [s for s in said if not _fits("words", "others", s.sentence.text) or "judgment" in s.flat]
    return final[-1] if final else None


def _best(ranked: Sequence[Picked]) -> list[Statement]:
    best = ranked[0]
    near = [
        one.statement
        for one in ranked[1:2]
        if one.score >= _SECOND * best.score and not _fits("words", "others", one.statement.flat)
    ]
    return [best.statement, *near]


def _found(
    query: Query, library: Library, claims: Claims, chosen: Sequence[Statement], kind: Kind = Kind.HOLDING
) -> Found:
    ids = tuple(claims.extract(library, s, Answers.YES).claim_id for s in chosen)
    asked = frozenset(query.asked.terms)
    text = joined([clause_of(s.sentence.text, asked, frozenset(), _LONGEST) for s in chosen])
    return Found(kind, State.STATED, text, ids)
