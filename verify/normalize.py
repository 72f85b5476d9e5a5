"""Normalisation profiles, with a map back to the text as extracted.

``pincite-quote-1`` (contract section 5, rule 3): NFC; CR, LF and runs of ASCII white space to one space; trim; soft
hyphens and zero-width characters passed over, a soft hyphen with the line break behind it; ligature glyphs as letters.
``pincite-typographic-2`` adds: curly, low and angled quotation marks, primes and the modifier apostrophe as straight
ones (with the space that French sets inside them); no-break, en and thin spaces as spaces; the no-break hyphen as a
hyphen; an ellipsis as three points; no space around en and em dashes. Neither folds case, and neither drops a sign, a
bracket, a hyphen or a mark.

What a line end may stand for is kept apart from the letters: the *skeleton* is the normalised text without its hyphens
(and without white space behind a hyphen, slash or dash), and a *gap* says what was there. Two texts are equal if their
skeletons are and if every gap of one allows what the other has in its place: "termi-/nation" has the skeleton
"termination" and a gap that allows nothing, a hyphen, or a hyphen and a space; "five-year" has a gap that allows only a
hyphen.
"""

import re
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

QUOTE_PROFILE = "pincite-quote-1"
TYPOGRAPHIC_PROFILE = "pincite-typographic-2"

