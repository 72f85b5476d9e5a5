"""Tables drawn with rules: crossing lines make a lattice, and squares without a line between them make one cell."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from ingest.page.raw import RawPage
from ingest.tables.sheet import Sheet, Slot
from ingest.tables.split import split_heads, split_rows
from ingest.tables.text import in_order
from verify.domain.geometry import Box, union

_NEAR = 250
"""Lines nearer than 2.5 pt are one line (double rules, fills that touch)."""

_STICK_OUT = 800
_MOST_LINES = 400
_PROSE = 60
_COVERED = 0.6
_ACROSS = 0.15
_FEWEST_ACROSS = 3


class _Rule(NamedTuple):
    """A merged line: its place across, and its extent along."""

    at: int
    start: int
    end: int


def merged_rules(boxes: Iterable[Box], vertical: bool) -> list[_Rule]:
    """Pieces of one line joined: those at the same place (2.5 pt) that touch or overlap."""
    pieces = sorted(_as_rule(box, vertical) for box in boxes)
    lines: list[_Rule] = []
    for cluster in _clusters(pieces):
        at = sorted(piece.at for piece in cluster)[len(cluster) // 2]
        for piece in sorted(cluster, key=lambda p: (p.start, p.end)):
            last = lines[-1] if lines else None
            if last is not None and last.at == at and piece.start <= last.end + _NEAR:
                lines[-1] = _Rule(at, last.start, max(last.end, piece.end))
            else:
                lines.append(_Rule(at, piece.start, piece.end))
    return lines


def _as_rule(box: Box, vertical: bool) -> _Rule:
    if vertical:
        return _Rule((box.x0 + box.x1) // 2, box.y0, box.y1)
    return _Rule((box.y0 + box.y1) // 2, box.x0, box.x1)


def _clusters(pieces: Sequence[_Rule]) -> list[list[_Rule]]:
    groups: list[list[_Rule]] = []
    for piece in pieces:
        if groups and piece.at - groups[-1][0].at <= _NEAR:
            groups[-1].append(piece)
        else:
            groups.append([piece])
    return groups


def crossings(horizontals: Sequence[_Rule], verticals: Sequence[_Rule]) -> list[tuple[int, int]]:
    """Pairs (horizontal, vertical) that meet, within 2.5 pt."""
    return [
        (i, j)
        for i, h in enumerate(horizontals)
        for j, v in enumerate(verticals)
        if h.start - _NEAR <= v.at <= h.end + _NEAR and v.start - _NEAR <= h.at <= v.end + _NEAR
    ]


def ruled_sheets(raw: RawPage) -> list[Sheet]:
    """Tables made by crossing rules, from the top. A drawing of more than 400 lines each way is none."""
    horizontals = [r for r in merged_rules(raw.horizontals, vertical=False) if r.end - r.start >= 600]
    verticals = [r for r in merged_rules(raw.verticals, vertical=True) if r.end - r.start >= 400]
    if not (0 < len(horizontals) <= _MOST_LINES and 0 < len(verticals) <= _MOST_LINES):
        return []
    found = []
    for rows, columns in _components(horizontals, verticals):
        found.extend(_sheets(raw, [horizontals[i] for i in rows], [verticals[j] for j in columns]))
    return sorted(found, key=lambda s: (s.box.y0, s.box.x0))


def _components(h: Sequence[_Rule], v: Sequence[_Rule]) -> list[tuple[list[int], list[int]]]:
    """Lines that hang together by crossings."""
    parent = list(range(len(h) + len(v)))

    def root(n: int) -> int:
        while parent[n] != n:
            parent[n] = parent[parent[n]]
            n = parent[n]
        return n

    for i, j in crossings(h, v):
        parent[root(len(h) + j)] = root(i)
    groups: dict[int, tuple[list[int], list[int]]] = {}
    for n in range(len(h) + len(v)):
        rows, columns = groups.setdefault(root(n), ([], []))
        (rows if n < len(h) else columns).append(n if n < len(h) else n - len(h))
    return [group for group in groups.values() if len(group[0]) >= 2 and len(group[1]) >= 1]


def _sheets(raw: RawPage, horizontals: list[_Rule], verticals: list[_Rule]) -> list[Sheet]:
    """Tables of one lattice: prose framed together with a table parts what is above it from what is below."""
    xs = _edges(verticals, [(r.start, r.end) for r in horizontals])
    ys = _edges(horizontals, [(r.start, r.end) for r in verticals])
    if len(xs) < 3 or len(ys) < 3:
        return []
    box = Box(xs[0], ys[0], xs[-1], ys[-1])
    inside = [i for i, w in enumerate(raw.words) if w.visible and box.holds_centre_of(w.box)]
    slots = _fill(raw, _areas(xs, ys, horizontals, verticals), xs, ys, inside)
    if _is_drawing(raw, slots):
        return []
    checked = [_checked(split_heads(raw, split_rows(raw, part))) for part in _without_prose(slots)]
    return [sheet for sheet in checked if sheet is not None]


def _is_drawing(raw: RawPage, slots: Sequence[Slot]) -> bool:
    """A figure's boxes and axes make a lattice too, but its words lie over the lines; a table's stay in their cells."""
    held = [(raw.words[i].box, slot.box) for slot in slots for i in slot.words]
    across = sum(
        word.x0 < cell.x0 - (word.y1 - word.y0) // 4 or word.x1 > cell.x1 + (word.y1 - word.y0) // 4
        for word, cell in held
    )
    return across >= _FEWEST_ACROSS and across > _ACROSS * len(held)


def _without_prose(slots: Sequence[Slot]) -> list[list[Slot]]:
    """Runs of rows between cells of more than 60 words that fill a row on their own."""
    rows: dict[int, list[Slot]] = {}
    for slot in slots:
        rows.setdefault(slot.row, []).append(slot)
    parts: list[list[Slot]] = [[]]
    for _, band in sorted(rows.items()):
        full = [s for s in band if s.words]
        if len(full) == 1 and len(full[0].words) > _PROSE:
            parts.append([])
        else:
            parts[-1].extend(band)
    return parts


def _edges(lines: Sequence[_Rule], ends: Sequence[tuple[int, int]]) -> list[int]:
    """Places of the lines; where most lines across stick out past the last one, an open side is an edge too."""
    places = sorted({line.at for line in lines})
    low, high = sorted(s for s, _ in ends)[len(ends) // 2], sorted(e for _, e in ends)[len(ends) // 2]
    if low < places[0] - _STICK_OUT:
        places.insert(0, low)
    if high > places[-1] + _STICK_OUT:
        places.append(high)
    kept = places[:1]
    for place in places[1:]:
        if place - kept[-1] > _NEAR:
            kept.append(place)
    return kept


def _areas(
    xs: list[int], ys: list[int], horizontals: Sequence[_Rule], verticals: Sequence[_Rule]
) -> list[tuple[int, int, int, int]]:
    """Cells as (row, column, end row, end column) in lattice steps."""
    columns, rows = len(xs) - 1, len(ys) - 1
    across = _walls(verticals, xs, ys)
    down = _walls(horizontals, ys, xs)
    taken = [[False] * columns for _ in range(rows)]
    areas = []
    for row in range(rows):
        for col in range(columns):
            if taken[row][col]:
                continue
            end_col = col + 1
            while end_col < columns and not across[end_col][row] and not taken[row][end_col]:
                end_col += 1
            end_row = row + 1
            while end_row < rows and _open_below(down, across, taken, end_row, col, end_col):
                end_row += 1
            for r in range(row, end_row):
                taken[r][col:end_col] = [True] * (end_col - col)
            areas.append((row, col, end_row, end_col))
    return areas


def _open_below(
    down: list[list[bool]], across: list[list[bool]], taken: list[list[bool]], row: int, col: int, end_col: int
) -> bool:
    """True if no line parts this run of squares from those below it, nor those from one another."""
    free = not any(down[row][c] or taken[row][c] for c in range(col, end_col))
    return free and not any(across[c][row] for c in range(col + 1, end_col))


def _walls(lines: Sequence[_Rule], places: list[int], steps: list[int]) -> list[list[bool]]:
    """For each place and each step along it: whether a line covers most of the step."""
    walls = [[False] * (len(steps) - 1) for _ in places]
    for line in lines:
        n = min(range(len(places)), key=lambda k: abs(places[k] - line.at))
        if abs(places[n] - line.at) > _NEAR:
            continue
        for k in range(len(steps) - 1):
            common = min(line.end, steps[k + 1]) - max(line.start, steps[k])
            if common >= _COVERED * (steps[k + 1] - steps[k]):
                walls[n][k] = True
    return walls


def _fill(
    raw: RawPage, areas: Sequence[tuple[int, int, int, int]], xs: list[int], ys: list[int], inside: Sequence[int]
) -> list[Slot]:
    place: dict[tuple[int, int], int] = {}
    for n, (row, col, end_row, end_col) in enumerate(areas):
        for r in range(row, end_row):
            for c in range(col, end_col):
                place[r, c] = n
    held: list[list[int]] = [[] for _ in areas]
    for i in inside:
        box = raw.words[i].box
        r, c = _step(ys, box.y0 + box.y1), _step(xs, box.x0 + box.x1)
        held[place[r, c]].append(i)
    return [
        Slot(
            row, col, end_row - row, end_col - col, Box(xs[col], ys[row], xs[end_col], ys[end_row]),
            in_order(raw, words),
        )
        for (row, col, end_row, end_col), words in zip(areas, held, strict=True)
    ]  # fmt: skip


def _step(edges: list[int], doubled: int) -> int:
    """The step that holds a doubled coordinate."""
    for n in range(len(edges) - 2):
        if doubled < 2 * edges[n + 1]:
            return n
    return len(edges) - 2


def _checked(slots: list[Slot]) -> Sheet | None:
    """None for a frame, a chart, boxed single words or a form's empty boxes."""
    slots = _renumbered(slots)
    full = [s for s in slots if s.words]
    rows, cols = {s.row for s in full}, {s.col for s in full}
    if len(rows) < 2 or len(cols) < 2 or len(full) < 3:
        return None
    if max(len(s.words) for s in full) > 2 * _PROSE and len(full) < 6:
        return None
    row_count = max(s.row + s.row_span for s in slots)
    col_count = max(s.col + s.col_span for s in slots)
    if row_count <= 3 and col_count >= 10 and all(len(s.words) == 1 for s in full):
        return None
    sparse = len(full) < 0.35 * len(slots)
    if sparse and not (_mostly_filled(slots, "row") and _mostly_filled(slots, "col")):
        return None
    box = union(s.box for s in slots)
    return Sheet(box, row_count, col_count, tuple(slots), ruled=True, uncertain=sparse)


