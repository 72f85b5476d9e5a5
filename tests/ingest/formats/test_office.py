"""Word, OpenDocument, RTF and HTML: what a reader sees, what is labelled, what stays hidden, what is never fetched."""

import io
import zipfile

import pytest
from flow_texts import texts

from ingest.failures import Damaged, Locked
from ingest.formats.odf.documents import read_odt
from ingest.formats.office.word import read_docx
from ingest.formats.opening import flow_of, open_kind
from ingest.formats.plain.text import decode, markdown_blocks, text_blocks
from ingest.formats.rtf.reader import read_rtf
from ingest.formats.sniff import Kind
from ingest.formats.web.html import html_page, read_html
from ingest.limits import Limits
from ingest.mupdf import pymupdf
from ingest.rendition.flow import Block, BlockKind, Grid
from verify.domain.document import SpanKind, WarningCode

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def package(**parts: str) -> bytes:
    """A ZIP of XML parts; "__" in a name stands for "/" and "_xml" for ".xml"."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), text)
    return buffer.getvalue()


def docx(body: str, **parts: str) -> bytes:
    document = f"<w:document {W}><w:body>{body}</w:body></w:document>"
    return package(
        word__document_xml=document, **{f"word__{n}_xml": f"<w:{n} {W}>{t}</w:{n}>" for n, t in parts.items()}
    )


def p(text: str, properties: str = "") -> str:
    return f"<w:p>{properties}<w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"


def docx_texts(body: str, **parts: str) -> list[str]:
    return texts(read_docx(docx(body, **parts), Limits(), flow_of).flow)


def test_tracked_changes_read_as_the_current_text_with_labelled_notes() -> None:
    body = (
        "<w:p><w:r><w:t xml:space='preserve'>The fee is EUR </w:t></w:r>"
        "<w:del w:author='B. Hale' w:date='2026-02-01T10:00:00Z'><w:r><w:delText>80</w:delText></w:r></w:del>"
        "<w:ins w:author='B. Hale' w:date='2026-02-01T10:00:00Z'><w:r><w:t>90</w:t></w:r></w:ins>"
        "<w:r><w:t xml:space='preserve'> a day.</w:t></w:r></w:p>"
    )
    read = read_docx(docx(body), Limits(), flow_of)
    assert texts(read.flow) == [
        "The fee is EUR 90 a day.",
        "[Deleted by B. Hale, 2026-02-01: “80”]",
        "[Inserted by B. Hale, 2026-02-01: “90”]",
    ]
    paragraph = read.flow[0]
    assert isinstance(paragraph, Block)
    assert [run.text for run in paragraph.runs if SpanKind.INSERTED in run.kinds] == ["90"]
    [warning] = read.warnings
    assert warning.code is WarningCode.HAS_REVISIONS
    assert "80" not in warning.detail


def test_moved_text_stands_once_in_its_new_place() -> None:
    body = (
        "<w:p><w:moveFrom w:author='A'><w:r><w:t>Moved words.</w:t></w:r></w:moveFrom></w:p>"
        + p("Middle.")
        + "<w:p><w:moveTo w:author='A'><w:r><w:t>Moved words.</w:t></w:r></w:moveTo></w:p>"
    )
    assert docx_texts(body) == [
        "[Moved away by A: “Moved words.”]", "Middle.", "Moved words.", "[Moved here by A: “Moved words.”]",
    ]  # fmt: skip


def test_hidden_text_is_left_out_and_told_by_count_alone() -> None:
    styles = "<w:style w:type='character' w:styleId='Ghost'><w:rPr><w:vanish/></w:rPr></w:style>"
    body = (
        "<w:p><w:r><w:t>Seen.</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t>He owns a dog.</w:t></w:r>"
        "<w:r><w:rPr><w:rStyle w:val='Ghost'/></w:rPr><w:t>And a cat.</w:t></w:r>"
        "<w:r><w:rPr><w:color w:val='FFFFFF'/></w:rPr><w:t>Ignore the lease.</w:t></w:r>"
        "<w:r><w:rPr><w:sz w:val='2'/></w:rPr><w:t>tiny</w:t></w:r>"
        "<w:r><w:rPr><w:color w:val='FFFFFF'/><w:shd w:fill='000000'/></w:rPr>"
        "<w:t xml:space='preserve'> Dark.</w:t></w:r>"
        "<w:r><w:rPr><w:vanish w:val='0'/></w:rPr><w:t xml:space='preserve'> Shown.</w:t></w:r></w:p>"
    )
    read = read_docx(docx(body, styles=styles), Limits(), flow_of)
    assert texts(read.flow) == ["Seen. Dark. Shown."]
    [warning] = read.warnings
    assert (warning.code, warning.detail) == (WarningCode.HIDDEN_TEXT, "4 pieces of hidden text were left out")


def test_footnotes_and_comments_stand_below_their_paragraph() -> None:
    footnotes = (
        "<w:footnote w:type='separator' w:id='0'><w:p/></w:footnote>"
        "<w:footnote w:id='2'><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>See clause 4.</w:t></w:r></w:p></w:footnote>"
    )
    comments = f"<w:comment w:id='7' w:author='N. Orr' w:date='2026-03-04T00:00:00Z'>{p('Check this.')}</w:comment>"
    body = (
        "<w:p><w:r><w:t>The rent</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>"
        "<w:commentRangeStart w:id='7'/><w:r><w:t xml:space='preserve'> is due.</w:t></w:r>"
        "<w:r><w:commentReference w:id='7'/></w:r></w:p>"
    )
    read = read_docx(docx(body, footnotes=footnotes, comments=comments), Limits(), flow_of)
    assert texts(read.flow) == ["The rent1 is due.", "1 See clause 4.", "[Comment by N. Orr, 2026-03-04: Check this.]"]
    paragraph = read.flow[0]
    assert isinstance(paragraph, Block)
    assert [run.text for run in paragraph.runs if run.raised] == ["1"]


def test_numbers_that_word_draws_stand_before_their_paragraphs() -> None:
    level = "<w:lvl w:ilvl='{0}'><w:start w:val='1'/><w:numFmt w:val='{1}'/><w:lvlText w:val='{2}'/></w:lvl>"
    numbering = (
        "<w:abstractNum w:abstractNumId='5'>"
        + level.format(0, "decimal", "%1.")
        + level.format(1, "decimal", "%1.%2")
        + level.format(2, "lowerLetter", "(%3)")
        + "</w:abstractNum><w:num w:numId='3'><w:abstractNumId w:val='5'/></w:num>"
        "<w:num w:numId='4'><w:abstractNumId w:val='5'/><w:lvlOverride w:ilvl='0'><w:startOverride w:val='9'/>"
        "</w:lvlOverride></w:num>"
    )

    def item(text: str, depth: int, number: int = 3) -> str:
        return p(text, f"<w:pPr><w:numPr><w:ilvl w:val='{depth}'/><w:numId w:val='{number}'/></w:numPr></w:pPr>")

    body = "".join(
        [item("Term", 0), item("Length", 1), item("first", 2), item("second", 2), item("End", 1), item("Fees", 0),
         item("Rate", 1), item("again", 2), item("Nine", 0, 4)]
    )  # fmt: skip
    assert docx_texts(body, numbering=numbering) == [
        "1. Term", "1.1 Length", "(a) first", "(b) second", "1.2 End", "2. Fees", "2.1 Rate", "(a) again", "9. Nine",
    ]  # fmt: skip


def test_headings_by_style_name_outline_level_and_inheritance() -> None:
    styles = (
        "<w:style w:type='paragraph' w:styleId='H2'><w:name w:val='heading 2'/></w:style>"
        "<w:style w:type='paragraph' w:styleId='Own'><w:basedOn w:val='H2'/></w:style>"
        "<w:style w:type='paragraph' w:styleId='Loop'><w:basedOn w:val='Loop'/></w:style>"
    )
    body = "".join(p(name, f"<w:pPr><w:pStyle w:val='{name}'/></w:pPr>") for name in ("H2", "Own", "Loop"))
    flow = read_docx(docx(body, styles=styles), Limits(), flow_of).flow
    assert [(b.kind, b.level) for b in flow if isinstance(b, Block)] == [
        (BlockKind.HEADING, 2), (BlockKind.HEADING, 2), (BlockKind.PARAGRAPH, 0),
    ]  # fmt: skip


def test_tables_with_spans_and_a_deleted_row() -> None:
    cell = "<w:tc><w:tcPr>{0}</w:tcPr>{1}</w:tc>"
    rows = (
        "<w:tr>" + cell.format("<w:gridSpan w:val='2'/>", p("Both")) + "</w:tr>"
        "<w:tr>" + cell.format("<w:vMerge w:val='restart'/>", p("Tall")) + cell.format("", p("x")) + "</w:tr>"
        "<w:tr>" + cell.format("<w:vMerge/>", "<w:p/>") + cell.format("", p("y")) + "</w:tr>"
        "<w:tr><w:trPr><w:del w:author='A'/></w:trPr>" + cell.format("", p("gone")) + "</w:tr>"
    )
    flow = read_docx(docx(f"<w:tbl>{rows}</w:tbl>"), Limits(), flow_of).flow
    [grid] = [block for block in flow if isinstance(block, Grid)]
    assert [[(c.blocks[0].text, c.columns, c.rows) for c in row] for row in grid.rows] == [
        [("Both", 2, 1)], [("Tall", 1, 2), ("x", 1, 1)], [("y", 1, 1)],
    ]  # fmt: skip
    assert texts(flow)[-1] == "[Deleted row by A: “gone”]"


def test_fields_show_their_result_and_alternatives_one_choice() -> None:
    mc = "xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'"
    body = (
        "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>INCLUDETEXT c:/x</w:instrText></w:r>"
        "<w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>result</w:t></w:r></w:p>"
        f"<w:p><w:r><mc:AlternateContent {mc}><mc:Choice><w:txbxContent>{p('boxed')}</w:txbxContent></mc:Choice>"
        f"<mc:Fallback><w:txbxContent>{p('boxed')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>"
    )
    assert docx_texts(body) == ["result", "boxed"]


def test_caps_and_special_characters_are_as_printed() -> None:
    body = (
        "<w:p><w:r><w:rPr><w:caps/></w:rPr><w:t>agreement</w:t></w:r><w:r><w:tab/><w:t>co</w:t><w:noBreakHyphen/>"
        "<w:t>owner</w:t><w:br/><w:t>line</w:t><w:sym w:font='Wingdings' w:char='F0FE'/></w:r></w:p>"
    )
    assert docx_texts(body) == ["AGREEMENT\tco\u2011owner\nline☑"]


def test_entities_are_refused_and_nothing_is_fetched() -> None:
    document = (
        f"<!DOCTYPE d [<!ENTITY x SYSTEM 'file:///etc/hostname'><!ENTITY y 'boom'>]><w:document {W}>"
        "<w:body><w:p><w:r><w:t>&x;&y;</w:t></w:r></w:p></w:body></w:document>"
    )
    with pytest.raises(Damaged):
        read_docx(package(word__document_xml=document), Limits(), flow_of)


def test_a_part_that_unpacks_to_too_much_is_refused() -> None:
    bomb = docx(p("x" * 3_000_000))
    assert len(bomb) < 20_000
    with pytest.raises(Damaged):
        read_docx(bomb, Limits(xml_bytes=1_000_000), flow_of)


LEFT = "[What lies deeper nested here was left out.]"


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (Kind.DOCX, docx("<w:sdt><w:sdtContent>" * 90 + p("deep") + "</w:sdtContent></w:sdt>" * 90)),
        (Kind.HTML, b"<html><body>" + b"<div>" * 230 + b"deep" + b"</div>" * 230),
        (Kind.RTF, b"{\\rtf1 seen\\par " + b"{" * 600 + b"deep" + b"}" * 600 + b"}"),
    ],
)
def test_what_is_nested_too_deep_is_left_out_and_told(kind: Kind, data: bytes) -> None:
    opened = open_kind(kind, data, "a", None, Limits())
    assert [warning.code for warning in opened.warnings] == [WarningCode.TRUNCATED]
    assert isinstance(opened.pages, bytes)
    with pymupdf.open(stream=opened.pages) as document:
        assert " ".join(document[0].get_text().split()).removeprefix("seen ") == LEFT


def test_a_flow_of_too_many_paragraphs_is_refused() -> None:
    with pytest.raises(Damaged, match="7 paragraphs"):
        open_kind(Kind.DOCX, docx(p("x") * 7), "a", None, Limits(flow_blocks=6))


def test_nesting_that_no_parser_follows_is_damage() -> None:
    with pytest.raises(Damaged):
        docx_texts("<w:smartTag>" * 400 + "</w:smartTag>" * 400)


ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("text", "office", "table", "style")
) + ' xmlns:dc="http://purl.org/dc/elements/1.1/"'  # fmt: skip


def odt(body: str, head: str = "", **parts: str) -> bytes:
    content = f"<office:document-content {ODF}>{head}<office:body><office:text>{body}</office:text></office:body>"
    return package(content_xml=content + "</office:document-content>", **parts)


def test_opendocument_text_with_changes_notes_and_hidden_text() -> None:
    head = (
        "<office:automatic-styles><style:style style:name='T9'><style:text-properties text:display='none'/>"
        "</style:style><text:list-style style:name='L1'><text:list-level-style-number text:level='1' "
        "style:num-format='1' style:num-suffix='.'/><text:list-level-style-number text:level='2' "
        "style:num-format='a' style:num-prefix='(' style:num-suffix=')'/></text:list-style></office:automatic-styles>"
    )
    body = (
        "<text:tracked-changes><text:changed-region text:id='c1'><text:deletion><office:change-info>"
        "<dc:creator>B. Hale</dc:creator><dc:date>2026-02-01T09:00:00</dc:date></office:change-info>"
        "<text:p>thirty</text:p></text:deletion></text:changed-region></text:tracked-changes>"
        "<text:h text:outline-level='2'>Term</text:h>"
        "<text:p>Within <text:change text:change-id='c1'/>sixty<text:s text:c='2'/>days<text:note>"
        "<text:note-citation>1</text:note-citation><text:note-body><text:p>Calendar days.</text:p></text:note-body>"
        "</text:note>.<text:span text:style-name='T9'>secret</text:span></text:p>"
        "<text:list text:style-name='L1'><text:list-item><text:p>One</text:p><text:list><text:list-item>"
        "<text:p>Inner</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>Two</text:p>"
        "<text:p>more</text:p></text:list-item></text:list>"
        "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>"
        "<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>"
    )
    read = read_odt(odt(body, head), Limits())
    assert texts(read.flow) == [
        "Term", "Within sixty  days1.", "[Deleted by B. Hale, 2026-02-01: “thirty”]", "1 Calendar days.",
        "1. One", "(a) Inner", "2. Two", "more", "a | b",
    ]  # fmt: skip
    assert {w.code for w in read.warnings} == {WarningCode.HAS_REVISIONS, WarningCode.HIDDEN_TEXT}


def test_an_encrypted_opendocument_file_is_locked() -> None:
    manifest = (
        "<manifest:manifest xmlns:manifest='urn:oasis:names:tc:opendocument:xmlns:manifest:1.0'>"
        "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>"
    )
    with pytest.raises(Locked):
        read_odt(odt("<text:p>x</text:p>", **{"META-INF__manifest_xml": manifest}), Limits())


def test_rtf_text_styles_unicode_and_code_pages() -> None:
    data = (
        rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Times;}{\f1\fcharset204 Arial;}}{\info{\title Hidden title}}"
        rb"\f0 The tenant\rquote s \b deposit\b0  is \'80 40.\par \u8220?Notice\u8221? in "
        rb"\f1\'ef\'f0\'e0\'e2\'ee\f0 .\par{\*\unknown never shown}"
        rb"{\field{\*\fldinst HYPERLINK x}{\fldrslt shown link}}\par}"
    )
    read = read_rtf(data)
    assert texts(read.flow) == ["The tenant’s deposit is € 40.", "“Notice” in право.", "shown link"]


def test_rtf_deleted_hidden_and_footnotes() -> None:
    data = (
        rb"{\rtf1 Pay {\deleted thirty}{\revised sixty} days{\footnote \pard Calendar days.}.{\v secret} End.\par"
        rb"\trowd\cellx100\cellx200\pard\intbl a\cell b\cell\row\pard After.\par}"
    )
    read = read_rtf(data)
    assert texts(read.flow) == [
        "Pay sixty days1. End.", "[Deleted: “thirty”]", "[Inserted: “sixty”]", "1 Calendar days.", "a | b", "After.",
    ]  # fmt: skip
    assert {w.code for w in read.warnings} == {WarningCode.HAS_REVISIONS, WarningCode.HIDDEN_TEXT}


@pytest.mark.parametrize(
    ("data", "shown"),
    [
        (b"{\\rtf1" + b"{" * 3000, ["[What lies deeper nested here was left out.]"]),
        (b"{\\rtf1 \\u-999999999?}", ["\ufffd"]),
        (b"{\\rtf1 \\'zz \\", ["zz"]),
        (b"{\\rtf1}}}}", []),
    ],
)
def test_broken_rtf_is_read_as_far_as_it_goes(data: bytes, shown: list[str]) -> None:
    assert [text.strip() for text in texts(read_rtf(data).flow)] == shown


def test_html_shows_what_a_browser_shows() -> None:
    page = """<!DOCTYPE html><html><head><title> The  notice </title><style>.gone, #x { display: none }</style>
    <script>document.write('no')</script></head><body><h1>Notice</h1>
    <p>Pay <b>EUR 40</b>\n   within<br>thirty days.</p><div class="note gone">class</div><p id=x>id</p>
    <p style="color:red; display:none">inline</p><p style="color: #FFF">white</p>
    <table bgcolor=black><tr><td><font color=white>on black</font><td><font color=red>x</font></table>
    <p hidden>attribute</p>
    <span style="font-size:0">tiny</span>
    <ol start=3><li>three<li>four</ol><table><tr><td>a<td>b</table><pre>  x\n   y</pre>
    <img src="http://example.test/x.png" alt="alt words"><iframe src="http://example.test"></iframe></body></html>"""
    read = read_html(page.encode())
    assert read.metadata.title == "The notice"
    assert texts(read.flow) == [
        "Notice", "Pay EUR 40 within\nthirty days.", "on black | x", "3. three", "4. four", "a | b", "x\n   y",
        "[Picture: alt words]", "[Frame: it does not lie in the file]",
    ]  # fmt: skip
    assert [(w.code, w.detail) for w in read.warnings] == [
        (WarningCode.HIDDEN_TEXT, "6 pieces of hidden text were left out")
    ]


def test_html_in_its_declared_encoding_and_with_nothing_in_it() -> None:
    assert texts(read_html("<meta charset=windows-1251><p>право".encode("cp1251")).flow) == ["право"]
    assert html_page("").flow == [] and html_page("<!-- x -->").flow == []
    assert LEFT not in texts(html_page("<div>" * 2000 + "<script>x</script>").flow)
    assert texts(html_page("<div>" * 2000 + "words").flow) == [LEFT]


def test_html_entities_of_its_own_are_not_expanded() -> None:
    page = "<!DOCTYPE html [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]><p>x &b; y</p>"
    assert "aaaa" not in " ".join(texts(html_page(page).flow))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("naïve “quotes”".encode(), "naïve “quotes”"),
        ("naïve “quotes”".encode("utf-16"), "naïve “quotes”"),
        ("naïve “quotes”".encode("cp1252"), "naïve “quotes”"),
        (b"\xef\xbb\xbfa\r\nb\rc", "a\nb\nc"),
    ],
)
def test_text_is_decoded_by_mark_then_utf8_then_cp1252(data: bytes, expected: str) -> None:
    assert decode(data) == expected


def test_text_keeps_its_lines_and_aligned_columns_their_spaces() -> None:
    blocks = list(text_blocks("One\ntwo.\n\n  Name      Sum\n  Rent       40\n"))
    assert [(b.kind, b.text) for b in blocks] == [
        (BlockKind.PARAGRAPH, "One\ntwo."), (BlockKind.LITERAL, "  Name      Sum\n  Rent       40"),
    ]  # fmt: skip


def test_markdown_headings_items_tables_and_strong_words() -> None:
    text = (
        "# Term\nThe term is\n**one year**.\n- first\n2. second\n> said\n\n```\ncode  **x**\n```\n\n"
        "| Item | Sum |\n|---|--:|\n| Rent | 40 |\n"
    )
    blocks = list(markdown_blocks(text))
    assert [(b.kind, b.marker, b.text) for b in blocks if isinstance(b, Block)] == [
        (BlockKind.HEADING, "", "Term"), (BlockKind.PARAGRAPH, "", "The term is\none year."),
        (BlockKind.ITEM, "•", "first"), (BlockKind.ITEM, "2.", "second"), (BlockKind.QUOTE, "", "said"),
        (BlockKind.LITERAL, "", "```\ncode  **x**\n```"),
    ]  # fmt: skip
    assert texts(blocks)[-2:] == ["Item | Sum", "Rent | 40"]
    paragraph = blocks[1]
    assert isinstance(paragraph, Block)
    assert [run.text for run in paragraph.runs if run.bold] == ["one year"]
