"""Which sentence answers: by the question's own words, each by its rarity among what is read, by likeness of meaning,
by retrieval's rank, and by a value of the kind that is asked for."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from models.answering.cells import cell_sentences, every_cell
from models.answering.claim_text import one_line, states
from models.answering.drafts import ShownPassage
from models.answering.library import Document, Library, Statement
from models.answering.query import Query
from models.language.concepts import flat
from models.language.telling import Telling
from models.language.values import ValueKind, values
from models.language.wording import stem, stem_set
from verify.currencies import CODES
from verify.domain.ids import SourceId
from verify.domain.passage import PassageKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TELLING_CANDIDATES = 8
"""How many of them where telling words lead to the answer already."""
LIKENESS_CANDIDATES = 32
"""Sentences that the encoder reads for one question; each costs some 15 ms on a laptop."""
_SAID = 0.6
"""Taken off what the answer before has said."""
_SHORT, _LED = 130, 0.6
"""Characters up to which a sentence is read with the one before it, and what the words of that one count."""
_ORDERS = 0.25
_LEAVE = re.compile(
    r"\b(?:may|can|could|must|allowed|permitted|have to|has to|required|obliged|bound to|free to|entitled)\b"
)
_DEONTIC = re.compile(
    r"\b(?:shall|may|must|will|cannot|agrees?|entitled|permitted|prohibited|required|obliged|allowed)\b"
)
_LOOKED_AT, _RANKED = 250, 0.2
"""How many sentences are looked at closely, and what being found by retrieval counts for that."""
_READ_WHOLE = 3
"""Up to so many documents are read sentence by sentence, not only where retrieval leads."""
_PAGES_WHOLE = 120
"""Or up to so many pages: some 3,000 sentences, which are compared by words in a tenth of a second."""
_CELL = 0.5
EVERY_CELL = -1000
"""Cells that the question names by row and column have an order above it, other cells below."""
_LIKENESS, _WORDS, _RANK, _VALUE, _HEADING, _CONCEPT = 1.0, 1.0, 0.35, 0.3, 0.35, 0.25
_QUESTION = re.compile(r"\?\W*$")
_LEADING_Q = re.compile(r"^\W*Q[.:]?\s")


class Picked(NamedTuple):
    """``words`` is the share of the question's terms that the sentence (with its heading) holds, by rarity, 0-1;
    ``likeness`` a cosine, None where no encoder read it; ``valued`` tells that it holds a value of the asked kind."""

    statement: Statement
    score: float
    words: float
    likeness: float | None
    valued: bool
    before: Statement | None = None


def pick(query: Query, library: Library, sources: Sequence[SourceId], k: int = 12) -> list[Picked]:
    """The statements of the passages that retrieval finds in ``sources``, and cells of their tables, best first. Of few
    documents every sentence is read."""
    shown = library.ranked(query.asked.text, sources, k)
    ranked = [(s, p.rank) for p in shown for s in library.of_passage(p)]
    ranks = {(s.source_id, s.order): rank for s, rank in ranked}
    statements = [s for s, _ in ranked]
    known = set(ranks)
    told = [s for i in sources for telling in query.telling for s in told_by(telling, i, library)]
    whole = [s for i in sources for s in library.statements(i)] if _few(sources, library) else []
    for statement in (*told, *whole):
        if (statement.source_id, statement.order) not in known:
            known.add((statement.source_id, statement.order))
            statements.append(statement)
            if statement in told:
                ranks[statement.source_id, statement.order] = k
    tabular = {
        (p.passage.source_id, t.parts[0].page.index, t.parts[0].table.element_id) for p in shown for t in p.tables
    }
    plain = [s for s in statements if not _elements(s) & tabular]
    cells = _cells(query, shown)
    for cell in cells:
        ranks[cell.source_id, cell.order] = cell.passage.rank
    return order(query, library, [*cells, *plain], ranks)


def _few(sources: Sequence[SourceId], library: Library) -> bool:
    """Whether the documents are so few, or so short, that every sentence can be read."""
    pages = {d.source_id: d.pages for d in library.documents}
    return len(sources) <= _READ_WHOLE or sum(pages.get(i, 0) for i in sources) <= _PAGES_WHOLE


def told_by(telling: Telling, source_id: SourceId, library: Library) -> tuple[Statement, ...]:
    """The document's sentences that state the concept, sought once."""
    return library.kept(
        f"told {telling.name} {source_id}",
        lambda: tuple(s for s in library.statements(source_id) if telling.told_in(s.flat)),
    )


