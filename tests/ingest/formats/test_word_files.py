"""Word files: nothing that a reader of the file sees is lost in silence. Values come from Word's own rules."""

import io
import zipfile

import pytest
from word_parts import NS, PACKAGE, docx, p, r, read

from ingest.formats.office.word import read_docx
from ingest.formats.opening import flow_of
from ingest.limits import Limits
from ingest.rendition.flow import Grid
from verify.domain.document import WarningCode


def field(kind: str) -> str:
    return f"<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>"


def code(text: str) -> str:
    return f"<w:r><w:instrText>{text}</w:instrText></w:r>"


def test_the_end_of_a_paragraph_that_was_deleted_joins_it_to_the_next() -> None:
    mark = "<w:pPr><w:rPr><w:del w:author='A'/></w:rPr></w:pPr>"
    listed = "<w:numPr><w:ilvl w:val='0'/><w:numId w:val='1'/></w:numPr>"
    numbering = numbered(level(0, "decimal", "%1."))
    gone = "<w:del w:author='A'><w:r><w:delText>Gone clause.</w:delText></w:r></w:del>"
    body = (
        p("The fee is due ", mark) + p("on Friday.")
        + p("First.", f"<w:pPr>{listed}</w:pPr>")
        + f"<w:p><w:pPr>{listed}<w:rPr><w:del w:author='A'/></w:rPr></w:pPr>{gone}</w:p>"
        + p("Second.", f"<w:pPr>{listed}</w:pPr>")
    )  # fmt: skip
    shown, said = read(docx(body, numbering=numbering))
    assert shown == ["The fee is due on Friday.", "1. First.", "[Deleted by A: “Gone clause.”]", "2. Second."]
    assert said == {
        WarningCode.HAS_REVISIONS: ["0 insertions and 3 deletions are tracked; both are shown and labelled"]
    }


def test_a_deleted_end_joins_nothing_beyond_its_cell_or_box() -> None:
    mark = "<w:pPr><w:rPr><w:del w:author='A'/></w:rPr></w:pPr>"
    box = f"<w:r><w:pict><v:textbox><w:txbxContent>{p('Boxed.', mark)}</w:txbxContent></v:textbox></w:pict></w:r>"
    table = f"<w:tbl><w:tr><w:tc>{p('a', mark)}</w:tc><w:tc>{p('b')}</w:tc></w:tr></w:tbl>"
    assert read(docx(f"{table}<w:p>{r('Text.')}{box}</w:p>" + p("Last.")))[0] == ["a | b", "Text.", "Boxed.", "Last."]


def test_rows_and_formatting_that_were_changed_are_told() -> None:
    row = "<w:tr>{0}<w:tc>" + p("a") + "</w:tc><w:tc>{1}" + p("b") + "</w:tc></w:tr>"
    body = (
        "<w:tbl>" + row.format("", "<w:tcPr><w:cellDel/></w:tcPr>")
        + row.format("<w:trPr><w:ins w:author='B'/></w:trPr>", "") + "</w:tbl>"
        + "<w:p><w:r><w:rPr><w:b/><w:rPrChange w:author='B'><w:rPr/></w:rPrChange></w:rPr><w:t>Bold.</w:t></w:r></w:p>"
    )  # fmt: skip
    shown, said = read(docx(body))
    assert shown == ["a | b", "a | b", "[Inserted row by B: “a | b”]", "Bold."]
    assert said[WarningCode.HAS_REVISIONS] == [
        "1 insertions and 0 deletions are tracked; both are shown and labelled",
        "2 tracked changes of formatting or cells are not shown",
    ]


def test_a_deleted_note_has_no_mark_and_takes_no_number() -> None:
    notes = "".join(f"<w:footnote w:id='{n}'>{p(f'Note {n}.')}</w:footnote>" for n in (1, 2, 3))
    body = (
        "<w:p><w:r><w:t>Kept</w:t></w:r><w:del w:author='A'><w:r><w:delText>lost</w:delText>"
        "<w:footnoteReference w:id='1'/></w:r></w:del><w:r><w:footnoteReference w:id='2'/></w:r>"
        "<w:r><w:t xml:space='preserve'> and</w:t><w:footnoteReference w:customMarkFollows='1' w:id='3'/>"
        "<w:t>*</w:t></w:r></w:p>"
    )
    shown, _ = read(docx(body, footnotes=notes))
    assert shown == ["Kept1 and*", "[Deleted by A: “lost”]", "1 Note 2.", "Note 3."]


