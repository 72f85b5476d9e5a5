"""The keys of the page view."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

if TYPE_CHECKING:
    from app.views.page.view import PageView

ZOOM_STEP = 1.2


def command(view: "PageView", event: QKeyEvent) -> bool:
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


def move(view: "PageView", key: int) -> bool:
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
