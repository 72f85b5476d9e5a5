"""The parts of a mail: which are its text, in which of several versions, and which are files of their own."""

import base64
import binascii
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from email.header import decode_header, make_header
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from itertools import islice

from ingest.failures import ReadFailure
from ingest.formats.archive import safe_name
from ingest.formats.mail.replies import with_replies
from ingest.formats.mail.signed import signed_content
from ingest.formats.mail.text import differ, letters, part_text, payload
from ingest.formats.model import SMALL_PICTURE, Member, counted_warnings
from ingest.formats.plain.text import text_blocks
from ingest.formats.web.html import html_page
from ingest.limits import Limits
from ingest.rendition.flow import Block, BlockKind, Grid, labelled, plain
from verify.domain.document import SourceWarning, WarningCode

_PARTS = 2_000
"""Of one mail; none that a person sends has so many."""
_SIGNED_DEEP = 3
"""Signed mails inside signed mails are followed so deep."""
_SIGNATURES = frozenset(
    (
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "application/pgp-signature",
        "application/pgp-keys",
    )
)
"""Proofs of who sent a mail: no documents, and without a word to read."""
_ENVELOPES = frozenset(("application/pkcs7-mime", "application/x-pkcs7-mime"))
_REPORTS = frozenset(("message/delivery-status", "message/disposition-notification", "message/feedback-report"))
_ENDINGS = {"calendar": "ics", "x-vcard": "vcf", "vcard": "vcf", "directory": "vcf", "rtf": "rtf", "x-amp-html": "html",
            "watch-html": "html"}  # fmt: skip
_STUB = 0.3
"""A plain part with less than this share of the HTML part's letters only points to it."""


