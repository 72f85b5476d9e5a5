"""One claim: its sentence, what the check found, where it stands, and the decision on it."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app import messages
from app.services.answers.answers import Decision
from app.viewmodels.cards import CitationLine, ClaimCard
from app.viewmodels.tokens import SPACE
from app.views.flow import FlowLayout
from app.views.theme import Theme
from app.views.widgets import (
    LinkButton,
    button,
    chip_label,
    clear,
    column,
    label,
    mark,
    notice,
    retone,
    row,
    selectable,
)

_DECISIONS = (
    (Decision.ACCEPTED, "Accept", "A", "good", "accept"),
    (Decision.REJECTED, "Reject", "R", "bad", "reject"),
    (Decision.NEEDS_WORK, "Needs work", "W", "warn", "needs_work"),
)


class CardView(QFrame):
    """Signals carry the claim's id, ``citation`` a check's id too. ``opened``: Enter was pressed."""

    chosen = Signal(str)
    opened = Signal()
    citation = Signal(str, str)
    decided = Signal(str, Decision)
    noted = Signal(str, str, str, str)

    def __init__(self, card: ClaimCard, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.card = card
        self.setProperty("role", "card")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(16, 13, 16, 12)
        self._layout.setSpacing(SPACE)
        self._note_open = False
        self.decisions: dict[Decision, QPushButton] = {}
        self.citations: list[LinkButton] = []
        self._build()

    def show_card(self, card: ClaimCard) -> None:
        if card != self.card:
            self.card = card
            focused = self.isAncestorOf(self.focusWidget()) if self.focusWidget() is not None else False
            self._build()
            if focused:
                self.setFocus()

    def set_chosen(self, chosen: bool) -> None:
        retone(self, "chosen", "true" if chosen else "false")

    def open_note(self) -> None:
        self._note_open = True
        self._build()
        self.note.setFocus()

    def _build(self) -> None:
        clear(self._layout)
        self.decisions, self.citations = {}, []
        card = self.card
        self.setAccessibleName(f"Claim {card.number}: {card.text}")
        decided = "not decided" if card.review is None else card.review.chip.words
        self.setAccessibleDescription(f"{card.chip.words}; {card.support.words}; {decided}")
        self._layout.addLayout(self._head())
        if card.kind:
            self._layout.addWidget(label(card.kind, "small", wrap=True))
        for line in card.citations:
            self._layout.addLayout(self._citation(line))
        for sentence in card.qualifiers:
            title = "The rest of the sentence has a condition or exception"
            self._layout.addWidget(notice(f"“{' '.join(sentence.split())}”", "warn", "alert", self._theme, title))
        for difference in card.wording:
            self._layout.addWidget(label(difference, "small", wrap=True))
        for caution in card.cautions:
            self._layout.addWidget(label(caution, "small", wrap=True))
        self._layout.addLayout(self._review())

    def _head(self) -> QVBoxLayout:
        card = self.card
        number = label(f"{card.number}", "number")
        number.setAlignment(Qt.AlignmentFlag.AlignTop)
        chips = FlowLayout(chip_label(card.chip), chip_label(card.support, quiet=True), left=18)
        if card.said_above:
            return column(number, chips, spacing=2)
        sentence = selectable(label(card.text, "sentence", wrap=True))
        mark(sentence, card.marks)
        first = row(number, sentence, spacing=10)
        first.setStretch(1, 1)
        return column(first, chips, spacing=7)

    def _citation(self, line: CitationLine) -> QVBoxLayout:
        hint = "Show these words on the page (Enter)" if line.can_show else line.chip.hint
        link = LinkButton(line.words, hint, self._theme)
        link.setEnabled(line.check_id is not None)
        link.clicked.connect(lambda: self.citation.emit(self.card.claim_id, line.check_id or ""))
        self.citations.append(link)
        parts = column(link, spacing=3)
        if len(self.card.citations) > 1:
            chips = row(4, chip_label(line.chip, quiet=True), None)
            parts.addLayout(chips)
        if line.quotation:
            quote = selectable(label(f"“{line.quotation}”", "quote", wrap=True))
            parts.addWidget(quote)
        for words in (*line.differences, line.elsewhere):
            if words:
                parts.addWidget(label(words, "error" if line.chip.tone == "bad" else "small", wrap=True))
        parts.setContentsMargins(18, 2, 0, 0)
        return parts

    def _review(self) -> QVBoxLayout:
        card = self.card
        buttons = FlowLayout(left=18)
        for decision, words, key, tone, picture in _DECISIONS:
            made = button(words, "decision", f"{messages.DECISIONS[decision]} ({key})")
            made.setProperty("tone", tone)
            made.setCheckable(True)
            made.setChecked(card.review is not None and card.review.decision is decision)
            made.setIcon(self._theme.icon(picture))
            made.setIconSize(QSize(self._theme.pixels(14), self._theme.pixels(14)))
            made.clicked.connect(lambda _=False, d=decision: self.decided.emit(self.card.claim_id, d))
            self.decisions[decision] = made
            buttons.addWidget(made)
        note = button(
            "Note…" if card.review is None or not card.review.note else "Edit note…", "link", "Write a note (N)"
        )
        note.clicked.connect(self.open_note)
        buttons.addWidget(note)
        whole = column(buttons, spacing=5)
        whole.setContentsMargins(0, 2, 0, 0)
        self._add_review_words(whole)
        if self._note_open:
            whole.addWidget(self._note_form())
        return whole

    def _add_review_words(self, whole: QVBoxLayout) -> None:
        review = self.card.review
        if review is None:
            return
        texts = column(label(f"{review.chip.shown} {review.by}", "small", wrap=True), spacing=2)
        for name, words in (("Note", review.note), ("Authority", review.authority), ("Relevance", review.relevance)):
            if words:
                texts.addWidget(selectable(label(f"{name}: {words}", wrap=True)))
        texts.setContentsMargins(18, 2, 0, 0)
        whole.addLayout(texts)
        if review.reopened:
            whole.addWidget(notice(review.reopened, "warn", "alert", self._theme, "Decide again"))

    def _note_form(self) -> QWidget:
        review = self.card.review
        form = QWidget()
        self.note = _field("Note", review.note if review else "")
        self.authority = _field("Authority: how binding is the source?", review.authority if review else "")
        self.relevance = _field("Relevance: how does it bear on the question?", review.relevance if review else "")
        save, leave = button("Save note", "primary"), button("Close")
        save.clicked.connect(self._save_note)
        leave.clicked.connect(self._close_note)
        for box in (self.note, self.authority, self.relevance):
            box.returnPressed.connect(self._save_note)
        fields = column(self.note, self.authority, self.relevance, row(save, leave, None), spacing=6)
        fields.setContentsMargins(18, 6, 0, 2)
        form.setLayout(fields)
        return form

    def _save_note(self) -> None:
        self._note_open = False
        self.noted.emit(self.card.claim_id, self.note.text(), self.authority.text(), self.relevance.text())
        self._build()
        self.setFocus()

    def _close_note(self) -> None:
        self._note_open = False
        self._build()
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens the evidence, unless it ended a note."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and not isinstance(self.focusWidget(), QLineEdit):
            self.opened.emit()
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.chosen.emit(self.card.claim_id)
        super().mousePressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.chosen.emit(self.card.claim_id)
        super().focusInEvent(event)


def _field(name: str, words: str) -> QLineEdit:
    made = QLineEdit(words)
    made.setPlaceholderText(name)
    made.setAccessibleName(name.partition(":")[0])
    return made
