"""The memo as PDF on A4, fonts embedded, the same bytes for the same blocks."""

from collections.abc import Sequence
from html import escape
from io import BytesIO
from typing import Any

from app.services.bundle.memo_blocks import Block, Heading, Paragraph, Picture, Rows, Run

_CSS = """
body { margin: 0; font-family: serif; font-size: 10.5pt; line-height: 1.4; }
h1 { font-size: 19pt; margin: 0 0 10pt 0; }
h2 { font-size: 14pt; margin: 16pt 0 6pt 0; }
h3 { font-size: 11.5pt; margin: 12pt 0 4pt 0; }
p { margin: 0 0 6pt 0; }
p.in { margin-left: 20pt; }
table { border-collapse: collapse; margin: 4pt 0 8pt 0; }
td, th { border: 0.5pt solid black; padding: 3pt; font-size: 8pt; text-align: left; }
span.quiet { font-size: 8pt; }
img { margin: 4pt 0 8pt 20pt; }
"""
_MARGIN = 64
_FOOT = 36


def memo_pdf(title: str, foot: str, blocks: Sequence[Block]) -> bytes:
    """``foot`` stands on every page before its number."""
    from ingest.mupdf import pymupdf

    html, pictures = _html(blocks)
    archive = pymupdf.Archive()
    for name, png in pictures:
        archive.add((png, name))
    story = pymupdf.Story(html, user_css=_CSS, archive=archive)
    laid = BytesIO()
    writer = pymupdf.DocumentWriter(laid)
    sheet = pymupdf.paper_rect("a4")
    more = 1
    while more:
        device = writer.begin_page(sheet)
        more, _ = story.place(pymupdf.Rect(_MARGIN, _MARGIN, sheet.x1 - _MARGIN, sheet.y1 - _MARGIN))
        story.draw(device)
        writer.end_page()
    writer.close()
    with pymupdf.open("pdf", laid.getvalue()) as doc:
        return _finish(doc, title, foot)


def _finish(doc: Any, title: str, foot: str) -> bytes:
    from ingest.mupdf import pymupdf

    font = pymupdf.Font("helv")
    for page in doc:
        page.wrap_contents()  # a story leaves its own coordinates behind
        line = pymupdf.TextWriter(page.rect)
        numbered = f"{foot} · {page.number + 1} / {len(doc)}"
        line.append((_MARGIN, page.rect.y1 - _FOOT), numbered, font=font, fontsize=7.5)
        line.write_text(page, color=(0.35, 0.35, 0.35))
    doc.set_metadata({"title": title, "producer": "Pincite", "creationDate": "", "modDate": ""})
    doc.subset_fonts()
    data: bytes = doc.tobytes(garbage=4, deflate=True, no_new_id=True)
    return data


def _html(blocks: Sequence[Block]) -> tuple[str, list[tuple[str, bytes]]]:
    parts: list[str] = []
    pictures: list[tuple[str, bytes]] = []
    for block in blocks:
        match block:
            case Heading(level, text):
                parts.append(f"<h{level}>{escape(text)}</h{level}>")
            case Paragraph(runs, indented):
                style = ' class="in"' if indented else ""
                parts.append(f"<p{style}>{''.join(map(_run, runs))}</p>")
            case Picture(png, width, _):
                name = f"p{len(pictures)}.png"
                pictures.append((name, png))
                parts.append(f'<p><img src="{name}" width="{width}"/></p>')
            case Rows(rows):
                parts.append(f"<table>{_row('th', rows[0])}{''.join(_row('td', row) for row in rows[1:])}</table>")
    return "".join(parts), pictures


def _run(run: Run) -> str:
    text = escape(run.text).replace("\n", "<br/>")
    for tag, on in (("b", run.bold), ("i", run.italic)):
        if on:
            text = f"<{tag}>{text}</{tag}>"
    return f'<span class="quiet">{text}</span>' if run.quiet else text


def _row(tag: str, row: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in row)}</tr>"
