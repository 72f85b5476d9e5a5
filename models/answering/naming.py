"""Which documents a question names: by words of the file's name, its title, and the parties that its opening names.

A named document binds: no other answers. A word that names more than half of the documents tells none from another.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from models.answering.library import Document
from models.language.wording import STOP_WORDS, rarity, stem, words
from verify.domain.ids import SourceId

_RARE_NAME = 4.6
"""From which rarity a capitalised word of the opening is taken for a name: "Florida" and "Services" are commoner."""
_OPENING = 700
"""Characters of the opening in which parties stand."""
_PREFIX = 4
"""Letters from which a word may be the beginning of one of a file's name ("Northmoor" of NORTHMOORSTORAGE_PLC)."""
_MOST = 0.34
"""Share of the documents up to which those that hold a name are told apart by it."""
_FEW = 4
"""A noun names documents where at most one in so many is called so."""
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DOCUMENT_WORDS = frozenset(
    map(
        stem,
        [
            "agreement",
            "contract",
            "document",
            "letter",
            "report",
            "opinion",
            "lease",
            "deed",
            "minute",
            "mail",
            "email",
            "e",
            "statement",
            "deposition",
            "transcript",
            "amendment",
            "annex",
            "schedule",
            "exhibit",
            "notice",
            "invoice",
            "claim",
            "complaint",
            "memo",
            "memorandum",
            "policy",
            "rule",
            "code",
            "order",
            "decision",
            "judgment",
            "brief",
            "record",
            "note",
            "file",
            "side",
            "draft",
            "affidavit",
            "declaration",
            "testimony",
            "board",
            "annual",
            "interim",
            "expert",
            "witness",
        ],
    )
)
_KIND_NOUN = re.compile(
    r"((?:[\w'’&.-]+ ){0,4})(agreement|contract|letter|report|opinion|lease|deed|minutes|e-?mail|statement|deposition|transcript|"  # noqa: E501
    r"amendment|notice|invoices?|complaint|memo|memorandum|policy|rule|code|order|affidavit|declaration|testimony)\b", re.I  # noqa: E501
)  # fmt: skip


@lru_cache(maxsize=4096)
def file_names(document: Document) -> frozenset[str]:
    """Lower-case words of its path and title."""
    stem_of_path = re.sub(r"\.\w{1,5}$", "", document.path.replace("!/", "/"))
    parts = [word for piece in re.split(r"[\W_]+", stem_of_path) for word in _CAMEL.sub(" ", piece).split()]
    named = {part.lower() for part in parts if len(part) > 2 and part.isalpha()}
    named |= {word for word in words(document.title) if len(word) > 2}
    return frozenset(named - STOP_WORDS)


@lru_cache(maxsize=4096)
def names_of(document: Document) -> frozenset[str]:
    """Lower-case words that name the document: its file's, its title's, and the parties of its opening."""
    tabular = document.path.lower().endswith((".xlsx", ".xls", ".ods", ".csv"))
    opening = [] if tabular else re.findall(r"\b[A-Z][\w’'-]{2,}", document.opening[:_OPENING])
    parties = {w for word in opening for w in words(word) if rarity(w) >= _RARE_NAME and w.isalpha()}
    return file_names(document) | (parties - STOP_WORDS)


Mentions = Callable[[str], frozenset[SourceId]]
"""Which documents hold a word anywhere in their text."""


def documents_named(
    text: str, documents: Sequence[Document], mentions: Mentions, *, by_file: bool = False
) -> tuple[SourceId, ...]:
    """Those that the question names, in their order; empty where it names none, or most of them.

    A name stands for every document that speaks of it, so that an amendment comes along with its contract; one that
    most of the matter speaks of is a person or a party of the whole matter and names nothing. ``by_file`` hears only
    names of files and titles: a question about all contracts names states and laws, not documents.
    """
    if len(documents) < 2:
        return ()
    if by_file:
        names = [w for w in asked_names(text, documents) if any(_has(file_names(d), w) for d in documents)]
    else:
        names = list(asked_names(text, documents))
    chosen: dict[SourceId, None] = {}
    found = [holders for word in names if (holders := _holders(word, documents, mentions))]
    for holders in found:
        narrower = [other for other in found if other < holders]
        chosen.update(dict.fromkeys(() if narrower else holders))
    named = [d for d in documents if d.source_id in chosen]
    if len(named) > 1:
        nouns = _by_kind_noun(text, named)
        return nouns or tuple(d.source_id for d in named)
    return tuple(d.source_id for d in named) or _by_kind_noun(text, documents)


def asked_names(text: str, documents: Sequence[Document]) -> tuple[str, ...]:
    """Words of the question that name some document: capitalised ones, and rare ones in small letters."""
    found: list[str] = []
    for match in re.finditer(r"[A-Za-z][\w’'&-]*", text):
        for word in words(match[0]):
            proper = match[0][0].isupper() and match.start() > 0
            if len(word) < 3 or word in STOP_WORDS or stem(word) in _DOCUMENT_WORDS:
                continue
            if proper or rarity(word) >= _RARE_NAME:
                found.append(word)
    return tuple(word for word in dict.fromkeys(found) if any(_has(names_of(d), word) for d in documents))


def _holders(word: str, documents: Sequence[Document], mentions: Mentions) -> frozenset[SourceId]:
    """The documents that a name stands for; empty where these are too many to tell any apart."""
    named = {d.source_id for d in documents if _has(names_of(d), word)}
    holding = mentions(word) | named
    most = max(2, len(documents) * _MOST)
    return frozenset(holding) if len(holding) <= most else frozenset()


def _begins(word: str, name: str) -> bool:
    return len(word) >= _PREFIX and len(name) > len(word) + 1 and name.startswith(word) and rarity(name) >= _RARE_NAME


def _has(own: Iterable[str], word: str) -> bool:
    return any(name == word or _begins(word, name) for name in own)


def _by_kind_noun(text: str, documents: Sequence[Document]) -> tuple[SourceId, ...]:
    """Documents that a noun of documents names with the word before it ("the board minutes", "the expert's report"), or
    by itself where few are called so ("the agreement")."""
    found: list[SourceId] = []
    for match in _KIND_NOUN.finditer(text):
        noun = _same_noun(match[2])
        before = [stem(w) for w in words(match[1])[-1:] if w not in STOP_WORDS]
        called = [(d, frozenset(map(_same_noun, file_names(d)))) for d in documents]
        both = [d for d, own in called if noun in own and set(before) <= own]
        modified = [d for d, own in called if before and before[0] in own]
        of_noun = [d for d, own in called if noun in own]
        chosen = both or (modified if len(modified) == 1 else []) or (of_noun if not before else [])
        found += [d.source_id for d in chosen if len(chosen) <= max(1, len(documents) // _FEW)]
    unique = tuple(dict.fromkeys(found))
    return unique if 0 < len(unique) < len(documents) else ()


def called_alone(text: str, documents: Sequence[Document]) -> tuple[SourceId, ...]:
    """The one document whose file's name has a word of the text that no other's has ("the expert's figure")."""
    for word in words(text):
        if len(word) < _PREFIX or word in STOP_WORDS:
            continue
        called = [d for d in documents if stem(word) in {stem(n) for n in words(d.path.rsplit("/", 1)[-1])}]
        if len(called) == 1:
            return (called[0].source_id,)
    return ()


def _same_noun(word: str) -> str:
    lowered = word.lower().replace("e-mail", "email")
    return stem("agreement" if lowered in ("contract", "contracts") else lowered)
