"""The words of a mail's text parts, and whether two versions of one text say the same."""

import re
from collections import Counter
from email.message import Message

from ingest.formats.plain.text import decode
from ingest.rendition.flow import Block, Flow, Grid

_CHARSETS = {
    # What mail programs show for these names (WHATWG, Encoding): the larger set that is really used under them.
    "us-ascii": "cp1252", "ascii": "cp1252", "iso-8859-1": "cp1252", "latin1": "cp1252", "iso-8859-9": "cp1254",
    "gb2312": "gb18030", "gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949", "shift_jis": "cp932",
    "x-sjis": "cp932", "iso-8859-8-i": "cp1255", "iso-8859-8-e": "cp1255", "iso-8859-8": "cp1255",
    "tis-620": "cp874", "windows-874": "cp874", "x-mac-roman": "mac_roman", "macintosh": "mac_roman",
    "unicode-1-1-utf-7": "utf-7", "x-unicode-2-0-utf-7": "utf-7", "utf8": "utf-8", "cp-850": "cp850",
}  # fmt: skip
_ADDRESS = re.compile(
    r"<?\b(?:https?|mailto|ftp|file|tel):[^\s<>\"]+>?|\bwww\.[^\s<>]+|\[(?:cid:[^\]]*|\d{1,3})\]", re.IGNORECASE
)
_WORD = re.compile(r"\w+(?:[.,:/'’-]\w+)*")
_MISSING = 0.1
"""Share of a version's words that the other may lack: mail programs add "View in browser" and leave out captions."""
_FEW = 6
"""Different words that one version of a short text may lack."""


def part_text(part: Message) -> str:
    """A text part decoded as it declares, else by what its bytes show. Line ends are "\\n"."""
    data = payload(part)
    charset = (part.get_content_charset() or "").strip().lower()
    if charset:
        try:
            return data.decode(_named(charset, data)).replace("\r\n", "\n").replace("\r", "\n")
        except (LookupError, UnicodeDecodeError):
            pass
    return decode(data)


def _named(charset: str, data: bytes) -> str:
    """A text that calls itself ASCII or Latin-1 and is UTF-8 by its bytes is UTF-8: the other way would be chance."""
    wanted = _CHARSETS.get(charset, charset)
    if wanted == "cp1252" and not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return wanted
        return "utf-8"
    return wanted


def payload(part: Message) -> bytes:
    """The part's bytes without their transfer coding; none where that is broken."""
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError):
        data = None
    return data if isinstance(data, bytes) else b""


def flow_words(flow: Flow) -> str:
    """All characters of a flow, lists' marks too."""
    parts: list[str] = []
    for block in flow:
        if isinstance(block, Grid):
            parts += [flow_words(cell.blocks) for row in block.rows for cell in row]
        else:
            parts.append(f"{block.marker} {block.text}")
    return "\n".join(parts)


def letters(flow: Flow) -> int:
    """How many letters and digits stand in it."""
    return sum(
        sum(map(str.isalnum, block.text)) if isinstance(block, Block) else _letters_of_grid(block) for block in flow
    )


def _letters_of_grid(grid: Grid) -> int:
    return sum(letters(cell.blocks) for row in grid.rows for cell in row)


def differ(one: Flow, other: Flow) -> bool:
    """Whether two versions of a mail say different things: a word with a digit that only one of them has, or more
    than a few words of one that the other lacks. Addresses of links, which only one version shows, do not count."""
    first, second = _counted(one), _counted(other)
    return _says_more(first, second) or _says_more(second, first)


def _says_more(first: Counter[str], second: Counter[str]) -> bool:
    missing = [word for word in first if word not in second]
    if any(any(map(str.isdigit, word)) for word in missing):
        return True
    return len(missing) >= _FEW and sum(first[w] for w in missing) > _MISSING * sum(first.values())


def _counted(flow: Flow) -> Counter[str]:
    text = _ADDRESS.sub(" ", flow_words(flow))
    return Counter(word.strip("_").lower() for word in _WORD.findall(text.replace("\u00ad", "").replace("\u200b", "")))