def told_in(query: Query, library: Library, documents: Sequence[Document]) -> list[Statement]:
    """The sentences of the documents that state a concept which the question asks for, none twice, in order."""
    found: dict[tuple[SourceId, int], Statement] = {}
    for document in documents:
        for telling in query.telling:
            found |= {(s.source_id, s.order): s for s in told_by(telling, document.source_id, library)}
    return [found[place] for place in sorted(found)]


def _elements(statement: Statement) -> frozenset[tuple[SourceId, int, str]]:
    parts = statement.passage.passage.parts[statement.sentence.first_part : statement.sentence.last_part + 1]
    return frozenset((statement.source_id, part.page_index, part.element_id) for part in parts)


def _cells(query: Query, shown: Sequence[ShownPassage]) -> list[Statement]:
    by_handle = {p.handle: p for p in shown}
    named = cell_sentences(query.asked, shown)
    places = {(c.handle, c.cell.cell_id) for c in named if c.cell is not None}
    others = [c for c in every_cell(shown) if c.cell is not None and (c.handle, c.cell.cell_id) not in places]
    return [
        Statement(by_handle[c.handle].passage.source_id, by_handle[c.handle], c, flat(c.text), stem_set((c.text,)),
                  (-1 if n < len(named) else EVERY_CELL) - n)
        for n, c in enumerate((*named, *others))
    ]  # fmt: skip


def order(
    query: Query,
    library: Library,
    statements: Sequence[Statement],
    ranks: "dict[tuple[SourceId, int], int] | None" = None,
) -> list[Picked]:
    """``statements`` by how well they answer. ``ranks`` are retrieval's, from 1."""
    first = worded_alike(query, statements, ranks)
    told = any(t.told_in(one.statement.flat) for t in query.telling for one in first[:TELLING_CANDIDATES])
    read = TELLING_CANDIDATES if told else LIKENESS_CANDIDATES
    return likened(query, library, first[:read]) + first[read:]


def worded_alike(
    query: Query, statements: Sequence[Statement], ranks: "dict[tuple[SourceId, int], int] | None" = None
) -> list[Picked]:
    """By words alone, best first; what states nothing is left out."""
    terms, kinds = _weights(query, statements), wanted_kinds(query)
    before = _before(statements)
    places = ranks or {}
    sketched = sorted(statements, key=lambda s: -_sketch(s, terms, before.get(_place(s)), places.get(_place(s))))
    usable = [s for s in sketched[:_LOOKED_AT] if _usable(s)]
    found = [_by_words(query, s, terms, kinds, before.get(_place(s)), places.get(_place(s))) for s in usable]
    return sorted(found, key=lambda one: -one.score)


def _place(statement: Statement) -> tuple[SourceId, int]:
    return statement.source_id, statement.order


def _before(statements: Sequence[Statement]) -> "dict[tuple[SourceId, int], Statement]":
    """The sentence before each short one: what "it" or "this" is, or the question that a witness answers."""
    known = {_place(s): s for s in statements}
    pairs = ((place, known.get((place[0], place[1] - 1)), s) for place, s in known.items() if s.order > 0)
    led = ((place, b, s) for place, b, s in pairs if b is not None and field_of(s) is None)
    return {place: b for place, b, s in led if len(s.sentence.text) <= _SHORT}


def field_of(statement: Statement) -> tuple[str, str] | None:
    """The label of a filled form field and what is filled in; None of any other text."""
    if statement.passage.passage.kind is not PassageKind.FORM_FIELD:
        return None
    label, colon, filled = one_line(statement.sentence.text).rpartition(": ")
    return (label, filled) if colon and filled else None


def _sketch(statement: Statement, terms: "dict[str, float]", before: Statement | None, rank: int | None) -> float:
    """What is cheap to tell of every sentence: the words it shares, and retrieval's rank."""
    own = _shared(statement, terms, before)
    return own + (_RANK / math.sqrt(rank) + _RANKED if rank is not None else 0.0)


