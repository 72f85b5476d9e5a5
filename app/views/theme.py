"""Tokens made visible: palette, style sheet, icons, fonts. Light or dark as the system says, or as the person chose."""

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from app.viewmodels.tokens import BASE_POINTS, DARK, LIGHT, RADIUS, Tokens

TEXT_SCALES = (100, 115, 130, 150, 175, 200)
_PREFERRED = ("Segoe UI", "Inter", "Noto Sans", "Cantarell", "Helvetica Neue")
"""Families that read well small; where none is there, the system's own."""
_SERIF = ("Georgia", "Charter", "Noto Serif", "Source Serif 4", "DejaVu Serif", "Liberation Serif")


class Theme(QObject):
    """The one object that views ask for colours. ``changed`` follows a change of the system's or a person's choice."""

    changed = Signal()

    def __init__(self, application: QApplication, choice: str, text_scale: int, highlight: str) -> None:
        super().__init__(application)
        self._application = application
        self.choice, self.text_scale, self.highlight = choice, text_scale, highlight
        self.tokens = LIGHT
        application.setStyle("Fusion")
        application.styleHints().colorSchemeChanged.connect(self._system_changed)
        self.apply()

    def choose(self, choice: str, text_scale: int, highlight: str) -> None:
        self.choice, self.text_scale, self.highlight = choice, text_scale, highlight
        self.apply()

    def apply(self) -> None:
        dark = self.choice == "dark" or (
            self.choice == "system" and self._application.styleHints().colorScheme() == Qt.ColorScheme.Dark
        )
        self.tokens = DARK if dark else LIGHT
        self._application.setFont(self.font(1.0))
        self._application.setPalette(_palette(self.tokens))
        self._application.setStyleSheet(style_sheet(self.tokens, self.text_scale))
        self.changed.emit()

    def font(self, factor: float, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
        """``factor`` times the text's base size, scaled as the person chose."""
        font = QFont(_family(_PREFERRED) or self._application.font().family())
        font.setPointSizeF(BASE_POINTS * self.text_scale / 100 * factor)
        font.setWeight(weight)
        return font

    def icon(self, name: str, colour: str | None = None) -> QIcon:
        return icon(name, colour or self.tokens.text, self.tokens.muted)

    def pixels(self, at_full_size: int) -> int:
        """A measure that grows with the text."""
        return round(at_full_size * self.text_scale / 100)

    def _system_changed(self) -> None:
        if self.choice == "system":
            self.apply()


@lru_cache
def _family(wanted: tuple[str, ...]) -> str | None:
    present = set(QFontDatabase.families())
    return next((family for family in wanted if family in present), None)


@lru_cache(maxsize=512)
def icon(name: str, colour: str, disabled: str) -> QIcon:
    """One of ``resources/icons``, in a colour."""
    made = QIcon()
    for shade, mode in ((colour, QIcon.Mode.Normal), (disabled, QIcon.Mode.Disabled)):
        for side in (16, 20, 32, 40):
            made.addPixmap(_pixmap(name, shade, side), mode)
    return made


def _path(name: str) -> str:
    """Of an icon, for the style sheet, which wants slashes on every system."""
    return Path(str(files("app") / "resources" / "icons" / f"{name}.svg")).as_posix()


def _pixmap(name: str, colour: str, side: int) -> QPixmap:
    drawing = (files("app") / "resources" / "icons" / f"{name}.svg").read_text("utf-8").replace("#000000", colour)
    pixmap = QPixmap(QSize(side, side))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(0, 0, side, side))
    painter.end()
    return pixmap


def _palette(t: Tokens) -> QPalette:
    palette = QPalette()
    for role, colour in (
        (QPalette.ColorRole.Window, t.window),
        (QPalette.ColorRole.WindowText, t.text),
        (QPalette.ColorRole.Base, t.panel),
        (QPalette.ColorRole.AlternateBase, t.raised),
        (QPalette.ColorRole.Text, t.text),
        (QPalette.ColorRole.Button, t.panel),
        (QPalette.ColorRole.ButtonText, t.text),
        (QPalette.ColorRole.ToolTipBase, t.panel),
        (QPalette.ColorRole.ToolTipText, t.text),
        (QPalette.ColorRole.PlaceholderText, t.muted),
        (QPalette.ColorRole.Highlight, t.accent),
        (QPalette.ColorRole.HighlightedText, t.on_accent),
        (QPalette.ColorRole.Link, t.accent),
        (QPalette.ColorRole.Mid, t.border),
        (QPalette.ColorRole.Dark, t.control_border),
    ):
        palette.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(t.muted))
    return palette


