"""Signed files (S/MIME, ``.p7m``): what was signed lies in them in plain and is read; the signature is not checked."""

import base64
import binascii
import re

from ingest.failures import Damaged, Unsupported
from ingest.formats.archive import safe_name
from ingest.formats.model import Member, Opened
from ingest.formats.sniff import Kind

_OBJECT = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07"
"""The start of the identifiers of PKCS #7; the byte after it says which: 2 is signed."""
_SIGNED = 2
_MAIL_PART = re.compile(rb"\s*(?:content-[a-z-]+|mime-version|from|to|subject|date|received)[ \t]*:", re.IGNORECASE)


def open_signed(data: bytes, name: str) -> Opened:
    """A container of the one file that was signed. Raises Damaged or Unsupported."""
    content = signed_content(data)
    inner = re.sub(r"\.(?:p7m|p7s|p7c|cms|pem)$", "", name, flags=re.IGNORECASE) or "signed"
    if _MAIL_PART.match(content[:200]) and not inner.lower().endswith(".eml"):
        inner = f"{inner}.eml"
    return Opened(Kind.SMIME, None, members=lambda: iter([Member(safe_name(inner), content)]))


def signed_content(data: bytes) -> bytes:
    """The bytes that a signed message (CMS SignedData, RFC 5652) encloses, from DER, BER or their text form.

    Raises Unsupported for one that is encrypted or encloses nothing, Damaged for what is no such message.
    """
    from asn1crypto import cms

    data = _binary(data)
    at = data.find(_OBJECT, 0, 40)
    if at >= 0 and data[at + len(_OBJECT) : at + len(_OBJECT) + 1] != bytes([_SIGNED]):
        raise Unsupported("it is encrypted (S/MIME); open it in a mail program and save it without, or as PDF")
    try:
        content = cms.ContentInfo.load(data)["content"]["encap_content_info"]["content"].native
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        raise Damaged(f"the signed message is damaged ({type(error).__name__})") from None
    if not isinstance(content, bytes) or not content:
        raise Unsupported("a signature without the file that was signed")
    return content


def _binary(data: bytes) -> bytes:
    """Text forms in base 64, with or without a first and last line that say so."""
    if data[:1] == b"0":
        return data
    lines = [line for line in data.splitlines() if not line.lstrip().startswith(b"-----")]
    try:
        return base64.b64decode(b"".join(b"".join(lines).split()), validate=True)
    except (binascii.Error, ValueError):
        raise Damaged("the signed message is damaged (it is no base 64)") from None
