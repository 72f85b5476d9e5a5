"""What a document is, and whether it may be the basis of an answer: read from its own title, caption, headers and
signature block, never by a model, with the words that say so."""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from models.answering.documents.text import DocumentText

_TITLES_IN = 12
"""Among so many lines of the opening a title is sought."""


class Kind(StrEnum):
    AGREEMENT = "agreement"
    AMENDMENT = "amendment"
    SIDE_LETTER = "side_letter"
    PLEADING = "pleading"
    WORK_PRODUCT = "work_product"
    LETTER = "letter"
    TRANSCRIPT = "transcript"
    ERRATA = "errata"
    WITNESS_STATEMENT = "witness_statement"
    EXPERT_REPORT = "expert_report"
    MINUTES = "minutes"
    EMAIL = "email"
    INVOICE = "invoice"
    OPINION = "opinion"
    RULE = "rule"
    REPORT = "report"
    OTHER = "other"


class Standing(StrEnum):
    """How far a document speaks for anybody. PLAIN: nothing was found that says more."""

    SIGNED = "signed"
    PLAIN = "plain"
    UNSIGNED = "unsigned"
    DRAFT = "draft"
    PLEADING = "pleading"
    WORK_PRODUCT = "work_product"
    WITHOUT_PREJUDICE = "without_prejudice"


NEVER_A_BASIS = frozenset({Standing.DRAFT, Standing.PLEADING, Standing.WORK_PRODUCT})
CHANGES_NOTHING = NEVER_A_BASIS | {Standing.UNSIGNED, Standing.WITHOUT_PREJUDICE}
"""Standings under which a document changes no other. An unsigned agreement may still be the only copy that there is,
as in public filings: it is the basis, and is called unsigned."""


@dataclass(frozen=True, slots=True)
class Nature:
    """``evidence`` are the lines, or the file's name, by which ``kind`` and ``standing`` were told; empty for OTHER and
    PLAIN."""

    kind: Kind
    standing: Standing
    evidence: tuple[str, ...] = ()

    @property
    def is_basis(self) -> bool:
        return self.standing not in NEVER_A_BASIS

    @property
    def changes_others(self) -> bool:
        return self.standing not in CHANGES_NOTHING


_Patterns = tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class _Signs:
    titles: _Patterns
    opening: _Patterns
    name: _Patterns
    within: int = _TITLES_IN


@dataclass(frozen=True, slots=True)
class _Table:
    kinds: tuple[tuple[Kind, _Signs], ...]
    standings: dict[str, _Signs]
    unless: _Patterns
    blank: re.Pattern[str]
    signed: _Patterns
    longest_title: int


@lru_cache(maxsize=1)
def _table() -> _Table:
    data = tomllib.loads(Path(__file__).with_name("natures.toml").read_text(encoding="utf-8"))
    names = ("draft", "unsigned", "without_prejudice", "work_product")
    return _Table(
        tuple((Kind(kind["name"]), _signs(kind)) for kind in data["kind"]),
        {name: _signs(data[name]) for name in names},
        _compiled(data["draft"]["unless"]),
        re.compile(data["unsigned"]["blank"], re.I),
        _compiled(data["unsigned"]["signed"]),
        data["longest_title"],
    )


def _signs(table: Mapping[str, Any]) -> _Signs:
    titles, opening, name = (_compiled(table.get(part, ())) for part in ("titles", "opening", "name"))
    return _Signs(titles, opening, name, table.get("within", _TITLES_IN))


def _compiled(patterns: Iterable[str]) -> _Patterns:
    return tuple(re.compile(pattern, re.I | re.M) for pattern in patterns)


def nature(document: DocumentText) -> Nature:
    table = _table()
    lines = [line for line in document.opening.split("\n") if line.strip()][:_TITLES_IN]
    titles = [line for line in lines if len(line) <= table.longest_title or line == lines[0]]
    kind, said = _kind(table, titles, document.opening)
    standing, how = _standing(table, document, titles, kind)
    return Nature(kind, standing, tuple(dict.fromkeys(filter(None, (said, how)))))


def _kind(table: _Table, titles: Sequence[str], opening: str) -> tuple[Kind, str]:
    flat = opening.replace("\n", " ")
    for kind, signs in table.kinds:
        for title in titles[: signs.within]:
            if any(pattern.search(title) for pattern in signs.titles):
                return kind, title
        found = next((m for pattern in signs.opening if (m := pattern.search(flat))), None)
        if found:
            return kind, found.group()[: table.longest_title]
    return Kind.OTHER, ""


def _standing(table: _Table, document: DocumentText, titles: Sequence[str], kind: Kind) -> tuple[Standing, str]:
    name = PurePosixPath(document.path).name
    said = {key: _sign(signs, titles, name) for key, signs in table.standings.items()}
    if said["draft"] and not any(pattern.search(said["draft"]) for pattern in table.unless):
        return Standing.DRAFT, said["draft"]
    if kind is Kind.PLEADING:
        return Standing.PLEADING, ""
    if said["work_product"] or kind is Kind.WORK_PRODUCT:
        return Standing.WORK_PRODUCT, said["work_product"]
    if said["without_prejudice"]:
        return Standing.WITHOUT_PREJUDICE, said["without_prejudice"]
    if said["unsigned"]:
        return Standing.UNSIGNED, said["unsigned"]
    return _signature(table, document) if kind in _SIGNED_KINDS else (Standing.PLAIN, "")


_SIGNED_KINDS = (Kind.AGREEMENT, Kind.AMENDMENT, Kind.SIDE_LETTER)


def _signature(table: _Table, document: DocumentText) -> tuple[Standing, str]:
    """By the block at the end: names or "/s/" in it, or nothing but lines to be filled in."""
    found = next((m for pattern in table.signed if (m := pattern.search(document.ending))), None)
    if found and found.group().lower() == "/s/":
        return Standing.SIGNED, found.group()
    blank = table.blank.search(document.ending)
    if blank and not found:
        return Standing.UNSIGNED, blank.group()
    return Standing.PLAIN, ""


def _sign(signs: _Signs, titles: Sequence[str], name: str) -> str:
    for line in titles:
        if any(pattern.search(line) for pattern in signs.titles):
            return line
    return name if any(pattern.search(name) for pattern in signs.name) else ""
