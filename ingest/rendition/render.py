"""The rendition: a PDF made once of running text, so that it has pages to cite and words to mark.

MuPDF lays out HTML that is written here from plain characters; it never sees the original's markup. Its built-in
fonts cover Latin, Greek, Cyrillic, Hebrew, Arabic and CJK, so the result is the same bytes on every machine.
"""

import html
import re
from collections.abc import Iterator
from io import BytesIO

from ingest.mupdf import pymupdf
from ingest.rendition.flow import Block, BlockKind, Flow, Grid, GridCell, Run
from ingest.rendition.fonts import name_glyphs
from ingest.rendition.inks import colour_of
from ingest.rendition.tall_rows import bounded
from verify.domain.document import SpanKind

_PAGE = (595, 842)  # A4 in points
_FRAME = (64, 64, 531, 778)
_LEAST_ROOM = 36.0
"""Points left on a page that are worth using. MuPDF takes a frame without height for one without end."""
_BLOCKS_AT_ONCE = 400
_LONGEST_WORD = 48
_LONG_WORD = re.compile(rf"[^\s\u200b]{{{_LONGEST_WORD + 1},}}")
_REFERENCE = re.compile("&(?=[#a-zA-Z])")
"""MuPDF 1.28 decodes "&amp;lt;" twice; an empty element between keeps "&" and "lt;" apart."""
_STRUCK = frozenset({SpanKind.STRUCK, SpanKind.DELETED})
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")

_STYLE = """
body { font-family: serif; font-size: 11pt; line-height: 1.35 }
p { margin: 0 0 7pt 0 } h1, h2, h3, h4, h5, h6 { margin: 10pt 0 7pt 0; line-height: 1.25 }
h1 { font-size: 16pt } h2 { font-size: 14pt } h3 { font-size: 12.5pt } h4, h5, h6 { font-size: 11.5pt }
sup { font-size: 7pt; vertical-align: super } sub { font-size: 7pt; vertical-align: sub }
.field { margin: 0 0 2pt 0 } .note { font-size: 9.5pt; margin: 0 0 7pt 14pt } .quote { margin: 0 0 7pt 24pt }
.literal { white-space: pre-wrap; font-family: monospace; font-size: 9pt; margin: 0 0 7pt 0 }
.rtl { direction: rtl; text-align: right }
table { border-collapse: collapse; margin: 4pt 0 10pt 0 }
td, th { border: 0.6pt solid black; padding: 3pt 4pt; text-align: left; vertical-align: top }
td p, th p { margin: 0 }
"""


def render(flow: Flow) -> bytes:
    """A paginated PDF of the flow; of an empty flow a single empty page. The same flow gives the same bytes."""
    buffer = BytesIO()
    writer = pymupdf.DocumentWriter(buffer, "compress")
    left, top, right, bottom = _FRAME
    device = writer.begin_page(pymupdf.Rect(0, 0, *_PAGE))
    y = float(top)
    for part in _parts(flow):
        story = pymupdf.Story(part, user_css=_STYLE, em=11)
        more = 1
        while more:
            if bottom - y < _LEAST_ROOM:
                writer.end_page()
                device = writer.begin_page(pymupdf.Rect(0, 0, *_PAGE))
                y = float(top)
            more, filled = story.place(pymupdf.Rect(left, y, right, bottom))
            story.draw(device)
            y = float(bottom) if more else max(y, float(filled[3]))
    writer.end_page()
    writer.close()
    return with_subset_fonts(buffer.getvalue())


def with_subset_fonts(pdf: bytes) -> bytes:
    with pymupdf.open(stream=pdf, filetype="pdf") as document:
        name_glyphs(document)
        document.subset_fonts()
        data: bytes = document.tobytes(garbage=3, deflate=True, no_new_id=True)
    return data


def _parts(flow: Flow) -> Iterator[str]:
    """HTML of some hundred blocks at a time, so that memory does not grow with the document."""
    part: list[str] = []
    for block in flow:
        part.append(_grid(block) if isinstance(block, Grid) else _block(block))
        if len(part) == _BLOCKS_AT_ONCE:
            yield "".join(part)
            part = []
    if part:
        yield "".join(part)


def _block(block: Block) -> str:
    direction = ' dir="rtl"' if block.right_to_left else ""
    rtl = " rtl" if block.right_to_left else ""
    body = "".join(map(run_html, block.runs))
    match block.kind:
        case BlockKind.HEADING:
            return f'<h{min(max(block.level, 1), 6)} class="{rtl}"{direction}>{body}</h{min(max(block.level, 1), 6)}>'
        case BlockKind.ITEM:
            indent = 22 + 18 * min(block.level, 8)
            marker = escaped(block.marker) + " " if block.marker else ""
            style = f"margin-left:{indent}pt;text-indent:-18pt"
            return f'<p class="{rtl}" style="{style}"{direction}>{marker}{body}</p>'
        case BlockKind.RULE:
            return "<hr/>"
        case BlockKind.PAGE_BREAK:
            return '<p style="page-break-before:always"></p>'
        case BlockKind.LITERAL:
            return f'<div class="literal{rtl}"{direction}>{body.replace("<br/>", chr(10))}</div>'
    style = {BlockKind.QUOTE: "quote", BlockKind.NOTE: "note", BlockKind.HEADER_FIELD: "field"}.get(block.kind, "")
    return f'<p class="{style}{rtl}"{direction}>{body}</p>'


def run_html(run: Run) -> str:
    """The characters of a run in its style and in the colour that says what they are."""
    text = escaped(run.text).replace("\n", "<br/>")
    styles = (
        (run.bold, "b"), (run.italic, "i"), (run.underlined or SpanKind.INSERTED in run.kinds, "u"),
        (not _STRUCK.isdisjoint(run.kinds), "s"), (run.raised, "sup"), (run.lowered, "sub"),
    )  # fmt: skip
    for wanted, tag in styles:
        if wanted:
            text = f"<{tag}>{text}</{tag}>"
    colour = colour_of(run.kinds, run.cut)
    return f'<span style="color:{colour}">{text}</span>' if colour and text else text


def escaped(text: str) -> str:
    """Nothing of the text is markup. A word wider than the page gets places to break (zero-width spaces)."""
    clean = _UNPRINTABLE.sub("\ufffd", text.replace("\x0b", "\n").replace("\x0c", "\n"))
    parts = _REFERENCE.split(_LONG_WORD.sub(_breakable, clean))
    return "&amp;<span></span>".join(map(html.escape, parts))


def _breakable(match: re.Match[str]) -> str:
    word = match[0]
    return "\u200b".join(word[i : i + _LONGEST_WORD] for i in range(0, len(word), _LONGEST_WORD))


def _grid(grid: Grid) -> str:
    rows = bounded(grid).rows
    return "<table>" + "".join("<tr>" + "".join(map(_cell, row)) + "</tr>" for row in rows) + "</table>"


def _cell(cell: GridCell) -> str:
    tag = "th" if cell.header else "td"
    spans = (f' colspan="{cell.columns}"' if cell.columns > 1 else "") + (
        f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    )
    return f"<{tag}{spans}>" + "".join(map(_block, cell.blocks)) + f"</{tag}>"
