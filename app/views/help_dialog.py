"""The keys, and what the words of the window mean."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from app.views.dialogs import Dialog
from app.views.theme import Theme
from app.views.widgets import button, label, row

KEYS = (
    ("J  K", "next and previous claim"),
    ("Enter", "open the evidence of the chosen claim"),
    ("A  R  W", "accept, reject, needs work"),
    ("N", "write a note"),
    ("Ctrl+Z", "take back the last decision"),
    ("Alt+Left  Alt+Right", "previous and next citation"),
    ("Ctrl+L", "question box"),
    ("Ctrl+T", "many questions at once, and back"),
    ("Ctrl+F  F3", "find in the document, next place"),
    ("Ctrl+G", "go to a PDF page"),
    ("Ctrl++  Ctrl+-  Ctrl+0", "zoom"),
    ("Ctrl+R", "turn the pages"),
    ("Ctrl+Shift+C", "copy the selected words with their citation"),
    ("Ctrl+S", "save the page with its marks as PDF"),
    ("Ctrl+P", "print the page with its marks"),
    ("Ctrl+E", "export the answer"),
    ("Ctrl+O", "open a folder"),
    ("F6", "next pane"),
    ("F1", "this list"),
)
MEANINGS = (
    ("Passage verified", "The quoted words stand on that page of that very file, letter for letter. "
     "Whether they decide the question is yours to say."),
    ("its own words, supports, unclear", "A triage of whether the passage bears the sentence. It proves nothing."),
    ("Document changed", "The file is not the one that was read. Nothing is marked in it until it is read again."),
    ("Scan: check by eye", "The words come from a picture. Compare them with it."),
)  # fmt: skip


class HelpDialog(Dialog):
    tour_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__("Keys and help", parent, 640, 720)
        grid = QGridLayout()
        grid.setHorizontalSpacing(18)
        grid.setVerticalSpacing(7)
        grid.setColumnStretch(1, 1)
        for i, (keys, words) in enumerate(KEYS):
            caps = row(*(label(key, "key") for key in keys.split("  ")), None, spacing=5)
            grid.addLayout(caps, i, 0)
            grid.addWidget(label(words, wrap=True), i, 1)
        self.body.addLayout(grid)
        self.section("What the labels mean")
        for name, words in MEANINGS:
            self.body.addWidget(label(name, "heading"))
            self.body.addWidget(label(words, "muted", wrap=True))
        self.body.addStretch(1)
        tour = button("Show the tour")
        tour.clicked.connect(self._tour)
        self.buttons.insertWidget(0, tour)

    def _tour(self) -> None:
        self.accept()
        self.tour_wanted.emit()
