"""Measures search and answers on a person's own labelled questions over an open matter; leaves no trace in it.

A row of the question file is JSON with ``query``, ``pdf`` (the document's path in the matter), ``gold_pages`` (as
people count a file's pages, from 1; empty: nothing there answers it) and, if wanted, ``id``; other fields are ignored.
"""

import json
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import InputMissing, InputUnreadable, Usage
from app.services.answers import Answer
from app.services.asking import AskOptions, ClaimReady, open_asking
from app.services.matter import Matter
from app.services.searching import SearchOptions, open_search
from retrieval.evaluate import Page, page_metrics
from verify.domain.progress import Progress
from verify.report import Status

DEPTHS = (1, 5, 10)
Row = dict[str, Any]
Evaluating = Generator[Progress, None, "Evaluation"]


@dataclass(frozen=True, slots=True)
class Question:
    """``gold`` holds machine indexes, from 0."""

    key: str
    query: str
    document: str
    gold: frozenset[Page]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """``metrics`` are shares between 0 and 1, but for ``claims_per_answer``."""

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


def read_questions(path: Path, limit: int | None = None) -> tuple[Question, ...]:
    """Raises InputMissing, InputUnreadable, or Usage naming the line that is none."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError as error:
        raise InputMissing(f"there is no file {path}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputUnreadable(f"{path} cannot be read as UTF-8 text") from error
    return tuple(_question(line, number, path) for number, line in enumerate(lines[:limit], start=1) if line.strip())


def _question(line: str, number: int, path: Path) -> Question:
    try:
        row = json.loads(line)
        gold = frozenset((str(row["pdf"]), int(page) - 1) for page in row["gold_pages"])
        return Question(str(row.get("id", number)), str(row["query"]), str(row["pdf"]), gold)
    except (ValueError, KeyError, TypeError) as error:
        raise Usage(f"{path}, line {number}: not a question with query, pdf and gold_pages") from error


def evaluate_search(
    matter: Matter, data: Path, questions: Sequence[Question], *, mode: str, within: bool
) -> Evaluating:
    """Page hits over the whole matter, or ``within`` the question's own document."""
    search = yield from open_search(matter, dense=mode != "lexical")
    ids = {record.path: record.source_id for record in matter.sources()}
    results: list[tuple[list[Page], frozenset[Page]]] = []
    rows: list[Row] = []
    for number, question in enumerate(questions, start=1):
        only = (ids[question.document],) if within and question.document in ids else ()
        ranked = search.find(question.query, SearchOptions(max(DEPTHS), mode, only)).passages
        shown = [(p.path, p.page_index) for p in ranked]
        results.append((shown, question.gold))
        rows.append({"id": question.key, "shown": [list(page) for page in shown]})
        yield Progress("evaluate", number, len(questions), "questions")
    return Evaluation("retrieval", data.name, len(rows), page_metrics(results, DEPTHS), tuple(rows))


def evaluate_answers(matter: Matter, data: Path, questions: Sequence[Question], options: AskOptions) -> Evaluating:
    """What is answered, what is cited, what is refused; every answer goes through the same checks as a saved one."""
    rows: list[Row] = []
    with open_asking(matter, options) as asking:
        for number, question in enumerate(questions, start=1):
            answer, _ = yield from _quietly(asking.unsaved(question.query))
            rows.append(_row(question, answer))
            yield Progress("evaluate", number, len(questions), "questions")
    return Evaluation("answers", data.name, len(rows), _answer_metrics(rows), tuple(rows))


def _quietly(
    steps: Generator[Progress | ClaimReady, None, tuple[Answer, bytes]],
) -> Generator[Progress, None, tuple[Answer, bytes]]:
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            made: tuple[Answer, bytes] = end.value
            return made
        if isinstance(step, Progress) and step.stage != "answer":
            yield step


def _row(question: Question, answer: Answer) -> Row:
    cited = list(_cited(answer))
    checks = answer.report.checks
    return {
        "id": question.key,
        "answerable": bool(question.gold),
        "answered": bool(answer.claims) and answer.unanswered is None,
        "claims": len(answer.claims),
        "verified": sum(c.status is Status.VERIFIED for c in checks),
        "checks": len(checks),
        "top_cites_gold": bool(cited) and cited[0] in question.gold,
        "any_cites_gold": any(page in question.gold for page in cited),
    }


def _cited(answer: Answer) -> Iterator[Page]:
    paths = {s.passage.source_id: s.passage.path for s in answer.retrieval.passages}
    for check in answer.report.checks:
        if check.evidence is not None:
            yield paths.get(check.evidence.source_id, ""), check.evidence.page_index


def _answer_metrics(rows: Sequence[Row]) -> dict[str, float]:
    answerable = [r for r in rows if r["answerable"]]
    unanswerable = [r for r in rows if not r["answerable"]]
    answered = [r for r in rows if r["answered"]]
    checks = sum(r["checks"] for r in rows)
    metrics = {
        "top_answer_cites_gold": _share(answerable, "top_cites_gold"),
        "any_answer_cites_gold": _share(answerable, "any_cites_gold"),
        "answerable_answered": _share(answerable, "answered"),
        "citations_verified": sum(r["verified"] for r in rows) / checks if checks else 0.0,
        "claims_per_answer": sum(r["claims"] for r in answered) / len(answered) if answered else 0.0,
    }
    refused = {"unanswerable_refused": 1 - _share(unanswerable, "answered")}
    return metrics | refused if unanswerable else metrics


def _share(rows: Sequence[Row], field: str) -> float:
    return sum(bool(r[field]) for r in rows) / len(rows) if rows else 0.0
