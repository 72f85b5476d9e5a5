"""A sentence of several clauses ("A pays 5 and B pays 3"): whether a claim takes who or what from one of them and the
rest from another."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from models.language.agreement import claim_values
from models.language.values import Value, ValueKind, in_small_letters, values, without_values
from models.language.wording import stems

_PARTED = re.compile(
    r"[;,]\s+(?:(?:and|but|while|whereas|or)\s+)?|\s+(?:and|but|while|whereas)\s+(?=(?:the|an?|each|its)\s|[A-Z])"
)
_ORDINAL = re.compile(r"\b(?:first|second|third|fourth|fifth|sixth|initial|final|last|former|latter)\b", re.I)
Labels = Callable[[str], frozenset[str]]
"""Words of a text that name who or which, in small letters."""


def clauses(sentence: str) -> list[str]:
    """Its parts between commas, semicolons and conjunctions that a new subject follows; a date is not parted."""
    found, start, stated = [], 0, values(sentence)
    for match in _PARTED.finditer(sentence):
        if not any(value.start < match.start() < value.end for value in stated):
            found.append(sentence[start : match.start()])
            start = match.end()
    return [part for part in (*found, sentence[start:]) if part.strip()]


class _Clause(NamedTuple):
    labels: frozenset[str]
    words: frozenset[str]
    values: tuple[Value, ...]


def value_of_another(claim: str, sentence: str, actors: Labels) -> bool:
    """True if the claim's one date, amount, percentage or duration stands in a clause about another one, and the clause
    about the claim's own has another value of its kind. Bare numbers may be those of a citation."""
    stated = claim_values(claim)
    kinds: Counter[ValueKind] = Counter(value.kind for value in stated if value.kind is not ValueKind.NUMBER)
    single = [value for value in stated if kinds[value.kind] == 1]
    parts = [_clause(part, actors) for part in clauses(sentence)] if single else []
    own = _clause(claim, actors)
    return len(parts) > 1 and any(_is_anothers(value, own, parts) for value in single)


def _is_anothers(value: Value, own: _Clause, parts: Sequence[_Clause]) -> bool:
    stating = [part for part in parts if _states(part, value)]
    others = [p for p in parts if not _states(p, value) and any(other.kind is value.kind for other in p.values)]
    return bool(stating) and any(all(_belongs(own, other, part) for part in stating) for other in others)


def _belongs(own: _Clause, other: _Clause, stating: _Clause) -> bool:
    """True if the claim is about what ``other`` is about, by who or which it names or by all words that tell the two
    clauses apart."""
    if own.labels & other.labels and stating.labels and not own.labels & stating.labels:
        return True
    return bool(own.words & other.words - stating.words) and not own.words & stating.words - other.words


def _states(clause: _Clause, value: Value) -> bool:
    return any(value.agrees_with(other) for other in clause.values)


def _clause(text: str, actors: Labels) -> _Clause:
    found = values(text)
    return _Clause(_labels(in_small_letters(text, found), actors), frozenset(stems(without_values(text, found))), found)


def _labels(text: str, actors: Labels) -> frozenset[str]:
    return actors(text) | {match.lower() for match in _ORDINAL.findall(text)}


def closest_clause(claim: str, sentence: str, actors: Labels) -> str:
    """The one clause that has most of the claim's words, actors aside, and at least half of them; "" where there is
    none, or the sentence has but one."""
    parts = clauses(sentence)
    wanted = frozenset(stems(claim)) - frozenset(stems(" ".join(actors(claim))))
    held = [len(wanted & frozenset(stems(part))) for part in parts]
    if len(parts) < 2 or not wanted or 2 * max(held) < len(wanted) or held.count(max(held)) > 1:
        return ""
    return parts[held.index(max(held))]
