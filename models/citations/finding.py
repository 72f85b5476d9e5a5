"""Every citation of a draft in order, each short form with the earlier citation that it points back to."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from models.citations.authorities import find_authorities, with_tail
from models.citations.model import CitationKind, Form, Mention
from models.citations.names import key_words
from models.citations.records import find_records


@dataclass(frozen=True, slots=True)
class TextBlock:
    """``note`` is true of a footnote or endnote: its id. looks back among the notes first."""

    text: str
    note: bool = False


@dataclass(frozen=True, slots=True)
class Definition:
    """A short form that the draft sets: ("the Lease") after the words that name it in full."""

    term: str
    named: str
    block: int


DEFINED = re.compile(
    r"\((?:(?:hereinafter|hereafter|together|collectively|the|as|defined as|each an?|an?|and|or),?\s)*"
    r"[“\"‘](?P<term>[A-Z0-9][^”\"’]{1,60})[”\"’]\)?"
)


def definitions(blocks: Sequence[TextBlock]) -> tuple[Definition, ...]:
    found = []
    for index, block in enumerate(blocks):
        for match in DEFINED.finditer(block.text):
            named = block.text[max(0, match.start() - 240) : match.start()].rstrip(" ,")
            stop = max((m.end() for m in re.finditer(r"(?<=[a-z]{2}[.;:])\s|[;“”\"]", named)), default=0)
            found.append(Definition(match["term"].strip().removeprefix("the "), named[stop:].strip(), index))
    return tuple(found)


_ID = re.compile(r"\b(?:Id|id|Ibid|ibid)\.(?=[\s,;)]|$)|\b[Ii]bid\b")
_SUPRA = re.compile(
    r"(?P<name>(?<!\w)[A-Z][\w.'’&-]{0,40}(?:\s[A-Z&][\w.'’&-]{0,40}){0,4})(?:,?\s)supra(?:\s(?:note|n\.)\s\d+)?|\b(?P<bare>[Ss]upra|[Aa]nte|[Ii]nfra)(?=,?\s(?:at|pp?\.)\s\d)"
)


def find_citations(blocks: Sequence[TextBlock], known: Sequence[str] = ()) -> tuple[Mention, ...]:
    """In the order of the blocks. ``known`` are names of documents (defined terms, titles) that may be cited by
    themselves with a pinpoint ("Lease at 4")."""
    first: list[list[Mention]] = []
    for index, block in enumerate(blocks):
        authorities = find_authorities(block.text, index)
        taken = [(m.start, m.end) for m in authorities]
        first.append(sorted([*authorities, *find_records(block.text, index, taken)], key=lambda m: m.start))
    names = _short_names(m for row in first for m in row)
    terms = tuple(dict.fromkeys([*(d.term for d in definitions(blocks)), *known]))
    rows = [
        _with_pointers(block.text, index, row, names, terms)
        for index, (block, row) in enumerate(zip(blocks, first, strict=True))
    ]
    return _pointed(blocks, [m for row in rows for m in row])


def _short_names(mentions: Iterator[Mention]) -> tuple[str, ...]:
    """The words by which cited cases may be named again: each party, and its first words."""
    found: dict[str, None] = {}
    for mention in mentions:
        for party in mention.parties if mention.kind is CitationKind.CASE else ():
            found[party] = None
            words = party.split()
            for count in (1, 2, 3):
                short = " ".join(words[:count]).rstrip(",.'’")
                if len(short) > 3 and short[0].isupper() and short.lower() not in _COMMON:
                    found[short] = None
    return tuple(sorted(found, key=len, reverse=True))


_COMMON = frozenset(
    {
        "united states",
        "united",
        "state",
        "people",
        "commonwealth",
        "the",
        "city",
        "county",
        "board",
        "bank",
        "first",
        "national",
        "american",
        "secretary",
    }
)
"""Parties of too many cases to name one by themselves (Bluebook rule 10.9)."""


def _with_pointers(
    text: str, block: int, row: list[Mention], names: Sequence[str], terms: Sequence[str]
) -> list[Mention]:
    taken = [(m.start, m.end) for m in row]
    found = list(row)

    def add(mention: Mention | None) -> None:
        if mention is not None and not any(a < mention.end and mention.start < b for a, b in taken):
            taken.append((mention.start, mention.end))
            found.append(mention)

    for match in _SUPRA.finditer(text):
        name = re.sub(r"^(?:See|But|Accord|Cf\.?|In|Under|And|The)\s", "", (match["name"] or "").strip())
        start = match.start() if match["bare"] else match.start("name") + len(match["name"].rstrip()) - len(name)
        add(_pointer(text, block, start, match.end(), Form.SUPRA, (name,) if name else ()))
    for match in _ID.finditer(text):
        add(_pointer(text, block, match.start(), match.end(), Form.ID, ()))
    for mention in _by_names(text, block, names, lambda name: {"form": Form.SHORT, "parties": (name,)}):
        add(mention)
    for mention in _by_names(
        text, block, terms, lambda name: {"kind": CitationKind.DOCUMENT, "key": name, "key_kind": "term"}
    ):
        add(mention)
    return sorted(found, key=lambda m: m.start)


def _pointer(text: str, block: int, start: int, end: int, form: Form, parties: tuple[str, ...]) -> Mention:
    mention = Mention(block, start, end, "", CitationKind.CASE, form, parties)
    return with_tail(text, mention)


_PIN_FOLLOWS = (
    r"(?:,?\s(?:slip\sop\.,?\s)?(?:at\s(?:\d|\[|¶|p)|¶|§|pp?\.\s\d|\[\d|clause\s\d|[Ss]ection\s\d|[Ss]lip\sop)|\s¶)"
)


def _by_names(
    text: str, block: int, names: Sequence[str], made: Callable[[str], dict[str, object]]
) -> Iterator[Mention]:
    """Names that are followed by a pinpoint."""
    if not names:
        return
    pattern = re.compile(rf"(?<![\w.])(?P<name>{'|'.join(map(re.escape, names))})(?={_PIN_FOLLOWS})")
    for match in pattern.finditer(text):
        fields = made(match["name"])
        mention = replace(Mention(block, match.start(), match.end(), "", CitationKind.CASE), **fields)  # type: ignore[arg-type]
        yield with_tail(text, mention)


def _pointed(blocks: Sequence[TextBlock], mentions: list[Mention]) -> tuple[Mention, ...]:
    """With ``refers_to``, and with the kind of what is pointed at."""
    found: list[Mention] = []
    for index, mention in enumerate(mentions):
        target: int | None = None
        if mention.form is Form.ID:
            target = _before(blocks, found, index, mention)
        elif mention.form in (Form.SHORT, Form.SUPRA):
            target = _named(found, mention)
        if target is not None:
            root = found[target].refers_to if found[target].refers_to is not None else target
            mention = replace(mention, refers_to=root, kind=found[target].kind)
        found.append(mention)
    return tuple(found)


def _before(blocks: Sequence[TextBlock], found: list[Mention], index: int, mention: Mention) -> int | None:
    """The citation before it: in a note, of the notes, else of the text (Bluebook rule 4.1)."""
    noted = blocks[mention.block].note
    for at in range(index - 1, -1, -1):
        if blocks[found[at].block].note is noted and not (found[at].form is Form.ID and found[at].refers_to is None):
            return at
    return index - 1 if noted and index else None


def _named(found: list[Mention], mention: Mention) -> int | None:
    """The latest full citation that bears the name, or the volume and reporter where no name was read."""
    for at in range(len(found) - 1, -1, -1):
        other = found[at]
        if other.form is not Form.FULL or other.kind is not CitationKind.CASE:
            continue
        if mention.parties:
            words = key_words(mention.parties[0])
            named = any(words <= key_words(party) for party in other.parties)
            if named and not _other_volume(mention, other):
                return at
        elif mention.reporters and not _other_volume(mention, other):
            return at
    return None


def _other_volume(mention: Mention, other: Mention) -> bool:
    """True where both name a volume of one reporter and not the same."""
    mine = {(c.reporter, c.volume) for c in mention.reporters}
    theirs = {(c.reporter, c.volume) for c in other.reporters}
    if not mine:
        return False
    return not mine & theirs
