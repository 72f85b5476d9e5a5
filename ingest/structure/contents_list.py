"""Entries of a table of contents: told from the headings and clauses that they name."""

import re
from collections import Counter
from collections.abc import Sequence

from ingest.page.lines import TextLine

_CONTENTS = frozenset(
    ("contents", "table of contents", "index", "inhalt", "inhaltsverzeichnis", "sommaire", "table des matières",
     "índice", "table of authorities", "list of exhibits", "list of schedules")
)  # fmt: skip
_LEADERS = re.compile(r"(?:\.\s?){4,}|(?<!_)_{6,}+\s*+[0-9ivxlc]+$|…{2,}")
_ENTRY_WORDS = 18


def contents_lines(lines: Sequence[TextLine]) -> list[bool]:
    """Entries of a table of contents: lines with leaders to a number, what follows a title like "Contents", and titles
    with a number far right on their line, one under another."""
    out = _with_page_numbers(lines)
    inside: TextLine | None = None
    entry = 0
    for i, line in enumerate(lines):
        if line.text.strip(" .:").casefold() in _CONTENTS:
            inside, entry = line, 0
        elif inside and 0 < 1.1 * entry < line.size and line.size >= 0.98 * inside.size:
            inside = None  # a heading like the list's own
        elif line.text[-1:].isalnum() and _has_leaders(line.text):
            out[i] = True
        elif inside:
            goes_on = len(line.text.split()) <= _ENTRY_WORDS and not line.text.endswith((".", ";", ":", ","))
            out[i] = out[i] or goes_on
            inside, entry = (inside if goes_on else None), line.size
    return out


def _has_leaders(text: str) -> bool:
    """Most lines have too few dots: to count them costs a tenth of the search."""
    return (text.count(".") >= 4 or "______" in text or "……" in text) and _LEADERS.search(text) is not None


_FEWEST_ENTRIES = 3
PAGE_NUMBER = re.compile(r"[0-9]{1,4}|[ivxlc]{1,6}|[A-Z]-[0-9]{1,3}")


def _with_page_numbers(lines: Sequence[TextLine]) -> list[bool]:
    """Lines of a list whose page numbers, set apart to one edge, never fall: contents that began on another page."""
    out = [False] * len(lines)
    pairs = [
        i
        for i in range(len(lines) - 1)
        if len(lines[i + 1].text) < 6
        and PAGE_NUMBER.fullmatch(lines[i + 1].text)
        and abs(lines[i].baseline - lines[i + 1].baseline) <= lines[i].size // 3
        and lines[i + 1].box.x0 - lines[i].box.x1 > 2 * lines[i].size
    ]
    edges = Counter(lines[i + 1].box.x1 // 200 for i in pairs)
    numbers = [int(lines[i + 1].text) for i in pairs if lines[i + 1].text.isdecimal()]
    if len(pairs) < _FEWEST_ENTRIES or numbers != sorted(numbers) or max(edges.values()) < 0.6 * len(pairs):
        return out
    for i in pairs:
        out[i] = out[i + 1] = True
    return out
