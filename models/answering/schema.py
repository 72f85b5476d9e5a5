"""What a model may write: picks among the shown sentences, and a claim for each. Anything else is refused."""

import json
from collections.abc import Sequence
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


def reply_schema(sentence_ids: Sequence[str], limit: int) -> dict[str, Any]:
    """JSON schema of a reply. The evidence comes first, so that a model has chosen before it words anything.

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
    return {
        "type": "object",
        "properties": {"claims": {"type": "array", "items": claim, "minItems": 0, "maxItems": limit}},
        "required": ["claims"],
        "additionalProperties": False,
    }


class ReplyReader:
    """Reads a reply as it streams in and gives each claim as soon as its object is closed.

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
        if not self._opened:
            self._open()
        return list(self._closed_claims()) if self._opened else []

    def _open(self) -> None:
        key = self._text.find('"claims"')
        bracket = self._text.find("[", key) if key >= 0 else -1
        if bracket >= 0:
            self._at = bracket + 1
            self._opened = True

    def _closed_claims(self) -> Sequence[ModelClaim]:
        found: list[ModelClaim] = []
        while (start := self._text.find("{", self._at)) >= 0 and not self._text[self._at : start].strip(" ,\r\n\t"):
            try:
                value, self._at = json.JSONDecoder().raw_decode(self._text, start)
            except ValueError:
                break
            try:
                found.append(ModelClaim.model_validate(value))
            except ValidationError:
                self.refused += 1
        return found

    @property
    def complete(self) -> bool:
        try:
            whole = json.loads(self._text)
        except ValueError:
            return False
        return isinstance(whole, dict) and isinstance(whole.get("claims"), list)