def test_notes_are_numbered_as_the_file_asks() -> None:
    notes = "".join(f"<w:footnote w:id='{n}'>{p(f'Note {n}.')}</w:footnote>" for n in (1, 2))
    settings = "<w:footnotePr><w:numFmt w:val='lowerLetter'/><w:numStart w:val='3'/></w:footnotePr>"
    mark = "<w:p><w:r><w:t>Word</w:t><w:footnoteReference w:id='{0}'/></w:r></w:p>"
    shown, _ = read(docx(mark.format(1) + mark.format(2), footnotes=notes, settings=settings))
    assert shown == ["Wordc", "c Note 1.", "Wordd", "d Note 2."]


def test_comments_are_threads_and_none_is_lost() -> None:
    comment = "<w:comment w:id='{0}' w:author='{1}'><w:p w14:paraId='{2}'>" + r("{3}") + "</w:p></w:comment>"
    comments = (
        comment.format(0, "Orr", "AA", "Why?") + comment.format(1, "Hale", "BB", "Agreed.")
        + comment.format(2, "Orr", "CC", "Old.")
    )  # fmt: skip
    extended = (
        f"<w15:commentsEx {NS}><w15:commentEx w15:paraId='AA' w15:done='1'/>"
        "<w15:commentEx w15:paraId='BB' w15:paraIdParent='AA'/></w15:commentsEx>"
    )
    body = "<w:p><w:r><w:t>Text.</w:t><w:commentReference w:id='0'/><w:commentReference w:id='1'/></w:r></w:p>"
    parts = {"word/commentsExtended.xml": extended}
    shown, said = read(docx(body, comments=comments, **parts))
    assert shown == [
        "Text.", "[Comment (resolved) by Orr: Why?]", "[Reply to the comment of Orr by Hale: Agreed.]",
        "[Comment by Orr: Old.]",
    ]  # fmt: skip
    assert said == {WarningCode.HAS_ANNOTATIONS: ["3 comments are shown and labelled"]}


def test_fields_show_results_boxes_and_choices_and_never_what_they_are_told() -> None:
    tick = "<w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:checkBox><w:default w:val='0'/><w:checked/></w:checkBox>"
    drop = (
        "<w:r><w:fldChar w:fldCharType='begin'><w:ffData><w:ddList><w:result w:val='1'/><w:listEntry w:val='Lease'/>"
        "<w:listEntry w:val='Sale'/></w:ddList>"
    )
    end = "</w:ffData></w:fldChar></w:r>"
    nested = field("begin") + code("IF ") + field("begin") + code("MERGEFIELD x") + field("separate") + r("raw value")
    body = (
        f"<w:p>{nested}{field('end')}{code(' = 1')}{field('separate')}{r('shown result')}{field('end')}</w:p>"
        f"<w:p>{tick}{end}{code('FORMCHECKBOX')}{field('end')}{r(' agreed')}</w:p>"
        f"<w:p>{drop}{end}{code('FORMDROPDOWN')}{field('end')}</w:p>"
        f"<w:p>{field('begin')}{code('LISTNUM LegalDefault')}{field('end')}{r('Clause')}</w:p>"
        f"<w:p>{field('begin')}{code('XE term')}{field('end')}{r('Entry')}</w:p>"
    )
    shown, said = read(docx(body))
    assert shown == ["shown result", "☒ agreed", "Sale", "Clause", "Entry"]
    assert said == {WarningCode.TRUNCATED: ["1 fields were saved without a result and show nothing"]}


def test_where_fields_do_not_pair_up_no_text_is_taken_for_an_instruction() -> None:
    shown, _ = read(docx(f"<w:p>{field('begin')}{code('REF x')}{r('Text that stands.')}</w:p>" + p("More.")))
    assert shown == ["Text that stands.", "More."]


