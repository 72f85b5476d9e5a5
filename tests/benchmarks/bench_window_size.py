"""The window over a large matter that was read before: memory of all its processes, longest pause of its thread.

    QT_QPA_PLATFORM=offscreen python tests/benchmarks/bench_window_size.py FOLDER --store DIR [--question TEXT]

Opens the matter as a person does: its documents are listed, the folder is looked through. Then asks twice without a
model. For a matter that ``bench_index_scale.py --at DIR --dense stand-in`` left, its vectors are given to the window's
own model first. Linux only (/proc).
"""

import argparse
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

from bench_window import Bench, Heartbeat
from process_memory import Memory
from stand_in import StandIn

from models.adapters.embeddings import NAME
from retrieval.index.vectors import kept_under


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--store", type=Path, required=True)
    parser.add_argument("--question", default="Which notice of payment is due?")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            os.environ[variable] = name
        from PySide6.QtWidgets import QApplication

        from app.settings import Settings, save_settings
        from app.views.main import build

        save_settings(Settings(ocr="never", tour_done=True))  # as the benchmark read it
        lend_vectors(args.store, args.folder)

        application = QApplication(["pincite"])
        window, stop = build(application, None, args.store.absolute())
        window.show()
        bench = Bench(application, window)
        bench.until(lambda: window.settings.loaded)
        watched = Watched()
        use(bench, args.folder.absolute(), args.question, watched)
        print(*watched.memory.lines(), sep="\n")
        window.close()
        stop()
    return 0


def lend_vectors(store: Path, folder: Path) -> None:
    """Random vectors of the same size under the model's name, where it has none of its own."""
    from app.paths import matter_folder
    from app.store.matter_store import INDEX_FOLDER

    index, lent, own = (
        matter_folder(store, folder.absolute()) / INDEX_FOLDER,
        kept_under(StandIn.name),
        kept_under(NAME),
    )
    if not (index / own).exists():
        for file in index.glob(f"{lent}*"):
            os.link(file, index / file.name.replace(lent, own, 1))


class Watched:
    """Looks at this process and its children, five times a second."""

    def __init__(self) -> None:
        self.memory, self.doing = Memory(), "start"
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            self.memory.look(os.getpid(), self.doing)
            time.sleep(0.2)


def use(bench: Bench, folder: Path, question: str, watched: Watched) -> None:
    window = bench.window
    heart = Heartbeat(window)

    def step(what: str, begin, done, seconds: float = 600) -> None:  # type: ignore[no-untyped-def]
        heart.doing = watched.doing = what
        start = time.perf_counter()
        begin()
        bench.until(done, seconds)
        print(f"{what:<28} {time.perf_counter() - start:8.2f} s", flush=True)

    def ask() -> None:
        window.ask_pane.ask(question)

    step("open", lambda: window.open_matter(folder), lambda: window.matter.can_ask)
    window.tour.end()
    window.asking.model = "extractive"
    step("look through", lambda: None, lambda: window.matter.reading.state == "idle")
    for turn in ("ask", "ask again"):
        step(turn, ask, lambda: window.asking.state in ("shown", "failed"))
        assert window.asking.state == "shown", window.banner_words.text()
    longest, doing = heart.longest()
    print(f"longest pause                {longest:8.0f} ms ({doing}); most own work {max(heart.work)[0]:.0f} ms")


if __name__ == "__main__":
    sys.exit(main())
