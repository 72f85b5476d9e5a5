"""OpenDocument text and presentations: frames, shapes, objects, indexes, page heads, and what is hidden in them."""

import io
import zipfile

from flow_texts import details, texts

from ingest.formats.odf.documents import read_odt
from ingest.formats.odf.slides import read_odp
from ingest.formats.sniff import Kind, sniff
from ingest.limits import Limits
from verify.domain.document import WarningCode

URN = "urn:oasis:names:tc:opendocument:xmlns"
NS = " ".join(
    f'xmlns:{short}="{URN}:{name}:1.0"'
    for short, name in (
        ("text", "text"), ("office", "office"), ("table", "table"), ("style", "style"), ("draw", "drawing"),
        ("fo", "xsl-fo-compatible"), ("svg", "svg-compatible"), ("chart", "chart"), ("presentation", "presentation"),
    )
) + ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'  # fmt: skip


def document(body: str, head: str = "", kind: str = "text", **parts: str | bytes) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        archive.writestr(
            "content.xml",
            f"<office:document-content {NS}>{head}<office:body><office:{kind}>{body}</office:{kind}></office:body>"
            "</office:document-content>",
        )
        for name, data in parts.items():
            archive.writestr(name, data)
    return held.getvalue()


def p(text: str, style: str = "") -> str:
    return f"<text:p text:style-name='{style}'>{text}</text:p>"


def frame(inner: str) -> str:
    return f"<draw:frame>{inner}<svg:title>no</svg:title><svg:desc>nor this</svg:desc></draw:frame>"


def test_frames_shapes_and_objects_stand_after_their_paragraph() -> None:
    chart = (
        f"<office:document-content {NS}><office:body><office:chart><chart:chart><chart:title>{p('Rent by year')}"
        f"</chart:title><table:table><table:table-row><table:table-cell>{p('2024')}</table:table-cell><table:table-cell>"
        f"{p('40')}</table:table-cell></table:table-row></table:table></chart:chart></office:chart></office:body>"
        "</office:document-content>"
    )
    formula = (
        "<math xmlns='http://www.w3.org/1998/Math/MathML'><semantics><mi>x</mi>"
        "<annotation encoding='StarMath 5.0'>x = a over b</annotation></semantics></math>"
    )
    body = (
        p("Before" + frame(f"<draw:text-box>{p('Boxed.')}</draw:text-box>") + " after.")
        + p(frame("<draw:object xlink:href='./Object 1'/><draw:image xlink:href='./ObjectReplacements/Object 1'/>"))
        + p(frame("<draw:object xlink:href='./Object 2'/>"))
        + p(
            frame("<draw:image xlink:href='Pictures/plan.png'/>")
            + frame("<draw:image xlink:href='https://x.test/a.png'/>")
        )
        + f"<draw:custom-shape>{p('In a shape.')}</draw:custom-shape>"
    )
    parts: dict[str, str | bytes] = {
        "Object 1/content.xml": chart, "Object 2/content.xml": formula, "Pictures/plan.png": b"x" * 9000,
    }  # fmt: skip
    read = read_odt(document(body, **parts), Limits())
    assert texts(read.flow) == [
        "Before after.", "Boxed.", "[Chart: Rent by year]", "2024 | 40", "[Formula: x = a over b]",
        "[Picture: plan.png]", "[Picture: it does not lie in the file]", "In a shape.",
    ]  # fmt: skip
    assert details(read.warnings) == {
        WarningCode.TRUNCATED: ["1 pictures or frames do not lie in the file and were left out"]
    }
    assert [member.name for member in read.members()] == ["plan.png"]


def test_indexes_numbered_paragraphs_and_hidden_sections() -> None:
    head = (
        "<office:automatic-styles><text:list-style style:name='L'><text:list-level-style-number text:level='1' "
        "style:num-format='a' style:num-suffix=')'/></text:list-style></office:automatic-styles>"
    )
    body = (
        f"<text:illustration-index><text:index-body>{p('Figure 1')}</text:index-body></text:illustration-index>"
        f"<text:numbered-paragraph text:style-name='L' text:level='1'>{p('Numbered.')}</text:numbered-paragraph>"
        f"<text:section text:display='none'>{p('Hidden.')}</text:section>"
        + p("<text:hidden-paragraph text:is-hidden='true'/>Hidden too.")
        + p("<text:hidden-paragraph text:is-hidden='false'/>Shown.")
        + p("<text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby>")
    )
    read = read_odt(document(body, head), Limits())
    assert texts(read.flow) == ["Figure 1", "a) Numbered.", "Shown.", "漢(kan)"]
    assert details(read.warnings) == {WarningCode.HIDDEN_TEXT: ["2 pieces of hidden text were left out"]}


