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
