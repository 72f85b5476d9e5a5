"""What lawyers ask for in one set of words and contracts say in another: the vocabulary of ``concepts.toml``.

A concept is asked for by ``asked`` and stated by ``stated``, both patterns over text in the form of ``flat``. The words
of a question that a concept explains need not stand in its answer.
"""

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from models.language.wording import letters

_TABLE = Path(__file__).with_name("concepts.toml")


class Concept(NamedTuple):
    name: str
    asked: re.Pattern[str]
    stated: re.Pattern[str]


@lru_cache(maxsize=1)
def concepts() -> tuple[Concept, ...]:
    """Read and compiled once, on first use."""
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    return tuple(
        Concept(name, re.compile(rf"\b(?:{'|'.join(row['asked'])})"), re.compile("|".join(row["stated"])))
        for name, row in table.items()
    )


def flat(text: str) -> str:
    """Lower case, single spaces, straight apostrophes, no ligatures: the form that the patterns are written for."""
    return " ".join(letters(text).lower().replace("’", "'").split())
