"""The schema of hardware profiles: what a TOML file may say, and what it must not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator, model_validator

from qtheory.errors import InputError, UnknownNameError
from qtheory.models.laws import LAWS, Law, MixedQuadraticLaw, law_type

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9.-]*$")]
Positive = Annotated[float, Field(gt=0)]
Tokens = Annotated[float, Field(ge=0)]


class Part(BaseModel):
    """A table of a profile: unknown keys, strings for numbers, infinities and NaN are rejected."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False, populate_by_name=True)


class Source(Part):
    """Where the constants come from: a paper and the place in it, or a file of measurements."""

    paper: Text | None = None
    place: Text | None = None
    measurements: Text | None = None
    quote: Text | None = None

    @model_validator(mode="after")
    def _one_source(self) -> Source:
        if self.paper is None and self.measurements is None:
            raise ValueError("neither 'paper' nor 'measurements' is given")
        if self.paper is not None and self.place is None:
            raise ValueError("'paper' without 'place' (section, table or figure)")
        return self


class Constant(Part):
    """One constant: its value in SI (seconds, tokens), its unit, and beside it what the source prints."""

    value: float | None = None
    unit: Text
    alternatives: tuple[float, ...] | None = Field(default=None, min_length=2, strict=False)
    printed: Text | None = None
    interval: tuple[float, float] | None = Field(default=None, strict=False)
    interval_by: Literal["bootstrap", "covariance", "likelihood"] | None = None
    derivation: Text | None = None
    note: Text | None = None

    @model_validator(mode="after")
    def _consistent(self) -> Constant:
        if (self.value is None) == (self.alternatives is None):
            raise ValueError("either 'value' or 'alternatives' is wanted")
        if self.interval is not None:
            low, high = self.interval
            if not low <= high:
                raise ValueError(f"interval [{low}, {high}] is empty")
            if self.value is not None and not low <= self.value <= high:
                raise ValueError(f"value {self.value} lies outside its interval [{low}, {high}]")
        return self


class RSquared(Part):
    """A coefficient of determination as the source gives it, and the largest token count to which it belongs."""

    value: Annotated[float, Field(le=1)]
    relation: Literal["=", ">", ">="] = "="
    tokens_max: Positive | None = None
    place: Text | None = None
    note: Text | None = None


class Covariance(Part):
    """The covariance ``matrix`` of ``constants``, in their order and units; a tile width is not among them."""

    constants: tuple[str, ...] = Field(min_length=1, strict=False)
    matrix: tuple[tuple[float, ...], ...] = Field(strict=False)

    @field_validator("matrix", mode="before")
    @classmethod
    def _rows(cls, value: Any) -> Any:
        return [tuple(row) if isinstance(row, list) else row for row in value] if isinstance(value, list) else value

    @model_validator(mode="after")
    def _is_a_covariance(self) -> Covariance:
        size = len(self.constants)
        if len(set(self.constants)) != size:
            raise ValueError(f"constants: one of {', '.join(self.constants)} stands twice")
        if [len(row) for row in self.matrix] != [size] * size:
            raise ValueError(f"matrix: {size} rows of {size} numbers are wanted")
        deviations = [math.sqrt(max(self.matrix[i][i], 0.0)) for i in range(size)]
        for i, row in enumerate(self.matrix):
            for j, value in enumerate(row):
                if value != self.matrix[j][i]:
                    raise ValueError(f"matrix: entries ({i + 1}, {j + 1}) and ({j + 1}, {i + 1}) differ")
                if (i == j and value < 0) or abs(value) > deviations[i] * deviations[j] * (1 + 1e-9):
                    raise ValueError(f"matrix: entry ({i + 1}, {j + 1}), {value}, is beyond what its variances allow")
        return self

    def array(self) -> NDArray[np.float64]:
        """The matrix (constants, constants) as an array."""
        import numpy as np

        return np.array(self.matrix, dtype=float)


class LawTable(Part):
    """The law's kind, those of its constants that are known, and their covariance."""

    kind: Text
    constants: dict[str, Constant] = {}
    covariance: Covariance | None = None
    tokens: Positive | None = None  # the one total token count to which a mixed-batch law belongs
    tokens_min: Tokens | None = None
    tokens_max: Positive | None = None

    @model_validator(mode="after")
    def _constants_fit_the_law(self) -> LawTable:
        try:
            law = law_type(self.kind)
        except UnknownNameError as error:
            raise ValueError(str(error)) from None  # a KeyError would pass through pydantic
        units = dict(law.units) | ({"kappa": "1"} if law is MixedQuadraticLaw else {})
        for name, constant in self.constants.items():
            if name not in units:
                raise ValueError(str(UnknownNameError(f"constant of {self.kind}", name, list(units))))
            if constant.unit != units[name]:
                raise ValueError(f"{name}: unit {constant.unit!r} where {units[name]!r} is wanted")
            for value in constant.alternatives or (constant.value,):
                if value is not None and value < 0 and not law.signed:
                    raise ValueError(f"{name}: {value} {constant.unit} is negative")
        for name in self.covariance.constants if self.covariance else ():
            if name not in self.constants or self.constants[name].value is None:
                raise ValueError(f"covariance: {name} is not among the constants that are given")
        if self.tokens_min is not None and self.tokens_max is not None and self.tokens_min > self.tokens_max:
            raise ValueError(f"tokens_min {self.tokens_min} exceeds tokens_max {self.tokens_max}")
        self._check_law()
        return self

    def missing(self) -> list[str]:
        """The law's constants that have no single value."""
        known = {name for name, constant in self.constants.items() if constant.value is not None}
        return [name for name in LAWS[self.kind].constant_names() if name not in known]

    def _check_law(self) -> None:
        if self.missing():
            return
        built = self.build()
        kappa = self.constants.get("kappa")
        if not isinstance(built, MixedQuadraticLaw) or kappa is None or kappa.value is None:
            return
        # Half a unit of kappa's last printed digit is at most 5 percent of it.
        if abs(kappa.value - built.kappa) > 0.05 * abs(kappa.value):
            raise ValueError(f"kappa: {kappa.value} contradicts c0, c1, c2, which give {built.kappa:.6g}")

    def build(self) -> Law:
        law = LAWS[self.kind]
        return law(**{name: float(self.constants[name].value or 0.0) for name in law.constant_names()})