@dataclass(slots=True)
class MailContent:
    """Parts beyond the limit are only counted, as ``left_out``."""

    flow: list[Block | Grid] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    left_out: int = 0
    hidden: int = 0
    struck: int = 0
    small_pictures: int = 0
    versions: int = 0

    def add(self, other: "MailContent") -> None:
        self.flow += other.flow
        self.members += other.members
        for name in ("left_out", "hidden", "struck", "small_pictures", "versions"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def warnings(self) -> Iterator[SourceWarning]:
        return counted_warnings(
            (self.left_out, WarningCode.TRUNCATED, "parts were left out"),
            (self.hidden, WarningCode.HIDDEN_TEXT, "pieces of hidden text were left out"),
            (self.versions, WarningCode.HIDDEN_TEXT, "plain version of the text, which mail programs do not show, "
             "differs; it is shown and labelled"),
            (self.struck, WarningCode.HAS_STRUCK_TEXT, "pieces of text are struck through; they are shown so"),
        )  # fmt: skip


def mail_content(message: Message, limits: Limits) -> MailContent:
    """Raises nothing but MemoryError: what is malformed is read as far as it goes."""
    return _Walk(limits).content(message, 0)


class _Walk:
    def __init__(self, limits: Limits) -> None:
        self._deepest = limits.nesting * 4
        self._parts = 0
        self._signed = 0

    def content(self, part: Message, depth: int) -> MailContent:
        kind, children = part.get_content_type(), _children(part)
        if depth > self._deepest:
            return MailContent(left_out=1)
        if kind == "multipart/alternative" and children:
            return self._alternatives([self.content(child, depth + 1) for child in children])
        if kind in _REPORTS and children:
            return self._report(children)
        if children and kind != "message/rfc822":
            found = MailContent()
            for child in children:
                found.add(self.content(child, depth + 1))
            return found
        self._parts += 1
        if self._parts > _PARTS:
            return MailContent(left_out=1)
        if kind in _ENVELOPES and self._signed < _SIGNED_DEEP:
            inner = _enclosed(part)
            if inner is not None:
                self._signed += 1
                return self.content(inner, depth + 1)
        return _leaf(part)

    def _alternatives(self, versions: list[MailContent]) -> MailContent:
        """One text in several forms. The plain one is read where it says the same as the HTML, which mail programs
        show; else both are, the HTML first."""
        found = MailContent()
        texts = [version for version in versions if version.flow]
        for version in versions:
            found.add(MailContent() if version.flow else version)
        if not texts:
            return found
        first, last = texts[0], texts[-1]
        shown = first
        if first is not last:
            if letters(first.flow) < _STUB * letters(last.flow):
                shown = last
            elif differ(first.flow, last.flow):
                title = labelled("The mail's plain version, which differs:")
                shown = MailContent([*last.flow, title, *first.flow], struck=last.struck, versions=1)
        found.flow += shown.flow
        found.hidden += max(shown.hidden, last.hidden)
        found.struck += shown.struck
        found.versions += shown.versions
        for version in texts:
            found.members += version.members
            found.small_pictures += version.small_pictures
        return found

    def _report(self, children: list[Message]) -> MailContent:
        """What a mail server says of a delivery, as it stands: groups of fields."""
        groups = ("\n".join(f"{name}: {' '.join(str(value).split())}" for name, value in c.items()) for c in children)
        return MailContent([plain(BlockKind.PARAGRAPH, group) for group in groups if group])


def _children(part: Message) -> list[Message]:
    held = part.get_payload()
    return [child for child in held if isinstance(child, Message)] if isinstance(held, list) else []


def _enclosed(part: Message) -> Message | None:
    """The mail that a signature encloses; None for what is encrypted or damaged, which is a member."""
    try:
        content = signed_content(payload(part))
    except ReadFailure:
        return None
    return BytesParser(policy=compat32).parsebytes(content)


def _leaf(part: Message) -> MailContent:
    kind = part.get_content_type()
    if kind in _SIGNATURES:
        return MailContent()
    if part.get_content_maintype() == "multipart":
        return _text(part)  # its boundary is nowhere in it
    if kind == "message/rfc822":
        return MailContent(members=[_message_member(part)])
    name = file_name(part)
    if _is_body(part, name):
        return _text(part)
    data = payload(part)
    inline = part.get_content_disposition() != "attachment" and part.get("Content-ID") is not None
    if inline and part.get_content_maintype() == "image" and len(data) < SMALL_PICTURE:
        return MailContent(small_pictures=1)
    subtype = part.get_content_subtype()
    member = Member(safe_name(name or f"part.{_ENDINGS.get(subtype, subtype)}"), data)
    if kind == "message/external-body":
        member = Member(member.name, None, "an attachment is only a link and does not lie in the message")
    return MailContent(members=[member])


def _is_body(part: Message, name: str) -> bool:
    readable = part.get_content_maintype() == "text" and part.get_content_subtype() not in _ENDINGS
    return readable and not name and part.get_content_disposition() != "attachment"


def _text(part: Message) -> MailContent:
    text = part_text(part)
    if part.get_content_subtype() == "html":
        page = html_page(text, of_mail=True)
        return MailContent(with_replies(page.flow), list(page.pictures), hidden=page.hidden, struck=page.struck)
    return MailContent(with_replies(list(text_blocks(text))))


def _message_member(part: Message) -> Member:
    """A mail inside the mail; one that was coded in base 64, which no standard allows, is decoded."""
    inner = _children(part)
    coding = str(part.get("Content-Transfer-Encoding", "")).strip().lower()
    if inner and coding == "base64":
        with suppress(binascii.Error, ValueError):
            name = safe_name(file_name(part) or "message.eml")
            return Member(name, base64.b64decode(b"".join(_bytes(inner[0]).split()), validate=True))
    if not inner:
        return Member(safe_name(file_name(part) or "message.eml"), payload(part))
    return Member(safe_name(file_name(part) or f"{header(inner[0], 'Subject') or 'message'}.eml"), _bytes(inner[0]))


def _bytes(message: Message) -> bytes:
    try:
        return message.as_bytes()
    except (UnicodeError, ValueError, LookupError, AssertionError, AttributeError, TypeError):
        return message.as_string().encode("utf-8", "surrogateescape")


def header(message: Message, name: str) -> str:
    """All values of a header on one line, decoded."""
    return " ".join(", ".join(map(_words, _raw(message, name))).split())


def _raw(message: Message, name: str) -> Iterator[str]:
    """Values as they stand; bytes that no charset explains are UTF-8, else Windows-1252."""
    for key, value in message.raw_items():
        if key.lower() != name.lower():
            continue
        text = str(value)
        if any("\udc80" <= c <= "\udcff" for c in text):
            data = text.encode("utf-8", "surrogateescape")
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError:
                text = data.decode("cp1252", "replace")
        yield text


def _words(raw: str) -> str:
    try:
        return str(make_header(decode_header(raw)))
    except (LookupError, ValueError, UnicodeError, TypeError):
        return raw


def file_name(part: Message) -> str:
    """The name that the part gives itself, on one line; "" for none."""
    clean = Message()
    for name in ("Content-Disposition", "Content-Type"):
        for value in islice(_raw(part, name), 1):
            clean[name] = value
    try:
        return " ".join(_words(clean.get_filename() or "").split())
    except (LookupError, ValueError, UnicodeError, TypeError):
        return "attachment"
