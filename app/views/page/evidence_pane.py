"""The right pane: what document this is, the page with the words marked, and the tools to look at it."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QIntValidator, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QDialog, QFileDialog, QFrame, QLineEdit, QWidget

from app import messages
from app.backend.page_worker import OpenDocument, Opened, PageFailed, Saved, SavePages, Tile
from app.backend.requests import DocumentToShow
from app.viewmodels.evidence import EvidenceModel
from app.viewmodels.page_text import PageText, citation_for, quoted
from app.viewmodels.wording import PAGE_FAULTS, QUIET, file_name
from app.views.page.keys import ZOOM_STEP
from app.views.page.painter import Mark
from app.views.page.printing import DPI, marked_picture, print_picture
from app.views.page.source import PageSource
from app.views.page.thumbnails import Thumbnails
from app.views.page.view import FIT_PAGE, FIT_WIDTH, PageView
from app.views.theme import Theme
from app.views.widgets import LineLabel, ToolButton, button, column, frame, label, retone, row
from verify.domain.geometry import Box

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter

_ROOMY = 560
"""Pixels at the usual size of text: below it the page's and the zoom's words would lie over the tools."""


class EvidencePane(QWidget):
    """``citation_step``: the next (1) or previous (-1) citation is wanted; ``reread_wanted``: read the file again."""

    citation_step = Signal(int)
    reread_wanted = Signal()
    said = Signal(str)

    def __init__(self, model: EvidenceModel, theme: Theme, source: PageSource) -> None:
        super().__init__()
        self._model, self._theme, self.source = model, theme, source
        self.setMinimumWidth(360)
        self.view = PageView(source, theme.tokens)
        self.thumbnails = Thumbnails(source, theme)
        self.thumbnails.hide()
        self._labels: dict[int, str | None] = {}
        body = row(self.thumbnails, self.view, spacing=0)
        body.setStretch(1, 1)
        self._find_bar = self._finder()
        whole = column(self._strip(), self._tools(), self._find_bar, body, spacing=0)
        whole.setStretch(3, 1)
        self.setLayout(whole)
        self._connect()
        self._show_empty("")
        self._show_strip()

    def _connect(self) -> None:
        model, view = self._model, self.view
        model.document_ready.connect(self._open)
        model.closed.connect(self._show_empty)
        model.marks_changed.connect(self._show_marks)
        model.strip_changed.connect(self._show_strip)
        model.go_to.connect(self._go_to)
        model.words_ready.connect(self._take_words)
        model.hits_changed.connect(self._show_hits)
        self.source.opened.connect(self._opened)
        self.source.failed.connect(self._failed)
        self.source.changed.connect(model.bytes_changed)
        view.page_changed.connect(self._show_page)
        view.zoom_changed.connect(self._show_zoom)
        view.words_wanted.connect(model.want_words)
        view.copy_wanted.connect(self.copy)
        view.selection_changed.connect(self.copy_button.setEnabled)
        self.thumbnails.page_chosen.connect(view.go_to_page)
        self._theme.changed.connect(self._retheme)
        for keys, act in (
            ("Ctrl+G", self.page_box.setFocus),
            ("Ctrl+R", view.rotate),
            ("Ctrl+S", self.save),
            ("Ctrl+P", self.print_page),
        ):
            QShortcut(QKeySequence(keys), self, act)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the tools have too little room, the words between them go first."""
        super().resizeEvent(event)
        roomy = event.size().width() >= self._theme.pixels(_ROOMY)
        self.page_words.setVisible(roomy)
        self.zoom_words.setVisible(roomy)

    # -- parts

    def _strip(self) -> QFrame:
        strip = frame("strip")
        self.name = LineLabel("heading")
        self.facts = label("", "small")
        self.fingerprint = label("", "mono")
        self.warnings = label("", "small", wrap=True)
        self.message = label("", wrap=True)
        self.reread_button = button("Read it again", "primary")
        self.reread_button.clicked.connect(self.reread_wanted)
        top = row(self.name, 4, self.facts, None, self.fingerprint, spacing=8)
        inside = column(top, self.warnings, self.message, row(self.reread_button, None), spacing=4)
        inside.setContentsMargins(14, 9, 14, 9)
        strip.setLayout(inside)
        self._strip_frame = strip
        return strip

    def _tool(self, picture: str, name: str, act: object, keys: str = "", checkable: bool = False) -> ToolButton:
        made = ToolButton(self._theme, picture, name, keys, checkable)
        (made.toggled if checkable else made.clicked).connect(act)
        return made

    def _tools(self) -> QFrame:
        bar = frame("bar")
        view = self.view
        self.thumbs_button = self._tool("thumbnails", "Thumbnails", self._toggle_thumbnails, "", True)
        self.previous = self._tool("previous", "Previous citation", lambda: self.citation_step.emit(-1), "Alt+Left")
        self.next = self._tool("next", "Next citation", lambda: self.citation_step.emit(1), "Alt+Right")
        self.page_box = QLineEdit()
        self.page_box.setAccessibleName("PDF page")
        self.page_box.setFixedWidth(self._theme.pixels(52))
        self.page_box.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.page_box.setValidator(QIntValidator(1, 1_000_000, self))
        self.page_box.returnPressed.connect(self._page_entered)
        self.page_words = label("", "small")
        self.zoom_words = label("", "small")
        self.zoom_words.setMinimumWidth(self._theme.pixels(40))
        self.zoom_words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        zoom_out = self._tool("zoom_out", "Zoom out", lambda: view.set_zoom(view.zoom / ZOOM_STEP), "Ctrl+-")
        zoom_in = self._tool("zoom_in", "Zoom in", lambda: view.set_zoom(view.zoom * ZOOM_STEP), "Ctrl++")
        self.hand = self._tool("hand", "Move pages by hand", view.set_hand, "", True)
        self.copy_button = self._tool("copy", "Copy with citation", lambda: self.copy(True), "Ctrl+Shift+C")
        self.copy_button.setEnabled(False)
        self.save_button = self._tool("save", "Save page as PDF, with its marks", self.save, "Ctrl+S")
        self._needing_document = (
            self.thumbs_button, self.previous, self.next, self.page_box, zoom_out, zoom_in, self.hand, self.save_button,
            self._tool("fit_width", "Fit the width", lambda: view.set_fit(FIT_WIDTH)),
            self._tool("fit_page", "Fit the page", lambda: view.set_fit(FIT_PAGE)),
            self._tool("rotate", "Turn the pages", view.rotate, "Ctrl+R"),
            self._tool("search", "Find in this document", self.open_find, "Ctrl+F"),
            self._tool("print", "Print this page with its marks…", self.print_page, "Ctrl+P"),
        )  # fmt: skip
        fit_width, fit_page, rotate, find, printing = self._needing_document[-5:]
        inside = row(
            self.thumbs_button, 4, self.previous, self.next, 4, self.page_box, self.page_words, None,
            zoom_out, self.zoom_words, zoom_in, fit_width, fit_page, rotate, 4, self.hand, find, self.copy_button,
            self.save_button, printing, spacing=1,
        )  # fmt: skip
        inside.setContentsMargins(8, 4, 8, 4)
        bar.setLayout(inside)
        self._tool_bar = bar
        return bar

    def _finder(self) -> QFrame:
        bar = frame("bar")
        self.find_box = QLineEdit()
        self.find_box.setPlaceholderText("Find in this document")
        self.find_box.setAccessibleName("Find in this document")
        self.find_box.setClearButtonEnabled(True)
        self.find_box.returnPressed.connect(self._find)
        self.find_words = label("", "small")
        self.find_words.setMinimumWidth(self._theme.pixels(70))
        up = self._tool("previous", "Previous place", lambda: self._model.step_hit(-1), "Shift+F3")
        down = self._tool("next", "Next place", lambda: self._model.step_hit(1), "F3")
        close = self._tool("close", "Close the search", self.close_find, "Esc")
        inside = row(self.find_box, self.find_words, up, down, close, spacing=4)
        inside.setContentsMargins(10, 5, 8, 5)
        bar.setLayout(inside)
        bar.hide()
        QShortcut(QKeySequence("F3"), self, lambda: self._model.step_hit(1))
        QShortcut(QKeySequence("Shift+F3"), self, lambda: self._model.step_hit(-1))
        escape = QShortcut(QKeySequence("Esc"), bar, self.close_find)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        return bar

    # -- the document

    def _open(self, document: DocumentToShow) -> None:
        self._labels.clear()
        self.view.say("")
        path = None if document.path is None else str(document.path)
        self.source.open(
            OpenDocument(document.record.source_id, path, document.fingerprint, document.data, document.password)
        )

    def _opened(self, opened: Opened) -> None:
        self.view.show_document()
        self.thumbnails.show_document()
        self._set_tools(True)
        self._show_zoom(self.view.zoom)
        self._model.shown(opened.changed)

    def _failed(self, code: str) -> None:
        self._show_empty(PAGE_FAULTS.get(code, PAGE_FAULTS["unreadable"]))
        self._model.fault(code)

    def _show_empty(self, message: str) -> None:
        self.source.close()
        self.view.say(message or "Choose a document, or a citation in the answer, to see its page here.")
        self.thumbnails.show_document()
        self._set_tools(False)
        self.page_box.clear()
        self.page_words.clear()
        self.zoom_words.clear()

    def _set_tools(self, usable: bool) -> None:
        self._tool_bar.setVisible(usable)
        for tool in self._needing_document:
            tool.setEnabled(usable)

    def _go_to(self, page: int, box: Box | None) -> None:
        self.view.reveal(page, box)

    def _show_marks(self) -> None:
        self.view.set_marks(tuple(Mark(m.page, m.box, m.active, m.edge_only) for m in self._model.marks))

    def _take_words(self, words: PageText) -> None:
        self.view.set_words(words)
        self._labels[words.index] = words.label
        if words.index == self.view.page:
            self._show_page(words.index)

    def _show_page(self, page: int) -> None:
        if not self.page_box.hasFocus():
            self.page_box.setText(str(page + 1))
        printed = self._labels.get(page)
        of = f"of {self.view.page_count:,}"
        self.page_words.setText(f"{of}   p. {printed}" if printed else of)
        self.page_words.setToolTip(messages.page_name(printed, page))
        self.thumbnails.set_page(page)

    def _show_zoom(self, zoom: float) -> None:
        self.zoom_words.setText(f"{zoom * 100:.0f} %")

    def _show_strip(self) -> None:
        strip = self._model.strip
        retone(self._strip_frame, "tone", strip.tone if strip.tone == "bad" else QUIET)
        for part, words in (
            (self.name, strip.name or "Evidence"),
            (self.facts, strip.facts),
            (self.fingerprint, f"SHA-256 {strip.fingerprint}…" if strip.fingerprint else ""),
            (self.warnings, "! " + "; ".join(strip.warnings) if strip.warnings else ""),
            (self.message, strip.message),
        ):
            part.setText(words)
            part.setVisible(bool(words))
        record = self._model.record
        self.fingerprint.setToolTip(
            "" if record is None else f"{record.fingerprint}\nProves the bytes, not the content."
        )
        self.name.setToolTip("" if record is None else record.path)
        self.reread_button.setVisible(strip.can_reread)

    def _retheme(self) -> None:
        self.view.set_look(self._theme.tokens, self._theme.highlight)
        self._show_strip()

    # -- tools

    def _page_entered(self) -> None:
        self.view.go_to_page(int(self.page_box.text() or "1") - 1)
        self.view.setFocus()

    def _toggle_thumbnails(self, shown: bool) -> None:
        self.thumbnails.setVisible(shown)
        if shown:
            self.thumbnails.set_page(self.view.page)

    def open_find(self) -> None:
        if self._model.record is not None:
            self._find_bar.show()
            self.find_box.setFocus()
            self.find_box.selectAll()

    def close_find(self) -> None:
        self._find_bar.hide()
        self._model.stop_finding()
        self.view.setFocus()

    def _find(self) -> None:
        """Enter searches; pressed again it goes to the next place."""
        if self.find_box.text().strip() == self._model.wanted:
            self._model.step_hit(1)
        else:
            self._model.find(self.find_box.text(), max(self.view.page, 0))

    def _show_hits(self) -> None:
        self.view.set_hits(tuple(self._model.hits), self._model.hit)
        self.find_words.setText(self._model.find_words)

    def copy(self, cited: bool) -> None:
        text, page, record = self.view.selection.text, self.view.selection.page, self._model.record
        if not text or page is None or record is None:
            return
        place = citation_for(file_name(record.path), self.view.selection.label_of(page), page)
        QGuiApplication.clipboard().setText(quoted(text, place) if cited else text)
        self.said.emit("Copied with its citation." if cited else "Copied.")

    def save(self) -> None:
        """The page that shows, as it is marked, to a new PDF that any viewer prints."""
        record, page = self._model.record, self.view.page
        if record is None or page < 0 or self._model.changed:
            return
        stem = Path(file_name(record.path)).stem
        proposed = str(Path.home() / f"{stem}, PDF page {page + 1}.pdf")
        target, _ = QFileDialog.getSaveFileName(self, "Save page with its marks", proposed, "PDF (*.pdf)")
        if target:
            self.save_to(Path(target), (page,))

    def save_to(self, target: Path, pages: tuple[int, ...]) -> None:
        record = self._model.record
        if record is not None:
            marks = tuple((m.page, m.box) for m in self._model.marks if m.active and m.page in pages)
            self.source.save(SavePages(record.source_id, pages, marks, str(target)), self._saved)

    def print_page(self) -> None:
        """The page that shows, as it is marked, after the system's own dialog."""
        if self._model.record is None or self.view.page < 0 or self._model.changed:
            return
        from PySide6.QtPrintSupport import QPrintDialog, QPrinter  # not before it is wanted: the window starts sooner

        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        dialog = QPrintDialog(printer, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self.print_to(printer))
        QDialog.open(dialog)  # its own takes a slot by name

    def print_to(self, printer: "QPrinter") -> None:
        """Nothing is printed of a file that changed meanwhile."""
        record, page = self._model.record, self.view.page
        if record is None:
            return
        boxes = [m.box for m in self._model.marks if m.active and m.page == page]
        place = messages.page_name(self._labels.get(page), page)
        caption = f"{record.path}, {place}, {record.fingerprint}"
        width = self.source.sizes[page][0]

        def drawn(reply: Tile | PageFailed) -> None:
            if isinstance(reply, PageFailed) or self._model.changed:
                code = reply.code if isinstance(reply, PageFailed) else "changed"
                self.said.emit(PAGE_FAULTS.get(code, PAGE_FAULTS["page_failed"]))
                return
            image = marked_picture(reply, width, boxes, self._theme.highlight)
            done = print_picture(printer, image, caption)
            self.said.emit("Sent to the printer." if done else "The printer did not take the page. Choose another.")

        self.source.picture(page, DPI, drawn)

    def _saved(self, reply: Saved | PageFailed) -> None:
        if isinstance(reply, Saved):
            self.said.emit(f"Saved as {Path(reply.target).name}.")
        else:
            self.said.emit(PAGE_FAULTS.get(reply.code, PAGE_FAULTS["not_saved"]))
