"""The kinds of question, read from patterns in ``asking.toml``; the first kind whose pattern fits is the question's."""

import re
import tomllib
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

_TABLE = Path(__file__).with_name("asking.toml")


class Kind(StrEnum):
    FACT = "fact"
    YES_NO = "yes_no"
    LIST = "list"
    COUNT = "count"
    COMPARE = "compare"
    DEFINITION = "definition"
    CLAUSE = "clause"
    SUMMARY = "summary"
    CHRONOLOGY = "chronology"
    CALCULATION = "calculation"
    HOLDING = "holding"
    STATEMENT = "statement"


class Asking:
    """The patterns of ``asking.toml``, compiled once."""

    def __init__(self) -> None:
        table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
        self._kinds = [(Kind(name), _any(patterns)) for name, patterns in table["kinds"].items()]
        self._same: dict[str, str] = table["same"]
        self._marks = {name: _any(patterns) for name, patterns in table["marks"].items()}

    def kind_of(self, flat: str) -> Kind:
        """``flat`` as ``concepts.flat`` makes it. A question that fits none asks for a fact."""
        return next((kind for kind, pattern in self._kinds if pattern.search(flat)), Kind.FACT)

    def mark(self, name: str, flat: str) -> "re.Match[str] | None":
        """Whether the question has this mark (``per_document``, ``denied``, ``draft``, ``outside``, ``follows`` …)."""
        return self._marks[name].search(flat)

    def same(self, word: str) -> str:
        """What a clause calls it: "japan" for "japanese"; the word itself where nothing else is known."""
        return self._same.get(word, word)

    def without(self, name: str, flat: str) -> str:
        return " ".join(self._marks[name].sub(" ", flat).split())


def _any(patterns: list[str]) -> "re.Pattern[str]":
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.I)


@lru_cache(maxsize=1)
def asking() -> Asking:
    return Asking()
