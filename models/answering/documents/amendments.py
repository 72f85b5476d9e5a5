"""Documents that change others: each change linked to the document and clause that it changes, and what a sentence of
that clause says when the changes in force are followed."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from models.answering.documents.changes import Does, Instruction, dates_of, day_made, instructions, one_form, plain_day
from models.answering.documents.clauses import Clause, numbered
from models.answering.documents.nature import Kind, Nature, Standing, nature
from models.answering.documents.text import Block, DocumentText, Quote
from models.language.values import Value, ValueKind, values
from models.language.wording import stem_set, stems
from verify.domain.ids import SourceId

_CHANGERS = frozenset({Kind.AMENDMENT, Kind.SIDE_LETTER, Kind.LETTER, Kind.OTHER})
_CHANGED = frozenset({Kind.AGREEMENT, Kind.RULE, Kind.OTHER})
_NAME = re.compile(
    r"(?:(?:\w+[- ])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\s)?"
    r"(?:amendment(?: agreement| deed)?|deed of (?:variation|amendment)|side letter|letter agreement|addendum|rider|"
    r"(?:supplemental|variation) (?:agreement|deed|lease)|change order)(?:\s+(?:no\.?|number)?\s?(?:\d+|[IVX]+\b))?",
    re.I,
)
_THIS = re.compile(r"\bthis (?:letter|amendment|agreement|deed|side letter|addendum|variation)\b", re.I)
_TAKES_EFFECT = re.compile(
    r"\b(?:with effect (?:from|as of)|effective (?:as of|from|on)|takes effect (?:on|from))\b", re.I
)
_NAMES_A_PARTY = re.compile(r"\b[A-Z][\w&'’-]{3,}")
_NO_NAMES = """
    agreement amendment this that between party parties section clause article schedule dated with effect lease
    company limited corporation lender borrower landlord tenant seller buyer supplier customer letter draft first
    second third january february march april june july august september october november december"""
_NO_PARTY = frozenset(_NO_NAMES.split())
ENOUGH = 4
"""What a document must score to be taken for the one that is changed: its words found in the clause (4), its date (3),
its title (2), its parties (2), the clause's number (1)."""
_GENERIC = stem_set(("agreement contract deed exhibit",))
_SUBJECT = 0.5


@dataclass(frozen=True, slots=True)
class Change:
    """``name`` is for people ("Amendment No. 1"), ``dated`` the amending document's own day. ``quotes`` are the
    sentences that make the change."""

    instruction: Instruction
    quotes: tuple[Quote, ...]
    amended: SourceId
    name: str
    dated: str | None
    nature: Nature

    @property
    def since(self) -> str | None:
        return self.instruction.effective or self.dated


