"""The Tesseract program: one image in, words with their place and confidence out.

The image goes in by a pipe and the answer comes out by one, so no picture of a client's page is ever written to disk.
pytesseract, which knows the program's languages, would write each picture to a file and can't be stopped from outside.
"""

import contextlib
import io
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from defusedxml import ElementTree

from ingest.ocr.languages import mistyped, package
from verify.domain.document import SourceWarning, WarningCode

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from numpy import uint8
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class OcrSettings:
    """``languages`` are Tesseract's codes, the main one first. ``dpi`` is the resolution asked for; a page longer than
    ``max_side`` pixels at it is made smaller (A4 at 300 dpi is 3509). ``seconds`` is the limit for one run."""

    languages: tuple[str, ...] = ("eng",)
    dpi: int = 300
    max_side: int = 3600
    seconds: int = 60
    command: str = "tesseract"


WHOLE_PAGE, LINES = 3, 6
"""Tesseract's segmentation modes: find what is on the page; or one column of lines, nothing else."""


class OcrUnavailable(Exception):
    """The program, or every language asked for, is absent. The message says what to install."""


class OcrFailed(Exception):
    """The program ended with an error, was killed, or ran out of its time on one image."""


class PixelWord(NamedTuple):
    """Edges in pixels of the image that was read, top-left origin. ``baseline`` is at the word's middle; ``size`` is
    the line's height from ascender to descender. ``confidence`` is 0-1000. A word of a line that runs up or down the
    image (the engine reads those too) is taller than wide and has no baseline of use."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    baseline: float
    size: float
    confidence: int


class Orientation(NamedTuple):
    """``turn``: degrees clockwise (0, 90, 180, 270) that bring the image upright. ``confidence`` is Tesseract's.
    ``script`` is its name of the writing ("Latin", "Cyrillic"), "" if it is not sure."""

    turn: int
    confidence: float
    script: str = ""


def prepare(settings: OcrSettings) -> tuple[OcrSettings, tuple[SourceWarning, ...]]:
    """The settings with the languages that are installed, and a warning for each that is not.

    Call it before a run, so that a missing language is one message and not a failure of every page.
    Raises OcrUnavailable if the program or every language is missing.
    """
    present = installed_languages(settings.command)
    missing = [code for code in settings.languages if code not in present]
    usable = tuple(code for code in settings.languages if code in present)
    packages = " ".join(map(package, missing))
    if not usable:
        raise OcrUnavailable(f"Tesseract has no data for {'+'.join(missing)}. Install {packages}.")
    warnings = tuple(
        SourceWarning(
            WarningCode.OCR_LANGUAGE_MISSING,
            None,
            f"Tesseract has no data for {code}: pages were read without it. Install {package(code)}.",
        )
        for code in missing
    )
    return replace(settings, languages=usable), warnings


def refuse_mistyped(settings: OcrSettings) -> None:
    """Raises OcrUnavailable for a language that Tesseract does not know, which waits for no package to be installed."""
    wrong = mistyped(settings.languages, installed_languages(settings.command))
    if wrong is not None:
        raise OcrUnavailable(wrong)


_PYTESSERACT = threading.Lock()  # pytesseract keeps the program's name in one place for all threads


@lru_cache(maxsize=8)
def installed_languages(command: str = "tesseract") -> tuple[str, ...]:
    """Codes of the installed languages, "osd" (orientation) included. Raises OcrUnavailable."""
    if shutil.which(command) is None:
        raise OcrUnavailable("Tesseract is not installed. Install tesseract-ocr.")
    import pytesseract

    with _PYTESSERACT:
        pytesseract.pytesseract.tesseract_cmd = command
        try:
            return tuple(pytesseract.get_languages())
        except (pytesseract.TesseractNotFoundError, UnicodeDecodeError) as error:
            raise OcrUnavailable("Tesseract does not start. Install tesseract-ocr again.") from error


@lru_cache(maxsize=8)
def engine_version(command: str = "tesseract") -> str:
    """For example "5.3.0". Raises OcrUnavailable."""
    found = re.search(r"tesseract v?(\S+)", _ask(command, "--version"))
    return found.group(1) if found else "unknown"


def _ask(command: str, option: str) -> str:
    if shutil.which(command) is None:
        raise OcrUnavailable("Tesseract is not installed. Install tesseract-ocr.")
    try:
        done = subprocess.run([command, option], capture_output=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise OcrUnavailable(f"Tesseract does not start: {error}") from error
    return (done.stdout or done.stderr).decode("utf-8", "replace")


class Engine:
    """Runs Tesseract on grey images, from any number of threads. ``stop`` ends what runs and refuses what comes."""

    def __init__(self, settings: OcrSettings) -> None:
        self.settings = settings
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def read_words(
        self, image: "NDArray[uint8]", dpi: int, main: str | None = None, layout: int = WHOLE_PAGE
    ) -> tuple[PixelWord, ...]:
        """Words in Tesseract's reading order. ``dpi`` is the image's own. ``main`` is the language to try first where
        it is not the first of the settings, ``layout`` one of ``WHOLE_PAGE`` and ``LINES``. Raises OcrFailed."""
        codes = self.settings.languages
        order = codes if main is None else (main, *(code for code in codes if code != main))
        output = self._run(image, ["-l", "+".join(order), "--dpi", str(dpi), "--psm", str(layout), "hocr"])
        try:
            root = ElementTree.fromstring(output)
        except (ElementTree.ParseError, ValueError) as error:
            raise OcrFailed("Tesseract's answer could not be read.") from error
        return tuple(_words(root))

    def read_orientation(self, image: "NDArray[uint8]", dpi: int) -> Orientation | None:
        """Which way up the text stands; None where Tesseract sees too little of it or lacks its "osd" data."""
        if "osd" not in installed_languages(self.settings.command):
            return None
        try:
            output = self._run(image, ["-l", "osd", "--dpi", str(dpi), "--psm", "0"]).decode("utf-8", "replace")
        except OcrFailed:
            return None
        turn = re.search(r"Rotate: (\d+)", output)
        confidence = re.search(r"Orientation confidence: ([\d.]+)", output)
        if not turn or not confidence:
            return None
        script = re.search(r"Script: (\w+)\s+Script confidence: ([\d.]+)", output)
        sure = script is not None and float(script[2]) >= _SCRIPT_SURE
        return Orientation(int(turn[1]) % 360, float(confidence[1]), script[1] if script and sure else "")

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            for process in self._running:
                process.kill()

    def _run(self, image: "NDArray[uint8]", options: list[str]) -> bytes:
        """One run, killed at its time limit. It stays in this process's group, so that it dies with a killed worker."""
        picture = _bitmap(image)
        process = self._start([self.settings.command, "stdin", "stdout", *options])
        try:
            output, _ = process.communicate(picture, timeout=self.settings.seconds)
        except subprocess.TimeoutExpired as error:
            raise OcrFailed(f"Tesseract did not finish in {self.settings.seconds} seconds.") from error
        except OSError as error:
            raise OcrFailed(f"Tesseract did not take the image: {error}") from error
        finally:
            self._end(process)
        if process.returncode != 0:
            raise OcrFailed(f"Tesseract ended with code {process.returncode}.")
        return output

    def _start(self, command: list[str]) -> "subprocess.Popen[bytes]":
        # Held to one thread: the default costs 4-7 times the CPU (pdf-facts, section 7).
        environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        pipe = subprocess.PIPE
        with self._lock:
            if self._stopped:
                raise OcrFailed("Recognition was stopped.")
            try:
                process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, env=environment)
            except OSError as error:
                raise OcrFailed(f"Tesseract could not be run: {error}") from error
            self._running.add(process)
        return process

    def _end(self, process: "subprocess.Popen[bytes]") -> None:
        with self._lock:
            self._running.discard(process)
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def _bitmap(image: "NDArray[uint8]") -> bytes:
    """The picture as BMP, which Tesseract takes in at once: plain PGM from a pipe costs it 0.15 s a page, PNG our side
    as much."""
    from PIL import Image

    held = io.BytesIO()
    Image.fromarray(image).save(held, "BMP")
    return held.getvalue()


