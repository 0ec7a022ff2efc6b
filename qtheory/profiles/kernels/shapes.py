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
    """The experts of a layer: how many, how many a token passes, the width of one; ``dtype`` if not the model's."""

    count: Count
    active: Count
    intermediate: Count
    dtype: str | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Experts:
        if self.active > self.count:
            raise ValueError(f"active = {self.active} experts of {self.count}")
        return self


class Shape(Part):
    """A decoder with grouped-query attention and, in every layer, a gated MLP (``intermediate``) or ``experts``.

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
    window: Annotated[int, Field(ge=0)] = 0
    window_layers: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _consistent(self) -> Shape:
        if (self.intermediate is None) == (self.experts is None):
            raise ValueError("either 'intermediate' (dense) or [experts] is wanted")
        if self.heads % self.kv_heads:
            raise ValueError(f"heads = {self.heads} is no multiple of kv_heads = {self.kv_heads}")
        if (self.window == 0) != (self.window_layers == 0) or self.window_layers > self.layers:
            raise ValueError(f"window = {self.window} in window_layers = {self.window_layers} of {self.layers} layers")
        return self

    @property
    def kv_numbers(self) -> int:
        """Numbers that one token keeps in the cache, over all layers that keep every token."""
        return 2 * (self.layers - self.window_layers) * self.kv_heads * self.head_dim

    @property
    def parameters(self) -> int:
        """Number of weights, embeddings and head apart, norms left out."""
        attention = self.hidden * self.head_dim * 2 * (self.heads + self.kv_heads)
        if self.experts is None:
            assert self.intermediate is not None
            mlp = 3 * self.hidden * self.intermediate
        else:
            mlp = self.experts.count * self.hidden * (3 * self.experts.intermediate + 1)
        return self.layers * (attention + mlp) + 2 * self.vocabulary * self.hidden


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
