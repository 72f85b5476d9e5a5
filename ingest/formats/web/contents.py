"""What a web page shows that is no text of its own: fields of a form, pictures, frames, drawn text."""

import base64
import binascii
import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from ingest.formats.model import SMALL_PICTURE, Member
from ingest.formats.safe_xml import Node

_DATA = re.compile(r"data:image/([a-z0-9.+-]{1,20})(?:;[^,;]{1,60})*;base64,", re.IGNORECASE)
_SMALL = 16
"""Pixels; a picture that is lower or narrower only parts things."""
_NOTE = re.compile(r"#_?(?:fn|ftn|edn|en|footnote|endnote|note|cite_note)[:_-]?[\w.-]{0,40}", re.IGNORECASE)
_LONGEST_MARK = 6
_BUTTONS = frozenset({"submit", "button", "reset"})
_UNSEEN = frozenset({"hidden", "image", "file", "password"})


def form_value(node: Node, tag: str) -> str:
    """What a field of a form shows."""
    if tag == "select":
        options = list(node.iter("option"))
        chosen = [o for o in options if "selected" in o.attrib] or ([] if "multiple" in node.attrib else options[:1])
        return "; ".join(" ".join("".join(map(str, o.itertext())).split()) for o in chosen)
    kind = (node.get("type") or "text").lower()
    if kind in ("checkbox", "radio"):
        return "☒" if "checked" in node.attrib else "☐"
    return "" if kind in _UNSEEN or kind in _BUTTONS else " ".join((node.get("value") or "").split())


def calls_note(node: Node) -> bool:
    """Whether a link is the mark of a note: a few characters that lead to a place whose name says so."""
    if len(" ".join("".join(map(str, node.itertext())).split())) > _LONGEST_MARK:
        return False
    role = node.get("role") or node.get("{http://www.idpf.org/2007/ops}type") or node.get("epub:type") or ""
    return role in ("doc-noteref", "noteref") or _NOTE.fullmatch(node.get("href") or "") is not None


def picture_name(node: Node) -> str | None:
    """What a picture is called: its description, else its file's name. None for one that is not worth naming."""
    if any(_too_small(node.get(side)) for side in ("width", "height")):
        return None
    described = " ".join((node.get("alt") or "").split())
    source = node.get("src") or ""
    if described or not source or source.startswith(("data:", "cid:")):
        return described or ("" if _data_size(source) >= SMALL_PICTURE else None)
    return _name_in(source)


def _name_in(address: str) -> str | None:
    try:
        return PurePosixPath(unquote(urlsplit(address).path)).name or None
    except ValueError:
        return None


def _too_small(value: str | None) -> bool:
    number = (value or "").strip().removesuffix("px")
    return number.isdecimal() and len(number) < 6 and int(number) <= _SMALL


def _data_size(source: str) -> int:
    return (len(source) * 3) // 4 if _DATA.match(source[:200]) else 0


def picture_member(node: Node, number: int) -> Member | None:
    """A picture whose bytes stand in the page itself and are enough to hold text."""
    source = node.get("src") or ""
    match = _DATA.match(source[:200])
    if match is None or _data_size(source) < SMALL_PICTURE:
        return None
    name = f"picture-{number}.{match[1].lower().partition('+')[0]}"
    try:
        return Member(name, base64.b64decode(re.sub(r"\s+", "", unquote(source[match.end() :])), validate=False))
    except (binascii.Error, ValueError):
        return Member(name, None, "a picture of the page is damaged and was left out")


def lies_outside(node: Node, tag: str) -> bool:
    """True for a frame, film or object that the page fetches from elsewhere and would show."""
    if any(_too_small(node.get(side)) for side in ("width", "height")):
        return False
    return bool(node.get("data" if tag == "object" else "src"))


def drawn_text(node: Node) -> str:
    """The words that a drawing (SVG) shows; its title and description are shown nowhere."""
    found = (
        " ".join("".join(map(str, text.itertext())).split())
        for text in node.iter()
        if isinstance(text.tag, str) and text.tag.rpartition("}")[2].lower() == "text"
    )
    return " ".join(filter(None, found))
