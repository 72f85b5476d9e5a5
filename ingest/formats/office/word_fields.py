"""Fields of a Word file: their result is shown, their instruction never; a form shows what is chosen in it."""

from dataclasses import dataclass, field

from ingest.formats.office.word_numbering import W
from ingest.formats.office.word_styles import is_on, number_of
from ingest.formats.safe_xml import Node

_SHOW_NOTHING = frozenset(
    (
        "XE", "TC", "TA", "RD", "SET", "ASK", "PRIVATE", "ADVANCE", "COMMENTS", "BIBLIOGRAPHY", "INDEX", "TOC", "TOA",
        "SKIPIF", "NEXT", "NEXTIF", "MACROBUTTON", "GOTOBUTTON",
    )
)  # fmt: skip
"""Fields that may well have no result: marks for an index, questions, settings."""


@dataclass(slots=True)
class _Open:
    code: list[str] = field(default_factory=list)
    in_code: bool = True
    form: Node | None = None


@dataclass(slots=True)
class Fields:
    """Follows the marks of fields through a part. ``without_result`` counts fields that would show something and were
    saved without it. Where a part's marks do not pair up, nothing of it counts as an instruction."""

    followed: bool = True
    without_result: int = 0
    _open: list[_Open] = field(default_factory=list)

    @property
    def in_code(self) -> bool:
        return any(entry.in_code for entry in self._open)

    def instruction(self, text: str) -> None:
        if self._open:
            self._open[-1].code.append(text)

    def mark(self, node: Node) -> str:
        """Takes a ``fldChar``; what the field shows though it has no result (a form's box or list)."""
        if not self.followed:
            return ""
        kind = node.get(f"{W}fldCharType")
        if kind == "begin":
            self._open.append(_Open(form=node.find(f"{W}ffData")))
        elif kind == "separate" and self._open:
            self._open[-1].in_code = False
        elif kind == "end" and self._open:
            ended = self._open.pop()
            shown = form_value(ended.form)
            if shown is not None:
                return "" if self.in_code else shown
            if ended.in_code and not self.in_code:
                self.without_result += _shows_something("".join(ended.code))
        return ""


def _shows_something(code: str) -> bool:
    words = code.split()
    return bool(words) and words[0].upper() not in _SHOW_NOTHING and "\\h" not in words[1:]


def fields_pair_up(root: Node) -> bool:
    """Whether every field that begins in a part ends in it."""
    depth = 0
    for node in root.iter(f"{W}fldChar"):
        kind = node.get(f"{W}fldCharType")
        depth += (kind == "begin") - (kind == "end")
        if depth < 0:
            return False
    return depth == 0


def form_value(form: Node | None) -> str | None:
    """A box as ☒ or ☐, a list's chosen entry; None for what shows its result (a form's text)."""
    if form is None:
        return None
    box, choices = form.find(f"{W}checkBox"), form.find(f"{W}ddList")
    if box is not None:
        ticked = is_on(box, "checked") if box.find(f"{W}checked") is not None else is_on(box, "default")
        return "☒" if ticked else "☐"
    if choices is not None:
        chosen = number_of(choices, "result")
        chosen = number_of(choices, "default") if chosen is None else chosen
        entries = [entry.get(f"{W}val", "") for entry in choices.iterfind(f"{W}listEntry")]
        return entries[chosen or 0] if (chosen or 0) < len(entries) else ""
    return None
