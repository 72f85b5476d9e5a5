"""RTF: what stands in groups that older readers pass over, and what only looks like text."""

from flow_texts import texts

from ingest.formats.rtf.reader import read_rtf
from verify.domain.document import WarningCode


def read(data: bytes) -> tuple[list[str], list[tuple[WarningCode, str]]]:
    found = read_rtf(data)
    return texts(found.flow), [(w.code, w.detail or "") for w in found.warnings]


def test_text_boxes_drawn_words_and_what_older_readers_show_instead() -> None:
    data = (
        rb"{\rtf1 Before.{\shp{\*\shpinst{\sp{\sn gtextUNICODE}{\sv DRAFT}}{\sp{\sn fFilled}{\sv 1}}"
        rb"{\shptxt\pard Boxed\par twice.\par}}{\shprslt{\*\do{\dptxbxtext\pard Boxed again.\par}}}}\par After.\par}"
    )
    assert read(data) == (["Before.", "[Drawn text: DRAFT]", "Boxed", "twice.", "After."], [])


def test_bytes_that_look_like_groups_end_nothing() -> None:
    data = rb"{\rtf1 One.{\pict\pngblip\bin6 }}}\b{" + rb"}\par Two.\par}"
    shown, said = read(data)
    assert shown == ["One.", "[Picture]", "Two."]
    assert said == []


def test_pictures_are_members_and_drawings_are_told() -> None:
    scan = b"ab" * 9000
    data = (
        rb"{\rtf1 Scan:{\*\shppict{\pict\pngblip " + scan + rb"}}{\nonshppict{\pict\wmetafile8 00}}\par"
        rb"{\pict\wmetafile8 0102}\par{\object{\*\objdata 0105}{\result{\pict\emfblip 01}Shown result.}}\par}"
    )
    found = read_rtf(data)
    assert texts(found.flow) == [
        "Scan:", "[Picture: picture-1.png]", "[Picture: it is of a kind that is not read]", "Shown result.",
        "[Picture: it is of a kind that is not read]",
    ]  # fmt: skip
    assert [(w.code, w.detail) for w in found.warnings] == [
        (WarningCode.TRUNCATED, "2 pictures are of a kind that is not read (EMF, WMF); save the file as PDF"),
        (WarningCode.TRUNCATED, "1 embedded objects are shown as their picture or words say, and not opened"),
    ]
    assert [(m.name, len(m.data or b"")) for m in found.members()] == [("picture-1.png", 9000)]


def test_white_tiny_and_struck_text() -> None:
    data = (
        rb"{\rtf1{\colortbl;\red255\green255\blue255;\red255\green0\blue0;}Seen{\cf1 unseen}{\fs2 tiny}{\cf2  red}"
        rb"{\cf1\highlight2  marked}\par The fee is {\strike 80} 90.\par}"
    )
    shown, said = read(data)
    assert shown == ["Seen red marked", "The fee is 80 90."]
    assert [code for code, _ in said] == [WarningCode.HAS_STRUCK_TEXT, WarningCode.HIDDEN_TEXT]
    assert said[1][1] == "2 pieces of hidden text were left out"


def test_changes_and_comments_name_their_authors() -> None:
    data = (
        rb"{\rtf1{\*\revtbl{Unknown;}{B. Hale;}}Pay {\deleted\revauthdel1 thirty}{\revised\revauth1 sixty} days."
        rb"{\*\atnid NO}{\*\atnauthor N. Orr}\chatn{\*\annotation{\*\atndate 1}\pard Why?}\par}"
    )
    assert read(data) == (
        ["Pay sixty days.", "[Deleted by B. Hale: “thirty”]", "[Inserted by B. Hale: “sixty”]",
         "[Comment by N. Orr: Why?]"],
        [(WarningCode.HAS_REVISIONS, "2 tracked changes; both states are shown and labelled"),
         (WarningCode.HAS_ANNOTATIONS, "1 comments are shown and labelled")],
    )  # fmt: skip


def test_symbol_fonts_forms_and_marks_for_an_index() -> None:
    data = (
        rb"{\rtf1{\fonttbl{\f0 Times;}{\f1\fcharset2 Symbol;}{\f2\fcharset2 Wingdings;}}a {\f1 \'b3 b} {\f2 \u-3844?}"
        rb"{\xe secret entry}\par"
        rb"{\field{\*\fldinst FORMCHECKBOX{\*\formfield{\fftype1\ffres1\ffdefres0}}}{\fldrslt}} yes"
        rb"{\field{\*\fldinst FORMDROPDOWN{\*\formfield{\fftype2\ffres25\ffdefres1{\*\ffl Lease}{\*\ffl Sale}}}}}\par}"
    )
    assert read(data)[0] == ["a ≥ β ✓", "☒ yesSale"]


def test_footnotes_under_marks_of_their_own_take_no_number() -> None:
    data = rb"{\rtf1 One{\super *{\footnote {\super *} Starred.}} two"
    data += rb"{\super\chftn{\footnote{\super\chftn} Numbered.}}.\par}"
    assert read(data)[0] == ["One* two1.", "* Starred.", "1 Numbered."]


def test_nested_tables_unicode_twins_and_equations() -> None:
    data = (
        rb"{\rtf1\trowd\intbl Outer {\itap2 a\nestcell b\nestcell{\*\nesttableprops\nestrow}}\cell\row\pard "
        rb"{\upr{plain}{\*\ud{\u233?t\u233?}}}\par{\mmath{\*\moMath{\mr x=1}}{\mmathPict y}}\par}"
    )
    assert read(data)[0] == ["Outer a | b | ", "été", "x=1"]
