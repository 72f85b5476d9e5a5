"""Headers of tables without a grid: which lines head the columns, and which columns each phrase covers."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from ingest.page.raw import RawPage
from ingest.tables.lines import NEAR_ROWS, SECTION_GAP, Column, Line, column_at, near
from ingest.tables.notes import names_table
from ingest.tables.text import Phrase, is_year, phrase_of
from verify.domain.geometry import Box


def head_lines(
    block: Sequence[Line], above: Sequence[Line], columns: Sequence[Column]
) -> tuple[list[Line], list[Line]]:
    """Lines that head the columns: years or words at the top of the block, and near lines over it.

    The name of a first section may stand between them and the values; it is the second list.
    """
    head: list[Line] = []
    for line in block[:-1]:
        others = [p for p in line.phrases if column_at(columns, p.x0, p.x1) > 0]
        if not others or any(p.is_value and not is_year(p.text) for p in others):
            break
        head.append(line)
    over, section = list(above[-6:]), []
    if not head and len(over) > 1 and _names_section(over[-1], over[-2], block[0], columns):
        section = [over.pop()]
    below = (section or block)[0]
    while over and (
        _over(over[-1], below, columns) or (len(over) > 1 and _labels_on(over[-2], over[-1], below, columns))
    ):
        below = over.pop()
        head.insert(0, below)
    return head, section if head else []


def _labels_on(above: Line, line: Line, below: Line, columns: Sequence[Column]) -> bool:
    """A line of the labels' header alone, between two header lines of the other columns."""
    return line.row.box.x1 <= columns[1].x0 and near(line, below) and _over(above, line, columns)


def _over(line: Line, below: Line, columns: Sequence[Column]) -> bool:
    """A header line, near what it heads; farther off only if it fills half of the columns."""
    far = 2 * len(line.phrases) >= len(columns) > 2
    gap = below.row.baseline - line.row.baseline
    return gap <= (SECTION_GAP if far else NEAR_ROWS) * line.row.size and _heads(line, columns)


def _names_section(line: Line, above: Line, below: Line, columns: Sequence[Column]) -> bool:
    """A label alone between a line over the columns and the first values."""
    alone = len(line.phrases) == 1 and line.phrases[0].x1 <= columns[1].x0
    return (
        alone and below.row.baseline - line.row.baseline <= SECTION_GAP * line.row.size and _over(above, line, columns)
    )


