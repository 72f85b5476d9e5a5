"""Many questions at once: the list of them, the table that they fill, and the chosen cell in full."""

from pathlib import Path

from PySide6.QtCore import QModelIndex, QTimer, Signal
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit, QProgressBar, QVBoxLayout, QWidget

from app.viewmodels.table import Place, TableModel, TableState
from app.views.flow import FlowLayout
from app.views.table.documents import DocumentsDialog
from app.views.table.grid import CellModel, Grid
from app.views.theme import Theme
from app.views.widgets import LinkButton, button, chip_label, clear, column, frame, label, row, selectable

HINT = (
    "Each cell will be one document's answer to one question: its page is cited, the words are checked there, and it "
    "is kept as it comes. You can stop at any time and go on later; nothing is asked twice."
)


class TablePane(QWidget):
    """``answer_wanted``: show the answer's evidence; ``review_wanted``: its claims as well; ``left``: back to one
    question."""

    answer_wanted = Signal(str)
    review_wanted = Signal(str)
    left = Signal()

    def __init__(self, model: TableModel, theme: Theme) -> None:
        super().__init__()
        self._model, self._theme = model, theme
        self.setMinimumWidth(320)
        self._cells = CellModel(model, self)
        self.grid = Grid(self._cells, theme)
        self.grid.opened.connect(self._open)
        self._chosen: Place | None = None
        self._detail = QVBoxLayout()
        self._detail.setContentsMargins(16, 10, 16, 12)
        self._detail.setSpacing(6)
        self._below = frame("footer")
        self._below.setLayout(self._detail)
        self.hint = label(HINT, "muted", wrap=True)
        self.hint.setContentsMargins(16, 16, 16, 16)
        whole = column(self._bar(), self.hint, self.grid, self._below, None, spacing=0)
        whole.setStretch(2, 1000)
        self.setLayout(whole)
        self._detail_later = QTimer(self, singleShot=True, interval=0)
        self._detail_later.timeout.connect(self._show_detail)
        model.changed.connect(self._follow)
        model.cell_changed.connect(self._cell_changed)
        model.progressed.connect(self._show_progress)
        theme.changed.connect(self._restyle)
        self._restyle()
        self._follow()
        self._show_progress()

    def _bar(self) -> QWidget:
        bar = frame("bar")
        self.questions = QPlainTextEdit()
        self.questions.setAccessibleName("Questions, one a line")
        self.questions.setPlaceholderText("One question a line. Each is asked of every document by itself.")
        self.questions.setTabChangesFocus(True)
        self.fill_button = button("Fill the table", "primary", "Ask every question of every document (Ctrl+Return)")
        self.fill_button.setShortcut("Ctrl+Return")
        self.fill_button.clicked.connect(self._fill_or_stop)
        self.documents_button = button("All documents", "", "Choose which documents are asked")
        self.documents_button.clicked.connect(self.choose_documents)
        self.export_button = button("Export…", "", "Write the table as a workbook or as plain rows")
        self.export_button.clicked.connect(self._choose_target)
        self.back_button = button("One question", "", "Back to asking one question (Ctrl+T)")
        self.back_button.clicked.connect(self.left)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Filling the table")
        self.words = label("", "small", wrap=True)
        buttons = QWidget()
        buttons.setLayout(
            FlowLayout(self.fill_button, self.documents_button, self.export_button, self.back_button, spacing=8)
        )
        inside = column(label("Many questions at once", "heading"), self.questions, buttons, self.words, self.bar)
        inside.setContentsMargins(16, 12, 16, 12)
        bar.setLayout(inside)
        return bar

    def _restyle(self) -> None:
        """Rows as high as their lines, at every size of text."""
        self.grid.restyle()
        line = QFontMetricsF(self._theme.font(1.0)).lineSpacing()
        self.questions.setFixedHeight(round(3.4 * line + 14))
        self._show_detail()

    # -- filling

    def _fill_or_stop(self) -> None:
        if self._model.state is TableState.RUNNING:
            self._model.cancel()
        else:
            self._model.fill(self.questions.toPlainText())

    def choose_documents(self) -> None:
        chosen = frozenset(row.source_id for row in self._model.rows)
        DocumentsDialog(self._model.readable, chosen, self._model.choose_documents, self.window()).open()

    def _follow(self) -> None:
        self._cells.reset()
        self.grid.fit_columns()
        self.grid.setVisible(bool(self._model.questions))
        self.hint.setVisible(not self._model.questions)
        words = "\n".join(self._model.questions)
        if self._model.questions and not self.questions.hasFocus():
            self.questions.setPlainText(words)
        elif not self._model.questions and self._model.state is TableState.IDLE and not self.isVisible():
            self.questions.clear()
        if self._chosen is not None and self._chosen[0] not in self._model.questions:
            self._chosen = None
        self._select_chosen()
        self._detail_later.start()
        self._show_progress()

    def _select_chosen(self) -> None:
        rows, questions = self._model.rows, self._model.questions
        if self._chosen is not None and self._chosen[0] in questions:
            at = next((i for i, r in enumerate(rows) if r.source_id == self._chosen[1]), None)
            if at is not None:
                self.grid.setCurrentIndex(self._cells.index(at, questions.index(self._chosen[0])))

    def _show_progress(self) -> None:
        model = self._model
        busy = model.state in (TableState.RUNNING, TableState.STOPPING)
        self.fill_button.setText("Stop" if busy else "Fill the table")
        self.fill_button.setAccessibleName("Stop filling the table" if busy else "Fill the table")
        self.fill_button.setEnabled(model.state is TableState.RUNNING or model.can_fill)
        self.documents_button.setText(f"{model.documents}…")
        self.documents_button.setAccessibleName(f"Documents to ask: {model.documents}")
        self.documents_button.setEnabled(model.can_fill)
        self.export_button.setEnabled(bool(model.questions) and bool(model.cells) and not busy)
        self.words.setText(model.words)
        self.words.setVisible(bool(model.words))
        self.bar.setVisible(busy)
        self.bar.setRange(0, 0 if model.fraction is None else 1000)
        self.bar.setValue(round(1000 * (model.fraction or 0)))

    def _cell_changed(self, place: Place) -> None:
        self._cells.show_cell(place)
        if place == self._chosen:
            self._detail_later.start()

    # -- the chosen cell

    def _open(self, index: QModelIndex) -> None:
        self._chosen = self._cells.place(index)
        self._show_detail()
        cell = self._model.cells.get(self._chosen)
        if cell is not None and cell.answer_id is not None:
            self.answer_wanted.emit(cell.answer_id)

    def _show_detail(self) -> None:
        clear(self._detail)
        self._below.setVisible(self._chosen is not None)
        if self._chosen is None:
            return
        view, cell = self._model.view(self._chosen), self._model.cells.get(self._chosen)
        name = next((r.name for r in self._model.rows if r.source_id == self._chosen[1]), "")
        self._detail.addWidget(label(self._chosen[0], "strong", wrap=True))
        place = row(chip_label(view.chip), label(", ".join(filter(None, (name, view.where))), "muted", wrap=True))
        place.setStretch(1, 1)
        self._detail.addLayout(place)
        for words, role in ((view.words, "sentence"), (view.quotation, "quote"), (view.more, "small")):
            if words:
                self._detail.addWidget(selectable(label(_short(words), role, wrap=True)))
        if cell is not None and cell.answer_id is not None:
            review = LinkButton("Open the answer: all its claims, and the decision on each", "", self._theme)
            review.clicked.connect(lambda: self.review_wanted.emit(cell.answer_id))
            again = LinkButton("Ask this again", "The new answer takes the place of this one", self._theme)
            again.setEnabled(self._model.can_fill)
            again.clicked.connect(self._ask_again)
            self._detail.addWidget(review)
            self._detail.addWidget(again)

    def _ask_again(self) -> None:
        if self._chosen is not None:
            self._model.ask_again(self._chosen)

    # -- saving it

    def _choose_target(self) -> None:
        proposed = str(Path.home() / "questions-by-documents.xlsx")
        kinds = "Workbook (*.xlsx);;Plain rows (*.csv)"
        target, kind = QFileDialog.getSaveFileName(self, "Write the table", proposed, kinds)
        if target:
            path = Path(target)
            known = path.suffix.lower() in (".xlsx", ".csv")
            self._model.write(path if known else path.with_name(path.name + (".csv" if "csv" in kind else ".xlsx")))


def _short(words: str) -> str:
    return words if len(words) <= 600 else f"{words[:598].rstrip()} …"
