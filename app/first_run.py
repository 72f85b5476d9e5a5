"""What a newcomer sees: the sample matter read, its question asked, and the window open on the answer.

``python -m app.first_run``. Where there is no display the answer is printed, and the cited page and the bundle are
written to a folder that is named.
"""

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from app.cli.console import Console
from app.display import has_display
from app.errors import PinciteError
from app.paths import private_folder, sample_folder, write_private
from app.sample.write import QUESTION, write_sample
from app.services.answers.answer_text import answer_lines
from app.services.answers.answers import Answer
from app.services.answers.history import load_answer, saved_answers
from app.services.asking.asking import AskOptions, ask
from app.services.bundle.exporting import export
from app.services.evidence.evidence import crop
from app.services.matter.indexing import IndexOptions, index
from app.services.matter.matter import Matter, open_matter
from app.settings import load_settings
from models.answering.answering import EXTRACTIVE


def main() -> int:
    console = Console(json=False)
    try:
        return _run(console)
    except PinciteError as error:
        console.note(f"pincite: {error}")
        return error.exit_status
    except KeyboardInterrupt:
        return 130


def _run(console: Console) -> int:
    folder = sample_folder()
    if not folder.is_dir():
        console.say(f"Writing the sample matter to {folder}")
        write_sample(folder)
    settings = load_settings()
    with open_matter(folder, settings, writable=True) as matter:
        console.watch(index(matter, IndexOptions()))
        answer = _answer(matter, console)
        if has_display():
            console.say(*answer_lines(answer), "Opening the window; close it to end.")
        else:
            _show_without_window(matter, answer, console)
            return 0
    from app.views.main import run_window

    return run_window(folder, None)


def _answer(matter: Matter, console: Console) -> Answer:
    """The one from an earlier run, if there is one. Extracts need no model, so the first answer comes at once and is
    the same on every machine; one that a person had from a model meanwhile is passed over."""
    for summary in saved_answers(matter):
        if (summary.question, summary.model) == (QUESTION, EXTRACTIVE):
            return load_answer(matter, summary.answer_id)
    console.say(f"Asking, to be answered in the documents' own words: {QUESTION}")
    return console.watch(ask(matter, QUESTION, AskOptions(model=EXTRACTIVE)))


def _show_without_window(matter: Matter, answer: Answer, console: Console) -> None:
    out = private_folder(sample_folder().with_name("sample-answer"))
    console.say(f"Question: {QUESTION}", *answer_lines(answer))
    evidence = next((c.evidence for c in answer.report.checks if c.evidence is not None), None)
    if evidence is not None:
        boxes = [r.bbox for r in evidence.regions if r.page_index == evidence.page_index]
        _, png = crop(matter, evidence.source_id, evidence.page_index, boxes)
        write_private(out / "cited page.png", png)
    console.watch(export(matter, answer.answer_id, out / "answer.zip"))
    _say_where(out, console)


def _say_where(out: Path, console: Console) -> None:
    console.say(
        f"No display: the cited page and the bundle are in {out}",
        f"Check the bundle: {command_line(_program(), 'check-bundle', str(out / 'answer.zip'))}",
    )


def _program() -> str:
    """Beside the interpreter, which need not be on the reader's PATH; its name alone if it is not there."""
    return shutil.which("pincite", path=str(Path(sys.executable).parent)) or "pincite"


def command_line(*words: str) -> str:
    """As it is typed on this system."""
    return subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)


if __name__ == "__main__":
    sys.exit(main())
