"""The real window, with real documents and both child processes, for each task of a working day."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.services.answers.answers import Decision
from app.viewmodels.ask import AskState
from app.viewmodels.matter import Reading
from app.viewmodels.table import TableState
from app.views.export_dialog import ExportDialog
from app.views.main import build
from app.views.main_window import MainWindow
from app.views.settings_dialog import SettingsDialog

QUESTION = "How can either party terminate this Agreement?"
SLOW = 60_000


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, kept: tuple[Path, Path]) -> Iterator[MainWindow]:
    made, stop = build(qapp, None, kept[1])
    made.resize(1400, 900)
    made.show()
    qtbot.waitUntil(lambda: made.settings.loaded, timeout=SLOW)
    made.settings.choices = made.settings.choices.__class__(model="extractive", reviewer="Ada Quill", tour_done=True)
    made.settings.changed.emit()
    yield made
    made.close()
    stop()
    made.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def read(window: MainWindow, qtbot: QtBot, root: Path) -> None:
    window.open_matter(root)
    qtbot.waitUntil(lambda: len(window.matter.records) == 2 or window.banner.isVisible(), timeout=SLOW)
    assert not window.banner.isVisible(), window.banner_words.text()
    qtbot.waitUntil(lambda: window.matter.reading.state is Reading.IDLE, timeout=SLOW)


def ask(window: MainWindow, qtbot: QtBot) -> None:
    window.ask_pane.question.setFocus()
    qtbot.keyClicks(window.ask_pane.question, QUESTION)
    qtbot.keyClick(window.ask_pane.question, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.asking.state is AskState.SHOWN, timeout=SLOW)
    qtbot.waitUntil(lambda: drawn(window), timeout=SLOW)


@pytest.fixture
def asked(window: MainWindow, qtbot: QtBot, kept: tuple[Path, Path]) -> MainWindow:
    """A matter that was read before, and a question answered from it."""
    read(window, qtbot, kept[0])
    ask(window, qtbot)
    return window


def drawn(window: MainWindow) -> bool:
    view = window.evidence_pane.view
    return view.page_count > 0 and view.complete


def press(window: MainWindow, qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    target = QApplication.focusWidget() or window
    qtbot.keyClick(target, key, modifier or Qt.KeyboardModifier.NoModifier)


def test_a_question_is_answered_and_its_words_are_marked(asked: MainWindow) -> None:
    cards = asked.asking.cards
    assert any("thirty (30) days" in card.text for card in cards)
    assert list(asked.ask_pane.cards) and all(view.isVisible() for view in asked.ask_pane.cards.values())
    assert asked.evidence_pane.name.text() == "Services Agreement.pdf"
    active = [m for m in asked.evidence_pane.view.marks if m.active]
    assert active
    image = asked.evidence_pane.view.viewport().grab().toImage()
    place = asked.evidence_pane.view.box_rect(active[0].page, active[0].box)
    colour = image.pixelColor(round(place.x() * image.devicePixelRatio()) + 1, round(place.y()) + 1)
    assert colour.blue() < colour.red() - 40  # the marker's yellow


def test_review_by_keyboard_and_undo(asked: MainWindow, qtbot: QtBot) -> None:
    first = asked.asking.cards[0].claim_id
    asked.ask_pane.focus_chosen()
    press(asked, qtbot, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: asked.asking.card(first).review is not None, timeout=SLOW)
    assert asked.asking.card(first).review.decision is Decision.ACCEPTED
    assert asked.ask_pane.cards[first].decisions[Decision.ACCEPTED].isChecked()
    press(asked, qtbot, Qt.Key.Key_N)
    card = asked.ask_pane.cards[first]
    assert QApplication.focusWidget() is card.note
    qtbot.keyClicks(card.note, "A R W stay letters here")
    qtbot.keyClick(card.note, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: asked.asking.card(first).review.note == "A R W stay letters here", timeout=SLOW)
    asked.asking.undo()
    asked.asking.undo()
    qtbot.waitUntil(lambda: asked.asking.card(first).review is None, timeout=SLOW)
    if len(asked.asking.cards) > 1:
        press(asked, qtbot, Qt.Key.Key_J)
        assert asked.asking.chosen == asked.asking.cards[1].claim_id
        press(asked, qtbot, Qt.Key.Key_K)
        assert asked.asking.chosen == first


def test_find_select_copy_and_save(asked: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    pane = asked.evidence_pane
    pane.open_find()
    qtbot.keyClicks(pane.find_box, "agreement")
    qtbot.keyClick(pane.find_box, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: pane.find_words.text() == "1 of 4", timeout=SLOW)
    qtbot.keyClick(pane.find_box, Qt.Key.Key_Return)
    assert pane.find_words.text() == "2 of 4"
    page, boxes = asked.evidence.hits[1]
    place = pane.view.box_rect(page, boxes[0])
    qtbot.waitUntil(lambda: bool(pane.view.selection.spot(page, *boxes[0][:2], nearest=True)), timeout=SLOW)
    inside = QPoint(round(place.x() + place.width() / 2), round(place.y() + place.height() / 2))
    qtbot.mouseDClick(pane.view.viewport(), Qt.MouseButton.LeftButton, pos=inside)
    pane.copy(True)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("“Agreement") and "(Services Agreement.pdf, " in copied and "PDF page 1" in copied
    target = tmp_path / "page.pdf"
    pane.save_to(target, (0,))
    qtbot.waitUntil(target.is_file, timeout=SLOW)
    pane.close_find()
    assert pane.find_words.text() == ""


def test_no_mark_of_an_earlier_answer_stays_beside_a_new_one(asked: MainWindow, qtbot: QtBot) -> None:
    assert asked.evidence_pane.view.marks
    asked.ask_pane.ask("Which submarine cable was laid by the zeppelin?")
    assert asked.evidence_pane.view.marks == ()
    qtbot.waitUntil(lambda: asked.asking.state is AskState.SHOWN, timeout=SLOW)
    assert asked.asking.no_answer is not None and asked.evidence_pane.view.marks == ()


def test_a_changed_file_loses_its_marks_and_can_be_read_again(window: MainWindow, qtbot: QtBot, folder: Path) -> None:
    read(window, qtbot, folder)
    ask(window, qtbot)
    pdf = folder / "Services Agreement.pdf"
    pdf.write_bytes(pdf.read_bytes() + b"\n% a new revision")
    qtbot.waitUntil(lambda: window.evidence.changed, timeout=SLOW)
    assert window.evidence_pane.view.marks == ()
    assert window.evidence_pane.reread_button.isVisible()
    assert "changed after it was read" in window.evidence_pane.message.text()
    qtbot.mouseClick(window.evidence_pane.reread_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.evidence.changed and drawn(window), timeout=SLOW)
    assert not window.evidence_pane.reread_button.isVisible()


def test_many_questions_fill_a_table_whose_cells_open_their_page(
    window: MainWindow, qtbot: QtBot, folder: Path, tmp_path: Path
) -> None:
    read(window, qtbot, folder)
    window.switch_table()
    pane, table = window.table_pane, window.table
    qtbot.waitUntil(lambda: table.state is TableState.IDLE, timeout=SLOW)
    pane.questions.setPlainText(f"{QUESTION}\nWhich law governs this Agreement?")
    qtbot.mouseClick(pane.fill_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: table.state is TableState.IDLE and len(table.cells) == 4, timeout=SLOW)
    pane.grid.setCurrentIndex(pane.grid.model().index(1, 0))
    qtbot.keyClick(pane.grid, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.asking.state is AskState.SHOWN and drawn(window), timeout=SLOW)
    assert window.evidence_pane.name.text() == "Services Agreement.pdf"
    qtbot.waitUntil(lambda: any(m.active for m in window.evidence_pane.view.marks), timeout=SLOW)
    target = tmp_path / "table.csv"
    table.write(target)
    qtbot.waitUntil(lambda: "Written" in window.banner_words.text(), timeout=SLOW)
    assert target.read_bytes().startswith(b"\xef\xbb\xbf")
    pane.review_wanted.emit(window.asking.answer.answer_id)
    assert window.middle.currentWidget() is window.ask_pane and window.ask_pane.cards


def test_a_page_is_printed_with_its_marks_and_where_it_comes_from(
    asked: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    from PySide6.QtPrintSupport import QPrinter

    from ingest.mupdf import pymupdf

    target = tmp_path / "printed.pdf"
    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
    printer.setOutputFileName(str(target))
    asked.evidence_pane.print_to(printer)
    qtbot.waitUntil(lambda: asked.banner_words.text() == "Sent to the printer.", timeout=SLOW)
    with pymupdf.open(target) as document:
        assert "Services Agreement.pdf, PDF page 1, sha256" in " ".join(document[0].get_text().split())
        picture = document[0].get_pixmap(dpi=72)
    pixels = {picture.pixel(x, y) for x in range(0, picture.width, 2) for y in range(0, picture.height, 2)}
    assert any(red > 200 and blue < red - 40 for red, _, blue in pixels)  # the marker's yellow


@pytest.mark.slow
def test_export_from_the_dialog(asked: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    asked.open_export()
    dialog = asked.findChild(ExportDialog)
    qtbot.waitUntil(dialog.export.isEnabled, timeout=SLOW)
    target = tmp_path / "bundle.zip"
    dialog._model.write(target)
    qtbot.waitUntil(lambda: dialog.memo.isVisible(), timeout=SLOW)
    assert target.is_file()
    dialog.reject()


@pytest.mark.slow
def test_a_dropped_folder_opens_and_settings_show_it(window: MainWindow, qtbot: QtBot, folder: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(folder))])
    drop = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.matter_pane.dropEvent(drop)
    assert window.matter.root == folder
    qtbot.waitUntil(lambda: len(window.matter.records) == 2, timeout=SLOW)
    qtbot.waitUntil(lambda: window.matter.reading.state is Reading.IDLE, timeout=SLOW)
    names = [line.first for line in window.matter_pane.documents.lines]
    assert names == ["Call note.txt", "Services Agreement.pdf"]
    window.matter_pane.filter.setText("note")
    assert [line.first for line in window.matter_pane.documents.lines] == ["Call note.txt"]
    window.matter_pane.documents.setCurrentIndex(window.matter_pane.documents.model().index(0, 0))
    qtbot.keyClick(window.matter_pane.documents, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: drawn(window), timeout=SLOW)
    assert window.evidence_pane.name.text() == "Call note.txt"
    window.open_settings()
    dialog = window.findChild(SettingsDialog)
    qtbot.waitUntil(lambda: bool(window.settings.store_words), timeout=SLOW)
    assert " in " in dialog.store.text()
    dialog.reject()


def test_a_folder_that_is_not_there_is_said_in_words(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    window.open_matter(tmp_path / "gone")
    qtbot.waitUntil(lambda: window.banner.isVisible(), timeout=SLOW)
    assert window.banner_words.text().startswith("There is no folder ")


def test_a_fault_in_the_window_is_reported_without_words_of_a_document(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    import sys

    hook: Callable[..., None] = sys.excepthook
    try:
        raise KeyError("the secret clause")
    except KeyError as error:
        hook(type(error), error, error.__traceback__)
    assert "secret" not in window.banner_words.text()
    assert "A report without document text lies at" in window.banner_words.text()
