"""Documents of plain paragraphs, one passage each."""

from collections.abc import Callable, Sequence
from itertools import count

import pytest

from models.answering.documents.text import DocumentText
from models.answering.drafts import ShownPassage
from verify.domain.ids import SourceId


@pytest.fixture
def make_document(make_passage: Callable[..., ShownPassage]) -> Callable[..., DocumentText]:
    """``paragraphs`` are strings of page 0, or (page index, text). Handles go on over the documents of a test."""
    numbers = count(1)

    def make(
        paragraphs: Sequence[str | tuple[int, str]], path: str = "a.pdf", dated: str | None = None
    ) -> DocumentText:
        placed = [p if isinstance(p, tuple) else (0, p) for p in paragraphs]
        shown = tuple(make_passage(next(numbers), path, [element], title=placed[0][1]) for element in placed)
        return DocumentText(SourceId(path), path, placed[0][1], shown, dated)

    return make
