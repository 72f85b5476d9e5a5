"""What a model may write: picks among the shown sentences, and a claim for each. Anything else is refused."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

CLAIM_CHARACTERS = 400
"""A longer claim is refused: it is no single fact."""
PICKS_A_CLAIM = 2


class ModelClaim(BaseModel):
    """As the model wrote it; the sentence ids are not yet known to be ones that it was shown."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    evidence: tuple[str, ...] = Field(min_length=1)
    claim: str = Field(min_length=1, max_length=CLAIM_CHARACTERS)


def reply_schema(sentence_ids: Sequence[str], limit: int, *, whole: bool = False) -> dict[str, Any]:
    """JSON schema of a reply. The evidence comes first, so that a model has chosen before it words anything.

    ``whole``, for a model that is shown whole passages: also one ``answer``, ``rows`` for what is listed or compared,
    ``conflicts`` for what cannot both hold, each a claim like any other, and ``missing``, what nothing tells.

    The claim has no ``maxLength``: llama.cpp unrolls one of 400 into a grammar that makes it four times slower.
    ``max_tokens`` bounds the reply, ``CLAIM_CHARACTERS`` the claim.
    """
    claim = {
        "type": "object",
        "properties": {
            "evidence": {
                "type": "array",
                "items": {"type": "string", "enum": list(sentence_ids)},
                "minItems": 1,
                "maxItems": PICKS_A_CLAIM,
            },
            "claim": {"type": "string"},
        },
        "required": ["evidence", "claim"],
        "additionalProperties": False,
    }
    claims = {"type": "array", "items": claim, "minItems": 0, "maxItems": limit}
    parts: dict[str, Any] = {"claims": claims}
    if whole:
        missing = {"type": "array", "items": {"type": "string"}, "maxItems": limit}
        parts = {"answer": claim, "rows": claims, "conflicts": claims, "missing": missing, "claims": claims}
    return {"type": "object", "properties": parts, "required": ["claims"], "additionalProperties": False}


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\{')
"""A string that is closed, or where an object begins."""


class ReplyReader:
    """Reads a reply as it streams in and gives each claim as soon as its object is closed, in whatever part of the
    reply it stands.

    ``complete`` is True once the whole is JSON of the schema's outer shape. Claims of the wrong shape are counted in
    ``refused`` and left out.
    """

    def __init__(self) -> None:
        self._text = ""
        self._at = 0
        self._opened = False
        self.refused = 0

    def feed(self, piece: str) -> list[ModelClaim]:
        """The claims that this piece completes."""
        self._text += piece
        return list(self._closed_claims())

    def _closed_claims(self) -> Iterator[ModelClaim]:
        while (token := _TOKEN.search(self._text, self._at)) and '"' not in self._text[self._at : token.start()]:
            if token.group() != "{" or not self._opened:
                self._opened = self._opened or token.group() == "{"
                self._at = token.end()
                continue
            try:
                value, self._at = json.JSONDecoder().raw_decode(self._text, token.start())
            except ValueError:
                return
            try:
                yield ModelClaim.model_validate(value)
            except ValidationError:
                self.refused += 1

    @property
    def complete(self) -> bool:
        whole = self._whole()
        return whole is not None and isinstance(whole.get("claims"), list)

    @property
    def misses(self) -> bool:
        """True if the model says that nothing tells a part of what was asked. What it says of it is never shown."""
        whole = self._whole()
        return whole is not None and bool(whole.get("missing"))

    def _whole(self) -> dict[str, Any] | None:
        try:
            whole = json.loads(self._text)
        except ValueError:
            return None
        return whole if isinstance(whole, dict) else None
