"""What is a heading: set apart by size, weight, capitals or a number; no label and no other line of a cover."""

import re
from collections.abc import Sequence

from ingest.structure.layout import Block, Measure

LARGE = 1.12  # of the body's size
LARGE_SCANNED = 1.4
FORM_TITLE = 1.4  # of the labels' size: what is filled in may be somewhat larger
_SMALL = 0.9
_SMALL_CAPITALS = 0.75
_FEWEST_LETTERS = 3
_MAX_WORDS = 16
_MAX_CENTRED_WORDS = 30
_TITLE = re.compile(
    r"\b(?:agreements?|contract|lease|licen[cs]e|amendment|deed|will|indenture|note|plan|policy|memorandum|order|opinion|"
    r"judgment|complaint|petition|motion|brief|terms|conditions|charter|by-?laws|articles|constitution|certificate|letter|"
    r"notice|guarant(?:y|ee)|mortgage|undertaking|regulations?|statement|assignment|addendum|settlement|protocol|"
    r"vertrag|vereinbarung|satzung|contrat|convention|accord|bail|contrato|convenio|acuerdo|contratto|accordo)\b",
    re.IGNORECASE,
)
_LINKING = frozenset(("", "and", "or", "v", "vs", "versus", "against", "between", "among", "by", "to", "for", "with"))
"""Between the names of a cover or a case's caption."""

_SENTENCE = re.compile(r"\b[^\Wa-z]*+[a-z]\w*+[.;]\s++[A-Z]")


def is_heading(block: Block, text: str, usual: Measure) -> bool:
    """Short, not a sentence, and set apart: by size, weight, capitals, or a division's number with a title."""
    first, mark = block.lines[0], block.mark
    words = text.split()
    letters = list(filter(str.isalpha, text))
    if first.upright is not usual.upright or not _may_head(block, text, words, letters):
        return False
    if mark and mark.rank >= 11:
        return False
    if mark and len(letters) < _FEWEST_LETTERS + sum(c.isalpha() for c in mark.text):  # the number alone
        return mark.rank <= 0 and text == mark.text
    if first.size >= (LARGE if usual.typeset else LARGE_SCANNED) * usual.size:
        return not text.endswith(".") or len(words) <= 8
    if mark is None and (text[0].islower() or first.size < _smallest(block, text, usual) * usual.size):
        return False
    ends = text.endswith(".") and not (mark and text == mark.text)
    if mark and mark.rank <= 0:
        return len(words) <= 12 and (not ends or _title_case(words[2:], 1.0))
    return _stands_out(block, text, usual, ends)


def _smallest(block: Block, text: str, usual: Measure) -> float:
    """Bold small capitals in the page's middle are as high as small letters."""
    middle = usual.left + usual.right
    centred = all(line.bold and abs(line.box.x0 + line.box.x1 - middle) <= 1600 for line in block.lines)
    return _SMALL_CAPITALS if centred and text.isupper() else _SMALL


def is_title(text: str) -> bool:
    """True for a heading that names a kind of document."""
    return _TITLE.search(text) is not None


def _may_head(block: Block, text: str, words: Sequence[str], letters: Sequence[str]) -> bool:
    if len(words) > _MAX_WORDS and not (len(words) <= _MAX_CENTRED_WORDS and is_centred(block)):
        return False
    if len(letters) < _FEWEST_LETTERS and not block.mark:
        return False
    if _LINKING.issuperset(word.strip(" .,:;-–—()[]§").casefold() for word in words):
        return False
    return not (text.endswith((",", ";")) or _SENTENCE.search(text) or "____" in text or "....." in text)


