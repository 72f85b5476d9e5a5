"""Who says a sentence, to whom and when: authors of mails and of what they quote, witnesses, writers of letters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.utils import parsedate_to_datetime

from models.answering.documents.amendments import made_on
from models.answering.documents.nature import Kind, nature
from models.answering.documents.text import DocumentText, Quote

_HEADER = re.compile(r"^(From|To|Cc|Date|Sent|Subject|Attachments): (.*)$", re.M)
_WROTE = re.compile(r"^(?:On|Am|Le) .{6,80}?,? (?P<name>[^,\n<>]{2,50}?)(?:\s?<[^>\n]*>)? wrote:\s*$", re.M | re.S)
_NAME = re.compile(r"^[\"']?([^<\"']+?)[\"']?\s*(?:<.*)?$")
_OF = re.compile(
    r"\b(?:deposition|examination|testimony|witness statement|statement|affidavit|declaration|affirmation|report) of\s+"
    r"(?:(?:mr|mrs|ms|dr|prof)\.?\s+)?([A-Z][\w.’'-]+(?:\s+[A-Z][\w.’'-]+){0,3})", re.I
)  # fmt: skip
_SIGNS = re.compile(r"^(?:[A-Z][\w.’'-]+\s){1,3}[A-Z][\w.’'-]+$")


@dataclass(frozen=True, slots=True)
class Head:
    """Of a mail: its header's block, who wrote to whom, and the moment with its zone; of anything else who speaks and
    the day. Names are as printed; empty and None where the document does not say."""

    quote: Quote | None
    speaker: str
    to: str
    moment: datetime | None
    day: str | None
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Saying:
    """``quoted``: the words stand in a mail of somebody else, who only quotes them. ``speaker`` is empty where they
    cannot be told apart."""

    quote: Quote
    speaker: str
    quoted: bool


def head_of(document: DocumentText) -> Head:
    kind = nature(document).kind
    if kind is Kind.EMAIL:
        return _mail(document)
    named = next((m for line in document.opening.split("\n") if (m := _OF.search(line))), None)
    speaker = _cased(named[1]) if named else _signer(document) if kind is Kind.LETTER else ""
    return Head(None, speaker, "", None, made_on(document))


def _cased(name: str) -> str:
    return name.title() if name.isupper() else name


def _signer(document: DocumentText) -> str:
    lines = [line.strip() for block in document.blocks[-4:] for line in block.text.split("\n")]
    return next((line for line in reversed(lines) if _SIGNS.match(line)), "")


def _mail(document: DocumentText) -> Head:
    first = document.quotes[0] if document.quotes else None
    fields = dict(_HEADER.findall("\n".join(block.text for block in document.blocks[:2])))
    moment = _moment(fields.get("Date") or fields.get("Sent") or "")
    day = moment.date().isoformat() if moment else document.dated
    return Head(
        first, _name(fields.get("From", "")), _name(fields.get("To", "")), moment, day, fields.get("Subject", "")
    )


def _name(field: str) -> str:
    found = _NAME.match(field.split(",")[0].strip())
    return found[1].strip() if found else ""


def _moment(written: str) -> datetime | None:
    try:
        return parsedate_to_datetime(written)
    except ValueError:
        return None


def sayings(document: DocumentText) -> Iterator[Saying]:
    """The document's sentences with who says each; headers of mails, greetings and bare names left out."""
    kind, head = nature(document).kind, head_of(document)
    if kind is not Kind.EMAIL:
        yield from (Saying(q, head.speaker, False) for q in document.quotes)
        return
    speaker, quoted = head.speaker, False
    for quote in document.quotes:
        text = quote.sentence.text
        headers = _HEADER.findall(text)
        if len(headers) > 1:
            if quote is not head.quote and (name := _name(dict(headers).get("From", ""))):
                speaker, quoted = name, True
        elif wrote := _WROTE.search(text):
            speaker, quoted = wrote["name"].strip(), True
        elif text.lstrip().startswith(">"):
            yield Saying(quote, speaker if quoted and "\n" not in _unquoted_lines(text) else "", True)
        elif len(quote.text.split()) > 2:
            yield Saying(quote, speaker, quoted)


def _unquoted_lines(text: str) -> str:
    return "".join("\n" for line in text.split("\n") if line.strip() and not line.lstrip().startswith(">"))