def level(depth: int, style: str, text: str, more: str = "") -> str:
    return (
        f"<w:lvl w:ilvl='{depth}'><w:start w:val='1'/><w:numFmt w:val='{style}'/>{more}<w:lvlText w:val='{text}'/>"
        "</w:lvl>"
    )


def numbered(levels: str) -> str:
    return (
        f"<w:abstractNum w:abstractNumId='0'>{levels}</w:abstractNum><w:num w:numId='1'><w:abstractNumId w:val='0'/>"
        "</w:num>"
    )


def item(depth: int, number: int = 1) -> str:
    return p("x", f"<w:pPr><w:numPr><w:ilvl w:val='{depth}'/><w:numId w:val='{number}'/></w:numPr></w:pPr>")


@pytest.mark.parametrize(
    ("levels", "depths", "wanted"),
    [
        (level(0, "upperRoman", "Article %1") + level(1, "decimal", "%1.%2", "<w:isLgl/>"), (0, 0, 1, 1),
         ["Article I", "Article II", "2.1", "2.2"]),
        (level(0, "decimal", "%1.") + level(1, "lowerLetter", "(%2)", "<w:lvlRestart w:val='0'/>"), (0, 1, 0, 1),
         ["1.", "(a)", "2.", "(b)"]),
        (level(0, "decimal", "%1") + level(1, "decimal", "%1.%2") + level(2, "lowerLetter", "%1.%2(%3)"),
         (0, 1, 1, 2, 2, 0, 1, 2), ["1", "1.1", "1.2", "1.2(a)", "1.2(b)", "2", "2.1", "2.1(a)"]),
        (level(0, "cardinalText", "Part %1") + level(1, "ordinalText", "%2"), (0, 1, 1),
         ["Part One", "First", "Second"]),
    ],
)  # fmt: skip
def test_numbers_are_those_that_word_draws(levels: str, depths: tuple[int, ...], wanted: list[str]) -> None:
    shown, said = read(docx("".join(map(item, depths)), numbering=numbered(levels)))
    assert shown == [f"{number} x" for number in wanted]
    assert said == {}


def test_numbers_that_a_list_style_defines() -> None:
    numbering = (
        "<w:abstractNum w:abstractNumId='0'><w:styleLink w:val='Legal'/>"
        f"{level(0, 'lowerRoman', '(%1)')}</w:abstractNum>"
        "<w:abstractNum w:abstractNumId='1'><w:numStyleLink w:val='Legal'/></w:abstractNum>"
        "<w:num w:numId='1'><w:abstractNumId w:val='1'/></w:num>"
    )
    assert read(docx(item(0) + item(0), numbering=numbering))[0] == ["(i) x", "(ii) x"]


def test_a_style_is_numbered_at_the_depth_that_the_list_gives_it() -> None:
    linked = level(0, "decimal", "%1.", "<w:pStyle w:val='A'/>") + level(1, "decimal", "%1.%2", "<w:pStyle w:val='B'/>")
    style = (
        "<w:style w:type='paragraph' w:styleId='{0}'><w:pPr><w:numPr><w:numId w:val='1'/></w:numPr></w:pPr></w:style>"
    )
    body = "".join(p("x", f"<w:pPr><w:pStyle w:val='{name}'/></w:pPr>") for name in "ABBA")
    shown, _ = read(docx(body, numbering=numbered(linked), styles=style.format("A") + style.format("B")))
    assert shown == ["1. x", "1.1 x", "1.2 x", "2. x"]


def test_an_unknown_kind_of_number_is_told() -> None:
    _, said = read(docx(item(0), numbering=numbered(level(0, "hebrew1", "%1"))))
    assert said == {WarningCode.TRUNCATED: ["1 kind of paragraph number is not known and shown as 1, 2, 3"]}