@dataclass(frozen=True, slots=True)
class Applied:
    """A change with the words of the sentence that it took away and those that stand there now."""

    change: Change
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class InForce:
    """``text`` is the sentence with the changes in force, empty where it was deleted; ``before`` as it first stood.
    ``applied`` in order of time. ``proposed`` are those of drafts and unsigned copies, ``ended`` those that lapsed,
    ``coming`` those not yet in force: none of these is in ``text``."""

    before: str
    text: str
    applied: tuple[Applied, ...] = ()
    proposed: tuple[Applied, ...] = ()
    ended: tuple[Change, ...] = ()
    coming: tuple[Applied, ...] = ()
    overrides: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Amendments:
    """All changes among the documents of a matter. ``as_of`` is the ISO day for which they are followed."""

    documents: tuple[DocumentText, ...]
    as_of: str
    changes: tuple[Change, ...]
    _clauses: dict[SourceId, tuple[tuple[Clause, Block], ...]] = field(default_factory=dict)

    def of(self, source_id: SourceId) -> tuple[Change, ...]:
        return tuple(c for c in self.changes if c.amended == source_id)

    def made_by(self, quote: Quote) -> tuple[Change, ...]:
        """The changes that this sentence makes."""
        return tuple(
            c for c in self.changes if any(q.sentence.sentence_id == quote.sentence.sentence_id for q in c.quotes)
        )

    def in_force(self, quote: Quote) -> InForce | None:
        """None where nothing changes the sentence."""
        found = self.of(quote.source_id)
        return self._followed(quote, found) if found else None

    def changed_by(self, change: Change) -> tuple[Quote, ...]:
        """The sentences of the changed document that the change is about: those that have the words exchanged, by way
        of earlier changes too; else the whole clause."""
        document = next(d for d in self.documents if d.source_id == change.amended)
        touched = [(q, f) for q in document.quotes if (f := self._followed(q, self.of(change.amended)))]
        return tuple(q for q, f in touched if any(a.change == change for a in (*f.applied, *f.proposed, *f.coming)))

    def clause_of(self, quote: Quote) -> Clause | None:
        document = next((d for d in self.documents if d.source_id == quote.source_id), None)
        if document is None:
            return None
        if quote.source_id not in self._clauses:
            self._clauses[quote.source_id] = tuple(numbered(document))
        place = quote.shown.passage.parts[quote.sentence.first_part]
        text = quote.shown.passage.text[place.at : place.at + place.end - place.start]
        return next((c for c, block in self._clauses[quote.source_id]
                     if block.shown.handle == quote.shown.handle and block.text == text), None)  # fmt: skip

    def _followed(self, quote: Quote, found: Sequence[Change]) -> InForce | None:
        clause, before = self.clause_of(quote), quote.text
        text, applied = before, []
        ended: list[Change] = []
        coming: list[Applied] = []
        overrides: list[Change] = []
        for change in sorted((c for c in found if c.nature.changes_others), key=lambda c: c.since or "9999"):
            if not _about(change, clause):
                continue
            lapsed = (change.instruction.lapses or "9999") < self.as_of
            if change.instruction.does is Does.OVERRIDE:
                (ended if lapsed else overrides).append(change)
                continue
            one = _apply(change, text, quote, clause)
            if one is None:
                continue
            if lapsed:
                ended.append(change)
            elif (change.instruction.effective or "") > self.as_of:
                coming.append(one[1])
            else:
                text = one[0]
                applied.append(one[1])
        drafts = [c for c in found if not c.nature.changes_others and _about(c, clause)]
        proposed = [
            one[1] for c in drafts if (one := _apply(c, text, quote, clause) or _apply(c, before, quote, clause))
        ]
        if not (applied or proposed or ended or coming or overrides):
            return None
        return InForce(before, text, tuple(applied), tuple(proposed), tuple(ended), tuple(coming), tuple(overrides))


def amendments(documents: Iterable[DocumentText], as_of: str) -> Amendments:
    """``as_of``: the ISO day for which changes are followed, as a rule the day of the question."""
    every = tuple(documents)
    return Amendments(every, as_of, tuple(_changes(every)))


def _changes(documents: Sequence[DocumentText]) -> Iterator[Change]:
    natures = {d.source_id: nature(d) for d in documents}
    for document in documents:
        kind = natures[document.source_id]
        if kind.kind not in _CHANGERS:
            continue
        found = list(_instructed(document))
        if not found:
            continue
        amended = _linked(document, [one for one, _ in found], documents, natures)
        if amended is None:
            continue
        start = _effective(one_form(document.opening))
        lapse = next((end for q in document.quotes if (end := _lapse(q))), None)
        for instruction, quotes in found:
            dated = replace(instruction, effective=instruction.effective or start, lapses=instruction.lapses or lapse)
            yield Change(dated, quotes, amended, name_of(document, kind), made_on(document), kind)


