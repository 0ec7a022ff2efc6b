"""The shape of a decoder as data: what its matrix products, its attention and its experts are made of."""

from __future__ import annotations

import os
import tomllib
from importlib import resources
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from qtheory.errors import InputError, UnknownNameError

Count = Annotated[int, Field(gt=0)]


class Part(BaseModel):
    """A table of a shape's file: unknown keys are rejected."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Experts(Part):
    """The experts of a layer: how many, how many a token passes, the width of one; ``dtype`` if not the model's;
    ``shared``: of that width, which every token passes beside them."""

    count: Count
    active: Count
    intermediate: Count
    shared: Annotated[int, Field(ge=0)] = 0
    dtype: str | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Experts:
        if self.active > self.count:
            raise ValueError(f"active = {self.active} experts of {self.count}")
        return self


class Latent(Part):
    """Multi-head latent attention: a token keeps ``cache`` numbers for all heads and ``rotary`` ones for its position.

    ``query``: numbers into which the queries are compressed; ``head``: numbers of a head's key or query besides its
    ``rotary`` ones, and ``value``: of its value.
    """

    query: Count
    cache: Count
    rotary: Count
    head: Count
    value: Count


class Shape(Part):
    """A decoder with grouped-query or ``latent`` attention and, in a layer, a gated MLP or experts.

    ``intermediate``: the MLP's width; with ``experts`` too, the first ``dense_layers`` have the MLP in their place.
    ``dtype``: of the weights in matrix products, named as the tables of kernels name it. ``window``: the tokens that
    ``window_layers`` of the layers see; 0: every layer sees all.
    """

    name: str = ""
    title: str
    source: str
    note: str = ""
    layers: Count
    hidden: Count
    heads: Count
    kv_heads: Count
    head_dim: Count
    vocabulary: Count
    dtype: str = "bfloat16"
    intermediate: Count | None = None
    experts: Experts | None = None
    dense_layers: Annotated[int, Field(ge=0)] = 0
    latent: Latent | None = None
    window: Annotated[int, Field(ge=0)] = 0
    window_layers: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _consistent(self) -> Shape:
        if (self.intermediate is None) != (self.experts is not None and self.dense_layers == 0):
            raise ValueError("either 'intermediate' (dense) or [experts] is wanted, or both with 'dense_layers'")
        if self.dense_layers and (self.experts is None or self.dense_layers >= self.layers):
            raise ValueError(f"dense_layers = {self.dense_layers} of {self.layers} layers, the others with [experts]")
        if self.heads % self.kv_heads:
            raise ValueError(f"heads = {self.heads} is no multiple of kv_heads = {self.kv_heads}")
        if (self.window == 0) != (self.window_layers == 0) or self.window_layers > self.layers:
            raise ValueError(f"window = {self.window} in window_layers = {self.window_layers} of {self.layers} layers")
        return self

    @property
    def kv_numbers(self) -> int:
        """Numbers that one token keeps in the cache, over all layers that keep every token."""
        if self.latent is not None:
            return self.layers * (self.latent.cache + self.latent.rotary)
        return 2 * (self.layers - self.window_layers) * self.kv_heads * self.head_dim

    @property
    def parameters(self) -> int:
        """Number of weights, embeddings and head apart, norms left out."""
        if self.latent is None:
            attention = self.hidden * self.head_dim * 2 * (self.heads + self.kv_heads)
        else:
            part = self.latent
            attention = (self.hidden * (part.query + part.cache + part.rotary) + self.heads * (
                part.query * (part.head + part.rotary) + part.cache * (part.head + part.value)
                + part.value * self.hidden))
        mlp = 3 * self.hidden * (self.intermediate or 0)
        mixed = 0 if self.experts is None else self.hidden * (
            3 * (self.experts.count + self.experts.shared) * self.experts.intermediate + self.experts.count)
        dense = self.layers if self.experts is None else self.dense_layers
        return (self.layers * attention + dense * mlp + (self.layers - dense) * mixed
                + 2 * self.vocabulary * self.hidden)


def names() -> list[str]:
    """The names of the shipped shapes, in alphabetical order."""
    return sorted(entry.name.removesuffix(".toml") for entry in (resources.files(__package__) / "data").iterdir()
                  if entry.name.endswith(".toml"))


def shape(name_or_path: str | Path) -> Shape:
    """The shipped shape of that name, or the one in a TOML file.

    A text that ends in ``.toml`` or has a path separator is a path. Raises UnknownNameError with the nearest names,
    and InputError, in one line, for a file that cannot be used.
    """
    text = str(name_or_path)
    if isinstance(name_or_path, Path) or text.endswith(".toml") or os.sep in text:
        try:
            return _parsed(Path(text).read_text("utf-8"), text, Path(text).stem)
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{text}: cannot be read as UTF-8 text: {error}") from None
    if text not in names():
        raise UnknownNameError("model", text, names())
    return _parsed((resources.files(__package__) / "data" / f"{text}.toml").read_text("utf-8"), text, text)


def _parsed(text: str, place: str, name: str) -> Shape:
    try:
        return Shape.model_validate({"name": name} | tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{place}: not TOML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        what = first["msg"].removeprefix("Value error, ")
        raise InputError(f"{place}: {where}: {what}" if where else f"{place}: {what}") from None
