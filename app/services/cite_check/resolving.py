"""From what a draft cites to a document of the matter. Nothing is guessed: what is unsure comes with candidates."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from app.services.cite_check.catalogue import Card, Catalogue
from models.citations.finding import Definition
from models.citations.model import CitationKind, Form, Mention, ReporterCite
from models.citations.names import is_party, key_words
from verify.domain.document import Page


class Doubt(StrEnum):
    """Why a citation was not resolved, or not without a remark."""

    NOT_FOUND = "not_found"
    SEVERAL = "several"
    OTHER_CITATION = "other_citation"
    NAME_AND_CITATION = "name_and_citation"
    NOTHING_BEFORE = "nothing_before"
    STATUTE = "statute"


@dataclass(frozen=True, slots=True)
class Resolved:
    """``card`` is None where it is not certain which document is meant; ``candidates`` are then the nearest."""

    card: Card | None
    doubt: Doubt | None = None
    candidates: tuple[Card, ...] = ()


MOST_CANDIDATES = 5
_LEAST_SHARE = 0.6
"""Of the words by which a draft names a document, that the document's name and head must hold."""


def resolve_all(
    mentions: Sequence[Mention], defined: Sequence[Definition], catalogue: Catalogue
) -> tuple[Resolved, ...]:
    """In the order of the citations."""
    found: list[Resolved] = []
    named = {d.term.lower(): d.named for d in defined}
    for mention in mentions:
        found.append(_resolve(mention, mentions, found, named, catalogue))
    return tuple(found)


def _resolve(
    mention: Mention, mentions: Sequence[Mention], found: list[Resolved], named: dict[str, str], catalogue: Catalogue
) -> Resolved:
    if mention.refers_to is not None:
        return found[mention.refers_to]
    if mention.kind is CitationKind.STATUTE:
        return _by_words(" ".join(map(str, mention.reporters)), catalogue, Doubt.STATUTE)
    if mention.kind is CitationKind.CASE:
        if mention.form is not Form.FULL and not mention.reporters and not mention.parties:
            return Resolved(None, Doubt.NOTHING_BEFORE)
        return _case(mention, catalogue)
    if mention.key_kind == "exhibit":
        return _exhibit(mention.key, catalogue)
    if mention.key_kind == "entry":
        return _only([c for c in catalogue.cards if mention.key in c.entries])
    if mention.key_kind == "bates":
        return _bates(mention, catalogue)
    if mention.key_kind == "bare":
        return _clause(mention, mentions, found, named, catalogue)
    if mention.key_kind in ("deposition", "statement", "pleading", "record"):
        return _record(mention, catalogue)
    return _term(mention.key, named, catalogue)


def _only(cards: Sequence[Card], near: Sequence[Card] = ()) -> Resolved:
    if len(cards) == 1:
        return Resolved(cards[0])
    if cards:
        return Resolved(None, Doubt.SEVERAL, tuple(cards[:MOST_CANDIDATES]))
    return Resolved(None, Doubt.NOT_FOUND, tuple(near[:MOST_CANDIDATES]))


def _case(mention: Mention, catalogue: Catalogue) -> Resolved:
    cards = catalogue.cards
    by_name = [c for c in cards if mention.parties and _named(mention.parties, c)]
    by_number = [c for c in cards if _numbered(mention, c)]
    if by_number and mention.parties and not set(_ids(by_number)) & set(_ids(by_name)):
        return Resolved(None, Doubt.NAME_AND_CITATION, tuple(dict.fromkeys([*by_number, *by_name]))[:MOST_CANDIDATES])
    both = [c for c in by_number if not mention.parties or c in by_name]
    if both:
        return _only(both)
    if len(by_name) == 1:
        return Resolved(by_name[0], Doubt.OTHER_CITATION if _other_number(mention, by_name[0]) else None)
    if by_name:
        same = [c for c in by_name if not _other_number(mention, c)]
        return _only(same or by_name)
    return _only((), _near(mention, cards))


def _ids(cards: Sequence[Card]) -> list[str]:
    return [card.record.source_id for card in cards]


