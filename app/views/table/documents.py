"""Which documents a table asks: a list to tick, all of them at first."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app.viewmodels.matter import SourceRow
from app.views.dialogs import Dialog
from app.views.widgets import button, label, row
from verify.domain.ids import SourceId

_HINT = "Ticked documents are the rows of the table. Space ticks, letters find a name."


class DocumentsDialog(Dialog):
    """``then`` is told the ticked ones; nothing where the dialog is closed."""

    def __init__(
        self,
        rows: tuple[SourceRow, ...],
        chosen: frozenset[SourceId],
        then: Callable[[frozenset[SourceId]], object],
        parent: QWidget,
    ) -> None:
        super().__init__("Documents to ask", parent, 560, 620)
        self._then = then
        self.body.addWidget(label(_HINT, "muted", wrap=True))
        self.list = QListWidget()
        self.list.setAccessibleName("Documents to ask")
        self.list.setAccessibleDescription(_HINT)
        self.list.verticalScrollBar().setAccessibleName("Scroll the documents")
        self.list.horizontalScrollBar().setAccessibleName("Scroll the documents sideways")
        for one in rows:
            item = QListWidgetItem(one.path, self.list)
            item.setData(Qt.ItemDataRole.UserRole, one.source_id)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(_tick(one.source_id in chosen))
        self.list.setCurrentRow(0)
        self.list.itemChanged.connect(self._count)
        self.body.addWidget(self.list, 1)
        self.all_button = button("Tick all")
        self.all_button.clicked.connect(lambda: self._tick_all(True))
        self.none_button = button("Tick none")
        self.none_button.clicked.connect(lambda: self._tick_all(False))
        self.count = label("", "small")
        self.body.addLayout(row(self.all_button, self.none_button, self.count, None))
        self.ask_button = button("Ask these", "primary", "Shows these documents in the table (Ctrl+Return)")
        self.ask_button.setShortcut("Ctrl+Return")
        self.ask_button.clicked.connect(self._take)
        self.buttons.insertWidget(1, self.ask_button)
        self._count()
        self.list.setFocus()

    @property
    def ticked(self) -> frozenset[SourceId]:
        items = (self.list.item(i) for i in range(self.list.count()))
        return frozenset(
            SourceId(item.data(Qt.ItemDataRole.UserRole)) for item in items if item.checkState() is _tick(True)
        )

    def _tick_all(self, ticked: bool) -> None:
        for i in range(self.list.count()):
            self.list.item(i).setCheckState(_tick(ticked))

    def _count(self) -> None:
        self.count.setText(f"{len(self.ticked):,} of {self.list.count():,} ticked")
        self.ask_button.setEnabled(bool(self.ticked))

    def _take(self) -> None:
        self._then(self.ticked)
        self.accept()


def _tick(ticked: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
