"""Triage: does a cited page support a proposition? Named signals for a person to look at; it proves nothing.

It never changes a verification. It can hold a claim back; it never releases one that failed.
"""

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from models.language.agreement import Agreement, agreement, claim_values, quotations, share_of_names, share_quoted
from models.language.bounds import without_bounds
from models.language.languages import is_english
from models.language.negation import NEGATORS, denies_a_denial, deny_each_other
from models.language.values import ValueKind, is_reckoned, values
from models.language.wording import letters, stems, words
from models.ports import SentenceEncoder
from models.triage.alignment import Alignment, Part, align
from models.triage.attribution import subject_is_pronoun
from models.triage.opposition import Opposed, opposed
from models.triage.page_fit import PageFit, PageText, joined
from models.triage.table_claims import Outcome, read_tables
from verify.domain.claim import SupportLabel
from verify.domain.ids import SourceId
from verify.domain.progress import Progress
from verify.sentences import sentences

METHOD = "triage"
ALIGNED = 0.5
"""Share of a sentence's content words that a sentence of the page must hold to say the same or its opposite."""
ALIGNED_LENGTH = 2
"""How many times its content words the page's sentence may have: a long clause denies much that a short claim is not
about. With both, 63 % of negated holdings are found at 1 % false alarms."""
SILENT_BELOW = 0.03
"""Share of a claim, by the rarity of its words, under which one of several pages cited is silent. One of 86 right
citations of several pages has such a page."""
HARDLY_HELD = 0.1
"""Share of a claim, reckoned in the same way, under which no page cited has anything to support it with, even if no
other page has more. Of right citations called supported 2 % have so little, of wrong ones 10 % on pages of the same
document and 40 % on those of others."""
ALIGNMENTS = 3
"""How many of a page's sentences a claim is laid against: those that have most of its words."""
A_WORDING, MOST_OTHERWISE, MOST_LEFT_OUT, LONGER, MOST_LACKING = 0.75, 3, 6, 2.5, 0.75
"""What makes a claim of one sentence a wording of a sentence on the page: the share of its words that stand there, how
many words are others, how many are left out, and how many times its words the sentence may have; or that what it leaves
out, statements of their own apart, is little, as a share of its words. Such a claim must be
aligned. Of 384 false wordings (``bench_wording.py``) 10 % are then called supported, before 52 %; of right citations
on contracts 86 % are (90), on opinions 82 % (84): lawyers' propositions are summaries, and most are not touched."""
BETTER_PAGES = 3
EDGE = 350
"""Characters of a neighbouring page, about a sentence or two."""
SUPPORTED_FROM = -4.0
"""Weight of all signals from which a citation is called supported: it flags 9 % of right citations on contracts, 16 %
on opinions."""
_OWN_FIT = 3.0
_QUOTED_ELSEWHERE = 8.0
_OVERLEAF = 5.0
_TOGETHER = 0.6
_BEST_CONTRAST = 3.0
_MISSING_NAMES = 10.0
_UNKNOWN_NAMES = 12.0
_OTHER_VALUES = 4.0
_DENIED = 20.0
_TURNED = 20.0
_OTHER_CELL = 12.0
_SILENT = 3.0
_NOWHERE_QUOTED = 4.0
"""To sort by one number, in the unit of ``page_fit``: the difference in fit to the best other page, what quotations add
that stand here and not there (less is taken off where they stand overleaf, for then the pinpoint is off by one page),
what pages cited together hold between them, the page's own fit, and what each failing signal takes off. The difference
counts up to 3 only, so that a page that clearly is the right one does not outweigh a statement that it denies."""
_DENYING = (Part.NEGATION, Part.MODAL)
_OF_TABLE = {Outcome.DIFFERS: 0.0, Outcome.ELSEWHERE: 0.3}
_SCALE = 4.0
"""Weight that makes the odds of a score e times better."""


class SupportItem(NamedTuple):
    """One proposition and the pages cited for it, by machine index."""

    item_id: str
    claim_text: str
    source_id: SourceId
    page_indexes: tuple[int, ...]


