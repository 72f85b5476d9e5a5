"""Measures search, answers and support triage on labelled data; leaves no trace in the matter.

Each suite makes a row for each labelled item, and its metrics from the rows. Rows can be kept in a file that the user
names as they are made, so that what was broken off goes on there.
"""

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from app.errors import Usage
from app.services.answers.answers import Answer
from app.services.asking.asking import AskOptions, ClaimReady, open_asking
from app.services.asking.searching import SearchOptions, open_search
from app.services.evaluation.data import Proposition, Question
from app.services.evaluation.journal import Journal, Row
from app.services.evaluation.judged import judged, judged_metrics, open_judge
from app.services.evidence.supporting import triaged
from app.services.matter.matter import Matter
from models.measures.evaluate import AnsweredQuestion, ScoredCitation, answer_metrics, support_metrics
from models.triage.support import SupportItem
from retrieval.measures.evaluate import Page, page_metrics
from verify.domain.claim import SupportLabel
from verify.domain.ids import SourceId
from verify.domain.progress import Progress, drive
from verify.report import Status

DEPTHS = (1, 5, 10)
Evaluating = Generator[Progress, None, "Evaluation"]
Rows = Generator[Progress, None, tuple[Row, ...]]
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Evaluation:
    """``metrics`` are shares between 0 and 1, but for claims, seconds and counts of judgements."""

    suite: str
    data: str
    n: int
    metrics: dict[str, float]
    rows: tuple[Row, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "schema": "pincite.eval/1",
            "suite": self.suite,
            "data": self.data,
            "n": self.n,
            "metrics": {name: round(value, 4) for name, value in self.metrics.items()},
            "rows": list(self.rows),
        }


def measured(keys: Sequence[str], journal: Journal, measure: Callable[[int], Generator[Progress, None, Row]]) -> Rows:
    """``measure`` gives the row of the item with that number, for those that ``journal`` has no row of yet."""
    for number, key in enumerate(keys):
        if key not in journal.done:
            journal.add((yield from measure(number)))
        yield Progress("evaluate", number + 1, len(keys), "rows")
    return tuple(journal.done[key] for key in keys)


class Documents:
    """The sources of a matter by the name that data has for them: the path, else a file name that only one has."""

    def __init__(self, matter: Matter) -> None:
        records = matter.sources()
        self.ids = {record.path: record.source_id for record in records}
        self.names: dict[SourceId, str] = {record.source_id: record.path for record in records}
        last = [path.rpartition("/")[2] for path in self.ids]
        for path, source in list(self.ids.items()):
            name = path.rpartition("/")[2]
            if last.count(name) == 1:
                self.ids[name], self.names[source] = source, name

    def source(self, name: str) -> SourceId:
        """Raises Usage: what is not in the matter cannot be measured there."""
        if name not in self.ids:
            raise Usage(f"the matter has no document {name}; read the folder that holds it, or leave its rows out")
        return self.ids[name]


def evaluate_search(
    matter: Matter, data: Path, questions: Sequence[Question], journal: Journal, *, mode: str, within: bool
) -> Evaluating:
    """Page hits over the whole matter, or ``within`` the question's own document by the question that names none.
    Questions that nothing answers are left out."""
    questions = [question for question in questions if question.gold]
    search = yield from open_search(matter, dense=mode != "lexical")
    documents = Documents(matter)

    def measure(number: int) -> Generator[Progress, None, Row]:
        question = questions[number]
        yield from ()
        source = documents.source(question.document)
        options = SearchOptions(max(DEPTHS), mode, (source,) if within else ())
        ranked = search.rank(question.bare if within else question.query, options)
        shown = [[documents.names[r.passage.source_id], r.passage.page_index] for r in ranked]
        right = documents.names[source]
        return {"id": question.key, "shown": shown, "gold": sorted([right, page] for _, page in question.gold)}

    rows = yield from measured([q.key for q in questions], journal, measure)
    results = [([_page(p) for p in row["shown"]], frozenset(_page(p) for p in row["gold"])) for row in rows]
    return Evaluation("retrieval", data.name, len(rows), page_metrics(results, DEPTHS), rows)


def _page(pair: Sequence[Any]) -> Page:
    return str(pair[0]), int(pair[1])


