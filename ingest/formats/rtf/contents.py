"""What an RTF file holds beside running text: pictures, the fields of a form, and what is to be said of it all."""

import binascii
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ingest.formats.model import SMALL_PICTURE, Member, counted_warnings
from verify.domain.document import SourceWarning, WarningCode

_USE_DEFAULT = 25
"""What a form's field holds that nobody has filled in."""
READ_PICTURES = ("png", "jpg")


def picture_bytes(hexadecimal: bytes) -> bytes:
    """Nothing for what is damaged."""
    try:
        return binascii.unhexlify(b"".join(hexadecimal.split()))
    except (binascii.Error, ValueError):
        return b""


def picture_member(data: bytes, kind: str, number: int) -> Member | None:
    """None for a logo."""
    return Member(f"picture-{number}.{kind}", data) if len(data) >= SMALL_PICTURE else None


def form_choice(form: Mapping[str, int], choices: Sequence[str]) -> str:
    """A box or list shows what is chosen; what a form's text shows is the field's result."""
    chosen = form.get("ffres", _USE_DEFAULT)
    chosen = form.get("ffdefres", 0) if chosen == _USE_DEFAULT else chosen
    if form.get("fftype") == 1:
        return "☒" if chosen else "☐"
    return choices[chosen] if form.get("fftype") == 2 and 0 <= chosen < len(choices) else ""


def said(counts: Counter[str]) -> Iterator[SourceWarning]:
    """What is to be told of what was counted."""
    revised, lost = WarningCode.HAS_REVISIONS, WarningCode.TRUNCATED
    return counted_warnings(
        (counts["changes"], revised, "tracked changes; both states are shown and labelled"),
        (counts["struck"], WarningCode.HAS_STRUCK_TEXT, "pieces of text are struck through by hand; they are shown so"),
        (counts["comment"], WarningCode.HAS_ANNOTATIONS, "comments are shown and labelled"),
        (counts["hidden"], WarningCode.HIDDEN_TEXT, "pieces of hidden text were left out"),
        (counts["drawn"], lost, "pictures are of a kind that is not read (EMF, WMF); save the file as PDF"),
        (counts["objects"], lost, "embedded objects are shown as their picture or words say, and not opened"),
    )
