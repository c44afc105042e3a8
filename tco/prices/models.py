"""Open models by name: what their weights and their KV cache need of a card.

Parameters are what the publisher states, all experts of a mixture; the rest is what its
configuration file says. GB are never here: how many bytes a parameter takes is asked, not known.

>>> model("Llama-3-70B").kv_heads
8
>>> model("mixtral-8x7b").active_billion
12.9
>>> model("llama-4-70b") is None
True
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType


@dataclass(frozen=True)
class LanguageModel:
    """A model's size and shape.

    ``parameters_billion`` are all that must be resident, ``active_billion`` those that one token
    reads. ``latent`` is, for attention over a compressed cache, the values kept a layer and a
    token (one for all heads, so ``kv_heads`` is 1); ``window`` the tokens that attention looks
    back, None for all. A model of images has no layers and no heads here: it keeps no KV cache.
    """

    name: str
    title: str
    parameters_billion: float
    active_billion: float
    layers: int
    heads: int
    kv_heads: int
    head_dim: int
    latent: int | None = None
    window: int | None = None
    longest_context: int | None = None
    source: str = ""
    note: str | None = None

    @property
    def writes_text(self) -> bool:
        """Whether it keeps a KV cache for each sequence."""
        return self.layers > 0


def model(name: str) -> LanguageModel | None:
    """The model of that name, in whatever case, or None."""
    return _models().get(name.lower())


def names() -> tuple[str, ...]:
    """The known names, in the order of the data file."""
    return tuple(_models())


@cache
def _models() -> Mapping[str, LanguageModel]:
    text = (files("tco.prices") / "models.csv").read_text(encoding="utf-8")
    return MappingProxyType(
        {
            row["name"]: LanguageModel(
                name=row["name"],
                title=row["title"],
                parameters_billion=float(row["parameters_billion"]),
                active_billion=float(row["active_billion"]),
                layers=int(row["layers"] or 0),
                # what has no heads to divide runs on one card
                heads=int(row["heads"] or 1),
                kv_heads=int(row["kv_heads"] or 1),
                head_dim=int(row["head_dim"] or 0),
                latent=_whole(row["latent"]),
                window=_whole(row["window"]),
                longest_context=_whole(row["longest_context"]),
                source=row["source"],
                note=row["note"] or None,
            )
            for row in csv.DictReader(text.splitlines())
        }
    )


def _whole(text: str) -> int | None:
    return int(text) if text else None
