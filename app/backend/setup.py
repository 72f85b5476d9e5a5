"""What the backend does for the settings dialog and the first run."""

from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.backend import requests as r
from app.backend.protocol import Handler, Work
from app.errors import PinciteError, Usage

if TYPE_CHECKING:
    from app.settings import Settings

SETUP = "setup"
SAMPLE_FOLDER = "Sample matter"


def handlers(store: Path | None) -> dict[type, Handler]:
    def with_store(work: Callable[[Any, Path | None], Work]) -> Callable[[Any], Work]:
        return lambda request: work(request, store)

    return {
        r.LoadChoices: Handler(SETUP, load_choices),
        r.SaveChoices: Handler(SETUP, save_choices),
        r.Diagnose: Handler("diagnose", with_store(diagnose)),
        r.TryModel: Handler("diagnose", try_model),
        r.FetchModel: Handler("fetch", fetch_model),
        r.MakeSample: Handler(SETUP, make_sample),
    }


def load_choices(_: r.LoadChoices) -> Work:
    from app.settings import load_settings

    yield from ()
    return _choices(load_settings())


def save_choices(request: r.SaveChoices) -> Work:
    """Raises Usage, naming the field, if a value is out of its bounds; nothing is saved then."""
    from app.settings import load_settings, save_settings

    yield from ()
    changed = _with(load_settings(), request.choices)
    try:
        save_settings(changed)
    except OSError as error:
        raise Usage(f"The settings cannot be saved ({error.strerror}).") from error
    return _choices(changed)


def _choices(settings: "Settings") -> r.Choices:
    return r.Choices(**{field.name: getattr(settings, field.name) for field in fields(r.Choices)})


def _with(settings: "Settings", choices: r.Choices) -> "Settings":
    from pydantic import ValidationError

    from app.settings import Settings

    try:
        return Settings.model_validate({**settings.model_dump(), **asdict(choices)})
    except ValidationError as error:
        names = ", ".join(".".join(map(str, e["loc"])) for e in error.errors(include_input=False))
        raise Usage(f"This value cannot be used: {names.replace('_', ' ')}. Nothing was changed.") from error


def diagnose(_: r.Diagnose, store: Path | None) -> Work:
    from app.services.custody.diagnosing import doctor
    from app.settings import load_settings

    yield from ()
    return tuple(r.Finding(i.name, i.state.value, i.detail, i.fix) for i in doctor(load_settings(), store).items)


def try_model(request: r.TryModel) -> Work:
    """One trivial question, so that loading, server and answer are all tried."""
    from app.bootstrap import build_model
    from app.settings import load_settings
    from models.ports import Message, ModelFailed, ModelUnavailable

    yield from ()
    settings = _with(load_settings(), request.choices)
    schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
    try:
        model = build_model(settings, settings.model)
    except PinciteError as error:
        return r.Finding("model", "absent", str(error), None)
    if model is None:
        return r.Finding("model", "ready", "Works without a model: answers are the documents' own sentences.", None)
    try:
        for piece in model.stream_json([Message("user", 'Reply with {"ok": true}')], schema, 32):
            del piece
        return r.Finding("model", "ready", f"{model.name} answers.", None)
    except (ModelUnavailable, ModelFailed) as error:
        return r.Finding("model", "failed", str(error), None)
    finally:
        model.close()


def fetch_model(_: r.FetchModel) -> Work:
    """Started by a person's click alone. Raises EngineUnavailable or InputUnreadable."""
    from app.errors import EngineUnavailable, InputUnreadable
    from app.paths import model_folder
    from models.adapters.files import WrongFile, fetch_embedded
    from models.ports import ModelUnavailable

    try:
        return (yield from fetch_embedded(model_folder()))
    except ModelUnavailable as error:
        raise EngineUnavailable(str(error)) from error
    except (WrongFile, OSError) as error:
        raise InputUnreadable(str(error)) from error


def make_sample(_: r.MakeSample) -> Work:
    """Into the user's documents, or home where there is no such folder; never into one that is there already unless
    it is the sample itself, whole."""
    from app.sample.write import write_sample

    yield from ()
    documents = Path.home() / "Documents"
    base = documents if documents.is_dir() else Path.home()
    folder = base / f"Pincite {SAMPLE_FOLDER.lower()}"
    if not folder.exists():
        try:
            write_sample(folder)
        except OSError as error:
            raise Usage(f"The sample matter cannot be written to {folder} ({error.strerror}).") from error
    return folder
