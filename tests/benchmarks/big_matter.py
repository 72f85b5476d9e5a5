"""Makes folders of PDFs with as many pages as wanted, in invented words that are spread as a language's are.

The n-th most frequent word has a share of 1 / (n + 2.7) (Zipf and Mandelbrot); beyond ``_KERNEL`` words shares fall
faster, as they do in every large corpus (Ferrer i Cancho and Solé 2001), but new words keep coming however many pages
there are. The most frequent are English ones. Each page has its heading, clauses, running head and number: about 450
words, which make three to four passages.
"""

import random
import textwrap
from bisect import bisect
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from itertools import accumulate
from pathlib import Path

from ingest.mupdf import pymupdf

WORDS = 600_000
_SHIFT = 2.7
_KERNEL, _FALL = 8_000, 1.8
_WORDS_A_PAGE = 450
_MOST_COMMON = """
    the of to and in a or is be for that by on as this with not are it from at which may an shall any such under have
    will was other party agreement date notice section all between upon its if no has been each time court company
    services order right terms payment law state including person written provided parties case amount use
"""
_COMMON = _MOST_COMMON.split()
_SYLLABLES = [
    c + v for c in ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "br", "st") for v in "aeiou"
]


def write_matter(root: Path, pages: int, files: int, jobs: int = 2) -> None:
    """``files`` documents of ``pages // files`` pages each; the same ones every time."""
    with ProcessPoolExecutor(jobs) as pool:
        list(pool.map(partial(write_document, root, pages // files), range(files), chunksize=4))


def write_document(root: Path, pages: int, number: int) -> None:
    dice = random.Random(number)
    with pymupdf.open() as document:
        for index in range(pages):
            page = document.new_page()
            page.insert_text((72, 40), f"Matter file {number:05}", fontsize=8)
            page.insert_text((72, 72), _text(dice, index), fontsize=9)
            page.insert_text((300, 800), str(index + 1), fontsize=8)
        document.save(root / f"{word(number + 500)}-{number:05}.pdf", deflate=True)


def word(rank: int) -> str:
    """The word of a rank from 0 on: frequent ones are short."""
    if rank < len(_COMMON):
        return _COMMON[rank]
    number, made = rank - len(_COMMON) + len(_SYLLABLES), ""
    while number:
        number, syllable = divmod(number, len(_SYLLABLES))
        made += _SYLLABLES[syllable]
    return made


@cache
def _shares() -> list[float]:
    return list(accumulate(min(1.0, _KERNEL / rank) ** (_FALL - 1) / (rank + _SHIFT) for rank in range(1, WORDS + 1)))


def _words(dice: random.Random, count: int) -> list[str]:
    shares = _shares()
    return [word(min(bisect(shares, dice.random() * shares[-1]), WORDS - 1)) for _ in range(count)]


def _text(dice: random.Random, index: int) -> str:
    """The lines of a page: a heading and six numbered clauses."""
    lines = [f"{index + 1}. {' '.join(_words(dice, 3)).title()}", ""]
    for clause in range(1, 7):
        said = " ".join(_words(dice, _WORDS_A_PAGE // 6)).capitalize()
        lines += [*textwrap.wrap(f"{index + 1}.{clause} {said}.", 100), ""]
    return "\n".join(lines)
