"""Questions asked of every document alone: lists, counts and tables, one row each, the silent ones named."""

import re
from collections.abc import Sequence

from models.answering.claiming import Claims
from models.answering.found import Found, Row, State
from models.answering.library import Document, Library, Statement
from models.answering.line import clause_of
from models.answering.picking import Picked, likened, told_in, wanted_kinds, worded_alike
from models.answering.query import Query, in_scope
from models.language.kinds import Kind, asking
from models.language.wording import stem

_BEST_OF_EACH = 3
"""Sentences of each document that the encoder reads."""
_ALIKE, _SHARE = 0.42, 0.5
_LONGEST_NAME = 48


def over_documents(query: Query, library: Library, claims: Claims, kind: Kind) -> Found:
    """One row a document. Where the question asks which do not, those that do are the silent rows."""
    documents = in_scope(query, library.documents)
    said = statements_of_each(query, library, documents)
    rows: list[Row] = []
    asked = frozenset(query.asked.terms) | query.asked.explained
    for document in documents:
        best = said.get(document.source_id)
        if document.unread:
            rows.append(Row(document.source_id, name_of(document), document.dated, State.UNREAD, ""))
        elif best is None:
            state = State.STATED if query.denied else State.SILENT
            rows.append(
                Row(document.source_id, name_of(document), document.dated, state, "silent" if query.denied else "")
            )
        else:
            draft = claims.extract(library, best)
            state = State.SILENT if query.denied else State.STATED
            text = clause_of(best.sentence.text, asked, wanted_kinds(query))
            rows.append(Row(document.source_id, name_of(document), document.dated, state, text, (draft.claim_id,)))
    stated = [row for row in rows if row.state is State.STATED]
    if not stated:
        return Found(kind, State.SILENT, rows=tuple(rows))
    ids = tuple(dict.fromkeys(i for row in stated for i in row.claim_ids))
    state = State.PARTIAL if any(row.state is State.UNREAD for row in rows) else State.STATED
    return Found(kind, state, _counted(stated, len(rows)), ids, tuple(rows))


def statements_of_each(query: Query, library: Library, documents: Sequence[Document]) -> "dict[object, Statement]":
    """The sentence by which each document answers; those that do not are left out."""
    if query.telling:
        return _told_in_each(query, library, documents)
    candidates: list[Picked] = []
    for document in documents:
        candidates += worded_alike(query, library.statements(document.source_id))[:_BEST_OF_EACH]
    found: dict[object, Statement] = {}
    for one in likened(query, library, candidates):
        enough = one.words >= _SHARE and (one.likeness is None or one.likeness >= _ALIKE)
        if enough and one.statement.source_id not in found:
            found[one.statement.source_id] = one.statement
    return found


def _told_in_each(query: Query, library: Library, documents: Sequence[Document]) -> "dict[object, Statement]":
    hard = {stem(asking().same(word)) for word in _proper(query.text)} - query.names
    found: dict[object, Statement] = {}
    for document in documents:
        told = [s for s in told_in(query, library, (document,)) if hard <= s.stems]
        ranked = worded_alike(query, told)
        if ranked:
            found[document.source_id] = ranked[0].statement
        elif told:
            found[document.source_id] = told[0]
    return found


def _proper(text: str) -> list[str]:
    """Capitalised words that do not begin the question, in small letters: "Florida", "Japanese"."""
    return [m[0].lower() for m in re.finditer(r"(?<!^)\b[A-Z][a-z]{2,}", text)]


def name_of(document: Document) -> str:
    """The file's name without folders and ending, as a reader knows it."""
    last = document.path.rsplit("/", 1)[-1]
    return last.rsplit(".", 1)[0] if "." in last[-6:] else last


def _counted(stated: Sequence[Row], asked: int) -> str:
    names = [
        row.title if len(row.title) <= _LONGEST_NAME else row.title[:_LONGEST_NAME].rstrip(" _-") for row in stated
    ]
    line = f"{len(stated)} of {asked} documents: "
    shown: list[str] = []
    for name in names:
        if len(line) + sum(len(s) + 2 for s in shown) + len(name) > 370:
            break
        shown.append(name)
    more = len(names) - len(shown)
    return line + "; ".join(shown) + (f" and {more} more" if more else "")


def _brief(name: str) -> str:
    """Cut at the end of a word."""
    if len(name) <= _LONGEST_NAME:
        return name
    words_of = [m.end() for m in re.finditer(r"[^\W_]+", name) if m.end() <= _LONGEST_NAME]
    return name[: words_of[-1]] if words_of else name


class Listed:
    """Lists and counts: over documents, or the sentences of one that name what is listed."""

    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        if query.per_document:
            return over_documents(query, library, claims, self.kind)
        from models.answering.kinds.fact import answering, stated
        from models.answering.picking import pick

        picked = pick(query, library, [d.source_id for d in in_scope(query, library.documents)])
        chosen = answering(query, picked, most=3 if self.kind is Kind.LIST else 1)
        if not chosen:
            return Found(self.kind, State.SILENT)
        return stated(query, library, claims, chosen, self.kind)
