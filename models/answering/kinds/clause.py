"""A clause by its number or heading, whole."""

import re
from collections.abc import Sequence

from models.answering.claim_text import one_line
from models.answering.claiming import Claims
from models.answering.found import Found, State
from models.answering.library import Document, Library, Statement
from models.answering.line import LONGEST_LINE, clause_of, joined
from models.answering.query import Query, in_scope
from models.language.kinds import Kind
from models.language.values import ValueKind

_NUMBER = re.compile(
    r"(?<![\w.])(?:§+\s*)?(?P<number>\d+(?:\.\d+)*(?:\s?\([a-z0-9]{1,4}\))*|[IVXLC]{1,6}(?=[\s?.,]|$))", re.I
)
_KIND = re.compile(
    r"\b(?:section|clause|article|paragraph|para|rule|schedule|annex|appendix|exhibit|s\.|cl\.|art\.|§+)\s*(?P<number>[\w.]+(?:\s?\([a-z0-9]{1,4}\))*)",
    re.I,
)
_LABEL = re.compile(
    r"^\W*(?:section|article|clause|rule|§+)?\s*(?P<number>\d+(?:\.\d+)*)\.?(?P<sub>(?:\s?\([a-z0-9]{1,4}\))*)[\s.:)–—-]",
    re.I,
)
_SUB = re.compile(r"\(([a-z0-9]{1,4})\)", re.I)
_LEAST = 120
_MOST = 12
"""Sentences of one clause that are claimed; the rest is a click away."""


class Clause:
    kind = Kind.CLAUSE

    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        wanted = _wanted(query.text)
        if wanted is None:
            return None
        for document in in_scope(query, library.documents):
            run = list(library.clause(document.source_id, query.text)) or clause(document, library, *wanted)
            if run:
                drafts = [claims.extract(library, s) for s in run[:_MOST]]
                text = _line(run)
                return Found(self.kind, State.STATED, text, tuple(d.claim_id for d in drafts))
        return Found(self.kind, State.SILENT)


def _line(run: Sequence[Statement]) -> str:
    """The clause, whole where it fits; else of each sentence the part with its values."""
    whole = " ".join(one_line(s.sentence.text) for s in run)
    if len(whole) <= LONGEST_LINE:
        return whole
    share = max(_LEAST, (LONGEST_LINE - 10) // len(run))
    return joined([clause_of(s.sentence.text, frozenset(), frozenset(ValueKind), share) for s in run])


def _wanted(question: str) -> "tuple[str, tuple[str, ...]] | None":
    """The number ("9.3") and the marks of paragraphs under it (("b",)); None where the question has none."""
    match = _KIND.search(question) or _NUMBER.search(question)
    if match is None:
        return None
    number = re.sub(r"\(.*", "", match["number"]).strip(" .")
    return number.lower(), tuple(m.lower() for m in _SUB.findall(match["number"]))


def clause(document: Document, library: Library, number: str, subs: Sequence[str]) -> list[Statement]:
    """The sentences of the clause with that number, to where the next one of its level begins; empty where there is
    none. A reference to it within a sentence is not the clause."""
    statements = library.statements(document.source_id)
    runs = [
        _run(statements, place, number, subs)
        for place, s in enumerate(statements)
        if _begins(statements, place, number)
    ]
    return max(runs, key=lambda run: sum(len(s.sentence.text) for s in run), default=[])


def _begins(statements: Sequence[Statement], place: int, number: str) -> bool:
    label = _LABEL.match(one_line(statements[place].sentence.text) + " ")
    if label is not None:
        return label["number"].lower() == number
    own, before = _heading(statements[place]), _heading(statements[place - 1]) if place else None
    return own == number and before != number


def _heading(statement: Statement) -> str | None:
    """The number of the nearest numbered heading above."""
    for heading in reversed(statement.passage.passage.heading_path):
        label = _LABEL.match(one_line(heading) + " ")
        if label is not None:
            return label["number"].lower()
    return None


def _run(statements: Sequence[Statement], place: int, number: str, subs: Sequence[str]) -> list[Statement]:
    run = [statements[place]]
    for statement in statements[place + 1 :]:
        text = one_line(statement.sentence.text) + " "
        label = _LABEL.match(text)
        if label is not None and not label["number"].startswith(number + "."):
            break
        heading = _heading(statement)
        if (
            label is None
            and heading is not None
            and heading != number
            and not heading.startswith(number + ".")
            and not number.startswith(heading)
        ):
            break
        run.append(statement)
    for sub in subs:
        run = _under(run, sub)
    return run


def _under(run: list[Statement], sub: str) -> list[Statement]:
    """The part of the run under the mark "(b)" or "b."; all of it where no paragraph bears that mark."""
    starts = [i for i, s in enumerate(run) if _marked(s, sub)]
    if not starts:
        return [s for s in run if f"({sub})" in s.sentence.text.lower()][:1] or run
    after = chr(ord(sub) + 1) if len(sub) == 1 else sub
    ends = [i for i in range(starts[0] + 1, len(run)) if _marked(run[i], after)]
    return run[starts[0] : ends[0] if ends else len(run)]


def _marked(statement: Statement, sub: str) -> bool:
    return (
        re.match(
            rf"^\W*(?:[\d.]+\s*)?(?:\({re.escape(sub)}\)|{re.escape(sub)}[.)])\s",
            one_line(statement.sentence.text),
            re.I,
        )
        is not None
    )