class BetterPage(NamedTuple):
    """``score`` is 0-1000 as for an item."""

    page_index: int
    page_label: str | None
    score: int


class SupportResult(NamedTuple):
    """As in ``pincite.support/1``. ``signals`` are (method, 0-1000), 1000 where nothing speaks against the citation; of
    what was not evaluated the only one, at 0, is the reason why."""

    item_id: str
    label: SupportLabel
    score: int
    signals: tuple[tuple[str, int], ...]
    better_pages: tuple[BetterPage, ...]


@dataclass(frozen=True, slots=True)
class NotReadable:
    """``reason`` is a code of the contract's section 5 ("source_unknown", "document_locked" …)."""

    reason: str


class Documents(Protocol):
    def pages(self, source_id: SourceId) -> Sequence[PageText] | NotReadable:
        """All readable pages in order, or why there are none."""
        ...


PAGE_OUT_OF_RANGE, NO_TEXT, NO_CONTENT = "page_out_of_range", "no_text_layer", "no_content"
OTHER_LANGUAGE = "other_language"
"""Why an item of a readable document is not evaluated: a cited page is not there, the pages have no text, the
proposition has no word of content, it or the pages are not in English. A page's own doubt is a further reason."""
Triage = Generator[Progress, None, tuple[SupportResult, ...]]


def triage(
    items: Sequence[SupportItem], documents: Documents, encoder: SentenceEncoder | None = None,
    keep: Callable[[SupportResult], None] = lambda _: None,
) -> Triage:  # fmt: skip
    """Results in the order of the items; ``keep`` is given each at once. Yields after each item; closing cancels.

    Items of one source share its windows, so a request is fastest when it is sorted by source. What cannot be read is
    ``not_evaluated``.
    """
    results: list[SupportResult] = []
    source_id: SourceId | None = None
    pages: Sequence[PageText] | NotReadable = ()
    fit: PageFit | None = None
    for item in items:
        if item.source_id != source_id:
            source_id, pages = item.source_id, _in_letters(documents.pages(item.source_id))
            fit = PageFit(pages, encoder) if pages and not isinstance(pages, NotReadable) else None
        if isinstance(pages, NotReadable):
            result = _not_evaluated(item, pages.reason)
        else:
            item = item._replace(claim_text=letters(item.claim_text))
            result = _evaluate(item, pages, fit) if fit else _not_evaluated(item, NO_TEXT)
        keep(result)
        results.append(result)
        yield Progress("support", len(results), len(items), "claims", item.source_id)
    return tuple(results)


def _in_letters(pages: Sequence[PageText] | NotReadable) -> Sequence[PageText] | NotReadable:
    """Their texts with letters for ligatures, as claims are written."""
    if isinstance(pages, NotReadable):
        return pages
    return [
        p._replace(text=letters(p.text), header=letters(p.header), body=letters(p.body), prose=letters(p.prose))
        for p in pages
    ]


def _not_evaluated(item: SupportItem, reason: str) -> SupportResult:
    return SupportResult(item.item_id, SupportLabel.NOT_EVALUATED, 0, ((reason, 0),), ())


class _Evidence(NamedTuple):
    """``own`` and ``contrast`` are in the unit of ``page_fit``, ``share`` is the own fit of the greatest, 0-1.

    ``reworded`` names the parts in which the claim differs from the sentences that it is a wording of.
    ``quoted`` is the share of quotations found on the pages or running on from them, ``quoted_elsewhere`` that of the
    best other page, ``quoted_overleaf`` that of the pages next to those cited. ``turned`` names what the claim turns
    around; ``each_page`` is the share of the claim's words and concepts on each page cited, by page index;
    ``anonymous`` is true where the claim's subject is a pronoun; ``table`` is what the pages' tables say; ``unsure``
    is true where it rests on a word recognised with too little confidence, ``unread`` where not all of a page was read.
    """

    own: float
    share: float
    contrast: float
    quoted: float
    quoted_elsewhere: float
    quoted_overleaf: float
    found: Agreement
    unknown_names: bool
    denied: float
    turned: frozenset[Opposed]
    reworded: frozenset[Part]
    each_page: tuple[tuple[int, float], ...]
    anonymous: bool
    table: Outcome
    unsure: bool
    unread: bool


