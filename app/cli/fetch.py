"""Fetching a chat model: the one command that leaves the machine, and only when a person starts it."""

import argparse
from pathlib import Path

from app.cli.commands import Command, Parser
from app.cli.console import Console
from app.errors import Usage


def _configure(parser: Parser) -> None:
    parser.add_argument(
        "model", metavar="MODEL", nargs="?", default="embedded",
        help="embedded (default), or ollama:NAME: have your Ollama server pull NAME",
    )  # fmt: skip
    parser.add_argument("--from", dest="source", metavar="FILE", type=Path, help="a file that you have already")


def _fetch(args: argparse.Namespace, console: Console) -> int:
    kind, _, name = args.model.partition(":")
    if kind == "ollama" and name and args.source is None:
        return _pull(name, console)
    if args.model != "embedded":
        raise Usage("name embedded, or ollama:NAME without --from")
    return _fetch_embedded(args, console)


def _pull(name: str, console: Console) -> int:
    """The person who runs this has agreed: Ollama's server uses the network for it."""
    from app.errors import EngineUnavailable
    from app.settings import load_settings
    from models.adapters.ollama import checked_host, pull, server_state
    from models.ports import ModelUnavailable

    settings = load_settings()
    try:
        host = checked_host(settings.ollama_host, settings.ollama_remote)
        server_state(host)
        console.watch(pull(host, name))
        digest = server_state(host).digest_of(name)
    except ModelUnavailable as error:
        raise EngineUnavailable(str(error)) from error
    if console.json:
        console.document({"schema": "pincite.fetch/1", "model": f"ollama:{name}", "digest": digest})
    console.say(f"Ollama has {name}: use it with --model ollama:{name}")
    return 0


def _fetch_embedded(args: argparse.Namespace, console: Console) -> int:
    from app.errors import EngineUnavailable, InputUnreadable
    from app.paths import model_folder
    from models.adapters.files import QWEN_CODER_1_5B, WrongFile, fetch_embedded
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


COMMANDS = (Command("fetch", "get a chat model: the embedded one (1.1 GB) or one for Ollama", _configure, _fetch),)
