"""Tables of words without a grid: names all bold or underlined in the header, and short texts in line under them."""

from collections.abc import Sequence
from itertools import pairwise

from ingest.page.raw import RawPage
from ingest.tables.columns import build, is_contents, is_signature_block
from ingest.tables.lines import Column, Line, near
from ingest.tables.sheet import Sheet
from ingest.tables.text import Phrase

_FEWEST_COLUMNS = 3
_MOST_OVER = 3
_LONGEST_TEXT = 8  # words on a line of a cell


def headed_sheets(raw: RawPage, lines: Sequence[Line]) -> list[Sheet]:
    """Tables under such headers, from the top. Two columns are not enough: signature blocks and captions have those."""
    found = []
    at = 0
    while at < len(lines) - 2:
        rows = _rows_under(lines, at) if is_header(raw, lines[at]) else []
        sheet = _sheet(raw, [*_over(lines, at), lines[at]], rows)
        if sheet is not None:
            found.append(sheet)
            at += len(rows)
        at += 1
    return found


def is_header(raw: RawPage, line: Line) -> bool:
    """Three short names or more, each bold or underlined."""
    if len(line.phrases) < _FEWEST_COLUMNS or any(len(p.words) > 6 for p in line.phrases):
        return False
    words = raw.words
    return all(all(words[i].bold for i in p.words) or _underlined(raw, p, line) for p in line.phrases)


def _underlined(raw: RawPage, phrase: Phrase, line: Line) -> bool:
    """A rule of the phrase's own width right under it."""
    slack = line.row.size
    return any(
        0 <= rule.y0 - line.row.baseline <= line.row.size // 2
        and abs(rule.x0 - phrase.x0) <= slack
        and abs(rule.x1 - phrase.x1) <= slack
        for rule in raw.horizontals
    )


def _rows_under(lines: Sequence[Line], head: int) -> list[Line]:
    """Near lines below whose phrases keep to the header's columns, the first in line with two of them or more."""
    borders = _borders(lines[head].phrases)
    rows: list[Line] = []
    above = lines[head]
    for line in lines[head + 1 :]:
        if not near(above, line) or not _keeps(line, borders):
            break
        rows.append(line)
        above = line
    while rows and len(rows[-1].phrases) < 2:
        rows.pop()
    return rows


def _borders(names: Sequence[Phrase]) -> list[tuple[int, int]]:
    """For each two neighbours the white between them."""
    return [(a.x1, b.x0) for a, b in pairwise(names)]


def _keeps(line: Line, borders: Sequence[tuple[int, int]]) -> bool:
    """True if every phrase lies in one column: none reaches from one name over the white to the next."""
    if any(len(p.words) > _LONGEST_TEXT for p in line.phrases):
        return False
    return not any(p.x0 < left and p.x1 > right for p in line.phrases for left, right in borders)


def _over(lines: Sequence[Line], at: int) -> list[Line]:
    """Lines close over the header that go on with its names upwards: short pieces, each over one name."""
    names = lines[at].phrases
    found: list[Line] = []
    below = lines[at]
    for line in reversed(lines[max(0, at - _MOST_OVER) : at]):
        close = below.row.baseline - line.row.baseline <= 1.4 * below.row.size
        if not close or any(len(p.words) > 4 or _named(p, names) != 1 for p in line.phrases):
            break
        if all(p.x0 < names[0].x1 for p in line.phrases):  # over the labels alone: a title as likely
            break
        found.insert(0, line)
        below = line
    return found


def _named(phrase: Phrase, names: Sequence[Phrase]) -> int:
    return sum(min(phrase.x1, name.x1) > max(phrase.x0, name.x0) for name in names)


def _sheet(raw: RawPage, heads: Sequence[Line], rows: list[Line]) -> Sheet | None:
    head = heads[-1]
    full = [line for line in rows if len(line.phrases) >= _FEWEST_COLUMNS]
    if len(full) < 2 or 2 * len(full) < len(rows):
        return None
    columns = _columns(head, rows)
    if columns is None or is_signature_block(rows) or is_contents(full, heads):
        return None
    return build(raw, heads, [[line] for line in rows], columns, uncertain=False)


def _columns(head: Line, rows: Sequence[Line]) -> list[Column] | None:
    """Extents of the names with all that stands under them; None if two run into one another."""
    extents = [[p.x0, p.x1] for p in head.phrases]
    for line in rows:
        for phrase in line.phrases:
            n = min(range(len(extents)), key=lambda k: _apart(head.phrases[k], phrase))
            extents[n] = [min(extents[n][0], phrase.x0), max(extents[n][1], phrase.x1)]
    if any(a[1] > b[0] for a, b in pairwise(extents)):
        return None
    return [Column(a, b) for a, b in extents]


def _apart(name: Phrase, phrase: Phrase) -> tuple[int, int]:
    """How far a phrase is from standing under a name: the gap between them, else how far their edges differ."""
    gap = max(0, max(name.x0, phrase.x0) - min(name.x1, phrase.x1))
    edges = abs(name.x0 - phrase.x0), abs(name.x1 - phrase.x1), abs(name.x0 + name.x1 - phrase.x0 - phrase.x1) // 2
    return gap, min(edges)
