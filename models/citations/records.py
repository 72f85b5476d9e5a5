"""Citations of the record, exhibits, transcripts, Bates numbers and clauses: the patterns of ``record_forms.toml``."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from models.citations.authorities import bracketed
from models.citations.model import CitationKind, Mention, Pinpoint
from models.citations.pinpoints import pin_at


@dataclass(frozen=True, slots=True)
class _RecordForm:
    kind: CitationKind
    key_kind: str
    pattern: re.Pattern[str]
    pin: bool
    joined: bool


@cache
def _forms() -> tuple[_RecordForm, ...]:
    table = tomllib.loads((Path(__file__).parent / "record_forms.toml").read_text(encoding="utf-8"))
    return tuple(
        _RecordForm(
            CitationKind(row["kind"]), row["key_kind"], re.compile(row["pattern"]), row["pin"], row.get("joined", False)
        )
        for row in table["form"]
    )


_LEADING = re.compile(r"^(?:See|But|Cf\.?|Accord|In|Under|And|The|At|Per|Compare|With|E\.g\.,?)\s")
_JOINED_PIN = re.compile(r"\s?\.?(?:at\s)?(?P<pages>\d{1,6}(?:\s?[-–—]\s?\d{1,6})?)")


def find_records(text: str, block: int, taken: Iterable[tuple[int, int]]) -> list[Mention]:
    """In order; nothing that overlaps ``taken`` or an earlier form's."""
    spans = list(taken)
    found: list[Mention] = []
    for form in _forms():
        for match in form.pattern.finditer(text):
            mention = _mention(text, block, form, match)
            if mention and not any(a < mention.end and mention.start < b for a, b in spans):
                spans.append((mention.start, mention.end))
                found.append(mention)
    return sorted(found, key=lambda m: m.start)


def _mention(text: str, block: int, form: _RecordForm, match: re.Match[str]) -> Mention | None:
    groups = match.groupdict()
    start, end, key = match.start(), match.end(), (groups.get("key") or "").strip()
    if lead := _LEADING.match(key):
        key = key[lead.end() :]
        start += lead.end() if match.start("key") == match.start() else 0
    if form.kind is CitationKind.CLAUSE:
        end = match.start("key") + len(groups["key"].rstrip()) if groups.get("key") else match.end("section")
        pin: Pinpoint | None = Pinpoint(groups["section"], section=groups["number"])
    elif form.joined and (page := _JOINED_PIN.match(text, end)):
        read = pin_at(f", at {page['pages']}", 0)
        pin, end = (read[0] if read else None), page.end()
    else:
        pin, end = _following(text, end) if form.pin else (None, end)
    if form.key_kind == "pleading" and pin is None:
        return None
    note = _parenthetical(text, end)
    end = note[1] if note else end
    return Mention(
        block, start, end, text[start:end], form.kind, pin=pin, parenthetical=note[0] if note else "", key=key,
        key_kind=form.key_kind, last_key=groups.get("last") or "",
    )  # fmt: skip


def _following(text: str, end: int) -> tuple[Pinpoint | None, int]:
    read = pin_at(text, end) or _plain_page(text, end)
    if read is None:
        return None, end
    pin, end = read
    if pin.pages and not pin.lines and (more := pin_at(text, end, bare=False)) and more[0].paragraphs:
        return Pinpoint(text[end - len(pin.as_written) : more[1]], pin.pages, more[0].paragraphs), more[1]
    return pin, end


_PLAIN = re.compile(r",?\s(?P<pages>\d{1,4}(?:\s?[-–—]\s?\d{1,4})?)(?=[.;,)]|$)")


def _plain_page(text: str, end: int) -> tuple[Pinpoint, int] | None:
    """ "Jones Dep. 45." """
    page = _PLAIN.match(text, end)
    read = pin_at(f", at {page['pages']}", 0) if page else None
    return (Pinpoint(page["pages"], read[0].pages), page.end()) if page and read else None


_REMARK = re.compile(
    r"emphasis|citation|internal|footnote|alteration|omitted|hereinafter|[“\"][A-Z][\w .’'-]{0,40}[”\"]$"
)


def _parenthetical(text: str, end: int) -> tuple[str, int] | None:
    inside = bracketed(text, end)
    if inside is None:
        return None
    words = text[inside[0] : inside[1]]
    return ("" if _REMARK.match(words) else words, inside[1] + 1) if len(words) > 3 else None
