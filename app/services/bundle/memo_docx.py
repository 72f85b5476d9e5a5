"""The memo as DOCX, the same bytes for the same blocks."""

import datetime
import unicodedata
import zipfile
from collections.abc import Sequence
from io import BytesIO
from itertools import groupby
from typing import Any

from app.services.bundle.memo_blocks import Block, Heading, Paragraph, Picture, Rows, Run

_FONT = "Times New Roman"
_EAST_ASIAN_FONT = "SimSun"
_EPOCH = (1980, 1, 1, 0, 0, 0)
_QUIET_POINTS = 8.5


def memo_docx(title: str, blocks: Sequence[Block]) -> bytes:
    from docx import Document

    document = Document()
    _set_styles(document)
    document.core_properties.title = title
    document.core_properties.author = "Pincite"
    # OOXML's core properties hold naive UTC; a memo says nothing of when it was exported.
    document.core_properties.created = document.core_properties.modified = datetime.datetime(1980, 1, 1)  # noqa: DTZ001
    for block in blocks:
        _add(document, block)
    return _with_fixed_times(document)


def _set_styles(document: Any) -> None:
    from docx.oxml.ns import qn
    from docx.shared import Pt, RGBColor

    for name in ("Normal", "Title", "Heading 1", "Heading 2", "Heading 3"):
        style = document.styles[name]
        style.font.name = _FONT
        fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
        for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
            fonts.attrib.pop(qn(f"w:{theme}"), None)
        for script, font in (("ascii", _FONT), ("hAnsi", _FONT), ("cs", _FONT), ("eastAsia", _EAST_ASIAN_FONT)):
            fonts.set(qn(f"w:{script}"), font)
        style.font.color.rgb = RGBColor(0, 0, 0)
    document.styles["Normal"].font.size = Pt(11)


def _add(document: Any, block: Block) -> None:
    match block:
        case Heading(level, text):
            document.add_heading(text, level - 1)
        case Paragraph(runs, indented):
            _fill(document.add_paragraph(), runs, indented)
        case Picture():
            _add_picture(document, block)
        case Rows(rows):
            _add_rows(document, rows)


def _fill(paragraph: Any, runs: Sequence[Run], indented: bool) -> None:
    from docx.shared import Pt

    if indented:
        paragraph.paragraph_format.left_indent = Pt(24)
    for run in runs:
        for right_to_left, characters in groupby(run.text, _is_right_to_left):
            made = paragraph.add_run("".join(characters))
            made.bold, made.italic = run.bold, run.italic
            if run.quiet:
                made.font.size = Pt(_QUIET_POINTS)
            if right_to_left:
                made.font.rtl = True


def _is_right_to_left(character: str) -> bool:
    return unicodedata.bidirectional(character) in ("R", "AL")


def _add_picture(document: Any, picture: Picture) -> None:
    from docx.shared import Pt

    shape = document.add_picture(BytesIO(picture.png), width=Pt(picture.width))
    shape._inline.docPr.set("descr", picture.alt)  # python-docx offers no public name for the alternative text


def _add_rows(document: Any, rows: Sequence[Sequence[str]]) -> None:
    from docx.shared import Pt

    table = document.add_table(rows=len(rows), cols=len(rows[0]), style="Table Grid")
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            cell = table.cell(r, c).paragraphs[0]
            made = cell.add_run(text)
            made.bold = r == 0
            made.font.size = Pt(_QUIET_POINTS)


def _with_fixed_times(document: Any) -> bytes:
    """The packer stamps members with the time of day; here they all have ZIP's first date."""
    packed, fixed = BytesIO(), BytesIO()
    document.save(packed)
    with zipfile.ZipFile(packed) as source, zipfile.ZipFile(fixed, "w") as target:
        for name in source.namelist():
            target.writestr(zipfile.ZipInfo(name, _EPOCH), source.read(name), zipfile.ZIP_DEFLATED)
    return fixed.getvalue()
