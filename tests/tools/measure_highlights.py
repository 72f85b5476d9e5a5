"""Measures a highlight of the real page view against the ink of the word it marks. Prints JSON, one row a case.

``python measure_highlights.py '[["FILE.pdf", QUARTER_TURNS], …]' ZOOM…``; QT_SCALE_FACTOR sets the device ratio.
"""

import json
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

WORD = "terminate"


def word_box(path: str) -> tuple[int, tuple[int, int, int, int]]:
    """Page and box of the only "terminate" of the file, on the displayed page, found by MuPDF itself."""
    from ingest.mupdf import pymupdf
    from verify.domain.geometry import to_units

    with pymupdf.open(path) as document:
        for page in document:
            shown = pymupdf.TextPage(page.get_displaylist(annots=0).get_textpage(0))
            for x0, y0, x1, y1, text, *_ in shown.extractWORDS():
                if text == WORD:
                    return page.number, (to_units(x0), to_units(y0), to_units(x1), to_units(y1))
    raise ValueError("the word is not in the file")


def main() -> None:
    cases, zooms = json.loads(sys.argv[1]), [float(z) for z in sys.argv[2:]]
    from PySide6.QtWidgets import QApplication

    from app.backend.page_worker import OpenDocument
    from app.viewmodels.tokens import LIGHT
    from app.views.page.source import PageSource
    from app.views.page.view import PageView
    from verify.domain.geometry import Box

    application = QApplication([])
    source = PageSource()
    source.start()
    view = PageView(source, LIGHT)
    view.resize(640, 560)
    view.show()
    source.opened.connect(lambda _: view.show_document())
    rows = []
    for number, (path, turns) in enumerate(cases):
        page, edges = word_box(path)
        source.open(OpenDocument(f"d{number}", path, None))
        view.say("")
        _until(application, lambda: view.page_count > 0)
        for _ in range(turns):
            view.rotate()
        for zoom in zooms:
            view.set_zoom(zoom)
            view.reveal(page, Box(*edges))
            _until(application, lambda: view.complete)
            rows.append(_row(view, page, Box(*edges), zoom))
    source.stop()
    print(json.dumps(rows))


def _until(application: object, done: object) -> None:
    end = time.monotonic() + 30
    while not done():  # type: ignore[operator]
        if time.monotonic() > end:
            raise TimeoutError("the page did not come")
        application.processEvents()  # type: ignore[attr-defined]
        time.sleep(0.002)


def _row(view: object, page: int, box: object, zoom: float) -> dict[str, float]:
    from app.views.page.painter import Mark

    view.set_marks(())  # type: ignore[attr-defined]
    plain = _pixels(view)
    view.set_marks((Mark(page, box, active=False),))  # type: ignore[attr-defined,arg-type]
    marked = _pixels(view)
    ratio = view.devicePixelRatioF()  # type: ignore[attr-defined]
    place = view.box_rect(page, box)  # type: ignore[attr-defined]
    left, top = place.x() * ratio, place.y() * ratio
    right, bottom = left + place.width() * ratio, top + place.height() * ratio
    changed = (abs(plain.astype(int) - marked.astype(int)).sum(axis=2)) > 12
    rows, columns = changed.nonzero()
    edges = (columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    error = max(abs(a - b) for a, b in zip(edges, (left, top, right, bottom), strict=True))
    # the word's ink: dark pixels in a box half a line larger, which touches no other line of this file
    margin = 3 * ratio * zoom
    y0, y1 = int(max(top - margin, 0)), int(bottom + margin)
    x0, x1 = int(max(left - 1.5 * ratio * zoom, 0)), int(right + 1.5 * ratio * zoom)
    dark = plain[y0:y1, x0:x1].max(axis=2) < 110
    inside = changed[y0:y1, x0:x1] | _black(plain[y0:y1, x0:x1], y0, x0, left, top, right, bottom)
    return {
        "zoom": zoom,
        "ratio": ratio,
        "ink_inside": float((dark & inside).sum() / max(dark.sum(), 1)),
        "edge_error": float(error),
    }


def _black(part: object, y0: int, x0: int, left: float, top: float, right: float, bottom: float) -> object:
    """Multiplying leaves black black, so ink counts as marked where the filled box holds it."""
    import numpy as np

    ys, xs = np.indices(part.shape[:2])  # type: ignore[attr-defined]
    return (xs + x0 >= left - 0.5) & (xs + x0 < right + 0.5) & (ys + y0 >= top - 0.5) & (ys + y0 < bottom + 0.5)


def _pixels(view: object) -> object:
    import numpy as np
    from PySide6.QtGui import QImage

    image = view.viewport().grab().toImage().convertToFormat(QImage.Format.Format_RGB888)  # type: ignore[attr-defined]
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : image.width() * 3].reshape(image.height(), image.width(), 3).copy()


if __name__ == "__main__":
    main()