def _evaluate(item: SupportItem, pages: Sequence[PageText], fit: PageFit) -> SupportResult:
    cited = [position for position, page in enumerate(pages) if page.page_index in item.page_indexes]
    text = "\n\n".join(_body(pages[position]) for position in cited)
    if len(cited) < len(set(item.page_indexes)):
        return _not_evaluated(item, PAGE_OUT_OF_RANGE)
    if why_not := _why_not(item.claim_text, text, [pages[position] for position in cited]):
        return _not_evaluated(item, why_not)
    fits = fit.fits(item.claim_text, cited)
    others = list(_comparable(item.claim_text, cited, pages, fit))
    evidence = _weigh(item.claim_text, text, cited, others, pages, fit, fits)
    weight = _weight(evidence)
    better = [
        BetterPage(pages[p].page_index, pages[p].page_label, _scaled(fits[p] - evidence.own))
        for p in others
        if fits[p] > evidence.own
    ]
    better.sort(key=lambda page: (-page.score, page.page_index))
    return SupportResult(
        item.item_id, _label(weight, evidence), _scaled(weight), _signals(evidence), tuple(better[:BETTER_PAGES])
    )


def _why_not(claim: str, text: str, cited: Sequence[PageText]) -> str:
    """The reason why these pages cannot be compared with the claim; "" where they can."""
    if not text.strip():
        return NO_TEXT
    if not stems(claim):
        return NO_CONTENT
    if not is_english(claim) or not is_english(text):
        return OTHER_LANGUAGE
    return next((page.doubt for page in cited if page.doubt), "")


def _weigh(
    claim: str, text: str, cited: Sequence[int], others: Sequence[int], pages: Sequence[PageText], fit: PageFit,
    fits: Sequence[float],
) -> _Evidence:  # fmt: skip
    own = max(max(fits[position], fit.over_edges(claim, position)) for position in cited)
    own += _TOGETHER * fit.added_by_others(claim, cited)
    elsewhere = overleaf = 1.0
    if quotations(claim):
        elsewhere = max((share_quoted(claim, joined(pages[p].text)) for p in others), default=0.0)
        near = {p for position in cited for p in (position - 1, position + 1)}
        overleaf = max((share_quoted(claim, joined(pages[p].text)) for p in near.intersection(others)), default=0.0)
    prose = "\n\n".join(joined(_prose(pages[p])) for p in cited)
    table = read_tables(claim, [t for p in cited for t in pages[p].tables], prose)
    return _Evidence(
        own, own / (fit.greatest(claim) or 1.0), own - max((fits[p] for p in others), default=own),
        share_quoted(claim, text, *(_with_edges(position, pages) for position in cited)), elsewhere, overleaf,
        agreement(claim, text, " ".join(pages[position].header for position in cited), table.borne_out),
        share_of_names(claim, fit.held) < 1, *_turned(claim, prose),
        tuple((pages[p].page_index, fit.share_held(claim, p)) for p in cited),
        subject_is_pronoun(claim), table.outcome, _is_unsure(claim, prose, [pages[p] for p in cited]),
        any(pages[p].unread for p in cited),
    )  # fmt: skip


def _prose(page: PageText) -> str:
    """Nothing of a page that is a table alone: what its cells state is no sentence's."""
    return page.prose if page.tables else _body(page)


def _body(page: PageText) -> str:
    return joined(page.text.removeprefix(page.header).lstrip())


def _with_edges(position: int, pages: Sequence[PageText]) -> str:
    """A page's running text with what stands next to it, where what is quoted may begin or run on."""
    page = pages[position]
    before = pages[position - 1].running[-EDGE:] if position > 0 and pages[position - 1].part == page.part else ""
    after = pages[position + 1] if position + 1 < len(pages) else None
    return f"{before}\n{page.running}\n{after.running[:EDGE] if after is not None and after.part == page.part else ''}"


