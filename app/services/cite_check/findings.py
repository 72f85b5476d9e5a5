"""What a check of a draft found, citation by citation."""

from dataclasses import dataclass
from enum import StrEnum

from app.services.cite_check.draft_model import Draft, Place
from app.services.cite_check.places import Pinned
from app.services.cite_check.resolving import Resolved
from models.citations.model import Mention
from models.triage.support import SupportResult
from verify.report import CheckResult, VerificationReport


class Verdict(StrEnum):
    """The closed list of the contract, section 6. In order of how badly they need a person, worst first."""

    NOT_IN_MATTER = "not_in_matter"
    QUOTATION_DIFFERS = "quotation_differs"
    NO_SUCH_PAGE = "no_such_page"
    NOT_ON_PAGE = "not_on_page"
    NOT_SUPPORTED = "not_supported"
    CHECK_BY_EYE = "check_by_eye"
    UNCLEAR = "unclear"
    STANDS = "stands"


class Advice(StrEnum):
    """What to do, or why the verdict is what it is. Worded in ``app.messages``."""

    NOT_THERE = "not_there"
    SEVERAL_DOCUMENTS = "several_documents"
    OTHER_CITATION = "other_citation"
    NAME_AND_CITATION = "name_and_citation"
    NOTHING_BEFORE = "nothing_before"
    STATUTE_NOT_IN_MATTER = "statute_not_in_matter"
    BEYOND_END = "beyond_end"
    OTHER_PAGING = "other_paging"
    NO_PARAGRAPH = "no_paragraph"
    NO_SECTION = "no_section"
    NO_LINE = "no_line"
    CORRECT_QUOTATION = "correct_quotation"
    QUOTATION_ELSEWHERE = "quotation_elsewhere"
    RUNS_OVER = "runs_over"
    ANOTHER_VOICE = "another_voice"
    LOOK_AT_PAGE = "look_at_page"
    BETTER_PAGE = "better_page"
    SPEAKS_AGAINST = "speaks_against"
    NOTHING_OF_IT = "nothing_of_it"
    QUOTED_THERE = "quoted_there"
    COMPARE = "compare"
    WORDED_FREELY = "worded_freely"
    NO_PINPOINT = "no_pinpoint"
    NOTHING_TO_COMPARE = "nothing_to_compare"
    STANDS = "stands"


@dataclass(frozen=True, slots=True)
class QuotationFound:
    """A quotation of the draft. ``check`` is its check on the cited page (or where it stands, when no page was cited);
    ``elsewhere`` are the indexes of the pages of the same document that hold it; ``over`` is true where it runs on to
    the page after the cited one, ``common`` where several pages of the document seem to hold it."""

    text: str
    place: Place
    check: CheckResult | None
    elsewhere: tuple[int, ...] = ()
    over: bool = False
    common: bool = False


@dataclass(frozen=True, slots=True)
class CitationFound:
    citation_id: str
    mention: Mention
    place: Place
    draft_page: int | None
    resolved: Resolved
    pinned: Pinned
    page_labels: tuple[str | None, ...]
    proposition: str
    quotations: tuple[QuotationFound, ...]
    support: SupportResult | None
    verdict: Verdict
    advice: tuple[Advice, ...]
    suggested: tuple[int, ...] = ()
    """Page indexes that fit better, best first: where a quotation stands, else where the proposition fits."""
    suggested_labels: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class LooseQuotation:
    """A quotation that no citation goes with. ``found`` are (source id, path, page index, label) where it stands."""

    text: str
    place: Place
    found: tuple[tuple[str, str, int, str | None], ...]


@dataclass(frozen=True, slots=True)
class Authority:
    """One line of the table of authorities: as cited in full, and the pages (0-based) and citations that cite it."""

    group: str
    name: str
    citation_ids: tuple[str, ...]
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CiteCheck:
    draft: Draft
    citations: tuple[CitationFound, ...]
    authorities: tuple[Authority, ...]
    loose: tuple[LooseQuotation, ...]
    report: VerificationReport
