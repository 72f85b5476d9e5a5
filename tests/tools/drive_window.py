"""Drives the real window from a fresh start to an exported bundle, saving a picture of each step.

``xvfb-run -a python tests/tools/drive_window.py OUT_FOLDER [light|dark] [--matter FOLDER --question TEXT] [--scale N]``

Without a display of any kind: ``QT_QPA_PLATFORM=offscreen``. Everything it writes goes into OUT_FOLDER.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

PATIENCE = 120.0


class Driver:
    """Steps through the window as a person would, with keys and clicks."""

    def __init__(self, application, window, out: Path) -> None:  # type: ignore[no-untyped-def]
        self.application, self.window, self.out = application, window, out
        self._step = 0

    def until(self, what: str, done: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE
        while not done():
            if time.monotonic() > end:
                self.picture(f"FAILED-{what}")
                raise SystemExit(f"{what} did not happen: {self.window.banner_words.text()}")
            self.application.processEvents()
            time.sleep(0.005)

    def press(self, key) -> None:  # type: ignore[no-untyped-def]
        """To what has the focus; there is no window manager here that would give it."""
        from PySide6.QtTest import QTest

        self.application.setActiveWindow(self.window)
        QTest.keyClick(self.window.focusWidget() or self.window, key)
        self.settle(1.2)

    def press_shortcut(self, letter: str) -> None:
        """With Ctrl, to the window."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        self.application.setActiveWindow(self.window)
        QTest.keyClick(self.window, getattr(Qt.Key, f"Key_{letter}"), Qt.KeyboardModifier.ControlModifier)
        self.settle(0.4)

    def settle(self, seconds: float = 0.25) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.application.processEvents()
            time.sleep(0.005)

    def picture(self, name: str, widget=None) -> None:  # type: ignore[no-untyped-def]
        self.settle()
        self._step += 1
        (widget or self.window).grab().save(str(self.out / f"{self._step:02}-{name}.png"))
        print(f"{self._step:02} {name}", flush=True)


def drive(driver: Driver, matter: Path, question: str) -> None:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from app.views.export_dialog import ExportDialog
    from app.views.help_dialog import HelpDialog
    from app.views.settings_dialog import SettingsDialog

    window = driver.window
    driver.until("settings", lambda: window.settings.loaded)
    driver.picture("first-run")
    window.open_matter(matter)
    driver.until("reading", lambda: window.matter.reading.fraction is not None or window.matter.records)
    driver.picture("reading")
    if window.tour.isVisible():
        driver.picture("tour")
        window.tour.step()
        driver.picture("tour-two")
        window.tour.end()
    driver.until("read", lambda: window.matter.reading.state == "idle" and window.matter.records)
    driver.picture("read")
    window.ask_pane.question.setFocus()
    QTest.keyClicks(window.ask_pane.question, question)
    driver.picture("question")
    QTest.keyClick(window.ask_pane.question, Qt.Key.Key_Return)
    driver.until("first claim", lambda: window.ask_pane.cards or window.asking.state in ("shown", "failed"))
    driver.picture("answering")
    driver.until("answer", lambda: window.asking.state in ("shown", "failed"))
    view = window.evidence_pane.view
    if window.asking.cards:
        driver.until("page", lambda: view.page_count and view.complete)
    driver.picture("answer")
    if not window.asking.cards:
        return
    window.ask_pane.focus_chosen()
    for key, name in ((Qt.Key.Key_A, "accepted"), (Qt.Key.Key_J, "next-claim"), (Qt.Key.Key_R, "rejected")):
        driver.press(key)
        driver.picture(name)
    driver.press(Qt.Key.Key_N)
    driver.picture("note")
    card = window.ask_pane.cards[window.asking.chosen]
    QTest.keyClicks(card.note, "Superseded by the amendment")
    QTest.keyClick(card.note, Qt.Key.Key_Return)
    driver.settle(1.2)
    driver.picture("noted")
    window.evidence_pane.thumbs_button.click()
    driver.settle(1.0)
    window.evidence_pane.open_find()
    QTest.keyClicks(window.evidence_pane.find_box, "notice")
    QTest.keyClick(window.evidence_pane.find_box, Qt.Key.Key_Return)
    driver.until("found", lambda: not window.evidence.searching)
    driver.settle(1.6)  # the small pages are drawn after the large ones
    driver.picture("find")
    window.evidence_pane.close_find()
    window.evidence_pane.thumbs_button.click()
    view.rotate()
    driver.until("turned", lambda: view.complete)
    driver.picture("turned")
    for _ in range(3):
        view.rotate()
    window.ask_pane.ask("Which submarine cable was laid by the zeppelin?")
    driver.until("no answer", lambda: window.asking.state in ("shown", "failed"))
    driver.picture("no-answer")
    window.asking.load(window.matter.answers[-1].answer_id)
    driver.until("history", lambda: window.asking.state == "shown" and window.asking.cards)
    driver.settle(1.0)
    driver.picture("from-history")
    window.open_export()
    dialog = window.findChild(ExportDialog)
    driver.until("preflight", dialog.export.isEnabled)
    driver.picture("export", dialog)
    bundle = driver.out / "bundle.zip"
    dialog._model.write(bundle)
    driver.until("bundle", dialog.memo.isVisible)
    driver.picture("exported", dialog)
    dialog.reject()
    window.open_settings()
    dialog = window.findChild(SettingsDialog)
    driver.until("findings", lambda: window.settings.findings)
    driver.settle(0.5)
    driver.picture("settings", dialog)
    dialog.reject()
    window.open_help()
    driver.picture("help", window.findChild(HelpDialog))
    window.findChild(HelpDialog).reject()
    print(f"bundle: {bundle.stat().st_size:,} bytes")


