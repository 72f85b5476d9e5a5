"""Files that name themselves, claim counts without end, or hold text on which a pattern could try for hours."""

import struct
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flow_texts import texts
from test_hostile_kinds import W, docx, odt

from ingest.formats import numbers as number_format
from ingest.formats import sniff
from ingest.formats.mail.tnef import read_tnef
from ingest.formats.model import Read
from ingest.formats.odf.documents import read_odt
from ingest.formats.office.word import read_docx
from ingest.formats.office.word_numbering import read_numbering
from ingest.formats.opening import flow_of
from ingest.formats.rtf.reader import read_rtf
from ingest.formats.safe_xml import parse_xml
from ingest.formats.sheets import blocks as sheet_blocks
from ingest.formats.sheets import xlsx
from ingest.formats.web import cascade, contents
from ingest.limits import Limits
from ingest.structure import contents_list, headings, passages
from ingest.tables import notes as tables_notes

LINK = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="c" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{0}" Target="{1}"/></Relationships>'
)


def lines(read: Read) -> list[str]:
    return texts(read.flow)


@pytest.fixture(autouse=True)
def in_seconds() -> Iterator[None]:
    begun = time.perf_counter()
    yield
    assert time.perf_counter() - begun < 5


def test_a_footnote_that_names_others_twice_each_shows_its_own_words() -> None:
    marks = "<w:footnoteReference w:id='{0}'/>" * 2
    notes = "".join(
        f"<w:footnote w:id='{n}'><w:p><w:r><w:t>Note {n}</w:t>{marks.format(n + 1)}</w:r></w:p></w:footnote>"
        for n in range(1, 60)
    )
    parts = {
        "word/footnotes.xml": f"<w:footnotes {W}>{notes}</w:footnotes>",
        "word/_rels/document.xml.rels": LINK.format("footnotes", "footnotes.xml"),
    }
    body = "<w:p><w:r><w:t>Rent</w:t><w:footnoteReference w:id='1'/></w:r></w:p>"
    assert lines(read_docx(docx(body, **parts), Limits(), flow_of)) == ["Rent1", "1 Note 1"]


def test_a_file_laid_into_a_text_a_thousand_times_stands_there_once() -> None:
    parts = {"word/a.html": "<p>Laid in", "word/_rels/document.xml.rels": LINK.format("aFChunk", "a.html")}
    read = read_docx(docx("<w:altChunk r:id='c'/>" * 1000, **parts), Limits(), flow_of)
    assert lines(read) == ["Laid in"]
    assert [w.detail for w in read.warnings] == ["999 parts that the text refers to cannot be read and were left out"]


def test_a_deletion_that_names_itself_is_told_once() -> None:
    change = "<text:change text:change-id='c'/>"
    region = f"<text:changed-region text:id='c'><text:deletion><text:p>gone{change * 2}</text:p></text:deletion>"
    body = f"<text:tracked-changes>{region}</text:changed-region></text:tracked-changes><text:p>Rent{change}</text:p>"
    assert lines(read_odt(odt(body), Limits())) == ["Rent", "[Deleted: “gone”]"]


def test_numbers_of_thousands_of_digits_are_no_numbers() -> None:
    nines = "9" * 5000
    root = parse_xml(
        f"<w:numbering {W}><w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='{nines}'/></w:abstractNum>"
        f"<w:num w:numId='1'><w:abstractNumId w:val='0'/><w:lvlOverride w:ilvl='0'><w:startOverride w:val='{nines}'/>"
        "</w:lvlOverride></w:num></w:numbering>".encode()
    )
    assert read_numbering(root).restarts == {"1": {}}
    styles = f"<w:styles {W}><w:style w:styleId='h'><w:name w:val='heading {nines}'/></w:style></w:styles>"
    body = "<w:p><w:pPr><w:pStyle w:val='h'/></w:pPr><w:r><w:t>Rent</w:t></w:r></w:p>"
    assert lines(read_docx(docx(body, **{"word/styles.xml": styles}), Limits(), flow_of)) == ["Rent"]


