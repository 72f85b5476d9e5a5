"""The frame that all dialogs share."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QInputDialog, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from app.viewmodels.tokens import BASE_POINTS, SPACE
from app.views.widgets import button, frame, label, row


class Dialog(QDialog):
    """A title, a body that scrolls where it must, and a row of buttons with Close at its end."""

    def __init__(self, title: str, parent: QWidget, width: int, height: int) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        room = parent.size()
        grown = max(1.0, self.font().pointSizeF() / BASE_POINTS)
        self.resize(min(round(width * grown), room.width() - 40), min(round(height * grown), room.height() - 40))
        self.body = QVBoxLayout()
        self.body.setContentsMargins(24, 20, 24, 20)
        self.body.setSpacing(SPACE + 2)
        self.body.addWidget(label(title, "title"))
        content = QWidget()
        content.setLayout(self.body)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.verticalScrollBar().setAccessibleName(f"Scroll {title}")
        scroll.setAccessibleName(title)
        scroll.setWidget(content)
        self.close_button = button("Close")
        self.close_button.clicked.connect(self.reject)
        self.buttons = row(None, self.close_button, spacing=SPACE)
        self.buttons.setContentsMargins(24, 12, 24, 14)
        foot = frame("footer")
        foot.setLayout(self.buttons)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(scroll, 1)
        whole.addWidget(foot)

    def section(self, words: str) -> None:
        self.body.addSpacing(SPACE)
        self.body.addWidget(label(words.upper(), "section"))


def ask_secret(parent: QWidget, name: str, words: str, then: Callable[[str], object]) -> None:
    """A password or passphrase, not shown while it is typed; nothing happens where none is given."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(name)
    dialog.setLabelText(words)
    dialog.setTextEchoMode(QLineEdit.EchoMode.Password)
    dialog.textValueSelected.connect(lambda secret: then(secret) if secret else None)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
    field = dialog.findChild(QLineEdit)
    if field is not None:
        field.setAccessibleName(name)
