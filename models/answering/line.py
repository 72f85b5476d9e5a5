"""The line that a person reads: the clause of a sentence that answers, and the check that claims hold all of it."""

import re
from calendar import month_name
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from models.answering.claim_text import one_line
from models.language.values import ValueKind, values
from models.language.wording import stem_set, words

LONGEST_LINE = 400
"""Characters that a person takes in at once."""
_CLAUSE = 260
_BREAK = re.compile(r"(?<=[;:])\s+|(?<=,)\s+(?=(?:and|but|provided|which|except|unless|if|or)\b)")
_NUMBERING = re.compile(
    r"^\W*(?:(?:section|article|clause)\s+)?(?:\d+(?:\.\d+)+\.?|\(?(?:\d{1,3}|[a-z]{1,4})[.)])\s+(?=[A-Z“\"])", re.I
)
_WORDS = Path(__file__).parents[1] / "language" / "line_words.txt"


@lru_cache(maxsize=1)
def _connecting() -> frozenset[str]:
    return frozenset(
        w for line in _WORDS.read_text(encoding="utf-8").splitlines() if not line.startswith("#") for w in line.split()
    )


def held(line: str, texts: Iterable[str]) -> bool:
    """Whether every word and number of the line stands in one of the texts, connecting words aside."""
    have = {word for text in texts for said in (one_line(text),) for word in (*words(said), *_dates(said))}
    return all(word in have or word in _connecting() for word in words(line))


def _dates(text: str) -> Iterator[str]:
    """The words in which people write the days of the text: "Mon, 08 Jul 2024" and "2024-07-08" are 8 July 2024."""
    for value in values(text):
        for reading in value.readings if value.kind is ValueKind.DATE and len(value.readings) == 1 else ():
            year, *rest = reading.split("-")
            yield year
            yield from ([month_name[int(rest[0])].lower()] if rest and 1 <= int(rest[0]) <= 12 else [])
            yield from (str(int(day)) for day in rest[1:])


def without_number(text: str) -> str:
    """The sentence on one line without the number that it begins with."""
    return _NUMBERING.sub("", one_line(text), count=1)


def clause_of(text: str, asked: frozenset[str], kinds: frozenset[ValueKind], longest: int = _CLAUSE) -> str:
    """The sentence on one line, without its number; of a long one the run of clauses that holds most of what is asked
    and the value, cut at a comma or semicolon and marked with "…" where words are left out."""
    line = without_number(text)
    if len(line) <= longest:
        return line
    pieces = [piece for piece in _BREAK.split(line) if piece]
    weights = [_worth(piece, asked, kinds) for piece in pieces]
    best, span = -1.0, (0, 1)
    for start in range(len(pieces)):
        length, worth = 0, 0.0
        for end in range(start, len(pieces)):
            length += len(pieces[end]) + 1
            if length > longest and end > start:
                break
            worth += weights[end]
            if worth - 0.001 * length > best:
                best, span = worth - 0.001 * length, (start, end + 1)
    chosen = " ".join(pieces[span[0] : span[1]])
    if len(chosen) > longest + 60:
        chosen = _around(chosen, asked, kinds, longest)
    return ("… " if span[0] else "") + chosen.rstrip(" ,;:") + (" …" if span[1] < len(pieces) else "")


def _around(text: str, asked: frozenset[str], kinds: frozenset[ValueKind], longest: int) -> str:
    """A window of whole words about the first value, or about the first word asked."""
    spots = [v.start for v in values(text) if v.kind in kinds]
    spots += [m.start() for m in re.finditer(r"\w+", text) if stem_set((m[0],)) & asked]
    middle = spots[0] if spots else 0
    start = max(0, middle - longest // 2)
    start = 0 if start == 0 else text.find(" ", start) + 1
    end = len(text) if start + longest >= len(text) else text.rfind(" ", start, start + longest)
    return ("… " if start else "") + text[start:end] + (" …" if end < len(text) else "")


def _worth(piece: str, asked: frozenset[str], kinds: frozenset[ValueKind]) -> float:
    return len(stem_set((piece,)) & asked) + 1.5 * any(v.kind in kinds for v in values(piece))


def joined(texts: Sequence[str], longest: int = LONGEST_LINE) -> str:
    """The texts as one line, as many as fit."""
    line = ""
    for text in texts:
        grown = f"{line} {text}".strip()
        if len(grown) > longest:
            break
        line = grown
    return line or (texts[0][: longest - 2].rsplit(" ", 1)[0] + " …" if texts else "")
