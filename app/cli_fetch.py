"""Fetching the embedded chat model: the one command that leaves the machine, and only when a person starts it."""

import argparse
from pathlib import Path

from app.commands import Command, Parser
from app.console import Console


def _configure(parser: Parser) -> None:
    parser.add_argument("--from", dest="source", metavar="FILE", type=Path, help="a file that you have already")


def _fetch(args: argparse.Namespace, console: Console) -> int:
    from app.errors import EngineUnavailable, InputUnreadable
    from app.paths import model_folder
    from models.files import QWEN_CODER_1_5B, WrongFile, fetch_embedded
    from models.ports import ModelUnavailable

    try:
        path = console.watch(fetch_embedded(model_folder(), args.source))
    except ModelUnavailable as error:
        raise EngineUnavailable(str(error)) from error
    except (WrongFile, OSError) as error:
        raise InputUnreadable(str(error)) from error
    if console.json:
        console.document({"schema": "pincite.fetch/1", "path": str(path), "sha256": f"sha256:{QWEN_CODER_1_5B.sha256}"})
    console.say(f"The embedded model is ready: {path}")
    return 0


COMMANDS = (Command("fetch", "get the embedded chat model (1.1 GB) from the network or a file", _configure, _fetch),)
