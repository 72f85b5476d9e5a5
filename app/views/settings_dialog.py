"""Settings. A change is saved as it is made; none of them starts a reading by itself."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtWidgets import QColorDialog, QComboBox, QFormLayout, QLineEdit, QMessageBox, QVBoxLayout, QWidget

from app.backend.requests import Finding
from app.viewmodels.settings import SettingsModel
from app.viewmodels.wording import BAD, GOOD, QUIET, chip
from app.views.dialogs import Dialog
from app.views.theme import TEXT_SCALES, Theme
from app.views.widgets import button, chip_label, clear, column, label, row, selectable

_THEMES = (("As the system", "system"), ("Light", "light"), ("Dark", "dark"))
_MODELS = (
    ("By itself: Ollama, else none", "auto"),
    ("None: the documents' own sentences", "extractive"),
    ("Embedded model: it helps to choose sentences", "embedded"),
    ("Ollama: its model words the answer", "ollama"),
    ("Another server (llama.cpp, LM Studio, vLLM): its model words the answer", "server"),
)
_OCR = (("Only pages without usable text", "auto"), ("Every page", "always"), ("Never", "never"))
_NAMES = {
    "ocr": "Text recognition",
    "gpu": "Graphics card",
    "embeddings": "Search by meaning",
    "model file": "Embedded model",
    "store": "Data folder",
}
_STATES = {
    "ready": ("ready", GOOD),
    "absent": ("not there", QUIET),
    "failed": ("does not work", BAD),
    "broken": ("does not work", BAD),
}


class SettingsDialog(Dialog):
    scale_chosen = Signal(int)

    def __init__(self, model: SettingsModel, theme: Theme, root: Path | None, parent: QWidget) -> None:
        super().__init__("Settings", parent, 720, 760)
        self._model, self._theme, self._root = model, theme, root
        self._build_models()
        self._build_reading()
        self._build_look()
        self._build_person()
        self._build_data()
        self.body.addStretch(1)
        for event, show in (
            (model.found, self._show_findings),
            (model.test_changed, self._show_test),
            (model.fetch_changed, self._show_fetch),
            (model.store_changed, self._show_store),
        ):
            event.connect(show)
        model.look()
        model.measure(root)
        self._show_findings()
        self._show_test()
        self._show_fetch()

    def _build_models(self) -> None:
        choices = self._model.choices
        self.section("Model that answers")
        self.model = _combo("Model", _MODELS, choices.model, lambda v: self._model.change(model=v))
        self.ollama_model = _line("Ollama model", choices.ollama_model)
        self.ollama_model.editingFinished.connect(
            lambda: self._model.change(ollama_model=self.ollama_model.text().strip() or choices.ollama_model)
        )
        self.ollama_host = _line("Ollama address", choices.ollama_host)
        self.ollama_host.editingFinished.connect(
            lambda: self._model.change(ollama_host=self.ollama_host.text().strip() or choices.ollama_host)
        )
        self.server_model = _line("Model of the other server", choices.server_model)
        self.server_model.editingFinished.connect(
            lambda: self._model.change(server_model=self.server_model.text().strip())
        )
        self.server_url = _line("Address of the other server", choices.server_url)
        self.server_url.setToolTip("For example http://127.0.0.1:8080; one that is not this machine is sent passages")
        self.server_url.editingFinished.connect(lambda: self._model.change(server_url=self.server_url.text().strip()))
        self.body.addLayout(
            _form(
                ("Model", self.model), ("Ollama model", self.ollama_model), ("Ollama address", self.ollama_host),
                ("Other server's model", self.server_model), ("Other server's address", self.server_url),
            )
        )  # fmt: skip
        self.test = button("Test the model", "", "Asks the model one trivial thing")
        self.test.clicked.connect(self._model.test_model)
        self.test_words = label("", wrap=True)
        line = row(self.test, self.test_words)
        line.setStretch(1, 1)
        self.body.addLayout(line)
        self.fetch = button("Get the embedded model…", "", "Fetches a chat model of 1.1 GB over the network")
        self.fetch.clicked.connect(self._fetch_or_stop)
        self.fetch_words = label("", wrap=True)
        line = row(self.fetch, self.fetch_words)
        line.setStretch(1, 1)
        self.body.addLayout(line)
        self.section("What is installed")
        self._findings = QVBoxLayout()
        self._findings.setSpacing(8)
        self.body.addLayout(self._findings)

    def _build_reading(self) -> None:
        choices = self._model.choices
        self.section("Reading scans")
        self.ocr = _combo("Text recognition", _OCR, choices.ocr, lambda v: self._model.change(ocr=v))
        self.languages = _line("Languages", choices.languages)
        self.languages.setToolTip("Codes joined by +, for example eng+fra")
        self.languages.editingFinished.connect(
            lambda: self._model.change(languages=self.languages.text().strip() or choices.languages)
        )
        self.body.addLayout(_form(("Recognise", self.ocr), ("Languages", self.languages)))
        words = "Documents that were read already stay as they are until their files change."
        self.body.addWidget(label(words, "small", wrap=True))

    def _build_look(self) -> None:
        self.section("Look")
        self.look = _combo("Colours", _THEMES, self._model.choices.theme, lambda v: self._model.change(theme=v))
        self.scale = QComboBox()
        self.scale.setAccessibleName("Text size")
        for percent in TEXT_SCALES:
            self.scale.addItem(f"{percent} %", percent)
        self.scale.setCurrentIndex(max(self.scale.findData(self._theme.text_scale), 0))
        self.scale.currentIndexChanged.connect(lambda _: self.scale_chosen.emit(self.scale.currentData()))
        self.colour = button("Choose…")
        self.colour.setAccessibleName("Colour of marks")
        self.colour.clicked.connect(self._choose_colour)
        self.body.addLayout(_form(("Colours", self.look), ("Text size", self.scale), ("Marks", self.colour)))

    def _build_person(self) -> None:
        self.section("Reviewer")
        self.reviewer = _line("Your name", self._model.choices.reviewer)
        self.reviewer.setPlaceholderText("As it should stand beside your decisions")
        self.reviewer.editingFinished.connect(lambda: self._model.change(reviewer=self.reviewer.text().strip()))
        self.body.addLayout(_form(("Your name", self.reviewer)))

    def _build_data(self) -> None:
        self.section("Data of this matter")
        self.store = selectable(label("", "muted", wrap=True))
        self.forget = button("Forget this matter…", "danger", "Deletes everything derived from the open folder")
        self.forget.clicked.connect(self._forget)
        self.forget.setEnabled(self._root is not None)
        self.proof = selectable(label("", wrap=True))
        self.body.addWidget(self.store)
        self.body.addLayout(row(self.forget, None))
        self.body.addWidget(self.proof)
        self._show_store()

    def _show_findings(self) -> None:
        clear(self._findings)
        if not self._model.findings:
            self._findings.addWidget(label("Looking", "muted"))
        for finding in self._model.findings:
            self._findings.addLayout(self._finding(finding))

    def _finding(self, finding: Finding) -> QVBoxLayout:
        words, tone = _STATES.get(finding.state, (finding.state, QUIET))
        detail = label(finding.detail, "muted", wrap=True)
        name = label(_NAMES.get(finding.name, finding.name.capitalize()))
        name.setFixedWidth(self._theme.pixels(130))
        line = row(name, chip_label(chip(words, tone)), detail)
        line.setStretch(2, 1)
        parts = column(line, spacing=4)
        if finding.fix:
            command = selectable(label(finding.fix, "command"))
            take = button("Copy", "", "Copy this command")
            take.setAccessibleName(f"Copy the command {finding.fix}")
            take.clicked.connect(lambda: QGuiApplication.clipboard().setText(finding.fix or ""))
            parts.addLayout(row(self._theme.pixels(130) + 8, command, take, None, spacing=6))
        return parts

    def _show_test(self) -> None:
        self.test.setEnabled(not self._model.testing)
        tested = self._model.tested
        if self._model.testing:
            self.test_words.setText("Asking the model. The first time it has to load, which can take a minute.")
        elif tested is not None:
            self.test_words.setText(tested.detail + (f" To mend it: {tested.fix}" if tested.fix else ""))

    def _show_fetch(self) -> None:
        fetching = self._model.fetching
        self.fetch.setText("Stop fetching" if fetching else "Get the embedded model…")
        purpose = "A small model that helps to choose sentences. Answers need no model, and it is slower than none."
        self.fetch_words.setText(self._model.fetch_words or purpose)

    def _fetch_or_stop(self) -> None:
        if self._model.fetching:
            self._model.cancel_fetch()
            return
        question = "The embedded chat model is fetched over the network: 1.1 GB. Nothing of your documents is sent."
        box = QMessageBox(QMessageBox.Icon.Question, "Get the embedded model", question, parent=self)
        go = box.addButton("Fetch it", QMessageBox.ButtonRole.AcceptRole)
        box.setEscapeButton(box.addButton("Not now", QMessageBox.ButtonRole.RejectRole))
        box.exec()
        if box.clickedButton() is go:
            self._model.fetch_model()

    def _show_store(self) -> None:
        none = "No matter is open." if self._root is None else "Nothing is kept of this folder."
        self.store.setText(self._model.store_words or none)
        self.proof.setText("\n".join(self._model.forgotten))
        self.proof.setVisible(bool(self._model.forgotten))

    def _choose_colour(self) -> None:
        colour = QColorDialog.getColor(QColor(self._model.choices.highlight_colour), self, "Colour of marks")
        if colour.isValid():
            self._model.change(highlight_colour=colour.name())

    def _forget(self) -> None:
        if self._root is None:
            return
        question = (
            f"Everything that Pincite derived from “{self._root.name}” is deleted: text, search indexes, answers, "
            "reviews. The documents themselves are not touched. This cannot be undone."
        )
        box = QMessageBox(QMessageBox.Icon.Warning, "Forget this matter", question, parent=self)
        forget = box.addButton("Forget it", QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton("Keep it", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        box.exec()
        if box.clickedButton() is forget:
            self.forget.setEnabled(False)
            self._model.forgot.connect(lambda _: self._show_store())
            self._model.forget(self._root)


def _form(*lines: tuple[str, QWidget]) -> QFormLayout:
    form = QFormLayout()
    form.setHorizontalSpacing(16)
    form.setVerticalSpacing(8)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    for words, field in lines:
        form.addRow(label(words), field)
    return form


def _line(name: str, words: str) -> QLineEdit:
    made = QLineEdit(words)
    made.setAccessibleName(name)
    return made


def _combo(name: str, options: tuple[tuple[str, str], ...], chosen: str, act: Callable[[str], object]) -> QComboBox:
    made = QComboBox()
    made.setAccessibleName(name)
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setMinimumContentsLength(12)
    for words, value in options:
        made.addItem(words, value)
    if made.findData(chosen) < 0:
        made.addItem(chosen, chosen)
    made.setCurrentIndex(made.findData(chosen))
    made.currentIndexChanged.connect(lambda _: act(made.currentData()))
    return made