QUESTIONS = (
    "What notice ends the agreement?",
    "Which law governs the agreement?",
    "What is the limit of liability?",
)


def drive_table(driver: Driver) -> None:
    """Many questions at once: filled, a cell opened, its answer reviewed, the table written."""
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    window = driver.window
    driver.press_shortcut("T")
    pane, model = window.table_pane, window.table
    driver.picture("table-empty")
    pane.questions.setFocus()
    pane.questions.setPlainText("\n".join(QUESTIONS))
    pane.fill_button.click()
    driver.until("some cells", lambda: len(model.cells) >= 3)
    driver.picture("table-filling")
    driver.until("table", lambda: model.state == "idle")
    first = next(
        (row, column)
        for row, document in enumerate(model.rows)
        for column, question in enumerate(model.questions)
        if model.cells[question, document.source_id].state == "answered"
    )
    pane.grid.setFocus()
    pane.grid.setCurrentIndex(pane.grid.model().index(*first))
    QTest.keyClick(pane.grid, Qt.Key.Key_Return)
    view = window.evidence_pane.view
    driver.until("cell's page", lambda: window.asking.state == "shown" and view.page_count and view.complete)
    driver.settle(0.6)
    driver.picture("table")
    for name in ("table.xlsx", "table.csv"):
        model.write(driver.out / name)
        driver.until(name, (driver.out / name).is_file)
    driver.settle(0.6)
    driver.picture("table-written")
    pane.review_wanted.emit(model.cells[model.questions[first[1]], model.rows[first[0]].source_id].answer_id)
    driver.settle(0.8)
    driver.picture("table-review")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("theme", choices=("light", "dark"), nargs="?", default="light")
    parser.add_argument("--matter", type=Path)
    parser.add_argument("--question")
    parser.add_argument("--scale", type=int, default=100)
    parser.add_argument("--size", default="1440x900")
    args = parser.parse_args()
    out: Path = args.out.absolute()
    home = out / "home"
    home.mkdir(parents=True, exist_ok=True)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        os.environ[name] = str(home)
    from PySide6.QtGui import QCursor
    from PySide6.QtWidgets import QApplication

    from app.sample.write import QUESTION, write_sample
    from app.views.main import build

    matter = args.matter
    if matter is None:
        matter = out / "Northmoor v Tessel"
        if not matter.exists():
            write_sample(matter)
    application = QApplication(["pincite"])
    window, stop = build(application, None, out / f"store-{args.theme}")
    window.theme.choose(args.theme, args.scale, window.theme.highlight)
    window.resize(*map(int, args.size.split("x")))
    window.show()
    QCursor.setPos(0, 0)
    window.settings.loaded = False
    driver = Driver(application, window, out)
    driver.until("settings", lambda: window.settings.loaded)
    window.settings.change(theme=args.theme, model="extractive", reviewer="Ada Quill", tour_done=False)
    driver.until("theme", lambda: window.settings.choices.theme == args.theme)
    try:
        drive(driver, matter, args.question or QUESTION)
        drive_table(driver)
    finally:
        window.close()
        stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