def _stands_out(block: Block, text: str, usual: Measure, ends: bool) -> bool:
    words, mark = text.split(), block.mark
    label = text.endswith(":")
    if usual.typeset and all(line.bold for line in block.lines):
        return not label or len(words) <= 6
    letters = list(filter(str.isalpha, text))
    if len(letters) >= 4 and sum(c.isupper() for c in letters) >= 0.9 * len(letters):
        return (not ends and not (label and len(words) > 4) and not usual.capitals) or mark is not None
    if mark is None or mark.rank > 3 or label or len(block.lines) > 1:
        return False
    return len(words) <= (8 if ends else 10) and _title_case(words[1:], 1.0 if ends or mark.rank == 3 else 0.6)


_COVER = 3
"""So many centred headings without running text between make a cover, of which one is the title."""

_RUNNING_WORDS = 12
_FORM_BLOCKS = 25
_FORM_RUNNING = 0.3  # of the page's characters
_FORM_INSTRUCTED = 0.45  # where so few blocks run on: instructions over the boxes
_FORM_SHORT = 6


def is_running(block: Block) -> bool:
    """True for text that goes on over lines, or is as long as a sentence."""
    return len(block.lines) > 1 or block.lines[0].text.count(" ") >= _RUNNING_WORDS


def is_form(found: Sequence[Block]) -> bool:
    """A page of many short pieces: labels of boxes to fill in, bold or not."""
    if len(found) < _FORM_BLOCKS:
        return False
    long = [block for block in found if len(block.lines) > 2]
    running = sum(len(line.text) for block in long for line in block.lines)
    most = _FORM_INSTRUCTED if len(long) * _FORM_SHORT <= len(found) else _FORM_RUNNING
    return running < most * sum(len(line.text) for block in found for line in block.lines)


def cover_lines(found: Sequence[tuple[Block, bool]]) -> set[int]:
    """Of a page's blocks (each with whether it looks like an unnumbered heading) those that are only lines of a cover.

    Names, dates and "and" on a cover are set like its title, over one middle. The title is the line that names a kind
    of document, else the largest, else the first; a line right above running text heads that text.
    """
    out: set[int] = set()
    if sum(heads for _, heads in found) < _COVER:
        return out
    sheet: list[int] = []
    for i, (block, heads) in enumerate(found):
        over_one = bool(sheet) and _over_one_middle(found[sheet[0]][0], block)
        if heads and (over_one or not sheet):
            sheet.append(i)
        elif not over_one or is_running(block):
            out |= _but_title(found, sheet, i)
            sheet = [i] if heads else []
    return out | _but_title(found, sheet, len(found))


def _but_title(found: Sequence[tuple[Block, bool]], sheet: Sequence[int], end: int) -> set[int]:
    if len(sheet) < _COVER:
        return set()
    sizes = {i: found[i][0].lines[0].size for i in sheet}
    named = [i for i in sheet if is_title(_text(found[i][0]))]
    largest = max(sizes[i] for i in named or sheet)
    title = next(i for i in named or sheet if sizes[i] >= 0.98 * largest)
    heads_text = {sheet[-1]} if sheet[-1] == end - 1 and end < len(found) else set()
    return set(sheet) - {title} - heads_text


def _text(block: Block) -> str:
    return " ".join(line.text for line in block.lines)


def _over_one_middle(one: Block, other: Block) -> bool:
    middle = one.lines[0].box.x0 + one.lines[0].box.x1
    return all(abs(line.box.x0 + line.box.x1 - middle) <= 1600 for line in other.lines)


def is_centred(block: Block) -> bool:
    """True for lines of several lengths over one middle."""
    lines = block.lines
    middles = [line.box.x0 + line.box.x1 for line in lines]
    return (
        len(lines) > 1
        and max(middles) - min(middles) <= 1600
        and (max(line.box.x0 for line in lines) - min(line.box.x0 for line in lines) > 2000)
    )


def _title_case(words: Sequence[str], share: float) -> bool:
    long = [word for word in words if len(word) > 3 and word[0].isalpha()]
    if not words or not words[0][:1].isupper() or (share == 1.0 and not long):
        return False
    return sum(word[0].isupper() for word in long) >= share * len(long)
