"""Sets the sample's plain text as PDF. The marks are few: see ``_paragraph``."""

import re
from dataclasses import dataclass
from functools import cache
from html import escape
from io import BytesIO
from itertools import groupby
from pathlib import Path
from typing import Any

from ingest.mupdf import pymupdf

_A4 = pymupdf.paper_rect("a4")
_BODY = pymupdf.Rect(84, 84, _A4.x1 - 84, _A4.y1 - 96)
_CSS = """
body { margin: 0; font-family: serif; font-size: 12.5pt; line-height: 1.8; }
h1 { font-size: 13pt; text-align: center; margin: 6pt 0 10pt 0; }
h2 { font-size: 11.5pt; margin: 16pt 0 8pt 0; }
p { margin: 0 0 9pt 0; }
p.sub { margin-left: 24pt; }
p.mid { text-align: center; margin: 8pt 0; }
p.note { font-size: 9pt; margin: 2pt 0; }
"""
_ROW_HEIGHT = 22
_SMALL = 9.5


@dataclass(frozen=True, slots=True)
class LabelRule:
    """From page ``first`` on: labels of this PDF style ("D", "r" or none) with a prefix, counted from 1."""

    first: int
    style: str
    prefix: str = ""


def set_text(text: str, running_foot: str, labels: tuple[LabelRule, ...] = ()) -> "pymupdf.Document":
    """A document with one section for each part of the text between ``---`` lines; each begins on a new page.

    Foots name the document and print the page's label.
    """
    flow = _Flow()
    for section in re.split(r"^---.*\n", text, flags=re.M):
        flow.set_section([line for line in section.splitlines() if line.strip()])
    doc = flow.finish()
    if labels:
        doc.set_page_labels(
            [{"startpage": r.first, "style": r.style, "prefix": r.prefix, "firstpagenum": 1} for r in labels]
        )
    for page in doc:
        page.wrap_contents()  # a story leaves its own coordinates behind
        label = page.get_label() if labels else str(page.number + 1)
        write_line(page, (_BODY.x0, 800), running_foot, 8.5)
        write_line(page, (_A4.width / 2 - 6, 814), label, 9.5)
    return doc


def write_line(page: "pymupdf.Page", at: tuple[float, float], text: str, size: float, bold: bool = False) -> None:
    """One line from ``at`` (points, on the baseline) in an embedded font, so that every character comes back."""
    writer = pymupdf.TextWriter(page.rect)
    writer.append(at, text, font=_font(bold), fontsize=size)
    writer.write_text(page)


@cache
def _font(bold: bool) -> "pymupdf.Font":
    return pymupdf.Font("tibo" if bold else "tiro")


def save(doc: "pymupdf.Document", path: Path, title: str) -> None:
    """Writes the same bytes on every run."""
    doc.set_metadata({"title": title, "creationDate": "D:20240610090000Z", "modDate": "D:20240610090000Z"})
    doc.save(path, garbage=3, deflate=True, no_new_id=True)
    doc.close()


class _Flow:
    """Sections one after another; tables are drawn when the pages are there, for a story's page takes no lines."""

    def __init__(self) -> None:
        self._out = BytesIO()
        self._writer = pymupdf.DocumentWriter(self._out)
        self._device: Any = None
        self._page_count = 0
        self._y = _BODY.y0
        self._tables: list[tuple[int, float, list[list[str]]]] = []

    def set_section(self, lines: list[str]) -> None:
        self._new_page()
        for is_table, run in groupby(lines, lambda line: line.startswith("| ")):
            if is_table:
                self._leave_room([line[2:].split(" | ") for line in run])
            else:
                self._set(pymupdf.Story("".join(map(_paragraph, run)), user_css=_CSS))

    def finish(self) -> "pymupdf.Document":
        self._writer.end_page()
        self._writer.close()
        doc = pymupdf.open("pdf", self._out.getvalue())
        for index, y, rows in self._tables:
            doc[index].wrap_contents()
            draw_table(doc[index], y, rows)
        return doc

    def _new_page(self) -> None:
        if self._page_count:
            self._writer.end_page()
        self._device = self._writer.begin_page(_A4)
        self._page_count += 1
        self._y = _BODY.y0

    def _set(self, story: "pymupdf.Story") -> None:
        while True:
            more, filled = story.place(pymupdf.Rect(_BODY.x0, self._y, _BODY.x1, _BODY.y1))
            story.draw(self._device)
            if not more:
                self._y = pymupdf.Rect(filled).y1
                return
            self._new_page()

    def _leave_room(self, rows: list[list[str]]) -> None:
        self._tables.append((self._page_count - 1, self._y + 6, rows))
        self._y += len(rows) * _ROW_HEIGHT + 18


def _paragraph(line: str) -> str:
    """``= heading``, ``# clause heading``, ``@ centred``, ``(a) item`` indented, ``[1] note`` small, else plain."""
    kinds = (("= ", "<h1>{}</h1>"), ("# ", "<h2>{}</h2>"), ("@ ", '<p class="mid">{}</p>'))
    for mark, form in kinds:
        if line.startswith(mark):
            return form.format(escape(line[len(mark) :]))
    body = re.sub(r"(?<=\S)\[(\d)\]", r"<sup>\1</sup>", escape(line))
    if re.match(r"\([a-z]\) ", line):
        return f'<p class="sub">{body}</p>'
    if note := re.match(r"\[(\d)\] ", line):
        return f'<p class="note">{note.group(1)} {body[note.end() :]}</p>'
    return f"<p>{body}</p>"


def draw_table(page: "pymupdf.Page", top: float, rows: list[list[str]]) -> None:
    """A ruled table as wide as the body, its first row bold, figures to the right; ``top`` in points."""
    count = len(rows[-1])
    first = 0.38 if count > 3 else 0.5
    other = (1 - first) / (count - 1)
    edges = [_BODY.x0 + _BODY.width * share for share in (0.0, *(first + other * i for i in range(count)))]
    for r, row in enumerate(rows):
        y = top + r * _ROW_HEIGHT
        for c, cell in enumerate(row):
            page.draw_rect(pymupdf.Rect(edges[c], y, edges[c + 1], y + _ROW_HEIGHT), width=0.6)
            is_figure = c > 0 and r > 0
            room = _font(False).text_length(cell, _SMALL)
            x = edges[c + 1] - 5 - room if is_figure else edges[c] + 5
            write_line(page, (x, y + 14.5), cell, _SMALL, bold=r == 0)