def _instructed(document: DocumentText) -> Iterator[tuple[Instruction, tuple[Quote, ...]]]:
    """Each change with its sentences. What follows in the same paragraph belongs to a clause that is written anew."""
    quotes = document.quotes
    for at, quote in enumerate(quotes):
        rest = [quote]
        for other in quotes[at + 1 :]:
            if other.shown != quote.shown or _place(other) != _place(quote):
                break
            rest.append(other)
        for one in instructions(quote.text, " ".join(q.text for q in rest)):
            long = one.does in (Does.RESTATE, Does.ADD, Does.DELETE)
            yield one, tuple(q for q in rest if q is quote or (long and one_form(q.text).strip('" ')[:40] in one.new))


def _place(quote: Quote) -> int:
    return quote.sentence.first_part


def _lapse(quote: Quote) -> str | None:
    return dates_of(quote.text)[1] if _THIS.search(quote.text) else None


def _effective(opening: str) -> str | None:
    said = _TAKES_EFFECT.search(opening)
    return dates_of(opening[said.start() :])[0] if said else None


def made_on(document: DocumentText) -> str | None:
    """The day that the document gives itself: after "made", "dated" and the like, else the first of its opening."""
    if document.dated:
        return document.dated
    opening = one_form(document.opening)
    return day_made(opening) or next((d for v in values(opening) if (d := plain_day(v))), None)


def name_of(document: DocumentText, kind: Nature) -> str:
    """How people call the document: "Amendment No. 1", "Side Letter", else its title."""
    for line in (*kind.evidence, document.title, *document.opening.split("\n")[:3]):
        found = _NAME.search(line)
        if found and kind.kind in (Kind.AMENDMENT, Kind.SIDE_LETTER):
            return _capitals(found.group().strip())
    return _capitals(document.title)[:80]


def _capitals(text: str) -> str:
    if not text.isupper():
        return text
    return re.sub(r"[A-Z]+", lambda m: m.group() if re.fullmatch("[IVX]+", m.group()) else m.group().capitalize(), text)


def _linked(
    document: DocumentText,
    found: Sequence[Instruction],
    documents: Sequence[DocumentText],
    natures: dict[SourceId, Nature],
) -> SourceId | None:
    """The one document that scores best; None where none scores enough or two score the same."""
    scored = sorted(
        ((_score(document, found, other, natures[other.source_id]), other.source_id)
         for other in documents
         if other.source_id != document.source_id and natures[other.source_id].kind in _CHANGED
         and natures[other.source_id].standing is not Standing.DRAFT), reverse=True,
    )  # fmt: skip
    if not scored or scored[0][0] < ENOUGH or (len(scored) > 1 and scored[0][0] == scored[1][0]):
        return None
    return scored[0][1]


def _score(document: DocumentText, found: Sequence[Instruction], other: DocumentText, kind: Nature) -> int:
    said = one_form(document.opening + " " + " ".join(q.text for q in document.quotes[:20]))
    days = {d for v in values(said) if (d := plain_day(v))}
    mine = made_on(other)
    title = _own_title(other, kind)
    words = stem_set((said,))
    parties = _parties(other.opening) & _parties(said)
    clauses = [c for c, _ in numbered(other)]
    named = [one for one in found if one.clause is not None and any(one.clause.covers(c) for c in clauses)]
    with_words = any(_holds(other, one) for one in named if one.old)
    return (4 * with_words + 3 * (mine in days if mine else False) + 2 * (bool(title) and title <= words)
            + 2 * (len(parties) >= 2) + bool(named))  # fmt: skip


def _own_title(document: DocumentText, kind: Nature) -> frozenset[str]:
    """The stems of what it calls itself: "COLD STORE LEASE AGREEMENT dated ..." is cold, store and leas."""
    first = kind.evidence[0] if kind.evidence else document.opening.split("\n")[0]
    own = stem_set((re.split(r"\b(?:dated|between|made|of \d|no\.)", first, maxsplit=1, flags=re.I)[0][:80],))
    return own - _GENERIC or own


