"""What is selected in a document, word by word, over as many pages as were shown."""

from app.viewmodels import page_text
from app.viewmodels.page_text import PageText, Spot
from verify.domain.geometry import Box


class Selection:
    """Words come page by page, as pages come into view; ``wanted`` tells once for each page that they are missing."""

    def __init__(self) -> None:
        self._words: dict[int, PageText] = {}
        self._asked: set[int] = set()
        self._anchor: Spot | None = None
        self._focus: Spot | None = None

    def forget(self) -> None:
        self._words.clear()
        self._asked.clear()
        self.clear()

    def wanted(self, page: int) -> bool:
        if page in self._asked:
            return False
        self._asked.add(page)
        return True

    def put(self, words: PageText) -> None:
        self._words[words.index] = words

    def spot(self, page: int, x: float, y: float, nearest: bool) -> Spot | None:
        """The word at a point in page units."""
        words = self._words.get(page)
        word = None if words is None else page_text.word_at(words, x, y, nearest)
        return None if word is None else Spot(page, word)

    def start(self, spot: Spot | None) -> None:
        self._anchor, self._focus = spot, None

    def extend(self, spot: Spot | None) -> None:
        if self._anchor is not None and spot is not None:
            self._focus = spot

    def select_page(self, page: int) -> None:
        words = self._words.get(page)
        if words is not None and words.boxes:
            self._anchor, self._focus = Spot(page, 0), Spot(page, len(words.boxes) - 1)

    def clear(self) -> None:
        self._anchor = self._focus = None

    @property
    def started(self) -> bool:
        return self._anchor is not None

    def _chosen(self) -> dict[int, tuple[int, int]]:
        if self._anchor is None or self._focus is None:
            return {}
        return page_text.between(self._words, self._anchor, self._focus)

    @property
    def text(self) -> str:
        return page_text.selected_text(self._words, self._chosen())

    @property
    def page(self) -> int | None:
        """The page where the selection starts."""
        return min(self._chosen(), default=None)

    def label_of(self, page: int) -> str | None:
        words = self._words.get(page)
        return None if words is None else words.label

    def boxes(self, page: int) -> tuple[Box, ...]:
        chosen = self._chosen().get(page)
        return () if chosen is None else page_text.line_boxes(self._words[page], *chosen)