def _comparable(claim: str, cited: Sequence[int], pages: Sequence[PageText], fit: PageFit) -> Iterator[int]:
    """The pages that another page is sought among: those of the same part of the document (by running header, so that
    a dissent is not held against the opinion), and none that only cites the claim's own source."""
    parts = {pages[position].part for position in cited}
    for position, page in enumerate(pages):
        if position not in cited and page.part in parts and not fit.cites_from(claim, position):
            yield position


def _is_unsure(claim: str, text: str, cited: Sequence[PageText]) -> bool:
    """True if a word of the claim, or a denial beside it, stands on the pages as it was recognised with too little
    confidence."""
    unsure = frozenset[str]().union(*(page.unsure for page in cited))
    if not unsure:
        return False
    wanted = frozenset(stems(claim))
    closest = max((text[a:b] for a, b in sentences(text)), key=lambda s: len(wanted & frozenset(stems(s))), default="")
    return bool(unsure & wanted) or bool(unsure & NEGATORS & frozenset(words(closest)))


class _Turned(NamedTuple):
    """``denied`` is the share of the claim's sentences whose closest sentence on the page denies what they state, or
    the reverse; ``ways`` are those in which one states the opposite of a sentence that says nearly the same;
    ``reworded`` the parts in which one differs from the sentence that it is a wording of."""

    denied: float
    ways: frozenset[Opposed]
    reworded: frozenset[Part]


def _turned(claim: str, text: str) -> _Turned:
    theirs = [(text[start:end], frozenset(stems(text[start:end]))) for start, end in sentences(text)]
    compared = denied = 0
    turned, reworded = frozenset[Opposed](), frozenset[Part]()
    single = len(sentences(claim)) == 1
    for sentence in (claim[start:end] for start, end in sentences(claim)):
        wanted = frozenset(stems(sentence))
        close = sorted(theirs, key=lambda other: (-len(wanted & other[1]), len(other[1])))[:ALIGNMENTS]
        if not close or len(wanted & close[0][1]) < max(2, ALIGNED * len(wanted)):
            continue
        laid = align(sentence, [said for said, held in close if 2 * len(wanted & held) >= len(wanted)])
        if laid.bears_out:
            compared += 1
            continue
        if _is_wording(laid, len(close[0][1]), len(wanted)) and single:
            reworded |= {Part(difference.part) for difference in laid.differences}
            turned |= {Opposed.NEGATION} if laid.denies else set()
        closest, held = close[0]
        if denies_a_denial(closest):
            continue
        ways = opposed(sentence, closest) - _reckoned(sentence, closest)
        if laid.held == 1 and not any(d.claim or d.part in _DENYING for d in laid.differences):
            turned |= ways - {Opposed.NEGATION}  # it leaves something out, and denies nothing of what it says
            compared += 1
            continue
        turned |= ways
        if len(held) <= ALIGNED_LENGTH * len(wanted):
            compared += 1
            denied += deny_each_other(*without_bounds(sentence, closest))
    return _Turned(denied / compared if compared else 0.0, turned, reworded)


def _reckoned(sentence: str, closest: str) -> frozenset[Opposed]:
    """Values where one that the page's sentence does not state is a sum or a difference of what it states."""
    stated = values(closest)
    lacking = [v for v in claim_values(sentence) if not any(v.covers(other) for other in stated)]
    worked_out = bool(lacking) and all(is_reckoned(value, stated) for value in lacking)
    return frozenset({Opposed.VALUES}) if worked_out else frozenset()


def _is_wording(laid: Alignment, theirs: int, ours: int) -> bool:
    """Whether the claim is a wording of this one sentence, so that what differs is the point: not a summary of it, nor
    a statement of its own that shares its words. ``theirs`` and ``ours`` count the words of content of each."""
    left = sum(difference.part == Part.LEFT_OUT for difference in laid.differences)
    lacking = sum(not difference.claim for difference in laid.differences)
    few = len(laid.differences) - left <= MOST_OTHERWISE and left <= MOST_LEFT_OUT and theirs <= LONGER * ours
    nearly_whole = len(laid.differences) - lacking <= MOST_OTHERWISE and lacking <= MOST_LACKING * ours
    return laid.held >= A_WORDING and (few or nearly_whole)


