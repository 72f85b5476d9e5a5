"""What answering is given and what it hands back: passages under opaque handles in, claims with citations out."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from verify.domain.claim import Citation, CitedCell, ClaimType, Support
from verify.domain.ids import ClaimId
from verify.domain.passage import Passage
from verify.meaning import Part


class ShownTable(NamedTuple):
    """A table that stands in a passage: its part on that page, then the parts that it continues, nearest first."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A passage under the handle that the model sees ("P1"). ``rank`` is retrieval's, from 1.

    ``page_labels`` are (page index, label) of the pages that the passage touches. ``dated`` and ``superseded_by`` are
    what the registry or a person says of the document, None where nobody said anything; ``superseded_by`` is in words.
    """

    handle: str
    passage: Passage
    rank: int
    page_labels: tuple[tuple[int, str | None], ...] = ()
    dated: str | None = None
    superseded_by: str | None = None
    about: str = ""
    """What names the document besides its title (parties, file name, first lines): it is searched, never quoted."""
    named: float = 0.0
    """The share of what is asked that the passage names in the words that retrieval knows for it, 0-1."""
    tables: tuple[ShownTable, ...] = ()

    def label_of(self, page_index: int) -> str | None:
        return dict(self.page_labels).get(page_index)


class ShownSentence(NamedTuple):
    """A sentence that may be picked. ``start``/``end`` are offsets in the passage's text, half-open.

    It lies in the passage's parts ``first_part`` to ``last_part``, both included; these differ where a sentence runs
    over a page break. Of a table's ``cell`` the text is a statement of the program's, ``cell_text`` what it shows.
    """

    sentence_id: str
    handle: str
    text: str
    start: int
    end: int
    first_part: int
    last_part: int
    cell: CitedCell | None = None
    cell_text: str = ""
    beside: CitedCell | None = None
    """Another cell of the row, by which the question names it, with its text."""
    beside_text: str = ""
    struck: str = ""
    """Words of it that are struck through on the page; ``text`` is then what is left, "" where nothing is."""


class Answers(StrEnum):
    """Whether a claim answers the question, which is not whether its citation holds."""

    YES = "yes"
    PERHAPS = "perhaps"
    NO = "no"


class Fault(StrEnum):
    """Why a claim fails before it is verified. It stays visible and is never shown as supported."""

    HANDLE_NOT_SHOWN = "handle_not_shown"
    NO_EVIDENCE = "no_evidence"


class Operation(StrEnum):
    SUM = "sum"
    DIFFERENCE = "difference"
    RATIO = "ratio"
    DAYS_BETWEEN = "days_between"


@dataclass(frozen=True, slots=True)
class Calculation:
    """``operands`` index into the claim's citations; ``result`` is a decimal string in ``unit``, or "a/b" where a ratio
    has no finite decimal form."""

    operation: Operation
    operands: tuple[int, ...]
    result: str
    unit: str | None


@dataclass(frozen=True, slots=True)
class ClaimDraft:
    """One fact and the sentences that say it. ``sentence_ids`` are the picks as the model made them.

    ``superseded`` names, in words, what replaced a cited source, where that is known.
    """

    claim_id: ClaimId
    text: str
    claim_type: ClaimType
    citations: tuple[Citation, ...]
    support: Support
    sentence_ids: tuple[str, ...]
    fault: Fault | None = None
    superseded: tuple[str, ...] = ()
    calculation: Calculation | None = None
    answers: Answers = Answers.YES


class ConflictKind(StrEnum):
    AMENDED = "amended"  # one of the sources says that it changes the other
    DIFFERENT_VALUES = "different_values"  # the same thing with another date, amount or number
    NEGATED = "negated"  # the same words, one of them with a negation


class Conflict(NamedTuple):
    """Two claims of one answer that cannot both hold as they stand. For AMENDED ``later`` is the one that changes."""

    kind: ConflictKind
    earlier: ClaimId
    later: ClaimId


class Unanswered(StrEnum):
    NOTHING_SHOWN = "nothing_shown"
    NOT_FOUND = "not_found"  # nothing that was read answers the question
    MODEL_FOUND_NOTHING = "model_found_nothing"
    CANNOT_COUNT = "cannot_count"  # the question asks how many there are of something; passages are a selection


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """``limit`` is the most claims. ``max_tokens`` bounds what a model writes, which ends one that never stops."""

    limit: int = 5
    sentences: int = 12
    """How many sentences a model is shown at most, the best by the program's own ranking: a laptop reads 12 in some
    8 s, all those of eight passages in over a minute, and a small model chooses better among fewer."""
    max_tokens: int = 400
    seconds: float = 240
    """How long a model may take for one answer. What it has claimed by then counts; with nothing it has failed."""
    fall_back: bool = True
    """False leaves an answer without claims where a model makes none: the caller has the documents' own words."""
    refuse: bool = True
    """False keeps the best sentences even where the program finds that they do not answer."""


@dataclass(frozen=True, slots=True)
class AnswerDraft:
    """``read`` are the handles that the model or the program read, ``left_out`` those that did not fit its context.

    ``prompt_sha256`` hashes the canonical prompt; for the extractive mode the question and the shown sentences.
    ``warnings`` are codes: ``instructions_in_document`` (a planted instruction was left out), ``model_found_nothing``
    (the model picked nothing where a sentence plainly answers, so the claims are extracts), ``model_found_no_part``,
    and ``model_unavailable``, ``model_failed``, ``model_out_of_time``: what it had claimed until then, else extracts.
    """

    claims: tuple[ClaimDraft, ...]
    unanswered: Unanswered | None
    model: str
    prompt_sha256: str
    read: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    warnings: tuple[str, ...] = field(default=())
