"""What stands below a paragraph of a rendition: what was changed, commented and noted in it, labelled as such."""

from dataclasses import dataclass, field

from ingest.rendition.flow import Block, BlockKind, Run, labelled


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
        changed = [
            labelled(f"{what}{who}: “{''.join(texts)}”") for what, who, texts in self.changes if "".join(texts).strip()
        ]
        blocks = changed + self.lines
        self.changes, self.lines = [], []
        return blocks


def noted(mark: str, text: str) -> Block:
    """A footnote or endnote under its mark."""
    return Block(BlockKind.NOTE, (Run(mark, raised=True), Run(" " + text)) if mark else (Run(text),))
