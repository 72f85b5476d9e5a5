"""What was seen of a page as it is displayed, beside what its text says: facts for the gate, made by ``ingest.look``.

Words are indexes into ``Page.words``. Boxes are as in ``geometry``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from verify.domain.geometry import Box
from verify.domain.ids import ElementId


class Misread(NamedTuple):
    """Words ``first`` to ``end`` (half-open) of a page, which read otherwise when their line was read again by OCR.
    ``end`` equal to ``first``: words before ``first`` that no text says."""

    first: int
    end: int
    seen: str


class Drawn(NamedTuple):
    """What the appearance of an annotation or form field draws as text, and whether that can be seen.

    ``text`` is None where it draws no text at all; that of a button that is ticked has neither letter nor digit.
    """

    element_id: ElementId
    text: str | None
    visible: bool


@dataclass(frozen=True, slots=True)
class Look:
    """``unseen``: words whose ink is covered, faded or missing. ``struck``: words with a stroke through them.
    ``objects``: what has ink among or between the lines and is no text of the page. ``doubtful``: words for which the
    file gives cause to read their line again; ``unread``: words whose line should have been, and could not be.
    ``failed``: the page could not be rendered, so nothing of it was seen."""

    unseen: tuple[int, ...] = ()
    struck: tuple[int, ...] = ()
    objects: tuple[Box, ...] = ()
    misread: tuple[Misread, ...] = ()
    doubtful: tuple[int, ...] = ()
    unread: tuple[int, ...] = ()
    drawn: tuple[Drawn, ...] = ()
    failed: bool = False

    def to_json(self) -> dict[str, Any]:
        return {
            "unseen": list(self.unseen),
            "struck": list(self.struck),
            "objects": [list(box) for box in self.objects],
            "misread": [list(row) for row in self.misread],
            "doubtful": list(self.doubtful),
            "unread": list(self.unread),
            "drawn": [list(row) for row in self.drawn],
            "failed": self.failed,
        }


def look_from_json(d: Mapping[str, Any]) -> Look:
    """Raises KeyError, ValueError or TypeError for what ``Look.to_json`` did not make."""
    return Look(
        _numbers(d["unseen"]),
        _numbers(d["struck"]),
        tuple(Box(*_numbers(box)) for box in d["objects"]),
        tuple(Misread(int(first), int(end), str(seen)) for first, end, seen in d["misread"]),
        _numbers(d["doubtful"]),
        _numbers(d["unread"]),
        tuple(Drawn(ElementId(e), None if text is None else str(text), bool(seen)) for e, text, seen in d["drawn"]),
        bool(d["failed"]),
    )


def _numbers(row: Sequence[Any]) -> tuple[int, ...]:
    return tuple(map(int, row))