def test_symbols_are_those_of_their_font() -> None:
    def sym(font: str, char: str) -> str:
        return f"<w:r><w:sym w:font='{font}' w:char='{char}'/></w:r>"

    greek = r("abg", "<w:rFonts w:ascii='Symbol'/>")
    emoji = (
        "<w:r><mc:AlternateContent><mc:Choice Requires='w16se'><w16se:symEx w16se:font='Emoji' w16se:char='1F60A'/>"
        "</mc:Choice><mc:Fallback><w:t>?</w:t></mc:Fallback></mc:AlternateContent></w:r>"
    )
    body = (
        f"<w:p>{sym('Symbol', 'F0B3')}{sym('Symbol', 'F062')}{sym('Wingdings', 'F0A8')}{sym('Wingdings 2', 'F052')}"
        f"{greek}{emoji}{sym('Webdings', 'F041')}</w:p>"
    )
    shown, said = read(docx(body))
    assert shown == ["≥β☐☑αβγ\U0001f60a▪"]
    assert said == {WarningCode.TRUNCATED: ["1 signs of a symbol font are not known and shown as ▪"]}


def test_equations_are_read_on_one_line() -> None:
    def run(text: str) -> str:
        return f"<m:r><m:t>{text}</m:t></m:r>"

    fraction = f"<m:f><m:num>{run('a+b')}</m:num><m:den>{run('2')}</m:den></m:f>"
    power = f"<m:sSup><m:e>{run('x')}</m:e><m:sup>{run('2')}</m:sup></m:sSup>"
    total = (
        f"<m:nary><m:naryPr><m:chr m:val='∑'/></m:naryPr><m:sub>{run('i=1')}</m:sub><m:sup>{run('n')}</m:sup>"
        f"<m:e>{run('k')}</m:e></m:nary>"
    )
    root = f"<m:rad><m:radPr/><m:deg/><m:e>{run('y')}</m:e></m:rad>"
    body = f"<w:p>{r('Rate = ')}<m:oMath>{fraction}{run('+')}{power}{run('+')}{total}{run('+')}{root}</m:oMath></w:p>"
    assert read(docx(body))[0] == ["Rate = (a+b)/2+x^2+∑_(i=1)^n k+√(y)"]


def test_text_struck_through_by_hand_is_counted() -> None:
    body = f"<w:p>{r('The fee is ')}{r('80', '<w:strike/>')}{r(' 90.')}</w:p>"
    shown, said = read(docx(body))
    assert shown == ["The fee is 80 90."]
    assert said == {WarningCode.HAS_STRUCK_TEXT: ["1 pieces of text are struck through by hand; they are shown so"]}


def test_what_a_style_makes_white_or_tiny_is_hidden() -> None:
    white = "<w:rStyle w:val='White'/>"
    styles = (
        "<w:style w:type='character' w:styleId='White'><w:rPr><w:color w:val='FFFFFF'/></w:rPr></w:style>"
        "<w:style w:type='paragraph' w:styleId='Tiny'><w:rPr><w:sz w:val='2'/></w:rPr></w:style>"
        "<w:style w:type='paragraph' w:styleId='Bar'><w:pPr><w:shd w:fill='000000'/></w:pPr><w:rPr>"
        "<w:color w:val='FFFFFF'/></w:rPr></w:style>"
    )
    body = (
        "<w:p>" + r("Seen") + r("unseen", white) + r(".", white + "<w:color w:val='0000FF'/>") + "</w:p>"
        + p("tiny", "<w:pPr><w:pStyle w:val='Tiny'/></w:pPr>")
        + p("On black.", "<w:pPr><w:pStyle w:val='Bar'/></w:pPr>")
        + "<w:p>" + r("On white.", white + "<w:shd w:val='clear' w:fill='FFFFFF'/>") + "</w:p>"
    )  # fmt: skip
    shown, said = read(docx(body, styles=styles))
    assert shown == ["Seen.", "On black."]
    assert said == {WarningCode.HIDDEN_TEXT: ["3 pieces of hidden text were left out"]}


