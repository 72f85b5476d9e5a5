"""What the window's process may load, how soon it shows, and that it never waits for work."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).parent.parent.parent
HEAVY = ("pymupdf", "numpy", "chromadb", "langchain", "onnxruntime", "pydantic", "xllamacpp", "lxml", "PIL")

START = """
import json, sys, time
began = time.perf_counter()
sys.path.insert(0, {repo!r})
def main():
    from PySide6.QtWidgets import QApplication
    application = QApplication(["pincite"])
    from pathlib import Path
    from app.views.main import build
    window, stop = build(application, None, Path({store!r}))
    window.show()
    application.processEvents()
    seconds = time.perf_counter() - began
    heavy = [name for name in {heavy!r} if name in sys.modules]
    window.close()
    stop()
    print(json.dumps({{"seconds": seconds, "heavy": heavy}}))
if __name__ == "__main__":
    main()
"""


def test_the_first_window_shows_in_time_and_loads_nothing_heavy(tmp_path: Path) -> None:
    """1.5 s on an idle machine; the limit here leaves room for one that is shared."""
    script = tmp_path / "start.py"
    script.write_text(START.format(repo=str(REPO), store=str(tmp_path / "store"), heavy=HEAVY), encoding="utf-8")
    best = 99.0
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False, env=os.environ
        )
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout.splitlines()[-1])
        assert told["heavy"] == []
        best = min(best, told["seconds"])
        if best < 1.5:
            break
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    assert best < 1.5 * max(1.0, load / (os.cpu_count() or 1)), f"{best:.2f} s at load {load:.1f}"


@pytest.mark.slow
def test_the_windows_thread_never_works_long(shared: Path) -> None:
    """While contracts are read and a question is answered. The pauses themselves are printed; on a shared machine they
    also hold what other programs took, so the limit is set on the thread's own work between two beats."""
    folder = shared / "evaldata" / "cuad_pdf" / "pdf"
    command = [sys.executable, str(REPO / "tests" / "benchmarks" / "bench_window.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr
    print(done.stdout)
    worst = re.search(r"most own work between beats\s+(\d+) ms", done.stdout)
    assert worst is not None
    assert int(worst[1]) <= 60
