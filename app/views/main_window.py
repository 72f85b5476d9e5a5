"""The window: three panes, one header, the keys. It wires models to views and holds no logic of its own."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.backend.requests import MakeSample
from app.messages import source_status
from app.services.answers.answers import Decision
from app.viewmodels.ask import AskModel, AskState
from app.viewmodels.evidence import EvidenceModel
from app.viewmodels.export import ExportModel
from app.viewmodels.matter import MatterModel, Reading
from app.viewmodels.remembered import Remembered
from app.viewmodels.running import Runner
from app.viewmodels.settings import SettingsModel
from app.viewmodels.table import TableModel
from app.viewmodels.wording import count
from app.views.ask_pane import AskPane
from app.views.dialogs import ask_secret
from app.views.export_dialog import ExportDialog
from app.views.help_dialog import HelpDialog
from app.views.matter_pane import MatterPane
from app.views.page.evidence_pane import EvidencePane
from app.views.page.source import PageSource
from app.views.settings_dialog import SettingsDialog
from app.views.table.pane import TablePane
from app.views.theme import Theme
from app.views.tour import Tour
from app.views.widgets import ToolButton, button, frame, label, make_room, retone, row
from verify.domain.document import SourceStatus
from verify.domain.ids import AnswerId, CheckId, ClaimId, SourceId

BANNER_MS = 6_000


class MainWindow(QMainWindow):
    """``closing`` comes once, before the window goes."""

    closing = Signal()

    def __init__(self, runner: Runner, theme: Theme, source: PageSource, remembered: Remembered) -> None:
        super().__init__()
        self.theme, self.remembered = theme, remembered
        self._runner = runner
        self._reopen_after = False
        self.matter = MatterModel(runner)
        self.asking = AskModel(runner, self.matter)
        self.table = TableModel(runner, self.matter)
        self.evidence = EvidenceModel(runner, self.matter)
        self.settings = SettingsModel(runner)
        self.setWindowTitle("Pincite")
        self.setWindowIcon(theme.icon("pincite"))
        self.setMinimumSize(960, 560)
        self.matter_pane = MatterPane(self.matter, theme)
        self.ask_pane = AskPane(self.asking, self.matter, theme)
        self.table_pane = TablePane(self.table, theme)
        self.evidence_pane = EvidencePane(self.evidence, theme, source)
        self._build()
        self._connect()
        self._add_keys()
        self._restore()

    def _build(self) -> None:
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(1)
        self.middle = QStackedWidget()
        self.middle.addWidget(self.ask_pane)
        self.middle.addWidget(self.table_pane)
        for pane, stretch in ((self.matter_pane, 0), (self.middle, 3), (self.evidence_pane, 4)):
            self.split.addWidget(pane)
            self.split.setStretchFactor(self.split.count() - 1, stretch)
        whole = QVBoxLayout()
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._header())
        whole.addWidget(self._banner())
        whole.addWidget(self.split, 1)
        central = QWidget()
        central.setLayout(whole)
        self.setCentralWidget(central)
        self.tour = Tour(central, self.theme, (self.matter_pane, self.ask_pane, self.evidence_pane))
        self.tour.finished.connect(lambda: self.settings.change(tour_done=True))

    def _header(self) -> QWidget:
        header = frame("header")
        sign = label("")
        sign.setPixmap(self.theme.icon("pincite").pixmap(22, 22))
        self.badge = button("Nothing leaves this machine", "badge")
        self.badge.clicked.connect(self._explain_badge)
        self.settings_button = ToolButton(self.theme, "settings", "Settings", "Ctrl+,")
        self.settings_button.clicked.connect(self.open_settings)
        self.help_button = ToolButton(self.theme, "help", "Keys and help", "F1")
        self.help_button.clicked.connect(self.open_help)
        inside: QHBoxLayout = row(
            sign, label("Pincite", "brand"), None, self.badge, 6, self.settings_button, self.help_button, spacing=6
        )
        inside.setContentsMargins(14, 7, 10, 7)
        header.setLayout(inside)
        return header

    def _banner(self) -> QWidget:
        self.banner = frame("notice", "bad")
        self.banner_words = label("", wrap=True)
        close = ToolButton(self.theme, "close", "Close this message")
        close.clicked.connect(self.banner.hide)
        inside = row(self.banner_words, close, spacing=8)
        inside.setStretch(0, 1)
        inside.setContentsMargins(16, 6, 8, 6)
        self.banner.setLayout(inside)
        self.banner.hide()
        self._banner_timer = QTimer(self, singleShot=True, interval=BANNER_MS)
        self._banner_timer.timeout.connect(self.banner.hide)
        return self.banner

    def _connect(self) -> None:
        matter, ask, evidence = self.matter_pane, self.ask_pane, self.evidence_pane
        matter.folder_wanted.connect(self.choose_folder)
        matter.folder_dropped.connect(self.open_matter)
        matter.sample_wanted.connect(self.make_sample)
        matter.source_chosen.connect(self.show_source)
        matter.answer_chosen.connect(self._review_cell)
        matter.class_wanted.connect(self._ask_class_passphrase)
        ask.evidence_wanted.connect(self.show_evidence)
        ask.passage_wanted.connect(lambda source, page: self.evidence.show_page(SourceId(source), page))
        ask.export_wanted.connect(self.open_export)
        ask.table_wanted.connect(self.show_table)
        self.table_pane.left.connect(self.show_asking)
        self.table_pane.answer_wanted.connect(lambda answer: self.asking.load(AnswerId(answer)))
        self.table_pane.review_wanted.connect(self._review_cell)
        self.table.failed.connect(self.complain)
        self.table.written.connect(lambda done: self.say(f"Written: {done.target} ({count(done.cells, 'cell')})."))
        evidence.citation_step.connect(self.step_citation)
        evidence.reread_wanted.connect(self.reread)
        evidence.said.connect(self.say)
        self.matter.failed.connect(self.complain)
        self.matter.sealed.connect(self._ask_passphrase)
        self.matter.progressed.connect(self._after_reading)
        self.matter.answers_changed.connect(self._show_last_answer)
        self.asking.failed.connect(self.complain)
        self.asking.card_added.connect(lambda _: self._open_first())
        self.asking.changed.connect(self._open_first)
        self.settings.changed.connect(self._take_settings)
        self.settings.failed.connect(self.complain)
        self.settings.forgot.connect(self._forgot)

    def _add_keys(self) -> None:
        """Single letters reach only what is no text field: a field keeps them for itself."""
        ask = self.ask_pane
        for keys, act in (
            ("J", lambda: self.step_claim(1)),
            ("K", lambda: self.step_claim(-1)),
            ("A", lambda: ask.decide_chosen(Decision.ACCEPTED)),
            ("R", lambda: ask.decide_chosen(Decision.REJECTED)),
            ("W", lambda: ask.decide_chosen(Decision.NEEDS_WORK)),
            ("N", ask.note_chosen),
            ("Ctrl+Z", self.asking.undo),
            ("Ctrl+L", self._focus_question),
            ("Ctrl+T", self.switch_table),
            ("Ctrl+E", self.open_export),
            ("Ctrl+F", self.evidence_pane.open_find),
            ("Ctrl+O", self.choose_folder),
            ("Ctrl+,", self.open_settings),
            ("Alt+Left", lambda: self.step_citation(-1)),
            ("Alt+Right", lambda: self.step_citation(1)),
            ("F1", self.open_help),
            ("F6", self._next_pane),
        ):
            QShortcut(QKeySequence(keys), self, act)

    def _restore(self) -> None:
        kept = self.remembered
        if not (kept.geometry and self.restoreGeometry(QByteArray.fromBase64(kept.geometry.encode()))):
            self.resize(QSize(1480, 920).boundedTo(self.screen().availableSize()))
        if not (kept.panes and self.split.restoreState(QByteArray.fromBase64(kept.panes.encode()))):
            self.split.setSizes([280, 540, 660])

    # -- the matter

    def choose_folder(self) -> None:
        start = str(Path(self.remembered.recent[0]).parent) if self.remembered.recent else str(Path.home())
        chosen = QFileDialog.getExistingDirectory(self, "Open a folder of documents", start)
        if chosen:
            self.open_matter(Path(chosen))

    def open_matter(self, root: Path) -> None:
        self.remembered = self.remembered.with_matter(root)
        self.setWindowTitle(f"{root.name} – Pincite")
        self.banner.hide()
        self.matter.open(root)
        self.ask_pane.focus_question()
        if self.settings.loaded and not self.settings.choices.tour_done:
            self.tour.start()

    def make_sample(self) -> None:
        self.say("Writing the sample matter.")
        self._runner.start(MakeSample(), self.open_matter, lambda failed: self.complain(failed.words))

    def reread(self) -> None:
        """The document shown changed: read the folder again, then show it as it is now."""
        self._reopen_after = True
        self.matter.read()

    def _after_reading(self) -> None:
        if self._reopen_after and self.matter.reading.state is Reading.IDLE:
            self._reopen_after = False
            self.evidence.reopen()
            if self.asking.answer is not None:
                self.asking.load(self.asking.answer.answer_id)

    def _show_last_answer(self) -> None:
        """A matter opens on what was asked last."""
        if self.matter.answers and self.asking.state is AskState.EMPTY:
            self.asking.load(self.matter.answers[0].answer_id)

    def show_source(self, source_id: str) -> None:
        record = self.matter.records.get(SourceId(source_id))
        if record is not None and record.page_count:
            self.evidence.show_page(record.source_id, 0)
        elif record is not None and record.status is SourceStatus.NEEDS_PASSWORD:
            words = f"“{record.path}” is locked. Its password is used for this reading and not stored."
            ask_secret(self, "Password", words, lambda secret: self.matter.give_password(record.source_id, secret))
        elif record is not None:
            self.say(f"{record.path}: {source_status(record)}.")

    def _ask_passphrase(self, _: str) -> None:
        words = "This matter is sealed. Its passphrase opens it until the window is closed; it is not stored."
        ask_secret(self, "Passphrase", words, self.matter.give_passphrase)

    def _ask_class_passphrase(self, access_class: str) -> None:
        words = f"Documents of the class “{access_class}” have a passphrase of their own. It is not stored."
        name = f"Passphrase of {access_class}"
        ask_secret(self, name, words, lambda secret: self.matter.open_class(access_class, secret))

    def _forgot(self, root: Path) -> None:
        self.remembered = self.remembered.without_matter(root)
        if self.matter.root == root:
            self.matter.close()
            self.setWindowTitle("Pincite")

    # -- one question, or many

    def show_table(self) -> None:
        self.table.load()
        self.middle.setCurrentWidget(self.table_pane)
        make_room(self.split, 1, self.theme.pixels(700))
        (self.table_pane.grid if self.table.questions else self.table_pane.questions).setFocus()

    def show_asking(self) -> None:
        self.middle.setCurrentWidget(self.ask_pane)

    def switch_table(self) -> None:
        if self.middle.currentWidget() is self.table_pane:
            self._focus_question()
        elif self.matter.root is not None:
            self.show_table()

    def _focus_question(self) -> None:
        self.show_asking()
        self.ask_pane.focus_question()

    def _review_cell(self, answer_id: str) -> None:
        """The answer with all its claims; the one that is shown already is not checked again."""
        self.show_asking()
        if self.asking.answer is None or self.asking.answer.answer_id != answer_id:
            self.asking.load(AnswerId(answer_id))

    # -- claims and evidence

    def show_evidence(self, claim_id: str, check_id: str) -> None:
        self.asking.choose(ClaimId(claim_id))
        check = self.asking.check(CheckId(check_id))
        if check is not None:
            self.evidence.show_check(check, self.asking.all_checks)

    def _open_first(self) -> None:
        """The evidence of the first claim shows by itself; after that the person leads. No mark of an earlier answer
        stays beside a new one."""
        if self.asking.state in (AskState.ASKING, AskState.LOADING) and not self.asking.cards:
            self.evidence.unmark()
        if self.ask_pane.cards and not self.asking.evidence_opened:
            self.asking.evidence_opened = True
            self.ask_pane.open_chosen()

    def step_claim(self, by: int) -> None:
        self.asking.step(by)
        self.ask_pane.focus_chosen()
        self.ask_pane.open_chosen()

    def step_citation(self, by: int) -> None:
        found = self.asking.citation_beside(None if self.evidence.check is None else self.evidence.check.check_id, by)
        if found is not None:
            self.show_evidence(*found)

    # -- dialogs

    def open_export(self) -> None:
        answer = self.asking.answer
        if answer is None or not answer.claims:
            self.say("There is no answer to export yet. Ask a question first.")
            return
        dialog = ExportDialog(ExportModel(self._runner, self.matter, answer), self.asking.cards, self.theme, self)
        dialog.open_wanted.connect(lambda path: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))))
        dialog.open()

    def open_settings(self) -> None:
        dialog = SettingsDialog(self.settings, self.theme, self.matter.root, self)
        dialog.scale_chosen.connect(self._take_scale)
        dialog.open()

    def open_help(self) -> None:
        dialog = HelpDialog(self.theme, self)
        dialog.tour_wanted.connect(self.tour.start)
        dialog.open()

    def _explain_badge(self) -> None:
        self.say(self.settings.egress.words, "bad" if not self.settings.egress.local else "")

    # -- settings

    def _take_settings(self) -> None:
        choices, egress = self.settings.choices, self.settings.egress
        self.asking.model, self.asking.reviewer = choices.model, choices.reviewer
        self.table.model = choices.model
        self.badge.setText(("✓ " if egress.local else "! ") + egress.badge)
        self.badge.setAccessibleName(egress.badge)
        self.badge.setToolTip(egress.words)
        retone(self.badge, "tone", "" if egress.local else "bad")
        look = (choices.theme, self.theme.text_scale, choices.highlight_colour)
        if look != (self.theme.choice, self.theme.text_scale, self.theme.highlight):
            self.theme.choose(*look)
        if not choices.tour_done and self.matter.root is not None and not self.tour.isVisible():
            self.tour.start()

    def _take_scale(self, scale: int) -> None:
        self.theme.choose(self.theme.choice, scale, self.theme.highlight)

    # -- words to the person

    def say(self, words: str, tone: str = "") -> None:
        """A remark that goes away by itself."""
        for part in (self.banner, self.banner_words):  # the words' colour follows that of what is around them
            retone(part, "tone", tone)
        self.banner_words.setText(words)
        self.banner.show()
        self._banner_timer.start()

    def complain(self, words: str) -> None:
        """What went wrong and what to do; stays until it is closed."""
        self.say(words, "bad")
        self._banner_timer.stop()

    # -- the window itself

    def _next_pane(self) -> None:
        """F6, as in other programs of several panes."""
        many = self.middle.currentWidget() is self.table_pane
        middle = self.table_pane.grid if many else self.ask_pane.question
        places: tuple[QWidget, ...] = (self.matter_pane.documents, middle, self.evidence_pane.view)
        panes = (self.matter_pane, self.middle, self.evidence_pane)
        focused = self.focusWidget()
        here = next((i for i, pane in enumerate(panes) if focused is not None and pane.isAncestorOf(focused)), -1)
        places[(here + 1) % 3].setFocus()

    def state_to_remember(self) -> Remembered:
        return replace(
            self.remembered,
            geometry=_base64(self.saveGeometry()),
            panes=_base64(self.split.saveState()),
            theme=self.theme.choice,
            highlight=self.theme.highlight,
            text_scale=self.theme.text_scale,
        )

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit()
        super().closeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.tour.place()


def _base64(data: QByteArray) -> str:
    return bytes(data.toBase64().data()).decode()
