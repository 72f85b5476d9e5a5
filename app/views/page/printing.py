"""A page on paper: as it is drawn, its marks over it, and below them where it comes from."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.backend.page_worker import Tile
from verify.domain.geometry import Box

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

DPI = 200
"""Of the picture that is printed: body text is sharp at it, and a page stays under 15 MB."""
_CAPTION_POINTS = 8
_CAPTION_LINES = 2.5


def marked_picture(tile: Tile, width: int, boxes: Sequence[Box], colour: str) -> QImage:
    """The page's picture with the boxes (1/100 pt of a page ``width`` wide) marked as with a pen: words stay black."""
    drawn = QImage(tile.samples, tile.width, tile.height, tile.width * 3, QImage.Format.Format_RGB888)
    image = drawn.convertToFormat(QImage.Format.Format_RGB32)
    scale = tile.width / width
    painter = QPainter(image)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
    for x0, y0, x1, y1 in boxes:
        painter.fillRect(QRectF(x0 * scale, y0 * scale, (x1 - x0) * scale, (y1 - y0) * scale), QColor(colour))
    painter.end()
    return image


def print_picture(printer: "QPrinter", image: QImage, caption: str) -> bool:
    """As large as the paper allows, with the caption below; False if the printer does not take it."""
    painter = QPainter()
    if not painter.begin(printer):
        return False
    paper = QRectF(painter.viewport())
    font = painter.font()
    font.setPointSize(_CAPTION_POINTS)
    painter.setFont(font)
    foot = _CAPTION_LINES * painter.fontMetrics().lineSpacing()
    room = paper.adjusted(0, 0, 0, -foot)
    size = image.size().scaled(room.size().toSize(), Qt.AspectRatioMode.KeepAspectRatio)
    place = QRectF(room.x() + (room.width() - size.width()) / 2, room.y(), size.width(), size.height())
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(place, image)
    below = QRectF(paper.x(), paper.bottom() - foot, paper.width(), foot)
    painter.drawText(below, int(Qt.AlignmentFlag.AlignBottom | Qt.TextFlag.TextWrapAnywhere), caption)
    return bool(painter.end())
