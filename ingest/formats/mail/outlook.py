"""Outlook messages (MSG), read as e-mail is: headers, body, attachments as members."""

from collections.abc import Iterator
from typing import Any

from ingest.failures import Damaged
from ingest.formats.archive import safe_name
from ingest.formats.mail.message import header_blocks
from ingest.formats.mail.replies import with_replies
from ingest.formats.mail.text import differ
from ingest.formats.model import SMALL_PICTURE, Member, Read
from ingest.formats.plain.text import decode, text_blocks
from ingest.formats.rtf.reader import read_rtf
from ingest.formats.web.html import Page, html_page
from ingest.limits import Limits
from ingest.rendition.flow import Block, Flow, Grid, labelled
from verify.domain.document import Metadata, SourceWarning, WarningCode


def read_msg(data: bytes, limits: Limits) -> Read:
    """Raises Damaged."""
    import logging

    import extract_msg
    from extract_msg.enums import ErrorBehavior

    logging.disable(logging.CRITICAL)  # it logs what it trips over, and text is no log
    try:
        message = extract_msg.openMsg(data, errorBehavior=ErrorBehavior.SUPPRESS_ALL, delayAttachments=False)
    except MemoryError:
        raise
    except Exception as error:
        raise Damaged(f"the message is damaged ({type(error).__name__})") from None
    fields = {
        "From": _text(message, "sender"), "To": _text(message, "to"), "Cc": _text(message, "cc"),
        "Bcc": _text(message, "bcc"), "Date": _date(message), "Subject": _text(message, "subject"),
        "Starts": _text(message, "startDate"), "Ends": _text(message, "endDate"),
        "Location": _text(message, "location"),
    }  # fmt: skip
    found = list(_members(message, limits))
    members = [member for member in found if member is not None]
    body, said = _body(message)
    flow: list[Block | Grid] = [*header_blocks(fields, [m.name for m in members if m.data is not None]), *body]
    if len(found) > len(members):
        flow.append(labelled(f"{len(found) - len(members)} small pictures in the text were left out"))
    metadata = Metadata(title=fields["Subject"] or None, dated=fields["Date"][:10] or None)
    return Read(flow, metadata, tuple(said), lambda: iter(members))


def _text(message: Any, name: str) -> str:
    value = _property(message, name)
    return " ".join(str(value).split()) if value else ""


def _date(message: Any) -> str:
    try:
        when = message.date
        return str(when.strftime("%Y-%m-%d %H:%M %z")).strip() if when else ""
    except Exception:
        return _text(message, "date")


def _body(message: Any) -> tuple[Flow, list[SourceWarning]]:
    """The plain body that Outlook keeps beside every other, if it says what the HTML says; else both."""
    written = with_replies(_plain(message))
    page = _page(message)
    page = page._replace(flow=with_replies(page.flow))
    said = list(page.warnings())
    if any(_is_damaged(message, name) for name in ("body", "htmlBody", "rtfBody")):
        detail = "a version of the mail's text is damaged and was not read; another may say less"
        said.append(SourceWarning(WarningCode.TRUNCATED, None, detail))
    if not written:
        return (page.flow, said) if page.flow else _from_rtf(message)
    if page.flow and differ(written, page.flow):
        detail = "1 plain version of the text differs from the HTML; it is shown and labelled"
        title = labelled("The mail's plain version, which differs:")
        return [*page.flow, title, *written], [*said, SourceWarning(WarningCode.HIDDEN_TEXT, None, detail)]
    return written, said


def _property(message: Any, name: str) -> Any:
    """None for one that is damaged."""
    return None if _is_damaged(message, name) else getattr(message, name)


def _is_damaged(message: Any, name: str) -> bool:
    """True where the library raises whatever it trips over."""
    try:
        getattr(message, name)
    except MemoryError:
        raise
    except Exception:
        return True
    return False


def _plain(message: Any) -> list[Block]:
    written = _property(message, "body") or ""
    text = decode(written) if isinstance(written, bytes) else str(written).replace("\r\n", "\n").replace("\r", "\n")
    return list(text_blocks(text)) if text.strip() else []


def _page(message: Any) -> Page:
    page = _property(message, "htmlBody")
    return html_page(decode(page), of_mail=True) if page else Page([])


def _from_rtf(message: Any) -> tuple[Flow, list[SourceWarning]]:
    rtf = _property(message, "rtfBody")
    read = read_rtf(rtf) if isinstance(rtf, bytes) else Read([])
    return with_replies(read.flow), list(read.warnings)


def _members(message: Any, limits: Limits) -> Iterator[Member | None]:
    """None for a logo in the text."""
    for number, attachment in enumerate(message.attachments):
        if number == limits.members:
            yield Member("unnamed", None, f"only the first {number} attachments were read")
            return
        try:
            yield _member(attachment)
        except MemoryError:
            raise
        except Exception as error:
            yield Member("unnamed", None, f"an attachment cannot be read ({type(error).__name__})")


def _member(attachment: Any) -> Member | None:
    data = attachment.data
    name = " ".join(str(attachment.getFilename() or "").split())
    if isinstance(data, bytes):
        if getattr(attachment, "hidden", False) and len(data) < SMALL_PICTURE:
            return None
        return Member(safe_name(name or "attachment"), data)
    if data is None:
        return Member(safe_name(name), None, "an attachment is only a link and does not lie in the message")
    title = " ".join(str(getattr(data, "subject", "") or "message").split())
    return Member(safe_name(f"{title}.msg"), data.exportBytes())