IGNORED = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""Soft hyphen and zero-width characters: passed over anywhere."""

BARRIER = "\uffff"
"""A noncharacter that no quotation may hold, so that nothing matches across it."""

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_DOUBLE = "“”„‟«»″〝〞"
_SINGLE = "‘’‚‛‹›′ʼ"
QUOTATION_MARKS = "\"'" + _DOUBLE + _SINGLE
_CURLY = dict.fromkeys(_DOUBLE, '"') | dict.fromkeys(_SINGLE, "'") | {"…": "..."}
_BREAKS = r"\t\r\n\f\v"
_SPACE = " " + _BREAKS
_NO_BREAK = "\u00a0\u2002\u2005\u2006\u2007\u2008\u2009\u200a\u202f"
_NO_BREAK_HYPHEN = "\u2011"
_COMPOSES = (
    r"\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u093c\u09bc\u1160-\u11ff\u3099\u309a"
    + IGNORED[1:]
)
"""Characters that may compose with the one before: combining marks, Hangul vowels and finals (Unicode 3.11)."""


class Gap(NamedTuple):
    """What may stand before skeleton position ``at``: one of ``options``. ``start``/``end`` are offsets in the source
    text, without white space behind."""

    at: int
    options: frozenset[str]
    start: int
    end: int


NOTHING = frozenset({""})


@dataclass(frozen=True, slots=True)
class Normal:
    """``offsets[i]`` is where skeleton character ``i`` begins in ``source``; one more entry holds the end."""

    source: str
    skeleton: str
    offsets: "array[int]"
    gaps: tuple[Gap, ...]
    gap_at: tuple[int, ...]

    def gap(self, at: int) -> Gap | None:
        i = bisect_left(self.gap_at, at)
        return self.gaps[i] if i < len(self.gap_at) and self.gap_at[i] == at else None

    def between(self, start: int, end: int) -> tuple[Gap, ...]:
        """Gaps at skeleton positions ``start`` to ``end``, both included."""
        return self.gaps[bisect_left(self.gap_at, start) : bisect_left(self.gap_at, end + 1)]

    def position(self, offset: int) -> int:
        """The first skeleton position at or after a source offset."""
        return bisect_left(self.offsets, offset)


def _pattern(more_space: str, curly: str, hyphens: str) -> re.Pattern[str]:
    """What differs from plain text. A single space between words is plain: it is by far the most frequent."""
    space = _SPACE + more_space
    angled = (
        rf"|(?<![^{space}(\[])(?P<opened>[«‹])[{space}]+|(?<=[^{space}])[{space}]+(?P<shut>[»›])(?![^\W_])"
        if curly
        else ""
    )
    return re.compile(
        rf"""(?P<soft>\u00ad[{space}]*[\r\n][{space}]*)
        {angled}
        | (?P<hyphen>[-‐{hyphens}]+)(?P<behind>[{space}]+)?
        | (?P<breaker>[/–—])(?P<after>[{space}]+)
        | (?P<space>[{space}]*[{_BREAKS}{more_space}][{space}]*|[ ]{{2,}}|[ ](?=[{IGNORED}])|(?<=[{IGNORED}])[ ])
        | (?P<ignored>[{IGNORED}]+)
        | (?P<letter>[{"".join(_LIGATURES)}{curly}])
        | (?P<cluster>[^{space}{IGNORED}][{_COMPOSES}]+)""",
        re.VERBOSE,
    )


_QUOTE = _pattern("", "", "")
_TYPOGRAPHIC = _pattern(_NO_BREAK, "".join(_CURLY), _NO_BREAK_HYPHEN)
TYPOGRAPHIC_CHARACTERS = re.compile(rf"[{''.join(_CURLY)}{_NO_BREAK}{_NO_BREAK_HYPHEN}–—]")
"""A text without any of these is the same under both profiles."""

_LONGEST_GAP = 4
"""Characters. What one gap allows is bounded, so that a page of lone hyphens takes no more time than any other."""

_DASH = re.compile("[–—]")
_DASH_SPACE = re.compile(" ?([–—]) ?")


class _Builder:
    """Collects skeleton characters, where they came from, and gaps."""

    __slots__ = ("gaps", "offsets", "parts", "size", "source", "spaced")

    def __init__(self, source: str) -> None:
        self.source = source
        self.parts: list[str] = []
        self.offsets = array("l")
        self.gaps: list[Gap] = []
        self.size = 0
        self.spaced = True  # nothing but white space so far

    def copy(self, start: int, end: int) -> None:
        text = self.source[start:end]
        self.parts.append(text)
        self.offsets.extend(range(start, end))
        self.size += len(text)
        self.spaced = text[-1] == " "

    def put(self, text: str, start: int) -> None:
        self.parts.append(text)
        self.offsets.extend([start] * len(text))
        self.size += len(text)
        self.spaced = text == " "

    def space(self, start: int) -> None:
        if not self.spaced:
            self.put(" ", start)

    @property
    def full(self) -> bool:
        """True if the gap here holds as much as one gap may: more would double what it allows with every hyphen."""
        return bool(self.gaps) and self.gaps[-1].at == self.size and max(map(len, self.gaps[-1].options)) > _LONGEST_GAP

    def gap(self, options: frozenset[str], start: int, end: int) -> None:
        if self.gaps and self.gaps[-1].at == self.size:
            last = self.gaps.pop()
            options = frozenset(a + b for a in last.options for b in options)
            start = last.start
        self.gaps.append(Gap(self.size, options, start, end))

    def normal(self) -> Normal:
        skeleton = "".join(self.parts)
        end = len(self.source)
        if self.gaps and self.gaps[-1].at == self.size and self.gaps[-1].options <= {"", " "}:
            self.gaps.pop()  # white space at the end, behind a slash or dash
        if skeleton.endswith(" ") and not (self.gaps and self.gaps[-1].at == self.size):
            end = self.offsets.pop()
            skeleton = skeleton[:-1]
        self.offsets.append(end)
        return Normal(self.source, skeleton, self.offsets, tuple(self.gaps), tuple(g.at for g in self.gaps))


def normalize(text: str, typographic: bool = False) -> Normal:
    """``text`` under ``QUOTE_PROFILE``, or under ``TYPOGRAPHIC_PROFILE`` if asked."""
    builder = _Builder(text)
    at = 0
    for found in (_TYPOGRAPHIC if typographic else _QUOTE).finditer(text):
        if found.start() > at:
            _plain(builder, at, found.start())
        _special(builder, found)
        at = found.end()
    _plain(builder, at, len(text))
    normal = builder.normal()
    return _close_dashes(normal) if typographic and _DASH.search(normal.skeleton) else normal


def _plain(builder: _Builder, start: int, end: int) -> None:
    """Characters that no rule names; a few of them still have another canonical form (U+212B)."""
    if builder.spaced and start < end and builder.source[start] == " ":
        start += 1
    if start == end:
        return
    if builder.source.isascii() or unicodedata.is_normalized("NFC", builder.source[start:end]):
        builder.copy(start, end)
        return
    for i in range(start, end):
        builder.put(unicodedata.normalize("NFC", builder.source[i]), i)


def _special(builder: _Builder, found: re.Match[str]) -> None:
    kind, start = found.lastgroup, found.start()
    if found["hyphen"]:
        _hyphen(builder, found)
    elif found["breaker"]:
        _breaker(builder, found)
    elif kind in ("opened", "shut"):
        builder.put(_CURLY[found[kind]], found.start(kind))
    elif kind == "space":
        builder.space(start)
    elif kind == "letter":
        builder.put(_LIGATURES.get(found.group()) or _CURLY[found.group()], start)
    elif kind == "cluster":
        builder.put(unicodedata.normalize("NFC", found.group().translate(dict.fromkeys(map(ord, IGNORED)))), start)


def _breaker(builder: _Builder, found: re.Match[str]) -> None:
    """A slash or dash that closes a word may end a line without a space; one that stands alone keeps its spaces."""
    start, alone = found.start(), builder.spaced
    builder.put(found["breaker"], start)
    if alone:
        builder.space(start + 1)
    else:
        builder.gap(frozenset({"", " "}) if _breaks(found["after"]) else frozenset({" "}), start + 1, start + 1)


def _hyphen(builder: _Builder, found: re.Match[str]) -> None:
    """A hyphen is a gap; one behind a full gap is a character."""
    hyphen, behind = found["hyphen"].replace(_NO_BREAK_HYPHEN, "-"), found["behind"]
    if builder.full:
        builder.put(hyphen, found.start())
        if behind is not None:
            builder.space(found.start("behind"))
        return
    if behind is None:
        options = frozenset({hyphen})
    elif _breaks(behind) and not builder.spaced:
        options = frozenset({"", hyphen, hyphen + " "})
    else:
        options = frozenset({hyphen + " "})
    builder.gap(options, found.start(), found.start() + len(hyphen))


def _breaks(space: str) -> bool:
    return "\n" in space or "\r" in space


def _close_dashes(normal: Normal) -> Normal:
    """Takes the spaces around en and em dashes out of the skeleton, and the gaps that stood for them."""
    kept = list(_kept(normal.skeleton))
    offsets = array("l", [normal.offsets[i] for i in kept])
    offsets.append(normal.offsets[-1])
    gaps = tuple(g._replace(at=bisect_left(kept, g.at)) for g in normal.gaps if not _is_dash_space(normal, g))
    skeleton = "".join(normal.skeleton[i] for i in kept)
    return Normal(normal.source, skeleton, offsets, gaps, tuple(g.at for g in gaps))


def _is_dash_space(normal: Normal, gap: Gap) -> bool:
    return gap.options <= {"", " "} and normal.skeleton[gap.at - 1] in "–—"


def _kept(skeleton: str) -> Iterator[int]:
    """Positions of all but the spaces around dashes."""
    at = 0
    for found in _DASH_SPACE.finditer(skeleton):
        yield from range(at, found.start())
        yield found.start(1)
        at = found.end()
    yield from range(at, len(skeleton))