def _weight(evidence: _Evidence) -> float:
    contrast = evidence.contrast + _QUOTED_ELSEWHERE * (evidence.quoted - evidence.quoted_elsewhere)
    contrast += _OVERLEAF * max(0.0, evidence.quoted_overleaf - evidence.quoted)
    missing = evidence.found.names < 0.5
    return (
        min(contrast, _BEST_CONTRAST)
        + _OWN_FIT * (evidence.share - 0.5)
        - _MISSING_NAMES * missing
        - _UNKNOWN_NAMES * (missing and evidence.unknown_names)
        - _OTHER_VALUES * bool(evidence.found.differs)
        - _DENIED * (evidence.denied > 0.5)
        - _TURNED * bool(evidence.turned)
        - _OTHER_CELL * (evidence.table in (Outcome.DIFFERS, Outcome.ELSEWHERE))
        - _SILENT * _has_silent(evidence)
        - _NOWHERE_QUOTED * (1 - max(evidence.quoted, evidence.quoted_elsewhere))
    )


def _scaled(weight: float) -> int:
    """On 0-1000: 500 where nothing speaks for or against."""
    return round(1000 / (1 + math.exp(-weight / _SCALE)))


def _has_silent(evidence: _Evidence) -> bool:
    """True if one of several pages cited has nothing of the claim: the others do not make up for it."""
    return len(evidence.each_page) > 1 and min(share for _, share in evidence.each_page) < SILENT_BELOW


def _signals(evidence: _Evidence) -> tuple[tuple[str, int], ...]:
    found = evidence.found
    shares = {"page_fit": evidence.share, "quoted_words": evidence.quoted, "values": found.values,
              "names": found.names, "words": found.words, "negation": 1 - evidence.denied,
              "subject": float(not evidence.anonymous), "table_cell": _OF_TABLE.get(evidence.table, 1.0),
              "recognised_words": float(not evidence.unsure), "read_whole": float(not evidence.unread)}  # fmt: skip
    shares |= {kind.value: min(shares.get(kind.value, 1.0), kind not in evidence.turned) for kind in Opposed}
    shares |= {part.value: min(shares.get(part.value, 1.0), part not in evidence.reworded) for part in Part}
    shares |= {f"page_{index}": share for index, share in evidence.each_page}
    return ("page_contrast", _scaled(evidence.contrast)), *((n, round(1000 * share)) for n, share in shares.items())


def _label(weight: float, evidence: _Evidence) -> SupportLabel:
    """Contradicted only where the page itself states otherwise, and all of it could be read; a page that is merely
    silent leaves it unclear, and so does a claim that does not name its subject, a page that obliges where the claim
    permits, or a claim that words a sentence otherwise in any part. That it leaves something out does not: those who
    cite leave out what they do not need, and what is a condition or an exception is a part of its own."""
    found = evidence.found
    otherwise = (
        evidence.denied > 0.5
        or bool(evidence.turned - {Opposed.MODALITY})
        or evidence.table is Outcome.DIFFERS
        or (bool(found.differs) and found.words >= ALIGNED)
    )
    if otherwise and not evidence.unsure and not evidence.unread:
        return SupportLabel.CONTRADICTED
    held_back = (
        evidence.denied > 0.5 or evidence.turned or evidence.reworded - {Part.LEFT_OUT}
        or evidence.anonymous or evidence.unsure
        or evidence.table in _OF_TABLE or found.differs or _has_silent(evidence)
        or max(share for _, share in evidence.each_page) < HARDLY_HELD
        or found.lacks - {ValueKind.DATE, ValueKind.DURATION}  # these two may be reckoned from one another
    )  # fmt: skip
    good = weight >= SUPPORTED_FROM and found.names >= 0.5 and evidence.quoted > 0
    return SupportLabel.SUPPORTED if good and not held_back else SupportLabel.UNCLEAR