def _named(parties: Sequence[str], card: Card) -> bool:
    """Every party that is named is one of the caption's, each on its side."""
    for left, right, printed in card.captions:
        if len(parties) == 1:
            if is_party(parties[0], left) or (right and is_party(parties[0], right)):
                return True
        elif right and is_party(parties[1], right) and (is_party(parties[0], left) or _ends_with(parties[0], printed)):
            return True
    return False


def _ends_with(cited: str, printed: str) -> bool:
    """The name may have been read with words of the sentence before it."""
    first = printed.partition(" v. ")[0]
    return bool(first) and cited.lower().endswith(" " + first.lower())


def _numbered(mention: Mention, card: Card) -> bool:
    if mention.docket and mention.docket in card.dockets:
        return True
    return any(cite.page and cite in card.reporters for cite in mention.reporters)


def _other_number(mention: Mention, card: Card) -> bool:
    """True where the document prints another docket number, volume or page than the draft gives it."""
    if mention.docket and card.dockets and mention.docket not in card.dockets:
        return True
    for cite in mention.reporters:
        own = [c for c in card.reporters if c.reporter == cite.reporter]
        if own and not any(_same_place(cite, c) for c in own):
            return True
    return False


def _same_place(a: ReporterCite, b: ReporterCite) -> bool:
    return a.volume == b.volume and (not a.page or not b.page or a.page == b.page)


def _near(mention: Mention, cards: Sequence[Card]) -> list[Card]:
    """Cases that share a party or most words of the name."""
    wanted = frozenset[str]().union(*(key_words(p) for p in mention.parties)) if mention.parties else frozenset[str]()

    def share(card: Card) -> float:
        held = frozenset[str]().union(*(left | right for left, right, _ in card.captions))
        return len(wanted & held) / len(wanted) if wanted else 0.0

    near = [(share(c), c) for c in cards]
    return [c for s, c in sorted(near, key=lambda row: -row[0]) if s >= 0.34]


def _exhibit(key: str, catalogue: Catalogue) -> Resolved:
    found = [c for c in catalogue.cards if key.upper() in c.exhibits]
    if found:
        return _only(found)
    listed = catalogue.listed_exhibits.get(key.upper())
    return _by_words(listed, catalogue) if listed else Resolved(None, Doubt.NOT_FOUND)


def _bates(mention: Mention, catalogue: Catalogue) -> Resolved:
    """The document of which a page bears the number."""
    wanted = _flat(mention.key)
    found = [c for c in catalogue.cards if any(p.bates and _flat(p.bates) == wanted for p in catalogue.pages(c.record))]
    return _only(found)


def _flat(bates: str) -> str:
    return re.sub(r"[\W_]", "", bates).upper()


def bates_pages(mention: Mention, pages: Sequence[Page]) -> tuple[int, ...]:
    """Indexes of the pages that bear the numbers of a range; empty unless its first and last are both there."""
    prefix = re.match(r"(?P<prefix>.*?)(?P<digits>\d+)$", _flat(mention.key))
    assert prefix is not None
    last = _flat(mention.last_key) if mention.last_key else _flat(mention.key)
    digits = re.search(r"\d+$", last)
    assert digits is not None
    low, tail = prefix["digits"], digits.group()
    high = low[: max(0, len(low) - len(tail))] + tail
    by_number = {_flat(p.bates): p.index for p in pages if p.bates}
    ends = [by_number.get(f"{prefix['prefix']}{n}") for n in (low, high)]
    if ends[0] is None or ends[1] is None or ends[0] > ends[1]:
        return ()
    return tuple(range(ends[0], ends[1] + 1))


_KINDS = {
    "deposition": frozenset(
        {"deposition", "dep", "depo", "transcript", "tr", "testimony", "examination", "hearing", "trial"}
    ),
    "statement": frozenset({"declaration", "decl", "affidavit", "aff", "statement", "ws", "report", "witness"}),
}
_PLEADINGS = (
    ("compl", frozenset({"complaint", "compl"})),
    ("answer", frozenset({"answer"})),
    ("ans", frozenset({"answer"})),
    ("counter", frozenset({"counterclaim", "counterclaims"})),
    ("petition", frozenset({"petition"})),
    ("particulars", frozenset({"particulars", "poc"})),
    ("defence", frozenset({"defence"})),
    ("s", frozenset({"facts", "sumf", "sof", "stipulation"})),
    ("indictment", frozenset({"indictment"})),
    ("r", frozenset({"record"})),
    ("j", frozenset({"appendix"})),
)
_PARTS_OF_KEY = frozenset({"am", "amended", "first", "second", "third", "verified", "supp"})


