"""Which rows and columns of a table a statement names, and where in the statement.

Labels are told apart by the words that few of them have: of "Revenue" and "Cost of revenue", a statement about the cost
of revenue names the second alone.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from models.language.wording import STOP_WORDS, stem

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+(?:[.,]\d+)*")
_TELLING = frozenset(("before", "after", "above", "below", "under", "over", "other", "not", "no", "more", "all"))
_LINKING = STOP_WORDS - _TELLING | {"s"}
"""What links the words of a label; words that tell labels apart are none ("before tax")."""
_QUARTERS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
_MONTHS = {
    "jan": "january", "feb": "february", "mar": "march", "apr": "april", "jun": "june", "jul": "july", "aug": "august",
    "sep": "september", "sept": "september", "oct": "october", "nov": "november", "dec": "december",
}  # fmt: skip
_COUNTED = frozenset(
    ("item", "no", "number", "line", "lot", "tier", "level", "class", "phase", "stage", "unit", "building", "floor")
)
"""Words that a number after them names ("Item 2")."""
_BRACKETS = re.compile(r"\([^()]*\)")
_YEAR = re.compile(r"(?:19|20)\d\d")
_COMMON = 0.05
"""What a word weighs that all labels have, where a label has no other ("Revenue" beside "Cost of revenue")."""
FIRM = 0.6
"""Share of a label, by the rarity of its words, that a statement must have to name it beyond doubt."""


class Token(NamedTuple):
    """``word`` is a stem, a number or a quarter ("q3"); ``start`` and ``end`` are offsets in the text, half-open."""

    word: str
    start: int
    end: int


class Mention(NamedTuple):
    """The labels that a statement names with the same words; more than one where it does not tell them apart.

    ``at`` are offsets in the statement of the words that name them, in order. ``firm`` is False where most of the
    label is missing.
    """

    keys: frozenset[int]
    at: tuple[tuple[int, int], ...]
    firm: bool

    @property
    def start(self) -> int:
        return self.at[0][0]


def tokens(text: str) -> list[Token]:
    """Words and numbers that can name something; "FY2023" and "2023A" fall apart.

    A number other than a year names nothing by itself, for it may as well be counted: it stands together with the word
    before it and with the word after it ("level 2", "30 day").
    """
    raw = [Token(match.group().lower().replace("’", "'").removesuffix("'s"), *match.span())
           for match in _WORD.finditer(text)]  # fmt: skip
    raw = [Token(_MONTHS.get(token.word, token.word), token.start, token.end) for token in raw]
    found: list[Token] = []
    for number, token in enumerate(raw):
        before = raw[number - 1] if number else None
        if token.word == "quarter" and before is not None and before.word in _QUARTERS:
            found[-1] = Token(f"q{_QUARTERS[before.word]}", before.start, token.end)
        elif before is not None and before.word == "q" and before.end == token.start:
            found[-1] = Token(f"q{token.word}", before.start, token.end)
        elif token.word[0].isalpha():
            if token.word not in _LINKING:
                found.append(Token(stem(token.word), token.start, token.end))
        else:
            found += _numbers(token, before, raw[number + 1] if number + 1 < len(raw) else None)
    return found


def _numbers(token: Token, before: Token | None, after: Token | None) -> Iterator[Token]:
    if _YEAR.fullmatch(token.word):
        yield token
    else:
        if before is not None and before.word[0].isalpha():
            yield token._replace(word=f"{stem(before.word)} {token.word}")
        if after is not None and after.word[0].isalpha():
            yield token._replace(word=f"{token.word} {stem(after.word)}")
        if before is None or before.word in _COUNTED:
            yield token


def named(labels: Mapping[int, str], said: Sequence[Token]) -> list[Mention]:
    """The labels that the statement's tokens name, by their keys, in the order in which it names them. What a label has
    in brackets helps to name it, and is not missed ("Payment (EUR)")."""
    held = {key: _words(label) for key, label in labels.items()}
    needed = {key: _words(_BRACKETS.sub(" ", label)) or held[key] for key, label in labels.items()}
    having = Counter(word for words in held.values() for word in words)
    weights = {word: max(_COMMON, math.log(len(held) / count)) for word, count in having.items()}
    shared = frozenset(word for word, count in having.items() if count == len(held))
    wording = frozenset(token.word for token in said)
    strength: dict[int, tuple[float, float]] = {}
    for key, words in held.items():
        telling = words - shared or words
        have = sum(weights[word] for word in telling & wording)
        missing = sum(weights[word] for word in (telling & needed[key]) - wording)
        if have > 0:
            strength[key] = (round(have - missing, 6), have / (have + missing))
    return sorted(_mentions(held, strength, said), key=lambda mention: mention.start)


def _words(text: str) -> frozenset[str]:
    return frozenset(token.word for token in tokens(text))


def _mentions(
    held: Mapping[int, frozenset[str]], strength: Mapping[int, tuple[float, float]], said: Sequence[Token]
) -> list[Mention]:
    """The strongest first; what it is named with names nothing else, unless that fits as well."""
    found: list[Mention] = []
    taken: set[int] = set()
    places = {key: frozenset(n for n, t in enumerate(said) if t.word in held[key]) for key in strength}
    left = sorted(strength, key=lambda key: strength[key], reverse=True)
    while left:
        best, at = strength[left[0]], places[left[0]]
        alike = frozenset(key for key in left if strength[key] == best and places[key] == at)
        left = [key for key in left if key not in alike]
        if at - taken:
            spans = tuple((said[n].start, said[n].end) for n in sorted(at - taken))
            found.append(Mention(alike, spans, best[1] >= FIRM))
            taken |= at
    return found
