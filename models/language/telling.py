"""Legal concepts with the words that tell them: ``telling.toml``. A clause states a concept only if it holds such
words; what merely lies near it does not."""

import re
import tomllib
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

_TABLE = Path(__file__).with_name("telling.toml")


class Sense(StrEnum):
    """What a clause that tells the concept does."""

    BARS = "bars"
    LETS = "lets"
    IS = "is"


class Telling:
    """One concept. Patterns read text in the form of ``concepts.flat``."""

    __slots__ = ("_asked", "_not", "_tells", "name", "sense")

    def __init__(self, name: str, row: dict[str, object]) -> None:
        self.name, self.sense = name, Sense(str(row["sense"]))
        self._asked, self._tells = _any(row["asked"]), _any(row["tells"])
        self._not = _any(row["not"]) if "not" in row else None

    def asked_in(self, flat: str) -> bool:
        return self._asked.search(flat) is not None

    def covers(self, flat: str, content: Iterable[str]) -> float:
        """Share of the question's content words that the words which ask for the concept hold, 0-1."""
        spoken = " ".join(match[0] for match in self._asked.finditer(flat))
        wanted = list(content)
        return sum(word in spoken for word in wanted) / len(wanted) if wanted else 1.0

    def told_in(self, flat: str) -> bool:
        """Whether the sentence states the concept: telling words, once what only reads like them is taken out."""
        if self._tells.search(flat) is None:
            return False
        return self._not is None or self._tells.search(self._not.sub(" … ", flat)) is not None


def _any(patterns: object) -> "re.Pattern[str]":
    assert isinstance(patterns, list)
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns))


@lru_cache(maxsize=1)
def tellings() -> tuple[Telling, ...]:
    """Read and compiled once, on first use."""
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return tuple(Telling(name, row) for name, row in table.items())


def tellings_asked(flat: str) -> tuple[Telling, ...]:
    """The concepts that a question asks for."""
    return tuple(telling for telling in tellings() if telling.asked_in(flat))
