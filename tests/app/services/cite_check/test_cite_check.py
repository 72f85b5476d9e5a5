"""A draft checked against a matter, from the command line to the copies that are handed back. Verdicts by hand."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from docx import Document
from docx.oxml.ns import qn
from docx.oxml.parser import OxmlElement
from docx.shared import Inches
from openpyxl import load_workbook

from app import messages
from app.services.cite_check.draft_model import DraftNote
from app.services.cite_check.findings import Advice, Verdict
from ingest.mupdf import pymupdf

STANDS = messages.CITE_VERDICTS["stands"]
SLIP = "Alder Holdings, Inc. v. Birch, No. 15-1262, slip op. at"


def word(path: Path, *texts: str) -> Path:
    document = Document()
    for text in texts:
        document.add_paragraph(text)
    document.save(path)
    return path


def one(desk: Any, tmp_path: Path, *texts: str) -> dict[str, Any]:
    (citation,) = desk.check(word(tmp_path / "draft.docx", *texts))["citations"]
    found: dict[str, Any] = citation
    return found


@pytest.mark.parametrize(
    ("text", "pages", "verdict", "advice"),
    [
        (f"It held that “[r]ent is payable in advance.” {SLIP} 2 (2017).", [2], "stands", "stands"),
        (f"It held that “Rent is payable in arrears.” {SLIP} 2.", [2], "quotation_differs", "correct_quotation"),
        (f"It held that “A notice that names no date is void.” {SLIP} 2.", [2], "not_on_page", "quotation_elsewhere"),
        (f"The Court held that “A notice that names no date is void.” {SLIP} 9.", [], "no_such_page", "beyond_end"),
        (f"A notice “without a date takes effect at once,” {SLIP} 1 (Cedar, J., dissenting).", [4], "stands", "stands"),
        ("Rent is due. Alder Holdings, Inc. v. Hartwell, 583 U.S. 112, 118 (2018).", [], "not_in_matter", "not_there"),
        ("Rent is due. Alder Holdings v. Birch, No. 16-999, slip op. at 2.", [2], "check_by_eye", "other_citation"),
        ("Rent is due. Cedar v. Dogwood, No. 15-1262, slip op. at 2.", [], "not_in_matter", "name_and_citation"),
        ("Rent is due. Alder Holdings, Inc. v. Birch, 581 U.S. 285, 293 (2017).", [], "check_by_eye", "other_paging"),
        ("The keys were taken on 4 May 2020. Compl. ¶ 2.", [0], "stands", "stands"),
        ("He has paid nothing. Compl. ¶ 9.", [], "no_such_page", "no_paragraph"),
        ("No payment “was received after 1 September 2020.” Ex. 4 at 2.", [1], "stands", "stands"),
        ("The ledger is plain. Ex. 7 at 2.", [], "not_in_matter", "not_there"),
        ("It is barred by 42 U.S.C. § 1983.", [], "not_in_matter", "statute_not_in_matter"),
        ("The rule is old. Id. at 5.", [], "check_by_eye", "nothing_before"),
        ("Notice is due under Section 8.2.", [], "check_by_eye", "nothing_before"),
    ],
)  # fmt: skip
def test_each_fault_has_its_own_verdict(
    desk: Any, tmp_path: Path, text: str, pages: list[int], verdict: str, advice: str
) -> None:
    citation = one(desk, tmp_path, text)
    assert (citation["verdict"], citation["advice"][0]) == (verdict, advice)
    assert (citation["pinpoint"] or {"page_indexes": []})["page_indexes"] == pages


def test_words_of_the_syllabus_are_not_the_courts(desk: Any, tmp_path: Path) -> None:
    citation = one(desk, tmp_path, f"Tenants “are to be pitied in all seasons of the year.” {SLIP} 1 (syllabus).")
    assert (citation["verdict"], citation["pinpoint"]["page_indexes"]) == ("stands", [0])
    citation = one(
        desk, tmp_path, "Tenants “are to be pitied in all seasons of the year.” Alder Holdings v. Birch (2017)."
    )
    assert (citation["verdict"], citation["advice"]) == ("check_by_eye", ["another_voice"])


def test_a_partys_argument_is_not_the_courts(desk: Any, tmp_path: Path) -> None:
    citation = one(desk, tmp_path, f"So “silence means the first day of the next quarter.” {SLIP} 3.")
    assert (citation["verdict"], citation["advice"]) == ("check_by_eye", ["another_voice"])


def test_the_difference_and_the_true_words_are_given(desk: Any, tmp_path: Path) -> None:
    citation = one(desk, tmp_path, f"It said “A notice that names no date is valid.” {SLIP} 3.")
    (check,) = citation["checks"]
    assert {"kind": "word_changed", "expected": "valid", "found": "void"} in check["difference"]
    assert "A notice that names no date is void." in check["nearest"]["text"]


def test_a_clause_of_a_defined_agreement(desk: Any, tmp_path: Path) -> None:
    found = desk.check(
        word(
            tmp_path / "memo.docx",
            "The Lease Agreement of 3 March 2020 between Alder Holdings and Birch Tenants LLP (the “Lease”) ends.",
            "Notice must be given by hand. Clause 7.2 of the Lease. It takes 60 days. Section 7.1.",
            "It can be assigned. Clause 9.9 of the Lease.",
        )
    )
    rows = [(c["as_written"], c["path"], c["pinpoint"]["page_indexes"], c["verdict"]) for c in found["citations"]]
    assert rows[0] == ("Clause 7.2 of the Lease", "Lease Agreement.pdf", [1], "stands")
    assert rows[1][:3] == ("Section 7.1", "Lease Agreement.pdf", [1])
    assert rows[2] == ("Clause 9.9 of the Lease", "Lease Agreement.pdf", [], "no_such_page")


def test_short_forms_follow_their_antecedent_into_the_next_paragraph(desk: Any, tmp_path: Path) -> None:
    found = desk.check(
        word(
            tmp_path / "draft.docx",
            f"Rent is payable in advance unless the lease says otherwise. {SLIP} 2.",
            "A notice without a date is void. Id. at 3.",
        )
    )
    first, second = found["citations"]
    assert (second["refers_to"], second["source_id"]) == (first["citation_id"], first["source_id"])
    assert second["pinpoint"]["page_indexes"] == [3]
    assert [a["citation_ids"] for a in found["authorities"]] == [["c1", "c2"]]


def test_a_block_quotation_belongs_to_the_citation_after_it(desk: Any, tmp_path: Path) -> None:
    document = Document()
    document.add_paragraph("The Court explained the rule in these words:")
    quoted = document.add_paragraph(
        "We have said so since 1891, and the tenant offers no reason why a quarter of a year should be treated as a "
        "month."
    )
    quoted.paragraph_format.left_indent = quoted.paragraph_format.right_indent = Inches(0.5)
    document.add_paragraph(f"{SLIP} 2.")
    document.save(tmp_path / "draft.docx")
    (citation,) = desk.check(tmp_path / "draft.docx")["citations"]
    assert citation["verdict"] == "quotation_differs"
    assert {"expected": "1891", "found": "1890"}.items() <= citation["checks"][0]["difference"][0].items()


def test_a_quotation_without_citation_is_looked_for_everywhere(desk: Any, tmp_path: Path) -> None:
    found = desk.check(
        word(tmp_path / "letter.docx", "You wrote that “Notice must be given by hand to the Landlord's agent.”")
    )
    assert found["citations"] == []
    (loose,) = found["quotations_without_citation"]
    assert [(f["path"], f["page_index"]) for f in loose["found"]] == [("Lease Agreement.pdf", 1)]


def tracked(path: Path) -> Path:
    """ "slip op. at 9" with the 9 deleted and a 2 inserted."""
    document = Document()
    paragraph = document.add_paragraph(f"Rent is payable in advance unless the lease says otherwise. {SLIP} ")
    for tag, text, inner in (("w:del", "9", "w:delText"), ("w:ins", "2", "w:t")):
        change = OxmlElement(tag)
        change.set(qn("w:id"), "1")
        change.set(qn("w:author"), "A")
        run, words = OxmlElement("w:r"), OxmlElement(inner)
        words.text = text
        run.append(words)
        change.append(run)
        paragraph._p.append(change)
    paragraph.add_run(" (2017).")
    document.save(path)
    return path


def test_tracked_changes_are_read_as_accepted_and_said_so(desk: Any, tmp_path: Path) -> None:
    draft = tracked(tmp_path / "draft.docx")
    found = desk.check(draft)
    assert "changes_accepted" in found["draft"]["notes"]
    assert found["citations"][0]["pinpoint"]["page_indexes"] == [2]
    assert "tracked changes" in desk.run(draft)[1]


def test_the_copy_has_a_comment_at_each_citation_and_the_draft_is_not_touched(desk: Any, tmp_path: Path) -> None:
    draft = word(tmp_path / "draft.docx", f"Rent is payable in arrears. {SLIP} 2. See Ex. 7 at 1.")
    before = draft.read_bytes()
    assert desk.run(draft, "-o", str(tmp_path / "out.docx"))[0] == 0
    assert draft.read_bytes() == before
    marked = Document(tmp_path / "out.docx")
    assert "".join(p.text for p in marked.paragraphs) == "".join(p.text for p in Document(draft).paragraphs)
    texts = [c.text for c in marked.comments]
    assert len(texts) == 2 and any("Not in this matter" in t for t in texts)
    body = marked.element.body.xml
    start = body.index("commentRangeStart")
    assert body.index("Alder Holdings") > start > body.index("arrears")


def test_reports_are_worst_first_and_hold_no_formula_or_markup(desk: Any, tmp_path: Path) -> None:
    draft = word(
        tmp_path / "d.docx",
        f"Rent is payable in advance unless the lease says otherwise. {SLIP} 2.",
        "=cmd <b>bold</b> is so. Ex. 7 at 1.",
    )
    assert desk.run(draft, "-o", str(tmp_path / "r.xlsx"))[0] == desk.run(draft, "-o", str(tmp_path / "r.html"))[0] == 0
    sheet = load_workbook(tmp_path / "r.xlsx")["Citations"]
    assert [sheet.cell(2, 1).value, sheet.cell(3, 1).value] == ["Not in this matter", STANDS]
    assert sheet.cell(2, 8).data_type == "s"
    page = (tmp_path / "r.html").read_text("utf-8")
    assert (
        "<b>" not in page
        and "http" not in page
        and page.index("Not in this matter: Ex. 7") < page.index(f"{STANDS}: Alder")
    )


def test_the_table_of_authorities_names_each_once(desk: Any, tmp_path: Path) -> None:
    draft = word(
        tmp_path / "d.docx",
        f"Rent is payable in advance unless the lease says otherwise. {SLIP} 2. Id. at 3.",
        "See 42 U.S.C. § 1983.",
    )
    assert desk.run(draft, "--authorities", str(tmp_path / "toa.docx"))[0] == 0
    rows = [[c.text for c in row.cells] for t in Document(tmp_path / "toa.docx").tables for row in t.rows]
    assert rows == [
        ["Alder Holdings, Inc. v. Birch, No. 15-1262", "paragraph 1"],
        ["42 U.S.C. § 1983", "paragraph 2"],
    ]  # fmt: skip


def brief_pdf(path: Path, *texts: str) -> Path:
    document = pymupdf.open()
    for text in texts:
        document.new_page(width=612, height=792).insert_textbox((72, 90, 540, 700), text, fontsize=11, fontname="helv")
    document.save(path)
    return path


def test_a_pdf_draft_is_read_and_annotated_where_its_citations_are(desk: Any, tmp_path: Path) -> None:
    draft = brief_pdf(
        tmp_path / "brief.pdf",
        "An introduction to the case.",
        f"Rent is payable in advance unless the lease says otherwise. {SLIP} 2.",
    )
    (citation,) = desk.check(draft)["citations"]
    assert (citation["place"]["page"], citation["verdict"]) == (1, "stands")
    assert desk.run(draft, "-o", str(tmp_path / "out.pdf"))[0] == 0
    with pymupdf.open(tmp_path / "out.pdf") as marked:
        assert list(marked[0].annots()) == []
        page = marked[1]
        (mark,) = list(page.annots())
        assert mark.info["content"].startswith(f"{STANDS}.")
        assert "Alder" in page.get_textbox(mark.rect)


def test_a_second_run_says_what_changed(desk: Any, tmp_path: Path) -> None:
    first = desk.check(
        word(
            tmp_path / "a.docx",
            f"Rent is payable in advance unless the lease says otherwise. {SLIP} 2.",
            "It is late. Ex. 7 at 1.",
        )
    )
    (tmp_path / "a.json").write_text(json.dumps(first), "utf-8")
    draft = word(
        tmp_path / "b.docx",
        f"Rent is payable in advance unless the lease says otherwise. {SLIP} 2.",
        "It is late. Ex. 4 at 2.",
    )
    changes = desk.check(draft, "--since", str(tmp_path / "a.json"))["changes"]
    assert [c["as_written"] for c in changes["removed"]] == ["Ex. 7 at 1"]
    assert [c["as_written"] for c in changes["added"]] == ["Ex. 4 at 2"]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("locked.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "password"),
        ("broken.docx", b"PK\x03\x04 nothing", "read"),
        ("empty.pdf", b"", "read"),
    ],
)
def test_a_draft_that_cannot_be_read_is_said_to_be_so(
    desk: Any, tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(data)
    status, _, err = desk.run(tmp_path / name)
    assert status == 3 and said in err and err.count("\n") == 1


def test_the_draft_and_the_matter_are_never_written(desk: Any, tmp_path: Path) -> None:
    draft = word(tmp_path / "d.docx", "Nothing is cited here.")
    assert desk.run(draft, "-o", str(draft))[0] == 2
    assert desk.run(draft, "-o", str(desk.matter / "out.docx"))[0] == 2
    status, out, _ = desk.run(draft)
    assert (status, out.strip().splitlines()[-1]) == (
        0,
        "No citation was found in the draft, and 0 quotations without one.",
    )


def test_a_citation_in_a_table_and_many_citations(desk: Any, tmp_path: Path) -> None:
    document = Document()
    document.add_table(rows=1, cols=1).cell(0, 0).text = "The ledger is plain. Ex. 4 at 2."
    for number in range(500):
        document.add_paragraph(f"Payment {number} was late. Ex. 4 at 2.")
    document.save(tmp_path / "d.docx")
    found = desk.check(tmp_path / "d.docx")
    assert len(found["citations"]) == 501
    assert {c["pinpoint"]["page_indexes"][0] for c in found["citations"]} == {1}


def test_pasted_text_is_a_draft(desk: Any, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(f"A notice that names no date is void.\n{SLIP} 3.\n", "utf-8")
    (citation,) = desk.check(tmp_path / "note.txt")["citations"]
    assert (citation["verdict"], citation["pinpoint"]["page_indexes"]) == ("stands", [3])


def test_footnotes_are_read_and_commented_at_their_reference(desk: Any, tmp_path: Path) -> None:
    draft = with_footnote(
        tmp_path / "d.docx", f"Rent is payable in advance unless the lease says otherwise.{'{}'}", f" {SLIP} 2."
    )
    (citation,) = desk.check(draft)["citations"]
    assert citation["place"]["element"].startswith("footnote-2")
    assert citation["proposition"] == "Rent is payable in advance unless the lease says otherwise."
    assert citation["verdict"] == "stands"
    assert desk.run(draft, "-o", str(tmp_path / "o.docx"))[0] == 0
    assert len(list(Document(tmp_path / "o.docx").comments)) == 1


def with_footnote(path: Path, text: str, note: str) -> Path:
    """A document with one footnote of id 2, its part written by hand as Word writes it."""
    document = Document()
    paragraph = document.add_paragraph(text.replace("{}", ""))
    run = paragraph.add_run()
    reference = OxmlElement("w:footnoteReference")
    reference.set(qn("w:id"), "2")
    run._r.append(reference)
    document.save(path)
    w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    inside = f'<w:footnote w:id="2"><w:p><w:r><w:t>{note}</w:t></w:r></w:p></w:footnote>'
    part = f'<w:footnotes xmlns:w="{w}">{inside}</w:footnotes>'
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    parts = {}
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    types, relations = "[Content_Types].xml", "word/_rels/document.xml.rels"
    parts[types] = parts[types].replace(
        b"</Types>", f'<Override PartName="/word/footnotes.xml" ContentType="{kind}"/></Types>'.encode()
    )
    parts[relations] = parts[relations].replace(
        b"</Relationships>",
        f'<Relationship Id="rId99" Type="{relation}" Target="footnotes.xml"/></Relationships>'.encode(),
    )
    parts["word/footnotes.xml"] = part.encode()
    with zipfile.ZipFile(path, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)
    return path


def test_every_code_has_words() -> None:
    assert {*map(str, Verdict)} == messages.CITE_VERDICTS.keys()
    assert {*map(str, Advice)} == messages.CITE_ADVICE.keys()
    assert {*map(str, DraftNote)} == messages.DRAFT_NOTES.keys()
