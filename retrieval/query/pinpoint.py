"""Places that a question points at: a section by its number, an exhibit, a definition, words in quotation marks.

Ranks of words cannot tell where Section 7.2 begins from where it is referred to, where a term is defined from where it
is used, nor words side by side from the same words apart.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from retrieval.query.references import defines, opens_section
from verify.domain.passage import Passage

_SECTION = re.compile(
    r"(?:\b(?:sections?|sec\.|clauses?|paragraphs?|para\.|articles?|art\.)|§§?)\s*"
    r"((?:\d+(?:\.\d+)*|[ivxlc]+\b)(?:\s?\([a-z0-9]{1,4}\))*)",
    re.IGNORECASE,
)
_ALONE = re.compile(r"\s*(\d+(?:\.\d+)*(?:\s?\([A-Za-z0-9]{1,4}\))*)[.,;]?\s*")
"""A query that is only a number, with a dot or a letter in it."""
_PART = re.compile(
    r"\b(exhibit|schedule|annex|appendix|attachment)\s+([a-z]{1,2}(?:[-.]?\d+)*|\d+(?:[-.]\d+)*)\b", re.IGNORECASE
)
_TERM = r"(?:the\s+)?(?:terms?\s+)?(?:[\"“]([^\"“”]{2,80}?)[,.]?[\"”]|(\w[\w&'’-]*(?:\s+\w[\w&'’-]*){0,4}?))"
_TERM_ENDS = r"(?=\s*(?:[?.,;:!]|$)|\s+(?:in|under|within|for|as)\b)"
_DEFINITION = re.compile(
    rf"\b(?:definitions?|meaning)\s+of\s+{_TERM}{_TERM_ENDS}|\bhow\s+(?:is|are)\s+{_TERM}\s+defined\b"
    rf"|\bwhat\s+(?:does|do)\s+{_TERM}\s+mean\b|^\W{{0,3}}{_TERM}\s+(?:means|definition)\W*$"
    r"|^\s*[\"“]([^\"“”]{2,80}?)[,.]?[\"”]\s*$",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[\"“„«]([^\"“”„«»]{2,200})[\"”“»]")
_SPACE = re.compile(r"\s+")
_MARKS = str.maketrans({"’": "'", "‘": "'", "\N{NON-BREAKING HYPHEN}": "-", "\N{HYPHEN}": "-", "\N{SOFT HYPHEN}": None})


@dataclass(frozen=True, slots=True)
class Pinpoint:
    """``sections`` as they are numbered ("7.2(b)", "IV"); ``parts`` are patterns of where an exhibit begins; ``terms``
    whose definition is asked for; ``quoted`` in lower case with single spaces."""

    sections: tuple[str, ...]
    parts: tuple[re.Pattern[str], ...]
    terms: tuple[str, ...]
    quoted: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.sections or self.parts or self.terms or self.quoted)

    def hits(self, passage: Passage) -> int:
        """How many of the places the passage is."""
        opened = sum(opens_section(passage, number) for number in self.sections)
        opened += sum(pattern.search(passage.text) is not None for pattern in self.parts)
        opened += sum(defines(passage, term) for term in self.terms)
        if self.quoted:
            text = _plain("\n".join((*passage.heading_path[-1:], passage.text)))
            opened += sum(re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None for words in self.quoted)
        return opened


@lru_cache(maxsize=64)
def pinpoint(question: str) -> Pinpoint:
    """What the question points at; nothing for most."""
    numbers = [match[1] for match in _SECTION.finditer(question)]
    if (alone := _ALONE.fullmatch(question)) and not alone[1].isdecimal():
        numbers.append(alone[1])
    parts = [_beginning(match[1], match[2]) for match in _PART.finditer(question)]
    terms = [next(filter(None, match.groups())) for match in _DEFINITION.finditer(question)]
    quoted = [_plain(words) for words in quotations(question)]
    return Pinpoint(tuple(dict.fromkeys(map(_number, numbers))), tuple(parts), tuple(terms), tuple(quoted))


def quotations(question: str) -> list[str]:
    """What stands in quotation marks, as it is written."""
    found = (match[1].strip(" .,;:") for match in _QUOTED.finditer(question))
    return [words for words in found if re.search(r"\w", words)]


def _number(raw: str) -> str:
    """Numbers of articles in capitals, letters of parts in small ones, as they are mostly printed."""
    head, bracket, rest = "".join(raw.split()).partition("(")
    return head.upper() + bracket + rest.lower()


def _beginning(kind: str, name: str) -> re.Pattern[str]:
    """At the beginning of a line that does not end with the number of a page, as one of a table of contents does."""
    marked = rf"(?:^|\n)\s*{kind}\s+[\"“]?{re.escape(name)}[\"”]?(?![\w(.-]*\w)"
    return re.compile(marked + r"(?![^\n]*\.{3})(?![^\n]*\s\d{1,3}\s*(?:\n|$))", re.IGNORECASE)


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text.translate(_MARKS)).lower()
