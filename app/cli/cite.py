"""cite-check: every citation and quotation of a draft against the matter's documents."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from app.cli.commands import Command, Parser, matter_argument
from app.cli.console import Console
from app.cli.matter import open_named
from app.errors import InputUnreadable, Usage

if TYPE_CHECKING:
    from app.services.cite_check.findings import CiteCheck

_KINDS = (".docx", ".html", ".xlsx", ".pdf")


def _configure(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument("draft", metavar="DRAFT", type=Path, help="DOCX, PDF, text ...; it is only ever read")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="OUT", help="a copy with comments (.docx, .pdf) or a report (.html, .xlsx)"
    )
    parser.add_argument("--authorities", type=Path, metavar="OUT.docx", help="a table of authorities")
    parser.add_argument("--since", type=Path, metavar="EARLIER.json", help="an earlier result: say what changed")


def _cite_check(args: argparse.Namespace, console: Console) -> int:
    from app.paths import refuse_inside
    from app.services.cite_check.checking import cite_check
    from app.services.cite_check.cite_json import cite_check_to_json
    from app.services.cite_check.wording import line_words
    from app.settings import load_settings

    for target in filter(None, (args.output, args.authorities)):
        refuse_inside(target, args.matter)
        if target.resolve() == args.draft.resolve():
            raise Usage(f"{target} is the draft itself, which is only read; name another file")
    if args.output is not None and args.output.suffix.lower() not in _KINDS:
        raise Usage(f"{args.output} is none of {', '.join(_KINDS)}")
    with open_named(args, load_settings()) as matter:
        found = console.watch(cite_check(matter, args.draft))
    _write(args, found)
    document = cite_check_to_json(found)
    if args.since is not None:
        from app.services.cite_check.revisions import changes_since

        document["changes"] = changes_since(args.since, document)
    if console.json:
        console.document(document)
    console.say(*(line_words(c) for c in found.citations), *_tail(found))
    return 0


def _tail(found: "CiteCheck") -> list[str]:
    from app.messages import DRAFT_NOTES
    from app.services.cite_check.wording import summary_words

    return [*(DRAFT_NOTES[note] for note in found.draft.notes), summary_words(found)]


def _write(args: argparse.Namespace, found: "CiteCheck") -> None:
    from app.paths import write_private
    from app.services.cite_check.handing_back import authorities_table, handed_back

    try:
        if args.output is not None:
            write_private(args.output, handed_back(found, args.draft, args.output.suffix.lower()))
        if args.authorities is not None:
            write_private(args.authorities, authorities_table(found))
    except OSError as error:
        raise InputUnreadable(f"the result cannot be written ({error.strerror})") from error


COMMANDS = (Command("cite-check", "check every citation and quotation of a draft", _configure, _cite_check),)
