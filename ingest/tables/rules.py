"""Tables between horizontal rules alone: a rule above, one under the header, one below, and text in columns."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ingest.page.raw import RawPage
from ingest.tables.columns import build, is_contents, is_signature_block
from ingest.tables.grid import merged_rules
from ingest.tables.lines import Column, Line, column_at
from ingest.tables.sheet import Sheet
from ingest.tables.text import is_value

_SAME = 400
_NARROWEST = 12000
_PROSE = 8  # words
_LONGEST_CELL = 14
"""Words of a cell's line on average: more is prose set in columns."""


class Band(NamedTuple):
    """Rules of one extent (``left`` to ``right``, 1/100 pt), at three heights or more."""

    left: int
    right: int
    places: list[int]


def rule_bands(raw: RawPage) -> list[Band]:
    """Rules above one another, 120 pt wide at least."""
    groups: dict[tuple[int, int], list[int]] = {}
    for rule in merged_rules(raw.horizontals, vertical=False):
        if rule.end - rule.start < _NARROWEST:
            continue
        key = next((k for k in groups if abs(k[0] - rule.start) <= _SAME and abs(k[1] - rule.end) <= _SAME), None)
        groups.setdefault(key or (rule.start, rule.end), []).append(rule.at)
    return [Band(*extent, sorted(places)) for extent, places in groups.items() if len(places) >= 3]


def banded_sheets(raw: RawPage, lines: Sequence[Line]) -> list[Sheet]:
    """Tables whose rows lie between rules of one extent, in at least two columns that every line keeps to."""
    sheets = []
    for left, right, places in rule_bands(raw):
        inside = [
            line for line in lines
            if places[0] - 200 <= line.row.baseline <= places[-1] + 200
            and line.row.box.x0 >= left - 600 and line.row.box.x1 <= right + 600
        ]  # fmt: skip
        for part in _parts(places, inside, 7 * (right - left) // 10):
            sheet = _banded(raw, [n for n in inside if part[0] - 200 <= n.row.baseline <= part[-1] + 200], part)
            if sheet is not None:
                sheets.append(sheet)
    return sheets


def _parts(places: Sequence[int], lines: Sequence[Line], wide: int) -> list[list[int]]:
    """The rules parted where prose stands between two: those of one table end there, those of the next begin."""
    parts = [[places[0]]]
    for top, foot in pairwise(places):
        between = (n.phrases for n in lines if top < n.row.baseline <= foot)
        prose = any(len(p) == 1 and len(p[0].words) > _PROSE and p[0].x1 - p[0].x0 > wide for p in between)
        if prose:
            parts.append([])
        parts[-1].append(foot)
    return [part for part in parts if len(part) > 2]


def _banded(raw: RawPage, lines: Sequence[Line], places: Sequence[int]) -> Sheet | None:
    bands = [[n for n in lines if top < n.row.baseline <= bottom] for top, bottom in pairwise(places)]
    bands = [band for band in bands if band]
    if len(bands) < 2:
        return None
    head, rest = bands[0], bands[1:]
    body = [line for band in rest for line in band]
    columns = _rivers(body)
    if len(columns) < 2 or len(body) < 2 or not _is_tabular(body) or len(head) > 6:
        return None
    if is_signature_block([*head, *body]):
        return None
    if is_contents([line for line in body if len(line.phrases) > 1] or body, head):
        return None
    ruled = len(rest) > 1 and len(rest) >= len(body) // 4 and not any(_counts_on(band, columns) for band in rest)
    rows = rest if ruled else _rows(body, columns)
    return build(raw, head, rows, columns, uncertain=False)


def _counts_on(band: Sequence[Line], columns: Sequence[Column]) -> bool:
    """True if lines between two rules hold values under one another: rows of their own."""
    return any(_valued(a, columns) & _valued(b, columns) for a, b in pairwise(band))


def _valued(line: Line, columns: Sequence[Column]) -> set[int]:
    """The columns in which a line holds a value, the first left out."""
    found = {column_at(columns, p.x0, p.x1) for p in line.phrases if p.is_value}
    return found - {0}


def _rivers(body: Sequence[Line]) -> list[Column]:
    """Columns parted by white that no line of the body crosses."""
    spans = sorted((p.x0, p.x1) for line in body for p in line.phrases if not _is_section(line))
    merged: list[list[int]] = []
    for x0, x1 in spans:
        if merged and x0 < merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], x1)
        else:
            merged.append([x0, x1])
    return [Column(a, b) for a, b in merged]


def _is_section(line: Line) -> bool:
    return len(line.phrases) == 1


def _is_tabular(body: Sequence[Line]) -> bool:
    """Values in some column, or short texts in lines that mostly fill two columns or more."""
    full = [line for line in body if len(line.phrases) >= 2]
    if len(full) < 2 or 2 * len(full) < len(body):
        return False
    valued = sum(1 for line in full if any(is_value(p.text) for p in line.phrases[1:]))
    if 2 * valued >= len(full):
        return True
    words = sum(len(p.words) for line in full for p in line.phrases)
    return words <= _LONGEST_CELL // 2 * sum(len(line.phrases) for line in full) and len(body) <= 60


def _rows(body: Sequence[Line], columns: Sequence[Column]) -> list[list[Line]]:
    """Lines gathered into rows where no rule parts them: a row begins where the first column does."""
    rows: list[list[Line]] = []
    gaps = sorted(b.row.baseline - a.row.baseline for a, b in pairwise(body))
    tight = gaps[0] if gaps else 0
    for line in body:
        begins = line.phrases[0].x0 < columns[1].x0 - 100
        last = rows[-1][-1] if rows else None
        wrapped = (
            last is not None
            and len(line.phrases) < len(columns)
            and line.row.baseline - last.row.baseline <= 1.1 * tight
            and gaps[-1] > 1.25 * tight
        )
        if last is None or (begins and not wrapped) or _valued(last, columns) & _valued(line, columns):
            rows.append([line])
        else:
            rows[-1].append(line)
    return rows