def style_sheet(t: Tokens, scale: int) -> str:
    """Named by object names and by the ``role`` and ``tone`` properties that views set."""

    def points(factor: float) -> str:
        return f"{BASE_POINTS * scale / 100 * factor:.2f}pt"

    serif = _family(_SERIF) or "serif"
    return f"""
* {{ outline: none; }}
QWidget {{ color: {t.text}; }}
QMainWindow, QDialog {{ background: {t.window}; }}
QToolTip {{ color: {t.text}; background: {t.panel}; border: 1px solid {t.control_border}; padding: 4px 6px; }}
QSplitter::handle {{ background: {t.border}; }}
QSplitter::handle:hover {{ background: {t.accent}; }}
QFrame[role="header"] {{ background: {t.panel}; border-bottom: 1px solid {t.border}; }}
QWidget[role="pane"] {{ background: {t.panel}; }}
QWidget[role="answers"] {{ background: {t.window}; }}
QFrame[role="bar"] {{ background: {t.panel}; border-bottom: 1px solid {t.border}; }}
QFrame[role="strip"] {{ background: {t.raised}; border-bottom: 1px solid {t.border}; }}
QFrame[role="strip"][tone="bad"] {{ background: {t.bad_ground}; border-bottom: 1px solid {t.bad}; }}
QFrame[role="strip"][tone="bad"] QLabel {{ color: {t.bad}; }}
QFrame[role="footer"] {{ background: {t.panel}; border-top: 1px solid {t.border}; }}
QFrame[role="tour"] {{ background: {t.panel}; border: 2px solid {t.accent}; border-radius: {RADIUS + 2}px; }}
QFrame[role="rule"] {{ background: {t.border}; max-height: 1px; min-height: 1px; border: none; }}

QLabel[role="brand"] {{ font-size: {points(1.2)}; font-weight: 600; }}
QLabel[role="title"] {{ font-size: {points(1.35)}; font-weight: 600; }}
QLabel[role="answer"] {{ font-size: {points(1.5)}; font-weight: 600; }}
QLabel[role="heading"] {{ font-size: {points(1.1)}; font-weight: 600; }}
QLabel[role="section"] {{ color: {t.muted}; font-size: {points(0.9)}; font-weight: 600; }}
QLabel[role="muted"] {{ color: {t.muted}; }}
QLabel[role="small"] {{ color: {t.muted}; font-size: {points(0.9)}; }}
QLabel[role="sentence"] {{ font-size: {points(1.08)}; }}
QLabel[role="quote"] {{ font-family: "{serif}"; font-size: {points(1.0)}; color: {t.text};
    border-left: 3px solid {t.border}; padding: 2px 0 2px 10px; }}
QLabel[role="strong"] {{ font-weight: 600; }}
QLabel[role="number"] {{ color: {t.muted}; font-weight: 600; }}
QLabel[role="mono"] {{ font-family: monospace; font-size: {points(0.92)}; color: {t.muted}; }}
QLabel[role="command"] {{ font-family: monospace; font-size: {points(0.95)}; color: {t.text};
    background: {t.raised}; border: 1px solid {t.border}; border-radius: 4px; padding: 4px 8px; }}
QLabel[role="key"] {{ font-family: monospace; background: {t.raised}; border: 1px solid {t.control_border};
    border-radius: 4px; padding: 1px 7px; }}
QLabel[role="error"] {{ color: {t.bad}; }}

QLabel[role="chip"] {{ border-radius: {RADIUS + 3}px; padding: 2px 9px; font-size: {points(0.9)}; font-weight: 600; }}
QLabel[role="quietchip"] {{ border-radius: {RADIUS + 3}px; padding: 1px 8px; font-size: {points(0.9)};
    border: 1px solid {t.border}; color: {t.muted}; }}
QLabel[role="chip"][tone="good"] {{ color: {t.good}; background: {t.good_ground}; }}
QLabel[role="chip"][tone="warn"] {{ color: {t.warn}; background: {t.warn_ground}; }}
QLabel[role="chip"][tone="bad"] {{ color: {t.bad}; background: {t.bad_ground}; }}
QLabel[role="chip"][tone="quiet"] {{ color: {t.quiet}; background: {t.quiet_ground}; }}
QLabel[role="quietchip"][tone="bad"] {{ color: {t.bad}; border-color: {t.bad}; }}
QFrame[role="notice"] {{ border-radius: {RADIUS}px; border: 1px solid {t.border}; background: {t.raised}; }}
QFrame[role="notice"][tone="warn"] {{ background: {t.warn_ground}; border: 1px solid {t.warn}; }}
QFrame[role="notice"][tone="bad"] {{ background: {t.bad_ground}; border: 1px solid {t.bad}; }}
QFrame[role="notice"][tone="warn"] QLabel {{ color: {t.warn}; }}
QFrame[role="notice"][tone="bad"] QLabel {{ color: {t.bad}; }}

QFrame[role="card"] {{ background: {t.panel}; border: 1px solid {t.border}; border-radius: {RADIUS + 2}px; }}
QFrame[role="card"][chosen="true"] {{ border: 2px solid {t.accent}; }}

QPushButton, QToolButton {{ background: {t.panel}; border: 1px solid {t.control_border}; border-radius: {RADIUS}px;
    padding: 5px 12px; }}
QPushButton:hover, QToolButton:hover {{ background: {t.hover}; }}
QPushButton:focus, QToolButton:focus {{ border: 2px solid {t.accent}; padding: 4px 11px; }}
QPushButton:disabled, QToolButton:disabled {{ color: {t.muted}; border-color: {t.border}; background: {t.raised}; }}
QPushButton[role="primary"] {{ background: {t.accent}; color: {t.on_accent}; border-color: {t.accent};
    font-weight: 600; }}
QPushButton[role="primary"]:hover {{ background: {t.accent}; border: 2px solid {t.text}; padding: 4px 11px; }}
QPushButton[role="primary"]:focus {{ border: 2px solid {t.text}; }}
QPushButton[role="primary"]:disabled {{ background: {t.quiet_ground}; color: {t.quiet}; border-color: {t.border}; }}
QPushButton[role="danger"] {{ color: {t.bad}; border-color: {t.bad}; }}
QPushButton[role="link"] {{ background: transparent; border: none; color: {t.accent}; padding: 2px 4px;
    text-align: left; }}
QPushButton[role="link"]:hover {{ text-decoration: underline; }}
QPushButton[role="link"]:focus {{ border: 2px solid {t.accent}; padding: 0 2px; }}
QPushButton[role="link"]:disabled {{ color: {t.muted}; }}
QToolButton[role="tool"] {{ background: transparent; border: 1px solid transparent; padding: 4px; }}
QToolButton[role="tool"]:hover {{ background: {t.hover}; }}
QToolButton[role="tool"]:checked {{ background: {t.accent_ground}; border-color: {t.accent}; }}
QToolButton[role="tool"]:focus {{ border: 2px solid {t.accent}; padding: 3px; }}
QPushButton[role="decision"] {{ padding: 3px 10px; font-size: {points(0.95)}; }}
QPushButton[role="decision"]:focus {{ padding: 2px 9px; }}
QPushButton[role="decision"]:checked {{ font-weight: 600; }}
QPushButton[role="decision"][tone="good"]:checked {{ color: {t.good}; background: {t.good_ground};
    border-color: {t.good}; }}
QPushButton[role="decision"][tone="bad"]:checked {{ color: {t.bad}; background: {t.bad_ground};
    border-color: {t.bad}; }}
QPushButton[role="decision"][tone="warn"]:checked {{ color: {t.warn}; background: {t.warn_ground};
    border-color: {t.warn}; }}
QPushButton[role="badge"] {{ border: 1px solid {t.border}; border-radius: 11px; padding: 3px 10px;
    color: {t.good}; background: {t.good_ground}; font-size: {points(0.92)}; }}
QPushButton[role="badge"][tone="bad"] {{ color: {t.bad}; background: {t.bad_ground}; border-color: {t.bad};
    font-weight: 600; }}
QPushButton[role="badge"]:focus {{ border: 2px solid {t.accent}; padding: 2px 9px; }}

QLineEdit, QPlainTextEdit, QComboBox, QSpinBox {{ background: {t.panel}; border: 1px solid {t.control_border};
    border-radius: {RADIUS}px; padding: 5px 8px; selection-background-color: {t.accent};
    selection-color: {t.on_accent}; }}
QLineEdit:focus, QPlainTextEdit:focus, QComboBox:focus, QSpinBox:focus {{ border: 2px solid {t.accent};
    padding: 4px 7px; }}
QComboBox::drop-down {{ border: none; width: 24px; }}
QComboBox::down-arrow {{ image: url("{_path("down")}"); width: 12px; height: 12px; }}
QComboBox QAbstractItemView {{ background: {t.panel}; border: 1px solid {t.control_border};
    selection-background-color: {t.accent_ground}; selection-color: {t.text}; }}
QListView, QTableView, QTreeView {{ background: {t.panel}; border: none; }}
QListView:focus, QTableView:focus {{ border: none; }}
QHeaderView::section {{ background: {t.raised}; color: {t.muted}; border: none; border-bottom: 1px solid {t.border};
    padding: 6px 8px; font-weight: 600; }}
QScrollArea {{ border: none; background: transparent; }}
QProgressBar {{ border: none; border-radius: 3px; background: {t.quiet_ground}; max-height: 6px; min-height: 6px; }}
QProgressBar::chunk {{ background: {t.accent}; border-radius: 3px; }}
QCheckBox::indicator {{ width: 15px; height: 15px; border: 1px solid {t.control_border}; border-radius: 4px;
    background: {t.panel}; }}
QCheckBox::indicator:checked {{ background: {t.accent}; border-color: {t.accent};
    image: url("{_path(f"check_{t.name}")}"); }}
QCheckBox:focus {{ color: {t.accent}; text-decoration: underline; }}
QCheckBox::indicator:focus {{ border: 2px solid {t.text}; }}
QMenu {{ background: {t.panel}; border: 1px solid {t.control_border}; padding: 4px; }}
QMenu::item {{ padding: 5px 22px 5px 14px; border-radius: 4px; }}
QMenu::item:selected {{ background: {t.accent_ground}; color: {t.text}; }}
QMenu::item:disabled {{ color: {t.muted}; }}
QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; }}
QScrollBar::handle {{ background: {t.control_border}; border-radius: 4px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: 32px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""
