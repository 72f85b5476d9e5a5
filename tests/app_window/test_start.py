"""What the window's process may load, how soon it shows, and that it never waits for work."""

import json
import os
import subprocess
import sys
from pathlib import Path

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