_SCRIPT_SURE = 3.0
"""Pages of Cyrillic, Greek and Hebrew print had 7 to 300."""
_LINES = frozenset({"ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat"})
_NUMBER = r"(-?[\d.]+)"
_BOX = re.compile(rf"bbox {_NUMBER} {_NUMBER} {_NUMBER} {_NUMBER}")
_BASELINE = re.compile(rf"baseline {_NUMBER} {_NUMBER}")
_SIZE = re.compile(rf"x_size {_NUMBER}")
_SURENESS = re.compile(rf"x_wconf {_NUMBER}")


def _words(root: "Element") -> Iterator[PixelWord]:
    for line in root.iter():
        if line.get("class") in _LINES:
            yield from _line_words(line)


def _line_words(line: "Element") -> Iterator[PixelWord]:
    """hOCR gives the baseline as slope and offset from the bottom left corner of the line's box."""
    title = line.get("title", "")
    left, top, _, bottom = _numbers(_BOX, title) or (0.0, 0.0, 0.0, 0.0)
    slope, offset = _numbers(_BASELINE, title) or (0.0, 0.0)
    size = (_numbers(_SIZE, title) or (bottom - top,))[0]
    for item in line:
        text = "".join(item.itertext()).strip()
        box = _numbers(_BOX, item.get("title", ""))
        if not text or box is None:
            continue
        x0, y0, x1, y1 = box
        sureness = (_numbers(_SURENESS, item.get("title", "")) or (0.0,))[0]
        baseline = bottom + offset + slope * ((x0 + x1) / 2 - left)
        yield PixelWord(text, x0, y0, x1, y1, baseline, size, round(min(max(sureness, 0), 100) * 10))


def _numbers(pattern: re.Pattern[str], title: str) -> tuple[float, ...] | None:
    found = pattern.search(title)
    return tuple(map(float, found.groups())) if found else None