@pytest.mark.parametrize(
    "properties",
    [
        struct.pack("<I", 0xFFFFFFFF),
        struct.pack("<IHHI", 1, 0x1003, 0x1234, 0xFFFFFFFF),
        struct.pack("<IHHI", 1, 0x1E, 0x1000, 0xFFFFFFFF),
    ],
    ids=["properties", "values", "strings"],
)
def test_a_packed_mail_that_claims_thousands_of_millions_of_values_is_read_at_once(properties: bytes) -> None:
    attribute = struct.pack("<BII", 1, 0x00069003, len(properties)) + properties + b"\0\0"
    assert read_tnef(struct.pack("<IH", 0x223E9F78, 1) + attribute, Limits()).flow == []


def test_a_deletion_of_a_hundred_thousand_pieces_in_rtf_is_one_note() -> None:
    (note,) = lines(read_rtf(rb"{\rtf1 {\deleted " + rb"a\line " * 100_000 + rb"}\par}"))
    assert note.count("a") == 100_000


def test_a_list_of_authors_without_end_in_rtf_is_cut() -> None:
    authors = rb"{\*\revtbl {" + rb"ab\line " * 300_000 + rb";}}"
    assert lines(read_rtf(rb"{\rtf1 " + authors + rb"Rent\par}")) == ["Rent"]


def _patterns() -> list[tuple[Callable[[Any], object], str | bytes, bool]]:
    return [
        (sheet_blocks._VALUE.fullmatch, "1 " * 5000 + "x", False),
        (sheet_blocks._VALUE.fullmatch, "-1 234.50 USD", True),
        (sheet_blocks._VALUE.fullmatch, "(€ 1'000)", True),
        (contents_list._LEADERS.search, "_" * 20_000, False),
        (contents_list._LEADERS.search, "Rent ______ 12", True),
        (headings._SENTENCE.search, "a1" * 10_000, False),
        (headings._SENTENCE.search, "Rent. The", True),
        (headings._SENTENCE.search, "A. The", False),
        (cascade._SIZE.fullmatch, "(min-width:" + " " * 8000, False),
        (cascade._SIZE.fullmatch, "(min-width : 40em)", True),
        (contents._NOTE.fullmatch, "#fn" + "-" * 5000, False),
        (contents._NOTE.fullmatch, "#_ftn12", True),
        (passages._CLAUSE.fullmatch, "a1" * 5000 + "-", False),
        (passages._CLAUSE.fullmatch, "Section 7.2(b)", True),
        (passages._CLAUSE.fullmatch, "§7a", True),
        (passages._CLAUSE.fullmatch, "7§a", False),
        (sniff._HTML_START.match, b"<!--a-->" * 500, False),
        (sniff._HTML_START.match, b"<?xml?> <!-- a --> <!-- b -->\n<html>", True),
        (tables_notes._TAIL_SYMBOLS.search, "a" + "¹" * 10_000 + "a", False),
        (tables_notes._TAIL_SYMBOLS.search, "5¹²", True),
    ]


@pytest.mark.parametrize(("pattern", "text", "found"), _patterns())
def test_no_pattern_tries_for_long(pattern: Callable[[Any], object], text: str | bytes, found: bool) -> None:
    assert (pattern(text) is not None) is found


def test_a_format_longer_than_excel_takes_shows_the_number_itself() -> None:
    assert number_format.shown(12.5, "[$a" * 100_000) == "12.5"


@pytest.mark.parametrize("attribute", ['ref="A1:XFD1048576"', 'x="" ref = "A1:XFD1048576"', 'ref="A1:B2" ' * 50_000])
def test_merged_ranges_are_bounded_whatever_stands_beside_their_reference(attribute: str) -> None:
    part = f"<mergeCells><mergeCell {attribute}/></mergeCells>".encode()
    bounded, left, dropped = xlsx._bounded_merges(part, 1000)
    assert (bounded == b"<mergeCells></mergeCells>", left, dropped) in ((True, 1000, 1), (False, 996, 0))
