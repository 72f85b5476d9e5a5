"""A real Ollama server pulls a missing model from a registry on this machine: progress, cancel, resume, faults."""

import importlib.util
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import ollama
import pytest

from models.adapters.ollama import pull, server_state
from models.ports import ModelUnavailable

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
SIZE = 6 << 20


@pytest.fixture(scope="module")
def registry_tool() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "tools" / "model_registry.py"
    spec = importlib.util.spec_from_file_location("model_registry", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def registry(registry_tool: ModuleType) -> Iterator[Any]:
    with registry_tool.Registry(random.Random(6).randbytes(SIZE), 0.01) as made:
        yield made


@pytest.fixture
def server_in(ollama_tool: Any) -> Iterator[Any]:
    """Starts a server with models of its own in a folder, so that what is pulled stays in the test."""
    started = []

    def start(folder: Path) -> Any:
        try:
            server = ollama_tool.OllamaServer(ollama_tool.cache_folder(), folder)
            server.start()
        except ollama_tool.NoServer as missing:
            pytest.skip(str(missing))
        started.append(server)
        return server

    yield start
    for server in started:
        server.kill()


@pytest.fixture(autouse=True)
def without_tls(monkeypatch: Any) -> None:
    """The product never asks for a registry without TLS; this one has none."""
    real = ollama.Client.pull
    monkeypatch.setattr(
        ollama.Client, "pull", lambda self, name, stream: real(self, name, insecure=True, stream=stream)
    )


def test_progress_goes_up_to_the_whole_and_the_model_is_there(registry: Any, server_in: Any, tmp_path: Path) -> None:
    host = server_in(tmp_path / "models").host
    steps = list(pull(host, registry.model))
    done = [step.done for step in steps if step.total == SIZE]
    assert done == sorted(done) and done[-1] == SIZE and len(set(done)) > 3
    assert {(step.stage, step.unit) for step in steps} == {("fetch", "bytes")}
    assert [name for name, _ in server_state(host).models] == [f"127.0.0.1:{registry.port}/library/x:latest"]


def test_what_was_cancelled_goes_on_where_it_ended(registry: Any, server_in: Any, tmp_path: Path) -> None:
    host = server_in(tmp_path / "models").host
    pulling = pull(host, registry.model)
    while next(pulling).done < SIZE // 3:
        pass
    pulling.close()
    assert server_state(host).models == ()
    registry.starts.clear()
    assert [step.done for step in pull(host, registry.model) if step.total == SIZE][-1] == SIZE
    assert max(registry.starts) >= SIZE // 4
    assert len(server_state(host).models) == 1


def test_a_name_that_the_registry_lacks_is_told(registry: Any, server_in: Any, tmp_path: Path) -> None:
    host = server_in(tmp_path / "models").host
    with pytest.raises(ModelUnavailable, match="there is no model of that name"):
        list(pull(host, registry.model.replace("/x:", "/y:")))


def test_a_full_disk_is_told(registry: Any, server_in: Any, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = shutil.which("mount")
    made = mount and subprocess.run([mount, "-t", "tmpfs", "-o", "size=2m", "none", small], capture_output=True)
    if not made or made.returncode:
        pytest.skip("a small disk cannot be mounted here")
    try:
        with pytest.raises(ModelUnavailable, match="no space left on device"):
            list(pull(server_in(small).host, registry.model))
    finally:
        subprocess.run(["umount", "-l", small], check=True)


def test_a_registry_that_is_gone_and_a_server_that_is_gone_are_told(
    registry_tool: Any, server_in: Any, tmp_path: Path
) -> None:
    with registry_tool.Registry(b"x") as gone:
        name = gone.model
    server = server_in(tmp_path / "models")
    with pytest.raises(ModelUnavailable, match="could not get"):
        list(pull(server.host, name))
    server.kill()
    with pytest.raises(ModelUnavailable, match="stopped answering"):
        list(pull(server.host, name))


def test_the_server_dies_in_mid_pull(registry: Any, server_in: Any, tmp_path: Path) -> None:
    server = server_in(tmp_path / "models")
    pulling = pull(server.host, registry.model)
    while next(pulling).done < SIZE // 4:
        pass
    server.kill()
    with pytest.raises(ModelUnavailable, match="stopped answering"):
        list(pulling)
    assert list((tmp_path / "models" / "blobs").iterdir())