def _parties(text: str) -> frozenset[str]:
    found = {m.group().lower() for m in _NAMES_A_PARTY.finditer(text[:1200])}
    return frozenset(found - _NO_PARTY)


def _holds(other: DocumentText, one: Instruction) -> bool:
    return any(one.clause is not None and one.clause.covers(c) and find(one.old, " ".join(block.text.split()))
               for c, block in numbered(other))  # fmt: skip


def _about(change: Change, clause: Clause | None) -> bool:
    named = change.instruction.clause
    if named is None:
        return change.instruction.does is Does.REPLACE and len(change.instruction.old.split()) > 1
    return clause is not None and named.covers(clause)


def _apply(change: Change, text: str, quote: Quote, clause: Clause | None) -> tuple[str, Applied] | None:
    one = change.instruction
    if one.does is Does.REPLACE:
        place = find(one.old, text)
        if place is None:
            return None
        return text[: place[0]] + one.new + text[place[1] :], Applied(change, text[place[0] : place[1]], one.new)
    if one.does in (Does.RESTATE, Does.DELETE):
        whole = one.clause is not None and clause is not None and one.clause.covers(clause)
        return (one.new, Applied(change, text, one.new)) if whole and text else None
    if one.does is Does.SET:
        return _set(change, text, quote)
    return None


def _set(change: Change, text: str, quote: Quote) -> tuple[str, Applied] | None:
    """The one value of the sentence that is of the new value's kind, where the sentence is about the subject. Of a
    table's text the line decides that has the subject's own words."""
    one = change.instruction
    new = values(one.new)
    if not new:
        return None
    wanted = stems(
        re.sub(r"\b(?:section|clause|article|paragraph|schedule|annex|exhibit)\s\S+", " ", one.subject, flags=re.I)
    )
    about = stem_set((text, *quote.shown.passage.heading_path))
    numbers = [w for w in wanted if not w.isalpha()]
    if (
        not wanted
        or any(n not in stems(text) for n in numbers)
        or len(set(wanted) & about) < _SUBJECT * len(set(wanted))
    ):
        return None
    found = _value_of(new[0].kind, wanted, text, quote)
    if found is None:
        return None
    start, end = found
    return text[:start] + one.new + text[end:], Applied(change, text[start:end], one.new)


def _value_of(kind: ValueKind, wanted: Sequence[str], text: str, quote: Quote) -> tuple[int, int] | None:
    """The one value of that kind in the text; in a table's, in the line that has most of the wanted words."""
    lines = [" ".join(line.split()) for line in quote.sentence.text.split("\n")]
    told = [(len(set(wanted) & stem_set((line,))), line) for line in lines if _of_kind(kind, line)]
    table = len(told) > 1 and " ".join(lines) in text
    line = max(told)[1] if table else text
    same = _of_kind(kind, line)
    at = text.find(line)
    return (at + same[0].start, at + same[0].end) if len(same) == 1 and at >= 0 else None


def _of_kind(kind: ValueKind, text: str) -> list[Value]:
    return [v for v in values(text) if v.kind is kind]


@lru_cache(maxsize=4096)
def find(words: str, text: str) -> tuple[int, int] | None:
    """Where ``words`` stand in ``text``, whole words, white space, case and the form of quotation marks aside; else the
    one value of the text that agrees with a value that is all of ``words``."""
    pieces = one_form(words).split()
    if not pieces:
        return None
    pattern = r"\s+".join(re.escape(piece).replace("'", "['’‘]").replace('"', '["“”]') for piece in pieces)
    found = re.search(rf"(?<!\w){pattern}(?!\w)", text, re.I)
    if found:
        return found.span()
    wanted = values(words)
    if len(wanted) != 1 or len(pieces) > 5:
        return None
    same = [v for v in values(text) if v.kind is wanted[0].kind and v.agrees_with(wanted[0])]
    return (same[0].start, same[0].end) if len(same) == 1 else None
