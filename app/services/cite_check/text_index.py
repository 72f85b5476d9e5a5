"""Which pages could hold a quotation: a coarse look that picks pages for the gate, which alone decides."""

import re
from collections.abc import Sequence

from verify.domain.document import FURNITURE, OWN_TEXT, Page

_ALTERED = re.compile(
    r"\[[^\]]*\]|…|\.\s?\.\s?\.(?:\s?\.)?|\*\s?\*\s?\*|\([^)]*(?:emphasis|citations?|footnotes?|marks)[^)]*\)"
)


def letters_of(text: str) -> str:
    """Letters and digits alone, in lower case: blind to hyphens at line ends, marks and spaces."""
    return "".join(filter(str.isalnum, text)).casefold()


def pieces_of(quotation: str) -> tuple[str, ...]:
    """What stands between alterations, as letters, long enough to tell pages apart; the whole where all are short."""
    pieces = [letters_of(part) for part in _ALTERED.split(quotation)]
    long = tuple(p for p in pieces if len(p) >= 12)
    return long or tuple(p for p in pieces if p)[:1]


class TextIndex:
    """The letters of one document's pages."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._letters = [(page.index, letters_of(page.text)) for page in pages]
        self._bodies = {page.index: letters_of(_running(page)) for page in pages}

    def holds(self, quotation: str) -> tuple[int, ...]:
        """Indexes of the pages with every piece."""
        pieces = pieces_of(quotation)
        return tuple(index for index, text in self._letters if pieces and all(piece in text for piece in pieces))

    def holds_over(self, quotation: str) -> tuple[int, ...]:
        """Indexes of pages from which it runs on to the next."""
        pieces = pieces_of(quotation)
        found = []
        for index, body in self._bodies.items():
            after = self._bodies.get(index + 1)
            if after is None or not pieces:
                continue
            both = body + after
            if (
                all(p in both for p in pieces)
                and not all(p in body for p in pieces)
                and not all(p in after for p in pieces)
            ):
                found.append(index)
        return tuple(found)


def _running(page: Page) -> str:
    return " ".join(e.text for e in page.elements if e.kind not in FURNITURE | OWN_TEXT)
