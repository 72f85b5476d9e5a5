"""One value or one statement: the clause that answers, or silence."""

import re
from collections.abc import Sequence

from models.answering.claiming import Claims
from models.answering.drafts import Answers
from models.answering.found import Found, State
from models.answering.library import Library
from models.answering.line import clause_of, joined
from models.answering.picking import EVERY_CELL, Picked, pick, wanted_kinds, wants_somebody
from models.answering.query import Query, in_scope
from models.language.concepts import flat
from models.language.kinds import Kind
from models.language.line_items import line_item_asked
from models.language.periods import period_of, years_in
from models.language.wording import stem_set

ANSWERS = 0.5
"""What the likeness of the sentence, ``_WORDS`` of the share of the question's words that it holds and ``_TOLD`` for
telling words must reach together."""
ANSWERS_BY_WORDS = 0.6
"""The share of words that is enough where no encoder reads."""
_WORDS, _TOLD = 0.6, 0.3
_LEAST_LIKE = 0.2
_SOME_WORDS, _LIKE = 0.1, 0.3
_ALL_WORDS = 0.8
_LOOKED_AT = 6
_SHORT = 200
_SECOND = 0.93
"""Share of the best score that a second sentence must reach to be said with the first."""


class Fact:
    kind = Kind.FACT

    def find(self, query: Query, library: Library, claims: Claims) -> Found:
        scope = in_scope(query, library.documents)
        picked = pick(query, library, [d.source_id for d in scope])
        chosen = answering(query, picked)
        if not chosen:
            return Found(self.kind, State.SILENT)
        return stated(query, library, claims, chosen, self.kind)


def answering(query: Query, picked: Sequence[Picked], most: int = 2) -> list[Picked]:
    """The sentence that answers, and one that does so as well; none where nothing does."""
    valued = bool(wanted_kinds(query)) or wants_somebody(query)
    picked = [one for one in _told_apart(picked) if _of_what_is_asked(query, one)]
    cells = [one for one in picked if one.statement.sentence.cell is not None and one.statement.order > EVERY_CELL]
    cells = [one for one in cells if one.valued or not valued or one.words >= _ALL_WORDS]
    if cells:  # a row, a column and most of what is asked are named there
        return cells
    able = [one for one in picked[:_LOOKED_AT] if one.valued or not valued]
    able = [one for one in able if answers(query, one)]
    if query.telling and not any(t.told_in(one.statement.flat) for t in query.telling for one in able):
        able = [one for one in able if one.words >= _ALL_WORDS]
    if not able:
        return []
    best = able[0]
    if best.statement.sentence.cell is not None and _AND.search(query.flat):
        return [best, *(one for one in picked[:_ROW_CELLS] if one is not best and _same_row(one, best))][:3]
    near = [
        one
        for one in able[1:most]
        if one.score >= _SECOND * best.score
        and one.statement.source_id == best.statement.source_id
        and len(one.statement.sentence.text) < _SHORT
    ]
    return [best, *near]


def _told_apart(picked: Sequence[Picked]) -> list[Picked]:
    """Without the cells whose headers are those of another value of their table: which is meant nobody can tell."""
    values: dict[object, set[str]] = {}
    for one in picked:
        values.setdefault(_headers(one), set()).add(one.statement.sentence.cell_text)
    return [one for one in picked if one.statement.sentence.cell is None or len(values[_headers(one)]) == 1]


def _headers(one: Picked) -> object:
    cell, beside = one.statement.sentence.cell, one.statement.sentence.beside
    return cell and (one.statement.source_id, cell.table_id, cell.row_path, cell.column_path, beside)


def _of_what_is_asked(query: Query, one: Picked) -> bool:
    """Whether the figure is of the line, period and segment that the question names; what states no figure of a table
    only has to speak of the line where the question asks for one and a period."""
    asked, period = line_item_asked(query.flat), period_of(query.flat)
    cell, flat_text = one.statement.sentence.cell, one.statement.flat
    if cell is None:
        return asked is None or period is None or asked[0].asked.search(flat_text) is not None
    passage = one.statement.passage
    around = (*cell.row_path, *cell.column_path, cell.title or "", passage.passage.title, passage.about)
    spoken = stem_set((*around, one.statement.sentence.text, *passage.passage.heading_path))
    if not query.asked.named - query.names <= spoken:
        return False
    headers = flat(" ".join((*cell.row_path, *cell.column_path, cell.title or "")))
    if period is not None and period.year is not None and years_in(headers) and period.year not in years_in(headers):
        return False
    if asked is None or period is None:
        return True
    own = period_of(headers)
    labels = [path[-1] for path in (cell.row_path, cell.column_path) if path]
    of_line = any(asked[0].place_in_rows(label) is not None for label in labels) or asked[0].asked.search(headers)
    return bool(of_line) and own is not None and own.span is period.span and period.year in (None, own.year)


_AND = re.compile(r"\band\b")
_ROW_CELLS = 40


def _same_row(one: Picked, other: Picked) -> bool:
    """Whether both are cells of one row of one table."""
    a, b = one.statement.sentence.cell, other.statement.sentence.cell
    if a is None or b is None or a.table_id != b.table_id or one.statement.source_id != other.statement.source_id:
        return False
    return a.row_path == b.row_path


def answers(query: Query, one: Picked) -> bool:
    """Whether it says enough of what is asked, by words and by meaning."""
    told = any(telling.told_in(one.statement.flat) for telling in query.telling)
    if one.likeness is None:
        return one.words + _TOLD * told >= ANSWERS_BY_WORDS
    if one.valued and query.named and one.words >= _SOME_WORDS and one.likeness >= _LIKE:
        return True  # a value of the kind that is asked for, in the document that is named
    return one.likeness + _WORDS * one.words + _TOLD * told >= ANSWERS and one.likeness >= _LEAST_LIKE


def stated(query: Query, library: Library, claims: Claims, chosen: Sequence[Picked], kind: Kind) -> Found:
    """A line of the clauses that answer, each a claim."""
    asked = frozenset(query.asked.terms) | query.asked.explained
    kinds = wanted_kinds(query)
    drafts = [claims.extract(library, one.statement, Answers.YES) for one in chosen]
    text = joined([clause_of(one.statement.sentence.text, asked, kinds) for one in chosen])
    return Found(kind, State.STATED, text, tuple(d.claim_id for d in drafts))
