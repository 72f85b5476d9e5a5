"""Lines after their words are mended: right-to-left scripts, spaced letters, large initials."""

from collections.abc import Sequence

from ingest.page.initials import spaced_letters, with_initials
from ingest.page.lines import TextLine, joined_text
from ingest.page.raw import RawWord
from ingest.page.right_to_left import is_right_to_left, mended


def with_mended_words(
    words: Sequence[RawWord], lines: list[TextLine]
) -> tuple[Sequence[RawWord], list[TextLine], frozenset[int]]:
    """Words and lines, and which words were joined to the one before or turned."""
    lines, beside = with_initials(words, lines)
    joined = {index for line in lines if line.upright for index in spaced_letters(words, line)} | beside
    changed = {index: words[index]._replace(joined=True) for index in joined}
    for line in lines:
        if line.upright and not line.text.isascii() and is_right_to_left(line.text):
            changed.update(mended(words, line.words))
    if not changed:
        return words, lines, frozenset()
    words = [changed.get(i, word) for i, word in enumerate(words)]
    lines = [
        line._replace(text=joined_text(words, line.words)) if not changed.keys().isdisjoint(line.words) else line
        for line in lines
    ]
    return words, lines, frozenset(changed)
