"""Answers that a local chat model judges besides: faithfulness and answer relevancy (``models.measures.judge``)."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.errors import EngineUnavailable, Usage
from app.services.answers.answers import Answer
from app.settings import Settings
from models.measures.evaluate import mean_of
from models.measures.judge import Judgement, judge
from models.ports import ModelFailed, ModelUnavailable, PromptTooLong
from verify.domain.progress import Progress, drive

if TYPE_CHECKING:
    from models.ports import ChatModel, SentenceEncoder

MEASURES = ("faithfulness", "answer_relevancy")


@dataclass(frozen=True, slots=True)
class Judge:
    model: "ChatModel"
    encoder: "SentenceEncoder | None"


@contextmanager
def open_judge(settings: Settings, name: str | None) -> Iterator[Judge | None]:
    """None without a name. Raises Usage for one that is no chat model, EngineUnavailable where it is not there."""
    from app.bootstrap import build_encoder, build_model

    if name is None:
        yield None
        return
    if name.partition(":")[0] not in ("embedded", "ollama"):
        raise Usage(f"{name!r} cannot judge; name embedded or ollama:NAME")
    model = build_model(settings, name)
    if model is None:
        raise EngineUnavailable("there is no model to judge with")
    try:
        yield Judge(model, build_encoder(settings))
    finally:
        model.close()


def judged(judging: Judge, answer: Answer) -> Generator[Progress, None, dict[str, Any] | None]:
    """What is kept of a judgement; None for an answer that claims nothing. One that failed says why."""
    if answer.unanswered is not None or not answer.claims:
        return None
    steps = judge(answer.question, [c.text for c in answer.claims], _passages(answer), judging.model, judging.encoder)
    try:
        return _row((yield from drive(steps, lambda _: Progress("judge", 0, None, "statements"))))
    except (ModelFailed, PromptTooLong) as failed:
        return {"failed": str(failed)}
    except ModelUnavailable as gone:
        raise EngineUnavailable(str(gone)) from gone
    finally:
        steps.close()


def _row(found: Judgement) -> dict[str, Any]:
    return {
        "statements": [{"text": text, "supported": supported} for text, supported in found.statements],
        "questions_back": list(found.questions_back),
        "noncommittal": found.noncommittal,
        "faithfulness": found.faithfulness,
        "answer_relevancy": found.answer_relevancy,
    }


def _passages(answer: Answer) -> list[str]:
    """Those that a claim cites first, then the others by rank."""
    cited = {
        (check.evidence.source_id, element)
        for check in answer.report.checks
        if check.evidence is not None
        for element in check.evidence.element_ids
    }
    shown = [s.passage for s in answer.retrieval.passages]
    is_cited = [any((p.source_id, element) in cited for element in p.element_ids) for p in shown]
    return [p.text for p, _ in sorted(zip(shown, is_cited, strict=True), key=lambda pair: not pair[1])]


def judged_metrics(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Means over the answers that were judged, how many those are, and how many judgements failed."""
    found = [row["judged"] for row in rows if row.get("judged") is not None]
    if not found:
        return {}
    failed = sum("failed" in one for one in found)
    means = {name: value for name in MEASURES if (value := mean_of(found, name)) is not None}
    return means | {"judged_answers": float(len(found) - failed), "judgements_failed": float(failed)}
