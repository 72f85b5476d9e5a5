"""The window, which is what ``pincite`` alone opens."""

import argparse
from pathlib import Path

from app.commands import Command, Parser
from app.console import Console


def _configure(parser: Parser) -> None:
    parser.add_argument("matter", metavar="MATTER_DIR", type=Path, nargs="?")


def _window(args: argparse.Namespace, _console: Console) -> int:
    from app.views.main import run_window

    return run_window(args.matter, args.store)


COMMANDS = (Command("app", "open the window", _configure, _window),)
