"""No engine outlives the worker that runs it, however that worker or the whole program is killed."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ingest.mupdf import pymupdf

REPO = Path(__file__).resolve().parents[3]
ENGINE = """#!/bin/sh
case "$1" in
--list-langs) printf "List of languages (2):\\neng\\nosd\\n"; exit;;
--version) echo tesseract 9; exit;;
esac
echo "$$ $PPID" > "$STARTED.new" && mv "$STARTED.new" "$STARTED"
exec sleep 120
"""
RUN = """
import sys
sys.path[:0] = [sys.argv[1], sys.argv[1] + "/tests/ingest"]
from pathlib import Path
from conftest import FolderBlobs, Matter, SqliteRegistry
from ingest.settings import OcrMode
if __name__ == "__main__":
    store = Path(sys.argv[3])
    blobs = FolderBlobs(store / "blobs")
    Matter(Path(sys.argv[2]), store, SqliteRegistry(store / "db"), blobs, ocr=OcrMode.AUTO).read()
"""


def scan() -> bytes:
    with pymupdf.open() as document:
        page = document.new_page(width=300, height=200)
        page.insert_image(page.rect, pixmap=pymupdf.Pixmap(pymupdf.csGRAY, (0, 0, 60, 40), False))
        return bytes(document.tobytes())


def within(seconds: float, happened: Any) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if happened():
            return True
        time.sleep(0.05)
    return False


def is_gone(pid: int) -> bool:
    """True if the process has ended, waited for or not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("killed", ["program", "worker"])
def test_a_killed_reader_takes_its_engine_along(matter: Any, tmp_path: Path, killed: str) -> None:
    matter.write("scan.pdf", scan())
    engine, started, script = tmp_path / "bin" / "tesseract", tmp_path / "started", tmp_path / "run.py"
    engine.parent.mkdir()
    engine.write_text(ENGINE)
    engine.chmod(engine.stat().st_mode | stat.S_IEXEC)
    script.write_text(RUN)
    environment = {**os.environ, "PATH": f"{engine.parent}:{os.environ['PATH']}", "STARTED": str(started)}
    command = [sys.executable, str(script), str(REPO), str(matter.root), str(matter.store)]
    with subprocess.Popen(command, env=environment) as program:
        try:
            assert within(60, started.is_file)
            engine_id, worker = map(int, started.read_text().split())
            os.kill(program.pid if killed == "program" else worker, signal.SIGKILL)
            assert within(10, lambda: is_gone(engine_id))
        finally:
            program.kill()
