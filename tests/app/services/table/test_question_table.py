"""A table of questions by documents over real files, without a model: filled, stopped, gone on with, exported."""

import csv
import io
from contextlib import closing
from pathlib import Path

import pytest
from openpyxl import load_workbook

from app.errors import Usage
from app.services.answers.history import saved_answers
from app.services.asking.asking import AskOptions
from app.services.matter.indexing import IndexOptions, index
from app.services.matter.matter import open_matter
from app.services.table.asking import TableOptions, fill, kept_cells, kept_questions, table_sources
from app.services.table.cells import Cell, CellState, questions_of
from app.services.table.export import export_table, harmless
from app.settings import Settings
from ingest.mupdf import pymupdf

NOTICE = "What notice ends the agreement?"
LAW = "Which law governs the agreement?"
OPTIONS = TableOptions(AskOptions(model="extractive"))


OTHERS = (
    "Deliveries. Goods are handed over at the seller's yard in Port Quill between eight and five o'clock.",
    "Prices. Every price is stated in euro and includes packing, loading and insurance until they are handed over.",
    "Defects. Whoever finds a defect writes to the other within a week and keeps the goods apart until seen.",
    "Records. Both sides keep their books of account for seven years and show them to an auditor who asks.",
)


def write(path: Path, *paragraphs: str) -> None:
    """A clause a page; what the questions ask about stands first."""
    with pymupdf.open() as document:
        for words in (*paragraphs, *OTHERS):
            page = document.new_page(width=595, height=842)
            page.insert_textbox((72, 80, 520, 300), words, fontsize=11)
        document.save(path)


@pytest.fixture
def table(tmp_path: Path):  # type: ignore[no-untyped-def]
    """A matter of two agreements, of which only one names a law, opened for writing."""
    root = tmp_path / "Alder"
    root.mkdir()
    write(
        root / "Birch.pdf",
        "1. Notice. Either party may end the agreement upon sixty (60) days' written notice.",
        "2. Law. The agreement is governed by the law of Norvania.",
    )
    write(root / "Cedar.pdf", "1. Notice. The buyer may end the agreement upon ten (10) days' written notice.")
    with open_matter(root, Settings(), tmp_path / "store", writable=True) as matter:
        for _ in index(matter, IndexOptions(dense=False)):
            pass
        yield matter


def filled(matter, questions=(NOTICE, LAW), options=OPTIONS, stop_after=None):  # type: ignore[no-untyped-def]
    """Cells in the order they came, by question and file; closed after so many where that is given."""
    names = {r.source_id: r.path for r in matter.sources()}
    cells: dict[tuple[str, str], Cell] = {}
    with closing(fill(matter, questions, options)) as steps:
        for event in steps:
            if isinstance(event, Cell):
                cells[event.question, names[event.source_id]] = event
                if len(cells) == stop_after:
                    break
    return cells


def test_each_cell_is_answered_from_its_document_alone(table) -> None:  # type: ignore[no-untyped-def]
    cells = filled(table)
    assert len(cells) == 4
    birch, cedar = cells[NOTICE, "Birch.pdf"], cells[NOTICE, "Cedar.pdf"]
    assert birch.state is cedar.state is CellState.ANSWERED
    assert "sixty (60) days" in birch.claims[0].text and "ten (10) days" in cedar.claims[0].text
    cited = birch.claims[0].citations[0]
    assert (cited.status, cited.page_index) == ("verified", 0)
    assert "Norvania" in cells[LAW, "Birch.pdf"].claims[0].text
    assert "Norvania" not in " ".join(c.text for c in cells[LAW, "Cedar.pdf"].claims)


def test_a_stopped_table_goes_on_and_asks_nothing_twice(table) -> None:  # type: ignore[no-untyped-def]
    first = filled(table, stop_after=2)
    assert len(saved_answers(table)) == 2
    again = filled(table)
    assert len(saved_answers(table)) == 4
    assert {place: again[place].answer_id for place in first} == {p: c.answer_id for p, c in first.items()}
    assert kept_questions(table).shown == (NOTICE, LAW)
    filled(table)
    assert len(saved_answers(table)) == 4


def test_a_cell_that_is_asked_again_has_the_new_answer(table) -> None:  # type: ignore[no-untyped-def]
    cells = filled(table)
    place = (NOTICE, cells[NOTICE, "Birch.pdf"].source_id)
    again = filled(table, options=TableOptions(OPTIONS.ask, again=(place,)))
    changed = {p for p, cell in again.items() if cell.answer_id != cells[p].answer_id}
    assert changed == {(NOTICE, "Birch.pdf")}
    kept = {(c.question, c.source_id): c for c in kept_cells(table, (NOTICE,), table_sources(table))}
    assert kept[place].answer_id == again[NOTICE, "Birch.pdf"].answer_id


def test_a_changed_document_is_told_in_its_cell(table) -> None:  # type: ignore[no-untyped-def]
    filled(table)
    pdf = table.root / "Birch.pdf"
    pdf.write_bytes(pdf.read_bytes() + b"\n% another revision")
    cells = {c.source_id: c for c in kept_cells(table, (NOTICE,), table_sources(table))}
    names = {r.path: r.source_id for r in table.sources()}
    stale = cells[names["Birch.pdf"]]
    assert stale.state is CellState.NOT_SUPPORTED
    assert stale.claims[0].citations[0].status == "stale"
    assert cells[names["Cedar.pdf"]].state is CellState.ANSWERED


def test_the_workbook_holds_the_table_and_every_citation(table, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    filled(table, stop_after=3)
    target = tmp_path / "table.xlsx"
    assert export_table(table, (NOTICE, LAW), (), target) == 3
    book = load_workbook(target)
    grid = [[cell.value for cell in line] for line in book["Table"].iter_rows()]
    assert grid[0] == ["Document", NOTICE, LAW]
    assert [line[0] for line in grid[1:]] == ["Birch.pdf", "Cedar.pdf"]
    assert "PDF page 1" in grid[1][1] and "Passage verified" in grid[1][1]
    assert grid[2][2] == "Not asked yet"
    titles, *lines = [[cell.value for cell in line] for line in book["Citations"].iter_rows()]
    first = dict(zip(titles, lines[0], strict=True))
    assert (first["Document"], first["PDF page"]) == ("Birch.pdf", 1)
    assert first["Citation"] == "Passage verified" and "sixty (60) days" in first["Quotation"]


def test_plain_rows_are_text_that_no_spreadsheet_runs(table, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    trap = "=HYPERLINK(notice to end the agreement)"
    filled(table, (trap,))
    target = tmp_path / "table.csv"
    export_table(table, (trap,), (), target)
    data = target.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))
    assert rows and all(row["Question"] == f"'{trap}" for row in rows)
    export_table(table, (trap,), (), tmp_path / "table.xlsx")
    cell = load_workbook(tmp_path / "table.xlsx")["Table"]["B1"]
    assert (cell.value, cell.data_type) == (trap, "s")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝", "  ="])
def test_what_begins_like_a_formula_gets_an_apostrophe(start: str) -> None:
    assert harmless(f"{start}1+1") == f"'{start}1+1"
    assert harmless("sixty (60) days") == "sixty (60) days"
    assert harmless("page\x07 one") == "page one"


def test_questions_are_one_a_line_each_once() -> None:
    assert questions_of(["  What   notice? ", "", "Which law?", "What notice?"]) == ("What notice?", "Which law?")
    with pytest.raises(Usage):
        questions_of(["", "  "])
    with pytest.raises(Usage):
        questions_of([f"Question {n}?" for n in range(101)])
