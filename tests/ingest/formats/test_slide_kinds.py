"""Presentations: charts, diagrams, numbers, comments of both kinds, repeated words, and what no slide shows."""

import io
import zipfile

from flow_texts import details, texts

from ingest.formats.office.slides import read_slides
from ingest.limits import Limits
from verify.domain.document import WarningCode

NAMES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def links(entries: dict[str, tuple[str, str]]) -> str:
    rows = (f'<Relationship Id="{k}" Type="{KINDS}/{kind}" Target="{to}"/>' for k, (kind, to) in entries.items())
    names = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{names}">{"".join(rows)}</Relationships>'


def deck(shapes: str, entries: dict[str, tuple[str, str]] | None = None, **parts: str) -> bytes:
    """One slide. ``parts`` by their name in ``ppt/``."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(
            "ppt/presentation.xml",
            f'<p:presentation {NAMES}><p:sldIdLst><p:sldId r:id="s"/></p:sldIdLst><p:sldSz cx="9000" cy="6000"/>'
            "</p:presentation>",
        )
        first = {"s": ("slide", "slides/slide1.xml"), "w": ("commentAuthors", "commentAuthors.xml"),
                 "v": ("authors", "authors.xml")}  # fmt: skip
        archive.writestr("ppt/_rels/presentation.xml.rels", links(first))
        archive.writestr("ppt/slides/slide1.xml", page(shapes))
        archive.writestr("ppt/slides/_rels/slide1.xml.rels", links(entries or {}))
        for name, text in parts.items():
            archive.writestr(f"ppt/{name}", text)
    return held.getvalue()


def page(shapes: str) -> str:
    return f"<p:sld {NAMES}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>"


def shape(paragraphs: str, kind: str = "", place: str = "", name: str = "") -> str:
    holder = f'<p:ph type="{kind}"/>' if kind else ""
    return (
        f"<p:sp><p:nvSpPr><p:cNvPr id='1' name='x' {name}/><p:nvPr>{holder}</p:nvPr></p:nvSpPr><p:spPr>{place}</p:spPr>"
        f"<p:txBody>{paragraphs}</p:txBody></p:sp>"
    )


def para(text: str, properties: str = "", style: str = "") -> str:
    return f"<a:p>{properties}<a:r><a:rPr {style}/><a:t>{text}</a:t></a:r></a:p>"


def test_charts_diagrams_pictures_and_alternatives() -> None:
    chart = (
        f"<c:chartSpace {NAMES}><c:chart><c:title>{para('Rent')}</c:title><c:ser><c:tx><c:v>EUR</c:v></c:tx><c:cat>"
        "<c:pt idx='0'><c:v>2024</c:v></c:pt></c:cat><c:val><c:pt idx='0'><c:v>40</c:v></c:pt></c:val></c:ser>"
        "</c:chart></c:chartSpace>"
    )
    diagram = (
        f"<dgm:dataModel {NAMES}><dgm:ptLst><dgm:pt><dgm:t>{para('Buyer')}</dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>"
    )
    frame = "<p:graphicFrame><a:graphic><a:graphicData>{0}</a:graphicData></a:graphic></p:graphicFrame>"
    shapes = (
        frame.format("<c:chart r:id='c'/>") + frame.format("<dgm:relIds r:dm='d'/>")
        + "<p:pic><p:blipFill><a:blip r:embed='i'/></p:blipFill></p:pic>"
        + "<mc:AlternateContent><mc:Choice Requires='x'>" + shape(para("Chosen.")) + "</mc:Choice><mc:Fallback>"
        + shape(para("Not this.")) + "</mc:Fallback></mc:AlternateContent>"
        + shape("<a:p><mc:AlternateContent><mc:Choice><a:x><m:oMath><m:r><m:t>x=1</m:t></m:r></m:oMath></a:x>"
                "</mc:Choice></mc:AlternateContent></a:p>")
    )  # fmt: skip
    entries = {
        "c": ("chart", "../charts/c.xml"), "d": ("diagramData", "../diagrams/d.xml"), "i": ("image", "../media/p.png"),
    }  # fmt: skip
    read = read_slides(deck(shapes, entries, **{"charts/c.xml": chart, "diagrams/d.xml": diagram}), Limits())
    assert texts(read.flow) == [
        "[Chart: Rent]", " | EUR", "2024 | 40", "[Diagram: Buyer]", "[Picture: p.png]", "Chosen.", "x=1",
    ]  # fmt: skip
    assert read.warnings == ()


def test_numbers_strikes_and_symbols_of_a_text() -> None:
    def numbered(text: str, kind: str, level: int = 0, more: str = "") -> str:
        return para(text, f"<a:pPr lvl='{level}'><a:buAutoNum type='{kind}' {more}/></a:pPr>")

    body = (
        numbered("One", "arabicPeriod", 0, "startAt='3'") + numbered("Inner", "alphaLcParenBoth", 1)
        + numbered("Next", "alphaLcParenBoth", 1) + numbered("Two", "arabicPeriod", 0, "startAt='3'") + para("Plain")
        + "<a:p><a:r><a:rPr strike='sngStrike'/><a:t>80</a:t></a:r><a:r><a:t> 90 </a:t></a:r>"
        "<a:r><a:rPr><a:latin typeface='Wingdings'/></a:rPr><a:t>\uf0fc</a:t></a:r></a:p>"
    )  # fmt: skip
    read = read_slides(deck(shape(body)), Limits())
    assert texts(read.flow) == [
        "3. One", "(a) Inner", "(b) Next", "4. Two", "Plain", "80 90 ✓",
    ]  # fmt: skip
    assert details(read.warnings) == {
        WarningCode.HAS_STRUCK_TEXT: ["1 pieces of text are struck through; they are shown so"]
    }


def test_what_is_hidden_or_lies_beyond_the_slide_is_told() -> None:
    place = "<a:xfrm><a:off x='{0}' y='0'/><a:ext cx='100' cy='100'/></a:xfrm>"
    shapes = (
        shape(para("On it."), "", place.format(8950)) + shape(para("Beyond."), "", place.format(9000))
        + shape(para("Hidden."), "", "", "hidden='1'")
        + "<p:grpSp>" + shape(para("In a group."), "", place.format(20000)) + "</p:grpSp>"
    )  # fmt: skip
    read = read_slides(deck(shapes), Limits())
    assert texts(read.flow) == ["On it.", "In a group."]
    assert details(read.warnings) == {
        WarningCode.HIDDEN_TEXT: ["1 hidden shapes with words were left out"],
        WarningCode.OFF_PAGE_TEXT: ["1 shapes with words lie beyond their slide and were left out"],
    }


def test_words_of_layouts_footers_and_comments_of_both_kinds() -> None:
    entries = {
        "l": ("slideLayout", "../slideLayouts/l.xml"), "o": ("comments", "../comments/old.xml"),
        "n": ("comments", "../comments/new.xml"),
    }  # fmt: skip
    parts = {
        "slideLayouts/l.xml": page(shape(para("CONFIDENTIAL")) + shape(para("Click to add"), "body")),
        "comments/old.xml": f"<p:cmLst {NAMES}><p:cm authorId='0'><p:text>Old.</p:text></p:cm></p:cmLst>",
        "comments/new.xml": f"<p188:cmLst {NAMES}><p188:cm authorId='A'><p188:replyLst><p188:reply authorId='A'>"
        f"<p188:txBody>{para('Yes.')}</p188:txBody></p188:reply></p188:replyLst><p188:txBody>{para('New?')}"
        "</p188:txBody></p188:cm></p188:cmLst>",
        "commentAuthors.xml": f"<p:cmAuthorLst {NAMES}><p:cmAuthor id='0' name='Hale'/></p:cmAuthorLst>",
        "authors.xml": f"<p188:authorLst {NAMES}><p188:author id='A' name='Orr'/></p188:authorLst>",
    }
    read = read_slides(deck(shape(para("Text.")) + shape(para("Draft of May"), "ftr"), entries, **parts), Limits())
    assert texts(read.flow) == [
        "Text.", "[Slide footer: Draft of May]", "[On every slide: CONFIDENTIAL]", "[Comment by Hale: Old.]",
        "[Comment by Orr: New?]", "[Reply by Orr: Yes.]",
    ]  # fmt: skip
