"""The command table: every question of a file asked of every document alone."""

import argparse
from pathlib import Path

from app.cli.commands import Command, Parser, matter_argument, source_option
from app.cli.console import Console
from app.cli.matter import open_named
from app.lines import read_lines


def _configure(parser: Parser) -> None:
    matter_argument(parser)
    parser.add_argument("questions", metavar="QUESTIONS.txt", type=Path, help="one question a line")
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, help="write it as .xlsx or .csv, with citations")
    parser.add_argument("--model", metavar="NAME", help="as for ask")
    source_option(parser)


def _table(args: argparse.Namespace, console: Console) -> int:
    from app.services.asking.asking import AskOptions
    from app.services.table.asking import TableOptions, fill
    from app.services.table.cells import questions_of
    from app.services.table.export import export_table, summary
    from app.services.table.table_json import table_to_json
    from app.settings import load_settings
    from verify.domain.ids import SourceId

    settings = load_settings()
    questions = questions_of(read_lines(args.questions))
    sources = tuple(SourceId(s) for s in args.source)
    ask = AskOptions(args.model or settings.model, settings.results, (), settings.chroma_url, lasting=True)
    with open_named(args, settings, writable=True) as matter:
        cells = console.watch(fill(matter, questions, TableOptions(ask, sources)))
        if args.output is not None:
            export_table(matter, questions, sources, args.output)
        if console.json:
            console.document(table_to_json(matter, questions, cells, sources))
        paths = {r.source_id: r.path for r in matter.sources()}
    for cell in cells:
        console.say(f"{paths[cell.source_id]}: {cell.question}", f"   {' '.join(summary(cell).split())}")
    return 0


COMMANDS = (Command("table", "every question of every document alone, as a table", _configure, _table),)
