"""The closed word lists of ``words.toml``, read once, and how a pattern is made of one."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text(encoding="utf-8"))


def either(words: Iterable[str]) -> str:
    """A pattern of any of the words, the longest first."""
    return "|".join(re.escape(w) for w in sorted(words, key=lambda w: (-len(w), w)))


def phrases(words: Iterable[str]) -> str:
    """As ``either``, with any white space between the words of a phrase and either apostrophe."""
    return either(words).replace(r"\ ", r"\s+").replace("'", "['’]")
