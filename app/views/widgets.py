"""Small parts that every pane uses. Each control gets its name and its hint where it is made."""

from collections.abc import Sequence
from html import escape
from typing import TypeVar

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QKeySequence, QPainter, QPaintEvent, QPalette, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.viewmodels.tokens import SPACE
from app.viewmodels.wording import Chip
from app.views.theme import Theme

L = TypeVar("L", bound=QBoxLayout)


def label(words: str, role: str = "", wrap: bool = False) -> QLabel:
    made = QLabel(words)
    made.setTextFormat(Qt.TextFormat.PlainText)  # a document's words are never markup
    if role:
        made.setProperty("role", role)
    if wrap:
        made.setWordWrap(True)
        made.setMinimumWidth(40)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        made.setSizePolicy(policy)
    return made


class LineLabel(QLabel):
    """One line that is shortened where the room ends; the whole is its tool tip."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, self.width())
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


def selectable(made: QLabel) -> QLabel:
    """Lets its words be selected and copied, with the pointer and from the keyboard."""
    made.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    made.setAccessibleName(made.text())
    return made


def mark(made: QLabel, places: Sequence[tuple[int, int]]) -> None:
    """Underlines stretches of a label's words, by offsets that are half-open. Its accessible name stays as it is."""
    words, at, shown = made.text(), 0, ""
    for start, end in sorted(places):
        if start >= at:
            shown += f"{escape(words[at:start])}<u>{escape(words[start:end])}</u>"
            at = end
    if shown:
        made.setTextFormat(Qt.TextFormat.RichText)
        made.setText(shown + escape(words[at:]))


def chip_label(chip: Chip, quiet: bool = False) -> QLabel:
    made = label(chip.words if quiet else chip.shown, "quietchip" if quiet else "chip")
    made.setProperty("tone", chip.tone)
    made.setToolTip(chip.hint)
    made.setAccessibleName(chip.words)
    made.setAccessibleDescription(chip.hint)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return made


def button(words: str, role: str = "", hint: str = "") -> QPushButton:
    made = QPushButton(words)
    made.setAutoDefault(False)
    made.setAccessibleName(words.replace("&", "").rstrip("…"))
    if role:
        made.setProperty("role", role)
    if hint:
        made.setToolTip(hint)
        made.setAccessibleDescription(hint)
    return made


class ToolButton(QToolButton):
    """A picture with a name; the picture follows the theme."""

    def __init__(self, theme: Theme, picture: str, name: str, keys: str = "", checkable: bool = False) -> None:
        super().__init__()
        self._theme, self._picture = theme, picture
        self.setProperty("role", "tool")
        self.setAccessibleName(name)
        self.setToolTip(f"{name} ({QKeySequence(keys).toString()})" if keys else name)
        self.setCheckable(checkable)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._paint()
        theme.changed.connect(self._paint)

    def set_picture(self, picture: str, name: str) -> None:
        self._picture = picture
        self.setAccessibleName(name)
        self.setToolTip(name)
        self._paint()

    def _paint(self) -> None:
        self.setIcon(self._theme.icon(self._picture))
        side = min(self._theme.pixels(18), 32)
        self.setIconSize(QSize(side, side))


def row(*parts: QWidget | int | None, spacing: int = SPACE, margins: int = 0) -> QHBoxLayout:
    """Side by side; None stretches, a number is a gap in pixels."""
    return _filled(QHBoxLayout(), parts, spacing, margins)


def column(*parts: QWidget | QLayout | int | None, spacing: int = SPACE, margins: int = 0) -> QVBoxLayout:
    return _filled(QVBoxLayout(), parts, spacing, margins)


def _filled(layout: L, parts: tuple[QWidget | QLayout | int | None, ...], spacing: int, margins: int) -> L:
    layout.setSpacing(spacing)
    layout.setContentsMargins(margins, margins, margins, margins)
    for part in parts:
        if part is None:
            layout.addStretch(1)
        elif isinstance(part, int):
            layout.addSpacing(part)
        elif isinstance(part, QWidget):
            layout.addWidget(part)
        else:
            layout.addLayout(part)
    return layout


