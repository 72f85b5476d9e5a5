"""Claims from picked sentences: the extract that is its own quotation, and what the claims of one answer contradict."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from models.answering.claim_text import one_line, repeats, states, with_subject
from models.answering.conflicts import Statement, first_conflict
from models.answering.drafts import ClaimDraft, Conflict, ConflictKind, Fault, ShownPassage, ShownSentence
from models.answering.evidence import citations_of
from models.answering.extractive import Scored
from models.language.agreement import agreement
from models.triage.alignment import METHOD as ALIGNMENT
from models.triage.alignment import Part, align
from models.triage.opposition import is_opposed
from verify.domain.claim import ClaimType, Support, SupportLabel
from verify.domain.ids import ClaimId

VERBATIM = Support(SupportLabel.SUPPORTED, 1000, "verbatim")
CELL = Support(SupportLabel.SUPPORTED, 1000, "table_cell")
"""The sentence is made of the cell and its headers, and the check proves all of them."""
NEAR_THE_BEST = 0.9
"""Share of the best sentence's score that a further extract must reach.

On 120 questions about 27 contracts 0.8 gives 2.5 claims an answer, 39 % of them off the gold pages; 0.9 gives 2.1 and
35 %. Some claim hits a gold page in 81 and 79 %, the first in 72 % with both.
"""
CONFLICT_CANDIDATES = 12
"""Among how many of the best sentences one is sought that contradicts an extract."""


def claim_id(number: int) -> ClaimId:
    """``number`` counts from 1."""
    return ClaimId(f"c{number}")


def extract_claim(number: int, shown: ShownPassage, sentence: ShownSentence) -> ClaimDraft:
    """A claim that is its own quotation, or what a table's cell says with its headers, unit and scale. The section is
    named before a sentence that names no subject."""
    support = VERBATIM if sentence.cell is None else CELL
    text = with_struck(one_line(sentence.text), sentence)
    text = with_subject(text, shown.passage.heading_path, shown.passage.title)
    return ClaimDraft(
        claim_id(number), text, ClaimType.SOURCE_FACT, citations_of(shown, sentence), support, (sentence.sentence_id,),
        superseded=superseded((shown,)),
    )  # fmt: skip


def with_struck(line: str, sentence: ShownSentence) -> str:
    """``line`` with the words of the sentence that are struck through named as such, on one line."""
    if not sentence.struck:
        return line
    gone = one_line(sentence.struck)
    return f"{line} (struck through: {gone})" if line else f"Struck through: {gone}"


def worded_claim(
    number: int,
    text: str,
    sentence_ids: Sequence[str],
    sentences: Mapping[str, ShownSentence],
    by_handle: Mapping[str, ShownPassage],
) -> ClaimDraft:
    """A claim in a model's words. An id that was not shown fails it; the citations are those that were."""
    picked = [sentences[i] for i in dict.fromkeys(sentence_ids) if i in sentences]
    fault = None
    if not picked:
        fault = Fault.HANDLE_NOT_SHOWN if sentence_ids else Fault.NO_EVIDENCE
    elif any(i not in sentences for i in sentence_ids):
        fault = Fault.HANDLE_NOT_SHOWN
    shown = [by_handle[s.handle] for s in picked]
    named = one_line(text)
    if shown:
        named = with_subject(named, shown[0].passage.heading_path, shown[0].passage.title)
    citations = tuple(chain.from_iterable(map(citations_of, shown, picked)))
    kind = ClaimType.SYNTHESIS if len(picked) > 1 else ClaimType.SOURCE_FACT
    support = _moved(_support(one_line(text), picked, shown), len(named) - len(one_line(text)))
    return ClaimDraft(
        claim_id(number), named, kind, citations, support, tuple(sentence_ids), fault, superseded(shown),
    )  # fmt: skip


def _moved(support: Support, by: int) -> Support:
    """With its offsets in the claim as it reads after its section or document was named before it."""
    moved = (replace(d, start=d.start + by, end=d.end + by) for d in support.differences)
    return replace(support, differences=tuple(moved))


