"""Measures of answers and of support triage on labelled data: pure functions over what was answered.

Faithfulness and answer relevancy ask what RAGAS asks (Es and others, 2024); who judges is the caller's choice.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from models.language.agreement import claim_values
from models.language.values import values
from models.language.wording import stems

Page = tuple[str, int]
"""A document's name and a 0-based page."""


class AnsweredQuestion(NamedTuple):
    """One question and its answer. ``gold`` is empty and ``short_answer`` None for a question without an answer.

    ``claims`` are the claims' texts with the pages that each cites; ``verbatim`` the share of their citations that the
    verifier found, None without citations.
    """

    gold: frozenset[Page]
    short_answer: str | None
    claims: tuple[tuple[str, tuple[Page, ...]], ...]
    verbatim: float | None
    refused: bool


def answer_metrics(answers: Sequence[AnsweredQuestion]) -> dict[str, float]:
    """Shares 0-1 over the questions concerned, and claims an answer. What nothing was asked about is left out.

    ``page_right``: the first claim cites a gold page. ``any_page_right``: some claim does. ``irrelevant_claims``: share
    of claims that cite no gold page. ``short_answer_right``: some claim states what a person answered.
    """
    answerable = [a for a in answers if a.gold]
    answered = [a for a in answerable if not a.refused]
    claims = [(a, claim) for a in answered for claim in a.claims]
    quoted = [a.verbatim for a in answers if a.verbatim is not None]
    short = [a for a in answerable if a.short_answer]
    shares: dict[str, list[bool] | list[float]] = {
        "quotation_verbatim": quoted,
        "page_right": [bool(a.claims) and _cites_gold(a, a.claims[0]) for a in answerable],
        "any_page_right": [any(_cites_gold(a, claim) for claim in a.claims) for a in answerable],
        "short_answer_right": [any(states(text, a.short_answer or "") for text, _ in a.claims) for a in short],
        "irrelevant_claims": [not _cites_gold(a, claim) for a, claim in claims],
        "refused_answerable": [a.refused for a in answerable],
        "refused_unanswerable": [a.refused for a in answers if not a.gold],
        "claims_per_answer": [float(len(a.claims)) for a in answered],
    }
    return {name: sum(found) / len(found) for name, found in shares.items() if found}


def _cites_gold(answer: AnsweredQuestion, claim: tuple[str, tuple[Page, ...]]) -> bool:
    return any(page in answer.gold for page in claim[1])


def states(text: str, short_answer: str) -> bool:
    """True if the text says what the short answer says: all its values, else most of its content words."""
    wanted = claim_values(short_answer)
    if wanted:
        found = values(text)
        return all(any(value.agrees_with(other) for other in found) for value in wanted)
    content = set(stems(short_answer))
    return bool(content) and 2 * len(content & set(stems(text))) >= len(content)


class ScoredCitation(NamedTuple):
    """``corruption`` is None for a right citation, else the kind of error. ``score``: higher is better supported."""

    corruption: str | None
    score: float
    flagged: bool


def support_metrics(citations: Sequence[ScoredCitation], rates: Sequence[float] = (0.05, 0.10)) -> dict[str, float]:
    """``false_positives`` by label, and for each corruption ``recall`` by label and by score at each rate of false
    positives: the share of wrong citations that score below that share of the right ones."""
    right = sorted(c.score for c in citations if c.corruption is None)
    wrong: dict[str, list[ScoredCitation]] = defaultdict(list)
    for citation in citations:
        if citation.corruption is not None:
            wrong[citation.corruption].append(citation)
    metrics: dict[str, float] = {}
    if right:
        flagged = [c.flagged for c in citations if c.corruption is None]
        metrics["false_positives"] = sum(flagged) / len(flagged)
    for name, found in sorted(wrong.items()):
        metrics[f"recall:{name}"] = sum(c.flagged for c in found) / len(found)
        for rate in rates if right else ():
            limit = right[int(rate * len(right))]
            metrics[f"recall:{name}@{rate:.0%}"] = sum(c.score < limit for c in found) / len(found)
    return metrics


def faithfulness(claims: Sequence[str], context: str, supports: Callable[[str, str], bool]) -> float | None:
    """Share of an answer's claims that its context supports, as ``supports(claim, context)`` judges; None without."""
    return sum(supports(claim, context) for claim in claims) / len(claims) if claims else None


def answer_relevancy(question: str, asked_back: Sequence[str], alike: Callable[[str, str], float]) -> float | None:
    """Mean likeness of the question and the questions that a judge would ask to get this answer; None without."""
    return sum(alike(question, back) for back in asked_back) / len(asked_back) if asked_back else None


def mean_of(rows: Sequence[Mapping[str, float | None]], name: str) -> float | None:
    """Mean over the rows that have a value; None where none has."""
    found = [value for row in rows if (value := row.get(name)) is not None]
    return sum(found) / len(found) if found else None
