"""Presentations and old Excel files: their words as a person sees them, and what is left out told."""

import base64
import io
import zipfile
import zlib
from typing import Any

from ingest.failures import Damaged, Locked
from ingest.formats.office.slides import read_slides
from ingest.formats.sheets.xls import open_old_sheets
from ingest.formats.sniff import Kind, sniff
from ingest.limits import Limits
from ingest.rendition.flow import Block, BlockKind, Grid
from verify.domain.document import SourceStatus, WarningCode

FEES = zlib.decompress(base64.b85decode(
    'c-rk)OGuPa6#nj=f1ddmZ45M!LD0%Hj5cj_DpF~on9_p?N}Zn^%$fKz#1>`QK${?FRkRT-Xk(8>4~j5o(IPNv5d?u2ty~2KE!63pGyj;{1P+'
    'v>{NHfTz4zR6&OP_ub071+nJAhZxnDMgC1`*Pb16SO3wVl>KT`>U+EXbmW^x~;l!H|TzmFEu<Hpnc*Ir&jUhgSr+%sMf1wK(aic@G!#Le&uV'
    'vqRHsn~~lWl-#C+@w^1Qt_);Xt&VyLhp*~GoibLb46%9$xf;xn25Ai@3iCiu&$7{0-'
    '_3!MCXHWwxa~EIF8R>RcTo_c3ZK|lWV@A+{nWyC<vO(xM^|Sk6SQ+x@~op<whZHBLEB%YWw<XqtQu(C|XAGJrxGNWsZgMu)|+jz5?-'
    'oEarRv!1uw(%IB5N#t+b<FXdm;6ca;89ap?}lE}lj!7T=wO!IV-_EgZzVdX)G*=?EqGdL(W1E+OBPb?ZW<KcmX6{Q-'
    'hgk$k=<AHWEvajFla{(=#gKnUsr_(aYQcEIX#o{N3zxRw8m^WZ01_FE^$@vvrbbjT_uFfMGMWK|7WN!z_hnYKH-'
    '?ntMMUDw)NW4nlY?VANq;P>XNVz~-'
    '+(M~yREx$|p%=yKMk$vG4Ur_}Rc$49p=nrTE=g+@^|M3pF0yGsc{7!h)B7KnCqGBFP<gC*>TGE2ePjd`v?fu~=ie}DRE@fEo$(}+$(4NueiT'
    '~z+j;2ILEHC~eSH^VmbWmWNJjizYCJnUKP<1Z$SaX&i|HE6yXI?}YKGmL&Z4bFn`iNy4#<oYWBRfeF3o4JCSUEiim(M&77H%1;IS>Z$U+DYU'
    'TV0tk7`=R!n%fxC9NB_bq&$w!1!X1grU)(i}8?MqnqLvRwAC%JYB8vq_W17ycu~`k!@BTIB?*=fddEs6O_D%(l1=Ye(&;|$7_GrnWZ%6d?s1'
    '5Xh(v6{q!HN5pl{b4CWL+8{k$MTWXm)neT;+L)5#4UUZ2cy*bA(y;;@5@hn?0`1iI@uKmyD;^#l^|0grvERX'
))  # fmt: skip
"""Written with xlwt: a merged title, numbers, per cent, a date, a hidden row and a hidden sheet."""

NAMES = (
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"


def shape(text: str, kind: str = "") -> str:
    place = f'<p:ph type="{kind}"/>' if kind else ""
    paragraphs = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in text.split("|"))
    return f"<p:sp><p:nvSpPr><p:nvPr>{place}</p:nvPr></p:nvSpPr><p:txBody>{paragraphs}</p:txBody></p:sp>"


def slide(*shapes: str, show: str = "1") -> str:
    return f'<p:sld {NAMES} show="{show}"><p:cSld><p:spTree>{"".join(shapes)}</p:spTree></p:cSld></p:sld>'


def relations(*targets: tuple[str, str]) -> str:
    rows = (f'<Relationship Id="r{n}" Type="x/{kind}" Target="{to}"/>' for n, (kind, to) in enumerate(targets))
    return f'<Relationships xmlns="{RELATIONS}">{"".join(rows)}</Relationships>'


