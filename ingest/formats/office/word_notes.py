"""What stands below a paragraph of a rendition: what was changed, commented and noted in it, labelled as such."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ingest.rendition.flow import Block, BlockKind, Run, labelled, quoted
from verify.domain.document import SpanKind

GONE = ("Deleted", "Moved away")
"""How the labels of words begin that were taken out."""


@dataclass(slots=True)
class Notes:
    """Labelled notes of the paragraph that is being read, shown after it."""

    lines: list[Block] = field(default_factory=list)
    changes: list[tuple[str, str, list[str]]] = field(default_factory=list)

    def change(self, what: str, who: str, text: str) -> None:
        """Neighbouring runs of one change are one note."""
        if self.changes and self.changes[-1][:2] == (what, who):
            self.changes[-1][2].append(text)
        else:
            self.changes.append((what, who, [text]))

    def taken(self) -> list[Block]:
        blocks = [
            change_note(f"{what}{who}", "".join(texts), gone=what.startswith(GONE))
            for what, who, texts in self.changes
            if "".join(texts).strip()
        ]
        blocks += self.lines
        self.changes, self.lines = [], []
        return blocks


def change_note(label: str, text: str, *, gone: bool) -> Block:
    """Words that are ``gone`` stand only here; what was inserted stands in the text, and is here for who did it."""
    return quoted(label, [text], SpanKind.DELETED) if gone else labelled(f"{label}: “{text}”")


def mark_of_note(mark: str) -> Run:
    """The raised mark of a note, in the text and before the note's own words."""
    return Run(mark, raised=True, kinds=frozenset({SpanKind.NOTE_MARK}))


def noted(mark: str, runs: Sequence[Run]) -> Block:
    """A footnote or endnote under its mark."""
    return Block(BlockKind.NOTE, (mark_of_note(mark), Run(" "), *runs) if mark else tuple(runs))
