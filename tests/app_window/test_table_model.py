"""The table of questions without a display: it fills, stops, goes on after closing, and says how each cell stands."""

import shutil
from pathlib import Path

import pytest

from app.backend.requests import Ask, FillTable
from app.services.table.cells import Cell, CellCitation, CellClaim, CellState
from app.viewmodels.ask import AskModel
from app.viewmodels.matter import MatterModel
from app.viewmodels.table import TableModel, TableState, view_of
from verify.domain.claim import Release, SupportLabel
from verify.domain.ids import AnswerId, CheckId, ClaimId, SourceId

NOTICE = "How can either party terminate this Agreement?"
LAW = "Which law governs this Agreement?"


@pytest.fixture
def runner(kept: tuple[Path, Path], make_runner, tmp_path: Path):  # type: ignore[no-untyped-def]
    """Over a copy of the store of a matter that was read before."""
    return make_runner(shutil.copytree(kept[1], tmp_path / "store"))


@pytest.fixture
def open_table(kept: tuple[Path, Path], runner):  # type: ignore[no-untyped-def]
    """Opens the matter as a window does, each time with models of its own over the same store."""
    folder = kept[0]

    def opened() -> tuple[MatterModel, TableModel]:
        matter = MatterModel(runner)
        table = TableModel(runner, matter, clock=iter(range(0, 10_000, 10)).__next__)
        table.model = "extractive"
        matter.open(folder)
        runner.run()
        return matter, table

    return opened


def answer_ids(table: TableModel) -> set[str | None]:
    return {cell.answer_id for cell in table.cells.values()}


def test_a_table_fills_and_is_there_again_after_closing(open_table, runner) -> None:  # type: ignore[no-untyped-def]
    matter, table = open_table()
    assert [row.name for row in table.rows] == ["Call note.txt", "Services Agreement.pdf"]
    said: list[str] = []
    table.progressed.connect(lambda: said.append(table.words))
    table.fill(f"{NOTICE}\n\n  {LAW}\n{NOTICE}")
    assert table.state is TableState.RUNNING
    runner.run()
    assert table.state is TableState.IDLE and table.questions == (NOTICE, LAW) and table.missing == 0
    agreement = table.rows[1].source_id
    view = table.view((NOTICE, agreement))
    assert view.head == "✓ Passage verified, PDF page 1"
    assert "thirty (30) days" in view.words
    assert "Norvania" in table.view((LAW, agreement)).words
    assert any(words.startswith("3 of 4 cells answered, ") and words.endswith(" left") for words in said)
    assert not answer_ids(table) & {a.answer_id for a in matter.answers}  # they are the table's, not past questions

    _, again = open_table()
    again.load()
    runner.run()
    assert again.questions == (NOTICE, LAW)
    assert again.cells == table.cells
    runner.requests.clear()
    again.fill("\n".join(again.questions))
    runner.run()
    assert [type(r) for r in runner.requests if isinstance(r, FillTable | Ask)] == [FillTable]
    assert again.cells == table.cells


def test_stopping_keeps_what_was_answered(open_table, runner) -> None:  # type: ignore[no-untyped-def]
    _, table = open_table()
    table.cell_changed.connect(lambda place: table.cancel())
    table.fill(f"{NOTICE}\n{LAW}")
    runner.run()
    assert table.state is TableState.IDLE and table.missing == 3
    assert table.words == "Stopped. What was answered is kept; 3 cells left. “Fill the table” goes on from here."
    kept = dict(table.cells)
    _, later = open_table()
    later.load()
    runner.run()
    assert later.cells == kept
    later.fill("\n".join(later.questions))
    runner.run()
    assert later.missing == 0 and kept.items() <= later.cells.items()


def test_a_cell_asked_again_is_another_answer(open_table, runner) -> None:  # type: ignore[no-untyped-def]
    _, table = open_table()
    table.fill(NOTICE)
    runner.run()
    before = dict(table.cells)
    place = (NOTICE, table.rows[1].source_id)
    table.ask_again(place)
    runner.run()
    assert {p for p, cell in table.cells.items() if cell.answer_id != before[p].answer_id} == {place}


