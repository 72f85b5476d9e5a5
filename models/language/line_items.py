"""Lines of financial statements under the names that people ask for them by: ``line_items.toml``."""

import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, cast

from models.language.concepts import flat
from models.language.wording import stem_set

_TABLE = Path(__file__).with_name("line_items.toml")
_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]")
_ENDS = re.compile(r"^[\W_]+|[\W_]+$|,?\s*\bnotes? \d+.*$")


class LineItem(NamedTuple):
    """``rows`` are the labels that a table gives it, the preferred first."""

    name: str
    asked: "re.Pattern[str]"
    rows: "tuple[re.Pattern[str], ...]"

    def place_in_rows(self, label: str) -> int | None:
        """How far down the preferred labels this one stands, from 0; None where it is another line's."""
        said = _ENDS.sub("", _BRACKETS.sub(" ", flat(label)).strip())
        plain = " ".join(said.replace(",", " ").split())
        return next((n for n, row in enumerate(self.rows) if row.fullmatch(plain) or row.fullmatch(said)), None)


@lru_cache(maxsize=1)
def _read() -> tuple[tuple[LineItem, ...], frozenset[str]]:
    table = tomllib.loads(_TABLE.read_text(encoding="utf-8"))
    frame = stem_set((cast(str, table.pop("frame")),))
    items = tuple(
        LineItem(name, re.compile("|".join(row["asked"])), tuple(map(re.compile, row["rows"])))
        for name, row in table.items()
    )
    return items, frame


def line_item_asked(question: str) -> tuple[LineItem, str] | None:
    """The one line that lower-case text asks for, and the text without the words that ask for it; None for none or
    several. Of names that lie within one another the longest counts: "cost of sales" does not ask for sales."""
    found = [(m.end() - m.start(), m.span(), item) for item in _read()[0] for m in item.asked.finditer(question)]
    outer = [one for one in found if not any(_within(one[1], other[1]) for other in found)]
    items = {one[2].name: one[2] for one in outer}
    if len(items) != 1:
        return None
    rest = question
    for _, (start, end), _ in outer:
        rest = rest[:start] + " " * (end - start) + rest[end:]
    return next(iter(items.values())), rest


def _within(span: tuple[int, int], other: tuple[int, int]) -> bool:
    return other[0] <= span[0] and span[1] <= other[1] and span != other


def names_nothing_else(rest: str, known: frozenset[str]) -> bool:
    """Whether what is left of the question is in ``known`` (stems) or is how such a question is put."""
    return stem_set((rest,)) <= known | _read()[1]
