"""The question, read once: its kind, what it asks of, which documents it names, and what an answer must be."""

from collections.abc import Sequence
from dataclasses import dataclass

from models.answering.library import Document
from models.answering.naming import Mentions, asked_names, documents_named
from models.language.concepts import flat
from models.language.kinds import Kind, asking
from models.language.questions import Question, read_question
from models.language.telling import Telling, tellings_asked
from models.language.wording import stem
from verify.domain.ids import SourceId


@dataclass(frozen=True, slots=True)
class Earlier:
    """The answer that a follow-up question refers to: its question as it was read, what it said, what it cited."""

    question: str
    text: str
    sources: tuple[SourceId, ...]
    said: frozenset[str] = frozenset()
    """Its claims as ``flat``: a follow-up does not ask for them again."""


@dataclass(frozen=True, slots=True)
class Query:
    """``text`` is what is answered: the question, completed where it is a follow-up (then ``completed``). ``named``
    documents bind, none named is all. ``names`` are stems of the words that name documents and parties.
    ``per_document``: one row a document. ``denied``: it asks for those that do not. ``draft``: drafts and own work are
    asked for. ``only_drafts``: what is final is silent, and drafts alone are read. ``outside``: it needs the world
    outside the documents, or advice."""

    text: str
    flat: str
    asked: Question
    kind: Kind
    named: tuple[SourceId, ...]
    names: frozenset[str]
    telling: tuple[Telling, ...]
    per_document: bool = False
    denied: bool = False
    draft: bool = False
    only_drafts: bool = False
    outside: bool = False
    completed: bool = False
    said: frozenset[str] = frozenset()


_WRAPPED = frozenset({Kind.SUMMARY, Kind.FACT, Kind.LIST})
"""Kinds whose question may be led in by words that ask for nothing ("Summarise what the lease says on …")."""


def read_query(text: str, documents: Sequence[Document], mentions: Mentions, earlier: Earlier | None = None) -> Query:
    """Never fails: a question that fits no pattern asks for a fact of all documents."""
    reading = " ".join(text.split())
    completed = earlier is not None and refers_back(reading)
    lowered = flat(reading)
    over = asking().mark("per_document", lowered) is not None
    named = documents_named(reading, documents, mentions, by_file=over)
    whole = reading
    if completed and earlier is not None:
        whole = f"{_bare(reading)} ({earlier.question})"
        named = named or earlier.sources or documents_named(earlier.question, documents, mentions)
    kind = asking().kind_of(lowered if not completed else flat(_bare(reading)))
    if completed and earlier is not None and asking().mark("elliptic", lowered):
        kind = asking().kind_of(flat(earlier.question))
    return Query(
        text=whole,
        flat=lowered,
        asked=read_question(asking().without("wrapper", whole) if kind in _WRAPPED else whole),
        kind=kind,
        named=named,
        names=frozenset(map(stem, asked_names(whole, documents))),
        telling=tellings_asked(lowered) or (tellings_asked(flat(whole)) if completed else ()),
        per_document=over and len(named) != 1,
        denied=asking().mark("denied", lowered) is not None,
        draft=asking().mark("draft", lowered) is not None,
        outside=asking().mark("outside", lowered) is not None,
        completed=completed,
        said=earlier.said if completed and earlier is not None else frozenset(),
    )


def refers_back(text: str) -> bool:
    """Whether the question needs the one before it: it begins with a conjunction, or points ("it", "that clause")."""
    return asking().mark("follows", flat(text)) is not None


def _bare(text: str) -> str:
    bare = asking().without("after_follow", flat(text))
    return bare or text


def in_scope(query: Query, documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents that may answer: the named ones, else all; drafts and own work only where they are asked for."""
    from models.answering.library import Standing

    named = [d for d in documents if d.source_id in query.named] or list(documents)
    if query.only_drafts:
        return tuple(d for d in named if d.standing is Standing.DRAFT)
    final = [d for d in named if d.standing is Standing.FINAL]
    return tuple(named if query.draft or not final else final)