def _shared(statement: Statement, terms: "dict[str, float]", before: Statement | None) -> float:
    own = statement.stems & terms.keys()
    led = frozenset() if before is None else (before.stems & terms.keys()) - own
    return sum(terms[term] for term in own) + _LED * sum(terms[term] for term in led)


def likened(query: Query, library: Library, items: Sequence[Picked]) -> list[Picked]:
    """The same with their likeness to the question, best first."""
    if library.encoder is None or not items:
        return list(items)
    texts = [_unnamed(query), *(_said(one) for one in items)]
    known = library.kept("vectors", _no_vectors)
    new = [text for text in dict.fromkeys(texts) if text not in known]
    if new:
        known.update(zip(new, library.encoder.embed(new), strict=True))
    asked = known[texts[0]]
    cosines = [float(known[text] @ asked) for text in texts[1:]]
    liked = [one._replace(score=one.score + _LIKENESS * c, likeness=c) for one, c in zip(items, cosines, strict=True)]
    return sorted(liked, key=lambda one: -one.score)


def _no_vectors() -> "dict[str, NDArray[np.float32]]":
    return {}


def _unnamed(query: Query) -> str:
    """What is asked without the names of the documents that it binds to: every preamble is like these."""
    if not query.named or not query.names:
        return query.asked.text
    kept = [w for w in query.asked.text.split() if not stem_set((w,)) or not stem_set((w,)) <= query.names]
    return " ".join(kept)


def _said(one: Picked) -> str:
    text = one.statement.sentence.text
    if one.before is not None:
        text = f"{one.before.sentence.text} {text}"
    heading = one.statement.passage.passage.heading_path
    return f"{heading[-1]}: {text}"[:900] if heading else text[:900]


def _usable(statement: Statement) -> bool:
    text = statement.sentence.text
    return (
        not _QUESTION.search(text)
        and not _LEADING_Q.match(text)
        and (statement.sentence.cell is not None or field_of(statement) is not None or states(text))
    )


def _weights(query: Query, statements: Sequence[Statement]) -> dict[str, float]:
    """Each term of the question by its rarity among the sentences read."""
    terms = (frozenset(query.asked.terms) | query.asked.explained) - query.names
    counts = Counter(stem for s in statements for stem in s.stems & terms)
    weights = {t: math.log(1 + len(statements) / (0.5 + counts[t])) for t in terms}
    total = sum(weights.values()) or 1.0
    return {term: weight / total for term, weight in weights.items()}


def _by_words(
    query: Query,
    statement: Statement,
    terms: "dict[str, float]",
    kinds: frozenset[ValueKind],
    before: Statement | None,
    rank: int | None,
) -> Picked:
    own = _shared(statement, terms, before)
    heading = stem_set(statement.passage.passage.heading_path[-2:])
    above = sum(weight for term, weight in terms.items() if term in heading and term not in statement.stems)
    stated = sum(1 for concept in query.asked.concepts if concept.stated.search(statement.flat))
    concepts = stated / len(query.asked.concepts) if query.asked.concepts else 0.0
    valued = bool(kinds) and any(value.kind in kinds for value in values(statement.sentence.text))
    cell = statement.sentence.cell
    if cell is not None and cell.value is not None:  # its unit may be the table's
        valued = valued or (ValueKind.AMOUNT in kinds and cell.unit in CODES) or ValueKind.NUMBER in kinds
    valued = valued or (ValueKind.DATE in kinds and _CLOCK.search(statement.sentence.text) is not None)
    counted = _counted(query)
    if counted is not None:
        valued = counted.search(statement.flat) is not None
    if _WHO.search(query.flat):
        valued = valued or _names_somebody(query, statement.sentence.text)
    score = _WORDS * own + _HEADING * above + _CONCEPT * concepts + _VALUE * valued
    if statement.sentence.cell is not None and statement.order > EVERY_CELL:
        score += _CELL
    if rank is not None:
        score += _RANK / math.sqrt(rank)
    told = any(telling.told_in(statement.flat) for telling in query.telling)
    if statement.flat in query.said:
        score -= _SAID
    if _LEAVE.search(query.flat) and _DEONTIC.search(statement.flat):
        score += _ORDERS
    return Picked(statement, score + 0.25 * told, min(1.0, own + above), None, valued, before)