def test_columns_stay_columns_where_a_row_begins_late() -> None:
    def cell(text: str, more: str = "") -> str:
        return f"<w:tc><w:tcPr>{more}</w:tcPr>{p(text)}</w:tc>"

    restart = "<w:{0}Merge w:val='restart'/>"
    rows = (
        f"<w:tr>{cell('a')}{cell('b', restart.format('v'))}{cell('c')}</w:tr>"
        f"<w:tr><w:trPr><w:gridBefore w:val='1'/></w:trPr>{cell('', '<w:vMerge/>')}{cell('d')}</w:tr>"
        f"<w:tr>{cell('e', restart.format('h'))}{cell('', '<w:hMerge/>')}{cell('f')}</w:tr>"
    )
    [grid] = [
        block for block in read_docx(docx(f"<w:tbl>{rows}</w:tbl>"), Limits(), flow_of).flow if isinstance(block, Grid)
    ]
    got = [[("".join(b.text for b in c.blocks), c.columns, c.rows) for c in row] for row in grid.rows]
    assert got == [[("a", 1, 1), ("b", 1, 2), ("c", 1, 1)], [("", 1, 1), ("d", 1, 1)], [("e", 2, 1), ("f", 1, 1)]]


def test_a_file_in_the_strict_form_and_under_other_part_names() -> None:
    held = io.BytesIO()
    strict = "http://purl.oclc.org/ooxml"
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr(
            "_rels/.rels", f'<Relationships xmlns="{PACKAGE}"><Relationship Id="x" '
            f'Type="{strict}/officeDocument/relationships/officeDocument" Target="word/document2.xml"/>'
            "</Relationships>",
        )  # fmt: skip
        archive.writestr(
            "word/document2.xml",
            f'<w:document xmlns:w="{strict}/wordprocessingml/main"><w:body>{p("Strict text.")}</w:body></w:document>',
        )
    assert read(held.getvalue()) == (["Strict text."], {})


def test_text_where_nobody_looks_is_counted() -> None:
    body = p("Seen.") + "<w:unheardOf>" + p("Unseen.") + "</w:unheardOf>"
    shown, said = read(docx(body))
    assert shown == ["Seen."]
    assert said == {WarningCode.TRUNCATED: ["1 pieces of text stand where they are not followed and were left out"]}


def test_the_same_text_box_in_both_forms_counts_once() -> None:
    box = f"<w:txbxContent>{p('Boxed.')}</w:txbxContent>"
    body = (
        "<w:p><w:r><w:t>Text.</w:t></w:r><w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing>"
        f"{box}</w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}</v:textbox></w:pict></mc:Fallback>"
        "</mc:AlternateContent></w:r></w:p>"
        f"<w:p><w:r><w:pict><v:textbox>{box}</v:textbox></w:pict></w:r></w:p>"
        f"<w:p><mc:AlternateContent><mc:Choice Requires='x'/><mc:Fallback>{r('Fallback.')}</mc:Fallback>"
        "</mc:AlternateContent></w:p>"
    )
    assert read(docx(body)) == (["Text.", "Boxed.", "Boxed.", "Fallback."], {})


def test_a_text_box_that_hangs_on_hidden_text_is_hidden() -> None:
    box = f"<w:pict><v:textbox><w:txbxContent>{p('Boxed.')}</w:txbxContent></v:textbox></w:pict>"
    body = f"<w:p>{r('Seen.')}<w:r><w:rPr><w:vanish/></w:rPr>{box}</w:r></w:p>"
    assert read(docx(body)) == (["Seen."], {WarningCode.HIDDEN_TEXT: ["1 pieces of hidden text were left out"]})


def test_moved_rows_ruby_and_soft_hyphens() -> None:
    body = (
        "<w:p><w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r>"
        "</w:rubyBase></w:ruby></w:r><w:r><w:t>co</w:t><w:softHyphen/><w:t>op</w:t></w:r></w:p>"
        f"<w:sdt><w:sdtContent>{p('Controlled.')}</w:sdtContent></w:sdt>"
        f"<w:p><w:smartTag>{r('Tagged.')}</w:smartTag><w:hyperlink>{r(' Linked.')}</w:hyperlink></w:p>"
    )
    shown, said = read(docx(body))
    assert shown == ["漢(kan)co\u00adop", "Controlled.", "Tagged. Linked."]
    assert said == {}
