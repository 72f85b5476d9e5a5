"""What a term means: its definition, what the next sentence adds, and the defined terms that it uses."""

import re
from collections import Counter
from collections.abc import Sequence

from models.answering.claim_text import one_line
from models.answering.claiming import Claims
from models.answering.found import Found, State
from models.answering.kinds.fact import answering, stated
from models.answering.library import Library, Statement
from models.answering.line import LONGEST_LINE, without_number
from models.answering.picking import pick, wanted_kinds
from models.answering.query import Query, in_scope
from models.language.kinds import Kind, asking
from models.language.values import values
from models.language.wording import STOP_WORDS, stem, stem_set, words

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
    r"(?:shall\s+|will\s+)?(?:means?\b|refers? to\b|measures?\b|stands for\b|has the meaning|have the meaning|mean\b|includes?\b|is defined\b|is the\b|is a\b|is an\b|are the\b|(?(said)(?:only )?(?:if|when|where)\b|(?!))|:)",  # noqa: E501
)  # fmt: skip
_PARENTHESIS = re.compile(
    r"\((?:(?:the|each|an?|together|collectively|individually|hereinafter|herein|as well as|or|any such)\b[^()“\"]{0,50})*[“\"](?P<said>[^”\"]{2,80})[”\"][^()]{0,60}\)"  # noqa: E501
)
_GOES_ON = re.compile(r"^\W*(?:It|This|They|These|Such|The term|That)\b")
_MOST_FOLLOWED, _LEAST_ROOM = 2, 60
_OF = re.compile(r"(?:'s|’s)\s+", re.I)


_POINTS = re.compile(
    r"\bmeanings?\b.{0,60}\b(?:in|by|under|to)\b.{0,30}\b(?:clauses?|sections?|articles?|paragraphs?|schedules?|part)\b",
    re.I,
)
"""A definition that only says where the meaning is."""

_OPENS = re.compile(r"\W*\([^()]{0,60}[“\"]")
_LED_IN = re.compile(r"(?:meanings?|terms?|definitions?|expressions?|words)\b[^“\"]{0,60}:\s*$", re.I)
"""What leads in a list of definitions and says nothing of any."""


class Definition:
    kind = Kind.DEFINITION

    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        term = _term(query.text)
        if not term:
            return None
        placed = [(d, *_defining(library.statements(d.source_id), term)) for d in in_scope(query, library.documents)]
        for places in ([(d, exact) for d, exact, _ in placed], [(d, near) for d, _, near in placed]):
            for document, place in places:
                if place is not None:
                    return said(library.statements(document.source_id), place, term, library, claims, self.kind)
        return _held(query, frozenset(term), library, claims)


class TermLed:
    """A question in other words that names a defined term and otherwise only what its definition says: "Who is the
    Provider?", "When are premises vacant?"."""

    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        if not asking().mark("of_a_term", query.flat):
            return None
        content = stem_set((asking().without("of_a_term_words", query.flat),))
        best: tuple[Sequence[Statement], int, tuple[str, ...]] | None = None
        for document in in_scope(query, library.documents):
            statements = library.statements(document.source_id)
            for place, statement in enumerate(statements):
                for term in _defined(statement) if content - query.names <= statement.stems else ():
                    fits = bool(term) and content >= set(term) and _valued(query, statement)
                    if fits and (best is None or len(term) > len(best[2])):
                        best = statements, place, term
        if best is None:
            return None
        return said(*best, library, claims, query.kind)


def _valued(query: Query, statement: Statement) -> bool:
    """Whether it says how much, where that is asked: "Rent means the rent under clause 5" does not say what it is."""
    kinds = wanted_kinds(query) if asking().mark("of_a_value", query.flat) else frozenset()
    return not kinds or any(value.kind in kinds for value in values(statement.sentence.text))


def _held(query: Query, term: frozenset[str], library: Library, claims: Claims) -> Found:
    """What answers without a definition, if it speaks of the term at all."""
    picked = pick(query, library, [d.source_id for d in in_scope(query, library.documents)])
    chosen = [one for one in answering(query, picked) if term <= _spoken(one.statement) or _told(query, one.statement)]
    return stated(query, library, claims, chosen, Kind.FACT) if chosen else Found(Kind.DEFINITION, State.SILENT)


def _spoken(statement: Statement) -> frozenset[str]:
    return statement.stems | stem_set(statement.passage.passage.heading_path)


