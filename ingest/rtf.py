"""RTF: text, bold and italic, tables, footnotes; deleted and hidden text told apart.

Word 97's control words that decide what a reader sees; every other one is passed over. Fields show their result, never
their instruction; pictures and objects are not read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ingest.flow import LEFT_OUT, Block, BlockKind, Grid, GridCell, Run
from ingest.opening import Read
from verify.domain.document import Metadata, SourceWarning, WarningCode

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})?[ ]?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|[\r\n]+|([^\\{}\r\n]+)"
)
_SILENT = frozenset(
    b"fonttbl colortbl stylesheet listtable listoverridetable revtbl rsidtbl generator info pict object "
    b"objdata themedata colorschememapping datastore latentstyles xmlnstbl fldinst filetbl bkmkstart "
    b"bkmkend atnid atnauthor atntime atndate atnref atrfstart atrfend pgptbl mmathPr userprops pntxta "
    b"pntxtb ftnsep ftnsepc aftnsep nonshppict shppict blipuid template private do".split()
)
_NOTES = {b"footnote": "", b"annotation": "Comment", b"header": "Page header", b"footer": "Page footer",
          b"headerl": "Page header", b"headerr": "Page header", b"headerf": "Page header", b"footerl": "Page footer",
          b"footerr": "Page footer", b"footerf": "Page footer"}  # fmt: skip
_CHARACTERS = {
    b"tab": "\t", b"line": "\n", b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
    b"rdblquote": "”", b"bullet": "•", b"emspace": " ", b"enspace": " ", b"qmspace": " ",
}  # fmt: skip
_SYMBOLS = {b"~": "\u00a0", b"_": "\u2011", b"-": "\u00ad", b"\t": "\t"}
_CHARSETS = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_DEPTH = 500


@dataclass(frozen=True, slots=True)
class _State:
    """What a group inherits and its end restores."""

    bold: bool = False
    italic: bool = False
    underlined: bool = False
    raised: bool = False
    hidden: bool = False
    deleted: bool = False
    inserted: bool = False
    silent: bool = False
    note: str | None = None
    in_table: bool = False
    outline: int | None = None
    skip_after_unicode: int = 1
    encoding: str = "cp1252"


@dataclass(slots=True)
class _Reader:
    state: _State = field(default_factory=_State)
    stack: list[_State] = field(default_factory=list)
    flow: list[Block | Grid] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    inserted: list[str] = field(default_factory=list)
    note: list[str] = field(default_factory=list)
    notes: list[Block] = field(default_factory=list)
    cells: list[GridCell] = field(default_factory=list)
    cell: list[Block] = field(default_factory=list)
    rows: list[tuple[GridCell, ...]] = field(default_factory=list)
    fonts: dict[int, str] = field(default_factory=dict)
    font: int = 0
    in_fonts: int | None = None
    encoding: str = "cp1252"
    bytes_held: bytearray = field(default_factory=bytearray)
    passing: int = 0
    high: int | None = None
    marks: int = 0
    changes: int = 0
    hidden: int = 0
    too_deep: bool = False

    def feed(self, data: bytes) -> None:
        for match in _TOKEN.finditer(data):
            word, number, code, symbol, brace, text = match.groups()
            if code is not None:
                self._byte(int(code, 16))
            elif text is not None:
                self._plain(text)
            elif brace is not None:
                self._group(brace == b"{")
            elif word is not None:
                self._word(word, None if number is None else int(number))
            elif symbol is not None:
                self._symbol(symbol)
        self._end_paragraph()
        self._end_table()

    def _byte(self, value: int) -> None:
        if self.passing:
            self.passing -= 1
        elif not self.state.silent:
            self.bytes_held.append(value)

    def _plain(self, text: bytes) -> None:
        passed = min(self.passing, len(text))
        self.passing -= passed
        if not self.state.silent:
            self.bytes_held += text[passed:]

    def _decode_held(self) -> None:
        if self.bytes_held:
            held, self.bytes_held = bytes(self.bytes_held), bytearray()
            self._put(held.decode(self.state.encoding, "replace"))

    def _put(self, text: str) -> None:
        state = self.state
        if state.silent or not text:
            return
        if state.note is not None:
            self.note.append(text)
        elif state.hidden:
            self.hidden += 1
        elif state.deleted:
            self.deleted.append(text)
        else:
            if state.inserted:
                self.inserted.append(text)
            underlined = state.underlined or state.inserted
            self.runs.append(Run(text, state.bold, state.italic, underlined, state.raised))

    def _group(self, opens: bool) -> None:
        self._decode_held()
        self.passing = 0
        if opens:
            self.stack.append(self.state)
            if len(self.stack) > _DEPTH:
                self.too_deep = True
                self.state = replace(self.state, silent=True)
            return
        ended = self.state
        if self.stack:
            self.state = self.stack.pop()
        if self.in_fonts is not None and len(self.stack) < self.in_fonts:
            self.in_fonts = None
        if ended.note is not None and self.state.note is None:
            self._end_note(ended.note)

    def _end_note(self, label: str) -> None:
        text = " ".join("".join(self.note).split())
        self.note.clear()
        if not text:
            return
        if label:
            self.notes.append(Block(BlockKind.NOTE, (Run(f"[{label}: {text}]", italic=True),)))
            return
        self.marks += 1
        self.runs.append(Run(str(self.marks), raised=True))
        self.notes.append(Block(BlockKind.NOTE, (Run(str(self.marks), raised=True), Run(" " + text))))

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self.state = replace(self.state, silent=True)
            return
        self._decode_held()
        if symbol in (b"\\", b"{", b"}"):
            self._put(symbol.decode())
        elif symbol in _SYMBOLS:
            self._put(_SYMBOLS[symbol])
        elif symbol in (b"\n", b"\r"):
            self._end_paragraph()

    def _word(self, word: bytes, number: int | None) -> None:
        if word == b"u" and number is not None:
            self._unicode(number)
            return
        self._decode_held()
        on = number != 0
        state = self.state
        if word in _SILENT:
            self.state = replace(state, silent=True)
            if word == b"fonttbl":
                self.in_fonts = len(self.stack)
        elif word in _NOTES and state.note is None:
            self.state = replace(state, note=_NOTES[word], silent=False, hidden=False, raised=False)
        elif word in _CHARACTERS:
            self._put(_CHARACTERS[word])
        elif word in _FLAGS:
            self.state = replace(state, **{_FLAGS[word]: on})  # type: ignore[arg-type]  # all flags are bool
        else:
            self._structure(word, number, on)

    def _structure(self, word: bytes, number: int | None, on: bool) -> None:
        match word:
            case b"par" | b"sect" | b"page":
                self._end_paragraph()
            case b"pard":
                self.state = replace(self.state, in_table=False, outline=None)
            case b"plain":
                self.state = replace(
                    self.state, bold=False, italic=False, underlined=False, raised=False, hidden=False, deleted=False,
                    inserted=False,
                )  # fmt: skip
            case b"intbl":
                self.state = replace(self.state, in_table=True)
            case b"cell":
                self._end_cell()
            case b"row":
                self._end_row()
            case b"ulnone":
                self.state = replace(self.state, underlined=False)
            case b"nosupersub":
                self.state = replace(self.state, raised=False)
            case b"outlinelevel":
                self.state = replace(self.state, outline=number)
            case b"uc":
                self.state = replace(self.state, skip_after_unicode=max(0, min(number or 0, 8)))
            case b"bin":
                self.passing = 0
            case _:
                self._encoding(word, number)

    def _encoding(self, word: bytes, number: int | None) -> None:
        if word == b"ansicpg" and number:
            self.encoding = _known(f"cp{number}")
            self.state = replace(self.state, encoding=self.encoding)
        elif word == b"mac":
            self.encoding = "mac_roman"
            self.state = replace(self.state, encoding=self.encoding)
        elif word == b"f" and number is not None:
            self.font = number
            if self.in_fonts is None:
                self.state = replace(self.state, encoding=self.fonts.get(number, self.encoding))
        elif word == b"fcharset" and self.in_fonts is not None and number in _CHARSETS and number:
            self.fonts[self.font] = _CHARSETS[number]

    def _unicode(self, number: int) -> None:
        """UTF-16 in signed 16 bits; what follows for readers without Unicode is passed over."""
        self._decode_held()
        unit = number & 0xFFFF if -0x8000 <= number <= 0xFFFF else ord("\ufffd")  # no other number names a character
        self.passing = self.state.skip_after_unicode
        if 0xD800 <= unit < 0xDC00:
            self.high = unit
        elif 0xDC00 <= unit < 0xE000:
            high, self.high = self.high, None
            self._put("\ufffd" if high is None else chr(0x10000 + ((high - 0xD800) << 10) + unit - 0xDC00))
        else:
            self._put(chr(unit))

    def _end_paragraph(self) -> None:
        self._decode_held()
        if self.state.note is not None:
            self.note.append(" ")
            return
        blocks = list(self._paragraph())
        if self.state.in_table:
            self.cell += blocks
        else:
            self._end_table()
            self.flow += blocks

    def _paragraph(self) -> Iterator[Block]:
        runs, self.runs = tuple(self.runs), []
        if "".join(run.text for run in runs).strip():
            outline = self.state.outline
            heading = outline is not None and 0 <= outline < 9
            yield Block(
                BlockKind.HEADING if heading else BlockKind.PARAGRAPH, runs, (outline or 0) + 1 if heading else 0
            )
        for label, texts in (("Inserted", self.inserted), ("Deleted", self.deleted)):
            if "".join(texts).strip():
                self.changes += 1
                yield Block(BlockKind.NOTE, (Run(f"[{label}: “{''.join(texts)}”]", italic=True),))
            texts.clear()
        yield from self.notes
        self.notes = []

    def _end_cell(self) -> None:
        self._decode_held()
        self.cell += self._paragraph()
        self.cells.append(GridCell(tuple(self.cell)))
        self.cell = []

    def _end_row(self) -> None:
        if self.cells:
            self.rows.append(tuple(self.cells))
        self.cells = []

    def _end_table(self) -> None:
        self._end_row()
        if self.rows:
            self.flow.append(Grid(tuple(self.rows)))
            self.rows = []


_FLAGS = {
    b"b": "bold", b"i": "italic", b"ul": "underlined", b"super": "raised", b"v": "hidden", b"deleted": "deleted",
    b"revised": "inserted",
}  # fmt: skip


def _known(encoding: str) -> str:
    try:
        "".encode(encoding)
    except LookupError:
        return "cp1252"
    return encoding


def read_rtf(data: bytes) -> Read:
    """Raises nothing but MemoryError: what is malformed is read as far as it goes."""
    reader = _Reader()
    reader.feed(data)
    warnings = []
    if reader.changes:
        detail = f"{reader.changes} paragraphs have tracked changes; both states are shown and labelled"
        warnings.append(SourceWarning(WarningCode.HAS_REVISIONS, None, detail))
    if reader.hidden:
        warnings.append(SourceWarning(WarningCode.HIDDEN_TEXT, None, "hidden text was left out"))
    flow = [*reader.flow, LEFT_OUT] if reader.too_deep else reader.flow
    return Read(flow, Metadata(), tuple(warnings))