def _mostly_filled(slots: Sequence[Slot], what: Literal["row", "col"]) -> bool:
    """True if the first row or column is labelled: an empty form still has its labels, a chart's grid has not."""
    first = [s for s in slots if getattr(s, what) == 0]
    return sum(bool(s.words) for s in first) >= 0.6 * len(first)


def _renumbered(slots: list[Slot]) -> list[Slot]:
    """Rows and columns counted by where words start: empty strips (double rules, spacers) are left out."""
    rows = _kept_steps([(s.row, s.row + s.row_span) for s in slots if s.words])
    cols = _kept_steps([(s.col, s.col + s.col_span) for s in slots if s.words])
    result = []
    for s in slots:
        row, end_row = _among(rows, s.row), _among(rows, s.row + s.row_span)
        col, end_col = _among(cols, s.col), _among(cols, s.col + s.col_span)
        if end_row > row and end_col > col:
            result.append(s._replace(row=row, row_span=end_row - row, col=col, col_span=end_col - col))
    return sorted(result, key=lambda s: (s.row, s.col))


def _kept_steps(spans: Sequence[tuple[int, int]]) -> list[int]:
    """Steps that some cell starts or that a one-step cell needs."""
    return sorted({start for start, _ in spans})


def _among(kept: Sequence[int], step: int) -> int:
    return sum(1 for k in kept if k < step)
