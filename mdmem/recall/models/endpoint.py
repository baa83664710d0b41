"""Embeddings from any endpoint that speaks OpenAI's API.

Its address, model and key come from the environment alone: a vault may arrive by clone, and must not decide where
its reader's memories are sent.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import urllib.request
from collections.abc import Sequence
from http.client import HTTPException
from typing import TYPE_CHECKING, Any

from mdmem.errors import MdmemError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

URL, MODEL, KEY = "MDMEM_EMBEDDINGS_URL", "MDMEM_EMBEDDINGS_MODEL", "MDMEM_EMBEDDINGS_KEY"
_HINT = f"set {URL} (such as http://localhost:11434/v1), {MODEL} and, if it wants one, {KEY}"
_TIMEOUT = 30.0  # seconds
_BATCH = 64
_MARK = 12  # hexadecimal digits that tell one endpoint from another
_LONGEST = 8000  # maximum characters of a text that are sent
# (http or https, a host without user or password, perhaps a port), and a path of visible characters
_ADDRESS = re.compile(
    r"(https?://(?:[a-z\d_.-]+|\[[a-f\d:.]+\])(?::[1-9]\d{0,4})?)((?:[/?#][!-~]*)?)", re.IGNORECASE | re.ASCII
)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Makes a redirect a failure: urllib would send the key along to any other host."""

    def redirect_request(self, *_: object) -> None:
        return None


class Endpoint:
    """A model behind HTTP. Two endpoints may use one name for different models, so `kept_as` tells them apart."""

    def __init__(self) -> None:
        """Raises MdmemError if the environment names no endpoint or no model, or one that cannot be valid."""
        self._url, self.name = os.environ.get(URL, "").strip().rstrip("/"), os.environ.get(MODEL, "")
        self._key = os.environ.get(KEY, "").strip()
        self._opener = urllib.request.build_opener(_NoRedirects)
        if not self._url or not self.name:
            raise MdmemError("no endpoint for embeddings is set", _HINT)
        address = _ADDRESS.fullmatch(self._url)
        if not address:
            raise MdmemError(f"{URL} is not a web address", _HINT)
        if not (self._key.isascii() and self._key.isprintable()):
            raise MdmemError(f"{KEY} holds characters that a key cannot have", _HINT)
        # a digest tells an address, which is the same in upper case, from others: a path can hold a credential
        said = f"{address[1].lower()}{address[2]}".encode()
        self.kept_as = f"{self.name}@{hashlib.sha256(said).hexdigest()[:_MARK]}"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A unit vector for each text, one row each. Raises MdmemError if the endpoint fails."""
        import numpy as np

        rows = [row for at in range(0, len(texts), _BATCH) for row in self._ask(texts[at : at + _BATCH])]
        try:
            matrix = np.array(rows, np.float32)
            lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
        except (ValueError, TypeError) as error:
            raise self._failed(f"its vectors are of different lengths ({error})") from None
        if not matrix.shape[1] or not np.isfinite(matrix).all():
            raise self._failed("its vectors hold no numbers")
        return np.asarray(matrix / np.maximum(lengths, 1e-9), np.float32)

    def _ask(self, texts: Sequence[str]) -> list[list[float]]:
        body = json.dumps({"model": self.name, "input": [text[:_LONGEST] or " " for text in texts]}).encode()
        headers = {"Content-Type": "application/json"}
        headers |= {"Authorization": f"Bearer {self._key}"} if self._key else {}
        request = urllib.request.Request(f"{self._url}/embeddings", body, headers)  # noqa: S310 - checked above
        try:
            with self._opener.open(request, timeout=_TIMEOUT) as answer:
                found: Any = json.load(answer)
            vectors = [item["embedding"] for item in sorted(found["data"], key=lambda item: item["index"])]
        except (OSError, ValueError, OverflowError, HTTPException) as error:  # a port may be too large
            raise self._failed(f"{error or type(error).__name__}") from None
        except (KeyError, TypeError):
            raise self._failed("its answer is not in OpenAI's format") from None
        if len(vectors) != len(texts):
            raise self._failed(f"it gave {len(vectors)} vectors for {len(texts)} texts")
        return vectors

    def _failed(self, why: str) -> MdmemError:
        return MdmemError(f"the embeddings endpoint failed: {why}", _HINT)
