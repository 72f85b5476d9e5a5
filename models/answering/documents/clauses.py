"""Where in a document a clause stands: numbers as printed, and how another document names them."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from models.answering.documents.text import Block, DocumentText

_WORDS = r"sections?|clauses?|articles?|paragraphs?|sub-?clauses?|sub-?sections?|§§?|rules?"
_PARTS = r"schedule|annex|exhibit|appendix|attachment|addendum"
_NUMBER = r"\d+(?:\.\d+)*(?:\s?\([0-9A-Za-z]{1,4}\))*|[IVXL]+(?:\.\d+)*"
_CITED = re.compile(rf"(?:\b(?:{_WORDS})|§)\s*(?P<number>{_NUMBER})(?!\w)", re.I)
_PART = re.compile(rf"\b(?P<part>{_PARTS})\s+(?P<label>[A-Z]{{1,2}}(?:-?\d+)?|\d+(?:\.\d+)?|[IVXL]+)\b", re.I)
_OWN = re.compile(
    rf"^\W*(?:(?:{_WORDS})\s*)?(?P<number>\d+(?:\.\d+)*)(?P<sub>(?:\([0-9a-z]{{1,4}}\))*)[.):]?(?=\s)", re.I
)
_OPENS_PART = re.compile(
    rf"^\W*(?P<part>{_PARTS})\s+(?P<label>[A-Z]{{1,2}}(?:-?\d+)?|\d+(?:\.\d+)?)\b(?![^\n]*\b(?:shall|is|are|means)\b)",
    re.I,
)
_ITEM = re.compile(r"^\W*(\([a-z0-9]{1,4}\))\s", re.I)
_LONGEST_HEADING = 90


class Clause(NamedTuple):
    """``part`` is a schedule's name in lower case ("schedule a"), empty in the body; ``number`` as printed, without
    blanks ("3.3", "2.4(b)"), empty where only the part is named."""

    part: str
    number: str

    @property
    def shown(self) -> str:
        kind, _, label = self.part.partition(" ")
        part = f"{kind.capitalize()} {label.upper()}"
        return f"{part} paragraph {self.number}" if self.part and self.number else self.number or part

    def covers(self, other: "Clause") -> bool:
        """Whether ``other`` is this clause or lies within it."""
        if self.part != other.part:
            return False
        if not self.number or self.number == other.number:
            return True
        return other.number.startswith((self.number + ".", self.number + "("))


def named_clauses(text: str) -> tuple[Clause, ...]:
    """The clauses that a sentence names, in order, none twice. "paragraph 4 of Schedule 2" is one; a part that is named
    alone is one without a number."""
    parts = [(m.start(), _part(m)) for m in _PART.finditer(text)]
    found: list[Clause] = []
    taken: set[int] = set()
    for cited in _CITED.finditer(text):
        of = next((i for i, (at, _) in enumerate(parts) if 0 <= at - cited.end() <= len(" of the ")
                   and re.fullmatch(r",?\s(?:of|to|in)\s(?:the\s)?", text[cited.end() : at])), None)  # fmt: skip
        before = next((i for i, (at, name) in enumerate(parts) if re.fullmatch(
            r"\S+\s\S+?,?\s", text[at : cited.start()]) and at + len(name) <= cited.start()), None)  # fmt: skip
        owner = of if of is not None else before
        if owner is not None:
            taken.add(owner)
        found.append(Clause("" if owner is None else parts[owner][1], re.sub(r"\s", "", cited["number"])))
    found += [Clause(name, "") for i, (_, name) in enumerate(parts) if i not in taken]
    return tuple(dict.fromkeys(found))


def _part(match: re.Match[str]) -> str:
    return f"{match['part']} {match['label']}".lower()


def numbered(document: DocumentText) -> Iterator[tuple[Clause, Block]]:
    """Each block with the clause that it stands in: what has no number of its own belongs to the clause before it."""
    part, number, begun = "", "", False  # a part that opens a file is the file itself ("Exhibit 10.3" of a filing)
    for block in document.blocks:
        opens = _OPENS_PART.match(block.text)
        if opens and begun and len(block.text.split("\n")[0]) <= _LONGEST_HEADING:
            part, number = _part(opens), ""
        elif own := _OWN.match(block.text):
            number, begun = own["number"] + own["sub"], True
        elif item := _ITEM.match(block.text):
            number = re.sub(r"(?:\([a-z0-9]+\))+$", "", number, flags=re.I) + item[1]
        yield Clause(part, number), block