def _record(mention: Mention, catalogue: Catalogue) -> Resolved:
    """A deposition, declaration or pleading: by the kind of paper and the name that goes with it."""
    words = [w for w in re.findall(r"[^\W_]+", mention.key.lower()) if len(w) > 1 or mention.key_kind == "record"]
    if mention.key_kind in _KINDS:
        kinds = _KINDS[mention.key_kind]
        names = [w for w in words if w not in kinds and w not in ("oral", "arg", "hr", "g")]
        cards = [c for c in catalogue.cards if (c.name_words | c.head_words) & kinds]
        named = [c for c in cards if all(n in c.name_words for n in names)]
        named = named or [c for c in cards if names and all(n in c.head_words for n in names)]
        by_file = [c for c in named if c.name_words & kinds]
        return _only(by_file or named, cards)
    stem = next((w for w in words if w not in _PARTS_OF_KEY), "")
    kinds = next((kinds for start, kinds in _PLEADINGS if stem.startswith(start)), frozenset({stem}))
    amended = bool(_PARTS_OF_KEY & set(words) - {"verified", "first"})
    cards = [c for c in catalogue.cards if c.name_words & kinds] or [c for c in catalogue.cards if c.head_words & kinds]
    apt = [c for c in cards if bool((c.name_words | c.head_words) & {"amended", "am"}) is amended]
    return _only(apt or cards)


def _term(term: str, named: dict[str, str], catalogue: Catalogue) -> Resolved:
    """A defined term means what its definition names; another one the only document that is called so."""
    flat = re.sub(r"^the\s|\s(?:is|was|does|has|which|requires|provides)$", "", " ".join(term.lower().split()))
    if named.get(flat):
        by_definition = _by_words(f"{named[flat]}", catalogue)
        if by_definition.card is not None:
            return by_definition
    words = frozenset(re.findall(r"[^\W_]+", flat)) - _LITTLE
    called = [c for c in catalogue.cards if words and words <= c.name_words]
    called = called or [c for c in catalogue.cards if words and words <= c.head_words]
    return _only(called)


_LITTLE = frozenset({"the", "a", "an", "of", "and", "for", "to", "between", "by", "in", "on", "dated", "as"})


def _by_words(text: str, catalogue: Catalogue, none: Doubt = Doubt.NOT_FOUND) -> Resolved:
    """The one document whose name and head hold clearly most of the words."""
    words = frozenset(re.findall(r"[^\W_]+", text.lower())) - _LITTLE
    if not words:
        return Resolved(None, none)
    scored = sorted(((_share(words, card), card) for card in catalogue.cards), key=lambda row: -row[0])
    best = [c for score, c in scored if score >= _LEAST_SHARE and score >= scored[0][0] - 1e-9]
    near = [c for score, c in scored if score >= _LEAST_SHARE / 2]
    if not best:
        return Resolved(None, none, tuple(near[:MOST_CANDIDATES]))
    return _only(best)


def _share(words: frozenset[str], card: Card) -> float:
    """A word of the file's name or title counts for one and a half."""
    return (1.5 * len(words & card.name_words) + len(words & (card.head_words - card.name_words))) / len(words)


def _clause(
    mention: Mention, mentions: Sequence[Mention], found: list[Resolved], named: dict[str, str], catalogue: Catalogue
) -> Resolved:
    """ "Section 4.1(b)" by itself: of the agreement cited last before it, else of the only one that is defined."""
    for at in range(len(found) - 1, -1, -1):
        if mentions[at].kind in (CitationKind.CLAUSE, CitationKind.DOCUMENT) and mentions[at].key_kind == "term":
            return found[at]
    resolved = [r.card for r in (_term(term, named, catalogue) for term in named) if r.card is not None]
    unique = list({c.record.source_id: c for c in resolved}.values())
    return _only(unique) if unique else Resolved(None, Doubt.NOTHING_BEFORE)