def evaluate_answers(
    matter: Matter,
    data: Path,
    questions: Sequence[Question],
    journal: Journal,
    options: AskOptions,
    judge_name: str | None = None,
) -> Evaluating:
    """What is answered, what is cited, what is refused; every answer goes through the same checks as a saved one.

    ``judge_name`` is the chat model that judges the answers besides, "embedded" or "ollama:NAME".
    """
    documents = Documents(matter)
    with open_asking(matter, options) as asking, open_judge(matter.settings, judge_name) as judging:

        def measure(number: int) -> Generator[Progress, None, Row]:
            question, began = questions[number], time.monotonic()
            answer, _ = yield from _quietly(asking.unsaved(question.query))
            row = _answer_row(question, answer, documents) | {"seconds": round(time.monotonic() - began, 2)}
            return row if judging is None else row | {"judged": (yield from judged(judging, answer))}

        rows = yield from measured([q.key for q in questions], journal, measure)
    answered = [_answered(question, row) for question, row in zip(questions, rows, strict=True)]
    seconds = {"seconds_an_answer": sum(row["seconds"] for row in rows) / len(rows)} if rows else {}
    metrics = answer_metrics(answered) | seconds | judged_metrics(rows)
    return Evaluation("answers", data.name, len(rows), metrics, rows)


def _quietly(
    steps: Generator[Progress | ClaimReady, None, tuple[Answer, bytes]],
) -> Generator[Progress, None, tuple[Answer, bytes]]:
    with closing(steps):
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                made: tuple[Answer, bytes] = end.value
                return made
            if isinstance(step, Progress) and step.stage != "answer":
                yield step


def _answer_row(question: Question, answer: Answer, documents: Documents) -> Row:
    checks = {check.check_id: check for check in answer.report.checks}
    claims = []
    for claim in answer.claims:
        found = [e for c in claim.check_ids if c in checks and (e := checks[c].evidence) is not None]
        pages = [[documents.names.get(e.source_id, ""), e.page_index] for e in found]
        claims.append({"text": claim.text, "pages": pages})
    verified = sum(check.status is Status.VERIFIED for check in checks.values())
    return {
        "id": question.key,
        "refused": answer.unanswered is not None or not claims,
        "verbatim": verified / len(checks) if checks else None,
        "claims": claims,
        "gold": sorted([_named(question.document, documents), page] for _, page in question.gold),
    }


def _named(document: str, documents: Documents) -> str:
    return documents.names[documents.source(document)]


def _answered(question: Question, row: Row) -> AnsweredQuestion:
    claims = tuple((c["text"], tuple(_page(p) for p in c["pages"])) for c in row["claims"])
    gold = frozenset(_page(p) for p in row["gold"])
    return AnsweredQuestion(gold, question.short_answer, claims, row["verbatim"], row["refused"])


def evaluate_support(matter: Matter, data: Path, propositions: Sequence[Proposition], journal: Journal) -> Evaluating:
    """Recall of wrong citations by kind, as labelled and at rates of false positives."""
    documents = Documents(matter)
    by_document: dict[SourceId, list[Proposition]] = {}
    for claim in propositions:
        by_document.setdefault(documents.source(claim.document), []).append(claim)
    for source, claims in by_document.items():  # a document's pages take longer to prepare than to compare
        left = [claim for claim in claims if claim.key not in journal.done]
        items = [SupportItem(claim.key, claim.text, source, claim.page_indexes) for claim in left]
        results = yield from drive(triaged(matter, items), _counted(len(journal.done), len(propositions)))
        for claim, result in zip(left, results, strict=True):
            label = result.label.value
            journal.add({"id": claim.key, "corruption": claim.corruption, "label": label, "score": result.score})
    rows = tuple(journal.done[claim.key] for claim in propositions)
    scored = [ScoredCitation(r["corruption"], r["score"], r["label"] != SupportLabel.SUPPORTED) for r in rows]
    return Evaluation("support", data.name, len(rows), support_metrics(scored), rows)


def _counted(before: int, total: int) -> Callable[[Progress], Progress]:
    """Progress within one document as progress over all rows."""
    return lambda event: Progress("evaluate", before + event.done, total, "rows")
