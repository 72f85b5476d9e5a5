"""Pinpoints: pages, paragraphs, lines and sections as lawyers write them after a citation."""

import re

from models.citations.model import Pinpoint

_DASH = r"\s?[-–—‑]\s?"
_PAGE = r"\*{0,2}(?:\d{1,5}|[ivxl]{1,6}|[A-Z]{1,2}-\d{1,4})"
_NOTE = r"(?:\s?(?:&|and|,)?\s?\bnn?\.\s?\d+(?:[-–]\d+)?)"
_PAGES = (
    rf"{_PAGE}(?!:\d)(?:{_DASH}{_PAGE})?{_NOTE}?(?:,\s(?:and\s)?{_PAGE}(?:{_DASH}{_PAGE})?{_NOTE}?(?![\w:]|\s[A-Z]))*"
)
_PAGES += rf"(?:,?\s(?:&|and)\s{_PAGE}(?![\w:]|\s[A-Z]))?"
_LINES = r"\d{1,4}:\d{1,2}(?:\s?[-–—]\s?(?:\d{1,4}:)?\d{1,2})?"
_NUMBERS = (
    rf"\d{{1,4}}(?:\([a-z]\))?(?:{_DASH}\d{{1,4}})?(?:,\s\d{{1,4}}(?:{_DASH}\d{{1,4}})?)*(?:,?\s(?:&|and)\s\d{{1,4}})?"
)
_SECTION = r"\d{1,3}(?:\.\d{1,3})*(?:\([A-Za-z0-9]{1,4}\))*|[A-Z]\d{0,2}(?:\.\d{1,3})+"

_PINS = (
    ("lines", re.compile(rf",?\s?(?:at\s)?(?P<value>{_LINES}(?:[,;]\s{_LINES})*)")),
    ("blank", re.compile(r",\s_{2,}(?:[-–]_{2,})?")),
    ("paragraphs", re.compile(rf",?\s?(?:at\s)?(?:¶{{1,2}}|paras?\.?|paragraphs?)\s?(?P<value>{_NUMBERS})")),
    ("paragraphs", re.compile(rf",?\s(?:at\s)?(?P<value>\[\d{{1,4}}\](?:(?:{_DASH}|,\s|\sand\s)\[\d{{1,4}}\])*)")),
    ("paragraphs", re.compile(rf",?\s(?:at\s)?(?P<value>\[\d{{1,4}}{_DASH}\d{{1,4}}\])")),
    (
        "section",
        re.compile(
            rf",?\s(?:at\s)?(?:§{{1,2}}|[Ss]ections?|[Cc]lauses?|cll?\.|Art\.|[Aa]rticle)\s?(?P<value>{_SECTION})"
        ),
    ),
    ("pages", re.compile(rf",?\s(?:slip\sop\.,?\s)?(?:at|pp?\.|pages?|at\spp?\.|at\spages?)\s(?P<value>{_PAGES})")),
    ("pages", re.compile(rf",\s(?P<value>{_PAGES})(?=\s?[(;.,)\]’”\"]|\s?$)")),
)
"""Tried in this order: the form that says most first. Bluebook rules 3.2, 3.3 and B17; OSCOLA 2.1.6 for brackets."""


def pin_at(text: str, position: int, *, bare: bool = True) -> tuple[Pinpoint, int] | None:
    """The pinpoint that begins at a position, with its end. ``bare`` allows pages behind a comma alone ("358, 364")."""
    for kind, pattern in _PINS if bare else _PINS[:-1]:
        if found := pattern.match(text, position):
            if kind == "blank":
                return Pinpoint(found.group().strip(" ,")), found.end()
            return _read(kind, found["value"], found.group().strip(" ,")), found.end()
    return None


def _read(kind: str, value: str, written: str) -> Pinpoint:
    if kind == "lines":
        return Pinpoint(written, lines=_line_ranges(value))
    if kind == "paragraphs":
        return Pinpoint(written, paragraphs=tuple(map(int, _numbers(re.sub(r"[\[\]]|\([a-z]\)", "", value)))))
    if kind == "section":
        return Pinpoint(written, section=value)
    return Pinpoint(written, pages=_numbers(re.sub(_NOTE, "", value)))


_RANGE = re.compile(rf"(?P<first>{_PAGE})(?:\s?[-–—‑]\s?(?P<last>{_PAGE}))?")
MOST_PAGES = 60
"""A longer range cites the whole document and pins nothing."""


def _numbers(value: str) -> tuple[str, ...]:
    """Each number of lists and ranges; "464-65" ends at 465."""
    found: list[str] = []
    for part in re.split(r",\s?|\s?&\s?|\sand\s", value):
        match = _RANGE.fullmatch(part.strip(" .").replace("*", ""))
        if match is not None:
            found.extend(_span(match["first"], match["last"] or ""))
    return tuple(dict.fromkeys(found))


def _span(first: str, last: str) -> tuple[str, ...]:
    if not last or not (first.isdigit() and last.isdigit()):
        return tuple(filter(None, (first, last)))
    if len(last) < len(first):
        last = first[: len(first) - len(last)] + last
    low, high = int(first), int(last)
    return tuple(map(str, range(low, high + 1))) if low <= high < low + MOST_PAGES else (first, last)


_LINE_RANGE = re.compile(r"(\d+):(\d+)(?:\s?[-–—]\s?(?:(\d+):)?(\d+))?")


def _line_ranges(value: str) -> tuple[tuple[str, int, int], ...]:
    """ "45:12-46:3" is line 12 of page 45 to its end (line 99) and the top of page 46 to line 3."""
    found: list[tuple[str, int, int]] = []
    for page, line, last_page, last_line in _LINE_RANGE.findall(value):
        if not last_page or last_page == page:
            found.append((page, int(line), int(last_line or line)))
            continue
        found.append((page, int(line), 99))
        found.extend((str(n), 1, 99) for n in range(int(page) + 1, min(int(last_page), int(page) + MOST_PAGES)))
        found.append((last_page, 1, int(last_line)))
    return tuple(found)
