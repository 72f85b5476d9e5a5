"""Plain text, Markdown as plain text with headings and lists, in whatever encoding."""

import re
from collections.abc import Iterator

from ingest.flow import Block, BlockKind, plain
from ingest.opening import Read
from ingest.sniff import Kind

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"), (b"\x00\x00\xfe\xff", "utf-32-be"), (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"),
)  # fmt: skip
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_ALIGNED = re.compile(r"\S(?:\t| {3,})\S|^\t| {4,}\S", re.MULTILINE)
_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*$")
_BULLET = re.compile(r"(\s*)([-*+•]|\d{1,4}[.)])\s+(.*)", re.DOTALL)
_QUOTE = re.compile(r">\s?")


def decode(data: bytes) -> str:
    """By its mark; else UTF-8; else Windows-1252, whose five undefined bytes become U+FFFD. Line ends are "\\n"."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text = data[len(mark) :].decode(encoding, "replace")
            break
    else:
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            text = data.decode("cp1252", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_text(kind: Kind, data: bytes) -> Read:
    """Paragraphs are parted by blank lines; the file's own line ends are kept."""
    text = decode(data)
    return Read(tuple(markdown_blocks(text) if kind is Kind.MARKDOWN else text_blocks(text)))


def text_blocks(text: str) -> Iterator[Block]:
    """A paragraph whose columns are aligned by spaces or tabs keeps them, in a typewriter face."""
    for part in re.split("\x0c", text):
        for paragraph in _BLANK_LINES.split(part.strip("\n")):
            if paragraph.strip():
                aligned = _ALIGNED.search(paragraph) is not None
                kind = BlockKind.LITERAL if aligned else BlockKind.PARAGRAPH
                yield plain(kind, paragraph.expandtabs(4) if aligned else paragraph.strip())


def markdown_blocks(text: str) -> Iterator[Block]:
    """Headings, list items, quotations and code are told apart; all other marks stay as they are written."""
    for paragraph in _BLANK_LINES.split(text.strip("\n")):
        if paragraph.lstrip().startswith(("```", "~~~")) or paragraph.lstrip().startswith("|"):
            yield plain(BlockKind.LITERAL, paragraph)
        elif paragraph.strip():
            yield from _markdown_paragraph(paragraph)


def _markdown_paragraph(paragraph: str) -> Iterator[Block]:
    held: list[str] = []
    for line in paragraph.split("\n"):
        heading, bullet = _HEADING.match(line.strip()), _BULLET.match(line)
        if heading or bullet or _QUOTE.match(line):
            yield from _held(held)
        if heading:
            yield plain(BlockKind.HEADING, heading[2], len(heading[1]))
        elif bullet:
            yield plain(BlockKind.ITEM, bullet[3], len(bullet[1]) // 2, "•" if len(bullet[2]) == 1 else bullet[2])
        elif _QUOTE.match(line):
            yield plain(BlockKind.QUOTE, _QUOTE.sub("", line, count=1))
        else:
            held.append(line.strip())
    yield from _held(held)


def _held(lines: list[str]) -> Iterator[Block]:
    if lines:
        yield plain(BlockKind.PARAGRAPH, "\n".join(lines))
        lines.clear()
