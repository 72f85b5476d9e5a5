"""The left pane: the folder, its documents, how its reading goes, and past questions."""

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QLineEdit, QProgressBar, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.viewmodels.cards import day
from app.viewmodels.matter import MatterModel, Reading
from app.viewmodels.tokens import SPACE
from app.views.lists import Line, LineList
from app.views.theme import Theme
from app.views.widgets import LineLabel, LinkButton, ToolButton, button, clear, column, frame, label, row

ROWS_MS = 150


class MatterPane(QWidget):
    """``folder_wanted``: the person asks for the folder dialog; ``folder_dropped``: dropped one here. ``class_wanted``:
    open this access class, whose documents are not listed."""

    folder_wanted = Signal()
    sample_wanted = Signal()
    folder_dropped = Signal(Path)
    source_chosen = Signal(str)
    answer_chosen = Signal(str)
    class_wanted = Signal(str)

    def __init__(self, model: MatterModel, theme: Theme) -> None:
        super().__init__()
        self._model, self._theme = model, theme
        self.setProperty("role", "pane")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAcceptDrops(True)
        theme.changed.connect(lambda: self.setMinimumWidth(min(theme.pixels(220), 380)))
        self.setMinimumWidth(220)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._empty())
        self._stack.addWidget(self._full(theme))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._stack)
        model.opened.connect(self._show_matter)
        self._rows_later = QTimer(self, singleShot=True, interval=ROWS_MS)
        self._rows_later.timeout.connect(self._show_rows)
        model.changed.connect(self._rows_changed)
        model.answers_changed.connect(self._show_answers)
        model.progressed.connect(self._show_progress)
        self._show_matter()

    def _empty(self) -> QWidget:
        page = QWidget()
        words = label("Open a folder of documents to begin. It is only ever read, never changed.", "muted", wrap=True)
        words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        title = label("No matter open", "heading")
        title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.open_button = button("Open a folder…", "primary")
        self.open_button.clicked.connect(self.folder_wanted)
        self.sample_button = button("Try the sample matter")
        self.sample_button.clicked.connect(self.sample_wanted)
        hint = label("or drop a folder here", "small")
        hint.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        page.setLayout(
            column(None, title, words, SPACE, self.open_button, self.sample_button, hint, None, None, margins=20)
        )
        return page

    def _full(self, theme: Theme) -> QWidget:
        page = QWidget()
        self.name = LineLabel("heading")
        self.summary = LineLabel("small")
        self.change_button = ToolButton(theme, "folder", "Open another folder", "Ctrl+O")
        self.change_button.clicked.connect(self.folder_wanted)
        first = row(self.name, self.change_button)
        first.setStretch(0, 1)
        head = column(first, self.summary, spacing=2)
        head.setContentsMargins(16, 12, 10, 10)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter documents")
        self.filter.setAccessibleName("Filter documents")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._model.set_filter)
        box = row(self.filter)
        box.setContentsMargins(12, 0, 12, 8)
        self.documents = LineList(theme, "Documents")
        self.documents.activated_key.connect(self.source_chosen)
        self.nothing = label("", "muted", wrap=True)
        self.nothing.setContentsMargins(16, 4, 16, 4)
        upper = QWidget()
        self.classes = QVBoxLayout()
        self.classes.setContentsMargins(12, 0, 12, 4)
        listing = column(head, self._progress(theme), box, self.classes, self.nothing, self.documents, spacing=0)
        listing.setStretch(5, 1)
        upper.setLayout(listing)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(upper)
        split.addWidget(self._history(theme))
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 1)
        page.setLayout(column(split, spacing=0))
        return page

    def _progress(self, theme: Theme) -> QWidget:
        self.progress = frame("notice")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Reading the folder")
        self.progress_words = label("", "small", wrap=True)
        self.pause_button = ToolButton(theme, "pause", "Pause reading")
        self.pause_button.clicked.connect(self._pause_or_go_on)
        self.cancel_button = ToolButton(theme, "close", "Stop reading")
        self.cancel_button.clicked.connect(self._model.cancel)
        words = row(self.progress_words, self.pause_button, self.cancel_button, spacing=2)
        words.setStretch(0, 1)
        inside = column(words, self.bar, spacing=4)
        inside.setContentsMargins(10, 6, 6, 10)
        self.progress.setLayout(inside)
        holder = QWidget()
        around = row(self.progress)
        around.setContentsMargins(12, 0, 12, 10)
        holder.setLayout(around)
        self._progress_holder = holder
        return holder

    def _history(self, theme: Theme) -> QWidget:
        page = QWidget()
        title = label("PAST QUESTIONS", "section")
        title.setContentsMargins(16, 10, 16, 2)
        self.no_history = label("Questions that you ask are kept here.", "muted", wrap=True)
        self.no_history.setContentsMargins(16, 4, 16, 4)
        self.history = LineList(theme, "Past questions", Qt.TextElideMode.ElideRight)
        self.history.activated_key.connect(self.answer_chosen)
        listing = column(title, self.no_history, self.history, spacing=0)
        listing.addStretch(0)
        page.setLayout(listing)
        return page

    def _show_matter(self) -> None:
        root = self._model.root
        self._stack.setCurrentIndex(0 if root is None else 1)
        if root is not None:
            self.name.setText(root.name or str(root))
            self.name.setToolTip(str(root))
            self.filter.clear()

    def _rows_changed(self) -> None:
        """At once, but not for every document of a folder that is being read."""
        if self._model.reading.state is Reading.RUNNING:
            if not self._rows_later.isActive():
                self._rows_later.start()
        else:
            self._show_rows()

    def _show_rows(self) -> None:
        rows = self._model.rows
        self.documents.set_lines(
            tuple(Line(r.source_id, r.name, r.words, r.kind, r.tone, f"{r.path}\n{r.words}") for r in rows)
        )
        self.summary.setText(self._model.summary)
        self.summary.setToolTip(self._model.summary)
        self._show_nothing()

    def _show_nothing(self) -> None:
        """Why the list is empty, where it is."""
        empty, none = self._model.shows_none, ""
        if empty and self._model.filter:
            none = "No document's name holds these words."
        elif empty and self._model.was_read:
            none = "This folder holds no documents that can be read."
        self.nothing.setText(none)
        self.nothing.setVisible(bool(none))

    def _show_classes(self) -> None:
        clear(self.classes)
        for name in self._model.closed_classes:
            hint = "Documents of this class are not listed or searched until its passphrase is given"
            link = LinkButton(f"Closed class “{name}”: open it…", hint, self._theme)
            link.clicked.connect(lambda _=False, name=name: self.class_wanted.emit(name))
            self.classes.addWidget(link)

    def _show_answers(self) -> None:
        self._show_classes()
        answers = self._model.answers
        self.history.set_lines(
            tuple(
                Line(
                    a.answer_id,
                    a.question,
                    f"{day(a.at)}, {f'{a.decided} of {a.claims} decided' if a.claims else 'no answer found'}",
                    "note",
                    hint=a.question,
                )
                for a in answers
            )
        )
        self.no_history.setVisible(not answers)
        self.history.setVisible(bool(answers))

    def _show_progress(self) -> None:
        reading = self._model.reading
        self._progress_holder.setVisible(reading.state is not Reading.IDLE)
        self.progress_words.setText(reading.words)
        if reading.fraction is None:
            self.bar.setRange(0, 0 if reading.state is Reading.RUNNING else 1)
        else:
            self.bar.setRange(0, 1000)
            self.bar.setValue(round(reading.fraction * 1000))
        paused = reading.state is Reading.PAUSED
        self.pause_button.set_picture("play" if paused else "pause", "Go on reading" if paused else "Pause reading")
        self.pause_button.setEnabled(reading.state is not Reading.STOPPING)
        if reading.state is Reading.RUNNING:
            self._show_nothing()
        else:
            self._show_rows()

    def _pause_or_go_on(self) -> None:
        if self._model.reading.state is Reading.PAUSED:
            self._model.read()
        else:
            self._model.pause()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _folder_of(event) is not None:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        folder = _folder_of(event)
        if folder is not None:
            event.acceptProposedAction()
            self.folder_dropped.emit(folder)


def _folder_of(event: QDropEvent) -> Path | None:
    """The one local folder that is dragged; of a file, the folder it lies in."""
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
    if len(paths) != 1:
        return None
    return paths[0] if paths[0].is_dir() else paths[0].parent if paths[0].is_file() else None
