"""Every control of the window has a name, can be reached from the keyboard and stays whole at twice the text size."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QDialog,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.services.answers.answers import Decision
from app.viewmodels.ask import AskModel
from app.viewmodels.export import ExportModel
from app.viewmodels.remembered import Remembered
from app.views.export_dialog import ExportDialog
from app.views.help_dialog import HelpDialog
from app.views.main_window import MainWindow
from app.views.page.source import PageSource
from app.views.settings_dialog import SettingsDialog
from app.views.table.documents import DocumentsDialog
from app.views.theme import Theme

CONTROLS = (QAbstractButton, QLineEdit, QPlainTextEdit, QComboBox, QAbstractScrollArea)


@pytest.fixture
def window(qapp: QApplication, kept: tuple[Path, Path], make_runner) -> Iterator[MainWindow]:  # type: ignore[no-untyped-def]
    """With an answer shown, its work done in this process, no page process."""
    runner = make_runner(kept[1])
    theme = Theme(qapp, "light", 100, "#ffd54a")
    made = MainWindow(runner, theme, PageSource(), Remembered())
    made.show()
    made.matter.open(kept[0])
    runner.run()
    made.asking.model = "extractive"
    made.asking.ask("How can either party terminate this Agreement?")
    runner.run()
    made.asking.decide(made.asking.cards[0].claim_id, Decision.ACCEPTED)
    runner.run()
    made.evidence_pane.open_find()
    made.ask_pane.note_chosen()
    made.runner = runner
    yield made
    theme.choose("light", 100, "#ffd54a")
    made.close()
    made.deleteLater()
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def shown_controls(root: QWidget) -> list[QWidget]:
    found = [w for kind in CONTROLS for w in root.findChildren(kind) if w.isVisibleTo(root)]
    inner = ("qt_spinbox_lineedit", "qt_scrollarea_viewport")
    return [
        w
        for w in found
        if w.objectName() not in inner
        and not isinstance(w.parent(), QComboBox)
        and not isinstance(w.parent(), QLineEdit)  # the clear button, which Qt names itself
        and type(w).__name__ not in ("QComboBoxPrivateContainer", "QComboBoxListView")
    ]


def nameless(root: QWidget) -> list[str]:
    bare = []
    for control in [*shown_controls(root), *(b for b in root.findChildren(QScrollBar) if b.isVisibleTo(root))]:
        interface = QAccessible.queryAccessibleInterface(control)
        name = interface.text(QAccessible.Text.Name) if interface is not None else ""
        if not name.strip():
            bare.append(f"{type(control).__name__} in {type(control.parent()).__name__}")
    return bare


def dialogs(window: MainWindow) -> list[QDialog]:
    answer = window.asking.answer
    assert answer is not None
    made = [
        ExportDialog(ExportModel(window.runner, window.matter, answer), window.asking.cards, window.theme, window),
        SettingsDialog(window.settings, window.theme, window.matter.root, window),
        HelpDialog(window.theme, window),
        DocumentsDialog(window.table.readable, frozenset(), print, window),
    ]
    for dialog in made:
        dialog.show()
    window.runner.run()
    return made


def test_every_control_has_a_name(window: MainWindow) -> None:
    assert nameless(window) == []
    for dialog in dialogs(window):
        assert nameless(dialog) == [], dialog.windowTitle()
        dialog.close()


def test_every_control_takes_the_focus_from_the_keyboard(window: MainWindow) -> None:
    deaf = [
        f"{type(c).__name__} {c.accessibleName()}"
        for c in shown_controls(window)
        if c.isEnabled()
        and not c.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not (isinstance(c, QAbstractScrollArea) and c is window.ask_pane.answers)  # scrolls with its cards
    ]
    assert deaf == []


def test_tab_goes_through_the_panes_from_left_to_right(window: MainWindow, qtbot: QtBot) -> None:
    panes = (window.matter_pane, window.ask_pane, window.evidence_pane)
    window.matter_pane.filter.setFocus()
    order: list[int] = []
    for _ in range(120):
        focused = window.focusWidget()
        pane = next((i for i, p in enumerate(panes) if focused is not None and p.isAncestorOf(focused)), None)
        if pane is not None and (not order or order[-1] != pane):
            order.append(pane)
        window.focusNextChild()
    assert order[:3] == [0, 1, 2]


def test_the_table_has_names_and_takes_the_focus(window: MainWindow) -> None:
    window.switch_table()
    window.runner.run()
    window.table.model = "extractive"
    window.table.fill("What is the limit of liability?")
    window.runner.run()
    window.table_pane.grid.opened.emit(window.table_pane.grid.model().index(0, 0))
    window.runner.run()
    assert nameless(window.table_pane) == []
    grid = window.table_pane.grid
    cells = [c for c in shown_controls(window.table_pane) if c.isEnabled() and not isinstance(c, QHeaderView)]
    assert [c for c in cells if not c.focusPolicy() & Qt.FocusPolicy.TabFocus] == []  # the arrows move in the grid
    spoken = grid.model().index(1, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("Services Agreement.pdf, What is the limit of liability?: ✓ Passage verified")
    window.switch_table()
    assert window.middle.currentWidget() is window.ask_pane


def test_colour_is_never_the_only_signal(window: MainWindow) -> None:
    for card in window.asking.cards:
        assert card.chip.sign and card.chip.words
        assert card.chip.shown.startswith(card.chip.sign)


@pytest.mark.parametrize("scale", [100, 200])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_cut_at_any_text_size(window: MainWindow, scale: int, theme: str, qapp: QApplication) -> None:
    window.resize(1440, 900)
    window.split.setSizes([280, 480, 680])
    window.theme.choose(theme, scale, "#ffd54a")
    qapp.processEvents()
    cut = [
        f"{b.text()}: {b.width()} < {b.minimumSizeHint().width()}"
        for b in window.findChildren(QAbstractButton)
        if b.isVisibleTo(window) and b.text() and b.width() < b.minimumSizeHint().width()
    ]
    assert cut == []
    beyond = [
        type(pane).__name__
        for pane in (window.matter_pane, window.ask_pane, window.evidence_pane)
        if pane.mapTo(window, pane.rect().bottomRight()).x() > window.width()
    ]
    assert beyond == []
    qapp.processEvents()
    assert window.ask_pane.answers.widget().width() <= window.ask_pane.answers.viewport().width()


def test_cards_say_what_they_are(window: MainWindow) -> None:
    asking: AskModel = window.asking
    view = window.ask_pane.cards[asking.cards[0].claim_id]
    assert view.accessibleName().startswith("Claim 1: ")
    assert "Passage verified" in view.accessibleDescription()
    assert "Accepted" in view.accessibleDescription()


def test_documents_of_a_table_are_ticked_from_the_keyboard(window: MainWindow, qtbot: QtBot) -> None:
    window.switch_table()
    window.runner.run()  # type: ignore[attr-defined]
    assert window.table_pane.documents_button.accessibleName() == "Documents to ask: All documents"
    window.table_pane.choose_documents()
    dialog = window.findChild(DocumentsDialog)
    qtbot.keyClick(dialog.list, Qt.Key.Key_Space)
    assert dialog.count.text() == "1 of 2 ticked" and len(dialog.ticked) == 1
    dialog.none_button.click()
    assert not dialog.ask_button.isEnabled()
    qtbot.keyClick(dialog.list, Qt.Key.Key_Space)
    dialog.ask_button.click()
    assert window.table.documents == "1 of 2 documents"
    assert window.table_pane.documents_button.accessibleName() == "Documents to ask: 1 of 2 documents"
    window.table.choose_documents(frozenset(row.source_id for row in window.table.readable))
    window.switch_table()
