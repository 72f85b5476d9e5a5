"""What a passage leans on: the sections it names ("as defined in Section 1.2") and the terms it uses as defined."""

import re
from collections.abc import Iterator

from verify.domain.passage import Passage

_SECTION = re.compile(
    r"(?:\b(?:Sections?|Sec\.|Clauses?|Paragraphs?|Articles?)|§§?)\s*((?:\d+(?:\.\d+)*|[IVXLC]+\b)(?:\([a-zA-Z0-9]{1,4}\))*)"
)
_MORE_SECTIONS = re.compile(r"\s*(?:,|and|or|through|to|,\s*and|,\s*or)\s+(\d+(?:\.\d+)+(?:\([a-zA-Z0-9]{1,4}\))*)")
_CAPITALISED = re.compile(r"\b[A-Z][A-Za-z]+(?:\s+(?:of\s+|and\s+)?[A-Z][A-Za-z]+){0,4}")
_OPENING = (
    r"(?:^|\n)\s*(?:(?:ARTICLE|Article|SECTION|Section|Sec\.|Clause|§)\s*)?{number}"
    r"(?![\d(])(?!\.\d)[.:)]?(?=\s|$)(?![^\n]*\s\d{{1,3}}\s*(?:\n|$))"
)
"""At the beginning of a line, and not a line of a table of contents, which ends with its page."""
_COMMON = frozenset({"Agreement", "Contract", "Party", "Parties"})
"""Used in nearly every passage; where they are defined says nothing about one."""


def sections_named(text: str) -> list[str]:
    """Numbers of the sections that the text refers to, in order, each once: "7.2(b)", "1", "IV"."""
    found: list[str] = []
    for match in _SECTION.finditer(text):
        found.append(match.group(1))
        end = match.end()
        while more := _MORE_SECTIONS.match(text, end):
            found.append(more.group(1))
            end = more.end()
    return list(dict.fromkeys(found))


def opens_section(passage: Passage, number: str) -> bool:
    """Whether the section of that number begins in the passage, or the passage stands directly under its heading.

    "7.2(b)" is sought as such and as "7.2", for a lettered part is seldom numbered in full where it stands.
    """
    for wanted in dict.fromkeys((number, number.split("(", 1)[0])):
        pattern = re.compile(_OPENING.format(number=re.escape(wanted)))
        if pattern.search(passage.text) or (passage.heading_path and pattern.search(passage.heading_path[-1])):
            return True
    return False


def terms_used(text: str) -> Iterator[str]:
    """Capitalised phrases, longest first at each place, each once: what may be a defined term."""
    seen: set[str] = set()
    for match in _CAPITALISED.finditer(text):
        words = match.group().split()
        for begin in range(len(words)):
            phrase = " ".join(words[begin:])
            if phrase not in seen | _COMMON and words[begin][0].isupper():
                seen.add(phrase)
                yield phrase


def defines(passage: Passage, term: str) -> bool:
    """Whether the passage gives the term its meaning: “Term” means …, or (the “Term”)."""
    quoted = r"[“\"]\s*" + r"\s+".join(re.escape(word) for word in term.split()) + r"\s*[”\"]"
    verb = r"(?:shall\s+)?(?:means?|ha(?:s|ve)\s+the\s+meaning|refers?\s+to|includes?)\b"
    means = rf"{quoted}\s*(?:\([^)]{{0,80}}\)\s*)?,?\s*{verb}"
    aside = rf"\([^()“\"]{{0,60}}{quoted}[^()]{{0,80}}\)"
    return re.search(f"{means}|{aside}", passage.text, re.IGNORECASE) is not None
