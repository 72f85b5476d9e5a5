"""Measuring on labelled data of one's own, or of a published set as it lies there."""

import argparse
import hashlib
import json
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.commands import Command, Parser, whole_number
from app.cli.console import Console
from app.cli.matter import open_named

if TYPE_CHECKING:
    from app.services.evaluation.evaluating import Evaluation
    from app.services.evaluation.journal import Journal
    from verify.domain.progress import Progress

SUITES = ("retrieval", "characters", "answers", "support")
FORMATS = """DATA is .jsonl or .jsonl.gz, one JSON row a line; other fields are ignored, pages count from 1.

  retrieval   query, pdf, gold_pages; with --within question, if there is one, in place of query
  answers     query, pdf, gold_pages (empty: nothing answers it); human_answer, if there is one
  support     proposition, label (1 right, 0 wrong), corruption, and pdf with pages; or cited (case_id, section,
              pages as printed) with pdf_manifest.jsonl beside DATA
  characters  query, dataset, snippets (corpus_path, span); PLACE is the corpus, rows of corpus_path and text

pdf is a document's path in the matter, or its file name where only one has it. No suite leaves a trace in the matter;
characters keeps the corpus's index in the store, under "evaluation"."""


def _configure(parser: Parser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = FORMATS
    parser.add_argument("suite", metavar="SUITE", choices=SUITES, help="retrieval, characters, answers or support")
    parser.add_argument("matter", metavar="PLACE", type=Path, help="a matter folder that was read; see below")
    parser.add_argument("data", metavar="DATA", type=Path, help="labelled rows; see below")
    parser.add_argument("--mode", choices=("hybrid", "lexical", "dense"), default="hybrid", help="of search (hybrid)")
    parser.add_argument("--within", action="store_true", help="retrieval: search only the question's own document")
    parser.add_argument("--model", metavar="NAME", default="extractive", help="of answers (extractive)")
    parser.add_argument(
        "--judge", metavar="NAME",
        help="answers: judge faithfulness and relevancy as RAGAS does, with embedded or ollama:NAME (slow; off)",
    )  # fmt: skip
    parser.add_argument("-k", type=whole_number(1, 100), default=8, metavar="N", help="passages shown to the model")
    parser.add_argument("--limit", type=whole_number(1, 1_000_000), metavar="N", help="only the first rows")
    parser.add_argument("--resume", metavar="FILE", type=Path, help="keep rows there, and go on from those that it has")


def _eval(args: argparse.Namespace, console: Console) -> int:
    from app.services.evaluation.journal import Journal

    journal = Journal(args.resume, _measured(args))
    if args.suite == "characters":
        result: Evaluation = console.watch(_characters(args, journal))
    else:
        result = _over_matter(args, journal, console)
    if console.json:
        console.document(result.to_json())
    console.say(f"{result.suite}, {result.n} rows of {result.data}")
    width = max((len(name) for name in result.metrics), default=0)
    console.say(*(f"  {name:<{width}} {value:7.3f}" for name, value in result.metrics.items()))
    return 0


def _over_matter(args: argparse.Namespace, journal: "Journal", console: Console) -> "Evaluation":
    from app.services.asking.asking import AskOptions
    from app.services.evaluation import data as evaluation_data
    from app.services.evaluation import evaluating
    from app.settings import load_settings

    with open_named(args, load_settings()) as matter:
        if args.suite == "support":
            claims = evaluation_data.read_propositions(args.data, args.limit)
            return console.watch(evaluating.evaluate_support(matter, args.data, claims, journal))
        questions = evaluation_data.read_questions(args.data, args.limit)
        if args.suite == "retrieval":
            work = evaluating.evaluate_search(matter, args.data, questions, journal, mode=args.mode, within=args.within)
        else:
            options = AskOptions(model=args.model, k=args.k)
            work = evaluating.evaluate_answers(matter, args.data, questions, journal, options, args.judge)
        return console.watch(work)


def _characters(args: argparse.Namespace, journal: "Journal") -> "Generator[Progress, None, Evaluation]":
    from app.services.evaluation.characters import evaluate_characters
    from app.services.evaluation.data import read_span_questions
    from app.settings import load_settings

    questions = read_span_questions(args.data, args.limit)
    settings = load_settings()
    return evaluate_characters(args.matter, args.data, questions, settings, args.store, journal, mode=args.mode)


def _measured(args: argparse.Namespace) -> str:
    """What rows were measured with: those of other data, options or matter do not mix. ``limit`` may grow."""
    data = hashlib.sha256(args.data.read_bytes()).hexdigest() if args.data.is_file() else ""
    what = [args.suite, str(args.matter.absolute()), data, args.mode, args.within, args.model, args.k]
    what += [args.judge] if args.judge else []
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()


COMMANDS = (Command("eval", "measure search, answers and support on labelled data", _configure, _eval),)
