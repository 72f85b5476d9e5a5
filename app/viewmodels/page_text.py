"""The words of a page as the view needs them: where they lie, and what they say, to select, copy and find."""

from dataclasses import dataclass
from typing import NamedTuple

from app.messages import page_name
from verify.domain.document import Page
from verify.domain.geometry import Box, union


@dataclass(frozen=True, slots=True)
class PageText:
    """The visible running words of a page in reading order; ``starts``/``ends`` are offsets in ``text``."""

    index: int
    label: str | None
    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    boxes: tuple[Box, ...]
    lines: tuple[int, ...]


class Spot(NamedTuple):
    """A word of a page: where a selection starts or ends."""

    page: int
    word: int


def page_text(page: Page) -> PageText:
    """Without hidden words and without annotations and form fields, whose text is their own."""
    own = [range(e.first_word, e.end_word) for e in page.elements if e.start is None]
    kept = [w for i, w in enumerate(page.words) if w.visible and not any(i in r for r in own)]
    return PageText(
        page.index,
        page.label,
        page.text,
        tuple(w.start for w in kept),
        tuple(w.end for w in kept),
        tuple(w.box for w in kept),
        tuple(w.line for w in kept),
    )


def word_at(page: PageText, x: float, y: float, nearest: bool) -> int | None:
    """The word under a point in page units; with ``nearest`` the closest one, by rows first. None if there is none."""
    best, best_distance = None, float("inf")
    for i, (x0, y0, x1, y1) in enumerate(page.boxes):
        across = max(x0 - x, 0, x - x1)
        down = max(y0 - y, 0, y - y1)
        if across == 0 and down == 0:
            return i
        distance = down * 8 + across  # a pointer beside a line means that line, however far its words are
        if nearest and distance < best_distance:
            best, best_distance = i, distance
    return best


def between(pages: dict[int, PageText], anchor: Spot, focus: Spot) -> dict[int, tuple[int, int]]:
    """First and last word (inclusive) selected on each page. A page whose words are not loaded is left out."""
    first, last = sorted((anchor, focus))
    chosen = {}
    for index in range(first.page, last.page + 1):
        page = pages.get(index)
        if page is None or not page.boxes:
            continue
        low = first.word if index == first.page else 0
        high = last.word if index == last.page else len(page.boxes) - 1
        chosen[index] = (low, high)
    return chosen


def selected_text(pages: dict[int, PageText], chosen: dict[int, tuple[int, int]]) -> str:
    """The page's own text between the words, so that what is copied is what is verified."""
    return "\n\n".join(
        pages[i].text[pages[i].starts[low] : pages[i].ends[high]] for i, (low, high) in sorted(chosen.items())
    )


def line_boxes(page: PageText, low: int, high: int) -> tuple[Box, ...]:
    """One box for each line of the words ``low`` to ``high`` (inclusive), never one over several lines."""
    rows: dict[int, list[Box]] = {}
    for i in range(low, high + 1):
        rows.setdefault(page.lines[i], []).append(page.boxes[i])
    return tuple(union(boxes) for boxes in rows.values())


def find(page: PageText, wanted: str) -> tuple[tuple[Box, ...], ...]:
    """Every place on the page where ``wanted`` stands, as line boxes of the words it touches. Case and kinds of white
    space are passed over: this serves finding, never verification."""
    needle = " ".join(wanted.split()).casefold()
    if not needle:
        return ()
    hay, places = _folded(page.text)
    hits = []
    at = hay.find(needle)
    while at >= 0:
        start, end = places[at], places[at + len(needle) - 1] + 1
        touched = [i for i, (s, e) in enumerate(zip(page.starts, page.ends, strict=True)) if s < end and start < e]
        if touched:
            hits.append(line_boxes(page, touched[0], touched[-1]))
        at = hay.find(needle, at + len(needle))
    return tuple(hits)


def _folded(text: str) -> tuple[str, list[int]]:
    """Case-folded text with every run of white space as one space, and for each character where it came from."""
    out: list[str] = []
    places: list[int] = []
    for i, character in enumerate(text):
        if character.isspace():
            if out and out[-1] != " ":
                out.append(" ")
                places.append(i)
            continue
        for folded in character.casefold():
            out.append(folded)
            places.append(i)
    return "".join(out), places


def citation_for(name: str, label: str | None, page_index: int) -> str:
    """``MSA.pdf, p. 15 (PDF page 18)``."""
    return f"{name}, {page_name(label, page_index)}"


def quoted(text: str, citation: str) -> str:
    """A selection to paste: lines joined as prose, quoted, with where it stands."""
    return f"“{' '.join(text.split())}” ({citation})"
