"""What one sentence changes in another document: the clause, the words exchanged, and from when until when."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from models.answering.documents.clauses import Clause, named_clauses
from models.language.values import Value, ValueKind, values


class Does(StrEnum):
    REPLACE = "replace"  # ``old`` by ``new``; ``new`` is empty where words are only struck
    RESTATE = "restate"  # the whole clause by ``new``
    DELETE = "delete"  # the whole clause; ``new`` is what the paragraph goes on to say, as a rule nothing
    ADD = "add"  # ``new`` is a clause that was not there
    SET = "set"  # a value that ``subject`` names becomes ``new``
    OVERRIDE = "override"  # ``new`` is said in spite of the clause, which stays


@dataclass(frozen=True, slots=True)
class Instruction:
    """``clause`` None where the sentence names none. Dates are ISO days; None where the sentence gives none."""

    does: Does
    clause: Clause | None
    old: str = ""
    new: str = ""
    subject: str = ""
    effective: str | None = None
    lapses: str | None = None


_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'"})
_QUOTED = r'"(?P<@q>[^"]*)"'
_SINGLE = r"(?<!\w)'(?P<@s>[^']+)'(?!\w)"
_BARE = r"(?P<@b>[^\"';:]{1,80}?)"
_END = r"(?=[.;,]?\s*$|[.;]\s|,? and (?:in )?(?:section|clause|article|paragraph)|,? (?:with effect|effective) )"
_TRAILING = re.compile(r"^(?:the )?following\b", re.I)


@lru_cache(maxsize=1)
def _table() -> dict[str, list[re.Pattern[str]]]:
    data = tomllib.loads(Path(__file__).with_name("amending.toml").read_text(encoding="utf-8"))
    leads, being = (data.pop("lead"), data.pop("lead_bare")), data.pop("is")
    return {
        name: [re.compile(p, re.I) for raw in rows for p in _forms(raw, leads, being)] for name, rows in data.items()
    }


def _forms(raw: str, leads: tuple[str, str], being: str) -> Iterator[str]:
    """The pattern for words in quotation marks, then for those that a lead introduces or that stand bare."""
    raw = raw.replace("{is}", being).replace("{text}", r"(?P<text>\S.*)$")
    raw = raw.replace("{value}", rf"(?P<value>[^\";:]{{1,60}}?){_END}")
    if "{old}" not in raw and "{new}" not in raw:
        yield raw
        return
    for form in (_QUOTED, _SINGLE):
        yield _with(raw, f"(?:{leads[0]})?{form}")
    loose = f"(?:{leads[0]})?{_BARE}"
    first = min(raw.find(key) % len(raw) for key in ("{old}", "{new}") if key in raw)
    last = max(raw.find(key) for key in ("{old}", "{new}"))
    if last > first:  # the first operand needs a lead or a verb before it, or anything would be one
        yield _with(raw, loose, led=leads[1] if first == 0 else "")


def _with(raw: str, operand: str, led: str = "") -> str:
    out = raw
    for key in ("old", "new"):
        form = operand.replace("@", key[0])
        if led and raw.startswith("{" + key + "}"):
            form = led + _BARE.replace("@", key[0])
        if raw.endswith("{" + key + "}") and "b>" in form:
            form += _END
        out = out.replace("{" + key + "}", form)
    return out


def one_form(text: str) -> str:
    """One line, straight quotation marks: the form that instructions are read in."""
    return " ".join(text.translate(_QUOTES).split())


def instructions(sentence: str, text: str | None = None) -> tuple[Instruction, ...]:
    """What the sentence changes, empty for one that changes nothing. ``text`` is the sentence with what follows it in
    its paragraph, where a clause that is written anew may go on; by default the sentence alone."""
    said, whole = one_form(sentence), one_form(text or sentence)
    table = _table()
    if any(pattern.search(said) for pattern in table["unless"]):
        return ()
    outside = re.sub(r'"[^"]*"?', '""', said)
    clauses = named_clauses(outside)
    found = tuple(_read(said, whole, clauses[0] if clauses else None))
    effective, lapses = dates_of(outside)
    return tuple(replace(one, effective=effective, lapses=lapses) for one in found)


def dates_of(text: str) -> tuple[str | None, str | None]:
    """From when and until when a text says that something applies, as ISO days."""
    table = _table()
    said = one_form(text)
    return _day(table["effective"], said), _day(table["lapses"], said)


def day_made(text: str) -> str | None:
    """The ISO day on which a document says that it was made."""
    return _day(_table()["made"], one_form(text))


def _read(said: str, whole: str, clause: Clause | None) -> Iterator[Instruction]:
    table = _table()
    for does in (Does.ADD, Does.RESTATE):
        for pattern in table[does.value]:
            if (found := pattern.search(whole)) and found.start() < len(said) and _fit(found["text"], does, clause):
                new = _unquoted(found["text"])
                own = named_clauses("Section " + new) if does is Does.ADD else ()
                yield Instruction(does, own[0] if own else clause, new=new)
                return
    for pattern in table["replace"]:
        pairs = [(_operand(m, "o"), _operand(m, "n")) for m in pattern.finditer(said)]
        if pairs and all(old and new and old != new for old, new in pairs):
            yield from (Instruction(Does.REPLACE, clause, old, new) for old, new in pairs)
            return
    yield from _rest(said, whole, clause)


def _rest(said: str, whole: str, clause: Clause | None) -> Iterator[Instruction]:
    table = _table()
    for pattern in table["strike"]:
        found = pattern.search(said)
        if found and (found.groupdict().get("oq") or found.groupdict().get("os")):
            yield Instruction(Does.REPLACE, clause, _operand(found, "o"))
            return
    for pattern in table["delete"]:
        if clause is not None and pattern.search(re.sub(r'"[^"]*"', '""', said)):
            yield Instruction(Does.DELETE, clause, new=_after(said, whole))
            return
    for pattern in table["set"]:
        found = pattern.search(said)
        if found and clause is not None and stated(found["value"]):
            yield Instruction(Does.SET, clause, new=_trimmed(found["value"]), subject=found["subject"])
            return
    if clause is not None and any(pattern.search(said) for pattern in table["override"]):
        yield Instruction(Does.OVERRIDE, clause, new=said)


def _after(said: str, whole: str) -> str:
    """What the paragraph goes on to say in the place of what it deletes."""
    return whole[len(said) :].strip() if whole.startswith(said) else ""


def stated(text: str) -> tuple[Value, ...]:
    """The values of a text that is little else than one: up to six words."""
    return values(text) if len(text.split()) <= 8 else ()


def _fit(text: str, does: Does, clause: Clause | None) -> bool:
    """A text that stands for a clause: of some length, in quotation marks, or led by a number."""
    bare = _unquoted(text)
    return does is Does.ADD or (clause is not None and (len(bare.split()) > 6 or re.match(r"\d", bare) is not None)
                                and not _TRAILING.match(bare))  # fmt: skip


def _unquoted(text: str) -> str:
    text = text.strip()
    if text.startswith('"'):
        return text[1:].split('"')[0].strip() if text.count('"') % 2 == 0 else text[1:].strip().rstrip('"')
    return text


def _operand(match: re.Match[str], key: str) -> str:
    groups = match.groupdict()
    for form in ("q", "s"):
        if groups.get(key + form) is not None:
            return str(groups[key + form]).strip()
    return _trimmed(groups.get(key + "b") or "")


def _trimmed(text: str) -> str:
    return re.sub(r"^(?:the|a|an)\s+(?=\S+$)|[\s.,;]+$", "", text.strip())


def _day(patterns: list[re.Pattern[str]], said: str) -> str | None:
    """The first day that stands right after one of the patterns."""
    for pattern in patterns:
        for found in pattern.finditer(said):
            rest = said[found.end() : found.end() + 60]
            first = next(iter(values(rest)), None)
            if first is not None and first.kind is ValueKind.DATE and first.start <= len("on the day of "):
                day = plain_day(first)
                if day:
                    return day
    return None


def plain_day(value: Value) -> str | None:
    """The ISO day that a date states in one reading only; None for a month, or for what may be two days."""
    if value.kind is not ValueKind.DATE or len(value.readings) != 1:
        return None
    (reading,) = value.readings
    try:
        return date.fromisoformat(reading).isoformat() if len(reading) == len("2020-01-01") else None
    except ValueError:
        return None
