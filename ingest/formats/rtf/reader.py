"""RTF: text, bold and italic, tables, footnotes, text boxes; deleted, struck and hidden text told apart.

The control words that decide what a reader sees; every other one is passed over. Fields show their result, never their
instruction; pictures are members, embedded objects and drawings are told.
"""

import binascii
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ingest.formats.model import Member, Read
from ingest.formats.office.symbols import in_font
from ingest.formats.office.word_notes import change_note
from ingest.formats.rtf import control_words as rtf_words
from ingest.formats.rtf.contents import READ_PICTURES, form_choice, picture_bytes, picture_member, said
from ingest.formats.rtf.control_words import State, known
from ingest.formats.rtf.runs import lines_of, one_line, run_of
from ingest.rendition.flow import (
    LEFT_OUT,
    Block,
    BlockKind,
    Grid,
    GridCell,
    Run,
    cut_behind,
    note,
    note_of,
    text_of,
)
from verify.domain.document import Metadata, SpanKind

_DEPTH = 500
_MOST_ASIDE = 50_000
"""Characters of a name, a value or the list of who changed it."""


@dataclass(slots=True)
class _Reader:
    state: State = field(default_factory=State)
    stack: list[State] = field(default_factory=list)
    flow: list[Block | Grid] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    changes: list[tuple[str, list[str]]] = field(default_factory=list)
    note: list[Run] = field(default_factory=list)
    notes: list[Block] = field(default_factory=list)
    cells: list[GridCell] = field(default_factory=list)
    cell: list[Block] = field(default_factory=list)
    rows: list[tuple[GridCell, ...]] = field(default_factory=list)
    fonts: dict[int, tuple[str, str]] = field(default_factory=dict)
    font: int = 0
    colours: list[list[int]] = field(default_factory=lambda: [[0, 0, 0]])
    in_colours: bool = False
    encoding: str = "cp1252"
    bytes_held: bytearray = field(default_factory=bytearray)
    aside: dict[str, str] = field(default_factory=dict)
    form: dict[str, int] = field(default_factory=dict)
    choices: list[str] = field(default_factory=list)
    picture: bytearray = field(default_factory=bytearray)
    kind: str = ""
    pictures: list[Member] = field(default_factory=list)
    passing: int = 0
    high: int | None = None
    marks: int = 0
    own_mark: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    too_deep: bool = False

    def feed(self, data: bytes) -> None:
        at = 0
        while (match := rtf_words.TOKEN.search(data, at)) is not None:
            at = match.end()
            word, number, code, symbol, brace, text = match.groups()
            if word == b"bin":  # so many bytes follow that are no text, whatever they look like
                raw = data[at : at + max(int(number or 0), 0)]
                at += len(raw)
                self.picture += binascii.hexlify(raw) if self.state.picture else b""
            elif code is not None:
                self._byte(int(code, 16))
            elif text is not None:
                self._plain(text)
            elif brace is not None:
                self._group(brace == b"{")
            elif word is not None:
                self._word(word, None if number is None else int(number))
            elif symbol is not None:
                self._symbol(symbol)
        while self.stack and (self.state.silent or self.state.note is not None):
            self._group(opens=False)  # the file was cut off within a picture or a note
        self._end_paragraph()
        if self.cell:
            self._end_cell()
        self._end_table()

    def _byte(self, value: int) -> None:
        if self.passing:
            self.passing -= 1
        elif not self.state.silent or self.state.into:
            self.bytes_held.append(value)

    def _plain(self, text: bytes) -> None:
        passed = min(self.passing, len(text))
        self.passing -= passed
        if self.state.picture:
            self.picture += text
        elif self.in_colours:
            self.colours += [[0, 0, 0] for _ in range(text.count(b";"))]
        elif not self.state.silent or self.state.into:
            self.bytes_held += text[passed:]

    def _decode_held(self) -> None:
        if self.bytes_held:
            held, self.bytes_held = bytes(self.bytes_held), bytearray()
            encoding = self.state.encoding
            self._put(held.decode("latin-1" if encoding == "symbol" else encoding, "replace"))

    def _put(self, text: str) -> None:
        state = self.state
        if state.into:
            kept = self.aside.get(state.into, "")
            self.aside[state.into] = kept + text if len(kept) < _MOST_ASIDE else kept
            return
        if state.silent or not text:
            return
        text = in_font(text, state.font)
        text = text.upper() if state.caps else text
        if state.unseen:
            self.counts["hidden"] += bool(text.strip())
        elif state.note is not None:
            self.note.append(run_of(text, state))
        elif state.deleted:
            self._change("Deleted", text)
            cut_behind(self.runs)
        else:
            if state.inserted:
                self._change("Inserted", text)
            self.counts["struck"] += state.struck and bool(text.strip())
            self.runs.append(run_of(text, state))

    def _change(self, what: str, text: str) -> None:
        """Neighbouring runs of one change are one note."""
        at = self.state.author
        names = self.aside.get("authors", "").split(";") if at else []
        who = names[at].strip() if 0 < at < len(names) else ""
        label = f"{what} by {who}" if who else what
        if self.changes and self.changes[-1][0] == label:
            self.changes[-1][1].append(text)
        else:
            self.changes.append((label, [text]))

    def _group(self, opens: bool) -> None:
        self._decode_held()
        self.passing = 0
        if opens:
            self.stack.append(self.state)
            if len(self.stack) > _DEPTH:
                self.too_deep = True
                self.state = replace(self.state, silent=True, closed=True)
            return
        ended = self.state
        if self.stack:
            self.state = self.stack.pop()
        self.in_colours = False
        if ended.note is not None and self.state.note is None:
            self._end_note(ended.note)
        elif ended.picture and not self.state.picture:
            self._end_picture()
        elif ended.into == "font":
            self._end_font()
        elif ended.into and not self.state.into:
            self._end_aside(ended.into)
        elif ended.field and not self.state.field:
            self._end_form()

    def _end_note(self, label: str) -> None:
        runs, self.note = self.note, []
        text = text_of(runs)
        own_mark, self.own_mark = self.own_mark, False
        if not text.strip():
            return
        if label == rtf_words.BOX:
            self.notes += [Block(BlockKind.PARAGRAPH, tuple(line)) for line in lines_of(runs) if line]
        elif label:
            self.counts["comment"] += label == "Comment"
            who = self.aside.pop("author", "").strip() if label == "Comment" else ""
            if label == "Comment" or any(map(str.isalpha, text)):
                said = [run.of(SpanKind.COMMENT) for run in runs] if label == "Comment" else runs
                self.notes.append(note_of(f"{label} by {who}" if who else label, one_line(said)))
        else:
            self._end_footnote(one_line(runs), own_mark)

    def _end_footnote(self, runs: list[Run], numbered: bool) -> None:
        """A note without a number of its own stands under the raised mark that is typed before it."""
        if not numbered and self.runs and self.runs[-1].raised:
            self.runs[-1] = self.runs[-1].of(SpanKind.NOTE_MARK)
            self.notes.append(Block(BlockKind.NOTE, tuple(runs)))
            return
        self.marks += 1
        mark = Run(str(self.marks), raised=True).of(SpanKind.NOTE_MARK)
        self.runs.append(mark)
        self.notes.append(Block(BlockKind.NOTE, (mark, Run(" "), *runs)))

    def _end_picture(self) -> None:
        data = picture_bytes(bytes(self.picture))
        self.picture.clear()
        if self.kind not in READ_PICTURES or not data:
            self.counts["drawn"] += 1
            self.notes.append(note("Picture", "it is of a kind that is not read"))
            return
        member = picture_member(data, self.kind, len(self.pictures) + 1)
        self.pictures += [member] if member else []
        self.notes.append(note("Picture", member.name if member else ""))

    def _end_font(self) -> None:
        name = self.aside.pop("font", "").partition(";")[0].strip()
        encoding, known_as = self.fonts.get(self.font, ("", ""))
        self.fonts[self.font] = (encoding, name or known_as)

    def _end_aside(self, name: str) -> None:
        if name == "choice":
            self.choices.append(self.aside.pop("choice", "").strip())
        elif name == "value":
            drawn = self.aside.pop("value", "").strip()
            if self.aside.pop("name", "").strip() == "gtextUNICODE" and drawn:
                self.notes.append(note("Drawn text", drawn))

    def _end_form(self) -> None:
        shown = form_choice(self.form, self.choices)
        self.form, self.choices = {}, []
        outer, self.state = self.state, replace(self.state, silent=False)
        self._put(shown)
        self.state = outer

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self.state = replace(self.state, silent=True)
            return
        self._decode_held()
        if symbol in (b"\\", b"{", b"}"):
            self._put(symbol.decode())
        elif symbol in rtf_words.SYMBOLS:
            self._put(rtf_words.SYMBOLS[symbol])
        elif symbol in (b"\n", b"\r"):
            self._end_paragraph()

    def _word(self, word: bytes, number: int | None) -> None:
        if word == b"u" and number is not None:
            self._unicode(number)
            return
        self._decode_held()
        state = self.state
        if word in rtf_words.NOTES and state.note is None and not state.closed:
            self.state = replace(
                state, note=rtf_words.NOTES[word], silent=False, hidden=False, raised=False, into="", size=24
            )
        elif word in rtf_words.CLOSED:
            self.state = replace(state, silent=True, closed=True)
        elif word in rtf_words.REOPENED and not state.closed:
            self.state = replace(state, silent=word == b"shpinst")
        elif word in rtf_words.SILENT:
            self.counts["objects"] += word == b"object" and not state.closed
            self.state = replace(
                state, silent=True, into=rtf_words.INTO.get(word, ""), field=state.field or word == b"formfield"
            )
            self.in_colours = word == b"colortbl"
        elif word == b"pict":
            self.state = replace(state, silent=True, picture=not state.closed)
            self.kind = ""
        elif word in rtf_words.CHARACTERS:
            self._put(rtf_words.CHARACTERS[word])
        elif word in rtf_words.FLAGS:
            self.state = replace(state, **{rtf_words.FLAGS[word]: number != 0})  # type: ignore[arg-type]  # all flags are bool
        else:
            self._structure(word, number)

    def _structure(self, word: bytes, number: int | None) -> None:
        match word:
            case b"par" | b"sect" | b"page":
                self._end_paragraph()
            case b"pard":
                self.state = replace(self.state, in_table=False, outline=None, right_to_left=False, ground="")
            case b"plain":
                self.state = replace(self.state, **rtf_words.PLAIN)  # type: ignore[arg-type]  # the defaults of these fields
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
            case b"rtlpar" | b"ltrpar":
                self.state = replace(self.state, right_to_left=word == b"rtlpar")
            case b"uc":
                self.state = replace(self.state, skip_after_unicode=max(0, min(number or 0, 8)))
            case b"chftn":
                self.own_mark = True
            case _:
                self._look(word, number)

    def _look(self, word: bytes, number: int | None) -> None:
        """Colours, sizes, fonts and what a picture is made of."""
        if word in (b"red", b"green", b"blue") and self.in_colours:
            self.colours[-1][(b"red", b"green", b"blue").index(word)] = number or 0
        elif word == b"cf":
            self.state = replace(self.state, colour=self._colour(number))
        elif word in rtf_words.GROUNDS:
            self.state = replace(self.state, ground=self._colour(number))
        elif word == b"fs":
            self.state = replace(self.state, size=24 if number is None else number)
        elif word in rtf_words.PICTURES:
            self.kind = rtf_words.PICTURES[word]
        elif word in rtf_words.DRAWN:
            self.kind = "drawn"
        elif word in (b"revauth", b"revauthdel"):
            self.state = replace(self.state, author=number or 0)
        elif word in (b"fftype", b"ffres", b"ffdefres"):
            self.form[word.decode()] = number or 0
        else:
            self._encoding(word, number)

    def _colour(self, number: int | None) -> str:
        """A colour of the file's table; its first is the page's own."""
        if not number or not 0 < number < len(self.colours):
            return ""
        return bytes(min(max(part, 0), 255) for part in self.colours[number]).hex()

    def _encoding(self, word: bytes, number: int | None) -> None:
        if word == b"ansicpg" and number:
            self.encoding = known(f"cp{number}")
            self.state = replace(self.state, encoding=self.encoding)
        elif word == b"mac":
            self.encoding = "mac_roman"
            self.state = replace(self.state, encoding=self.encoding)
        elif word == b"f" and number is not None:
            if self.state.into == "font":
                self._end_font()
            self.font = number
            if self.state.into != "font":
                encoding, name = self.fonts.get(number, ("", ""))
                self.state = replace(self.state, encoding=encoding or self.encoding, font=name)
        elif word == b"fcharset" and self.state.into == "font" and number in rtf_words.CHARSETS and number:
            self.fonts[self.font] = (rtf_words.CHARSETS[number], "")

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
            self.note.append(Run("\n"))
            return
        if self.state.silent:
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
            kind = BlockKind.HEADING if heading else BlockKind.PARAGRAPH
            yield Block(kind, runs, (outline or 0) + 1 if heading else 0, right_to_left=self.state.right_to_left)
        changed = [(label, text) for label, texts in self.changes if (text := "".join(texts)).strip()]
        self.changes.clear()
        self.counts["changes"] += len(changed)
        for label, text in changed:
            yield change_note(label, text, gone=label.startswith("Deleted"))
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


def read_rtf(data: bytes) -> Read:
    """Raises nothing but MemoryError: what is malformed is read as far as it goes."""
    reader = _Reader()
    reader.feed(data)
    flow = [*reader.flow, LEFT_OUT] if reader.too_deep else reader.flow
    return Read(flow, Metadata(), tuple(said(reader.counts)), lambda: iter(reader.pictures))