def frame(role: str, tone: str = "") -> QFrame:
    """As high as what is in it, never higher."""
    made = QFrame()
    made.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
    made.setProperty("role", role)
    if tone:
        made.setProperty("tone", tone)
    return made


def notice(words: str, tone: str, picture: str, theme: Theme, title: str = "") -> QFrame:
    """A bordered remark; the picture says the tone without colour."""
    made = frame("notice", tone)
    sign = QLabel()
    colour = theme.tokens.bad if tone == "bad" else theme.tokens.warn if tone == "warn" else theme.tokens.muted
    sign.setPixmap(theme.icon(picture, colour).pixmap(18, 18))
    sign.setAlignment(Qt.AlignmentFlag.AlignTop)
    texts = column(spacing=2)
    if title:
        head = label(title, "strong", wrap=True)
        texts.addWidget(head)
    texts.addWidget(selectable(label(words, wrap=True)))
    inside = row(sign, spacing=SPACE)
    inside.addLayout(texts, 1)
    inside.setContentsMargins(10, 8, 10, 8)
    made.setLayout(inside)
    return made


def retone(widget: QWidget, name: str, value: object) -> None:
    """Sets a property that the style sheet looks at, and has it looked at again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def make_room(split: QSplitter, place: int, wanted: int) -> None:
    """Widens the part at ``place`` to ``wanted`` pixels, as far as the one after it can spare them."""
    sizes, after = split.sizes(), split.widget(place + 1)
    least = 0 if after is None else max(after.minimumWidth(), after.minimumSizeHint().width())
    more = max(0, min(wanted - sizes[place], sizes[place + 1] - least))
    sizes[place], sizes[place + 1] = sizes[place] + more, sizes[place + 1] - more
    split.setSizes(sizes)


def clear(layout: QLayout) -> None:
    """Takes everything out of a layout and deletes it."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif inner is not None:
            clear(inner)


class LinkButton(QAbstractButton):
    """Words that are pressed, over as many lines as they need."""

    PADDING = 3

    def __init__(self, words: str, hint: str, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setText(words)
        self.setAccessibleName(words)
        self.setAccessibleDescription(hint)
        self.setToolTip(hint)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        room = QRect(0, 0, max(width - 2 * self.PADDING, 40), 10_000)
        return self._bounds(room).height() + 2 * self.PADDING

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self.text()) + 2 * self.PADDING
        return QSize(width, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(60, self.fontMetrics().height() + 2 * self.PADDING)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        tokens = self._theme.tokens
        painter.setPen(QColor(tokens.accent if self.isEnabled() else tokens.muted))
        font = self.font()
        font.setUnderline(self.underMouse() and self.isEnabled())
        painter.setFont(font)
        room = self.rect().adjusted(self.PADDING, self.PADDING, -self.PADDING, -self.PADDING)
        painter.drawText(room, _WRAPPED, self.text())
        if self.hasFocus():
            painter.setPen(QPen(QColor(tokens.accent), 2))
            painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), 4, 4)

    def _bounds(self, room: QRect) -> QRect:
        return self.fontMetrics().boundingRect(room, _WRAPPED, self.text())


_WRAPPED = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap)


class Folded(QWidget):
    """A line that says how many, and opens on their names when pressed."""

    def __init__(self, words: str, names: Sequence[str], hint: str, theme: Theme) -> None:
        super().__init__()
        self.opener = LinkButton(words, hint, theme)
        self.names = selectable(label("\n".join(names), "muted", wrap=True))
        self.names.hide()
        self.opener.clicked.connect(lambda: self.names.setVisible(self.names.isHidden()))
        self.setLayout(column(self.opener, self.names, spacing=4))