def test_styles_hand_down_what_hides_and_strikes() -> None:
    style = "<style:style style:name='{0}' style:parent-style-name='{1}'><style:text-properties {2}/></style:style>"
    head = "<office:automatic-styles>" + "".join(
        (
            style.format("White", "", "fo:color='#ffffff'"), style.format("Child", "White", "fo:font-weight='bold'"),
            style.format("Seen", "White", "fo:background-color='#000000'"),
            style.format("Old", "", "style:text-line-through-style='solid'"),
        )
    ) + "</office:automatic-styles>"  # fmt: skip
    body = (
        p("Unseen.", "Child") + p("On black.", "Seen")
        + p("The fee is <text:span text:style-name='Old'>80</text:span> 90.")
    )  # fmt: skip
    read = read_odt(document(body, head), Limits())
    assert texts(read.flow) == ["On black.", "The fee is 80 90."]
    assert details(read.warnings) == {
        WarningCode.HIDDEN_TEXT: ["1 pieces of hidden text were left out"],
        WarningCode.HAS_STRUCK_TEXT: ["1 pieces of text are struck through by hand; they are shown so"],
    }


def test_page_heads_and_changes_of_formatting() -> None:
    styles = (
        f"<office:document-styles {NS}><office:master-styles><style:master-page style:name='S'><style:header>"
        f"{p('Privileged')}</style:header><style:header-left style:display='false'>{p('Off')}</style:header-left>"
        f"<style:footer>{p('7')}</style:footer></style:master-page></office:master-styles></office:document-styles>"
    )
    change = (
        "<text:tracked-changes><text:changed-region text:id='c'><text:format-change><office:change-info/>"
        "</text:format-change></text:changed-region></text:tracked-changes>"
    )
    read = read_odt(document(change + p("Body."), **{"styles.xml": styles}), Limits())
    assert texts(read.flow) == ["[Page header: Privileged]", "Body."]
    assert details(read.warnings) == {WarningCode.HAS_REVISIONS: ["1 tracked changes of formatting are not shown"]}


def test_table_cells_that_repeat_and_rows_that_are_hidden() -> None:
    def row(cells: str, more: str = "") -> str:
        return f"<table:table-row {more}>{cells}</table:table-row>"

    cell = "<table:table-cell{0}>" + p("{1}") + "</table:table-cell>"
    body = (
        "<table:table>" + row(cell.format(" table:number-columns-repeated='2'", "x") + cell.format("", "y"))
        + row(cell.format("", "gone"), "table:visibility='collapse'") + "</table:table>"
    )  # fmt: skip
    read = read_odt(document(body), Limits())
    assert texts(read.flow) == ["x | x | y"]
    assert details(read.warnings) == {WarningCode.HIDDEN_TEXT: ["1 pieces of hidden text were left out"]}


def test_a_presentation_is_read_slide_by_slide() -> None:
    head = (
        "<office:automatic-styles><style:style style:name='dp2'><style:drawing-page-properties "
        "presentation:visibility='hidden'/></style:style></office:automatic-styles>"
    )
    box = "<draw:frame {0}><draw:text-box>{1}</draw:text-box></draw:frame>"
    notes = "<presentation:notes>" + box.format("presentation:class='notes'", p("Say this.")) + "</presentation:notes>"
    body = (
        "<draw:page>" + box.format("presentation:class='title'", p("Lease"))
        + "<draw:g>" + box.format("", p("Rent is 40.")) + "</draw:g>"
        + box.format("presentation:class='page-number'", p("1")) + notes
        + f"<office:annotation><dc:creator>Orr</dc:creator>{p('Check.')}</office:annotation></draw:page>"
        + f"<draw:page draw:style-name='dp2'>{box.format('', p('Hidden slide.'))}</draw:page>"
        + f"<draw:page>{box.format('', p('Last.'))}</draw:page>"
    )  # fmt: skip
    data = document(body, head, "presentation")
    assert sniff(io.BytesIO(data), "talk.odp") is Kind.ODP
    read = read_odp(data, Limits())
    assert texts(read.flow) == [
        "Lease", "Rent is 40.", "[Comment by Orr: Check.]", "[Speaker's notes: Say this.]", "", "Last.",
    ]  # fmt: skip
    assert details(read.warnings)[WarningCode.HIDDEN_TEXT] == ["1 hidden slides were left out"]
