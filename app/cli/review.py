"""Decisions about claims."""

import argparse

from app.cli.commands import Command, Parser, matter_argument
from app.cli.console import Console
from app.cli.matter import open_named


def _configure(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument("answer_id", metavar="ANSWER_ID")
    parser.add_argument("claim_id", metavar="CLAIM_ID")
    parser.add_argument("--decision", choices=("accepted", "rejected", "needs_work"), required=True)
    parser.add_argument("--note", metavar="TEXT")
    parser.add_argument("--reviewer", metavar="NAME", help="who decides (else the settings' name, else the user's)")
    parser.add_argument("--authority", metavar="TEXT", help="what the source's authority is")
    parser.add_argument("--relevance", metavar="TEXT", help="what it is relevant to")


def _review(args: argparse.Namespace, console: Console) -> int:
    from app.messages import DECISIONS
    from app.services.answers.answer_json import answer_to_json
    from app.services.answers.answers import Decision
    from app.services.answers.reviewing import ReviewInput, review
    from app.settings import load_settings
    from verify.domain.ids import AnswerId, ClaimId

    settings = load_settings()
    decided = ReviewInput(Decision(args.decision), args.reviewer, args.note, args.authority, args.relevance)
    with open_named(args, settings, writable=True) as matter:
        answer = review(matter, AnswerId(args.answer_id), ClaimId(args.claim_id), decided)
    if console.json:
        console.document(answer_to_json(answer))
    console.say(f"{args.claim_id}: {DECISIONS[args.decision].lower()}. Recorded.")
    return 0


COMMANDS = (Command("review", "record a decision about a claim", _configure, _review),)
