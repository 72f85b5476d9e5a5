"""What goes into the bundle, what to know before, and the bundle being written."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFileDialog, QProgressBar, QVBoxLayout, QWidget

from app.viewmodels.cards import ClaimCard
from app.viewmodels.export import ExportModel
from app.viewmodels.wording import WARN, chip
from app.views.dialogs import Dialog
from app.views.theme import Theme
from app.views.widgets import button, chip_label, clear, label, notice, row


class ExportDialog(Dialog):
    open_wanted = Signal(Path)

    def __init__(self, model: ExportModel, cards: tuple[ClaimCard, ...], theme: Theme, parent: QWidget) -> None:
        super().__init__("Export this answer", parent, 720, 720)
        self._model, self._theme = model, theme
        words = "A bundle holds the answer, the report of every check, pictures of the cited places, and a memo."
        self.body.addWidget(label(words, "muted", wrap=True))
        self.section("Claims")
        self.boxes: list[QCheckBox] = []
        for card in cards:
            self._add_claim(card)
        self.section("Documents")
        self.sources = QCheckBox("Put the cited documents into the bundle")
        self.sources.setAccessibleName(self.sources.text())
        self.sources.toggled.connect(model.set_include_sources)
        self.body.addWidget(self.sources)
        self.section("Before you send it")
        self._findings = QVBoxLayout()
        self._findings.setSpacing(6)
        self.body.addLayout(self._findings)
        self.body.addStretch(1)
        self.bar = QProgressBar()
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Writing the bundle")
        self.words = label("", wrap=True)
        self.bar.setFixedWidth(120)
        self.memo = button("Open the memo")
        self.memo.clicked.connect(self._open_memo)
        self.export = button("Write the bundle…", "primary")
        self.export.clicked.connect(self._choose_target)
        self.buttons.insertWidget(0, self.memo)
        self.buttons.insertWidget(1, self.bar)
        self.buttons.insertWidget(2, self.words, 1)
        self.buttons.addWidget(self.export)
        model.changed.connect(self._show)
        self.finished.connect(lambda _: model.cancel())
        model.look()

    def _add_claim(self, card: ClaimCard) -> None:
        state = chip("Not reviewed", WARN) if card.review is None else card.review.chip
        short = card.text if len(card.text) <= 160 else f"{card.text[:158].rstrip()}…"
        box = QCheckBox(f"{card.number}")
        box.setAccessibleName(f"Claim {card.number}, {state.words}: {card.text}")
        box.setToolTip(card.text)
        box.setChecked(card.claim_id in self._model.chosen)
        box.toggled.connect(lambda wanted, c=card.claim_id: self._model.choose(c, wanted))
        self.boxes.append(box)
        line = row(box, label(short, wrap=True), chip_label(state), spacing=10)
        line.setStretch(1, 1)
        self.body.addLayout(line)

    def _show(self) -> None:
        model = self._model
        clear(self._findings)
        if model.outlook is None:
            self._findings.addWidget(label("Looking through the claims and cited pages", "muted"))
        else:
            self._findings.addWidget(label(f"It holds {model.outlook.leaving}.", "muted", wrap=True))
        for remark in model.remarks:
            self._findings.addWidget(notice(remark, "warn", "alert", self._theme))
        self.bar.setVisible(model.writing)
        self.words.setText(model.message)
        self.words.setVisible(bool(model.message))
        self.export.setEnabled(model.can_write)
        self.memo.setVisible(model.result is not None)
        for box in (*self.boxes, self.sources):
            box.setEnabled(not model.writing)

    def _choose_target(self) -> None:
        proposed = str(Path.home() / f"{self._model.proposed_name}.zip")
        target, _ = QFileDialog.getSaveFileName(self, "Write the bundle", proposed, "Bundle (*.zip)")
        if target:
            self._model.write(Path(target).with_suffix(".zip"))

    def _open_memo(self) -> None:
        self._model.take_memo(self.open_wanted.emit)