def _heads(line: Line, columns: Sequence[Column]) -> bool:
    """Short phrases over the columns of values, none running from the labels across them like prose."""
    if len(line.phrases) == 1 and names_table(line.phrases[0].text):
        return False
    if _names_each(line, columns):
        return True
    left, right = columns[0].x0, columns[-1].x1
    slack = 2 * line.row.size
    if line.row.box.x0 < left - slack or line.row.box.x1 > right + slack:
        return False
    over = [p for p in line.phrases if p.x1 > columns[1].x0]
    return bool(over) and all(p.x0 >= columns[0].x0 + (columns[1].x0 - columns[0].x0) // 3 for p in over)


def _names_each(line: Line, columns: Sequence[Column]) -> bool:
    """A name over each of three columns or more, the last perhaps much wider than what stands under it."""
    if len(line.phrases) != len(columns) or len(columns) < 3 or any(len(p.words) > 4 for p in line.phrases):
        return False
    return all(min(p.x1, c.x1) > max(p.x0, c.x0) for p, c in zip(line.phrases, columns, strict=True))


_TO_RULE = 2.6
"""Sizes of type from a name over several columns to the rule under it, with a second line of the name between."""

_Level = dict[tuple[int, int], list[int]]


def levels_of(raw: RawPage, head: Sequence[Line], columns: Sequence[Column]) -> tuple[list[_Level], bool]:
    """Header rows from the outermost in, each with phrases by the columns (first, end) they cover.

    Lines of one-column phrases under one another are one header cell; a phrase over several columns starts a level.
    """
    levels: list[_Level] = []
    clear = True
    named: set[int] = set()
    for whole in head:
        line = _parted(raw, whole, columns, named)
        covers = _covers(raw, line, columns, head)
        clear = clear and covers is not None
        spans = covers or [_own(p, columns) for p in line.phrases]
        level: _Level = {}
        for span, phrase in zip(spans, line.phrases, strict=True):
            level.setdefault(span, []).extend(phrase.words)
        named |= {first for first, end in level if end - first == 1}
        alike = levels and all(end - first == 1 for first, end in (*levels[-1], *level))
        if alike or (levels and level.keys() <= levels[-1].keys()):
            for span, words in level.items():
                levels[-1].setdefault(span, []).extend(words)
        else:
            levels.append(level)
    return levels, clear


_NAMES_APART = 0.4
"""Of the type's size: names of neighbouring columns may stand nearer than phrases do, but not as near as words."""


def _parted(raw: RawPage, line: Line, columns: Sequence[Column], named: Collection[int]) -> Line:
    """The line with names of neighbouring columns apart, though little white parts them."""
    parts = [part for phrase in line.phrases for part in _names(raw, phrase, line.row.size, columns, named)]
    return Line(line.row, tuple(parts))


def _names(raw: RawPage, phrase: Phrase, size: int, columns: Sequence[Column], named: Collection[int]) -> list[Phrase]:
    """The phrase, or its parts where each is set to its own column: to one of its edges or its middle.

    Parts stand apart by more than words do, or go on with names (of the columns ``named``) that stood apart above.
    """
    parts: list[list[int]] = []
    places: list[int] = []
    for i in phrase.words:
        box = raw.words[i].box
        place = column_at(columns, box.x0, box.x1)
        near = parts and box.x0 - raw.words[parts[-1][-1]].box.x1 < _NAMES_APART * size
        if near and (place == places[-1] or not {place, places[-1]}.issubset(named)):
            parts[-1].append(i)
        else:
            parts.append([i])
            places.append(place)
    names = [phrase_of(raw.words, part) for part in parts]
    places = [column_at(columns, name.x0, name.x1) for name in names]
    apart = len(parts) > 1 and not phrase.leads and all(a < b for a, b in pairwise(places))
    if apart and all(_set_to(columns[n], name, size) for n, name in zip(places, names, strict=True)):
        return names
    return [phrase]


def _set_to(column: Column, name: Phrase, size: int) -> bool:
    edges = name.x0 - column.x0, name.x1 - column.x1, (name.x0 + name.x1 - column.x0 - column.x1) // 2
    return min(map(abs, edges)) <= size // 2


def _own(phrase: Phrase, columns: Sequence[Column]) -> tuple[int, int]:
    n = column_at(columns, phrase.x0, phrase.x1)
    return n, n + 1


def _covers(raw: RawPage, line: Line, columns: Sequence[Column], head: Sequence[Line]) -> list[tuple[int, int]] | None:
    """The columns under each phrase of a header line, shown by rules, by even groups, or by place; None if by none."""
    overs = [[n for n, c in enumerate(columns) if min(p.x1, c.x1) > max(p.x0, c.x0)] for p in line.phrases]
    ruled = [_under_rule(raw, p, line, columns, head) for p in line.phrases]
    if not any(ruled) and any(len(over) != 1 for over in overs):
        even = _even_groups(line, columns)
        if even:
            return even
    spans = [span or ((over[0], over[-1] + 1) if over else (-1, -1)) for span, over in zip(ruled, overs, strict=True)]
    if all(first >= 0 for first, _ in spans) and all(a[1] <= b[0] for a, b in pairwise(spans)):
        return spans
    return _even_groups(line, columns)


def _under_rule(
    raw: RawPage, phrase: Phrase, line: Line, columns: Sequence[Column], head: Sequence[Line]
) -> tuple[int, int] | None:
    """A rule close under a phrase, not much wider than its columns, shows what it spans. Between the two may stand
    what the phrase goes on with: lines over the same middle."""
    for rule in raw.horizontals:
        below = rule.y0 - line.row.baseline
        wide = rule.x0 <= phrase.x0 + 200 and rule.x1 >= phrase.x1 - 200
        if wide and 0 <= below <= _TO_RULE * line.row.size and _goes_down_to(rule, phrase, line, head):
            over = [n for n, c in enumerate(columns) if rule.x0 - 200 <= (c.x0 + c.x1) // 2 <= rule.x1 + 200]
            if over and (over[-1] - over[0] + 1 < len(columns) - 1 or len(line.phrases) == 1):
                return over[0], over[-1] + 1
    return None


def _goes_down_to(rule: Box, phrase: Phrase, line: Line, head: Sequence[Line]) -> bool:
    """True if nothing but the phrase's own further lines stands between it and the rule. Where nothing does at all, a
    line of a taller name beside it must, for else the rule is too far off."""
    between = [other for other in head if line.row.baseline < other.row.baseline <= rule.y0]
    if not between:
        return rule.y0 - line.row.baseline <= line.row.size
    under = [p for other in between for p in other.phrases if p.x0 < rule.x1 and rule.x0 < p.x1]
    return all(abs(p.x0 + p.x1 - phrase.x0 - phrase.x1) <= 2 * line.row.size for p in under)


def _even_groups(line: Line, columns: Sequence[Column]) -> list[tuple[int, int]] | None:
    """Phrases centred over equal groups of the columns of values ("2025", "2024" over two columns each)."""
    values = len(columns) - 1
    own = [p for p in line.phrases if p.x1 > columns[1].x0 or p.x0 > columns[0].x1]
    labels = [p for p in line.phrases if p not in own]
    if not own or values % len(own) or len(labels) > 1:
        return None
    each = values // len(own)
    spans = [(0, 1)] * len(labels)
    for n, phrase in enumerate(own):
        first, end = 1 + n * each, 1 + (n + 1) * each
        middle = (columns[first].x0 + columns[end - 1].x1) // 2
        if abs(middle - (phrase.x0 + phrase.x1) // 2) > 2 * line.row.size:
            return None
        spans.append((first, end))
    return spans
