"""Measuring on labelled questions of one's own."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli_matter import open_named
from app.commands import Command, Parser, whole_number
from app.console import Console

if TYPE_CHECKING:
    from app.services.evaluating import Evaluation


def _configure(parser: Parser) -> None:
    parser.add_argument("suite", metavar="SUITE", choices=("retrieval", "answers"), help="retrieval or answers")
    parser.add_argument("matter", metavar="MATTER_DIR", type=Path, help="a folder that was read")
    parser.add_argument("questions", metavar="QUESTIONS.jsonl", type=Path, help="rows of query, pdf, gold_pages")
    parser.add_argument("--mode", choices=("hybrid", "lexical", "dense"), default="hybrid", help="of retrieval")
    parser.add_argument("--within", action="store_true", help="search only the question's own document")
    parser.add_argument("--model", metavar="NAME", default="extractive", help="of answers (extractive)")
    parser.add_argument("-k", type=whole_number(1, 100), default=8, metavar="N", help="passages shown to the model")
    parser.add_argument("--limit", type=whole_number(1, 1_000_000), metavar="N", help="only the first questions")


def _eval(args: argparse.Namespace, console: Console) -> int:
    from app.services.asking import AskOptions
    from app.services.evaluating import evaluate_answers, evaluate_search, read_questions
    from app.settings import load_settings

    questions = read_questions(args.questions, args.limit)
    with open_named(args, load_settings()) as matter:
        if args.suite == "retrieval":
            work = evaluate_search(matter, args.questions, questions, mode=args.mode, within=args.within)
        else:
            work = evaluate_answers(matter, args.questions, questions, AskOptions(model=args.model, k=args.k))
        result: Evaluation = console.watch(work)
    if console.json:
        console.document(result.to_json())
    console.say(f"{result.suite}, {result.n} questions of {result.data}")
    console.say(*(f"  {name:<24} {value:6.3f}" for name, value in result.metrics.items()))
    return 0


COMMANDS = (Command("eval", "measure search and answers on labelled questions", _configure, _eval),)
