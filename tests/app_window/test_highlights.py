"""Highlight boxes lie on the words they were made from: pixels of the real view against words of known place."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

MEASURE = Path(__file__).parent.parent / "tools" / "measure_highlights.py"
ZOOMS = (0.5, 1.0, 1.5, 4.0)


CASES = ((0, False, 0), (0, True, 1), (90, True, 0), (180, False, 2), (270, True, 3))
"""/Rotate of the file, a CropBox off the corner, quarter turns of the view."""


@pytest.mark.parametrize("ratio", [1, 2])
def test_highlights_lie_on_their_words(make_pdf: Callable[..., Path], ratio: int) -> None:
    """Each row of a measurement: how much of the word's ink lies under the highlight, and how far the highlight's
    edges lie from where they must, in device pixels."""
    cases = [(str(make_pdf(f"{i}.pdf", rotation, crop)), turns) for i, (rotation, crop, turns) in enumerate(CASES)]
    environment = {**os.environ, "QT_SCALE_FACTOR": str(ratio), "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, str(MEASURE), json.dumps(cases), *map(str, ZOOMS)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    rows: list[dict[str, float]] = json.loads(done.stdout.splitlines()[-1])
    assert [row["zoom"] for row in rows] == list(ZOOMS) * len(CASES)
    for row in rows:
        assert row["ratio"] == ratio
        assert row["ink_inside"] >= 0.98, row
        assert row["edge_error"] <= 1.0, row


def test_fitting_the_width_comes_to_rest_at_any_height(make_pdf: Callable[..., Path], qtbot) -> None:  # type: ignore[no-untyped-def]
    """A page that just fits the height must not make the scroll bar come and go without end."""
    from app.backend.page_worker import OpenDocument
    from app.viewmodels.tokens import LIGHT
    from app.views.page.source import PageSource
    from app.views.page.view import PageView

    source = PageSource()
    source.start()
    view = PageView(source, LIGHT)
    qtbot.addWidget(view)
    view.show()
    source.opened.connect(lambda _: view.show_document())
    source.open(OpenDocument("d", str(make_pdf("a.pdf")), None))
    qtbot.waitUntil(lambda: view.page_count == 2, timeout=20_000)
    for height in range(300, 1500, 7):
        view.resize(320, height)
    assert view.zoom == pytest.approx((view.viewport().width() - 28) / (595 * 4 / 3), abs=0.001)
    source.stop()
