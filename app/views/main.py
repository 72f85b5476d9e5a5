"""Starts the window. Only Qt and the views are imported here; everything heavy lives in the two child processes."""

import sys
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app import crash
from app.backend import process as backend
from app.jobs import Jobs
from app.viewmodels.remembered import load_remembered, save_remembered
from app.views.main_window import MainWindow
from app.views.page.source import PageSource
from app.views.theme import Theme


def run_window(matter: Path | None, store: Path | None = None) -> int:
    """Shows the window until it is closed. ``store`` overrides the folder of all matters' stores."""
    application = QApplication.instance() or QApplication(["pincite"])
    assert isinstance(application, QApplication)
    application.setApplicationName("Pincite")
    application.setDesktopFileName("pincite")
    window, stop = build(application, matter, store)
    window.show()
    status = application.exec()
    stop()
    return status


def build(application: QApplication, matter: Path | None, store: Path | None) -> "tuple[MainWindow, Stop]":
    """The window and its processes; the second value ends them."""
    jobs = Jobs(backend.serve, (None if store is None else str(store),))  # starts while the window is being made
    source = PageSource()
    source.start()
    remembered = load_remembered()
    theme = Theme(application, remembered.theme, remembered.text_scale, remembered.highlight)
    window = MainWindow(jobs, theme, source, remembered)
    sys.excepthook = _Hook(window)
    window.closing.connect(lambda: _remember(window))
    QTimer.singleShot(0, window, lambda: _begin(window, matter))
    return window, Stop(jobs, source)


class Stop:
    """Ends both child processes; nothing of them is left behind."""

    def __init__(self, jobs: Jobs, source: PageSource) -> None:
        self._jobs, self._source = jobs, source

    def __call__(self) -> None:
        self._jobs.stop()
        self._source.stop()
        sys.excepthook = sys.__excepthook__


def _begin(window: MainWindow, matter: Path | None) -> None:
    window.settings.load()
    window.matter_pane.open_button.setFocus()
    if matter is not None:
        window.open_matter(matter.expanduser().absolute())


def _remember(window: MainWindow) -> None:
    try:
        save_remembered(window.state_to_remember())
    except OSError:
        return  # the window's place is not worth a word while it closes


class _Hook:
    """A fault in the window's own code: a report without document text, and a sentence that says where it lies."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if isinstance(error, KeyboardInterrupt):
            QApplication.quit()
            return
        report = crash.write_report(error.with_traceback(trace))
        where = "" if report is None else f" A report without document text lies at {report}."
        self._window.complain(
            f"Something failed inside the window ({kind.__name__}). Your documents are unchanged.{where}"
        )