def test_a_cell_opens_as_an_answer_that_can_be_reviewed(open_table, runner) -> None:  # type: ignore[no-untyped-def]
    matter, table = open_table()
    asking = AskModel(runner, matter)
    table.fill(NOTICE)
    runner.run()
    cell = table.cells[NOTICE, table.rows[1].source_id]
    assert cell.answer_id is not None
    asking.load(cell.answer_id)
    runner.run()
    assert asking.question == NOTICE
    assert asking.cards[0].citations[0].words.startswith("Services Agreement.pdf, ")


def test_only_the_chosen_documents_are_asked_and_written(open_table, runner, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    _, table = open_table()
    note, agreement = (row.source_id for row in table.rows)
    assert table.documents == "All documents"
    table.choose_documents(frozenset({agreement}))
    assert [row.source_id for row in table.rows] == [agreement] and table.documents == "1 of 2 documents"
    table.fill(NOTICE)
    runner.run()
    assert set(table.cells) == {(NOTICE, agreement)} and table.missing == 0
    table.write(tmp_path / "table.csv")
    runner.run()
    assert "Call note" not in (tmp_path / "table.csv").read_text("utf-8-sig")
    table.choose_documents(frozenset())  # a table of nothing is no choice
    assert table.documents == "1 of 2 documents"
    table.choose_documents(frozenset({note, agreement}))
    assert table.missing == 1 and table.words.endswith("1 cell not asked yet. “Fill the table” goes on")
    table.fill(NOTICE)
    table.choose_documents(frozenset({note}))  # not while it is filled
    assert table.documents == "All documents"
    runner.run()
    assert table.missing == 0


def test_nothing_to_ask_is_said(open_table, runner) -> None:  # type: ignore[no-untyped-def]
    _, table = open_table()
    told: list[str] = []
    table.failed.connect(told.append)
    table.fill(" \n ")
    assert told == ["Write at least one question, each on a line of its own."]
    assert table.state is TableState.IDLE


def test_another_matter_shows_no_cell_of_the_first(open_table, runner, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    matter, table = open_table()
    table.fill(NOTICE)
    runner.run()
    (tmp_path / "Elm").mkdir()
    matter.open(tmp_path / "Elm")
    runner.run()
    table.load()
    runner.run()
    assert (table.questions, table.rows, table.cells) == ((), (), {})


def cell(release: Release, status: str = "verified", reason: str | None = None, limits: tuple[str, ...] = ()) -> Cell:
    citation = CellCitation(CheckId("v1"), status, reason, "15", 17, "“Ten days.”", limits)
    claim = CellClaim(ClaimId("c1"), "Ten days.", release, SupportLabel.UNCLEAR, None, (citation,))
    state = {Release.SHOW: CellState.ANSWERED, Release.NEEDS_REVIEW: CellState.LOOK}
    found = state.get(release, CellState.NOT_SUPPORTED)
    return Cell("What notice?", SourceId("s1"), found, AnswerId("a1"), "extractive", (claim, claim))


def test_what_a_cell_says() -> None:
    shown = view_of(cell(Release.SHOW))
    assert (shown.head, shown.words) == ("✓ Passage verified, p. 15 (PDF page 18)", "Ten days.")
    assert (shown.quotation, shown.more) == ("", "and 1 more claim")
    assert view_of(cell(Release.NEEDS_REVIEW)).chip.shown == "! Passage verified, look at it"
    assert view_of(cell(Release.BLOCKED)).chip.shown == "✕ Not supported"
    assert view_of(cell(Release.BLOCKED, "stale", "fingerprint_changed")).chip.words == "Document changed"
    assert view_of(cell(Release.SHOW, limits=("ocr_text",))).chip.words == "Passage verified on a scan"
    empty = view_of(Cell("What notice?", SourceId("s1"), CellState.NOT_FOUND, reason="not_found"))
    assert (empty.head, empty.words) == ("· Not found in what was read", "")
    failed = view_of(Cell("What notice?", SourceId("s1"), CellState.FAILED, reason="The model does not answer."))
    assert failed.head == "✕ Could not be asked" and failed.words == "The model does not answer."
