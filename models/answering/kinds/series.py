"""The sum of a row or a column of a table, of all of it or of the time that the question names."""

import re
from calendar import month_name
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal

from models.answering.calculation import sum_claim
from models.answering.cells import every_cell
from models.answering.claiming import Claims
from models.answering.claims import extract_claim
from models.answering.documents.calendar_days import days_in
from models.answering.drafts import ShownPassage, ShownSentence
from models.answering.found import Found, State
from models.answering.library import Library
from models.answering.query import Query, in_scope
from models.language.kinds import Kind
from models.language.wording import STOP_WORDS, rarity, stem, stem_set, words
from verify.domain.claim import CitedCell

_PASSAGES = 6
_NAMED = 0.5
"""Share of the question's words, by rarity, that the row or column with its table's title must have."""
_MOST = 40
_TOTAL = re.compile(r"\b(?:total|sum|subtotal|net|balance)\b", re.I)
_MONTH = re.compile(rf"\b({'|'.join(month_name[1:])})\b(?:\s+(\d{{4}}))?", re.I)
_GENERIC = stem_set(("altogether total combined together added all sum over put year month quarter from to three",))
_SUMS = re.compile(
    r"\b(?:altogether|in total|in all|combined|together|added up|sum total|total (?:of|for|over))\b", re.I
)


def asks_for_a_sum(query: Query) -> bool:
    return _SUMS.search(query.text) is not None


_Place = tuple[str, str, tuple[str, ...]]


class Series:
    def find(self, query: Query, library: Library, claims: Claims) -> Found | None:
        if not asks_for_a_sum(query):
            return None
        passages = library.ranked(query.text, [d.source_id for d in in_scope(query, library.documents)], _PASSAGES)
        shown = {p.handle: p for p in passages}
        cells = [s for s in every_cell(passages) if s.cell is not None]
        chosen = _chosen(query.text, cells, shown)
        if len(chosen) < 2:
            return None
        drafts = [extract_claim(0, shown[s.handle], s) for s in chosen]
        stated = [(c.unit or "", Decimal(c.value or "0")) for c in _cited(chosen)]
        made = claims.add(sum_claim(drafts, stated, 0))
        return Found(Kind.CALCULATION, State.STATED, made.text, (made.claim_id,))


def _cited(cells: Sequence[ShownSentence]) -> list[CitedCell]:
    return [s.cell for s in cells if s.cell is not None]


def _chosen(question: str, cells: Sequence[ShownSentence], shown: dict[str, ShownPassage]) -> list[ShownSentence]:
    """The members of the row or column that the question names by most of its words; none where two do so alike."""
    series: dict[_Place, list[ShownSentence]] = defaultdict(list)
    for one, cell in zip(cells, _cited(cells), strict=True):
        if cell.value is not None:
            table = f"{shown[one.handle].passage.source_id}/{cell.table_id}"
            series[table, "row", cell.row_path].append(one)
            series[table, "column", cell.column_path].append(one)
    wanted = {stem(w): rarity(w) for w in words(question) if w not in STOP_WORDS and not w.isdigit()}
    wanted = {s: r for s, r in wanted.items() if s not in _GENERIC and not _MONTH.fullmatch(s)}
    scored = []
    for place, members in series.items():
        about = stem_set((*place[2], _cited(members)[0].title or "", *shown[members[0].handle].passage.heading_path,
                          shown[members[0].handle].about))  # fmt: skip
        label = stem_set(place[2])
        named = sum(r for s, r in wanted.items() if s in about) / (sum(wanted.values()) or 1.0)
        total = 0.1 * bool(place[1] == "column" and _TOTAL.search(" ".join(place[2])))
        if named >= _NAMED and (label & set(wanted) or total):
            own = sum(r for s, r in wanted.items() if s in label)
            scored.append((named + total + 0.1 * own, _within(question, members, cells)))
    able = sorted((one for one in scored if len(one[1]) > 1), key=lambda one: (-one[0], -len(one[1])))
    if not able or (len(able) > 1 and (able[0][0], len(able[0][1])) == (able[1][0], len(able[1][1]))):
        return []
    return able[0][1]


def _within(question: str, members: Sequence[ShownSentence], cells: Sequence[ShownSentence]) -> list[ShownSentence]:
    """Those of the months that the question names, by a date in their row; totals left out. One unit, or none."""
    kept = [m for m, c in zip(members, _cited(members), strict=True) if not _TOTAL.search(" ".join(c.row_path))]
    span = _span(question)
    if span is not None:
        kept = [m for m in kept if (day := _day_of(m, cells)) and span[0] <= day[:7] <= span[1]]
    one_unit = len({(c.unit, c.scale) for c in _cited(kept)}) == 1
    return kept if one_unit and len(kept) <= _MOST else []


def _span(question: str) -> tuple[str, str] | None:
    """From the first to the last month that the question names, of the year beside one of them."""
    found = [(m[1].capitalize(), m[2]) for m in _MONTH.finditer(question)]
    year = next((y for _, y in reversed(found) if y), None)
    if not found or year is None:
        return None
    months = [f"{y or year}-{list(month_name).index(name):02d}" for name, y in found]
    return min(months), max(months)


def _day_of(member: ShownSentence, cells: Sequence[ShownSentence]) -> str | None:
    """The first day in the member's row."""
    assert member.cell is not None
    row = member.cell.cell_id.rsplit("-c", 1)[0]
    same = (
        s
        for s in cells
        if s.cell is not None and s.cell.cell_id.rsplit("-c", 1)[0] == row and s.handle == member.handle
    )
    return next((d for s in same for d in days_in(s.cell_text, None)), None)
