"""Plain text, Markdown as plain text with headings and lists, in whatever encoding."""

import re
from collections.abc import Iterator

from ingest.formats.model import Read
from ingest.formats.sniff import Kind
from ingest.rendition.flow import Block, BlockKind, Grid, GridCell, Run, plain

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"), (b"\x00\x00\xfe\xff", "utf-32-be"), (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"),
)  # fmt: skip
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n)+")
_ALIGNED = re.compile(r"\S(?:\t| {3,})\S|^\t| {4,}\S", re.MULTILINE)
_HEADING = re.compile(r"(#{1,6})\s+(.+?)\s*#*$")
_BULLET = re.compile(r"(\s*)([-*+•]|\d{1,4}[.)])\s+(.*)", re.DOTALL)
_QUOTE = re.compile(r">\s?")
_TABLE = re.compile(r"\s*\|?[^|\n]*\|[^\n]*\n\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*(?:\n|$)")
_STRONG = re.compile(r"(\*\*|__)(?=\S)(.{1,500}?)(?<=\S)\1", re.DOTALL)


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


def markdown_blocks(text: str) -> Iterator[Block | Grid]:
    """Headings, list items, quotations, tables, code and strong words are told apart; other marks stay as written."""
    for paragraph in _BLANK_LINES.split(text.strip("\n")):
        if paragraph.lstrip().startswith(("```", "~~~")):
            yield plain(BlockKind.LITERAL, paragraph)
        elif _TABLE.match(paragraph):
            yield _table(paragraph)
        elif paragraph.strip():
            yield from _markdown_paragraph(paragraph)


def _markdown_paragraph(paragraph: str) -> Iterator[Block]:
    held: list[str] = []
    for line in paragraph.split("\n"):
        heading, bullet = _HEADING.match(line.strip()), _BULLET.match(line)
        if heading or bullet or _QUOTE.match(line):
            yield from _held(held)
        if heading:
            yield Block(BlockKind.HEADING, _runs(heading[2]), len(heading[1]))
        elif bullet:
            marker = "•" if len(bullet[2]) == 1 else bullet[2]
            yield Block(BlockKind.ITEM, _runs(bullet[3]), len(bullet[1]) // 2, marker)
        elif _QUOTE.match(line):
            yield Block(BlockKind.QUOTE, _runs(_QUOTE.sub("", line, count=1)))
        else:
            held.append(line.strip())
    yield from _held(held)


def _held(lines: list[str]) -> Iterator[Block]:
    if lines:
        yield Block(BlockKind.PARAGRAPH, _runs("\n".join(lines)))
        lines.clear()


def _runs(text: str) -> tuple[Run, ...]:
    """Words between two stars or two underscores are bold; the marks themselves are not words."""
    runs, at = [], 0
    for match in _STRONG.finditer(text):
        runs += [Run(text[at : match.start()]), Run(match[2], bold=True)]
        at = match.end()
    return tuple(run for run in (*runs, Run(text[at:])) if run.text)


def _table(paragraph: str) -> Grid:
    lines = [line.strip().strip("|").split("|") for line in paragraph.strip().split("\n")]
    rows = [lines[0], *lines[2:]]
    return Grid(
        tuple(
            tuple(GridCell((Block(BlockKind.PARAGRAPH, _runs(c.strip())),), header=n == 0) for c in row)
            for n, row in enumerate(rows)
        )
    )
