"""Outlook's own packing of a mail (TNEF, ``winmail.dat``): its text, and its attachments as members."""

from functools import partial
from typing import Any

from ingest.failures import Damaged
from ingest.formats.archive import safe_name
from ingest.formats.mail.replies import with_replies
from ingest.formats.model import Member, Read
from ingest.formats.plain.text import decode, text_blocks
from ingest.formats.rtf.reader import read_rtf
from ingest.formats.web.html import html_page
from ingest.limits import Limits
from ingest.rendition.flow import Flow
from verify.domain.document import Metadata, SourceWarning

_SUBJECT = 0x8004
"""The attribute that holds the mail's subject (MS-OXTNEF 2.1.3.1)."""


def read_tnef(data: bytes, limits: Limits) -> Read:
    """Raises Damaged. The mail's own headers stand in the mail that the file came with."""
    import logging

    import tnefparse

    logging.disable(logging.CRITICAL)  # it logs what it trips over, and text is no log
    tnefparse.mapi.range = partial(_believable, len(data))
    try:
        packed = tnefparse.TNEF(data, do_checksum=False)
        members = [_member(attachment) for attachment in packed.attachments[: limits.members]]
        flow, said = _body(packed)
    except MemoryError:
        raise
    except Exception as error:  # it raises whatever a damaged file makes it trip over
        raise Damaged(f"the packed mail is damaged ({type(error).__name__})") from None
    more = len(packed.attachments) - limits.members
    if more > 0:
        members.append(Member("unnamed", None, f"{more} attachments were left out"))
    return Read(flow, Metadata(title=_subject(packed)), said, lambda: iter(members))


def _believable(most: int, count: int) -> range:
    """As ``range`` for a count that a file states of its properties or values: none takes less than a byte. It loops as
    often as four thousand million times otherwise."""
    if count > most:
        raise ValueError("more than the file can hold")
    return range(count)


def _body(packed: Any) -> tuple[Flow, tuple[SourceWarning, ...]]:
    """The body in the form that says most: HTML, plain, RTF."""
    if packed.htmlbody:
        page = html_page(_text(packed.htmlbody), of_mail=True)
        return with_replies(page.flow), tuple(page.warnings())
    if packed.body and _text(packed.body).strip():
        return with_replies(list(text_blocks(_text(packed.body)))), ()
    rtf = packed.rtfbody
    read = read_rtf(rtf) if isinstance(rtf, bytes) else Read([])
    return with_replies(read.flow), read.warnings


def _text(value: bytes | str) -> str:
    text = decode(value) if isinstance(value, bytes) else value.replace("\r\n", "\n").replace("\r", "\n")
    return text.rstrip("\0")


def _subject(packed: Any) -> str | None:
    found = next((p.data for p in packed.msgprops if p.name == _SUBJECT), "")
    return " ".join(str(found).split()) or None


def _member(attachment: Any) -> Member:
    data = bytes(attachment.data)
    name = attachment.long_filename()
    name = " ".join((decode(name) if isinstance(name, bytes) else str(name)).replace("\0", "").split())
    if getattr(attachment, "embed", None) is not None:
        return Member(safe_name(f"{name or 'message'}.tnef"), data)
    return Member(safe_name(name or "attachment"), data)
