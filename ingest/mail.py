"""E-mail: headers as citable text, the body as a person reads it, attachments as members."""

import email
import re
from collections.abc import Iterator
from datetime import datetime
from email import policy
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime
from itertools import islice

from ingest.archive import safe_name
from ingest.flow import Block, BlockKind, Flow, plain
from ingest.html import html_flow
from ingest.limits import Limits
from ingest.opening import Member, Opened, Read
from ingest.sniff import Kind
from ingest.text import decode, text_blocks
from verify.domain.document import Metadata, SourceWarning, WarningCode

SHOWN = ("From", "To", "Cc", "Bcc", "Reply-To", "Date", "Subject")
_INLINE_PICTURE = 8_000
"""Bytes under which a picture inside an HTML body is a logo or a smiley, not an attachment."""
_PARTS = 2_000
_SIGNATURES = frozenset(
    (
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "application/pgp-signature",
        "application/pgp-keys",
    )
)
"""Proofs of who sent a mail: no documents, and without a word to read."""
_SEPARATOR = re.compile(rb"(?:\A|(?<=\n\n)|(?<=\r\n\r\n))From [^\r\n]*\r?\n(?=[!-9;-~]+:)")
_STUB = 0.3
"""A plain part with less than this share of the HTML part's letters only points to it."""


def read_eml(data: bytes, limits: Limits) -> Read:
    """Raises nothing but MemoryError: what is malformed is read as far as it goes."""
    message = _parse(data)
    fields = {name: _header(message, name) for name in SHOWN}
    leaves = _leaves(message, limits)
    parts = list(islice(leaves, _PARTS))
    left_out = sum(1 for _ in leaves)
    members = [member for member in map(_member, parts) if member is not None]
    body = _body([part for part in parts if _member(part) is None])
    flow = [*header_blocks(fields, [m.name for m in members]), *body]
    metadata = Metadata(title=fields["Subject"] or None, dated=_day(fields["Date"]))
    return Read(flow, metadata, _left_out(left_out, "parts"), lambda: iter(members))


def _left_out(count: int, what: str) -> tuple[SourceWarning, ...]:
    return (SourceWarning(WarningCode.TRUNCATED, None, f"{count} {what} were left out"),) if count > 0 else ()


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
    said = _left_out(len(messages) - limits.members, "messages")
    return Opened(Kind.MBOX, None, warnings=said, members=lambda: members)


def header_blocks(fields: dict[str, str], attached: list[str]) -> Iterator[Block]:
    """The shown headers, one a line, the names of the attachments, and a rule."""
    for name, value in fields.items():
        if value:
            yield plain(BlockKind.HEADER_FIELD, f"{name}: {value}")
    if attached:
        yield plain(BlockKind.HEADER_FIELD, f"Attachments: {'; '.join(attached)}")
    yield Block(BlockKind.RULE, ())


def _header(message: Message, name: str) -> str:
    values = []
    for raw in message.get_all(name) or ():
        try:
            values.append(str(make_header(decode_header(raw))))
        except (LookupError, ValueError, UnicodeError, TypeError):
            values.append(str(raw))
    return " ".join(", ".join(values).split())


def _day(date: str) -> str | None:
    """The day that the Date header names, in the sender's time zone."""
    try:
        when: datetime = parsedate_to_datetime(date)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return when.date().isoformat()


def _leaves(message: Message, limits: Limits) -> Iterator[Message]:
    """Parts that hold no others; a mail inside the mail is one part."""
    pending = [(message, 0)]
    while pending:
        part, depth = pending.pop()
        children = part.get_payload()
        if part.get_content_type() != "message/rfc822" and isinstance(children, list) and depth < limits.nesting * 4:
            pending += [(child, depth + 1) for child in reversed(children) if isinstance(child, Message)]
            continue
        yield part


def _member(part: Message) -> Member | None:
    """The part as a file of its own, None for what is the mail's text."""
    kind = part.get_content_type()
    name = _file_name(part)
    if kind == "message/rfc822":
        inner = part.get_payload()
        first = inner[0] if isinstance(inner, list) and inner else None
        if not isinstance(first, Message):
            return None
        return Member(safe_name(name or f"{_header(first, 'Subject') or 'message'}.eml"), first.as_bytes())
    is_text = part.get_content_maintype() == "text" and part.get_content_disposition() != "attachment"
    if (is_text and not name) or part.get_content_maintype() == "multipart" or kind in _SIGNATURES:
        return None
    data = _payload(part)
    inline = part.get_content_disposition() != "attachment" and part.get("Content-ID") is not None
    if inline and part.get_content_maintype() == "image" and len(data) < _INLINE_PICTURE:
        return None
    return Member(safe_name(name or f"part.{part.get_content_subtype()}"), data)


def _file_name(part: Message) -> str:
    try:
        raw = part.get_filename() or ""
        return " ".join(str(make_header(decode_header(raw))).split())
    except (LookupError, ValueError, UnicodeError, TypeError):
        return "attachment"


def _payload(part: Message) -> bytes:
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError):
        data = None
    return data if isinstance(data, bytes) else b""


def _body(parts: list[Message]) -> Flow:
    """Plain text, or the HTML where the plain text is absent or only says that there is one."""
    texts = [part for part in parts if part.get_content_maintype() == "text"]
    plains = [_text(part) for part in texts if part.get_content_subtype() != "html"]
    pages = [html_flow(_text(part)) for part in texts if part.get_content_subtype() == "html"]
    written = "\n\n".join(plains)
    shown = [block for page in pages for block in page]
    if shown and _letters(written) < _STUB * sum(_letters(b.text) for b in shown if isinstance(b, Block)):
        return shown
    return list(text_blocks(written)) if written.strip() else shown


def _letters(text: str) -> int:
    return sum(character.isalnum() for character in text)


def _text(part: Message) -> str:
    data = _payload(part)
    charset = part.get_content_charset()
    if charset:
        try:
            return data.decode(charset).replace("\r\n", "\n").replace("\r", "\n")
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(data)
