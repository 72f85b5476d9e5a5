"""Lines that will be an element."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.page.lines import TextLine
from verify.domain.document import ElementKind


@dataclass(slots=True)
class Drafted:
    """Lines of one element to be, with what is known about it."""

    kind: ElementKind
    lines: Sequence[TextLine]
    mark: str | None = None
    path: tuple[str, ...] = ()
    table: int | None = None
