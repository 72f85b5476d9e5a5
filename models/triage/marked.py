"""A sentence as the words that decide what it says, each marked with its kind, from the table ``wordings.toml``.

Two wordings of one thing get the same key ("is entitled to" and "may", "prior to" and "before", "30 days" and "thirty
(30) days"), so that whatever compares them compares meaning that a person wrote down, not likeness.
"""

import re
import tomllib
from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from models.language.values import Value, ValueKind, values
from models.language.wording import letters, stem

_TABLE = Path(__file__).with_name("wordings.toml")
_OPPOSITES = Path(__file__).with_name("opposites.toml")
_BE = r"(?:is|are|was|were|be|been|being)"
_NOT = r"(?:not|no|never)"
_WORD = re.compile(r"[^\W_]+(?:[-.&][^\W_]+)*|[,;:()—]|§")
_POSSESSIVE = re.compile(r"[’']s\b|(?<=s)[’'](?!\w)")
NONE = ("no", "no one", "nobody", "neither", "none", "nothing", "neither of", "none of")
_ARTICLE = re.compile(r"\b(?:the|an?|this|that|these|those)\s+$", re.I)
_NEVER = ("in no event", "at no time")
_DENIED = {"over": "most", "under": "least"}
_IN_BRACKETS = re.compile(r"\(\s*$")


class Kind(StrEnum):
    """What a word decides. CONTENT is what the rest is said of; SOFT and those after it decide nothing by
    themselves."""

    CONTENT = "content"
    VALUE = "value"
    REPORT = "report"
    BOUND = "bound"
    CONDITION = "condition"
    EXCEPTION = "exception"
    MODAL = "modal"
    NEGATION = "negation"
    ONLY = "only"
    QUANTITY = "quantity"
    RELATION = "relation"
    JOIN = "join"
    SOFT = "soft"
    AUXILIARY = "auxiliary"
    PRONOUN = "pronoun"
    STOP = "stop"


class Word(NamedTuple):
    """``start`` and ``end`` are offsets in the text, half-open. Of two words with one ``key`` and ``kind`` the one can
    stand for the other; ``text`` is the word in small letters, ``owner`` is
    true before a possessive, ``named`` after an article. A value is compared by its readings."""

    kind: Kind
    key: str
    start: int
    end: int
    text: str
    value: Value | None = None
    owner: bool = False
    named: bool = False

    def says(self, other: "Word") -> bool:
        if self.value is not None and other.value is not None:
            return self.value.kind is other.value.kind and bool(self.value.readings & other.value.readings)
        return (self.kind, self.key) == (other.kind, other.key)


class _Table(NamedTuple):
    patterns: tuple[tuple[Kind | None, str, re.Pattern[str]], ...]
    light: frozenset[str]
    pronouns: frozenset[str]
    auxiliaries: frozenset[str]
    same: dict[str, str]


@lru_cache(maxsize=1)
def _table() -> _Table:
    read = tomllib.loads(_TABLE.read_text("utf-8"))
    patterns = []
    for row in read["pattern"]:
        either = "|".join(row["any"]).replace("{be}", _BE).replace("{not}", _NOT)
        kind = None if row["kind"] == "skip" else Kind(row["kind"])
        patterns.append((kind, row["key"], re.compile(rf"(?<![\w’'])(?:{either})(?!\w)", re.I)))
    sides = tomllib.loads(_OPPOSITES.read_text("utf-8"))["party"]
    same = {word: word for pair in sides for side in pair for word in side.split()}  # "insured" is no form of "insurer"
    same |= {
        word: line.split()[0] for line in reversed(read["same"]["lines"].strip().splitlines()) for word in line.split()
    }
    return _Table(
        tuple(patterns),
        frozenset(read["light"]["words"].split()),
        frozenset(read["pronoun"]["words"].split()),
        frozenset(read["aux"]["words"].split()),
        same,
    )


@lru_cache(maxsize=4096)
def marked(text: str) -> tuple[Word, ...]:
    """The words in order. Ligatures count as letters where that moves no offset."""
    plain = letters(text)
    plain = text if len(plain) != len(text) else plain
    plain = plain.replace("’", "'")
    taken = bytearray(len(plain))
    found: list[Word] = []

    def take(word: Word | None, start: int, end: int) -> None:
        if any(taken[start:end]):
            return
        taken[start:end] = b"\1" * (end - start)
        if word is not None:
            found.append(word)

    owners: set[int] = set()
    stated = _stated(plain)
    for value, start, end in stated:
        take(
            Word(
                Kind.VALUE,
                "/".join(sorted(value.readings)),
                value.start,
                value.end,
                plain[value.start : value.end].lower(),
                value,
            ),
            start,
            end,
        )
    for kind, key, pattern in _table().patterns:
        for match in pattern.finditer(plain):
            start, end = match.span()
            if start < end:
                take(None if kind is None else Word(kind, key, start, end, match.group().lower()), start, end)
    for match in _POSSESSIVE.finditer(plain):
        owners.add(match.start())
        take(None, *match.span())
    for match in _WORD.finditer(plain):
        take(_single(match.group(), match.start()), *match.span())
    owned = [
        word._replace(owner=word.end in owners, named=_ARTICLE.search(plain[: word.start]) is not None)
        for word in found
    ]
    return tuple(_settled(sorted(owned, key=lambda word: word.start)))


