"""What a term means: its definition, what the next sentence adds, and the defined terms that it uses."""

import re
from collections import Counter
from collections.abc import Sequence

from models.answering.claim_text import one_line
from models.answering.claiming import Claims
from models.answering.found import Found, State
from models.answering.library import Library, Statement
from models.answering.line import LONGEST_LINE
from models.answering.query import Query, in_scope
from models.language.kinds import Kind
from models.language.wording import STOP_WORDS, stem, words

_TERM = (
    re.compile(r"\bwhat (?:does|do|did) (?:the (?:term|word|phrase|expression) )?(?P<term>.{2,80}?) (?:mean|stand for|tell you|measure|refer to|include|cover)\b", re.I),  # noqa: E501
    re.compile(r"\b(?:meaning|definition) of (?:the (?:term|word) )?(?P<term>.{2,80}?)(?: (?:in|under|for|within|according)\b.*)?[?.]*$", re.I),  # noqa: E501
    re.compile(r"\bhow (?:is|are|does .{2,40}) (?P<term>.{2,80}?) defined\b", re.I),
    re.compile(r"\bdefine[sd]? (?:as )?(?:the (?:term|word) )?(?P<term>.{2,80}?)(?: (?:in|under|for|within)\b.*)?[?.]*$", re.I),  # noqa: E501
    re.compile(r"\bwhat (?:counts|qualifies|goes|falls) (?:as|in|into|under|within) (?:an? |the )?(?P<term>.{2,80}?)(?: (?:in|under|for|within)\b.*)?[?.]*$", re.I),  # noqa: E501
    re.compile(r"\bmeant by (?:the (?:term|word) )?(?P<term>.{2,80}?)(?: (?:in|under|for|within)\b.*)?[?.]*$", re.I),
    re.compile(r"\bwh(?:o|at) (?:is|counts as|qualifies as) an? (?P<term>.{2,80}?)(?: (?:in|under|for|within|according)\b.*)?[?.]*$", re.I),  # noqa: E501
)  # fmt: skip
_QUOTED = r"[“\"‘'](?P<said>[^”\"’']{2,80})[”\"’']"
_MEANS = re.compile(
    rf"(?:{_QUOTED}|^\W*(?:[\d.]+|\(\w+\))?\s*(?P<bare>[A-Z][\w’'& /-]{{1,60}}?))\s*(?:\([^)]*\)\s*)?(?:,? as used (?:herein|in this \w+),?\s*)?"  # noqa: E501
    r"(?:shall\s+|will\s+)?(?:means?\b|refers? to\b|measures?\b|stands for\b|has the meaning|have the meaning|mean\b|includes?\b|is defined\b|is the\b|is a\b|is an\b|are the\b|:)",  # noqa: E501
)  # fmt: skip
_PARENTHESIS = re.compile(
    r"\((?:(?:the|each|an?|together|collectively|individually|hereinafter|herein|as well as|or|any such)\b[^()“\"]{0,50})*[“\"](?P<said>[^”\"]{2,80})[”\"][^()]{0,60}\)"  # noqa: E501
)
_GOES_ON = re.compile(r"^\W*(?:It|This|They|These|Such|The term|That)\b")
_MOST_FOLLOWED, _LEAST_ROOM = 2, 60
_OF = re.compile(r"(?:'s|’s)\s+", re.I)


class Definition:
    kind = Kind.DEFINITION

    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        term = _term(query.text)
        if not term:
            return None
        scope = in_scope(query, library.documents)
        for document in scope:
            statements = library.statements(document.source_id)
            place = _defining(statements, term)
            if place is not None:
                return self._said(statements, place, library, claims)
        return None

    def _said(self, statements: Sequence[Statement], place: int, library: Library, claims: Claims) -> Found:
        chosen = [statements[place]]
        following = statements[place + 1] if place + 1 < len(statements) else None
        if following is not None and _GOES_ON.match(following.sentence.text):
            chosen.append(following)
        chosen += [s for s in _terms_used(statements, chosen) if s not in chosen][:_MOST_FOLLOWED]
        drafts = [claims.extract(library, s) for s in chosen]
        text = ""
        for statement in chosen:
            room = LONGEST_LINE - len(text) - 1
            text = f"{text} {_cut(one_line(statement.sentence.text), room)}".strip() if room > _LEAST_ROOM else text
        return Found(self.kind, State.STATED, text, tuple(d.claim_id for d in drafts))


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 2].rsplit(" ", 1)[0] + " …"


def _term(question: str) -> tuple[str, ...]:
    """Stems of the term that is asked for; empty where the question names none."""
    for pattern in _TERM:
        match = pattern.search(question)
        if match is not None:
            term = _OF.split(match["term"])[-1]
            return tuple(stem(w) for w in words(term) if w not in STOP_WORDS)
    return ()


def _defined(statement: Statement) -> list[tuple[str, ...]]:
    """The terms that a sentence defines, as stems; those by "means" first."""
    text = one_line(statement.sentence.text)
    said = [m["said"] or m["bare"] for m in _MEANS.finditer(text)] + [m["said"] for m in _PARENTHESIS.finditer(text)]
    return [tuple(stem(w) for w in words(term) if w not in STOP_WORDS) for term in said]


def _defining(statements: Sequence[Statement], term: tuple[str, ...]) -> int | None:
    """The place of the sentence that defines the term: as it is asked, else one whose words it is a part of."""
    near = None
    for place, statement in enumerate(statements):
        if not set(term) <= statement.stems:
            continue
        for defined in _defined(statement):
            if defined == term:
                return place
            if near is None and len(term) > 1 and set(term) <= set(defined):
                near = place
    return near


def _terms_used(statements: Sequence[Statement], chosen: Sequence[Statement]) -> list[Statement]:
    """The definitions, in the same document, of capitalised terms that the chosen sentences use."""
    text = " ".join(one_line(s.sentence.text) for s in chosen)
    own = {term for s in chosen for term in _defined(s)}
    terms = [
        tuple(stem(w) for w in words(match[0]) if w not in STOP_WORDS)
        for match in re.finditer(r"\b[A-Z][a-z]+(?:\s+[A-Z][a-z]+)+\b", text)
    ]
    used = Counter(term for term in terms if term not in own)
    places = (_defining(statements, term) for term, _ in used.most_common())
    return [statements[place] for place in places if place is not None]