class KVCache(Part):
    """How many tokens the KV cache holds: a number, or bounds that the source implies."""

    tokens: Positive | None = None
    at_least: Positive | None = None
    below: Positive | None = None
    bytes_per_token: Positive | None = None
    printed: Text | None = None
    note: Text | None = None

    @model_validator(mode="after")
    def _consistent(self) -> KVCache:
        if self.tokens is None and self.at_least is None and self.below is None:
            raise ValueError("one of 'tokens', 'at_least' and 'below' is wanted")
        if self.at_least is not None and self.below is not None and self.at_least >= self.below:
            raise ValueError(f"at_least {self.at_least} is not less than below {self.below}")
        return self


class GpuData(Part):
    """The GPU's data sheet as the source prints it."""

    memory_gb: Positive | None = None
    bandwidth_tb_per_s: Positive | None = None
    fp16_tflops: Positive | None = None
    flop_per_byte: Positive | None = None


class FitRecord(Part):
    """How constants that come from measurements were fitted."""

    errors: Literal["relative", "absolute"]
    loss: Text
    scale: Positive
    rows: Annotated[int, Field(gt=0)]
    points: Annotated[int, Field(gt=0)]
    aic: float
    cv_error: Tokens | None = None
    cv_median: Tokens | None = None
    confidence: Annotated[float, Field(gt=0, lt=1)]
    seed: int


class HardwareProfile(Part):
    """One set of hardware constants, from a paper or from measurements, with its source.

    ``law`` is the fitted law with its constants in seconds and tokens: ``profile.law.alpha_d``. A source that
    prints only some of a law's constants, or none, makes an incomplete profile: ``missing`` lists what is not
    known, and ``law`` raises InputError.
    """

    name: Name
    gpu: Text
    model: Text | None = None
    engine: Text | None = None
    engine_version: Text | None = None
    tensor_parallel: Annotated[int, Field(ge=1)] | None = None
    source: Source
    law_table: LawTable | None = Field(default=None, alias="law")
    r_squared: tuple[RSquared, ...] = Field(default=(), strict=False)
    kv_cache: KVCache | None = None
    gpu_data: GpuData | None = None
    fit: FitRecord | None = None
    leaves_out: tuple[Text, ...] = Field(default=(), strict=False)
    note: Text | None = None

    @model_validator(mode="after")
    def _consistent(self) -> HardwareProfile:
        if self.engine_version is not None and self.engine is None:
            raise ValueError("'engine_version' without 'engine'")
        if self.law_table is None and self.gpu_data is None:
            raise ValueError("neither 'law' nor 'gpu_data': the profile says nothing")
        return self

    def __repr__(self) -> str:
        law = f"{self.kind} law" if self.kind else "data sheet"
        return f"<profile {self.name}: {law}{f' of {self.model}' if self.model else ''} on {self.gpu}>"

    __str__ = __repr__

    def _repr_html_(self) -> str:
        from qtheory.profiles.text import profile_html  # which reads profiles

        return profile_html(self)

    @property
    def kind(self) -> str | None:
        """The kind of the profile's law, or None for a GPU's data sheet."""
        return self.law_table.kind if self.law_table else None

    @property
    def missing(self) -> list[str]:
        """The law's constants that the source does not give."""
        return self.law_table.missing() if self.law_table else ["law"]

    @property
    def complete(self) -> bool:
        """Whether ``law`` can be evaluated."""
        return not self.missing

    @property
    def law(self) -> Law:
        """The law with its constants; raises InputError if the source does not give them all."""
        if self.law_table is None:
            raise InputError(f"profile {self.name}: no iteration-time law; it holds the GPU's data alone")
        if self.missing:
            lacking = ", ".join(self.missing)
            raise InputError(f"profile {self.name}: its source gives no {lacking} of the {self.kind} law")
        return self.law_table.build()

    def to_dict(self) -> dict[str, Any]:
        """The profile as plain data, as it stands in TOML and JSON."""
        return self.model_dump(by_alias=True, exclude_none=True, exclude_defaults=True, mode="json")
