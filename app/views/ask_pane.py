"""The middle pane: the question, and the claims that answer it."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPlainTextEdit, QScrollArea, QVBoxLayout, QWidget

from app.services.answers.answers import Decision
from app.viewmodels.answer_head import AnswerHead
from app.viewmodels.ask import AskModel, AskState
from app.viewmodels.cards import ClaimCard, NearestPassage, NoAnswer
from app.viewmodels.matter import MatterModel
from app.viewmodels.tokens import SPACE
from app.viewmodels.wording import count
from app.views.answer_head import AnswerHeadView
from app.views.claim_card import CardView
from app.views.flow import FlowLayout
from app.views.theme import Theme
from app.views.widgets import Folded, LinkButton, button, clear, column, frame, label, notice, row, selectable
from verify.domain.ids import ClaimId

EXAMPLES = (
    "How can either party end this agreement?",
    "What notice does the contract require?",
    "Who bears the cost of defects?",
)


class QuestionBox(QPlainTextEdit):
    """Enter asks; Shift+Enter makes a line; Up in an empty box brings the last question back."""

    asked = Signal()

    def __init__(self, name: str = "Question", hint: str = "Ask a question of these documents") -> None:
        super().__init__()
        self.last = ""
        self.setAccessibleName(name)
        self.setPlaceholderText(hint)
        self.setTabChangesFocus(True)
        self.document().documentLayout().documentSizeChanged.connect(self._fit)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self.asked.emit()
            return
        if event.key() == Qt.Key.Key_Up and not self.toPlainText():
            self.setPlainText(self.last)
            self.selectAll()
            return
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        """As high as its words, from two lines to six."""
        lines = min(max(self.blockCount(), int(self.document().size().height()), 2), 6)
        self.setFixedHeight(round(lines * self.fontMetrics().lineSpacing() + 22))


class AskPane(QWidget):
    """``evidence_wanted``: a claim's id and a check's; ``passage_wanted``: a source and a page index."""

    evidence_wanted = Signal(str, str)
    passage_wanted = Signal(str, int)
    export_wanted = Signal()
    table_wanted = Signal()

    def __init__(self, model: AskModel, matter: MatterModel, theme: Theme) -> None:
        super().__init__()
        self._model, self._matter, self._theme = model, matter, theme
        self.cards: dict[str, CardView] = {}
        self.setMinimumWidth(320)
        self.answers = QScrollArea()
        self.answers.setWidgetResizable(True)
        self.answers.setAccessibleName("Answer")
        self.answers.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.answers.verticalScrollBar().setAccessibleName("Scroll the answer")
        self.answers.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._content = QWidget()
        self._content.setProperty("role", "answers")
        self._content.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._list = QVBoxLayout(self._content)
        self._list.setContentsMargins(16, 16, 16, 24)
        self._list.setSpacing(12)
        self.answers.setWidget(self._content)
        whole = column(self._ask_bar(), self.answers, spacing=0)
        whole.setStretch(1, 1)
        self.setLayout(whole)
        model.changed.connect(self._follow)
        model.card_added.connect(self._add_card)
        model.card_changed.connect(self._change_card)
        model.chosen_changed.connect(self._show_chosen)
        model.progressed.connect(self._show_progress)
        matter.changed.connect(self._show_can_ask)
        matter.progressed.connect(self._show_can_ask)
        theme.changed.connect(self._rebuild)
        self._rebuild()

    def _ask_bar(self) -> QWidget:
        bar = frame("bar")
        self.question = QuestionBox()
        self.question.asked.connect(self._ask)
        self.ask_button = button("Ask", "primary", "Ask the question (Enter)")
        self.ask_button.clicked.connect(self._ask_or_stop)
        self.why_not = label("", "small", wrap=True)
        line = row(self.question, self.ask_button, spacing=SPACE)
        line.setAlignment(self.ask_button, Qt.AlignmentFlag.AlignBottom)
        self.many = LinkButton("Many questions at once", "A table of documents by questions (Ctrl+T)", self._theme)
        self.many.clicked.connect(self.table_wanted)
        inside = column(line, self.many, self.why_not, spacing=4)
        inside.setContentsMargins(16, 14, 16, 12)
        bar.setLayout(inside)
        return bar

    # -- asking

    def focus_question(self) -> None:
        self.question.setFocus()
        self.question.selectAll()

    def ask(self, question: str) -> None:
        self.question.setPlainText(question)
        self._ask()

    def _ask(self) -> None:
        self._model.ask(self.question.toPlainText())

    def _ask_or_stop(self) -> None:
        if self._model.state is AskState.ASKING:
            self._model.cancel()
        else:
            self._ask()

    def _show_can_ask(self) -> None:
        asking = self._model.state is AskState.ASKING
        self.ask_button.setText("Stop" if asking else "Ask")
        self.ask_button.setAccessibleName("Stop answering" if asking else "Ask")
        self.ask_button.setEnabled(asking or self._model.can_ask)
        self.question.setEnabled(self._matter.root is not None)
        self.many.setVisible(self._matter.root is not None)
        words = self._model.why_not
        self.why_not.setText(words)
        self.why_not.setVisible(bool(words) and self._matter.root is not None)

    # -- the answer

    def _follow(self) -> None:
        """What the model's state asks for. The cards that came while asking stay: they are only completed, one after
        another, so that a long answer never holds the window up."""
        asked = self._model.state is AskState.SHOWN and bool(self.cards)
        if not (asked and [c.claim_id for c in self._model.cards] == self._order()):
            self._rebuild()
            return
        for place, card in enumerate(self._model.cards):
            QTimer.singleShot(place * 8, self, lambda claim=card.claim_id: self._complete(claim))
        self._list.takeAt(self._list.count() - 1)  # the stretch
        self._add_rest()
        self._list.addStretch(1)
        self._show_can_ask()
        self._show_progress()

    def _complete(self, claim_id: ClaimId) -> None:
        view, card = self.cards.get(claim_id), self._model.card(claim_id)
        if view is not None and card is not None and view.card.blocked == card.blocked:
            view.show_card(card)

    def _order(self) -> list[str]:
        return sorted(self.cards, key=lambda claim: self._list.indexOf(self.cards[claim]))

    def _rebuild(self) -> None:
        clear(self._list)
        self.cards = {}
        model = self._model
        if model.question and model.state is AskState.ASKING:
            self.question.last = model.question
            self.question.clear()
        if model.state is AskState.EMPTY:
            self.question.clear()
            self._list.addWidget(self._welcome())
        elif model.state is AskState.FAILED:
            if not self.question.toPlainText():
                self.question.setPlainText(model.question)
            self._list.addWidget(notice(model.message, "bad", "alert", self._theme, "No answer was made"))
        else:
            self._add_head()
            for card in model.cards:
                self._insert(card)
            if model.state is AskState.SHOWN:
                self._add_rest()
        self._list.addStretch(1)
        self._show_can_ask()
        self._show_chosen()
        self._show_progress()

    def _welcome(self) -> QWidget:
        page = QWidget()
        if self._matter.root is None:
            title, words = (
                "Answers you can check",
                (
                    "Ask a question of your documents. Every sentence of the answer names its document and page, and "
                    "the exact words are checked against the page before you see it."
                ),
            )
        else:
            title, words = (
                "Ask about these documents",
                (
                    "Each sentence of the answer will name its page, with the words marked there. What could not be "
                    "verified is shown apart. Nothing leaves this machine."
                ),
            )
        parts = column(24, label(title, "title", wrap=True), label(words, "muted", wrap=True), 8, spacing=10)
        if self._matter.root is not None:
            parts.addWidget(label("FOR EXAMPLE", "section"))
            for example in EXAMPLES:
                link = LinkButton(example, "Put this question into the box", self._theme)
                link.clicked.connect(lambda _=False, q=example: self._take_example(q))
                parts.addWidget(link)
        page.setLayout(parts)
        return page

    def _take_example(self, question: str) -> None:
        self.question.setPlainText(question)
        self.focus_question()

    def _add_head(self) -> None:
        self.progress = label("", "muted", wrap=True)
        self.tally = label("", "small")
        self.export_button = button("Export…", "", "Write the reviewed answer as a bundle (Ctrl+E)")
        self.export_button.clicked.connect(self.export_wanted)
        self.undo_button = button("Undo", "", "Take back the last decision (Ctrl+Z)")
        self.undo_button.clicked.connect(self._model.undo)
        self._list.addWidget(selectable(label(self._model.question, "title", wrap=True)))
        head = self._model.head if self._model.state is AskState.SHOWN else None
        if head is not None:
            self._add_answer(head)
        self._list.addWidget(self.progress)
        self._bar = QWidget()
        self._bar.setLayout(FlowLayout(self.export_button, self.undo_button, self.tally, spacing=8))
        self._list.addWidget(self._bar)
        self._failed_title = column(
            8,
            label("Not supported", "heading"),
            label("These sentences failed their check. Do not rely on them.", "muted", wrap=True),
            spacing=2,
        )
        holder = QWidget()
        holder.setLayout(self._failed_title)
        holder.hide()
        self._failed = holder
        self._list.addWidget(holder)

    def _add_answer(self, head: AnswerHead) -> None:
        self.head = AnswerHeadView(head, self._theme)
        self.head.claim_wanted.connect(self._open_claim)
        self._list.addWidget(self.head)

    def _open_claim(self, claim_id: str) -> None:
        self._model.choose(ClaimId(claim_id))
        self.open_chosen()

    def _insert(self, card: ClaimCard) -> None:
        """Those that stand go before the heading of those that failed."""
        view = CardView(card, self._theme)
        view.chosen.connect(self._model.choose)
        view.citation.connect(self.evidence_wanted)
        view.opened.connect(self.open_chosen)
        view.decided.connect(self._model.decide)
        view.noted.connect(self._model.write_note)
        self.cards[card.claim_id] = view
        place = self._list.indexOf(self._failed)
        if card.blocked:
            self._failed.show()
            place += 1 + sum(v.card.blocked for v in self.cards.values() if v is not view)
        self._list.insertWidget(place, view)

    def _add_card(self, card: ClaimCard) -> None:
        self._insert(card)
        self._show_chosen()

    def _change_card(self, card: ClaimCard) -> None:
        view = self.cards.get(card.claim_id)
        if view is not None and view.card.blocked == card.blocked:
            view.show_card(card)
        else:
            self._rebuild()

    def _add_rest(self) -> None:
        head = self._model.head
        if head is not None and not self._has_head():
            self._add_answer(head)
            self._list.insertWidget(1, self.head)
        remarks = "\n".join(self._model.remarks)
        if remarks:
            told = notice(remarks, "warn", "alert", self._theme, "Read these together")
            self._list.insertWidget(self._list.indexOf(self._bar), told)
        none = self._model.no_answer
        if none is not None:
            self._list.addWidget(self._unanswered(none))
        if none is None and self._model.not_read:
            self._list.addWidget(self._unread(self._model.not_read))

        self._list.addWidget(self._follow_up())

    def _has_head(self) -> bool:
        return any(isinstance(self._at(place), AnswerHeadView) for place in range(self._list.count()))

    def _at(self, place: int) -> QWidget | None:
        item = self._list.itemAt(place)
        return None if item is None else item.widget()

    def _follow_up(self) -> QWidget:
        held = QWidget()
        self.follow_up = QuestionBox("Follow-up", "Ask a follow-up to this answer (“and in the other lease?”)")
        self.follow_up.asked.connect(lambda: self._model.ask(self.follow_up.toPlainText(), follows=True))
        held.setLayout(column(8, label("FOLLOW-UP", "section"), self.follow_up, spacing=6))
        return held

    def _unread(self, names: Sequence[str]) -> QWidget:
        words = f"{count(len(names), 'file')} could not be read, and so not be searched"
        return Folded(words, names, "Name them, and why", self._theme)

    def _unanswered(self, none: NoAnswer) -> QWidget:
        page = frame("card")
        parts = column(label("No answer in these documents", "heading"), label(none.reason, wrap=True), spacing=6)
        parts.setContentsMargins(16, 14, 16, 14)
        parts.addWidget(label(f"{none.searched}.", "muted", wrap=True))
        for words in none.unmatched:
            parts.addWidget(label(words, wrap=True))
        if none.not_read:
            parts.addWidget(self._unread(none.not_read))
        if none.nearest:
            parts.addSpacing(6)
            parts.addWidget(label("NEAREST PASSAGES (NOT AN ANSWER)", "section"))
            for passage in none.nearest[:4]:
                parts.addSpacing(4)
                self._add_passage(parts, passage)
        page.setLayout(parts)
        return page

    def _add_passage(self, parts: QVBoxLayout, passage: NearestPassage) -> None:
        link = LinkButton(passage.words, "Show this page", self._theme)
        link.clicked.connect(lambda: self.passage_wanted.emit(passage.source_id, passage.page_index))
        words = passage.text if len(passage.text) <= 280 else f"{passage.text[:280].rstrip()} …"
        parts.addWidget(link)
        parts.addWidget(selectable(label(words, "quote", wrap=True)))

    # -- choosing and progress

    def _show_chosen(self) -> None:
        for claim_id, view in self.cards.items():
            view.set_chosen(claim_id == self._model.chosen)
        chosen = self.cards.get(self._model.chosen or "")
        if chosen is not None:
            # after the layout has placed a card that has just been added
            QTimer.singleShot(0, chosen, lambda: self.answers.ensureWidgetVisible(chosen, 0, 24))

    def focus_chosen(self) -> None:
        chosen = self.cards.get(self._model.chosen or "")
        if chosen is not None:
            chosen.setFocus()

    def open_chosen(self) -> None:
        """The evidence of the chosen claim's first citation that can be shown."""
        card = self._model.card(self._model.chosen) if self._model.chosen else None
        if card is not None and card.citations:
            line = next((c for c in card.citations if c.can_show), card.citations[0])
            self.evidence_wanted.emit(card.claim_id, line.check_id or "")

    def decide_chosen(self, decision: Decision) -> None:
        if self._model.chosen is not None:
            self._model.decide(self._model.chosen, decision)

    def note_chosen(self) -> None:
        chosen = self.cards.get(self._model.chosen or "")
        if chosen is not None:
            chosen.open_note()

    def _show_progress(self) -> None:
        model = self._model
        if model.state not in (AskState.ASKING, AskState.LOADING, AskState.SHOWN):
            return
        words = {AskState.ASKING: model.progress, AskState.LOADING: "Checking the saved answer again"}
        self.progress.setText(words.get(model.state, model.basis))
        self.progress.setVisible(bool(self.progress.text()))
        shown = model.state is AskState.SHOWN and bool(model.cards)
        self._bar.setVisible(shown)
        self.tally.setText(model.tally)
        self.undo_button.setEnabled(bool(model.undo_words))
        self.undo_button.setToolTip(f"Take back: {model.undo_words}" if model.undo_words else "Nothing to take back")