def deck() -> bytes:
    cells = "".join(f"<a:tc><a:txBody><a:p><a:r><a:t>{t}</a:t></a:r></a:p></a:txBody></a:tc>" for t in ("Quay", "41"))
    table = f"<p:graphicFrame><a:graphic><a:tbl><a:tr>{cells}</a:tr></a:tbl></a:graphic></p:graphicFrame>"
    chart = "<p:graphicFrame><a:graphic/></p:graphicFrame>"
    group = f"<p:grpSp>{shape('In a group')}</p:grpSp>"
    entries = "".join(f'<p:sldId r:id="r{n}"/>' for n in (1, 0, 2))
    parts = {
        "[Content_Types].xml": "<Types/>",
        "ppt/presentation.xml": f"<p:presentation {NAMES}><p:sldIdLst>{entries}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(*(("slide", f"slides/slide{n}.xml") for n in (1, 2, 3))),
        "ppt/slides/slide1.xml": slide(shape("Second slide", "title"), table, chart, group),
        "ppt/slides/slide2.xml": slide(
            shape("First slide", "ctrTitle"), shape("Line one|Line two"), shape("7", "sldNum")
        ),
        "ppt/slides/slide3.xml": slide(shape("Nobody sees this"), show="0"),
        "ppt/slides/_rels/slide2.xml.rels": relations(
            ("notesSlide", "../notesSlides/n1.xml"), ("comments", "../comments/c1.xml")
        ),
        "ppt/notesSlides/n1.xml": slide(shape("Say it slowly", "body")),
        "ppt/comments/c1.xml": f"<p:cmLst {NAMES}><p:cm><p:text>Is this so?</p:text></p:cm></p:cmLst>",
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return buffer.getvalue()


def test_slides_come_in_their_order_with_notes_and_comments_labelled() -> None:
    assert sniff(io.BytesIO(deck()), "talk.pptx") is Kind.PPTX
    read = read_slides(deck(), Limits())
    said = [(b.kind, b.text) if isinstance(b, Block) else b for b in read.flow]
    assert said[:6] == [
        (BlockKind.HEADING, "First slide"), (BlockKind.PARAGRAPH, "Line one"), (BlockKind.PARAGRAPH, "Line two"),
        (BlockKind.NOTE, "[Speaker's notes: Say it slowly]"), (BlockKind.NOTE, "[Comment: Is this so?]"),
        (BlockKind.PAGE_BREAK, ""),
    ]  # fmt: skip
    assert said[6] == (BlockKind.HEADING, "Second slide") and said[8] == (BlockKind.PARAGRAPH, "In a group")
    assert isinstance(said[7], Grid)
    assert [[cell.blocks[0].text for cell in row] for row in said[7].rows] == [["Quay", "41"]]
    assert [w.code for w in read.warnings] == [
        WarningCode.HIDDEN_TEXT, WarningCode.TRUNCATED, WarningCode.HAS_ANNOTATIONS,
    ]  # fmt: skip


def test_slides_are_pages(matter: Any) -> None:
    matter.write("talk.pptx", deck())
    matter.read()
    assert matter.record("talk.pptx").status is SourceStatus.PARTIAL  # the chart
    texts = [page.text for page in matter.pages("talk.pptx")]
    assert len(texts) == 2 and texts[0].startswith("First slide") and "Nobody" not in "".join(texts)


def test_an_old_sheet_shows_its_values_through_their_formats(matter: Any) -> None:
    matter.write("fees.xls", FEES)
    matter.read()
    record = matter.record("fees.xls")
    assert (record.media_type, record.status) == (Kind.XLS, SourceStatus.INDEXED)
    assert [w.code for w in record.warnings] == [WarningCode.HIDDEN_TEXT]
    (page,) = matter.pages("fees.xls")
    assert "hidden" not in page.text
    (table,) = page.tables
    cells = {cell.address: cell.text for cell in table.cells}
    assert cells["Fees!A1"] == "Fees in EUR"
    assert (cells["Fees!B3"], cells["Fees!C3"], cells["Fees!B4"]) == ("1,234.50", "12.5%", "2024-03-05")


def test_a_broken_old_sheet_is_damaged_or_still_a_sheet() -> None:
    """Wherever its bytes are broken; xlrd itself raises some ten classes of error."""
    damaged, places = 0, range(600, len(FEES), 701)
    for at in places:
        broken = bytearray(FEES)
        broken[at : at + 16] = b"\xff" * 16
        try:
            opened = open_old_sheets(bytes(broken), Limits())
        except (Damaged, Locked):
            damaged += 1
        else:
            assert opened.kind is Kind.XLS
            assert isinstance(opened.pages, bytes)
            assert opened.pages.startswith(b"%PDF-")
    assert 0 < damaged < len(places)