def _support(text: str, picked: Sequence[ShownSentence], shown: Sequence[ShownPassage]) -> Support:
    """The claim against its own quotations: supported only where each part of it is aligned with them and nothing that
    could change it is left out; contradicted where they state its opposite or another value."""
    if not picked:
        return Support(SupportLabel.NOT_EVALUATED, 0, "none")
    if [one_line(s.text) for s in picked] == [one_line(text)]:
        return VERBATIM if picked[0].cell is None else CELL
    quoted = [one_line(s.text) for s in picked]
    found = agreement(text, " ".join(quoted), " ".join(f"{p.passage.title} {p.passage.text} {p.about}" for p in shown))
    laid = align(text, quoted)
    signals = {"aligned": laid.held, "quoted": found.quoted}
    signals |= {part.value: float(all(d.part != part for d in laid.differences)) for part in Part}
    label = SupportLabel.UNCLEAR
    if laid.bears_out and found.quoted == 1:
        label = SupportLabel.SUPPORTED
    elif found.differs or found.quoted < 1 or (not laid.bears_out and is_opposed(text, quoted)):
        label = SupportLabel.CONTRADICTED
    score = 1000 if label is SupportLabel.SUPPORTED else round(500 * laid.held)
    return Support(
        label, score, ALIGNMENT, tuple((name, round(1000 * share)) for name, share in signals.items()),
        tuple(laid.differences),
    )  # fmt: skip


def superseded(cited: Iterable[ShownPassage]) -> tuple[str, ...]:
    """What replaced the cited sources, in words, none twice."""
    return tuple(dict.fromkeys(p.superseded_by for p in cited if p.superseded_by))


def chosen_extracts(
    ranked: Sequence[Scored], by_handle: Mapping[str, ShownPassage], limit: int, *, titles: bool = False
) -> tuple[ShownSentence, ...]:
    """The best sentences without repetitions, and one that contradicts them if the best dozen hold one.

    None is only a piece of a sentence, a heading or a form's empty label, but for the best one where ``titles`` are
    asked for. Empty where nothing states anything.
    """
    stating = stating_items(ranked, by_handle)
    if titles and ranked and ranked[0] not in stating:
        stating.insert(0, ranked[0])
    chosen: list[ShownSentence] = []
    for item in stating:
        if len(chosen) == limit or item.score < NEAR_THE_BEST * stating[0].score:
            break
        text = one_line(item.sentence.text)
        if not any(repeats(text, one_line(s.text)) for s in chosen):
            chosen.append(item.sentence)
    statements = [_statement(s, by_handle) for s in chosen if s.cell is None]
    for item in stating[:CONFLICT_CANDIDATES]:
        if (
            item.sentence.cell is None
            and item.sentence not in chosen
            and first_conflict(_statement(item.sentence, by_handle), statements)
        ):
            return (*chosen, item.sentence)
    return tuple(chosen)


def stating_items(ranked: Sequence[Scored], by_handle: Mapping[str, ShownPassage]) -> list[Scored]:
    """Those that say something, in their order."""
    return [item for item in ranked if _states(item.sentence, by_handle)]


def _states(sentence: ShownSentence, by_handle: Mapping[str, ShownPassage]) -> bool:
    """Whether it says something: a cell does, what is a heading of its passage does not."""
    if sentence.cell:
        return True
    headings = map(_letters, by_handle[sentence.handle].passage.heading_path)
    return states(sentence.text) and _letters(sentence.text) not in headings


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _statement(sentence: ShownSentence, by_handle: Mapping[str, ShownPassage]) -> Statement:
    passage = by_handle[sentence.handle].passage
    return Statement(one_line(sentence.text), one_line(passage.text), passage.source_id)


def conflicts_among(
    claims: Sequence[ClaimDraft], sentences: Mapping[str, ShownSentence], by_handle: Mapping[str, ShownPassage]
) -> tuple[Conflict, ...]:
    """Each pair of claims whose cited sentences conflict, by the first such sentence of each. Cells of a table differ
    by their headers, and are not set against anything."""
    cited = [
        [_statement(sentences[i], by_handle) for i in c.sentence_ids if i in sentences and sentences[i].cell is None]
        for c in claims
    ]
    found = []
    for later, claim in enumerate(claims):
        for earlier in range(later):
            pair = _conflict(cited[earlier], cited[later])
            if pair is not None:
                kind, later_changes = pair
                ids = claims[earlier].claim_id, claim.claim_id
                found.append(Conflict(kind, *(ids if later_changes else ids[::-1])))
    return tuple(found)


def _conflict(earlier: Sequence[Statement], later: Sequence[Statement]) -> tuple[ConflictKind, bool] | None:
    for statement in later:
        found = first_conflict(statement, earlier)
        if found is not None:
            return found[1], found[2]
    return None