_CLOCK = re.compile(
    r"\b\d{1,2}[:.]\d{2}\b(?!\d)|\b\d{1,2}\s?[ap]\.?m\b|\bo['’]clock\b|"
    r"\b(?:noon|midnight)\b|\b(?:half|quarter|twenty|ten|five) past\b",
    re.I,
)
"""A time of day answers "when" as a date does."""
_REASON = re.compile(r"^(?:and |but |so )?(?:why|what if|how come)\b|\bwhat happens?\b")
_MONEY = re.compile(
    r"\bhow much\b|\b(charge[sd]?|price|fees?|costs?|sum|salary|pay|pays|paid|rent|budget|amount|worth|owes?|get an hour|get a month|spend|dividends?|turnover|revenue|profit|earns?|earned)\b"  # noqa: E501
)
_TIME = re.compile(
    r"\bhow (long|soon|quickly|fast|late|early|many (days|weeks|months|years|hours|minutes))\b|\b(period|duration|time limit)\b|\bwithin what\b|\bhow much (notice|time|warning)\b"  # noqa: E501
)
_DAY = re.compile(r"\bwhen\b|\b(what|which|on what|from what) (\w+ )?(date|day|year)\b|\bsince when\b|\buntil when\b")
_SHARE = re.compile(r"\b(per ?cent\w*|percentage|rate|share|mark-?up|discount|margin|interest|royalt\w+|commission)\b")
_NUMBER = re.compile(r"\bhow (many|often|big|large|far|high|low|warm|cold)\b|\bnumber of\b")


_HOW_MANY = re.compile(
    r"\bhow many (?:of (?:the|our|these) )?((?:[a-z'-]+ ){0,2}?)([a-z]{3,})(?= (?:of|in|on|at|did|do|does|were|was|are|is|had|has|have|can|could|must|may|shall|will|a|an|the)\b|\?|$)"  # noqa: E501
)
_NUMBERS = (
    r"(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|no|both|several|dozens?|hundreds?)"
)


@lru_cache(maxsize=64)
def _counting(noun: str) -> "re.Pattern[str]":
    return re.compile(
        rf"\b{_NUMBERS}\b(?:\W+[\w'-]+){{0,3}}?\W+{re.escape(noun)}|\b{re.escape(noun)}\w*(?:\W+\w+){{0,2}}?[:\s]+\d"
    )


def _counted(query: Query) -> "re.Pattern[str] | None":
    """A number of what is counted ("312 pallets"), where the question asks how many there are of something."""
    match = _HOW_MANY.search(query.flat)
    return None if match is None else _counting(stem(match[2]))


_WHO = re.compile(
    r"\bwho\b|\bwhom\b|\bwhose\b|\b(which|what) (firm|company|person|bank|court|party|judge|city|country|state)\b|\bwhere\b"  # noqa: E501
)
_NAME = re.compile(r"(?<![.?!:;“\"] )(?<!^)\b[A-Z][a-z’'-]+")


def wants_somebody(query: Query) -> bool:
    """Whether a name of somebody, or of a place, is asked for."""
    return _WHO.search(query.flat) is not None


def _names_somebody(query: Query, text: str) -> bool:
    """Whether the sentence has a name that the question does not have."""
    asked = query.names | stem_set((query.text,))
    return any(not stem_set((match[0],)) <= asked for match in _NAME.finditer(one_line(text)))


def wanted_kinds(query: Query) -> frozenset[ValueKind]:
    """Kinds of value that an answer holds; empty where the question asks for no value."""
    found: set[ValueKind] = set()
    asked = query.flat
    if _REASON.search(asked):
        return frozenset()
    for pattern, kinds in (
        (_MONEY, (ValueKind.AMOUNT, ValueKind.PERCENT)), (_TIME, (ValueKind.DURATION,)), (_DAY, (ValueKind.DATE,)),
        (_SHARE, (ValueKind.PERCENT,)), (_NUMBER, (ValueKind.NUMBER, ValueKind.DURATION, ValueKind.PERCENT)),
    ):  # fmt: skip
        if pattern.search(asked):
            found.update(kinds)
    return frozenset(found)