def _settled(words: list[Word]) -> Iterator[Word]:
    """ "Within" before a period is its most, "neither ... nor" denies once, and what "in no event" exceeds or falls
    below something is its bound."""
    never = False
    words = _forbidding(_only_if(words))
    for at, word in enumerate(words):
        following = words[at + 1] if at + 1 < len(words) else None
        if word.key == ";":
            never = False
        if word.key == "that" and (following is None or following.kind in (Kind.AUXILIARY, Kind.MODAL, Kind.NEGATION)):
            continue  # "goods that are rejected" begins no statement of its own, "finds that the goods are" does
        if word.text in _NEVER and any(w.kind is Kind.BOUND and w.key in _DENIED for w in words[at:]):
            never = True
        elif never and word.kind is Kind.BOUND and word.key in _DENIED:
            yield word._replace(key=_DENIED[word.key])
        elif word.text == "nor" and any(w.text.startswith(("neither", "no")) for w in words[:at]):
            yield word._replace(kind=Kind.JOIN, key="or")
        elif word.kind in (Kind.CONDITION, Kind.RELATION, Kind.SOFT) and following is not None and _is_date(following):
            yield _at_date(word)
        elif word.kind is Kind.RELATION and word.key == "from":
            yield word._replace(kind=Kind.SOFT, key="at")
        elif word.key == "within" and following is not None and _is_period(following):
            yield word._replace(kind=Kind.BOUND, key="most")
        elif not (never and word.kind is Kind.MODAL and words[at - 1].text in _NEVER):
            yield word


def _only_if(words: list[Word]) -> list[Word]:
    """ "May only end it if" as "may end it only if"."""
    for at, word in enumerate(words):
        after_verb = at and words[at - 1].kind in (Kind.AUXILIARY, Kind.MODAL)
        if word.kind is Kind.ONLY and after_verb:
            for place in range(at + 1, min(at + 5, len(words))):
                if words[place].kind is Kind.CONDITION and words[place].key == "if":
                    changed = words[place]._replace(key="only if")
                    return _only_if([*words[:at], *words[at + 1 : place], changed, *words[place + 1 :]])
    return words


def _forbidding(words: list[Word]) -> list[Word]:
    """ "No party may" as "a party may not", and "no party is required" as "a party need not"."""
    for at, word in enumerate(words):
        begins = at == 0 or words[at - 1].kind in (Kind.STOP, Kind.JOIN, Kind.CONDITION, Kind.EXCEPTION)
        if word.kind is not Kind.NEGATION or word.text not in NONE or not begins:
            continue
        for place in range(at + 1, len(words)):
            if words[place].kind in (Kind.STOP, Kind.JOIN, Kind.CONDITION):
                break
            if words[place].kind is Kind.MODAL and words[place].key in ("may", "must", "will"):
                bound = words[place].key == "must" and words[place].text.split()[-1] == "to"
                denied = words[place]._replace(key="free" if bound else "forbid")
                return _forbidding([*words[:at], *words[at + 1 : place], denied, *words[place + 1 :]])
    return words


_TO_DATE = ("before", "until")


def _at_date(word: Word) -> Word:
    """Until, before or by a date is its most; of a date on which something begins the words say one thing too."""
    if word.key in _TO_DATE or word.text == "by":
        return word._replace(kind=Kind.BOUND, key="most")
    return word


def _is_date(word: Word) -> bool:
    return word.value is not None and word.value.kind is ValueKind.DATE


def _is_period(word: Word) -> bool:
    return word.value is not None and word.value.kind is ValueKind.DURATION


def _stated(text: str) -> list[tuple[Value, int, int]]:
    """The values, and the stretch that each takes; one repeated in brackets ("five percent (5%)") is a part of the
    one before it."""
    out: list[tuple[Value, int, int]] = []
    for value in values(text):
        before = text[out[-1][2] : value.start] if out else ""
        if out and _IN_BRACKETS.fullmatch(before.strip()) and text[value.end : value.end + 1] == ")":
            last = out[-1]
            if last[0].agrees_with(value):
                out[-1] = (last[0], last[1], value.end + 1)
                continue
        out.append((value, value.start, value.end))
    return out


def _single(spelled: str, start: int) -> Word | None:
    table, end = _table(), start + len(spelled)
    lower = spelled.lower()
    if not lower[0].isalnum():
        return Word(Kind.STOP, lower, start, end, lower)
    if lower == "that":
        return Word(Kind.STOP, lower, start, end, lower)
    if lower in table.auxiliaries:
        return Word(Kind.AUXILIARY, lower, start, end, lower)
    if lower in table.pronouns:
        return Word(Kind.PRONOUN, lower, start, end, lower)
    if lower in table.light:
        return None
    if lower in table.same:
        return Word(Kind.CONTENT, table.same[lower], start, end, lower)
    if lower.startswith("non") and lower[3:4] == "-":
        lower = "non" + lower[4:]
    return Word(Kind.CONTENT, stem(lower), start, end, lower)
