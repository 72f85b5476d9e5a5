"""The window as a person works it, from a first start to an exported bundle and a filled table, on a display."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

REPO = Path(__file__).parent.parent.parent
STEPS = ("first-run", "answer", "noted", "find", "no-answer", "exported", "settings", "table", "table-review")


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_task_can_be_done_and_leaves_its_picture(theme: str, tmp_path: Path) -> None:
    display = shutil.which("xvfb-run")
    if display is None:
        pytest.skip("no xvfb-run on this machine, so there is no display to drive the window on (package xvfb)")
    command = [display, "-a", sys.executable, str(REPO / "tests" / "tools" / "drive_window.py"), str(tmp_path), theme]
    environment = {k: v for k, v in os.environ.items() if k not in ("QT_QPA_PLATFORM", "PINCITE_SETTINGS")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=285, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    pictures = {path.stem.partition("-")[2] for path in tmp_path.glob("*.png")}
    assert set(STEPS) <= pictures
    assert {"memo.pdf", "answer.json", "report.json"} <= set(zipfile.ZipFile(tmp_path / "bundle.zip").namelist())
    assert (tmp_path / "table.xlsx").stat().st_size and (tmp_path / "table.csv").stat().st_size
