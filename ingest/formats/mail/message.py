"""E-mail: headers as citable text, the body as a person reads it, attachments as members."""

import email
import re
from collections.abc import Iterator
from datetime import datetime
from email import policy
from email.message import Message
from email.utils import parsedate_to_datetime

from ingest.formats.mail.parts import header, mail_content
from ingest.formats.model import Member, Opened, Read
from ingest.formats.sniff import Kind
from ingest.limits import Limits
from ingest.rendition.flow import Block, BlockKind, Grid, labelled, plain
from verify.domain.document import Metadata, SourceWarning, WarningCode

SHOWN = ("From", "Sender", "To", "Cc", "Bcc", "Reply-To", "Date", "Subject")
_SEPARATOR = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From [^\r\n]*\r?\n(?=[!-9;-~]+:)")


def read_eml(data: bytes, limits: Limits) -> Read:
    """Raises nothing but MemoryError: what is malformed is read as far as it goes."""
    message = _parse(data)
    fields = {name: header(message, name) for name in SHOWN}
    content = mail_content(message, limits)
    flow: list[Block | Grid] = [
        *header_blocks(fields, [m.name for m in content.members if m.data is not None]),
        *content.flow,
    ]
    if content.small_pictures:
        flow.append(labelled(f"{content.small_pictures} small pictures in the text were left out"))
    metadata = Metadata(title=fields["Subject"] or None, dated=_day(fields["Date"]))
    return Read(flow, metadata, tuple(content.warnings()), lambda: iter(content.members))


def _parse(data: bytes) -> Message:
    """A mailbox's separator line before a single message is passed over."""
    if data.startswith((b"From ", b">From ")):
        data = data.partition(b"\n")[2]
    return email.message_from_bytes(data.removeprefix(b"\xef\xbb\xbf"), policy=policy.compat32)


def open_mailbox(data: bytes, limits: Limits) -> Opened:
    """A mailbox file is a container of messages; one with a single message is that message."""
    starts = [match.start() for match in _SEPARATOR.finditer(data)]
    ends = [*starts[1:], len(data)]
    messages = [data[start:end] for start, end in zip(starts, ends, strict=True)]
    members = (Member(f"{number:05d}.eml", message) for number, message in enumerate(messages[: limits.members], 1))
    more = len(messages) - limits.members
    said = (SourceWarning(WarningCode.TRUNCATED, None, f"{more} messages were left out"),) if more > 0 else ()
    return Opened(Kind.MBOX, None, warnings=said, members=lambda: members)


def header_blocks(fields: dict[str, str], attached: list[str]) -> Iterator[Block]:
    """The shown headers, one a line, the names of the attachments, and a rule."""
    for name, value in fields.items():
        if value and not (name == "Sender" and value in fields.get("From", "")):
            yield plain(BlockKind.HEADER_FIELD, f"{name}: {value}")
    if attached:
        yield plain(BlockKind.HEADER_FIELD, f"Attachments: {'; '.join(attached)}")
    yield Block(BlockKind.RULE, ())


def _day(date: str) -> str | None:
    """The day that the Date header names, in the sender's time zone."""
    try:
        when: datetime = parsedate_to_datetime(date)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return when.date().isoformat()
