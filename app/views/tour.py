"""Three steps that show a new user the three panes. It can be left at any moment."""

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.views.theme import Theme
from app.views.widgets import button, column, label, row

STEPS = (
    ("Your documents", "Open or drop a folder here. It is read in the background and never changed. Questions can be "
     "asked as soon as the first document is ready."),
    ("Questions and claims", "Ask in plain words. Each sentence of the answer names its page, and its exact words were "
     "checked there. Accept, reject or mark it with A, R and W."),
    ("The evidence", "The page itself, with the exact words marked. Enter opens it from a claim. Look here before you "
     "rely on anything."),
)  # fmt: skip


class Tour(QFrame):
    """Lies over the window, beside the pane that it speaks of."""

    finished = Signal()

    def __init__(self, over: QWidget, theme: Theme, panes: tuple[QWidget, QWidget, QWidget]) -> None:
        super().__init__(over)
        self._over, self._panes, self._theme = over, panes, theme
        self._step = 0
        self.setProperty("role", "tour")
        self.setAccessibleName("Tour")
        self._count = label("", "section")
        self._title = label("", "heading")
        self._words = label("", wrap=True)
        self._next = button("Next", "primary")
        self._skip = button("Skip the tour")
        self._next.clicked.connect(self.step)
        self._skip.clicked.connect(self.end)
        inside = column(
            self._count, self._title, self._words, 10, row(self._skip, None, self._next), spacing=6, margins=18
        )
        inside.addStretch(1)
        self.setLayout(inside)
        self.hide()
        over.installEventFilter(self)

    def start(self) -> None:
        self._step = 0
        self.show()
        self.raise_()
        self._show_step()
        self._next.setFocus()

    def step(self) -> None:
        if self._step + 1 < len(STEPS):
            self._step += 1
            self._show_step()
        else:
            self.end()

    def end(self) -> None:
        if self.isVisible():
            self.hide()
            self.finished.emit()

    def place(self) -> None:
        """Inside its pane, in the upper part; always whole within the window."""
        pane = self._panes[self._step]
        width = min(self._theme.pixels(340), self._over.width() - 40)
        layout = self.layout()
        height = layout.totalHeightForWidth(width) if layout is not None else 0
        self.setFixedSize(width, height)
        corner = pane.mapTo(self._over, QPoint(28, 150))
        x = min(corner.x(), self._over.width() - self.width() - 20)
        y = min(corner.y(), self._over.height() - self.height() - 20)
        self.move(max(x, 20), max(y, 20))

    def _show_step(self) -> None:
        title, words = STEPS[self._step]
        self._count.setText(f"STEP {self._step + 1} OF {len(STEPS)}")
        self._title.setText(title)
        self._words.setText(words)
        self._next.setText("Done" if self._step + 1 == len(STEPS) else "Next")
        self.setAccessibleDescription(f"{title}. {words}")
        self.place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.end()
            return
        super().keyPressEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self.place()
        return False
