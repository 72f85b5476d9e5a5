"""What a form's field is asked for: the printed words beside it or above it, read together with what is filled in.

A field says "Marta Oyelaran" or is ticked; only with its label does that say anything. The label is taken from what the
page shows, never from the field's own name, which no reader sees. Distances are general typography: the words of a
label are parted by less than two spaces, and a label lies on its field's line or on the line above.
"""

import re
from collections.abc import Iterable, Sequence

from ingest.page.raw import RawWord
from ingest.page.seen import OwnText
from verify.domain.document import ElementKind
from verify.domain.geometry import Box

_GAP = 1.2
"""Between two words of a label, in heights of a word."""
_FROM_BOX = 2000
"""Farthest from a box to tick to the first word of its label; 1/100 pt, as all distances here."""
_FROM_FIELD = 15_000
_ROW = 3
"""Farthest from one row of options to the next, and from the first to the question that they answer, in heights of a
word."""
_INDENT = 4000
"""How much farther right than its options a question may begin."""
_YES_NO = frozenset({"yes", "no", "n/a", "none", "true", "false", "ja", "nein", "oui", "non", "sí"})
_NUMBER = re.compile(r"\(?(?:\d{1,3}|[a-zA-Z])[.)]+")
TICKED = "☒"
YES = "yes"

Placed = tuple[str, Box]


def with_labels(own: Sequence[OwnText], fields: Sequence[Box], words: Sequence[RawWord]) -> list[OwnText]:
    """The same with each form field's text made "label: value", and ``label`` set where an annotation was typed beside
    one. ``fields`` are the boxes of all fields, filled in or not; ``words`` the page's, as displayed."""
    if not own:
        return []
    page = _Printed([word for word in words if word.visible], fields)
    return [_labelled(one, page) for one in own]


def _labelled(one: OwnText, page: "_Printed") -> OwnText:
    if one.kind is ElementKind.ANNOTATION:
        one.label = _said(page.left_of(one.box)) if one.typed else ""
        return one
    if one.text == TICKED:
        parts = _ticked(one.box, page)
        return _composed(one, parts) if parts else one
    label = page.left_of(one.box) or page.above(one.box)
    if not label:
        return one
    return _composed(one, [*_with_colon(_bare(label)), *((text, box) for text, _, _, box in one.words)])


def _ticked(box: Box, page: "_Printed") -> list[Placed]:
    """The question with the option that is ticked, or what is ticked with "yes"."""
    option = page.right_of(box)
    question = page.before_first_field(box) or page.question_above(box)
    if not option:
        question = question or page.left_of(box)
        return [*_with_colon(_bare(question)), (YES, box)] if question else []
    asks = bool(question) and question[-1][0][-1] in "?:"
    if _said(option).lower().strip(" .,;") in _YES_NO or asks:
        return [*_with_colon(_bare(question)), *option]
    return [*_with_colon(_bare(option)), (YES, box)]


def _said(label: Iterable[Placed]) -> str:
    return " ".join(text for text, _ in label)


def _bare(label: list[Placed]) -> list[Placed]:
    """Without the number of the question."""
    return label[1:] if len(label) > 1 and _NUMBER.fullmatch(label[0][0]) else label


def _with_colon(label: list[Placed]) -> list[Placed]:
    """The last word with a colon for the mark that it ends with: a question and its answer are one sentence."""
    if not label:
        return label
    text, box = label[-1]
    return [*label[:-1], (f"{text.rstrip('?:.') or text}:", box)]


def _composed(one: OwnText, parts: Sequence[Placed]) -> OwnText:
    words, at = [], 0
    for text, box in parts:
        words.append((text, at, at + len(text), box))
        at += len(text) + 1
    return OwnText(one.kind, _said(parts), one.box, tuple(words))


class _Printed:
    """The page's words, to be asked what lies beside a box. Lists are in reading order."""

    def __init__(self, words: Sequence[RawWord], fields: Sequence[Box]) -> None:
        self._words = sorted(words, key=lambda word: word.box.x0)
        self._fields = fields

    def right_of(self, box: Box) -> list[Placed]:
        run: list[Placed] = []
        end, most = box.x1, _FROM_BOX
        for word in self._on_line(box):
            if word.box.x0 < box.x1 - 100:
                continue
            if word.box.x0 - end > most or self._field_between(box, end, word.box.x0):
                break
            run.append((word.text, word.box))
            end, most = word.box.x1, _gap(word)
        return run

    def left_of(self, box: Box) -> list[Placed]:
        run: list[Placed] = []
        begin, most = box.x0, _FROM_FIELD
        for word in reversed(self._on_line(box)):
            if word.box.x1 > box.x0 + 100:
                continue
            if begin - word.box.x1 > most or self._field_between(box, word.box.x1, begin):
                break
            run.append((word.text, word.box))
            begin, most = word.box.x0, _gap(word)
        return run[::-1]

    def above(self, box: Box) -> list[Placed]:
        """The words right above that lie over the box."""
        over = [w for w in self._words if w.box.x1 > box.x0 and w.box.x0 < box.x1 and _centre(w.box) < box.y0]
        lowest = max((_centre(w.box) for w in over), default=0)
        line = [w for w in over if lowest - _centre(w.box) < (w.box.y1 - w.box.y0) // 2]
        near = bool(line) and box.y0 - max(w.box.y1 for w in line) <= max(w.box.y1 - w.box.y0 for w in line)
        return [(w.text, w.box) for w in line] if near else []

    def before_first_field(self, box: Box) -> list[Placed]:
        """What stands before the first box of the line: "Personal phone used: [ ] Yes [x] No"."""
        on_line = [f for f in self._fields if f.y0 <= _centre(box) <= f.y1]
        return self.left_of(min(on_line, key=lambda f: f.x0, default=box))

    def question_above(self, box: Box) -> list[Placed]:
        """The nearest line above that has no field on it; rows of other options may lie between."""
        above = sorted((w for w in self._words if _centre(w.box) <= box.y0), key=lambda w: -_centre(w.box))
        at = _centre(box)
        while above and at - _centre(above[0].box) <= _ROW * (above[0].box.y1 - above[0].box.y0):
            at, half = _centre(above[0].box), (above[0].box.y1 - above[0].box.y0) // 2
            line = sorted((w for w in above if at - _centre(w.box) <= half), key=lambda w: w.box.x0)
            above = [w for w in above if at - _centre(w.box) > half]
            run = _first_run(line, box.x0 + _INDENT)
            if run and not any(f.y0 - half <= at <= f.y1 + half for f in self._fields):
                return run
        return []

    def _on_line(self, box: Box) -> list[RawWord]:
        return [
            word
            for word in self._words
            if (box.y0 <= _centre(word.box) <= box.y1 or word.box.y0 <= _centre(box) <= word.box.y1)
            and not box.holds_centre_of(word.box)
        ]

    def _field_between(self, own: Box, begin: int, end: int) -> bool:
        return any(
            f != own and f.y0 <= _centre(own) <= f.y1 and begin - 100 <= f.x0 and f.x1 <= end + 100
            for f in self._fields
        )


def _first_run(line: Sequence[RawWord], farthest: int) -> list[Placed]:
    run: list[RawWord] = []
    for word in line:
        if run and word.box.x0 - run[-1].box.x1 > _gap(word):
            break
        run.append(word)
    return [(w.text, w.box) for w in run] if run and run[0].box.x0 <= farthest else []


def _gap(word: RawWord) -> int:
    return round(_GAP * (word.box.y1 - word.box.y0))


def _centre(box: Box) -> int:
    return (box.y0 + box.y1) // 2
