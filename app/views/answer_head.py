"""The answer above its claims: its line, large, then row by row where documents or events were asked for."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QWidget

from app.viewmodels.answer_head import AnswerHead, RowLine
from app.views.theme import Theme
from app.views.widgets import Folded, LinkButton, chip_label, column, frame, label, notice, row, selectable


class AnswerHeadView(QFrame):
    """``claim_wanted``: the claim that proves a row."""

    claim_wanted = Signal(str)

    def __init__(self, head: AnswerHead, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setAccessibleName("Answer")
        parts = column(spacing=8)
        if head.read_as:
            parts.addWidget(label(head.read_as, "muted", wrap=True))
        if head.premise:
            parts.addWidget(notice(head.premise, "warn", "alert", theme))
        if head.line:
            self.line = selectable(label(head.line, "answer", wrap=True))
            parts.addWidget(self.line)
        if head.state is not None:
            parts.addLayout(row(chip_label(head.state), None))
        if head.note:
            parts.addWidget(label(head.note, wrap=True))
        if head.how:
            parts.addWidget(label(f"{head.how}.", "muted", wrap=True))
        if head.rows:
            parts.addWidget(self._grid(head.rows))
        if head.silent:
            names = [line.title for line in head.silent]
            parts.addWidget(Folded(head.silent_words, names, "Name the documents that were read and do not say", theme))
        self.setLayout(parts)

    def _grid(self, lines: tuple[RowLine, ...]) -> QWidget:
        held = frame("card")
        grid = QGridLayout(held)
        grid.setContentsMargins(14, 10, 14, 10)
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 3)
        for number, line in enumerate(lines):
            grid.addWidget(self._title(line), number, 0)
            grid.addWidget(selectable(label(line.words, wrap=True)), number, 1)
            grid.addWidget(chip_label(line.chip, quiet=True), number, 2)
        return held

    def _title(self, line: RowLine) -> QWidget:
        words = f"{line.date}  {line.title}" if line.date else line.title
        if line.claim_id is None:
            return label(words, wrap=True)
        link = LinkButton(words, "Show the words that say so", self._theme)
        link.clicked.connect(lambda: self.claim_wanted.emit(line.claim_id))
        return link