def _told(query: Query, statement: Statement) -> bool:
    return any(telling.told_in(statement.flat) for telling in query.telling)


def said(
    statements: Sequence[Statement],
    place: int,
    term: tuple[str, ...],
    library: Library,
    claims: Claims,
    kind: Kind,
) -> Found:
    """The definition, with what it points to, what the next sentence adds, and the terms that it uses."""
    chosen = [statements[place]]
    if _POINTS.search(one_line(chosen[0].sentence.text)):
        other = _defining([s for s in statements if s is not chosen[0]], term)[0]
        if other is not None:
            place = other + (other >= place)
            chosen.insert(0, statements[place])
    if place and _OPENS.match(chosen[0].sentence.text):
        chosen.insert(0, statements[place - 1])  # what is named so stands before the abbreviation that ended there
    following = statements[place + 1] if place + 1 < len(statements) else None
    if following is not None and _GOES_ON.match(following.sentence.text):
        chosen.append(following)
    chosen += [s for s in _terms_used(statements, chosen) if s not in chosen][:_MOST_FOLLOWED]
    drafts = [claims.extract(library, s) for s in chosen]
    text = ""
    for statement in chosen:
        room = LONGEST_LINE - len(text) - 1
        own = _own_part(one_line(statement.sentence.text), term)
        text = f"{text} {_cut(own, room)}".strip() if room > _LEAST_ROOM else text
    return Found(kind, State.STATED, text, tuple(d.claim_id for d in drafts))


def _own_part(text: str, term: tuple[str, ...]) -> str:
    """Of a sentence without its number that defines several quoted terms ("“A” means …; “B” means …") the part that
    defines this one."""
    line = without_number(text)
    starts = [(m.start("said") - 1, _stems_of(m["said"])) for m in _MEANS.finditer(line) if m["said"]]
    for n, (start, defined) in enumerate(starts):
        led = _LED_IN.search(line[:start]) is not None or n > 0
        if defined == term and led:
            end = starts[n + 1][0] if n + 1 < len(starts) else len(line)
            return line[start:end].rstrip(" ;")
        if defined == term and n + 1 < len(starts) and line[: starts[n + 1][0]].rstrip().endswith((";", ".")):
            return line[: starts[n + 1][0]].rstrip(" ;")
    return line


def _stems_of(term: str) -> tuple[str, ...]:
    return tuple(stem(w) for w in words(term) if w not in STOP_WORDS)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 2].rsplit(" ", 1)[0] + " …"


def _term(question: str) -> tuple[str, ...]:
    """Stems of the term that is asked for; empty where the question names none."""
    for pattern in _TERM:
        match = pattern.search(question)
        if match is not None:
            term = _OF.split(match["term"])[-1]
            return _stems_of(term)
    return ()


def _defined(statement: Statement) -> list[tuple[str, ...]]:
    """The terms that a sentence defines, as stems; those by "means" first."""
    text = one_line(statement.sentence.text)
    said = [m["said"] or m["bare"] for m in _MEANS.finditer(text)] + [m["said"] for m in _PARENTHESIS.finditer(text)]
    return [_stems_of(term) for term in said]


def _defining(statements: Sequence[Statement], term: tuple[str, ...]) -> tuple[int | None, int | None]:
    """Places of the sentence that defines the term as it is asked, and of one that defines a longer term with it."""
    near = None
    for place, statement in enumerate(statements):
        if not set(term) <= statement.stems:
            continue
        for defined in _defined(statement):
            if defined == term:
                return place, near
            if near is None and len(term) > 1 and set(term) <= set(defined):
                near = place
    return None, near


def _terms_used(statements: Sequence[Statement], chosen: Sequence[Statement]) -> list[Statement]:
    """The definitions, in the same document, of capitalised terms that the chosen sentences use."""
    text = " ".join(one_line(s.sentence.text) for s in chosen)
    own = {term for s in chosen for term in _defined(s)}
    terms = [_stems_of(match[0]) for match in re.finditer(r"\b[A-Z][a-z]+(?:\s+[A-Z][a-z]+)+\b", text)]
    used = Counter(term for term in terms if term not in own)
    defined = (_defining(statements, term) for term, _ in used.most_common())
    places = (near if exact is None else exact for exact, near in defined)
    return [statements[place] for place in places if place is not None]
