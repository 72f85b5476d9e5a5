"""RTF's control words that decide what a reader sees, and what a group of them sets."""

import re
from dataclasses import dataclass

from ingest.formats.grounds import are_alike, is_light

TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)"
)
SILENT = frozenset(
    b"fonttbl colortbl stylesheet listtable listoverridetable revtbl rsidtbl generator info object "
    b"objdata themedata colorschememapping datastore latentstyles xmlnstbl fldinst filetbl bkmkstart "
    b"bkmkend atnid atnauthor atntime atndate atnref atrfstart atrfend pgptbl mmathPr userprops pntxta "
    b"pntxtb ftnsep ftnsepc aftnsep blipuid template private do xe tc tcn rxe txe upr formfield sn sv ffl".split()
)
CLOSED = frozenset((b"nonshppict", b"shprslt", b"mmathPict"))
"""What older readers show instead of what stands beside it."""
REOPENED = frozenset((b"shppict", b"result", b"ud", b"moMath", b"shpinst"))
"""Groups that are shown although the group around them, or the mark for readers that do not know them, is silent."""
INTO = {
    b"fonttbl": "font", b"revtbl": "authors", b"atnauthor": "author", b"sn": "name", b"sv": "value", b"ffl": "choice",
}  # fmt: skip
"""Groups whose text is kept aside under a name."""
BOX = "\0box"
NOTES = {b"footnote": "", b"annotation": "Comment", b"header": "Page header", b"footer": "Page footer",
         b"headerl": "Page header", b"headerr": "Page header", b"headerf": "Page header", b"footerl": "Page footer",
         b"footerr": "Page footer", b"footerf": "Page footer", b"shptxt": BOX, b"dptxbxtext": BOX}  # fmt: skip
CHARACTERS = {
    b"tab": "\t", b"line": "\n", b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
    b"rdblquote": "”", b"bullet": "•", b"emspace": " ", b"enspace": " ", b"qmspace": " ", b"nestcell": " | ",
    b"nestrow": "\n", b"zwj": "\u200d", b"zwnj": "\u200c",
}  # fmt: skip
SYMBOLS = {b"~": "\u00a0", b"_": "\u2011", b"-": "\u00ad", b"\t": "\t"}
CHARSETS = {
    0: "cp1252", 2: "symbol", 77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250",
}  # fmt: skip
FLAGS = {
    b"b": "bold", b"i": "italic", b"ul": "underlined", b"super": "raised", b"v": "hidden", b"deleted": "deleted",
    b"revised": "inserted", b"strike": "struck", b"striked": "struck", b"caps": "caps",
    b"sub": "lowered", b"up": "raised", b"dn": "lowered",
}  # fmt: skip
GROUNDS = frozenset((b"highlight", b"chcbpat", b"cbpat", b"clcbpat", b"cb"))
PICTURES = {b"pngblip": "png", b"jpegblip": "jpg"}
DRAWN = frozenset((b"emfblip", b"wmetafile", b"macpict", b"pmmetafile", b"dibitmap", b"wbitmap"))


@dataclass(frozen=True, slots=True)
class State:
    """What a group inherits and its end restores. ``silent`` shows nothing, ``closed`` whatever it holds; ``into``
    names where its text is kept aside; ``size`` in half points; ``colour`` and ``ground`` as "rrggbb", "" for those of
    the page."""

    bold: bool = False
    italic: bool = False
    underlined: bool = False
    raised: bool = False
    lowered: bool = False
    hidden: bool = False
    deleted: bool = False
    inserted: bool = False
    struck: bool = False
    caps: bool = False
    silent: bool = False
    closed: bool = False
    picture: bool = False
    field: bool = False
    into: str = ""
    note: str | None = None
    in_table: bool = False
    right_to_left: bool = False
    outline: int | None = None
    skip_after_unicode: int = 1
    encoding: str = "cp1252"
    font: str = ""
    colour: str = ""
    ground: str = ""
    size: int = 24
    author: int = 0

    @property
    def unseen(self) -> bool:
        """Hidden, of their ground's colour, or of 2 pt and less."""
        if self.hidden or self.size <= 4:
            return True
        if not self.ground:
            return is_light(self.colour)
        return are_alike(self.colour or "000000", self.ground)


PLAIN = {
    name: State.__dataclass_fields__[name].default
    for name in (
        "bold", "italic", "underlined", "raised", "lowered", "hidden", "deleted", "inserted", "struck", "caps",
        "colour", "size",
    )
}  # fmt: skip
"""What the word for plain text sets back."""


def known(encoding: str) -> str:
    """The codec; Windows-1252 for one that Python does not have."""
    try:
        "".encode(encoding)
    except LookupError:
        return "cp1252"
    return encoding
