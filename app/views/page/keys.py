"""The keys of the page view."""

from typing import Protocol

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QScrollBar

ZOOM_STEP = 1.2


class Keyed(Protocol):
    """What the keys move: the page view."""

    @property
    def zoom(self) -> float: ...
    @property
    def copy_wanted(self) -> SignalInstance: ...
    def set_zoom(self, zoom: float) -> None: ...
    def select_page(self) -> None: ...
    def clear_selection(self) -> None: ...
    def verticalScrollBar(self) -> QScrollBar: ...


def command(view: Keyed, event: QKeyEvent) -> bool:
    """Keys with Ctrl. False if the key is none of the view's."""
    key = event.key()
    if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
        view.set_zoom(view.zoom * ZOOM_STEP)
    elif key == Qt.Key.Key_Minus:
        view.set_zoom(view.zoom / ZOOM_STEP)
    elif key == Qt.Key.Key_0:
        view.set_zoom(1.0)
    elif key == Qt.Key.Key_A:
        view.select_page()
    elif key == Qt.Key.Key_C:
        view.copy_wanted.emit(bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
    else:
        return False
    return True


def move(view: Keyed, key: int) -> bool:
    """Keys alone. False if the key is none of the view's."""
    bar = view.verticalScrollBar()
    places = {
        int(Qt.Key.Key_PageDown): bar.value() + bar.pageStep(),
        int(Qt.Key.Key_Space): bar.value() + bar.pageStep(),
        int(Qt.Key.Key_PageUp): bar.value() - bar.pageStep(),
        int(Qt.Key.Key_Home): 0,
        int(Qt.Key.Key_End): bar.maximum(),
    }
    if key == Qt.Key.Key_Escape:
        view.clear_selection()
    elif key in places:
        bar.setValue(places[key])
    else:
        return False
    return True
