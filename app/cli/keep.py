"""Commands about the store and the machine: tag, forget, doctor."""

import argparse
import sys

from app.cli.commands import Command, Parser, matter_argument
from app.cli.console import Console
from app.cli.matter import open_named
from app.errors import Usage

FIELDS = (
    "one of title, document_type, issuer, jurisdiction, dated (as 2026-03-31), revision, authority_status, privilege "
    "and access_class, in words of your own; an empty value clears the field"
)


def _configure_tag(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument("source_id", metavar="SOURCE_ID")
    parser.add_argument("assignments", metavar="FIELD=VALUE", nargs="+", help=FIELDS)


def _tag(args: argparse.Namespace, console: Console) -> int:
    from app.services.matter.documents import sources_to_json
    from app.services.matter.tagging import parse_assignments, tag
    from app.settings import load_settings
    from verify.domain.ids import SourceId

    changed = parse_assignments(args.assignments)
    with open_named(args, load_settings(), writable=True) as matter:
        record = tag(matter, SourceId(args.source_id), changed)
        records = matter.sources()
    if console.json:
        console.document(sources_to_json(records, "pincite.sources/1"))
    console.say(f"{record.source_id}: {', '.join(sorted(changed))} recorded.")
    return 0


def _configure_forget(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument("--chroma", metavar="URL", help="a Chroma server that was used with it")
    parser.add_argument("--yes", action="store_true", help="do not ask first")


def _forget(args: argparse.Namespace, console: Console) -> int:
    from app.messages import count
    from app.services.custody.forgetting import forget, remains
    from app.settings import load_settings

    asks = not args.yes and not console.json and sys.stdin.isatty()
    question = f"Delete everything derived from {args.matter}, its answers and their reviews too?"
    if asks and remains(args.matter, args.store) and not console.agreed(question):
        raise Usage("nothing was deleted")
    result = forget(args.matter, args.store, args.chroma or load_settings().chroma_url)
    if console.json:
        console.document(result.to_json())
    proof = result.proof
    console.say(
        f"Deleted {count(result.files, 'file')} ({result.bytes:,} bytes) derived from {args.matter}.",
        *(["Its passphrase was taken out of the keyring."] if result.passphrase else []),
        f"Looked again for its key, path and answers in {count(proof.files, 'file')} ({proof.bytes:,} bytes).",
        "Nothing of it remains." if not result.remaining else f"Still there: {', '.join(result.remaining)}",
    )
    return 0 if not result.remaining else 6


def _nothing(_parser: Parser) -> None:
    """A command without arguments of its own."""


def _doctor(args: argparse.Namespace, console: Console) -> int:
    from app.services.custody.diagnosing import doctor
    from app.settings import load_settings

    report = doctor(load_settings(), args.store)
    if console.json:
        console.document(report.to_json())
    for item in report.items:
        console.say(f"{item.name:<12} {item.state:<8} {item.detail}" + (f"  →  {item.fix}" if item.fix else ""))
    return 0


COMMANDS = (
    Command("tag", "set what people govern: privilege, access class, title …", _configure_tag, _tag),
    Command("forget", "delete everything derived from a matter", _configure_forget, _forget),
    Command("doctor", "what is installed, and how to get what is not", _nothing, _doctor),
)
